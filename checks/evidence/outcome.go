package evidence

import (
	"slices"
	"strconv"
	"strings"
)

// Call is how the tool call ended that ran a shell text.
type Call struct {
	Output     string
	Failed     bool // the client reports an error; the output may begin with "Exit code N"
	Background bool
	// NoStatus is set where the client does not tell how a command ended (Codex
	// reports the output alone), so that success must be read from the output.
	NoStatus bool
}

// Ending is how one verification of a shell text ended.
type Ending struct {
	Outcome Outcome
	Result  Result
	// Status is the run's own exit status where the client's word on the call is
	// one: not what a filter, a later command or "|| true" left of it, and not what
	// the output says. -1: not known.
	Status int
}

// Endings decides how the verifications of one shell text ended, in their order.
// What can be trusted most decides: the run's own exit status, then the last sum
// that its runner printed, then nothing: unknown or masked. Each command has its
// own part of the output, and what the program under test logs never decides
// against a status or a sum.
func Endings(src string, list []Verification, c Call) []Ending {
	out := make([]Ending, len(list))
	for i := range out {
		out[i] = Ending{Unknown, Result{Counts: unsaid}, -1}
	}
	list = list[:min(len(list), maxRuns)]
	e := reading{call: c, lines: outputLines(c.Output), steps: flow(src), list: list}
	e.status, e.known = callStatus(c)
	e.split()
	for i := range list {
		out[i] = e.ending(i)
	}
	e.follow(out[:len(list)])
	return out
}

// maxRuns bounds the work on one text; a person or an agent runs far less at once.
const maxRuns = 24

// callStatus is the exit status of the whole text, where the client tells it.
func callStatus(c Call) (status int, known bool) {
	if n, ok := exitStatus(c.Output); ok {
		return n, true
	}
	switch {
	case c.Failed:
		return 1, true
	case c.NoStatus:
		return 0, false
	}
	return 0, true
}

// exitStatus reads the "Exit code N" at the start of a failed call's output.
func exitStatus(output string) (int, bool) {
	rest, ok := strings.CutPrefix(output, "Exit code ")
	if !ok {
		return 0, false
	}
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(line))
	return n, err == nil
}

// reading is the work on one call.
type reading struct {
	call   Call
	lines  []string
	steps  []step
	list   []Verification
	status int // of the whole text
	known  bool
	parts  []part // by verification
	// statuses are the lines that print an exit status, read when first asked for:
	// the line's index and the status.
	statuses [][2]int
}

// ending decides over one verification by its own status and its own part of the
// output, without regard to the others.
func (e *reading) ending(i int) Ending {
	v, p := e.list[i], e.parts[i]
	r := verdictOf(p.reports, v.wants())
	end := func(o Outcome) Ending { return Ending{o, r, e.toldStatus(i, o)} }
	switch {
	case v.Background || e.call.Background:
		return end(Background)
	case v.Kind == CI:
		return end(ciOutcome(v, e.call, p.lines, r))
	case v.Kind == Hook:
		return end(e.hookOutcome(i, r))
	}
	status, own := e.ownStatus(i)
	switch {
	case v.Kind == Compare:
		return end(v.compared(status, own, strings.Join(p.lines, "\n")))
	case v.Maybe && !(own && status == 0) && !r.Pass && !r.Fail && !r.Empty:
		return end(NotRun) // nothing shows that it was reached
	case own && status == 0:
		return end(v.endedWell(r))
	case own:
		return end(e.endedBadly(v, status, r, p.lines))
	case neverRan(p.lines) && !r.Pass && !r.ran:
		return end(NotRun)
	case r.Fail:
		return end(Failed)
	case r.Pass && v.showsAll(r, p.lines):
		return end(Passed)
	case r.Empty && v.Kind.Tests() && v.showsAll(r, p.lines):
		return end(Empty)
	case v.Masked && e.status == 0 && silentMeansGood(v) && saysNothing(p.lines):
		return end(Passed)
	case v.Masked:
		return end(Masked)
	}
	return end(Unknown)
}

// toldStatus is Ending's Status.
func (e *reading) toldStatus(i int, o Outcome) int {
	v := e.list[i]
	if v.Kind == CI || v.Kind == Hook || o == Background || o == NotRun || e.parts[i].printed >= 0 {
		return -1
	}
	status, own := e.ownStatus(i)
	if _, numbered := exitStatus(e.call.Output); !own || status != 0 && !numbered {
		return -1
	}
	return status
}

// endedWell is the outcome of a run whose own status is 0.
func (v Verification) endedWell(r Result) Outcome {
	switch {
	case r.sum == Failed && !v.direct() && !v.Quiet:
		return Failed // a script that swallows its runner's failures
	case r.Empty && v.Kind.Tests():
		return Empty
	}
	return Passed
}

// endedBadly is the outcome of a run whose own status is not 0.
func (e *reading) endedBadly(v Verification, status int, r Result, lines []string) Outcome {
	switch {
	case !r.ran && (status == 126 || status == 127 || neverRan(lines)):
		return NotRun
	case r.Fail:
		return Failed
	case r.Empty && v.Kind.Tests() || status == 5 && strings.Contains(v.Runner, "pytest"):
		return Empty
	case brokenOff(status, lines):
		return Unknown
	case v.Piped != "" && r.Pass:
		return Passed // under pipefail the reader may be the one that failed
	case v.Piped != "" && hasWord("grep egrep rg findstr", v.Piped):
		return Masked // grep's own status when it found nothing
	}
	return Failed
}

// brokenOff tells a run that was stopped before its end: by a time limit, by a
// signal.
func brokenOff(status int, lines []string) bool {
	switch status {
	case 124, 130, 137, 143:
		return true
	}
	for _, line := range lines[:min(len(lines), 3)] {
		if strings.HasPrefix(line, "Command timed out after") || strings.HasPrefix(line, "Request interrupted") {
			return true
		}
	}
	return false
}

// wants says which reports speak of the verification.
func (v Verification) wants() verdictFor {
	return verdictFor{kind: v.Kind, several: v.Kind != Test || v.several(), direct: v.direct()}
}

// several tells runs that start several runners, one after the other.
func (v Verification) several() bool {
	program, _, _ := strings.Cut(v.Runner, " ")
	if hasWord("make gmake just task mise turbo nx lerna moon rush mix sbt dune cabal stack composer rake rails tox nox swift xcodebuild rebar3 lein docker-compose mvn mvnw mvnd gradle gradlew bazel dotnet", program) {
		return true
	}
	return hasWord("npm pnpm yarn bun", program) && hasAny(v.words, "-r --recursive --filter -F --workspaces -ws workspaces foreach --parallel")
}

// direct tells a runner that was called itself: its status cannot be good where
// its own sum is bad.
func (v Verification) direct() bool {
	if len(v.words) == 0 {
		return false
	}
	r := rowOf(v.words)
	return r != &passed && !r.task
}

// hookOutcome counts what the hooks of a commit or push printed of tests. A commit
// that git made means that its hooks passed; one that they stopped says only
// what they themselves say.
func (e *reading) hookOutcome(i int, r Result) Outcome {
	made := committed(e.parts[i].lines)
	tested := slices.ContainsFunc(e.parts[i].reports, func(p report) bool { return p.kind == Test && p.says == Passed })
	failed := slices.ContainsFunc(e.parts[i].reports, func(p report) bool { return p.kind == Test && p.says == Failed && p.level != hint })
	switch {
	case made && tested, !made && tested && !r.Fail && e.known && e.status == 0:
		return Passed
	case !made && failed && (!e.known || e.status != 0):
		return Failed
	}
	return NotRun
}

// committed tells that git says it made a commit: "[main abc1234] subject".
func committed(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		head, rest, ok := strings.Cut(line, "] ")
		f := strings.Fields(strings.TrimPrefix(head, "["))
		return ok && rest != "" && strings.HasPrefix(line, "[") && len(f) >= 2 && len(f[len(f)-1]) >= 7 && isHex(f[len(f)-1])
	})
}

// neverRan tells a command that did not start or was not let: its program or
// script is missing, the client refused it.
func neverRan(lines []string) bool {
	for _, line := range lines[:min(len(lines), 30)] {
		for _, s := range [...]string{
			"command not found", "The user doesn't want to proceed", "Permission to use", "Request interrupted", "No module named pytest", "No module named tox",
			"hook error", "was blocked", "requires approval", "missing script:", "Missing script:", "Script not found", "No rule to make target", "Unknown command",
			"no such command", "unrecognized subcommand", "InputValidationError", "tool_use_error", "ERR_PNPM_NO_SCRIPT", "Couldn't find a script named",
			"Justfile does not contain recipe", "is not recognized as", "could not find `Cargo.toml`", "cannot find main module", "ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL",
			"Don't know how to build task", "Task not found: ", "Cannot find configuration for task", "error: unknown target '", "MSB1003", "Unknown lifecycle phase",
			"could not determine executable to run", "error: unknown command", "Command not found", "No such file or directory (os error 2)", "Could not find task", "Unknown task", "no tasks defined in",
		} {
			if strings.Contains(line, s) {
				return true
			}
		}
		if unknownTask(line) {
			return true
		}
		if strings.Contains(line, "cd: ") && strings.Contains(line, "No such file or directory") {
			return true
		}
	}
	return false
}

// unknownTask tells a task runner's line that it has no such task: `Task "x" does
// not exist`, "Task 'x' not found in root project", `Command "x" is not defined`,
// "no task x found".
func unknownTask(line string) bool {
	lower := strings.ToLower(line)
	if !strings.Contains(lower, "task ") && !strings.HasPrefix(lower, "command \"") {
		return false
	}
	for _, s := range [...]string{" does not exist", " not found in ", " could not be found", " is not defined."} {
		if strings.Contains(lower, s) {
			return true
		}
	}
	_, name, ok := strings.Cut(lower, "no task ")
	return ok && strings.HasSuffix(name, " found")
}
