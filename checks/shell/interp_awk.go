package shell

// awk finds in an awk program what it prints into files, pipes into commands
// and runs.
func (a *analyzer) awk(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	o := Options(c.Args, OptSpec{Stop: true, Short: "F:v:f:i:e:E:l:bcCgPrStOs", Long: "field-separator= assign= file= include= source= exec= load= posix sandbox re-interval lint=? version help"})
	var texts []string
	for _, w := range o.Values("e", "source") {
		texts = append(texts, a.intern(w))
	}
	rest := o.Rest
	e := effector{a, idx, st, cx}
	files := o.Values("f", "file", "E", "exec")
	for _, f := range files {
		if out, ok := a.written(a.path(a.dir(st), a.intern(f))); ok && out.known {
			texts = append(texts, out.text)
		} else {
			e.add(Read, f)
		}
	}
	if len(texts) == 0 && len(files) == 0 {
		if len(rest) == 0 {
			return
		}
		texts, rest = append(texts, a.intern(rest[0])), rest[1:]
	}
	vars := map[string]val{}
	for _, w := range o.Values("v", "assign") {
		if n, v, ok := w.Cut("="); ok {
			vars[n] = known(a.intern(v))
		}
	}
	op := Read
	for _, w := range o.Values("i", "include") {
		if w.Text == "inplace" {
			op = Modify
		}
	}
	for _, w := range rest {
		if !isAssign(w.Text) {
			e.add(op, w)
		}
	}
	for _, t := range texts {
		if len(t) > MaxParsed || !a.step(1+len(t)/64) {
			continue
		}
		p := &interp{a: a, idx: idx, lang: "awk", via: c.Name, st: st, cx: cx, vars: vars, alias: map[string]string{}, toks: lex("awk", t)}
		p.awkProgram()
	}
}

func (p *interp) awkProgram() {
	printing := false
	var printed val
	depth := 0
	for p.at < len(p.toks) && p.a.step(1) {
		t := p.toks[p.at]
		switch {
		case t.kind == tokIdent && (t.text == "print" || t.text == "printf"):
			printing, depth = true, 0
			p.at++
			at := p.at
			printed = p.awkValue()
			p.at = at
		case t.kind == tokLine || t.text == ";" || t.text == "}":
			printing = false
			p.at++
		case t.kind == tokPunct && t.text == "(" && printing:
			depth++
			p.at++
		case t.kind == tokPunct && t.text == ")" && printing:
			depth--
			p.at++
		case t.kind == tokPunct && (t.text == ">" || t.text == ">>") && printing && depth <= 0:
			p.at++
			op := Write
			if t.text == ">>" {
				op = Append
			}
			p.effect(op, []val{p.awkValue()}, false)
		case t.kind == tokPunct && t.text == "|":
			p.at++
			if p.punct(0, "&") {
				p.at++
			}
			if p.peek(0).text == "getline" {
				continue
			}
			if printing {
				p.cx.stdin = stdin{text: p.text(printed) + "\n", known: printed.known}
				p.piped(p.awkValue())
			}
		case t.kind == tokIdent && t.text == "system" && p.punct(1, "("):
			p.at += 2
			p.shell(p.awkValue(), "awk")
		case t.kind == tokIdent && t.text == "getline" && p.punct(1, "<"):
			p.at += 2
			p.effect(Read, []val{p.awkValue()}, false)
		case t.kind == tokIdent && p.punct(1, "="):
			p.at += 2
			p.vars[t.text] = p.awkValue()
		case t.kind == tokStr:
			v := p.awkValue()
			if p.is("|") && (p.peek(1).text == "getline" || p.punct(1, "&")) {
				p.shell(v, "awk")
			}
		default:
			p.at++
		}
	}
}

// piped runs a command that reads what awk prints.
func (p *interp) piped(v val) {
	was := p.a.cmd(p.idx).Carrier
	p.a.nested(p.idx, p.via, p.text(v), p.st.fork(), p.cx)
	p.a.cmd(p.idx).Carrier = was
}

// awkValue is a concatenation: strings, variables and fields side by side.
func (p *interp) awkValue() val {
	v := val{}
	some := false
	for p.at < len(p.toks) && p.a.step(1) {
		t := p.toks[p.at]
		var one val
		switch {
		case t.kind == tokStr:
			one = p.str(t)
		case t.kind == tokNum:
			one = known(t.text)
		case t.kind == tokIdent && t.text != "getline" && t.text != "in":
			if w, ok := p.vars[t.text]; ok {
				one = w
			} else {
				one = p.unknown(t.text)
			}
		case t.kind == tokPunct && t.text == "$":
			one = val{s: p.a.unknownOutput(p.cx.stdin.from, true)}
			p.at++ // the field's number or variable
		case t.kind == tokPunct && (t.text == "(" || t.text == ")") && !(t.text == ")" && some):
		default:
			return v
		}
		p.at++
		if one.known || one.s != "" {
			if some {
				v = p.concat(v, one)
			} else {
				v, some = one, true
			}
		}
	}
	return v
}
