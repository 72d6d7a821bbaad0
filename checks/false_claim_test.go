package checks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentguard/checks"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/judge"
	"agentguard/judge/backend"
)

// gitIn runs git in dir.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=D", "GIT_AUTHOR_EMAIL=d@example.invalid",
		"GIT_COMMITTER_NAME=D", "GIT_COMMITTER_EMAIL=d@example.invalid",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// dirty changes a tracked file.
func dirty(t *testing.T, dir string) { t.Helper(); put(t, dir, "src/a.js", "b\n") }

// untracked adds a file that git does not have.
func untracked(t *testing.T, dir string) { t.Helper(); put(t, dir, "notes.txt", "x\n") }

// ahead gives the branch topic an upstream that is one commit behind it.
func ahead(t *testing.T, dir string) {
	t.Helper()
	bare := filepath.Join(filepath.Dir(dir), "origin.git")
	gitIn(t, dir, "init", "-q", "--bare", bare)
	gitIn(t, dir, "remote", "add", "origin", bare)
	gitIn(t, dir, "push", "-q", "-u", "origin", "topic")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "two")
}

// edit and sh are calls of a session; sh's output begins with "Exit code" where it failed.
func edit(name string) transcript.Call {
	return transcript.Call{Tool: "Edit", Input: raw(map[string]string{"file_path": name, "old_string": "a", "new_string": "b"}), Output: "updated"}
}

func sh(command, output string) transcript.Call {
	return transcript.Call{Tool: "Bash", Input: raw(bash{command}), Output: output, Failed: strings.HasPrefix(output, "Exit code")}
}

func raw(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// stop makes the input of a stop with that closing message after those calls; an
// empty tool parts two turns.
func stop(t *testing.T, dir, policyText, message string, calls ...transcript.Call) *checks.Input {
	t.Helper()
	in := call(t, dir, policyText, "", nil)
	h := transcript.History{Complete: true, HasCall: map[string]bool{}, Turns: []transcript.Turn{{User: "Go on."}}}
	for i, c := range calls {
		turn := &h.Turns[len(h.Turns)-1]
		if c.Tool == "" {
			h.Turns = append(h.Turns, transcript.Turn{User: "Go on."})
			continue
		}
		c.ID, c.Time = fmt.Sprintf("toolu_%d", i), time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)
		h.HasCall[c.ID] = true
		turn.Calls = append(turn.Calls, c)
	}
	in.Event = hook.Event{Name: hook.Stop, CWD: dir, ProjectDir: dir, SessionID: "s", TranscriptPath: "session.jsonl", Stop: &hook.End{LastMessage: message}}
	in.World.History = func(string, bool, transcript.Limits) (transcript.History, error) { return h, nil }
	return in
}

const (
	goFails = "Exit code 1\n--- FAIL: TestGet (0.00s)\n    get_test.go:9: got 1, want 2\nFAIL\nFAIL\tapp/store\t0.2s\nFAIL"
	goOK    = "ok  \tapp/store\t0.201s"
	lintBad = "Exit code 1\n/app/src/a.js\n  1:1  error  Unexpected token\n\n✖ 1 problem (1 error, 0 warnings)"
)

// TestClaimsAgainstTheRepository: a claim of a clean tree, a commit or a push is
// refused where git plainly shows otherwise, and nowhere else.
func TestClaimsAgainstTheRepository(t *testing.T) {
	type calls = []transcript.Call
	both := func(fs ...func(*testing.T, string)) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			for _, f := range fs {
				f(t, dir)
			}
		}
	}
	for _, c := range []struct {
		name, text string
		state      func(*testing.T, string)
		calls      calls
		fact       string // what the refusal names; empty: it passes
	}{
		{"a clean tree that is clean", "The working tree is clean.", nil, nil, ""},
		{"a clean tree that is not", "The working tree is clean.", dirty, nil, "src/a.js"},
		{"a staged change", "The working tree is clean.", both(dirty, func(t *testing.T, dir string) { t.Helper(); gitIn(t, dir, "add", "-A") }), nil, "src/a.js"},
		{"an untracked file alone", "The working tree is clean.", untracked, nil, ""},
		{"an untracked file where nothing is left", "`git status` shows nothing.", untracked, nil, "notes.txt"},
		{"an untracked file where none is untracked", "The working tree is clean: nothing is untracked.", untracked, nil, "notes.txt"},
		{"a file that the message names", "The working tree is clean. What is in `a.js` is yours.", dirty, nil, ""},
		{"the client's own file", "The working tree is clean.", func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, ".claude/settings.local.json", "{}")
			gitIn(t, dir, "add", "-A", "-f")
			gitIn(t, dir, "commit", "-q", "-m", "two")
			put(t, dir, ".claude/settings.local.json", "{ }")
		}, nil, ""},
		{"another repository's tree", "The working tree is clean.", dirty, calls{sh("git -C ../lib status --short", "")}, ""},
		{"git elsewhere after cd", "The working tree is clean.", dirty, calls{sh("cd /srv/lib && git commit -am x", "")}, ""},
		{"git in a folder of this one", "The working tree is clean.", dirty, calls{sh("cd src && git status --short", "")}, "src/a.js"},
		{"all committed but what this session changed", "Everything is committed.", dirty, calls{edit("src/a.js")}, "src/a.js"},
		{"all committed but what somebody else changed", "Everything is committed.", dirty, calls{edit("src/b.js")}, ""},

		{"a commit that is not there", "Committed as `1a2b3c4`.", nil, nil, "no commit 1a2b3c4"},
		{"an id that git printed", "Committed as `1a2b3c4`.", nil, calls{sh("git commit -am x", "[topic 1a2b3c4] x\n 1 file changed")}, ""},
		{"an id that was printed a turn before", "Committed as `1a2b3c4`.", nil, calls{sh("gh pr merge 3 --squash", "merged as 1a2b3c4"), {}, edit("src/a.js")}, ""},
		{"the whole of an id that was printed in short", "Committed as `1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d`.", nil, calls{sh("git log -1 --oneline", "1a2b3c4 x")}, ""},
		{"a commit in another repository", "Committed as `1a2b3c4`.", nil, calls{sh("git -C ../lib commit -am x", "")}, ""},
		{"a shallow clone", "Committed as `1a2b3c4`.", func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, ".git/shallow", gitIn(t, dir, "rev-parse", "HEAD")+"\n")
		}, nil, ""},
		{"a partial clone", "Committed as `1a2b3c4`.", func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, ".git/objects/pack/pack-1.promisor", "")
		}, nil, ""},

		{"a push that was not made", "Pushed.", ahead, nil, "1 commit is not on origin/topic"},
		{"to its upstream by name", "Pushed to `origin/topic`.", ahead, nil, "origin/topic"},
		{"to the remote", "I've pushed the branch to the remote.", ahead, nil, "origin/topic"},
		{"in Chinese", "已推送到远程仓库。", ahead, nil, "origin/topic"},
		{"to another remote", "Pushed to `backup/topic`.", ahead, nil, ""},
		{"to another branch", "Pushed to main.", ahead, nil, ""},
		{"a push of this session", "Pushed.", ahead, calls{sh("git push https://host.example/x.git topic", "")}, ""},
		{"a push of an earlier turn", "Pushed.", ahead, calls{sh("git push", ""), {}, edit("src/a.js")}, ""},
		{"a push that failed", "Pushed.", ahead, calls{sh("git push", "Exit code 1\nerror: failed to push some refs")}, "origin/topic"},
		{"a push by a subagent", "Pushed.", ahead, calls{{Tool: "Task", Input: raw(bash{"x"}), Output: "I committed and pushed it."}}, ""},
		{"a word like it in a file", "Pushed.", ahead, calls{{Tool: "Edit", Input: raw(write{"src/a.js", "list.push(1)"}), Output: "updated"}}, "origin/topic"},
		{"no upstream", "Pushed.", nil, nil, ""},
		{"an upstream that is gone", "Pushed.", both(ahead, func(t *testing.T, dir string) { t.Helper(); gitIn(t, dir, "branch", "-d", "-r", "origin/topic") }), nil, ""},
		{"on another branch of the remote", "Pushed.", both(ahead, func(t *testing.T, dir string) { t.Helper(); gitIn(t, dir, "push", "-q", "origin", "topic:review") }), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t)
			if c.state != nil {
				c.state(t, dir)
			}
			f := run(t, "false-claim", stop(t, dir, "", c.text, c.calls...))
			refuses(t, f, c.fact)
			// Where git cannot be asked, nothing is known.
			in := stop(t, dir, "", c.text, c.calls...)
			in.World.Getenv = func(string) (string, bool) { return "", false }
			refuses(t, run(t, "false-claim", in), "")
		})
	}
}

// refuses tells that a finding is a refusal that quotes the message and names the fact.
func refuses(t *testing.T, f checks.Finding, fact string) {
	t.Helper()
	switch {
	case fact == "" && f.Decision != hook.Pass:
		t.Errorf("refused: %s", f.Reason)
	case fact != "" && (f.Decision != hook.Deny || !strings.Contains(f.Reason, fact) || !strings.HasPrefix(f.Reason, `You wrote "`)):
		t.Errorf("%s %q, want a refusal that names %q", f.Decision, f.Reason, fact)
	}
}

// TestClaimsAgainstRuns: a claim of a passing run is refused where the last run of
// that very kind and scope failed.
func TestClaimsAgainstRuns(t *testing.T) {
	dir := repository(t)
	type calls = []transcript.Call
	const lie = "the last run"
	red := sh("gh pr checks 7", "Exit code 1\nunit\tfail\t48s\thttps://x\nbuild\tpass\t1m\thttps://x")
	for _, c := range []struct {
		name, text string
		calls      calls
		fact       string
	}{
		{"the last run failed", "All tests pass.", calls{edit("src/a.js"), sh("go test ./...", goFails)}, lie},
		{"it failed and nobody ran it again", "All tests pass.", calls{sh("go test ./...", goFails), edit("src/a.js")}, lie},
		{"it failed and then passed", "All tests pass.", calls{sh("go test ./...", goFails), edit("src/a.js"), sh("go test ./...", goOK)}, ""},
		{"a part of it passed on the same tree", "All tests pass.", calls{sh("go test ./...", goFails), sh("go test ./store", goOK)}, "failed"},
		{"a part failed, then another runner passed", "All tests pass.", calls{sh("go test ./store", goFails), sh("make test", "ok  \tapp\t0.2s\n")}, ""},
		{"how a later one ended is not known", "All tests pass.", calls{sh("go test ./...", goFails), edit("src/a.js"), sh("go test ./... | tail -1", "\n")}, ""},
		{"a later one runs in the background", "All tests pass.", calls{sh("go test ./...", goFails), {Tool: "Bash", Input: raw(bash{"go test ./..."}), Background: true}}, ""},
		{"a later one of a runner that nobody knows", "All tests pass.", calls{sh("go test ./...", goFails), edit("src/a.js"), sh("./t", "57 passed, 0 failed")}, ""},
		{"it failed where the fix was taken out", "All tests pass.", calls{sh("go test ./...", goOK), sh("git stash", ""), sh("go test ./...", goFails), sh("git stash pop", "")}, ""},
		{"nothing was run", "All tests pass.", nil, ""},
		{"the run is old", "All tests pass.", calls{sh("go test ./...", goOK), edit("src/a.js")}, ""},
		{"no test at all ran", "All tests pass.", calls{edit("src/a.js"), sh("go test ./...", "?   \tapp\t[no test files]")}, "no test at all"},
		{"no test of a part ran", "All tests pass.", calls{edit("src/a.js"), sh("go test -run TestX ./store", "ok  \tapp/store\t0.1s [no tests to run]")}, ""},

		{"one test of its own", "The `TestGet` test passes now.", calls{sh("go test -run TestGet ./store", goFails), edit("src/a.js"), sh("go test -run TestGet ./store", goOK)}, ""},
		{"one test that failed", "The `TestGet` test passes now.", calls{edit("src/a.js"), sh("go test -run TestGet ./store", goFails)}, "TestGet"},
		{"another test that failed", "The `TestPut` test passes now.", calls{edit("src/a.js"), sh("go test -run TestGet ./store", goFails)}, ""},
		{"a part of a failed whole", "The store tests pass.", calls{edit("src/a.js"), sh("go test ./...", goFails)}, ""},
		{"the part that failed", "All worker tests pass.", calls{edit("src/a.js"), sh("pnpm --filter worker test", "Exit code 1\nTests:       1 failed, 4 passed, 5 total")}, "worker"},
		{"the part that failed, then the whole passed", "All worker tests pass.", calls{sh("pnpm --filter worker test", "Exit code 1\nTests:       1 failed, 4 passed, 5 total"), edit("src/a.js"), sh("pnpm test", "Tests:       90 passed, 90 total")}, ""},

		{"as many as passed", "21 tests pass.", calls{edit("a.py"), sh("pytest -q", "Exit code 1\nFAILED tests/test_a.py::test_b\n1 failed, 21 passed in 1s")}, ""},
		{"all of more than passed", "All 22 tests pass.", calls{edit("a.py"), sh("pytest -q", "Exit code 1\nFAILED tests/test_a.py::test_b\n1 failed, 21 passed in 1s")}, lie},
		{"no test failed, only the coverage", "All 63 tests pass.", calls{edit("src/a.js"), sh("npx jest --coverage", "Exit code 1\nTests:       63 passed, 63 total\nJest: \"global\" coverage threshold for lines (80%) not met: 71%")}, ""},

		{"a command by name", "`go test ./...` passes.", calls{edit("src/a.js"), sh("go test ./...", goFails)}, lie},
		{"a whole command of which a part failed", "`go test ./...` passes.", calls{edit("src/a.js"), sh("go test ./...", goOK), sh("go test ./store", goFails)}, ""},
		{"another command by name", "`cargo test` passes.", calls{edit("src/a.js"), sh("go test ./...", goFails)}, ""},

		{"lint", "Lint is clean.", calls{edit("src/a.js"), sh("npx eslint .", lintBad)}, lie},
		{"lint of an older tree", "Lint is clean.", calls{sh("npx eslint .", lintBad), edit("src/a.js")}, ""},
		{"lint where a test failed", "Lint is clean.", calls{edit("src/a.js"), sh("npx eslint .", ""), sh("go test ./...", goFails)}, ""},
		{"tests where lint failed", "All tests pass.", calls{edit("src/a.js"), sh("go test ./...", goOK), sh("npx eslint .", lintBad)}, ""},
		{"types", "The project type-checks.", calls{edit("src/a.ts"), sh("npx tsc --noEmit", "Exit code 2\nsrc/a.ts(1,1): error TS2322: no.")}, lie},
		{"build", "The build succeeds.", calls{edit("src/a.rs"), sh("cargo build", "Exit code 101\nerror: could not compile `app`")}, lie},
		{"build where a test failed", "The build succeeds.", calls{edit("src/a.rs"), sh("cargo test", "Exit code 101\ntest result: FAILED. 1 passed; 1 failed")}, ""},

		{"CI", "CI is green.", calls{red}, "gh pr checks"},
		{"CI before a push", "CI is green.", calls{red, edit("src/a.js"), sh("git push", "")}, ""},
		{"CI of another repository", "CI is green.", calls{sh("gh pr checks 7 --repo a/b", red.Output)}, ""},
		{"CI of another pull request", "CI for PR #8 is green.", calls{red}, ""},
		{"CI of another branch", "CI is green on main.", calls{red}, ""},
		{"tests where CI failed", "All tests pass.", calls{red}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refuses(t, run(t, "false-claim", stop(t, dir, "", c.text, c.calls...)), c.fact)
		})
	}
}

// TestADisownedFailure: who said after the run that what failed is none of the
// work, said it; who said it before, or only that something fails, did not.
func TestADisownedFailure(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		said string
		at   int // how many calls stand before it
		fact string
	}{
		{"The one failure is in `TestGet` and unrelated to my change.", 2, ""},
		{"`TestGet` は以前から失敗しています。", 2, ""},
		{"`TestGet` 失败是环境问题,与改动无关。", 2, ""},
		{"The failure of `TestGet` is unrelated.", 1, "the last run"},
		{"`TestGet` fails. Let me look into it.", 2, "the last run"},
	} {
		in := stop(t, dir, "", "All tests pass.", edit("src/a.js"), sh("go test ./...", goFails), edit("src/b.js"))
		history := in.World.History
		in.World.History = func(name string, side bool, l transcript.Limits) (transcript.History, error) {
			h, err := history(name, side, l)
			h.Turns[0].Texts = []transcript.Text{{MessageID: "m1", Text: c.said, AfterCalls: c.at}, {MessageID: "m2", Text: "All tests pass.", AfterCalls: 3}}
			return h, err
		}
		t.Run(c.said, func(t *testing.T) { refuses(t, run(t, "false-claim", in), c.fact) })
	}
}

// TestClaimsNeedTheEnd: where work still runs nothing is refused, and of a whole
// turn's text only the closing message speaks of now.
func TestClaimsNeedTheEnd(t *testing.T) {
	dir := repository(t)
	dirty(t, dir)
	in := stop(t, dir, "", "The working tree is clean.")
	in.Event.Stop.Tasks = []hook.BackgroundTask{{}}
	refuses(t, run(t, "false-claim", in), "")
	in = stop(t, dir, `,"judge":{"text":"turn"}`, "I changed `src/a.js`, as you asked.", edit("src/a.js"))
	history := in.World.History
	in.World.History = func(name string, side bool, l transcript.Limits) (transcript.History, error) {
		h, err := history(name, side, l)
		h.Turns[0].Texts = []transcript.Text{{MessageID: "m1", Text: "The working tree is clean."}, {MessageID: "m2", Text: in.Event.Stop.LastMessage}}
		return h, err
	}
	refuses(t, run(t, "false-claim", in), "")
}

// TestAJudgeConfirmsAClaim: a judge other than the offline reader is asked once,
// with the facts, and may withdraw the refusal; one that fails does not.
func TestAJudgeConfirmsAClaim(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the judges are shell scripts")
	}
	dir := repository(t)
	dirty(t, dir)
	const asked = `cat > "$0.asked"; echo "$AGENTGUARD_JUDGE_CHECKS" >> "$0.checks"; `
	for _, c := range []struct {
		name, order, script string
		fact                string
		calls               int
	}{
		{"offline alone", `"offline"`, "", "src/a.js", 0},
		{"confirms", `"mine","offline"`, asked + `echo '{"false-claim":{"asserts_now":true,"exception_named":false}}'`, "src/a.js", 1},
		{"takes it for no assertion", `"mine","offline"`, asked + `echo '{"false-claim":{"asserts_now":false}}'`, "", 1},
		{"finds the exception named", `"mine"`, asked + `echo '{"asserts_now":true,"exception_named":true}'`, "", 1},
		{"fails", `"mine","offline"`, asked + `exit 1`, "src/a.js", 1},
		{"answers something else", `"mine","offline"`, asked + `echo yes`, "src/a.js", 1},
		{"leaves the field out", `"mine"`, asked + `echo '{"false-claim":{"exception_named":true}}'`, "src/a.js", 1},
		{"hangs", `"mine","offline"`, asked + `sleep 30`, "src/a.js", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "judge.sh")
			if err := os.WriteFile(script, []byte(c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			policyText := fmt.Sprintf(`,"judge":{"order":[%s],"backends":{"mine":{"type":"command","command":["sh",%q]}}}`, c.order, script)
			in := stop(t, dir, policyText, "The rest is done. The working tree is clean.", edit("src/a.js"))
			calls := 0
			in.World.Judge = func(ctx context.Context, q judge.Question) map[string]judge.Verdict {
				calls++
				list, err := backend.Order(in.Policy.Judge.Order, []backend.Config{{Name: "mine", Type: "command", Command: []string{"sh", script}}},
					backend.Host{Environ: []string{"PATH=" + os.Getenv("PATH")}, TempDir: t.TempDir(), Rand: zeros{}})
				if err != nil {
					t.Error(err)
				}
				asker := judge.Asker{Backends: list, Timeout: 2 * time.Second, Now: time.Now}
				return asker.Ask(ctx, q)
			}
			f := run(t, "false-claim", in)
			refuses(t, f, c.fact)
			if calls != c.calls || (f.Verdict != nil) != (c.calls > 0) {
				t.Errorf("asked %d times, want %d; verdict %+v", calls, c.calls, f.Verdict)
			}
			if c.calls == 0 {
				return
			}
			prompt, err := os.ReadFile(script + ".asked")
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"asserts_now", `The statement in question: "The working tree is clean"`, "src/a.js", "The rest is done."} {
				if !strings.Contains(string(prompt), want) {
					t.Errorf("the judge is not told %q", want)
				}
			}
			if names, err := os.ReadFile(script + ".checks"); err != nil || string(names) != "false-claim\n" {
				t.Errorf("asked for %q, %v", names, err)
			}
		})
	}
}

// zeros is a source of tokens.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	return io.ReadFull(strings.NewReader(strings.Repeat("0", len(p))), p)
}
