package shell

import "strings"

// narrowing is a variable that a condition on its name bounds, until the
// statement behind the condition ends.
type narrowing struct {
	name string
	old  val
	end  int // index of the token behind the statement
}

// condition reads "if x.endswith('.pyc'):", "if x == 'dist':" and their like in
// JavaScript. What a search visits is then only what the condition lets pass.
// Nothing is consumed.
func (p *interp) condition() {
	if p.lang != "py" && p.lang != "js" {
		return
	}
	i, shut := p.at+1, ":"
	if p.lang == "js" {
		if !p.punct(1, "(") {
			return
		}
		i, shut = i+1, ")"
	}
	tok := func(n int) tok {
		if i+n < len(p.toks) {
			return p.toks[i+n]
		}
		return tok{kind: tokLine}
	}
	name := tok(0)
	old, ok := p.vars[name.text]
	if name.kind != tokIdent || !ok || !old.known {
		return
	}
	var want string
	var ends bool
	var after int
	switch {
	case tok(1).text == "." && (tok(2).text == "endswith" || tok(2).text == "endsWith") && tok(3).text == "(" && tok(4).kind == tokStr && tok(5).text == ")":
		want, ends, after = tok(4).text, true, 6
	case tok(1).text == "==" && tok(2).kind == tokStr:
		want, after = tok(2).text, 3
	case tok(1).text == "==" && tok(2).text == "=" && tok(3).kind == tokStr: // ===
		want, after = tok(3).text, 4
	default:
		return
	}
	for _, pc := range tok(after - 1 - b2i(ends)).pieces {
		if pc.code {
			return
		}
	}
	if tok(after).text != shut || want == "" || strings.Contains(want, "/") || hasPrivate(want) {
		return
	}
	s, ok := p.narrowed(old.s, want, ends)
	if !ok {
		return
	}
	p.narrow = append(p.narrow, narrowing{name.text, old, p.statementEnd(i + after + 1)})
	p.vars[name.text] = known(s)
}

// narrowed puts a name or the end of one in place of the pattern at the end of
// a path that a search visits. A path that is known is left alone.
func (p *interp) narrowed(s, want string, ends bool) (string, bool) {
	parts := p.a.word(s, "").Parts
	if len(parts) == 0 || len(parts) > 2 || parts[len(parts)-1].Kind != Glob || len(parts) == 2 && parts[0].Kind != Literal {
		return "", false
	}
	dir := ""
	if len(parts) == 2 {
		dir = parts[0].Text
	}
	switch parts[len(parts)-1].Text {
	case "**":
		dir += p.a.glob("**") + "/"
	case "*":
	default:
		return "", false
	}
	if ends {
		return dir + p.a.glob("*") + want, true
	}
	return dir + want, true
}

// statementEnd is the index behind the one statement, or block in braces, that
// starts at token i.
func (p *interp) statementEnd(i int) int {
	if i < len(p.toks) && p.toks[i].text == "{" {
		depth := 0
		for ; i < len(p.toks); i++ {
			switch p.toks[i].text {
			case "{":
				depth++
			case "}":
				if depth--; depth == 0 {
					return i
				}
			}
		}
		return i
	}
	if i < len(p.toks) && p.toks[i].kind == tokLine {
		i++
	}
	for i < len(p.toks) && p.toks[i].kind != tokLine && !(p.lang == "js" && p.toks[i].text == ";") {
		i++
	}
	return i
}

// widen ends the narrowings whose statement lies behind.
func (p *interp) widen() {
	for n := len(p.narrow) - 1; n >= 0 && p.at >= p.narrow[n].end; n-- {
		p.vars[p.narrow[n].name] = p.narrow[n].old
		p.narrow = p.narrow[:n]
	}
}
