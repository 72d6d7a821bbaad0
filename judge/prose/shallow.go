package prose

// cause tells whether the message says why the bug happened.
func (d *Document) cause() (Tri, int) {
	best := No
	where := -1
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering || has(s.tokens, "nocause") {
			continue
		}
		switch s.Lang {
		case English:
			if has(s.tokens, "cause") && !hasWord(s.tokens, "done since") {
				return Yes, i
			}
			for j := range s.Clauses {
				if mechanism(&s.Clauses[j]) && best == No && !d.fixClaimClause(i, j) {
					best, where = Unsure, i
				}
			}
			if mechanismAcross(s) && best == No {
				best, where = Unsure, i
			}
		case Japanese:
			if has(s.tokens, "cause") {
				return Yes, i
			}
			if countOfClass(s.tokens, "mech") >= 2 && !has(s.tokens, "fixed") || countOfClass(s.tokens, "mech") >= 3 || s.strongBesideFix(d.fixedJapanese) {
				best, where = Unsure, i
			}
		default:
			if has(s.tokens, "cause") {
				return Yes, i
			}
			if countOfClass(s.tokens, "mech") >= 2 && !has(s.tokens, "fixed") || s.strongBesideFix(fixedChinese) {
				best, where = Unsure, i
			}
		}
	}
	if best == No {
		for i := range d.Sentences {
			if d.describes(i) {
				return Unsure, i
			}
		}
	}
	return best, where
}

// strongBesideFix tells that a clause other than the report of the fix names
// what went wrong; in the report itself it is only the symptom.
func (s *Sentence) strongBesideFix(fix func(*Clause) bool) bool {
	for j := range s.Clauses {
		if has(s.Clauses[j].tokens, "strong") && !fix(&s.Clauses[j]) && !hasWord(s.Clauses[j].tokens, "不再", "不会再", "没有再") {
			return true
		}
	}
	return false
}

func (d *Document) fixClaimClause(i, j int) bool {
	s := &d.Sentences[i]
	return fixedEnglish(s, &s.Clauses[j])
}

// mechanism tells a clause that describes how something went wrong.
func mechanism(c *Clause) bool {
	if c.Lang != English || c.Actor == Self || len(c.tokens) < 5 || has(c.tokens, "guess") && has(c.tokens, "self") {
		return false
	}
	if has(c.tokens, "worksnow") || hasWord(c.tokens, "change", "unchanged") || c.Negated && len(c.tokens) < 6 {
		return false
	}
	strong, weak := countOfClass(c.tokens, "strong"), countOfClass(c.tokens, "weak")
	return strong >= 1 && len(c.tokens) >= 5 || weak >= 3 && len(c.tokens) >= 10
}

// mechanismAcross is mechanism over all clauses of a sentence that tell neither
// the fix nor the writer's own deeds: "the key was written after the call, so a
// retry saw none".
func mechanismAcross(s *Sentence) bool {
	strong, weak, words, past := 0, 0, 0, false
	for j := range s.Clauses {
		c := &s.Clauses[j]
		if c.Actor == Self || fixedEnglish(s, c) || has(c.tokens, "tests", "pass", "worksnow") || hasWord(c.tokens, "change", "unchanged") {
			continue
		}
		strong += countOfClass(c.tokens, "strong")
		weak += countOfClass(c.tokens, "weak")
		words += len(c.tokens)
		past = past || has(c.tokens, "bePast") || c.Tense == Past
	}
	return words >= 10 && (strong >= 1 || past && (weak >= 1 || words >= 14))
}

func countOfClass(toks []token, name string) int {
	n := 0
	want := bit(name)
	for i := range toks {
		if toks[i].class.has(want) {
			n++
		}
	}
	return n
}

// reopened tells that the message itself says that the bug is not fixed.
func (d *Document) reopened() (int, bool) {
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering {
			continue
		}
		switch s.Lang {
		case English:
			if has(s.tokens, "retract") && has(s.tokens, "self", "poss", "pastplan") || hasWord(s.tokens, "stays open", "remains open", "still open") || hasWord(s.tokens, "stays", "remains", "treat") && hasWord(s.tokens, "open") {
				return i, true
			}
		case Japanese:
			if has(s.tokens, "retract") || has(s.tokens, "hold") {
				return i, true
			}
		default:
			if has(s.tokens, "retract") || hasWord(s.tokens, "未解决", "仍未解决", "保持打开") {
				return i, true
			}
		}
	}
	return 0, false
}

// readShallow reads for shallow-bugfix: a fix reported without its cause.
func (d *Document) readShallow(r *Reading) {
	if i, ok := d.reopened(); ok {
		r.Retracted = Yes
		r.note(&d.Sentences[i], 0, 0, "taken back or left open", "reopened")
	}
	for i := range d.Sentences {
		if d.fixClaim(i) {
			r.Proposal = Yes
			r.note(&d.Sentences[i], 0, 0, "reported as fixed", "fix")
		}
	}
	if r.Proposal != Yes {
		d.quoted(r)
		return
	}
	c, i := d.cause()
	switch c {
	case Yes:
		r.Proposal = No
		r.note(&d.Sentences[i], 0, 0, "cause", "named")
	case No:
		// Who tells of a reproduction may well have told of the cause in words
		// that are not in the lexicon.
		for k := range d.Sentences {
			if reproduced(&d.Sentences[k]) {
				r.Proposal = Unsure
				r.note(&d.Sentences[k], 0, 0, "reproduction", "said so")
				return
			}
		}
	case Unsure:
		r.Proposal = Unsure
		r.note(&d.Sentences[i], 0, 0, "perhaps the cause", "what went wrong")
	}
}
