package evidence

// verdictFor says whose verdict is wanted.
type verdictFor struct {
	kind Kind
	// several tells a run that starts several runners: each of their sums speaks
	// for itself alone, and one that failed fails the whole.
	several bool
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
	case p.level == status:
		return false
	case v.kind == Lint || v.kind == Types || v.kind == Build:
		return k == Lint || k == Types || k == Build
	}
	return false
}

// weighing is what the reports read so far come to.
type weighing struct {
	sum     *report // the last sum, or the one that speaks for a group of parts
	grouped bool    // sum is of parts
	counts  Counts
	ended   *report // a wrapper's word for a bad status
	// What single tests and hints say, where nothing sums up.
	bad, good, none, built *report
}

// verdictOf weighs reports, oldest first. The last sum of a runner overrules what
// stands before it; a wrapper's word for a bad status behind that sum overrules
// the sum; single tests and hints count where nothing sums up.
func verdictOf(list []report, want verdictFor) Result {
	w := weighing{counts: unsaid}
	for i := range list {
		if p := &list[i]; p.says != "" && want.speaksOf(*p) {
			w.add(p, want.several)
		}
	}
	return w.result()
}

var unsaid = Counts{-1, -1, -1}

func (w *weighing) add(p *report, several bool) {
	switch {
	case p.says == built:
		w.built = p
	case p.level == status:
		w.ended = p
	case p.level == summary:
		part := p.part || several
		if !part || !w.grouped {
			w.sum, w.counts = nil, unsaid
		}
		if w.sum == nil || strongerWord(p.says, w.sum.says) {
			w.sum = p
		}
		w.grouped = part
		w.count(p.tally)
		if !several && p.says == Passed && !p.part {
			w.ended = nil
		}
	case p.says == Failed:
		w.bad = p
	case p.says == Passed:
		w.good = p
	case p.says == Empty:
		w.none = p
	}
}

// strongerWord orders what the parts of a whole say: a failure, then a pass.
func strongerWord(a, b Outcome) bool {
	return a == Failed || a == Passed && b == Empty
}

func (w *weighing) count(t tally) {
	for _, c := range [...]struct {
		to *int
		n  int
	}{{&w.counts.Passed, t.passed}, {&w.counts.Failed, t.failed}, {&w.counts.Skipped, t.skipped}} {
		if c.n >= 0 {
			*c.to = max(*c.to, 0) + c.n
		}
	}
}

func (w *weighing) result() Result {
	r := Result{Counts: w.counts}
	say := func(p *report, says Outcome) Result {
		r.Line, r.part = p.line, p.part
		r.Pass, r.Fail, r.Empty = says == Passed, says == Failed, says == Empty
		return r
	}
	switch {
	case w.ended != nil:
		r.summed = true
		return say(w.ended, Failed)
	case w.sum != nil && (w.sum.says != Empty || !w.sum.part || w.bad == nil && w.good == nil):
		r.summed = true
		return say(w.sum, w.sum.says)
	case w.bad != nil:
		return say(w.bad, Failed)
	case w.good != nil:
		return say(w.good, Passed)
	case w.none != nil:
		return say(w.none, Empty)
	case w.built != nil:
		return say(w.built, Passed)
	}
	return r
}
