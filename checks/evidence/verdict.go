package evidence

import "strings"

// verdictFor says whose verdict is wanted.
type verdictFor struct {
	kind Kind
	// several tells a run that starts several runners: each of their sums speaks
	// for itself alone, and one that failed fails the whole.
	several bool
	// direct tells a runner that was called itself: it has one sum, the last.
	direct bool
}

// speaksOf tells whether a report says something of the run. A wrapper that names
// its script speaks of that alone.
func (v verdictFor) speaksOf(p report) bool {
	k := p.kind
	switch {
	case k == "", v.kind == Check, v.kind == Hook, v.kind == k:
		return true
	case v.kind == Test:
		return k == Check
	case p.level == status, p.level == hint && v.kind == Build && v.direct:
		return false
	case v.kind == Lint || v.kind == Types || v.kind == Build:
		return k == Lint || k == Types || k == Build
	}
	return false
}

// weighing is what the reports read so far come to.
type weighing struct {
	want verdictFor
	// sum is the last sum of a whole, parts the strongest word of the parts; the
	// one that came last counts, since a sum between parts is a log line.
	sum, parts       *report
	summed, partwise Counts
	inParts          bool
	doubt            bool    // the sum overrules a failure that may be none
	ended            *report // a wrapper's word for a bad status
	final            *report // what fails the run whatever else it says
	// What single tests and hints say, where nothing sums up.
	bad, good, none, built *report
}

// verdictOf weighs reports, oldest first. The last sum of a runner overrules what
// stands before it; a wrapper's word for a bad status behind that sum overrules
// the sum; single tests and hints count where nothing sums up.
func verdictOf(list []report, want verdictFor) Result {
	w := weighing{want: want, summed: unsaid, partwise: unsaid}
	for i := range list {
		if p := &list[i]; p.says != "" && want.speaksOf(*p) {
			w.add(p)
		}
	}
	return w.result()
}

var unsaid = Counts{-1, -1, -1}

func (w *weighing) add(p *report) {
	switch {
	case p.says == built:
		w.built = p
	case p.level == final:
		w.final = p
	case p.level == status:
		w.ended, w.doubt = p, false
	case p.line == "PASS" && w.none != nil && w.none.at == p.at-1:
		// go test: of no tests.
	case p.level == summary && (p.part || w.want.several):
		w.inParts = true
		if w.parts == nil || strongerWord(p.says, w.parts.says) {
			w.parts = p
		}
		w.partwise.add(p.tally)
	case p.level == summary:
		w.whole(p)
	case p.says == Failed:
		w.bad = p
	case p.says == Passed:
		w.good = p
	case p.says == Empty:
		w.none = p
	}
}

// whole takes a sum of a whole. A runner that was called itself has one, and what
// looked like others was a log; a script may have gone on behind one that failed.
func (w *weighing) whole(p *report) {
	switch {
	case p.says != Passed:
		w.doubt = false
	case w.want.direct:
		w.ended = nil
	default:
		w.doubt = w.doubt || w.ended != nil || w.sum != nil && w.sum.says == Failed
	}
	w.sum, w.inParts = p, false
	w.summed = unsaid
	w.summed.add(p.tally)
}

// strongerWord orders what the parts of a whole say: a failure, then a pass.
func strongerWord(a, b Outcome) bool {
	return a == Failed || a == Passed && b == Empty
}

// add adds what one line counts.
func (c *Counts) add(t tally) {
	for _, n := range [...]struct {
		to *int
		n  int
	}{{&c.Passed, t.passed}, {&c.Failed, t.failed}, {&c.Skipped, t.skipped}} {
		if n.n >= 0 {
			*n.to = max(*n.to, 0) + n.n
		}
	}
}

func (w *weighing) result() Result {
	sum, counts := w.sum, w.summed
	if w.inParts {
		sum, counts = w.parts, w.partwise
	}
	r := Result{Counts: counts, ran: sum != nil || w.bad != nil || w.good != nil}
	if sum != nil {
		r.sum = sum.says
	}
	say := func(p *report, says Outcome) Result {
		r.Line, r.part = p.line, p.part
		r.Pass, r.Fail, r.Empty = says == Passed, says == Failed, says == Empty
		r.whole = p == w.built || p.whole()
		r.summed = p.level >= summary
		return r
	}
	switch {
	case w.final != nil:
		return say(w.final, Failed)
	case w.ended != nil && !w.doubt:
		return say(w.ended, Failed)
	case w.doubt && !w.inParts:
		return say(sum, Unknown)
	case sum != nil && (sum.says != Empty || !sum.part || w.bad == nil && w.good == nil):
		return say(sum, sum.says)
	case w.bad != nil:
		return say(w.bad, Failed)
	case w.good != nil && w.built != nil:
		return say(w.built, Passed)
	case w.good != nil:
		return say(w.good, Passed)
	case w.none != nil:
		return say(w.none, Empty)
	case w.built != nil:
		return say(w.built, Passed)
	}
	return r
}

// whole tells a sum that would name failures, were there any: it counts them, or
// gives the total or the time of all in the same line.
func (r *report) whole() bool {
	if r.tally.passed <= 0 {
		return false
	}
	lower := strings.ToLower(r.line)
	return r.tally.failed >= 0 || r.tally.total > 0 || strings.Contains(lower, " total") || strings.Contains(lower, " in ") || strings.HasPrefix(lower, "tests ")
}
