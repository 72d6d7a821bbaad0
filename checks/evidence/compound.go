package evidence

func (p *flowParser) subshell(at way) (good, bad way) {
	p.pos++
	kept, exits, breaks := p.shell, p.exits, p.breaks
	p.shell, p.exits, p.breaks = kept.clone(), newEnds(), nil
	good, bad = p.list([]string{}, at)
	good, bad = meet(good, p.exits.good), meet(bad, p.exits.bad)
	p.shell, p.exits, p.breaks = kept, exits, breaks
	p.expect(")")
	return p.strict(good, bad)
}

// condition reads the commands that a keyword asks.
func (p *flowParser) condition(end string, at way) (yes, no way) {
	p.pos++
	p.lenient++
	yes, no = p.list([]string{end}, at)
	p.lenient--
	return yes, no
}

// branch reads commands that run only if something else says so.
func (p *flowParser) branch(until []string, at way, sure bool) (good, bad way) {
	if !sure {
		p.unsure++
		defer func() { p.unsure-- }()
	}
	return p.list(until, at)
}

func (p *flowParser) ifClause(at way) (good, bad way) {
	yes, no := p.condition("then", at)
	sure := no.dead || yes.dead
	good, bad = deadEnd, deadEnd
	for {
		t, ok := p.peek()
		switch {
		case !ok, isKeyword(t, "fi"):
			p.pos++
			return meet(good, no), bad
		case isKeyword(t, "then"):
			p.pos++
			g, b := p.branch([]string{"elif", "else", "fi"}, yes, sure)
			good, bad = meet(good, g), meet(bad, b)
		case isKeyword(t, "elif"):
			p.unsure++
			yes, no = p.condition("then", no)
			p.unsure--
		case isKeyword(t, "else"):
			p.pos++
			g, b := p.branch([]string{"fi"}, no, sure)
			good, bad, no = meet(good, g), meet(bad, b), deadEnd
		default:
			p.pos++
		}
	}
}

// whileLoop ends where its condition says so, or at a break.
func (p *flowParser) whileLoop(at way) (good, bad way) {
	t, _ := p.peek()
	goes, stops := p.condition("do", at)
	if t.text == "until" {
		goes, stops = stops, goes
	}
	p.unsure++
	_, _, left := p.loop(goes)
	p.unsure--
	return meet(stops, left), deadEnd
}

// forLoop runs no round where its words may be none. What a round does not make
// certain whether it fails or not, the next one may undo.
func (p *flowParser) forLoop(at way) (good, bad way) {
	words, in := 0, false
	for t, ok := p.peek(); ok && !isKeyword(t, "do"); t, ok = p.peek() {
		if in && !t.op && !t.live && len(t.subs) == 0 {
			words++
		}
		in = in || isKeyword(t, "in")
		delete(p.shell.vars, t.text)
		p.pos++
	}
	if words == 0 {
		p.unsure++
		defer func() { p.unsure-- }()
	}
	good, bad, left := p.loop(at)
	after := meet(meet(good, bad), left)
	if words == 0 {
		after = meet(after, at)
	}
	return after, deadEnd
}

// loop reads "do … done"; left is the way out by break.
func (p *flowParser) loop(at way) (good, bad, left way) {
	breaks := p.breaks
	left = deadEnd
	p.breaks = &left
	p.pos++
	good, bad = p.list([]string{"done"}, at)
	p.expect("done")
	p.breaks = breaks
	return good, bad, left
}

func (p *flowParser) caseClause(at way) (good, bad way) {
	for t, ok := p.peek(); ok && !isKeyword(t, "in"); t, ok = p.peek() {
		p.pos++
	}
	p.pos++
	good, bad = at, deadEnd // no pattern need fit
	p.unsure++
	defer func() { p.unsure-- }()
	for {
		t, ok := p.peek()
		switch {
		case !ok, isKeyword(t, "esac"):
			p.pos++
			return good, bad
		case isOp(t, ")"):
			p.pos++
			g, b := p.list([]string{"esac"}, at)
			good, bad = meet(good, g), meet(bad, b)
		default:
			p.pos++ // patterns, and what stands between the branches
		}
	}
}
