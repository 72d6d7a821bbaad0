package prose

// planned tells that sentence i is a step of a list that gives an order: a
// numbered list in which another step stands before it, or a list that the
// sentence before it calls a plan or a procedure. Such a step waits.
func (d *Document) planned(i int) bool {
	at := d.Sentences[i].Part
	if d.Parts[at].Kind != Item {
		return false
	}
	first := at
	for first > 0 && d.Parts[first-1].Kind == Item {
		first--
	}
	earlier := false
	for k := i - 1; k >= 0; k-- {
		s := &d.Sentences[k]
		switch {
		case s.Part < first:
			return earlier || has(s.tokens, "plan") && !has(s.tokens, "now") && s.Part == first-1
		case s.Part < at && d.numbered(at) && !acts.touch(s):
			earlier = true
		}
	}
	return earlier
}

// numbered tells that a list item carries a number.
func (d *Document) numbered(part int) bool {
	line := d.Parts[part].Start
	for line > 0 && d.Text[line-1] != '\n' {
		line--
	}
	for _, r := range d.Text[line:d.Parts[part].Start] {
		if r >= '0' && r <= '9' {
			return true
		}
	}
	return false
}

// touch tells that a sentence names an act, so that it may be the first of
// several that are announced together.
func (tables) touch(s *Sentence) bool {
	return has(s.tokens, "actB", "actG", "actP", "mrgB", "mrgG", "act", "mrg", "actcmd")
}

// habitual tells that clause j, or the one that opens the sentence, says what
// happens every time: a description of a program or a procedure.
func habitual(s *Sentence, j int) bool {
	if s.Lang == English {
		return false
	}
	c := &s.Clauses[j]
	return has(c.tokens, "habit") || j > 0 && !has(c.tokens, "self", "now") && has(s.Clauses[0].tokens, "habit")
}
