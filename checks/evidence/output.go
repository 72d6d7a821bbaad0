package evidence

import (
	"strconv"
	"strings"
)

// Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	Passed     Outcome = "passed"
	Failed     Outcome = "failed"
	Empty      Outcome = "empty"      // it ended well, but nothing was tested
	Masked     Outcome = "masked"     // the status is not the run's, and the output does not tell
	Background Outcome = "background" // only started
	NotRun     Outcome = "not_run"    // the program is missing, or the call was refused or stopped
	Unknown    Outcome = "unknown"
)

// Counts are what the output says of single tests; -1 is not said.
type Counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// Result is what an output tells.
type Result struct {
	Counts Counts
	Pass   bool // something says that tests, or what else was asked, went well
	// Part tells that Empty was said of one part of a whole: a package, a module.
	Part bool
	// Hooked tells that a hook manager lists tests among its passed hooks.
	Hooked bool
	Built  bool // something says that the whole ended well, perhaps without any test
	Fail   bool // something says that it did not
	Empty  bool // something says that nothing was run
	// Late tells that Fail stands at the output's end, where a runner sums up.
	Late bool
	// Status is the exit status that the text printed ("exit: 1"); -1: none.
	Status int
	// Line is the line that decided.
	Line string

	suspect bool
	whole   bool // Empty was said of all
	total   int  // the largest total that stood without its parts; -1: none
}

// maxRead is how much of each end of a long output is read.
const maxRead = 64 << 10

// ReadOutput reads what a run printed, of any runner: wrappers hide which one
// it was, and half of all real runs show their last lines only.
func ReadOutput(output string) Result {
	if len(output) > 2*maxRead {
		output = output[:maxRead] + "\n" + output[len(output)-maxRead:]
	}
	r := Result{Counts: Counts{-1, -1, -1}, Status: -1, total: -1}
	lines := strings.Split(plain(output), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || len(trimmed) > 2000 {
			continue
		}
		s := readLine(trimmed)
		r.add(s, trimmed, len(lines)-i <= 15)
	}
	r.Part = r.Empty && !r.whole
	r.Fail = r.Fail || r.suspect
	if r.Counts.Passed < 0 && r.total > 0 && (r.Pass || r.Fail && r.Counts.Failed > 0) {
		r.Counts.Passed = max(0, r.total-max(r.Counts.Failed, 0))
	}
	return r
}

// said is what one line tells.
type said struct {
	counts            Counts
	pass, fail, empty bool
	built, suspect    bool
	hooked            bool
	status, total     int
}

func (r *Result) add(s said, line string, late bool) {
	if s.status >= 0 {
		r.Status = s.status
	}
	sum(&r.Counts.Passed, s.counts.Passed)
	sum(&r.Counts.Failed, s.counts.Failed)
	sum(&r.Counts.Skipped, s.counts.Skipped)
	if s.counts.Failed > 0 {
		s.fail = true
	}
	if s.counts.Passed > 0 && s.counts.Failed <= 0 {
		s.pass = true
	}
	if (s.counts.Passed == 0 || s.total == 0) && s.counts.Passed <= 0 && s.counts.Failed <= 0 && !s.pass {
		s.empty = true
	}
	r.total = max(r.total, s.total)
	if s.empty {
		part := strings.Contains(line, "test result:") || strings.Contains(line, "[no test") || strings.HasSuffix(line, "NO-SOURCE") || strings.Contains(strings.ToLower(line), "no tests to run")
		r.whole = r.whole || !part && s.total != 0
	}
	r.Hooked = r.Hooked || s.hooked
	if s.suspect {
		r.suspect = true
		r.Line = line
	} else if s.counts.Passed > 0 && s.counts.Failed <= 0 {
		r.suspect = false
	}
	r.Pass, r.Empty, r.Built = r.Pass || s.pass, r.Empty || s.empty, r.Built || s.built
	if s.fail {
		r.Fail = true
		r.Late = r.Late || late
	}
	if s.fail || (!r.Fail && (s.pass || s.empty || s.built && r.Line == "")) {
		r.Line = line
	}
}

func sum(total *int, n int) {
	if n >= 0 {
		*total = max(*total, 0) + n
	}
}

// plain drops terminal codes and carriage returns.
func plain(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\r':
			if i+1 < len(s) && s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '[':
			for i += 2; i < len(s) && (s[i] < '@' || s[i] > '~'); i++ {
			}
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == ']':
			for i += 2; i < len(s) && s[i] != 7 && s[i] != 0x1b; i++ {
			}
		case s[i] == 0x1b:
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// readLine reads one line. Wording of the runners, not of people: a line must
// have a runner's form.
func readLine(line string) said {
	s := said{counts: Counts{-1, -1, -1}, status: -1, total: -1}
	lower := strings.ToLower(line)
	if n, ok := printedStatus(lower); ok {
		s.status = n
		return s
	}
	if name, passed, ok := hookLine(line); ok {
		tests := kindOfName(name).Tests()
		s.pass, s.fail, s.hooked = passed, !passed, passed && tests
		return s
	}
	if gradleTest(line) {
		s.pass = true
		return s
	}
	for i := range marks {
		m := &marks[i]
		if !m.matches(line, lower) {
			continue
		}
		switch m.says {
		case Passed:
			s.pass = true
		case Failed:
			s.fail = true
		case Empty:
			s.empty = true
		case built:
			s.built = true
		case suspect:
			s.suspect = true
		case Masked, Background, NotRun, Unknown: // no mark says so, or says nothing by it
		}
		if m.alone {
			return s
		}
		break
	}
	readCounts(line, lower, &s)
	return s
}

// printedStatus reads "exit code: 1", "rc=0", "EXIT=2", "status 0", "exit: 0".
func printedStatus(lower string) (int, bool) {
	rest := strings.Trim(lower, "-=#*> \t[]")
	for _, p := range [...]string{"exit code", "exit status", "exitcode", "exit_code", "exit_status", "return code", "returncode", "exit", "rc", "status", "ret", "result code"} {
		tail, ok := strings.CutPrefix(rest, p)
		if !ok {
			for _, lead := range [...]string{"test ", "tests ", "pytest ", "process ", "command ", "build ", "script ", "final ", "lint ", "test_", "tests_", "pytest_", "build_", "gradle ", "jest ", "make ", "npm ", "cargo ", "go "} {
				if after, has := strings.CutPrefix(rest, lead+p); has {
					tail, ok = after, true
					break
				}
			}
		}
		if !ok {
			continue
		}
		n, err := strconv.Atoi(strings.Trim(tail, " :=\t"))
		if err == nil && n >= 0 && n < 256 && strings.ContainsAny(tail, ":= ") {
			return n, true
		}
	}
	return 0, false
}

// gradleTest reads the line of a test task that ran, or need not run again.
// Gradle prints no count when all is well.
func gradleTest(line string) bool {
	rest, ok := strings.CutPrefix(line, "> Task :")
	if !ok {
		return false
	}
	f := strings.Fields(rest)
	if len(f) == 0 || len(f) > 2 || kindOfTask("gradle", f[0], nil) != Test {
		return false
	}
	return len(f) == 1 || f[1] == "UP-TO-DATE" || f[1] == "FROM-CACHE"
}

// good tells that the output shows success of a run of the kind.
func (r Result) good(k Kind) bool {
	return r.Pass || r.Built && !(r.Empty && k.Tests())
}

// hookLine reads a line of pre-commit: a hook's name, dots, and how it ended.
func hookLine(line string) (name string, passed, ok bool) {
	name, rest, ok := strings.Cut(line, "...")
	if !ok {
		return "", false, false
	}
	switch strings.TrimLeft(rest, ".") {
	case "Passed":
		return name, true, true
	case "Failed":
		return name, false, true
	}
	return "", false, false
}
