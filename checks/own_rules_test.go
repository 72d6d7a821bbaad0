package checks_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"agentguard/checks"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// repository makes a repository on the branch topic with one tracked file.
func repository(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home", "repo")
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "a.js"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "one"}, {"checkout", "-q", "-b", "topic"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=D", "GIT_AUTHOR_EMAIL=d@example.invalid",
			"GIT_COMMITTER_NAME=D", "GIT_COMMITTER_EMAIL=d@example.invalid",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// call makes the input of a tool call under a person's policy.
func call(t *testing.T, dir, policyText, tool string, input any) *checks.Input {
	t.Helper()
	p, problems := policy.Decode([]byte(`{"version":1`+policyText+`}`), policy.User, "policy.jsonc", checks.Known(checks.All()))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	return &checks.Input{
		Event:  hook.Event{Name: hook.PreToolUse, CWD: dir, ProjectDir: dir, Tool: &hook.Tool{Name: tool, Input: raw}},
		Policy: policy.Merge([]policy.File{{Layer: policy.User, Path: "policy.jsonc", Policy: p}}, checks.Known(checks.All()), true, nil),
		World: checks.World{Home: filepath.Dir(dir), State: filepath.Join(filepath.Dir(dir), "state"), GOOS: "linux", DryRun: true, Getenv: func(name string) (string, bool) {
			if name == "PATH" {
				return os.Getenv("PATH"), true
			}
			return "", false
		}},
	}
}

// run runs one check.
func run(t *testing.T, id string, in *checks.Input) checks.Finding {
	t.Helper()
	for _, c := range checks.All() {
		if c.ID == id {
			f, err := c.Run(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatalf("no check %s", id)
	return checks.Finding{}
}

type bash struct {
	Command string `json:"command"`
}

type write struct {
	Path    string `json:"file_path"`
	Content string `json:"content"`
}

func TestOwnRules(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		name, rule string
		hits       []any
		misses     []any
	}{
		{
			"a program, behind wrappers", `"program":"terraform"`,
			[]any{
				bash{"terraform plan"},
				bash{"sudo -u ci terraform plan"},
				bash{"cd x && TF_LOG=1 /usr/bin/terraform plan"},
				bash{`sh -c "terraform plan"`},
				bash{"echo $(terraform output)"},
				bash{"ls | xargs terraform fmt"},
				bash{"TERRAFORM=terraform; $TERRAFORM plan"},
			},
			[]any{bash{"echo terraform plan"}, bash{"grep -r terraform ."}, bash{"git commit -m 'terraform plan'"}, bash{"agentguard explain -- terraform plan"}, write{"a.sh", "terraform plan"}},
		},
		{
			"programs by glob and choice", `"program":"kubectl|helm*"`,
			[]any{bash{"kubectl get pods"}, bash{"helmfile sync"}},
			[]any{bash{"kubectx prod"}},
		},
		{
			"a subcommand after options", `"program":"kubectl","subcommand":"delete"`,
			[]any{bash{"kubectl delete pod x"}, bash{"kubectl -n prod delete pod x"}, bash{"kubectl --context=a delete pod x"}},
			[]any{bash{"kubectl get pods"}, bash{"kubectl get delete"}, bash{"kubectl annotate pod x note=delete"}},
		},
		{
			"two words", `"program":"gh","subcommand":"pr merge"`,
			[]any{bash{"gh pr merge 3 --squash"}, bash{"gh -R a/b pr merge"}},
			[]any{bash{"gh pr view 3"}, bash{"gh issue list --search 'pr merge'"}},
		},
		{
			"git as git reads it", `"program":"git","subcommand":"commit","flags":["--amend"]`,
			[]any{bash{"git commit --amend"}, bash{"git -C . -c user.name=x commit --no-edit --amend"}, bash{"git commit --ame"}, bash{"git -c alias.fix='commit --amend' fix"}},
			[]any{bash{"git commit -m '--amend'"}, bash{"git log --grep=--amend"}, bash{"git commit -m x -- --amend"}},
		},
		{
			"short options in a cluster, long ones with a value", `"program":"tar","flags":["-x|--extract"]`,
			[]any{bash{"tar -xzf a.tgz"}, bash{"tar --extract -f a.tgz"}},
			[]any{bash{"tar -czf a.tgz src"}},
		},
		{
			"all options must be given", `"program":"docker","subcommand":"run","flags":["--privileged","-v|--volume"]`,
			[]any{bash{"docker run --privileged -v /:/host x"}, bash{"docker run --volume=/:/host --privileged=true x"}},
			[]any{bash{"docker run --privileged x"}},
		},
		{
			"an argument", `"program":"psql|mysql","args":["*prod*"]`,
			[]any{bash{"psql -h db.prod.internal app"}, bash{"DB=prod-1; psql $DB"}},
			[]any{bash{"psql dev"}, bash{"psql -c 'select 1' dev # prod"}},
		},
		{
			"a written path, by any tool", `"path":"src/**"`,
			[]any{write{"src/b.js", "x"}, write{"./src/deep/er/b.js", "x"}, bash{"echo x > src/b.js"}, bash{"sed -i s/a/b/ src/a.js"}, bash{"cd src && rm a.js"}, bash{"mv src/a.js b.js"}, bash{"cp x src/"}},
			[]any{write{"lib/b.js", "x"}, bash{"cat src/a.js"}, bash{"echo src/a.js"}, bash{"grep x src/a.js > out.txt"}},
		},
		{
			"a program's own files, read ones too", `"program":"cat|less","path":"secrets/"`,
			[]any{bash{"cat secrets/prod.yml"}, bash{"cd secrets && cat prod.yml"}},
			[]any{bash{"cat src/a.js"}, bash{"ls secrets/prod.yml"}},
		},
		{
			"what is written", `"path":"*.js","content":"console\\.log\\("`,
			[]any{write{"src/b.js", "console.log(1)"}, bash{"echo 'console.log(1)' >> src/b.js"}, bash{"cat > src/b.js <<'E'\nconsole.log(2)\nE"}},
			[]any{write{"src/b.js", "log(1)"}, write{"b.md", "console.log(1)"}, bash{"grep 'console.log(' src/b.js"}},
		},
		{
			"the branch that a push goes to", `"program":"git","subcommand":"push","branch":"release/*"`,
			[]any{bash{"git push origin release/2"}, bash{"git push origin HEAD:release/2"}, bash{"git push -o ci.skip origin +topic:refs/heads/release/2"}},
			[]any{bash{"git push"}, bash{"git push origin topic"}, bash{"git push origin release/2:topic"}},
		},
		{
			"the branch that is checked out", `"program":"git","subcommand":"commit","branch":"topic"`,
			[]any{bash{"git commit -m x"}},
			[]any{bash{"git status"}},
		},
		{
			"another branch than the one that is checked out", `"program":"npm","subcommand":"publish","branch":"main"`,
			nil,
			[]any{bash{"npm publish"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `,"commands":[{"id":"mine","decision":"deny","reason":"no",` + c.rule + `}]`
			for want, list := range map[hook.Decision][]any{hook.Deny: c.hits, hook.Pass: c.misses} {
				for _, input := range list {
					tool := "Bash"
					if w, ok := input.(write); ok {
						tool, w.Path = "Write", filepath.Join(dir, w.Path)
						input = w
					}
					if f := run(t, "own-rules", call(t, dir, text, tool, input)); f.Decision != want {
						t.Errorf("%+v: %s, want %s", input, f.Decision, want)
					}
				}
			}
		})
	}
}

func TestOwnRulesForOtherTools(t *testing.T) {
	dir := repository(t)
	const text = `,"commands":[{"id":"net","tool":"WebFetch|mcp__web__*","args":["*internal.example*"],"decision":"deny","reason":"no"},
		{"id":"read","tool":"Read","path":"secrets/","decision":"ask","reason":"no"}]`
	for _, c := range []struct {
		tool  string
		input map[string]any
		want  hook.Decision
	}{
		{"WebFetch", map[string]any{"url": "https://wiki.internal.example/x"}, hook.Deny},
		{"mcp__web__get", map[string]any{"request": map[string]any{"urls": []string{"http://internal.example"}}}, hook.Deny},
		{"WebFetch", map[string]any{"url": "https://example.com"}, hook.Pass},
		{"WebSearch", map[string]any{"query": "internal.example"}, hook.Pass},
		{"Read", map[string]any{"file_path": filepath.Join(dir, "secrets/a.yml")}, hook.Ask},
		{"Read", map[string]any{"file_path": filepath.Join(dir, "src/a.js")}, hook.Pass},
	} {
		if f := run(t, "own-rules", call(t, dir, text, c.tool, c.input)); f.Decision != c.want {
			t.Errorf("%s %v: %s, want %s", c.tool, c.input, f.Decision, c.want)
		}
	}
}

// TestExceptions: an exception takes out what it names and nothing beside it.
func TestExceptions(t *testing.T) {
	dir := repository(t)
	const text = `,"commands":[
		{"id":"scratch","program":"git","subcommand":"push","args":["scratch/*"],"rule":"git-push-force","decision":"allow"},
		{"id":"no-apply","program":"terraform","subcommand":"apply","decision":"deny","reason":"no"},
		{"id":"sandbox","program":"terraform","args":["-chdir=sandbox"],"rule":"no-apply","decision":"allow"}]`
	for _, c := range []struct {
		check, command string
		want           hook.Decision
	}{
		{"dangerous-command", "git push --force origin scratch/x", hook.Pass},
		{"dangerous-command", "git push --force origin main", hook.Deny},
		{"dangerous-command", "git push --force origin scratch/x; git push --force origin main", hook.Deny},
		{"dangerous-command", "git push --force origin main && git push --force origin scratch/x", hook.Deny},
		{"dangerous-command", "rm -rf / # git push origin scratch/x", hook.Deny},
		{"own-rules", "terraform apply", hook.Deny},
		{"own-rules", "terraform -chdir=sandbox apply", hook.Pass},
		{"own-rules", "terraform -chdir=sandbox apply; terraform -chdir=prod apply", hook.Deny},
	} {
		if f := run(t, c.check, call(t, dir, text, "Bash", bash{c.command})); f.Decision != c.want {
			t.Errorf("%s: %s, want %s", c.command, f.Decision, c.want)
		}
	}
}

// TestRewrite: a safer form goes out only where it is the same command otherwise,
// alone, and somebody looks at what runs.
func TestRewrite(t *testing.T) {
	dir := repository(t)
	const preview = `,"rewrite":{"preview":true}`
	for _, c := range []struct {
		name, policy, mode, command, want string
	}{
		{"the own branch", "", "", "git push --force origin topic", "git push --force-with-lease origin topic"},
		{"the short option", "", "", "git push -f origin topic", "git push --force-with-lease origin topic"},
		{"behind other commands", "", "", "git fetch && git push --force origin topic", "git fetch && git push --force-with-lease origin topic"},
		{"in bypass", "", "bypassPermissions", "git push --force origin topic", ""},
		{"switched off", `,"rewrite":{"lease":false}`, "", "git push --force origin topic", ""},
		{"a shared branch", "", "", "git push --force origin main", ""},
		{"another's branch", "", "", "git push --force origin mate", ""},
		{"the option in a message", "", "", "git commit --allow-empty -m 'use --force' && git push -f origin topic", ""},
		{"beside another hit", "", "", "git push --force origin topic; rm -rf ~/x", ""},
		{"a lease already", "", "", "git push --force-with-lease origin topic", ""},
		{"no preview unless asked for", "", "", "rm -rf src", ""},
		{"a preview", preview, "", "rm -rf src", "git ls-files -- src"},
		{"a preview of a name with a blank", preview, "", "rm -rf -- src/a.js", "git ls-files -- src/a.js"},
		{"no preview of what git does not have", preview, "", "rm -rf build", ""},
		{"no preview of a chain", preview, "", "rm -rf src && ls", ""},
		{"no preview in place of a refusal", preview, "", "rm -rf .git", ""},
		{"no preview in bypass", preview, "bypassPermissions", "rm -rf src", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := call(t, dir, c.policy, "Bash", map[string]any{"command": c.command, "description": "push", "timeout": 5000})
			in.Event.PermissionMode = c.mode
			f := run(t, "dangerous-command", in)
			got := map[string]any{}
			if f.Rewrite != nil {
				if err := json.Unmarshal(f.Rewrite, &got); err != nil {
					t.Fatal(err)
				}
			}
			command, _ := got["command"].(string)
			if command != c.want {
				t.Errorf("rewritten to %q, want %q (%s)", command, c.want, f.Reason)
			}
			if c.want != "" && (f.Decision != hook.Pass || len(f.Context) != 1 || got["description"] != "push" || got["timeout"] != 5000.0) {
				t.Errorf("%+v: a rewrite goes out without a decision, told to the model, with the other fields as they were", f)
			}
		})
	}
}
