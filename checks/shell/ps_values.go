package shell

import (
	"slices"
	"strings"
)

// group reads from an opening bracket to the one that closes it and returns what
// stands between. Quotes and comments in it are passed over.
func (p *ps) group(opening, closing byte) string {
	p.at++
	start := p.at
	for nest := 1; p.at < len(p.src); {
		switch c := p.src[p.at]; {
		case c == '\'' || c == '"':
			p.quoted()
			continue
		case c == '@' && p.at+1 < len(p.src) && (p.src[p.at+1] == '\'' || p.src[p.at+1] == '"') && p.hereString() != nil:
			continue
		case c == '`':
			p.at++
		case c == '#' && (p.at == 0 || strings.IndexByte(" \t\n;({", p.src[p.at-1]) >= 0):
			p.line()
			continue
		case c == opening:
			nest++
		case c == closing:
			if nest--; nest == 0 {
				text := p.src[start:p.at]
				p.at++
				return text
			}
		}
		p.at++
	}
	p.bad = true
	return p.src[start:]
}

// quoted passes a text in quotes and returns it with its quotes.
func (p *ps) quoted() string {
	start, q := p.at, p.src[p.at]
	for p.at++; p.at < len(p.src); p.at++ {
		switch c := p.src[p.at]; {
		case c == '`' && q == '"':
			p.at++
		case c == '$' && q == '"' && p.at+1 < len(p.src) && p.src[p.at+1] == '(':
			p.at++
			p.group('(', ')')
			p.at--
		case c == q:
			if p.at+1 < len(p.src) && p.src[p.at+1] == q { // doubled: the sign itself
				p.at++
				continue
			}
			p.at++
			return p.src[start:p.at]
		}
	}
	p.bad = true
	return p.src[start:]
}

// hereString passes @'…'@ or @"…"@ and returns its text; nil where none starts.
func (p *ps) hereString() *psVal {
	q := p.src[p.at+1]
	rest := p.src[p.at+2:]
	nl := strings.IndexByte(rest, '\n')
	if nl < 0 || strings.TrimSpace(rest[:nl]) != "" {
		return nil
	}
	end := strings.Index(rest, "\n"+string(q)+"@")
	if end < 0 {
		p.bad = true
		p.at = len(p.src)
		return &psVal{}
	}
	body := ""
	if end > nl {
		body = strings.ReplaceAll(rest[nl+1:end], "\r", "")
	}
	p.at += 2 + end + 3
	v := psText(body)
	if q == '"' {
		v = p.expand(body)
	}
	return &v
}

// expand reads what stands between double quotes.
func (p *ps) expand(s string) psVal {
	if !strings.ContainsAny(s, "$`\"") {
		return psText(s)
	}
	in := &ps{a: p.a, src: s, st: p.st, cx: p.cx, vars: p.vars, funcs: p.funcs, alias: p.alias, depth: p.depth + 1}
	var b strings.Builder
	out := psVal{known: true}
	for in.at < len(s) && p.a.step(1) {
		switch c := s[in.at]; {
		case c == '`' && in.at+1 < len(s):
			b.WriteString(psEscape(s[in.at+1]))
			in.at += 2
		case c == '"' && in.at+1 < len(s) && s[in.at+1] == '"':
			b.WriteByte('"')
			in.at += 2
		case c == '$' && in.at+1 < len(s) && (s[in.at+1] == '(' || s[in.at+1] == '{' || alpha(s[in.at+1]) || s[in.at+1] == '_'):
			v := in.dollar()
			b.WriteString(v.text())
			out.known = out.known && v.known
			out.from = append(out.from, v.from...)
		default:
			b.WriteByte(c)
			in.at++
		}
	}
	out.list = []string{b.String()}
	return out
}

func psEscape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case '0':
		return ""
	}
	return string(c)
}

// psName is the name of a variable, lower case and without scope.
func psName(s string) string {
	s = strings.ToLower(strings.Trim(strings.TrimPrefix(s, "$"), "{}"))
	for _, scope := range [...]string{"global:", "script:", "local:", "private:", "using:", "variable:"} {
		s = strings.TrimPrefix(s, scope)
	}
	return s
}

// variableName reads $name, ${name} or $env:NAME and returns the name.
func (p *ps) variableName() string {
	p.at++ // the dollar
	if p.peek() == '{' {
		return psName(p.group('{', '}'))
	}
	start := p.at
	for p.at < len(p.src) && (alnum(p.src[p.at]) || p.src[p.at] == ':' && p.at+1 < len(p.src) && alnum(p.src[p.at+1])) {
		p.at++
	}
	if p.at == start && p.at < len(p.src) && strings.IndexByte("_?$^", p.src[p.at]) >= 0 {
		p.at++
	}
	return psName(p.src[start:p.at])
}

// dollar reads a variable or a subexpression.
func (p *ps) dollar() psVal {
	if p.at+1 < len(p.src) && p.src[p.at+1] == '(' {
		p.at++
		return p.sub(p.group('(', ')'), false)
	}
	return p.lookup(p.variableName())
}

// lookup is the value of a variable.
func (p *ps) lookup(name string) psVal {
	if v, ok := p.vars[name]; ok {
		return v
	}
	switch name {
	case "true", "false", "null":
		return psText(strings.TrimSuffix(name, "null"))
	case "home":
		return psText(p.a.get(p.st, "HOME"))
	case "pwd", "psscriptroot":
		return psText(p.a.dir(p.st))
	}
	if env, ok := strings.CutPrefix(name, "env:"); ok {
		if v, ok := p.a.windowsVar(env, p.st); ok {
			return psText(v)
		}
		if v, ok := p.a.lookup(p.st, strings.ToUpper(env)); ok && len(v.alts) > 0 {
			return psText(v.alts[0])
		}
		return p.unknown(strings.ToUpper(env))
	}
	return p.unknown(name)
}

// value reads one operand: a literal, a variable, a group, a call of .NET, a bare
// word. What members and indexes follow is read too.
func (p *ps) value() psVal {
	var v psVal
	switch c := p.peek(); {
	case c == '\'':
		s := p.quoted()
		v = psText(strings.ReplaceAll(strings.TrimSuffix(s[1:], "'"), "''", "'"))
	case c == '"':
		s := p.quoted()
		v = p.expand(strings.TrimSuffix(s[1:], "\""))
	case c == '$':
		v = p.dollar()
	case c == '(':
		v = p.sub(p.group('(', ')'), false)
	case c == '{':
		v = psVal{block: p.group('{', '}'), known: true}
	case c == '[':
		v = p.typed()
	case c == '@' && p.at+1 < len(p.src):
		switch p.src[p.at+1] {
		case '(':
			p.at++
			v = p.sub(p.group('(', ')'), false)
		case '{':
			p.at++
			v = p.hash(p.group('{', '}'))
		case '\'', '"':
			if h := p.hereString(); h != nil {
				v = *h
				break
			}
			fallthrough
		default: // @splat
			p.at++
			v = p.unknown("splat")
			p.line1()
		}
	default:
		return p.bare()
	}
	return p.members(v)
}

// hash reads the pairs of a table; its value is a text of them.
func (p *ps) hash(body string) psVal {
	in := &ps{a: p.a, src: body, st: p.st, cx: p.cx, vars: p.vars, funcs: p.funcs, alias: p.alias, depth: p.depth + 1}
	out := psVal{known: true}
	for p.depth < maxDepth && p.a.step(1) {
		in.skip(true)
		if in.at >= len(body) {
			break
		}
		before := in.at
		key := in.value()
		in.skip(false)
		if in.peek() != '=' {
			in.at = max(in.at, before+1)
			continue
		}
		in.at++
		in.skip(true)
		v := in.statement()
		out.list = append(out.list, key.text()+": "+v.text())
		out.known = out.known && v.known
		out.from = append(out.from, v.from...)
	}
	return psVal{list: []string{strings.Join(out.list, "\n")}, known: out.known, from: out.from}
}

// bare reads an unquoted word of a command line; variables and quotes may stand
// in it.
func (p *ps) bare() psVal {
	var b strings.Builder
	out := psVal{known: true}
	for p.at < len(p.src) && p.a.step(1) {
		c := p.src[p.at]
		switch {
		case strings.IndexByte(" \t\r\n;|(){},", c) >= 0, c == '&' && b.Len() > 0, c == '<', c == '>':
			out.list = []string{b.String()}
			return out
		case c == '`' && p.at+1 < len(p.src):
			b.WriteString(psEscape(p.src[p.at+1]))
			p.at += 2
		case c == '\'' || c == '"' || c == '$' && p.at+1 < len(p.src) && strings.IndexByte(" \t\n;|", p.src[p.at+1]) < 0:
			var v psVal
			switch c {
			case '\'':
				s := p.quoted()
				v = psText(strings.ReplaceAll(strings.TrimSuffix(s[1:], "'"), "''", "'"))
			case '"':
				s := p.quoted()
				v = p.expand(strings.TrimSuffix(s[1:], "\""))
			default:
				v = p.dollar()
			}
			b.WriteString(v.text())
			out.known = out.known && v.known
			out.from = append(out.from, v.from...)
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	out.list = []string{b.String()}
	return out
}

// argument reads one argument of a command: a value, or several with commas.
func (p *ps) argument() psVal {
	v := p.joined()
	for {
		at := p.at
		p.skip(false)
		if p.peek() != ',' {
			p.at = at
			return v
		}
		p.at++
		p.skip(true)
		w := p.joined()
		v.list = append(slices.Clip(v.list), w.list...)
		v.known = v.known && w.known
		v.from = append(slices.Clip(v.from), w.from...)
	}
}

// joined reads a value and what clings to it: $dir\file, "a"b.
func (p *ps) joined() psVal {
	v := p.value()
	if c := p.peek(); v.block == "" && c != 0 && strings.IndexByte(" \t\r\n;|){},<>", c) < 0 && (c == '\\' || c == '/' || c == '\'' || c == '"' || c == '$' || c == '-' || c == '_' || c == '*' || alnum(c)) {
		w := p.bare()
		return psVal{list: []string{v.text() + w.text()}, known: v.known && w.known, from: append(slices.Clip(v.from), w.from...)}
	}
	return v
}

// expression reads operands and operators; only joining texts is understood.
func (p *ps) expression() psVal {
	v := p.unary()
	for p.a.step(1) {
		p.skip(false)
		c := p.peek()
		switch {
		case c == '+' && p.at+1 < len(p.src) && p.src[p.at+1] != '+':
			p.at++
			p.skip(true)
			w := p.unary()
			if len(v.list) == 1 && len(w.list) == 1 {
				v = psVal{list: []string{v.list[0] + w.list[0]}, known: v.known && w.known, from: append(slices.Clip(v.from), w.from...)}
			} else {
				v.list, v.known = append(slices.Clip(v.list), w.list...), v.known && w.known
			}
		case c == ',':
			p.at++
			p.skip(true)
			w := p.unary()
			v.list, v.known = append(slices.Clip(v.list), w.list...), v.known && w.known
			v.from = append(slices.Clip(v.from), w.from...)
		case c == '-' && p.at+1 < len(p.src) && alpha(p.src[p.at+1]):
			p.at++
			op := p.word()
			p.at += len(op)
			p.skip(true)
			w := p.unary()
			v = p.operator(op, v, w)
		case c == '*' || c == '/' || c == '%' || c == '?' || c == ':' && p.at+1 < len(p.src) && p.src[p.at+1] != ':' || c == '.' && p.at+1 < len(p.src) && p.src[p.at+1] == '.' || c == '-':
			for p.peek() == c {
				p.at++
			}
			p.skip(true)
			w := p.unary()
			v = psVal{list: append(slices.Clip(v.list), w.list...), from: append(v.from, w.from...)}
		default:
			return v
		}
	}
	return v
}

func (p *ps) unary() psVal {
	p.skip(false)
	for p.peek() == '!' || p.peek() == '-' && strings.HasPrefix(strings.ToLower(p.src[p.at:]), "-not") || p.peek() == '+' || p.peek() == ',' {
		if p.peek() == '-' {
			p.at += 3
		}
		p.at++
		p.skip(false)
	}
	v := p.value()
	if p.peek() == '+' && strings.HasPrefix(p.src[p.at:], "++") || strings.HasPrefix(p.src[p.at:], "--") {
		p.at += 2
	}
	return v
}

// operator joins two values by a named operator.
func (p *ps) operator(op string, v, w psVal) psVal {
	switch op {
	case "join":
		return psVal{list: []string{strings.Join(v.list, w.text())}, known: v.known, from: v.from}
	case "replace", "creplace", "ireplace":
		if v.known && w.known && len(w.list) > 0 && !strings.ContainsAny(w.list[0], `\^$*+?[](){}|.`) {
			to := ""
			if len(w.list) > 1 {
				to = w.list[1]
			}
			out := psVal{known: true}
			for _, s := range v.list {
				out.list = append(out.list, strings.ReplaceAll(s, w.list[0], to))
			}
			return out
		}
		return p.unknown("", v.from...)
	case "f":
		text := v.text()
		for i, s := range w.list {
			text = strings.ReplaceAll(text, "{"+string(rune('0'+i%10))+"}", s)
		}
		return psVal{list: []string{text}, known: v.known && w.known}
	case "split", "csplit", "isplit":
		if v.known && w.known && w.text() != "" {
			return psVal{list: strings.Split(v.text(), w.text()), known: true}
		}
		return v
	case "as":
		return v
	}
	return psVal{} // a comparison
}
