package replay

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings/policy"
)

const (
	green = "run go test ./... => ok  \tshop\t0.1s"
	red   = "fail go test ./... => --- FAIL: TestA\nFAIL\tshop\t0.1s\nFAIL"
	code  = "edit /Users/ana/shop/a.go"
	note  = "edit /Users/ana/shop/README.md"
	save  = "run git commit -am x => [main abc1234] x"
)

// TestGates: what a conversation alone says of the things that a session handed on.
func TestGates(t *testing.T) {
	turns := func(n int) (lines []string) {
		for range n {
			lines = append(lines, "user go on", "run git status => clean", "say Nothing yet.")
		}
		return lines
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  string // the standings, sorted: upper case where it would have been refused
	}{
		{"tested after the edit", []string{code, green, save}, "supported"},
		{"edited after the test", []string{code, green, code, save}, "STALE"},
		{"documentation after the test", []string{code, green, note, save}, "supported"},
		{"a failing test", []string{code, red, save}, "FAILED"},
		{"no test at all", []string{code, save}, "NO_RUN"},
		{"no test, and no edit either", []string{save}, "unknown"},
		{"no test, and only documentation", []string{note, "run git add README.md && git commit -m x"}, ""},
		{"a lost status", []string{code, "run go test ./... | grep -c x => 3", save}, "masked"},
		{"the tests in the same command", []string{code, "run go test ./... && git commit -am x"}, "supported"},
		{"a test five turns ago", slices.Concat([]string{code, green}, turns(5), []string{save}), "supported"},
		{"a test five turns ago, an edit two turns ago", slices.Concat([]string{code, green}, turns(3), []string{code}, turns(2), []string{save}), "STALE"},
		{"an edit by the shell", []string{code, green, "run sed -i '' s/a/b/ b.go", save}, "STALE"},
		{"an edit elsewhere", []string{code, green, "edit /Users/ana/other/b.go", save}, "supported"},
		{"git moved the tree", []string{code, green, "run git stash pop", save}, "unknown"},
		{"a commit in another folder", []string{code, "run git -C /Users/ana/other commit -am x"}, "unknown"},
		{"an earlier folder of the same project", []string{code, "cd /Users/ana/shop/web", "run npm test => Tests: 3 passed, 3 total", save}, "supported"},
		{"no repository", []string{"branch -", code, save}, ""},

		{"a push of a tested commit", []string{code, green, save, code, "run git push"}, "supported supported"},
		{"a push of an untested commit", []string{code, save, "run git push"}, "NO_RUN NO_RUN"},
		{"a push of what was committed before", []string{"run git push"}, "unknown"},
		{"a push in the command of the commit", []string{code, green, "run git commit -am x && git push"}, "supported"},
		{"a commit that its hook stopped", []string{code, "fail git commit -am x => lint failed", green, save, "run git push"}, "NO_RUN supported supported"},
		{"a push after a commit that its hook stopped", []string{code, "fail git commit -am x => lint failed", "run git push"}, "NO_RUN unknown"},
		{"an edit that never ran after a commit", []string{code, save, "fail sed -i s/a/b/ b.go => sed: command not found", save}, "NO_RUN unknown"},
		{"documentation that an earlier call staged", []string{code, note, "run git add README.md docs/a.md", "run git commit -m x"}, ""},
		{"code among what an earlier call staged", []string{code, note, "run git add README.md a.go", "run git commit -m x"}, "NO_RUN"},
		{"documentation that was staged for an earlier commit", []string{code, "run git add -A", save, note, "run git add README.md", "run git commit -m x"}, "NO_RUN"},
		{"documentation beside what was staged before", []string{code, "run git add -A", note, "run git add README.md && git commit -m x"}, "NO_RUN"},
		{"documentation after a commit", []string{code, red, save, note, save}, "FAILED unknown"},
		{"a deployment of what is tested", []string{code, green, "run make deploy"}, "supported"},
		{"a deployment of an edit after the commit", []string{code, green, save, code, "run make deploy"}, "STALE supported"},

		{"a merge into a branch of one's own", []string{"branch topic", code, "run git merge main"}, ""},
		{"a merge into a shared branch", []string{code, green, save, "run git merge topic"}, "supported supported"},

		{"a subagent that the session's file shows", []string{code, "agent x1 general-purpose", "in x1 " + green, save}, "supported"},
		{"a subagent's edit that it shows", []string{code, green, "agent x1 general-purpose", "in x1 " + code, save}, "STALE"},
		{"a subagent that nothing shows", []string{code, "agent x1 general-purpose", save}, "unknown"},
		{"one that only reads", []string{code, "agent x1 Explore", save}, "NO_RUN"},
		{"an edit after one that nothing shows", []string{code, "agent x1 general-purpose", code, save}, "NO_RUN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judged(t, folder(t, map[string]string{"a.jsonl": onMac(append([]string{"user go"}, c.lines...)...)}), nil)
			if diff := cmp.Diff(c.want, standings(got)); diff != "" {
				t.Errorf("%s\n%+v", diff, got.findings)
			}
		})
	}
}

// standings are the gates' words, sorted; those of what was refused in upper case.
func standings(o outcome) string {
	var words []string
	for _, f := range o.findings {
		if f.Check == "unverified-commit" {
			words = append(words, strings.ToUpper(f.Standing))
		}
	}
	for standing, n := range o.gates.By {
		refused := 0
		for _, w := range words {
			if w == strings.ToUpper(standing) {
				refused++
			}
		}
		for range n - refused {
			words = append(words, standing)
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestGatesOfAPart: what happened before the file begins is not known.
func TestGatesOfAPart(t *testing.T) {
	part := func(lines ...string) string {
		return strings.Replace(onMac(lines...), `"parentUuid":null`, `"parentUuid":"elsewhere"`, 1)
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no run in what is left", map[string]string{"a.jsonl": part("user go", code, save)}, "unknown"},
		{"a failing run in it", map[string]string{"a.jsonl": part("user go", code, red, save)}, "FAILED"},
		{"the part before is there too, without a run", map[string]string{
			"a.jsonl": onMac("user go", code), "b.jsonl": later(part, "user go on", save),
		}, "NO_RUN"},
		{"the part before is there too", map[string]string{
			"a.jsonl": onMac("user go", code, green), "b.jsonl": later(part, "user go on", save),
		}, "supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judged(t, folder(t, c.files), nil)
			if diff := cmp.Diff(c.want, standings(got)); diff != "" {
				t.Errorf("%s\n%+v", diff, got.findings)
			}
		})
	}
}

// later moves lines an hour on and gives their calls ids of their own.
func later(write func(...string) string, lines ...string) string {
	text := strings.ReplaceAll(write(lines...), "T08:", "T09:")
	return strings.NewReplacer(`"id":"t`, `"id":"p`, `"tool_use_id":"t`, `"tool_use_id":"p`, `"uuid":"s1u`, `"uuid":"p1u`).Replace(text)
}

// TestSubagentsFiles: a subagent's own file is judged as such, and what it ran
// counts for its session by the time it ran, and the other way round.
func TestSubagentsFiles(t *testing.T) {
	agent := func(lines ...string) string {
		w := writer{session: "s1", agent: "x1", cwd: "/Users/ana/shop", branch: "main", prefix: "a"}
		return w.write(append([]string{"user work"}, lines...)...)
	}
	for _, c := range []struct {
		name        string
		main, agent []string
		want        string
	}{
		{"it tested before the commit", []string{code, "agent x1 dev", "wait", save}, []string{"run ls", "run ls", green}, "supported"},
		{"it tested after the commit", []string{code, "agent x1 dev", save}, []string{"wait", green}, "NO_RUN"},
		{"it edited after the test", []string{code, green, "agent x1 dev", "wait", save}, []string{"run ls", "run ls", "run ls", code}, "STALE"},
		{"it committed what its session tested", []string{code, green}, []string{"wait", save}, "supported"},
		{"it committed what nobody tested", []string{code}, []string{"wait", code, save}, "NO_RUN"},
		{"it worked in a tree of its own", []string{code, "agent x1 dev", "wait", save}, []string{"cd /Users/ana/shop-x1", "run ls", green}, "NO_RUN"},
	} {
		for _, name := range []string{"s1/subagents/agent-x1.jsonl", "agent-x1.jsonl"} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				got := judged(t, folder(t, map[string]string{"s1.jsonl": onMac(append([]string{"user go"}, c.main...)...), name: agent(c.agent...)}), nil)
				if diff := cmp.Diff(c.want, standings(got)); diff != "" {
					t.Errorf("%s\n%+v", diff, got.findings)
				}
				if got.counts.Sessions != 1 || got.counts.Subagents != 1 {
					t.Errorf("%+v", got.counts)
				}
				if n := strings.Count(strings.Join(append(c.main, c.agent...), "\n"), green); len(got.runs) != n {
					t.Errorf("%d runs are listed, not %d", len(got.runs), n)
				}
				for _, f := range got.findings {
					if (f.Subagent == "x1") != strings.HasPrefix(filepath.Base(f.File), "agent-") {
						t.Errorf("whose is it? %+v", f)
					}
				}
			})
		}
	}
}

// TestSubagentsOwnFileComesFirst: what a session's file repeats of a subagent is
// left to the subagent's own file, where there is one.
func TestSubagentsOwnFileComesFirst(t *testing.T) {
	main := onMac("user go", "agent x1 dev", "in x1 run rm -rf ~")
	alone := judged(t, folder(t, map[string]string{"s1.jsonl": main}), nil)
	if len(alone.findings) != 1 || alone.findings[0].Subagent != "x1" {
		t.Fatalf("%+v", alone.findings)
	}
	w := writer{session: "s1", agent: "x1", cwd: "/Users/ana/shop", branch: "main"}
	own := strings.ReplaceAll(w.write("user work", "run rm -rf ~"), `"t1"`, `"`+alone.findings[0].ToolUseID+`"`)
	got := judged(t, folder(t, map[string]string{"s1.jsonl": main, "s1/subagents/agent-x1.jsonl": own}), nil)
	if diff := cmp.Diff(Counts{Sessions: 1, Subagents: 1, Turns: 2, Calls: 2}, got.counts); diff != "" {
		t.Error(diff)
	}
	if len(got.findings) != 1 || !strings.HasSuffix(got.findings[0].File, "agent-x1.jsonl") {
		t.Errorf("%+v", got.findings)
	}
}

// TestVerify: the policy of the current folder says how that folder's sessions are
// verified; of others nobody knows, and any run counts.
func TestVerify(t *testing.T) {
	lint := "run golangci-lint run => 0 issues."
	mine := func(commands ...string) func(*Judge) {
		return func(j *Judge) {
			own := *j.Policy
			own.Verify = policy.Verify{Test: commands}
			j.Policy, j.Here = &own, "/Users/ana/shop"
		}
	}
	for _, c := range []struct {
		name string
		set  func(*Judge)
		cwd  string
		want string
	}{
		{"nothing is known", nil, "/Users/ana/shop", "supported"},
		{"the folder's own policy names tests", mine("go test ./..."), "/Users/ana/shop", "partial"},
		{"it names none: the gates sleep", mine(), "/Users/ana/shop", ""},
		{"it speaks of another folder", mine("go test ./..."), "/Users/ana/other", "supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := writer{session: "s1", cwd: c.cwd, branch: "main"}
			got := judged(t, folder(t, map[string]string{"a.jsonl": w.write("user go", "edit "+c.cwd+"/a.go", lint, save)}), c.set)
			if diff := cmp.Diff(c.want, standings(got)); diff != "" {
				t.Errorf("%s\n%+v", diff, got.findings)
			}
		})
	}
}

// TestDetail: what a sample shows of the runs around a finding.
func TestDetail(t *testing.T) {
	got := judged(t, folder(t, map[string]string{"a.jsonl": onMac("user ship it", code, red, code, save)}), nil)
	if len(got.details) == 0 {
		t.Fatal("nothing was found")
	}
	d := got.details[0]
	for i := range d.Runs {
		d.Runs[i].Time = nil
	}
	want := Detail{User: "ship it", Command: "git commit -am x", Runs: []Run{
		{Command: "go test ./...", Kind: "test", Outcome: "failed", Line: d.Runs[0].Line, CallsAgo: 2, Changed: []string{"a.go"}, Known: true},
	}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// TestDetailShowsTheRunThatDecided, however many others came after it.
func TestDetailShowsTheRunThatDecided(t *testing.T) {
	lines := []string{"user ship it", code, red}
	for range maxRuns {
		lines = append(lines, "run golangci-lint run | grep -c x => 3")
	}
	got := judged(t, folder(t, map[string]string{"a.jsonl": onMac(append(lines, save)...)}), nil)
	if len(got.details) != 1 || len(got.details[0].Runs) != maxRuns+1 || got.details[0].Runs[0].Command != "go test ./..." {
		t.Errorf("%+v", got.details)
	}
}
