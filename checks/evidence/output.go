package evidence

import "strings"

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

// Result is what a run's part of an output tells. At most one of Pass, Fail and
// Empty is set; none where no runner summed up.
type Result struct {
	Counts            Counts
	Pass, Fail, Empty bool
	// Line is the line that decided.
	Line string

	part   bool    // the line speaks of a part: a package, a module
	summed bool    // the line is a sum or a status, not a single test or a hint
	whole  bool    // the line would name a failure, were there one
	ran    bool    // a runner spoke, not only its wrapper
	sum    Outcome // what the runner's own sum says
}

// ReadOutput reads what a run of tests printed, of any runner: wrappers hide
// which one it was, and half of all real runs show their last lines only.
func ReadOutput(output string) Result {
	return verdictOf(readReports(outputLines(output), nil), verdictFor{kind: Test})
}

// maxRead is how much of each end of a long output is read.
const maxRead = 64 << 10

// outputLines splits an output into trimmed lines; what is too long to be a
// runner's own line is empty.
func outputLines(output string) []string {
	if len(output) > 2*maxRead {
		output = output[:maxRead] + "\n" + output[len(output)-maxRead:]
	}
	lines := strings.Split(plain(output), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if len(line) > 2000 {
			line = ""
		}
		lines[i] = line
	}
	return lines
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
