package evidence

import "strings"

// ciOutcome reads what a CI reader printed. Its exit status says whether it could
// ask, rarely how the pipeline ended. A list of runs, a job's log, and what was
// asked of another repository or of several, say nothing of this tree.
func ciOutcome(v Verification, c Call, lines []string, r Result) Outcome {
	if strings.HasSuffix(v.Runner, " list") || hasAny(v.words, "--log --log-failed") || v.asksElsewhere() {
		return Unknown
	}
	var w ciWords
	for _, line := range lines {
		w.read(line)
	}
	// A watch shows every state on its way; its last word counts.
	watched := strings.HasSuffix(v.Runner, " watch") || hasAny(v.words, "--watch")
	switch {
	case watched && w.last != "":
		return w.last
	case w.bad || r.Fail && v.Runner == "act":
		return Failed
	case w.open:
		return Background
	case w.good || r.Pass && v.Runner == "act":
		return Passed
	case watched && c.Failed && !v.Masked && hasAny(v.words, "--exit-status") && !neverRan(lines):
		return Failed
	}
	return Unknown
}

// ciWords are the states that the lines of a CI reader name.
type ciWords struct {
	good, bad, open bool
	last            Outcome // of the whole, where a line speaks of it
}

// read takes the forms of gh and glab: a table's column, the header of a run, a
// sum, JSON's conclusion, or a name with its state.
func (w *ciWords) read(line string) {
	if f := strings.Split(line, "\t"); len(f) > 2 {
		w.state(f[1])
		return
	}
	lower := strings.ToLower(line)
	switch {
	case strings.Contains(lower, "all checks were successful"):
		w.good, w.last = true, Passed
	case strings.Contains(lower, "some checks were not successful"):
		w.bad, w.last = true, Failed
	case strings.Contains(lower, "checks are still pending"):
		w.open, w.last = true, Background
	case strings.Contains(lower, "completed with 'success'"):
		w.good, w.last = true, Passed
	case strings.Contains(lower, "completed with '"):
		w.bad, w.last = true, Failed
	case strings.Contains(line, " · "):
		switch {
		case strings.HasPrefix(line, "✓ "):
			w.good, w.last = true, Passed
		case strings.HasPrefix(line, "X "), strings.HasPrefix(line, "✗ "):
			w.bad, w.last = true, Failed
		case strings.HasPrefix(line, "* "), strings.HasPrefix(line, "- "):
			w.open, w.last = true, Background
		}
	case strings.HasPrefix(line, "X ") || strings.HasPrefix(line, "✗ "):
		w.bad = true
	case strings.Contains(lower, `"conclusion":`) || strings.Contains(lower, `"status":`):
		w.json(lower)
	default:
		for _, sep := range [...]string{": ", " ", "="} {
			if i := strings.LastIndex(lower, sep); i >= 0 && len(line) < 120 {
				w.state(lower[i+len(sep):])
				return
			}
		}
		w.state(lower)
	}
}

func (w *ciWords) state(s string) {
	switch strings.ToLower(strings.Trim(s, `"' .`)) {
	case "pass", "success", "successful", "passed":
		w.good = true
	case "fail", "failure", "failed", "timed_out", "startup_failure":
		w.bad = true
	case "pending", "queued", "in_progress", "waiting", "running", "expected":
		w.open = true
	}
}

func (w *ciWords) json(lower string) {
	lower = strings.ReplaceAll(lower, `": "`, `":"`)
	w.bad = w.bad || strings.Contains(lower, `"conclusion":"failure"`) || strings.Contains(lower, `"conclusion":"timed_out"`)
	w.good = w.good || strings.Contains(lower, `"conclusion":"success"`)
	for _, s := range [...]string{"in_progress", "queued", "waiting", "pending"} {
		w.open = w.open || strings.Contains(lower, `"status":"`+s+`"`)
	}
}

// asksElsewhere tells a question about another repository, or about several things
// in a loop.
func (v Verification) asksElsewhere() bool {
	for _, w := range v.words {
		if w == "-R" || w == "--repo" || strings.HasPrefix(w, "--repo=") || strings.Contains(w, "$") {
			return true
		}
	}
	return false
}
