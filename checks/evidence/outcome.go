package evidence

import (
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

// Ended decides how one verification of a shell text ended. The output of the
// text is all there is to read, so texts with several runs share it.
func (v Verification) Ended(c Call) (Outcome, Result) {
	r := ReadOutput(c.Output)
	if v.Background || c.Background {
		return Background, r
	}
	if c.Failed && neverRan(c.Output) {
		return NotRun, r
	}
	// The lines that a filter lets through may show the one part without tests.
	if r.Part && hasWord("tail head grep egrep rg sed awk", v.Piped) {
		r.Empty = false
	}
	status, known := exitStatus(c.Output)
	if !known && c.Failed {
		status, known = 1, true
	}
	if !c.Failed && !c.NoStatus {
		status, known = 0, true
	}
	if v.Masked && status == 0 {
		known = false // success of the text says nothing of the run
	}
	if v.Prints && r.Status >= 0 {
		status, known = r.Status, true
	}
	if v.Kind == CI {
		return ciOutcome(v, c, r)
	}
	if v.Kind == Hook {
		return hookOutcome(r, known && status == 0), r
	}
	if v.Kind == Compare {
		own := known && (status == 0 && !v.Masked || status > 0 && v.Last)
		return v.compared(status, own, c.Output), r
	}
	switch {
	case known && status == 0:
		switch {
		case r.Fail && (r.Counts.Failed > 0 && r.Late || v.Kind == Check || v.Kind == CI) && !v.Quiet:
			return Failed, r
		case r.Empty && !r.Pass && v.Kind.Tests():
			return Empty, r
		}
		return Passed, r
	case v.Maybe && (!known || status != 0) && !r.Pass && !r.Built && !r.Fail && !r.Empty:
		return NotRun, r // nothing shows that it was reached
	case known:
		if r.Empty && !r.Fail && !r.Pass && v.Kind.Tests() {
			return Empty, r
		}
		// grep's own status when it found nothing.
		if v.Masked && hasWord("grep egrep rg findstr", v.Piped) && !r.Fail && !r.Pass {
			return Masked, r
		}
		// Another command of the text may be the one that failed.
		if !v.Last && r.good(v.Kind) && !r.Fail {
			return Passed, r
		}
		if v.Masked && v.Last && r.good(v.Kind) && !r.Fail {
			return Passed, r
		}
		return Failed, r
	case r.Fail:
		return Failed, r
	case r.good(v.Kind):
		return Passed, r
	case r.Empty && v.Kind.Tests():
		return Empty, r
	case v.Masked && v.Kind.Tests():
		return Masked, r
	case v.Masked && silentMeansGood(v) && strings.TrimSpace(c.Output) == "":
		return Passed, r
	case v.Masked:
		return Masked, r
	}
	return Unknown, r
}

// silentMeansGood tells the checkers that print nothing when all is well.
func silentMeansGood(v Verification) bool {
	return (v.Kind == Lint || v.Kind == Types || v.Kind == Build) && !v.Quiet
}

// hookOutcome counts a commit's hooks only where they printed results.
func hookOutcome(r Result, ok bool) Outcome {
	switch {
	case r.Fail && (!ok || r.Counts.Failed > 0):
		return Failed
	case r.Pass && ok && (r.Counts.Passed > 0 || r.Hooked):
		return Passed
	}
	return NotRun
}

// ciOutcome reads what a CI reader printed. Its exit status says whether it could
// ask, rarely how the pipeline ended.
func ciOutcome(v Verification, c Call, r Result) (Outcome, Result) {
	lower := strings.ToLower(plain(c.Output))
	lines := strings.Split(lower, "\n")
	if strings.HasSuffix(v.Runner, " list") {
		// The newest run stands first; older ones say nothing of this tree.
		for _, line := range lines {
			if strings.Contains(line, "success") || strings.Contains(line, "fail") || strings.Contains(line, "progress") || strings.Contains(line, "queued") || strings.Contains(line, "cancelled") {
				lines = []string{line}
				break
			}
		}
	}
	good, bad, open := false, false, false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "x "), strings.HasPrefix(line, "✗"), strings.HasPrefix(line, "✘"), strings.Contains(line, "\tfail"), strings.Contains(line, "failure"), strings.Contains(line, "not successful"), strings.Contains(line, "status: failed"), strings.Contains(line, "cancelled\t"):
			bad = bad || !strings.Contains(line, " 0 failure")
		case strings.Contains(line, "still pending"), strings.Contains(line, "in_progress"), strings.Contains(line, "in progress"), strings.Contains(line, "queued"), strings.Contains(line, "\tpending"), strings.HasPrefix(line, "* "), strings.Contains(line, "waiting"):
			open = true
		case strings.HasPrefix(line, "✓"), strings.Contains(line, "\tpass"), strings.Contains(line, "success"), strings.Contains(line, "status: passed"):
			good = true
		}
	}
	switch {
	case bad || r.Counts.Failed > 0 && !strings.HasSuffix(v.Runner, " list"):
		return Failed, r
	case open:
		return Background, r
	case good:
		return Passed, r
	case c.Failed:
		return Failed, r
	}
	return Unknown, r
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

// neverRan tells a failed call whose command did not start or was not let.
func neverRan(output string) bool {
	head := output[:min(len(output), 2000)]
	if n, ok := exitStatus(output); ok && (n == 127 || n == 126) {
		return true
	}
	for _, s := range [...]string{
		"command not found", "The user doesn't want to proceed", "Permission to use", "Request interrupted", "No module named pytest",
		"hook error", "was blocked", "requires approval", "missing script:", "Missing script:", "No rule to make target", "Unknown command", "no such command", "InputValidationError", "tool_use_error",
	} {
		if strings.Contains(head, s) && !ReadOutput(output).Pass {
			return true
		}
	}
	return false
}
