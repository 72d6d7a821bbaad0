package door_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agentguard/cmd/internal/door"
	"agentguard/settings/policy"
)

// world is a repository, a home folder and a clock of a test.
type world struct {
	t    *testing.T
	home string
	repo string
	env  map[string]string
	now  time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo"), now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	w.env = map[string]string{"HOME": w.home, "PATH": os.Getenv("PATH"), "CLAUDE_PROJECT_DIR": w.repo, "GIT_CONFIG_NOSYSTEM": "1"}
	for _, d := range []string{w.home, w.repo} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.git("init", "-q", "-b", "main")
	w.write("app.go", "package app\n")
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	w.write("app.go", "package app // changed\n")
	return w
}

func (w *world) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.repo
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=D", "GIT_AUTHOR_EMAIL=d@example.invalid",
		"GIT_COMMITTER_NAME=D", "GIT_COMMITTER_EMAIL=d@example.invalid",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.repo, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// policy writes the person's own layer, which needs no trust.
func (w *world) policy(text string) {
	w.write(filepath.Join(w.home, ".config", "agentguard", "policy.jsonc"), `{"version":1`+text+`}`)
}

func (w *world) envOf() door.Env {
	return door.Env{
		Getenv: func(name string) (string, bool) { v, ok := w.env[name]; return v, ok },
		Now:    func() time.Time { return w.now },
		GOOS:   "linux", Exe: "/opt/agentguard/agentguard-hook",
	}
}

// hook runs one event and returns what the client would read.
func (w *world) hook(fields map[string]any) string {
	w.t.Helper()
	event := map[string]any{"session_id": "s", "prompt_id": "p", "cwd": w.repo}
	maps.Copy(event, fields)
	in, err := json.Marshal(event)
	if err != nil {
		w.t.Fatal(err)
	}
	var out bytes.Buffer
	door.Call{Env: w.envOf(), Stdin: bytes.NewReader(in), Stdout: &out, Stderr: &bytes.Buffer{}, Checks: door.Checks()}.Run(w.t.Context())
	return out.String()
}

func (w *world) bash(command string) string {
	return w.hook(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]string{"command": command}})
}

func (w *world) writes(path string) string {
	return w.hook(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": map[string]string{"file_path": filepath.Join(w.repo, path), "content": "x"}})
}

func (w *world) writesText(path, text string) string {
	return w.tool("Write", map[string]any{"file_path": filepath.Join(w.repo, path), "content": text})
}

func (w *world) tool(name string, input map[string]any) string {
	return w.hook(map[string]any{"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input})
}

func (w *world) stop(text string) string {
	return w.hook(map[string]any{"hook_event_name": "Stop", "last_assistant_message": text})
}

// ran reports a finished command.
func (w *world) ran(command, output string) {
	w.hook(map[string]any{
		"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "r", "tool_input": map[string]string{"command": command},
		"tool_response": map[string]any{"stdout": output, "stderr": ""},
	})
}

func (w *world) log() string {
	w.t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.home, ".local/state/agentguard/log/*.jsonl"))
	var all []byte
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, b...)
	}
	return string(all)
}

const proposal = "I'll commit this now."

// keyCases show for each key of a policy that it changes what is seen from
// outside. observe is run without the key and with it; the two must differ, and
// want, where given, must be what the key brings.
var keyCases = []struct {
	key     string
	policy  string
	observe func(*world) string
	want    string
}{
	{"version", "", func(w *world) string {
		w.write(filepath.Join(w.home, ".config", "agentguard", "policy.jsonc"), `{"version":2}`)
		return w.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	}, ""},
	{"profile", `,"profile":"observe"`, func(w *world) string { return w.bash("rm -rf ~") }, ""},
	{"checks.*.mode", `,"checks":{"dangerous-command":{"mode":"warn"}}`, func(w *world) string { return w.bash("rm -rf ~") }, "would refuse"},
	{"verify.test", `,"verify":{"test":["./verify-it"]}`, func(w *world) string { return w.stop(proposal) }, "./verify-it"},
	{"verify.build", `,"verify":{"build":["./build-it"]}`, func(w *world) string { return w.stop(proposal) }, "./build-it"},
	{"verify.lint", `,"verify":{"lint":["./lint-it"]}`, func(w *world) string { return w.stop(proposal) }, "./lint-it"},
	{"verify.types", `,"verify":{"types":["./types-it"]}`, func(w *world) string { return w.stop(proposal) }, "./types-it"},
	{"checks.*.run", `,"verify":{"test":["echo RAN; exit 1"]},"checks":{"test-gate":{"mode":"enforce","run":true}}`, func(w *world) string { return w.stop("Done.") }, "RAN"},
	{"verify.push", `,"verify":{"test":["go test ./..."],"push":"each"}`, func(w *world) string {
		w.git("commit", "-qam", "untested")
		w.write("app.go", "package app // tested\n")
		w.ran("go test ./...", "ok  \tapp\t0.1s")
		w.git("commit", "-qam", "tested")
		if strings.Contains(w.bash("git push"), "unverified-commit") {
			return "each"
		}
		return "last"
	}, "each"},
	{"verify.timeout", `,"verify":{"test":["sleep 5"],"timeout":"200ms"},"checks":{"test-gate":{"mode":"enforce","run":true}}`, func(w *world) string { return w.stop("Done.") }, "did not end within 200ms"},
	{"allow_off", `,"allow_off":false`, func(w *world) string { w.env["AGENTGUARD_OFF"] = "1"; return w.bash("rm -rf ~") }, "deny"},
	{"verify.docs", `,"verify":{"docs":["notes.txt"]}`, func(w *world) string {
		w.ran("go test ./...", "ok  \tapp\t0.1s")
		w.write("notes.txt", "x")
		w.git("add", "notes.txt")
		return w.stop(proposal)
	}, ""},
	{"protect.paths.path", `,"protect":{"paths":[{"path":"infra/**","reason":"ask ops first"}]}`, func(w *world) string { return w.writes("infra/main.tf") }, "deny"},
	{"protect.paths.decision", `,"protect":{"paths":[{"path":"infra/**","reason":"ask ops first","decision":"ask"}]}`, func(w *world) string { return w.writes("infra/main.tf") }, `"ask"`},
	{"protect.paths.reason", `,"protect":{"paths":[{"path":"infra/**","reason":"ask ops first"}]}`, func(w *world) string { return w.writes("infra/main.tf") }, "ask ops first"},
	{"protect.paths.because", `,"protect":{"paths":[{"path":"infra/**","reason":"ask ops first","because":"outage of May"}]}`, func(w *world) string { return w.writes("infra/main.tf") }, "outage of May"},
	{"protect.exempt", `,"protect":{"exempt":[".env.ci"]}`, func(w *world) string { return w.writes(".env.ci") }, ""},
	{"commands.id", own(`"program":"terraform","subcommand":"apply","decision":"deny","reason":"plan first"`), func(w *world) string { w.bash("terraform apply"); return w.log() }, `"rule":"mine"`},
	{"commands.tool", own(`"tool":"mcp__db__*","decision":"deny","reason":"no"`), func(w *world) string { return w.tool("mcp__db__query", map[string]any{"sql": "x"}) }, "deny"},
	{"commands.program", own(`"program":"terraform","decision":"deny","reason":"no"`), func(w *world) string { return w.bash("sudo -n terraform plan") }, "deny"},
	{"commands.subcommand", own(`"program":"gh","subcommand":"pr merge","decision":"deny","reason":"no"`), func(w *world) string { return w.bash("gh pr list") + w.bash("gh -R a/b pr merge 3") }, "deny"},
	{"commands.flags", own(`"program":"git","subcommand":"commit","flags":["--amend"],"decision":"deny","reason":"no"`), func(w *world) string { return w.bash("git commit --amend --no-edit") }, "deny"},
	{"commands.args", own(`"program":"psql","args":["*prod*"],"decision":"deny","reason":"no"`), func(w *world) string { return w.bash("psql postgres://db.prod.internal/app") }, "deny"},
	{"commands.path", own(`"path":"migrations/**","decision":"deny","reason":"no"`), func(w *world) string { return w.bash("echo x > migrations/001.sql") }, "deny"},
	{"commands.branch", own(`"program":"git","subcommand":"commit","branch":"main","decision":"deny","reason":"no"`), func(w *world) string { return w.bash("git commit -m x") }, "deny"},
	{"commands.content", own(`"content":"console\\.log","decision":"deny","reason":"no"`), func(w *world) string { return w.bash("echo 'console.log(1)' > a.js") }, "deny"},
	{"commands.rule", own(`"program":"rm","rule":"rm-home","decision":"allow"`), func(w *world) string { return w.bash("rm -rf ~/.config/some-app-of-mine ~/notes") }, ""},
	{"commands.decision", own(`"program":"terraform","decision":"ask","reason":"no"`), func(w *world) string { return w.bash("terraform plan") }, `"ask"`},
	{"commands.reason", own(`"program":"terraform","decision":"deny","reason":"run it in CI"`), func(w *world) string { return w.bash("terraform plan") }, "run it in CI"},
	{"commands.because", own(`"program":"terraform","decision":"deny","reason":"no","because":"outage of May"`), func(w *world) string { return w.bash("terraform plan") }, "outage of May"},
	{"commands.halt", own(`"program":"terraform","decision":"deny","reason":"no","halt":true`), func(w *world) string { return w.bash("terraform plan") }, `"continue":false`},
	{"secrets.allow.path", `,"secrets":{"allow":[{"path":"keys.py","reason":"made up"}]}`, leakIn("keys.py"), ""},
	{"secrets.allow.kind", `,"secrets":{"allow":[{"kind":"github-*","reason":"made up"}]}`, leakIn("keys.py"), ""},
	{"secrets.allow.reason", `,"secrets":{"allow":[{"kind":"github-*"}]}`, func(w *world) string {
		return w.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	}, "needs"},
	{"secrets.rules.id", ownSecret(""), func(w *world) string { return w.writesText("a.py", "x = 'ACME-1234'") }, "acme-key"},
	{"secrets.rules.pattern", ownSecret(""), func(w *world) string { return w.writesText("a.py", "x = 'ACME-1234'") }, "deny"},
	{"secrets.rules.decision", ownSecret(`,"decision":"ask"`), func(w *world) string { return w.writesText("a.py", "x = 'ACME-1234'") }, `"ask"`},
	{"secrets.rules.reason", ownSecret(""), func(w *world) string { return w.writesText("a.py", "x = 'ACME-1234'") }, "it belongs in the vault"},
	{"rewrite.lease", `,"rewrite":{"lease":false}`, func(w *world) string {
		w.git("checkout", "-q", "-b", "topic")
		return w.bash("git push --force origin topic")
	}, `"ask"`},
	{"rewrite.preview", `,"rewrite":{"preview":true}`, func(w *world) string {
		w.git("commit", "-qam", "two")
		return w.bash("rm -rf app.go")
	}, "git ls-files"},
	{"branches.protected", `,"branches":{"protected":["topic"]}`, func(w *world) string {
		w.git("checkout", "-q", "-b", "topic")
		return w.bash("git push --force origin topic")
	}, "deny"},
	{"judge.order", `,"judge":{"order":["yes"],"backends":{"yes":{"type":"command","command":["sh","-c","echo '{\"new_proposal\":true}'"]}}}`, func(w *world) string { w.stop(proposal); return backendOf(w) }, "yes"},
	{"judge.backends.type", `,"judge":{"order":["c"],"backends":{"c":{"type":"claude","command":["FAKE"]}}}`, fakeClient, "--output-format"},
	{"judge.backends.command", `,"judge":{"order":["no"],"backends":{"no":{"type":"command","command":["sh","-c","echo '{\"new_proposal\":false}'"]}}}`, func(w *world) string { return w.stop(proposal) }, ""},
	{"judge.backends.model", `,"judge":{"order":["c"],"backends":{"c":{"type":"claude","model":"tiny","command":["FAKE"]}}}`, fakeClient, "tiny"},
	{"judge.backends.base_url", `,"judge":{"order":["o"],"backends":{"o":{"type":"openai","model":"m","base_url":"http://127.0.0.1:9/v1","key_env":"K"}}}`, func(w *world) string { w.stop(proposal); return errorsOf(w) }, "o: "},
	{"judge.backends.key_env", `,"judge":{"order":["o"],"backends":{"o":{"type":"openai","model":"m","base_url":"http://127.0.0.1:9/v1","key_env":"K"}}}`, func(w *world) string { w.stop(proposal); return errorsOf(w) }, "o: "},
	{"judge.timeout", `,"judge":{"timeout":"200ms","order":["slow"],"backends":{"slow":{"type":"command","command":["sleep","3"]}}}`, func(w *world) string {
		began := time.Now()
		w.stop(proposal)
		return fmt.Sprint(time.Since(began) < 2*time.Second, errorsOf(w) != "")
	}, "true true"},
	{"judge.text", `,"judge":{"text":"turn"}`, func(w *world) string {
		w.write("t.jsonl", `{"type":"user","message":{"role":"user","content":"go"}}`+"\n"+
			`{"type":"assistant","message":{"id":"a","role":"assistant","content":[{"type":"text","text":"`+proposal+`"}]}}`+"\n"+
			`{"type":"assistant","message":{"id":"b","role":"assistant","content":[{"type":"text","text":"Bye."}]}}`+"\n")
		return w.hook(map[string]any{"hook_event_name": "Stop", "last_assistant_message": "Bye.", "transcript_path": filepath.Join(w.repo, "t.jsonl")})
	}, "commit-before-verification"},
	{"stop.max_blocks", `,"stop":{"max_blocks":3}`, func(w *world) string {
		w.stop("The working tree is clean.")
		return w.hook(map[string]any{"hook_event_name": "Stop", "last_assistant_message": proposal, "stop_hook_active": true})
	}, `"block"`},
	{"log.text", `,"log":{"text":false}`, func(w *world) string { w.stop(proposal); return fmt.Sprint(strings.Contains(w.log(), `"text":"`)) }, "false"},
	{"log.days", `,"log":{"days":1}`, func(w *world) string {
		old := filepath.Join(w.home, ".local/state/agentguard/log/2026-11-20.jsonl")
		w.write(old, "{}\n")
		w.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
		_, err := os.Stat(old)
		return fmt.Sprint(err == nil)
	}, "false"},
}

// own is a policy with one own rule.
func own(fields string) string { return `,"commands":[{"id":"mine",` + fields + `}]` }

func ownSecret(more string) string {
	return `,"secrets":{"rules":[{"id":"acme-key","pattern":"ACME-[0-9]+","reason":"it belongs in the vault"` + more + `}]}`
}

// leakIn writes a made-up token into a file.
func leakIn(name string) func(*world) string {
	return func(w *world) string { return w.writesText(name, "T = 'gh"+"p_wQ7dK2mZx9LrT4vB8nYcH3sJf6Pg1Ae5uRtW'") }
}

// fakeClient is a stand-in for the claude program that writes down its arguments.
func fakeClient(w *world) string {
	args := filepath.Join(w.home, "args")
	fake := filepath.Join(w.home, "claude")
	w.write(fake, "#!/bin/sh\necho \"$@\" > "+args+"\n")
	if err := os.Chmod(fake, 0o755); err != nil {
		w.t.Fatal(err)
	}
	name := filepath.Join(w.home, ".config", "agentguard", "policy.jsonc")
	if b, err := os.ReadFile(name); err == nil {
		w.write(name, strings.ReplaceAll(string(b), "FAKE", fake))
	}
	w.stop(proposal)
	b, _ := os.ReadFile(args)
	return string(b)
}

func backendOf(w *world) string { return judgeField(w, "backend") }
func errorsOf(w *world) string  { return judgeField(w, "errors") }

func judgeField(w *world, name string) string {
	for line := range strings.Lines(w.log()) {
		var rec struct{ Judge map[string]any }
		if json.Unmarshal([]byte(line), &rec) == nil && rec.Judge != nil {
			if v := rec.Judge[name]; v != nil {
				return fmt.Sprint(v)
			}
		}
	}
	return ""
}

// shownByScript are keys that a command and no hook call obeys, with the script
// that shows it.
var shownByScript = map[string]string{
	"hooks.reviewed": "../../agentguard/testdata/script/check_hooks.txtar",
}

func TestEveryPolicyKeyActs(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range keyCases {
		covered[c.key] = true
		t.Run(c.key, func(t *testing.T) {
			without := newWorld(t)
			var before string
			if c.key == "version" {
				without.policy("")
				before = without.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
			} else {
				before = c.observe(without)
			}
			with := newWorld(t)
			with.policy(c.policy)
			after := c.observe(with)
			if without.normal(before) == with.normal(after) {
				t.Errorf("the key changes nothing: %q", after)
			}
			if !strings.Contains(after, c.want) {
				t.Errorf("with the key: %q, want %q in it", after, c.want)
			}
		})
	}
	for key, script := range shownByScript {
		b, err := os.ReadFile(script)
		if err != nil || !strings.Contains(string(b), `\"`+key[strings.LastIndexByte(key, '.')+1:]+`\"`) {
			t.Errorf("%s does not show the key %s: %v", script, key, err)
		}
		covered[key] = true
	}
	for _, key := range keysOf(reflect.TypeFor[policy.Policy](), "") {
		if !covered[key] {
			t.Errorf("no case shows that the key %s acts", key)
		}
	}
}

// normal takes the test's own folder out of a text.
func (w *world) normal(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, w.repo, "REPO"), w.home, "HOME")
}

// keysOf lists the leaves of a policy type as dotted keys.
func keysOf(t reflect.Type, prefix string) []string {
	var keys []string
	for f := range t.Fields() {
		name := f.Tag.Get("json")
		if name == "" || name == "-" {
			continue
		}
		key := strings.TrimPrefix(prefix+"."+name, ".")
		ft := f.Type
		for ft.Kind() == reflect.Slice || ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Map {
			if ft.Kind() == reflect.Map && ft.Elem() == reflect.TypeFor[policy.CheckRule]() {
				key += ".*"
			}
			ft = ft.Elem()
		}
		if ft.Kind() == reflect.Struct {
			keys = append(keys, keysOf(ft, key)...)
		} else {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
