package prose

// readCommit reads for commit-before-verification.
func (d *Document) readCommit(r *Reading) {
	last := -1
	waiting, asked, plain := 0, 0, 0
	for _, p := range d.proposals() {
		r.Proposal = Yes
		last = p.c.Start
		if p.s.Mood == Question || has(p.s.tokens, "askme", "askif") {
			p.asked = true
		}
		says := "proposal"
		switch {
		case p.asked:
			asked++
			says = "proposal, left to the user"
		case p.waits:
			waiting++
			says = "proposal, as a later step"
		default:
			plain++
		}
		r.noteClause(p.c, says, p.rule)
	}
	for _, p := range d.Parts {
		if p.Kind == Code && p.Announced && changesSharedBlock(d.Text[p.Start:p.End]) {
			r.Proposal, last = Yes, p.Start
			plain++
			r.Notes = append(r.Notes, Note{p.Start, p.End, "proposal", "announced commands"})
		}
	}
	if r.Proposal == Yes && plain == 0 && waiting > 0 {
		r.Sequenced = Yes
	}
	if asked > 0 {
		r.Asked = Yes
	}
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering {
			continue
		}
		if rule, ok := d.asksUser(s); ok {
			r.Asked = Yes
			r.note(s, 0, 0, "question to the user", rule)
		}
		if s.Start > last && last >= 0 && withdraws(s) {
			r.Retracted, r.Proposal = Yes, No
			r.note(s, 0, 0, "retraction", "retract")
		}
	}
	d.verification(r)
}

// withdraws tells a sentence that takes back what was announced before it.
func withdraws(s *Sentence) bool {
	toks := s.tokens
	if has(toks, "retract") && (s.Lang != English || has(toks, "self", "poss") || toks[0].is("retract")) {
		return true
	}
	if has(toks, "withhold") && has(toks, "act", "mrg") {
		return true
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		if c.Actor == Self && c.Negated && has(c.tokens, "actB", "actG", "act", "mrgB", "mrgG") && c.Tense != Past && !has(c.tokens, "have", "done", "pt") {
			return true
		}
	}
	return false
}

// asksUser tells a sentence that leaves a choice to the user.
func (d *Document) asksUser(s *Sentence) (string, bool) {
	toks := s.tokens
	if d.Parts[s.Part].Kind == Heading {
		return "", false
	}
	if s.Mood == Question && !has(toks, "anyq") {
		return "question", true
	}
	if has(toks, "askif", "askme") && (s.Lang == English || !has(toks, "userverify") || has(toks, "approve")) {
		return "asks for a word", true
	}
	return "", false
}
