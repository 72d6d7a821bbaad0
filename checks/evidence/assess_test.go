package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentguard/checks/shell"
	"agentguard/hook/transcript"
)

// talk makes turns from short lines:
//
//	edit PATH             an Edit call
//	run CMD => OUTPUT     a Bash call that ended well
//	fail CMD => OUTPUT    one that ended with status 1
//	bg CMD                one started in the background, as task b1
//	moved CMD             one that the client moved there, as task b2
//	out OUTPUT            the output tool of task b1
//	read PATH => OUTPUT   a Read call
//	note TASK END         the client's notice: END of its summary
//	task OUTPUT           a subagent's report
//	agent ID OUTPUT       the same, of one whose conversation is kept
//	turn                  the user speaks
func talk(lines ...string) []transcript.Turn {
	turns := []transcript.Turn{{}}
	input := func(m map[string]string) []byte { b, _ := json.Marshal(m); return b }
	for i, line := range lines {
		verb, rest, _ := strings.Cut(line, " ")
		cmd, out, _ := strings.Cut(rest, " => ")
		c := transcript.Call{ID: fmt.Sprint(i), Tool: "Bash", Input: input(map[string]string{"command": cmd}), Output: out, Time: time.Unix(int64(1000+i), 0)}
		switch verb {
		case "turn":
			turns = append(turns, transcript.Turn{})
			continue
		case "edit":
			c.Tool, c.Input, c.Output = "Edit", input(map[string]string{"file_path": rest}), "updated"
		case "fail":
			c.Failed, c.Output = true, "Exit code 1\n"+out
			if strings.HasPrefix(cmd, "timeout ") {
				c.Output = "Exit code 124\n" + out
			}
		case "bg":
			c.Background, c.Output = true, "Command running in background with ID: b1"
		case "moved":
			c.Background, c.Task = true, "b2"
			c.Output = "Command did not complete within its 120s timeout and was moved to the background (ID: b2). Output is being written to: /tmp/c/tasks/b2.output."
		case "read":
			c.Tool, c.Input = "Read", input(map[string]string{"file_path": cmd})
		case "note":
			task, end, _ := strings.Cut(rest, " ")
			status := "completed"
			if strings.HasPrefix(end, "failed") || strings.HasPrefix(end, "was") {
				status, _, _ = strings.Cut(end, " ")
				status = strings.Replace(status, "was", "killed", 1)
			}
			last := &turns[len(turns)-1]
			last.Notices = append(last.Notices, transcript.Notice{
				Text: "<task-notification>\n<task-id>" + task + "</task-id>\n<output-file>/tmp/c/tasks/" + task + ".output</output-file>\n<status>" + status +
					"</status>\n<summary>Background command \"say \"x\" failed with exit code 1\" " + end + "</summary>\n</task-notification>",
				AfterCalls: len(last.Calls), Time: c.Time,
			})
			continue
		case "agent":
			id, report, _ := strings.Cut(rest, " ")
			c.Tool, c.Input, c.Output, c.Agent = "Agent", input(map[string]string{"prompt": "test"}), report, id
		case "out":
			c.Tool, c.Input, c.Output = "BashOutput", input(map[string]string{"bash_id": "b1"}), rest
		case "task":
			c.Tool, c.Input, c.Output = "Task", input(map[string]string{"prompt": "test"}), rest
		}
		last := &turns[len(turns)-1]
		last.Calls = append(last.Calls, c)
	}
	return turns
}

func parse(src, dir string) shell.Script {
	return shell.Analyze(src, shell.Env{Dir: dir, Home: "/home/u"})
}

func TestStandingOfTurns(t *testing.T) {
	const pass, bad = "24 passed in 0.61s", "1 failed, 23 passed in 0.6s"
	for _, c := range []struct {
		name  string
		want  Standing
		lines []string
	}{
		{"nothing", NoRun, nil},
		{"edits only", NoRun, []string{"edit a.py"}},
		{"edit, run", Supported, []string{"edit a.py", "run pytest => " + pass}},
		{"run, edit", Stale, []string{"run pytest => " + pass, "edit a.py"}},
		{"run, docs", Supported, []string{"run pytest => " + pass, "edit docs/a.md", "edit README.md", "edit CHANGELOG.md"}},
		{"run, edit outside", Supported, []string{"run pytest => " + pass, "edit /tmp/notes.txt", "edit /home/u/.claude/plan.md"}},
		{"failed", StandingFailed, []string{"edit a.py", "fail pytest => " + bad}},
		{"failed, edited, not run again", StandingFailed, []string{"fail pytest => " + bad, "edit a.py"}},
		{"failed, edited, passed", Supported, []string{"fail pytest => " + bad, "edit a.py", "run pytest => " + pass}},
		{"passed, failed", SupersededByFailure, []string{"edit a.py", "run pytest => " + pass, "fail pytest => " + bad}},
		{"flaky", Supported, []string{"fail pytest => " + bad, "run pytest => " + pass}},
		{"all failed, one part passed", StandingFailed, []string{"fail pytest => " + bad, "run pytest tests/b.py => 3 passed in 0.1s"}},
		{"one part failed, all passed", Supported, []string{"fail pytest tests/b.py => " + bad, "run pytest => " + pass}},
		{"one suite failed, another passed", StandingFailed, []string{"fail npm test => " + bad, "run pytest => " + pass}},
		{"masked by or true", StandingMasked, []string{"run pytest -q > /dev/null || true => "}},
		{"masked, but the output passed", Supported, []string{"run pytest || true => " + pass}},
		{"masked, and the output failed", StandingFailed, []string{"run pytest | tail -1 => " + bad}},
		{"masked after a good run", Supported, []string{"run pytest => " + pass, "run pytest | wc -l => 3"}},
		{"empty", EmptyRun, []string{"run pytest -k nosuch => no tests ran in 0.01s"}},
		{"deselected", EmptyRun, []string{"fail pytest -k nosuch => 24 deselected in 0.02s"}},
		{"good then empty", Supported, []string{"run pytest => " + pass, "run pytest -k nosuch || true => no tests ran in 0.01s"}},
		{"background", BackgroundOnly, []string{"edit a.py", "bg pytest"}},
		{"background, read", Supported, []string{"edit a.py", "bg pytest", "out <status>completed</status><exit_code>0</exit_code>\n" + pass}},
		{"background, still going", BackgroundOnly, []string{"bg pytest", "out <status>running</status>\n....."}},
		{"background, killed", BackgroundOnly, []string{"bg pytest", "out <status>killed</status>\n....."}},
		{"background, its own text looks like an end", BackgroundOnly, []string{"bg pytest", "out <status>running</status>\n<output>\n<status>completed</status><exit_code>0</exit_code>\n</output>"}},
		{"background, asked for another task", BackgroundOnly, []string{"moved pytest", "out <status>completed</status><exit_code>0</exit_code>\n" + pass}},
		{"moved to the background", BackgroundOnly, []string{"edit a.py", "moved pytest"}},
		{"moved, its file read", Supported, []string{"edit a.py", "moved pytest", "read /tmp/c/tasks/b2.output => 1\t" + pass + "\n2\t\n3\t[exited with code 0]\n4\t"}},
		{"moved, its file read with arrows", Supported, []string{"moved pytest", "read /tmp/c/tasks/b2.output =>      1→" + pass + "\n     2→\n     3→[exited with code 0]"}},
		{"moved, its failure read", StandingFailed, []string{"moved pytest", "read /tmp/c/tasks/b2.output => 1\t.F\n2\t[exited with code 1]"}},
		{"moved, its end only", StandingFailed, []string{"moved pytest", "run tail -1 /tmp/c/tasks/b2.output => [exited with code 1]"}},
		{"moved, shown with cat", Supported, []string{"moved pytest", "run sleep 60; cat /tmp/c/tasks/b2.output; echo done => " + pass + "\n\n[exited with code 0]\ndone"}},
		{"moved, shown among other commands", Supported, []string{"moved pytest", "run pgrep -f pytest; tail -2 /tmp/c/tasks/b2.output => \n[exited with code 0]"}},
		{"moved, read too early", BackgroundOnly, []string{"moved go test ./...", "read /tmp/c/tasks/b2.output => 1\tok  \ta/b\t0.1s"}},
		{"moved, read too early, but failed", StandingFailed, []string{"moved go test ./...", "read /tmp/c/tasks/b2.output => 1\t--- FAIL: TestX (0.00s)"}},
		{"moved, summed up by a client without that line", Supported, []string{"moved pytest", "read /tmp/c/tasks/b2.output => 1\t...\n2\t" + pass}},
		{"moved, the line in mid-file", BackgroundOnly, []string{"moved go test ./...", "read /tmp/c/tasks/b2.output => 1\t[exited with code 0]\n2\t=== RUN TestX"}},
		{"moved, another file read", BackgroundOnly, []string{"moved pytest", "read /tmp/c/tasks/b3.output => 1\t" + pass + "\n2\t[exited with code 0]"}},
		{"moved, two files shown", BackgroundOnly, []string{"moved pytest", "run tail -1 /tmp/c/tasks/b2.output /tmp/c/tasks/b3.output => [exited with code 0]"}},
		{"moved, behind a pipe", Supported, []string{"moved pytest | tail -1", "read /tmp/c/tasks/b2.output => 1\t" + pass + "\n2\t[exited with code 0]"}},
		{"moved, behind a pipe, failed", StandingFailed, []string{"moved pytest | tail -1", "read /tmp/c/tasks/b2.output => 1\t" + bad + "\n2\t[exited with code 0]"}},
		{"moved, noticed", Supported, []string{"edit a.py", "moved pytest", "note b2 completed (exit code 0)"}},
		{"moved, its failure noticed", StandingFailed, []string{"moved pytest", "note b2 failed with exit code 1"}},
		{"moved, its failure noticed without a number", StandingFailed, []string{"moved pytest", "note b2 failed"}},
		{"moved, its stop noticed", BackgroundOnly, []string{"moved pytest", "note b2 was stopped"}},
		{"moved, noticed without a status", StandingUnknown, []string{"moved pytest", "note b2 completed"}},
		{"moved, another's end noticed", BackgroundOnly, []string{"moved pytest", "note b1 completed (exit code 0)"}},
		{"moved, noticed, behind a pipe", StandingMasked, []string{"moved pytest | tail -1", "note b2 completed (exit code 0)"}},
		{"moved, noticed, behind a pipe, and read", Supported, []string{"moved pytest | tail -1", "note b2 completed (exit code 0)", "read /tmp/c/tasks/b2.output => 1\t" + pass + "\n2\t[exited with code 0]"}},
		{"moved, edited, noticed", Stale, []string{"moved pytest", "edit a.py", "note b2 completed (exit code 0)"}},
		{"moved, noticed, edited", Stale, []string{"moved pytest", "note b2 completed (exit code 0)", "edit a.py"}},
		{"moved, failed, and passed again meanwhile", SupersededByFailure, []string{"moved pytest", "run pytest => " + pass, "note b2 failed with exit code 1"}},
		{"moved, noticed in a later turn", Supported, []string{"moved pytest", "turn", "note b2 completed (exit code 0)"}},
		{"a word of the run is no log", StandingMasked, []string{"run pytest tests/a.py | wc -l => 3", "run cat tests/a.py => " + pass}},
		{"log read with the Read tool", Supported, []string{"run pytest > out.log 2>&1; true => ", "read /src/repo/out.log => 1\t" + pass}},
		{"log named by a variable", Supported, []string{"run L=/tmp/x.log; pytest > $L 2>&1; true => ", "run cat /tmp/x.log => " + pass}},
		{"background, edited, read", Stale, []string{"bg pytest", "edit a.py", "out <status>completed</status><exit_code>0</exit_code>\n" + pass}},
		{"log read later", Supported, []string{"run pytest > /tmp/t.log 2>&1; true => ", "run tail -3 /tmp/t.log => " + pass}},
		{"log read later, failed", StandingFailed, []string{"run pytest > /tmp/t.log 2>&1 || true => ", "run tail -3 /tmp/t.log => " + bad}},
		{"printed status", StandingFailed, []string{"run pytest -q > /tmp/x; echo \"exit: $?\" => exit: 1"}},
		{"printed status 0", Supported, []string{"run npm test > /tmp/x 2>&1; echo \"EXIT=$?\" => EXIT=0"}},
		{"echo is no run", NoRun, []string{"run echo 'all tests passed' => all tests passed"}},
		{"program missing", NoRun, []string{"fail pytest => bash: pytest: command not found"}},
		{"no such script", NoRun, []string{"fail npm test => npm error Missing script: \"test\""}},
		{"hook of a commit", Supported, []string{"edit a.py", "run git commit -am x => pre-commit: pytest ... ok (57 passed)"}},
		{"commit without hooks", NoRun, []string{"edit a.py", "run git commit -am x => [main 1234567] x\n 1 file changed, 2 insertions(+)"}},
		{"subagent", Supported, []string{"edit a.py", "task Ran `pytest`:\n24 passed in 0.61s"}},
		{"subagent's prose", NoRun, []string{"edit a.py", "task I ran the tests and all is well."}},
		{"a kept conversation before its report", NoRun, []string{"agent idle Ran `pytest`:\n24 passed in 0.61s"}},
		{"a subagent ran", Supported, []string{"edit a.py", "agent ran All is well."}},
		{"a subagent's run failed", StandingFailed, []string{"edit a.py", "agent failed All is well."}},
		{"a subagent edited after the run", Stale, []string{"run pytest => " + pass, "agent edited All is well."}},
		{"a subagent's subagent ran", Supported, []string{"agent asked All is well."}},
		{"a subagent without a conversation", Supported, []string{"agent gone Ran `pytest`:\n24 passed in 0.61s"}},
		{"reset after the run", Stale, []string{"run pytest => " + pass, "run git checkout -- . => "}},
		{"new branch after the run", Supported, []string{"run pytest => " + pass, "run git checkout -b x => "}},
		{"stash list after the run", Supported, []string{"run pytest => " + pass, "run git stash list => "}},
		{"sed after the run", Stale, []string{"run pytest => " + pass, "run sed -i s/a/b/ src/a.py => "}},
		{"sed and run", Supported, []string{"run sed -i s/a/b/ src/a.py && pytest => " + pass}},
		{"log written by the run", Supported, []string{"run pytest | tee test.log => " + pass}},
		{"write to temp after the run", Supported, []string{"run pytest => " + pass, "run echo x > /tmp/a.py => "}},
		{"heredoc after the run", Stale, []string{"run pytest => " + pass, "run cat > src/b.py <<'EOF'\nx = 1\nEOF => "}},
		{"earlier turn", Supported, []string{"edit a.py", "run pytest => " + pass, "turn"}},
		{"earlier turn, edited since", Stale, []string{"edit a.py", "run pytest => " + pass, "turn", "edit a.py"}},
		{"build only", Supported, []string{"edit a.go", "run go build ./... => "}},
		{"lint fails, tests pass", Supported, []string{"run go test ./... => ok  \tx\t0.1s", "fail golangci-lint run => a.go:1: x"}},
		{"tests and commit in one", Supported, []string{"edit a.go", "run go test ./... && git commit -am x => ok  \tx/y\t0.1s\n[main abc1234] x"}},
		{"quiet rerun of a failure", StandingMasked, []string{"edit a.ts", "fail bun run test => 3 fail\n 12 pass", "run bun run test 2>&1 | tail -1 => Ran 15 tests across 2 files. [1ms]"}},
		{"quiet run of a wider one", StandingMasked, []string{"fail bun test src/a.test.ts => 1 fail\n 0 pass", "run (bun run test && bun run lint) 2>&1 | tail -1 => Checked 9 files in 3ms. No fixes applied."}},
		{"narrow quiet run clears nothing", StandingFailed, []string{"fail bun run test => 3 fail\n 12 pass", "run bun test src/a.test.ts | head -1 => bun test v1.3.5"}},
		{"pass stays a pass behind a quiet run", Supported, []string{"run npm test => Tests: 3 passed, 3 total", "run npm test | tail -1 => Ran all test suites."}},
		{"a part fails, the whole passes by another name", Supported, []string{"fail npx vitest run a.test.ts => Tests  1 failed (1)", "run npm test => Tests  30 passed (30)"}},
		{"another language's whole clears nothing", StandingFailed, []string{"fail pytest tests/a.py => 1 failed in 1s", "run npm test => Tests  30 passed (30)"}},
		{"a failing lint behind good tests", Supported, []string{"fail bun run test && bun run lint => 88 pass\n 0 fail\nFound 2 errors.\nerror: script \"lint\" exited with code 1"}},
		{"a commit stopped by a linter", Supported, []string{"run npm test => Tests: 3 passed, 3 total", "fail git commit -m x => todo.md:10 error MD001/heading-increment\nhusky - pre-commit script failed (code 1)"}},
		{"a commit that git made", Supported, []string{"edit a.ts", "run git commit -am x => [Api] Error in POST /x\n 88 pass\n 0 fail\n[main 0c1d2e3] x"}},
		{"a watch that failed, then one that did not", Supported, []string{"fail gh pr checks 20 --watch => validate\tfail\t12s\tu", "run gh pr checks 20 --watch => validate\tpass\t12s\tu"}},
		{"a commit whose hook runs all clears a failure", Supported, []string{"fail bun run test => 3 fail\n 12 pass", "run git commit -am x =>  15 pass\n 0 fail\n[main 0c1d2e3] x"}},
		{"the same filter from another folder", Supported, []string{"fail go test -run TestA ./store => FAIL", "run go test -run TestA => ok  \tx/store\t0.1s"}},
		{"checks that are going on again", BackgroundOnly, []string{"fail gh pr checks 2 => a\tfail\t1s\tu", "run gh pr checks 2 => a\tpending\t1s\tu"}},
		{"timed out", StandingUnknown, []string{"edit a.py", "fail timeout 5 pytest => ..."}},
		{"interrupted", NoRun, []string{"fail pytest => [Request interrupted by user for tool use]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Assess(context.Background(), Input{Turns: talk(c.lines...), Reader: Reader{Root: "/src/repo", Dir: "/src/repo", Parse: parse, Subagent: func(id string) []transcript.Turn {
				return map[string][]transcript.Turn{
					"idle": talk("run ls => a.py"), "ran": talk("run pytest => " + pass), "failed": talk("fail pytest => " + bad),
					"edited": talk("edit a.py"), "asked": talk("agent ran done"),
				}[id]
			}}})
			if a.Standing != c.want {
				t.Errorf("%s, want %s: %s", a.Standing, c.want, a.Why)
			}
			if a.Why == "" || len(a.Facts) == 0 {
				t.Error("a standing says why")
			}
		})
	}
}

// TestSubagentInTheBackground: its work stands between that of the session by the
// time at which it was done.
func TestSubagentInTheBackground(t *testing.T) {
	at := func(sec int64, turn transcript.Turn) transcript.Turn {
		for i := range turn.Calls {
			turn.Calls[i].Time = time.Unix(sec, int64(i))
		}
		return turn
	}
	for _, c := range []struct {
		name  string
		edits int64 // second of the subagent's edit
		want  Standing
	}{
		{"edited before the run", 1001, Supported},
		{"edited after the run", 1009, Stale},
		{"edited after the run, in the next turn", 1012, Stale},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := talk("agent a done")[0]
			start.Calls[0].Background = true
			turns := []transcript.Turn{at(1000, start), at(1005, talk("run pytest => 3 passed in 1s")[0]), at(1010, talk("run ls => x")[0])}
			a := Assess(context.Background(), Input{Turns: turns, Reader: Reader{Dir: "/r", Subagent: func(string) []transcript.Turn {
				return []transcript.Turn{at(c.edits, talk("edit a.py")[0])}
			}}})
			if a.Standing != c.want {
				t.Errorf("%s, want %s: %s", a.Standing, c.want, a.Why)
			}
		})
	}
}

func TestPolicyStanding(t *testing.T) {
	verify := Verify{Commands: []VerifyCommand{{Test, "pytest"}, {Lint, "ruff check ."}}}
	for _, c := range []struct {
		name  string
		want  Standing
		lines []string
	}{
		{"whole", Supported, []string{"run pytest -q => 24 passed in 1s"}},
		{"part", StandingPartial, []string{"run pytest tests/a.py => 4 passed in 1s"}},
		{"whole, then part", Supported, []string{"run pytest => 24 passed in 1s", "run pytest tests/a.py => 4 passed in 1s"}},
		{"another way to run all", Supported, []string{"run make test => 24 passed in 1s"}},
		{"lint alone", StandingPartial, []string{"run ruff check . => All checks passed!"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Assess(context.Background(), Input{Turns: talk(c.lines...), Reader: Reader{Dir: "/r", Verify: verify}})
			if a.Standing != c.want {
				t.Errorf("%s, want %s: %s", a.Standing, c.want, a.Why)
			}
			if _, ok := a.ByKind[Lint]; !ok {
				t.Error("each kind of the policy has a finding")
			}
		})
	}
}

func TestReproduction(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  bool
		lines []string
	}{
		{"failing run first", true, []string{"fail pytest => 1 failed in 1s", "edit a.py", "run pytest => 1 passed in 1s"}},
		{"edit first", false, []string{"edit a.py", "fail pytest => 1 failed in 1s"}},
		{"passing run first", false, []string{"run pytest => 1 passed in 1s", "edit a.py"}},
		{"in an earlier turn", false, []string{"fail pytest => 1 failed in 1s", "turn", "edit a.py"}},
		{"failing lint", false, []string{"fail ruff check . => Found 1 error.", "edit a.py"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Assess(context.Background(), Input{Turns: talk(c.lines...), Reader: Reader{Dir: "/r"}})
			if got := a.Reproduced != nil; got != c.want {
				t.Errorf("reproduced %v, want %v", got, c.want)
			}
		})
	}
}

// TestStandingOfTrees works with real trees and the ledger, without any
// conversation.
func TestStandingOfTrees(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.write("a.py", "1\n")
	s.write("README.md", "1\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	r := s.open(s.dir)
	l := OpenLedger(t.TempDir(), r)
	n := 0
	run := func(src, out string, failed bool) {
		t.Helper()
		n++
		if failed {
			out = "Exit code 1\n" + out
		}
		runs := Record(ctx, r, Observed{ID: fmt.Sprint("t", n), Session: "s", Source: src, Dir: s.dir, Call: Call{Output: out, Failed: failed}, Time: time.Unix(int64(1000+n), 0)}, Verify{})
		if len(runs) == 0 {
			t.Fatal("nothing to record")
		}
		if err := l.Append(runs...); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, want Standing) {
		t.Helper()
		runs, _, err := l.Runs(100)
		if err != nil {
			t.Fatal(err)
		}
		a := Assess(ctx, Input{Repo: r, Runs: runs})
		if a.Standing != want {
			t.Errorf("%s: %s, want %s: %s", name, a.Standing, want, a.Why)
		}
	}
	check("nothing", NoRun)
	s.write("a.py", "2\n")
	run("pytest -q", "24 passed in 0.1s", false)
	check("passed", Supported)
	s.write("README.md", "2\n")
	check("documentation", Supported)
	s.write("scratch.txt", "x\n")
	check("scratch file", Supported)
	s.write("a.py", "3\n")
	check("edit outside of the agent", Stale)
	s.write("a.py", "2\n")
	check("edit taken back", Supported)
	s.git("commit", "-q", "-am", "two")
	check("committed", Supported)
	run("pytest -q", "1 failed, 23 passed in 0.1s", true)
	check("failed on the same tree", SupersededByFailure)
	s.write("a.py", "4\n")
	check("changed after the failure", StandingFailed)
	run("pytest -q | tail -1", "24 passed in 0.1s", false)
	check("fixed", Supported)

	runs, _, _ := l.Runs(100)
	forged := Assess(ctx, Input{Repo: r, Runs: runs, Stands: func(run Run) bool { return run.ID != fmt.Sprint("t", n) }})
	if forged.Standing == Supported {
		t.Error("a record without a tool call counted")
	}

	s.git("commit", "-q", "-am", "three")
	head := s.git("rev-parse", "HEAD")
	if f, ok := CommitStanding(ctx, r, runs, head, nil); !ok {
		t.Errorf("the commit has the tree of a run up to the scratch file: %+v", f)
	}
	if f, ok := CommitStanding(ctx, r, runs, head, func(Run) bool { return false }); ok {
		t.Errorf("no record stands in a transcript: %+v", f)
	}
	runs = append(runs, CommitRecord(head, "s", time.Unix(2000, 0), Finding{Standing: Stale}))
	if f, ok := CommitStanding(ctx, r, runs, head, nil); !ok || f.Standing != Stale {
		t.Errorf("recorded standing: %+v %v", f, ok)
	}
	if f, ok := CommitStanding(ctx, r, nil, head, nil); ok || f.Standing != NoRun {
		t.Errorf("without records: %+v %v", f, ok)
	}
}

// TestStandingOfTreesInTheBackground settles a run whose end was seen later: it
// speaks of the tree that it began on, if that did not change meanwhile.
func TestStandingOfTreesInTheBackground(t *testing.T) {
	ctx := context.Background()
	const done = "24 passed in 0.1s"
	for _, c := range []struct {
		name            string
		during, between func(s *scratchRepo) // what changes while it runs, and after its end was seen
		ends            Run
		want            Standing
	}{
		{"nothing changed", nil, nil, Run{Outcome: Passed, Line: done}, Supported},
		{"it failed", nil, nil, Run{Outcome: Failed}, StandingFailed},
		{"documentation changed", func(s *scratchRepo) { s.write("README.md", "2\n") }, nil, Run{Outcome: Passed}, Supported},
		{"it left a file behind", func(s *scratchRepo) { s.write("report.txt", "2\n") }, nil, Run{Outcome: Passed}, Supported},
		{"code changed while it ran", func(s *scratchRepo) { s.write("a.py", "3\n") }, nil, Run{Outcome: Passed}, Stale},
		{"and was brought back", func(s *scratchRepo) { s.write("a.py", "3\n") }, func(s *scratchRepo) { s.write("a.py", "2\n") }, Run{Outcome: Passed}, StandingUnknown},
		{"code changed after it ended", nil, func(s *scratchRepo) { s.write("a.py", "3\n") }, Run{Outcome: Passed}, Stale},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScratch(t)
			s.write("a.py", "1\n")
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "one")
			s.write("a.py", "2\n")
			r := s.open(s.dir)
			at := time.Unix(1000, 0)
			runs := Record(ctx, r, Observed{ID: "1", Session: "s", Source: "pytest", Dir: s.dir, Call: Call{Background: true}, Time: at}, Verify{})
			if len(runs) != 1 || runs[0].Before == nil || runs[0].After != nil {
				t.Fatalf("%+v", runs)
			}
			if a := Assess(ctx, Input{Repo: r, Runs: runs}); a.Standing != BackgroundOnly {
				t.Fatalf("before its end was seen: %s", a.Standing)
			}
			for _, change := range []func(s *scratchRepo){c.during, func(*scratchRepo) {
				runs = append(runs, runs[0].Ended(ctx, r, c.ends, at.Add(time.Minute), DocMatcher{}))
			}, c.between} {
				if change != nil {
					change(s)
				}
			}
			a := Assess(ctx, Input{Repo: r, Runs: runs})
			if a.Standing != c.want || len(a.Runs) != 1 {
				t.Errorf("%s of %d runs, want %s of one: %s", a.Standing, len(a.Runs), c.want, a.Why)
			}
			talk := Assess(ctx, Input{Repo: r, Runs: runs, Turns: []transcript.Turn{{Calls: []transcript.Call{
				{ID: "1", Tool: "Bash", Input: []byte(`{"command":"pytest"}`), Background: true, Time: at},
			}}}})
			if talk.Standing != c.want {
				t.Errorf("beside the conversation %s, want %s: %s", talk.Standing, c.want, talk.Why)
			}
		})
	}
}

func TestIgnoredEdits(t *testing.T) {
	s := newScratch(t)
	s.write("a.py", "1\n")
	s.write(".gitignore", "local/\n*.cfg\n")
	s.write("kept.cfg", "1\n")
	s.git("add", "-A", "-f")
	s.git("commit", "-q", "-m", "one")
	for _, c := range []struct {
		edit string
		want Standing
	}{
		{"local/x.py", Supported},
		{"my.cfg", Supported},
		{"kept.cfg", Stale}, // tracked all the same
		{":(top)a.py", Stale},
		{"a.py", Stale},
	} {
		a := Assess(context.Background(), Input{Repo: s.open(s.dir), Turns: talk("run pytest => 3 passed in 1s", "edit "+s.dir+"/"+c.edit), Reader: Reader{Dir: s.dir}})
		if a.Standing != c.want {
			t.Errorf("%s: %s, want %s", c.edit, a.Standing, c.want)
		}
	}
}

// TestEdited: documentation, what lies elsewhere and runs are no edits.
func TestEdited(t *testing.T) {
	turns := talk(
		"edit /w/a.go", "edit /w/README.md", "edit /elsewhere/b.go", "run go test ./... => ok  x 0.1s", "run sed -i s/a/b/ c.go => ",
	)
	got := Reader{Root: "/w", Dir: "/w", Parse: parse}.Edited(turns[0].Calls)
	if strings.Join(got, " ") != "a.go c.go" {
		t.Errorf("%q", got)
	}
}
