package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"agentguard/e2e/model"
)

// delegate is a subagent that a session waits for; what it does is the story's sub.
var delegate = model.Use("Agent", map[string]any{
	"description": "test it", "prompt": "SUB: run the tests", "subagent_type": "general-purpose", "run_in_background": false,
})

const commitAll = "git add -A && git commit -qm 'greet: longer' && git log --oneline -1"

// Who runs the tests does not matter, only that they ran and how they ended.
func TestSubagentsRunsCount(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sub   []model.Turn
		hears string // at the commit; empty: it passes
	}{
		{name: "it tests", sub: []model.Turn{model.Bash("go test ./... | tail -3"), model.Say("Done.")}},
		{name: "its tests fail", sub: []model.Turn{model.Bash("go test ./..."), model.Say("One test fails.")}, hears: `failed`},
		{name: "it tests nothing", sub: []model.Turn{model.Bash("ls"), model.Say("All tests pass: 12 tests passed.")}, hears: `no_run`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := guarded(t)
			s.sub = tt.sub
			greet := changed
			if tt.hears == "failed" {
				greet = strings.Replace(changed, "hello, world", "", 1)
			}
			last := step{does: model.Bash(commitAll), hears: `greet: longer`, misses: `is_error`}
			said := "Committed."
			if tt.hears != "" {
				last = step{does: model.Bash(commitAll), hears: `(?s)is_error.*\[unverified-commit\].*` + tt.hears}
				said = "It was refused."
			}
			s.play("make the greeting longer",
				step{does: model.Use("Read", map[string]any{"file_path": s.abs("greet.go")})},
				step{does: model.Write(s.abs("greet.go"), greet), misses: `is_error`},
				step{does: delegate, misses: `is_error`},
				last,
				step{does: model.Say(said)},
			)
			if n := len(s.server.Lane("sub")); n != len(tt.sub) {
				t.Errorf("the subagent made %d turns, want %d\n%s", n, len(tt.sub), s.told())
			}
		})
	}
}

// What a subagent ran bears out what the session says at its end, and what it did not run does not.
func TestSubagentsRunsBearClaimsOut(t *testing.T) {
	const says = "The greeting is longer now. I'll commit this now."
	for _, tt := range []struct {
		name   string
		edits  bool // after its tests
		blocks int
	}{{"it tested", false, 0}, {"it edited after its tests", true, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := guarded(t)
			s.sub = []model.Turn{model.Bash("go test ./..."), model.Say("Done.")}
			steps := []step{
				{does: model.Use("Read", map[string]any{"file_path": s.abs("greet.go")})},
				{does: model.Write(s.abs("greet.go"), changed), misses: `is_error`},
				{does: delegate, misses: `is_error`},
				{does: model.Say(says)},
			}
			if tt.edits {
				s.sub = slices.Insert(s.sub, 1, model.Write(s.abs("shout.go"), "package greet\n\nfunc Shout() string { return Hello() + \"!\" }\n"))
				steps[3].hears = `\[commit-before-verification\].*stale`
				steps = append(steps, step{does: model.Say("I wait.")})
			}
			s.play("make the greeting longer", steps...)
			if got := s.blocks(); got != tt.blocks {
				t.Errorf("%d blocks, want %d\n%s", got, tt.blocks, s.told())
			}
		})
	}
}

// A subagent is held to what it ran itself, and to what its session ran on the same tree.
func TestSubagentsClaimsAreHeldToTheRuns(t *testing.T) {
	for _, tt := range []struct {
		name, greet string
		before      string // what the session ran
		sub         string // what the subagent runs
		refused     bool
	}{
		{"its own run failed", strings.Replace(changed, "hello, world", "", 1), "ls", "go test ./...", true},
		{"the session's run passed", changed, "go test ./...", "ls", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := guarded(t)
			s.write("greet.go", tt.greet)
			s.sub = []model.Turn{model.Bash(tt.sub), model.Say("All tests pass."), model.Say("One test fails.")}
			s.play("make the greeting longer",
				step{does: model.Bash(tt.before)},
				step{does: delegate, misses: `is_error`},
				step{does: model.Say("The subagent is done.")},
			)
			sub := s.server.Lane("sub")
			if refused := len(sub) > 2 && strings.Contains(sub[2].New, "[false-claim]"); refused != tt.refused {
				t.Errorf("refused %v, want %v\n%s", refused, tt.refused, s.told())
			}
		})
	}
}

// slow is a story whose tests take some seconds, which outlives the time that the client gives a command in the foreground.
func slow(t *testing.T, seconds int) *story {
	t.Helper()
	s := guarded(t)
	s.env["BASH_DEFAULT_TIMEOUT_MS"] = "2000"
	s.write("slow_test.go", fmt.Sprintf("package greet\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(t *testing.T) { time.Sleep(%d * time.Second) }\n", seconds))
	s.sh("git add -A && git commit -qm slow && go vet ./... && go test -run none ./...")
	return s
}

var outputFile = regexp.MustCompile(`/\S+/tasks/\w+\.output`)

// output is the file into which the client wrote what a command in the background printed, as the model was told.
func (s *story) output() string {
	for _, r := range s.server.Requests() {
		if path := outputFile.FindString(r.New); path != "" {
			return path
		}
	}
	s.t.Errorf("the client named no output file: the command did not go to the background\n%s", s.told())
	return ""
}

// looks is a turn that calls a tool with the output file, once the run has ended where it shall have.
func (s *story) looks(tool, key, form string, ended bool) model.Turn {
	return model.Turn{Answer: func(model.Request) []model.Block {
		path := s.output()
		for end := time.Now().Add(time.Minute); ended && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), "[exited with code") {
				break
			}
		}
		return []model.Block{{Tool: tool, Input: map[string]any{key: strings.ReplaceAll(form, "FILE", path)}}}
	}}
}

// The client moves a command that takes long into the background by itself. Its run counts once its end was seen.
func TestRunInTheBackgroundCountsOnceItsEndWasSeen(t *testing.T) {
	refused := func(why string) step {
		return step{does: model.Bash("git commit -qam 'greet: longer'"), hears: `(?s)is_error.*\[unverified-commit\].*` + why}
	}
	passes := step{does: model.Bash(commitAll), hears: `greet: longer`, misses: `is_error`}
	outlives := step{does: model.Bash("go test ./..."), hears: `moved to the background`}
	broken := strings.Replace(changed, "hello, world", "", 1)
	for _, tt := range []struct {
		name    string
		seconds int
		greet   string
		steps   func(s *story) []step
	}{
		{"its output is read", 4, changed, func(s *story) []step {
			return []step{
				outlives, refused("background_only"),
				{does: s.looks("Read", "file_path", "FILE", true), hears: `exited with code 0`},
				passes,
			}
		}},
		{"read too early", 10, changed, func(s *story) []step {
			return []step{
				outlives,
				{does: s.looks("Read", "file_path", "FILE", false), misses: `exited with code`},
				refused("background_only"),
				{does: s.looks("Bash", "command", "sleep 0; tail -2 FILE", true), hears: `exited with code 0`},
				passes,
			}
		}},
		{"a failure is read", 4, broken, func(s *story) []step {
			return []step{outlives, {does: s.looks("Read", "file_path", "FILE", true), hears: `exited with code 1`}, refused("failed")}
		}},
		{"edited meanwhile", 4, changed, func(s *story) []step {
			return []step{
				outlives,
				{does: model.Bash("echo '// more' >> greet.go")},
				{does: s.looks("Read", "file_path", "FILE", true), hears: `exited with code 0`},
				refused("stale"),
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := slow(t, tt.seconds)
			s.write("greet.go", tt.greet)
			steps := append(tt.steps(s), step{does: model.Say("That is how it stands.")})
			s.play("make the greeting longer", steps...)
		})
	}
}

// The end may also come as a notice of the client, which begins a turn of its own.
func TestRunInTheBackgroundIsSettledByNotice(t *testing.T) {
	for _, tt := range []struct {
		name, command, greet string
		asked                bool // the model asked for the background itself
		hears, misses        string
	}{
		{"passed behind a pipe", "go test ./... 2>&1 | tail -5", changed, true, `greet: longer`, `is_error`},
		{"failed", "go test ./...", strings.Replace(changed, "hello, world", "", 1), false, `(?s)is_error.*\[unverified-commit\].*failed`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := slow(t, 4)
			s.write("greet.go", tt.greet)
			s.play("make the greeting longer",
				step{does: model.Use("Bash", map[string]any{"command": tt.command, "run_in_background": tt.asked}), hears: `(running in|moved to the) background`},
				step{does: model.Bash("git commit -qam 'greet: longer'"), hears: `(?s)is_error.*\[unverified-commit\].*background_only`},
				step{does: model.Say("The tests are running."), hears: `(?s)<task-notification>.*exit code`},
				step{does: model.Bash(commitAll), hears: tt.hears, misses: tt.misses},
				step{does: model.Say("That is how it stands.")},
			)
		})
	}
}

// What compiles tests does not run them.
func TestCompiledTestsAreNoRun(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.write("greet.go", strings.Replace(changed, "hello, world", "", 1))
	s.play("make the greeting longer",
		step{does: model.Bash("go test -c -o /dev/null ./..."), misses: `is_error`},
		step{does: model.Bash(commitAll), hears: `(?s)is_error.*\[unverified-commit\].*no_run`},
		step{does: model.Say("It was refused.")},
	)
}
