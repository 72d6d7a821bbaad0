package shell

import (
	"slices"
	"strings"
)

// statements runs statements until the closing byte or the end, and returns what
// they print.
func (p *ps) statements(closing byte) psVal {
	out := psVal{known: true}
	for p.a.step(1) {
		p.skip(true)
		if p.at >= len(p.src) {
			if closing != 0 {
				p.bad = true
			}
			return out
		}
		c := p.src[p.at]
		if c == closing && closing != 0 {
			p.at++
			return out
		}
		if c == '}' || c == ')' {
			p.bad = true
			p.at++
			continue
		}
		before := p.at
		v := p.statement()
		out.list = append(out.list, v.list...)
		out.from = append(out.from, v.from...)
		out.known = out.known && v.known
		if p.at == before {
			p.at++
		}
	}
	return out
}

// skip passes blanks and comments; with lines, ends of statements too.
func (p *ps) skip(lines bool) {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case lines && (c == '\n' || c == ';' || c == '&' && p.at+1 < len(p.src) && p.src[p.at+1] == '&' || c == '|' && p.at+1 < len(p.src) && p.src[p.at+1] == '|'):
			if c == '&' || c == '|' {
				p.cx.cond = true
				p.at++
			}
			p.at++
		case c == '`' && p.at+1 < len(p.src) && (p.src[p.at+1] == '\n' || p.src[p.at+1] == '\r'):
			p.at += 2
		case c == '#':
			for p.at < len(p.src) && p.src[p.at] != '\n' {
				p.at++
			}
		case strings.HasPrefix(p.src[p.at:], "<#"):
			end := strings.Index(p.src[p.at:], "#>")
			if end < 0 {
				p.bad = true
				p.at = len(p.src)
				return
			}
			p.at += end + 2
		default:
			return
		}
	}
}

// word peeks at the bare word that starts here, lower case.
func (p *ps) word() string {
	i := p.at
	for i < len(p.src) && (alnum(p.src[i]) || p.src[i] == '-') {
		i++
	}
	return strings.ToLower(p.src[p.at:i])
}

func (p *ps) statement() psVal {
	switch w := p.word(); w {
	case "if", "elseif", "while", "until", "switch", "catch", "foreach", "for":
		if p.behind(w) == '(' || w == "catch" || w == "switch" {
			p.at += len(w)
			return p.control(w)
		}
	case "else", "do", "try", "finally", "begin", "process", "end", "clean", "dynamicparam", "trap":
		if p.behind(w) == '{' {
			p.at += len(w)
			p.skip(true)
			return p.blockHere()
		}
	case "function", "filter", "workflow":
		p.at += len(w)
		p.function()
		return psVal{known: true}
	case "param", "using", "class", "enum":
		p.at += len(w)
		p.skip(false)
		if p.peek() == '(' {
			p.group('(', ')')
		} else {
			p.line()
		}
		return psVal{known: true}
	case "return", "throw", "exit", "break", "continue":
		p.at += len(w)
		p.skip(false)
		if p.ended() {
			return psVal{known: true}
		}
		return p.pipeline()
	}
	if v, ok := p.assignment(); ok {
		return v
	}
	return p.pipeline()
}

// behind is the first byte behind a word that starts here.
func (p *ps) behind(w string) byte {
	i := p.at + len(w)
	for i < len(p.src) && (p.src[i] == ' ' || p.src[i] == '\t' || p.src[i] == '\r' || p.src[i] == '\n') {
		i++
	}
	if i < len(p.src) {
		return p.src[i]
	}
	return 0
}

func (p *ps) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// line passes the rest of a line.
func (p *ps) line() {
	for p.at < len(p.src) && p.src[p.at] != '\n' {
		p.at++
	}
}

// ended tells the end of a statement or of what holds it.
func (p *ps) ended() bool {
	c := p.peek()
	return c == 0 || c == '\n' || c == ';' || c == '}' || c == ')' || c == '|' || c == '&' && (p.at+1 >= len(p.src) || p.src[p.at+1] == '&' || p.src[p.at+1] == '\n' || p.src[p.at+1] == ';')
}

// control reads a condition or loop head and runs its block.
func (p *ps) control(w string) psVal {
	p.skip(true)
	for p.peek() == '-' { // switch -Regex
		p.line1()
		p.skip(true)
	}
	if w == "catch" {
		for p.peek() == '[' {
			p.group('[', ']')
			p.skip(true)
			if p.peek() == ',' {
				p.at++
				p.skip(true)
			}
		}
		return p.blockHere()
	}
	if p.peek() != '(' {
		return psVal{}
	}
	head := p.group('(', ')')
	if w == "foreach" || w == "for" && !strings.Contains(head, ";") {
		p.loopHead(head)
	} else {
		p.sub(head, false)
	}
	p.skip(true)
	if p.peek() != '{' {
		return psVal{} // do … while (…)
	}
	if w == "switch" {
		p.cases(p.group('{', '}'))
		return psVal{}
	}
	return p.blockHere()
}

// line1 passes one word.
func (p *ps) line1() {
	for p.at < len(p.src) && !strings.ContainsRune(" \t\r\n(){};|", rune(p.src[p.at])) {
		p.at++
	}
}

// loopHead binds the variable of foreach ($x in …).
func (p *ps) loopHead(head string) {
	name, over, ok := strings.Cut(head, " in ")
	if !ok {
		p.sub(head, false)
		return
	}
	v := p.sub(over, false)
	p.vars[psName(strings.TrimSpace(name))] = v
}

// cases runs the blocks of a switch.
func (p *ps) cases(body string) {
	in := &ps{a: p.a, src: body, st: p.st, cx: p.cx, vars: p.vars, funcs: p.funcs, alias: p.alias, depth: p.depth + 1}
	in.cx.cond = true
	for in.at < len(in.src) && p.a.step(1) {
		in.skip(true)
		if in.peek() == '{' {
			in.blockHere()
			continue
		}
		if in.at < len(in.src) {
			before := in.at
			in.value()
			if in.at == before {
				in.at++
			}
		}
	}
}

// blockHere runs the script block that starts here.
func (p *ps) blockHere() psVal {
	if p.peek() != '{' {
		return psVal{}
	}
	return p.sub(p.group('{', '}'), true)
}

func (p *ps) function() {
	p.skip(false)
	start := p.at
	p.line1()
	name := strings.ToLower(p.src[start:p.at])
	if i := strings.LastIndexByte(name, ':'); i >= 0 { // global:name
		name = name[i+1:]
	}
	p.skip(true)
	head := ""
	if p.peek() == '(' {
		head = "param(" + p.group('(', ')') + ")\n"
		p.skip(true)
	}
	if p.peek() != '{' {
		return
	}
	body := head + p.group('{', '}')
	if p.funcs == nil {
		p.funcs = map[string]string{}
	}
	p.funcs[name] = body
}

// assignment reads $x = …, $env:X = …, [int]$x = ….
func (p *ps) assignment() (psVal, bool) {
	start := p.at
	for p.peek() == '[' {
		p.group('[', ']')
		p.skip(false)
	}
	if p.peek() != '$' {
		p.at = start
		return psVal{}, false
	}
	name := p.variableName()
	p.skip(false)
	op := ""
	for _, o := range [...]string{"+=", "-=", "??=", "="} {
		if strings.HasPrefix(p.src[p.at:], o) && !strings.HasPrefix(p.src[p.at:], "==") {
			op = o
			break
		}
	}
	if name == "" || op == "" {
		p.at = start
		return psVal{}, false
	}
	p.at += len(op)
	p.skip(true)
	v := p.statement()
	if op == "+=" {
		old := p.lookup(name)
		v = psVal{list: append(slices.Clip(old.list), v.list...), known: old.known && v.known, from: append(slices.Clip(old.from), v.from...)}
	}
	p.assign(name, v)
	return psVal{known: true}, true
}

// assign sets a variable. Those of the environment reach the programs that follow.
func (p *ps) assign(name string, v psVal) {
	if env, ok := strings.CutPrefix(name, "env:"); ok {
		env = strings.ToUpper(env)
		p.a.setValue(p.st, env, value{alts: []string{v.text()}, exported: true})
		// The guard's own switches are looked for where the shell exports.
		p.emit("export", "$env:"+env, []string{env + "=" + v.text()}, psVal{})
	}
	if len(p.vars) < 500 {
		p.vars[name] = v
	}
}
