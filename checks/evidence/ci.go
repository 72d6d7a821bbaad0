package evidence

import "strings"

// ciOutcome reads what a CI reader printed. Its exit status says whether it could
// ask, rarely how the pipeline ended. A list of runs, and what was asked of
// another repository or of several, say nothing of this tree.
func ciOutcome(v Verification, c Call, lines []string, r Result) Outcome {
	if strings.HasSuffix(v.Runner, " list") || v.asksElsewhere() {
		return Unknown
	}
	good, bad, open := false, false, false
	for _, line := range lines {
		line = strings.ToLower(line)
		switch {
		case strings.HasPrefix(line, "x "), strings.HasPrefix(line, "✗"), strings.HasPrefix(line, "✘"), strings.Contains(line, "\tfail"), strings.Contains(line, "failure"), strings.Contains(line, "not successful"), strings.Contains(line, "status: failed"), strings.Contains(line, "cancelled\t"):
			bad = bad || !strings.Contains(line, " 0 failure")
		case strings.Contains(line, "still pending"), strings.Contains(line, "in_progress"), strings.Contains(line, "in progress"), strings.Contains(line, "queued"), strings.Contains(line, "\tpending"), strings.HasPrefix(line, "* "), strings.Contains(line, "waiting"):
			open = true
		case strings.HasPrefix(line, "✓"), strings.Contains(line, "\tpass"), strings.Contains(line, "success"), strings.Contains(line, "status: passed"):
			good = true
		}
	}
	// A watch prints every state on its way; only its end counts.
	watched := strings.HasSuffix(v.Runner, " watch") || hasAny(v.words, "--watch")
	switch {
	case watched && !c.Failed && good && !v.Masked && hasAny(v.words, "--exit-status --fail-fast --watch"):
		return Passed
	case bad || r.Fail:
		return Failed
	case open && !(watched && good):
		return Background
	case good:
		return Passed
	case c.Failed && !v.Masked && !neverRan(lines) && strings.HasSuffix(v.Runner, " watch"):
		return Failed
	}
	return Unknown
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
