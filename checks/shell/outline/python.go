package outline

import (
	"strings"
)

// Python reads a Python script by its lines and indentation.
func Python(src string) *Program {
	p := &Program{Funcs: map[string][]*Node{}}
	if len(src) > maxText {
		p.Broken = true
		return p
	}
	r := &pythonReader{p: p, dicts: map[string][]Assign{}}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	r.logStdout = strings.Contains(src, "stream=sys.stdout") || strings.Contains(src, "StreamHandler(sys.stdout)")
	r.sdk = strings.Contains(src, "claude_agent_sdk") || strings.Contains(src, "claude_code_sdk")
	r.lines = logicalLines(blankComments(src, true))
	for _, l := range r.lines {
		if name, ok := defName(l.text); ok {
			p.Funcs[name] = nil
		}
	}
	p.Body = r.block(-1)
	return p
}

type logical struct {
	indent, line int
	text         string
}

// logicalLines joins what brackets and backslashes continue, and cuts at
// semicolons outside strings.
func logicalLines(src string) []logical {
	var out []logical
	for i := 0; i < len(src); {
		start := i
		depth := 0
		j := i
	scan:
		for j < len(src) {
			switch c := src[j]; {
			case isQuote(c) && c != '`':
				j = StringEnd(src, j)
				continue
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				depth--
			case c == '\\' && j+1 < len(src) && src[j+1] == '\n':
				j++
			case c == '\n' && depth <= 0:
				break scan
			}
			j++
		}
		text := src[start:min(j, len(src))]
		if trimmed := strings.TrimSpace(text); trimmed != "" {
			out = append(out, logical{indentOf(text), lineOf(src, start), trimmed})
		}
		i = j + 1
	}
	return out
}

// indentOf is the width of the blanks that a line begins with.
func indentOf(line string) int {
	blank := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(blank) + 7*strings.Count(blank, "\t")
}

type pythonReader struct {
	p         *Program
	lines     []logical
	at        int
	depth     int
	dicts     map[string][]Assign
	logStdout bool
	sdk       bool
}

func defName(text string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "async "), "def ")
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(rest, "(")
	return strings.TrimSpace(name), ok
}

// block reads the lines that are indented more than outer.
func (r *pythonReader) block(outer int) []*Node {
	r.depth++
	defer func() { r.depth-- }()
	var out []*Node
	if r.at >= len(r.lines) || r.depth > 60 {
		r.at = len(r.lines)
		return nil
	}
	indent := r.lines[r.at].indent
	for r.at < len(r.lines) && r.lines[r.at].indent > outer {
		l := r.lines[r.at]
		if l.indent > indent {
			r.at++ // odd indentation: passed over
			continue
		}
		out = append(out, r.statement(l)...)
	}
	return out
}

// suite reads what follows a colon: the rest of the line, or the block below.
func (r *pythonReader) suite(l logical, rest string) []*Node {
	if rest = strings.TrimSpace(rest); rest != "" {
		return r.simple(logical{l.indent, l.line, rest})
	}
	return r.block(l.indent)
}

// head cuts "word cond: rest".
func head(text, word string) (cond, rest string, ok bool) {
	after, found := strings.CutPrefix(text, word)
	if !found || after != "" && identByte(after[0]) {
		return "", "", false
	}
	i := indexTop(after, ":")
	if i < 0 {
		return "", "", false
	}
	return strings.TrimSpace(after[:i]), after[i+1:], true
}

func (r *pythonReader) statement(l logical) []*Node {
	r.at++
	text := strings.TrimPrefix(l.text, "async ")
	if name, ok := defName(text); ok {
		i := strings.IndexByte(text, '(')
		end := closing(text, i)
		rest := text[min(end+1, len(text)):]
		_, rest, _ = strings.Cut(rest, ":")
		r.p.Funcs[name] = r.suite(l, rest)
		return nil
	}
	if _, rest, ok := head(text, "class"); ok {
		r.suite(l, rest)
		return nil
	}
	if cond, rest, ok := head(text, "if"); ok {
		n := &Node{Kind: Choice, Line: l.line}
		before := r.callsIn(cond, l.line)
		n.Arms = append(n.Arms, r.arm(cond, l, rest))
		for r.at < len(r.lines) && r.lines[r.at].indent == l.indent {
			next := r.lines[r.at]
			if cond, rest, ok := head(next.text, "elif"); ok {
				r.at++
				before = append(before, r.callsIn(cond, next.line)...)
				n.Arms = append(n.Arms, r.arm(cond, next, rest))
				continue
			}
			if _, rest, ok := head(next.text, "else"); ok {
				r.at++
				n.Else = r.suite(next, rest)
			}
			break
		}
		return append(before, n)
	}
	for _, word := range []string{"for", "while"} {
		if cond, rest, ok := head(text, word); ok {
			return append(r.callsIn(cond, l.line), &Node{Kind: Loop, Line: l.line, Body: r.suite(l, rest)})
		}
	}
	if cond, rest, ok := head(text, "with"); ok {
		return append(r.callsIn(cond, l.line), &Node{Kind: Group, Line: l.line, Body: r.suite(l, rest)})
	}
	if cond, rest, ok := head(text, "match"); ok && cond != "" {
		n := &Node{Kind: Choice, Line: l.line}
		_ = rest
		for r.at < len(r.lines) && r.lines[r.at].indent > l.indent {
			next := r.lines[r.at]
			if cond, rest, ok := head(next.text, "case"); ok {
				r.at++
				is := Maybe
				if cond == "_" {
					is = True
				}
				n.Arms = append(n.Arms, Arm{Cond: func(Lookup) Tri { return is }, Line: next.line, Body: r.suite(next, rest)})
				continue
			}
			r.at++
		}
		return []*Node{n}
	}
	if _, rest, ok := head(text, "try"); ok {
		return r.try(l, rest)
	}
	return r.simple(l)
}

func (r *pythonReader) try(l logical, rest string) []*Node {
	maybe := func(Lookup) Tri { return Maybe }
	n := &Node{Kind: Choice, Line: l.line}
	body := r.suite(l, rest)
	out := []*Node{n}
	for r.at < len(r.lines) && r.lines[r.at].indent == l.indent {
		next := r.lines[r.at]
		if _, rest, ok := head(next.text, "except"); ok {
			r.at++
			n.Arms = append(n.Arms, Arm{Cond: maybe, Line: next.line, Body: r.suite(next, rest)})
		} else if _, rest, ok := head(next.text, "else"); ok {
			r.at++
			body = append(body, r.suite(next, rest)...)
		} else if _, rest, ok := head(next.text, "finally"); ok {
			r.at++
			out = append(out, &Node{Kind: Group, Body: r.suite(next, rest)})
		} else {
			break
		}
	}
	n.Else = body
	return out
}

func (r *pythonReader) arm(cond string, l logical, rest string) Arm {
	e := conditions{python: true}
	is := e.read(cond)
	return Arm{Cond: is, Vars: e.vars, Line: l.line, Body: r.suite(l, rest)}
}

// simple reads a line of simple statements.
func (r *pythonReader) simple(l logical) []*Node {
	var out []*Node
	for _, text := range splitTop(l.text, ";") {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, r.one(logical{l.indent, l.line, text})...)
		}
	}
	return out
}

func (r *pythonReader) one(l logical) []*Node {
	text := l.text
	switch {
	case text == "break" || text == "continue":
		return []*Node{{Kind: Break, Line: l.line}}
	case text == "return" || strings.HasPrefix(text, "return ") || strings.HasPrefix(text, "return("):
		value := strings.TrimSpace(strings.TrimPrefix(text, "return"))
		out := r.callsIn(value, l.line)
		n := &Node{Kind: Leave, Line: l.line, Status: r.number(value)}
		if len(out) > 0 && n.Status == nil {
			return append(out, n)
		}
		return append(out, n)
	case strings.HasPrefix(text, "raise SystemExit"):
		return r.exit(strings.TrimPrefix(text, "raise "), l.line)
	case text == "raise" || strings.HasPrefix(text, "raise "):
		return []*Node{{Kind: Quit, Line: l.line, Status: Text("1")}}
	}
	if i := assignment(text); i > 0 {
		r.assign(strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]))
		if n := r.setEnv(text, i, l.line); n != nil {
			return []*Node{n}
		}
		out := r.callsIn(text[i+1:], l.line)
		name := strings.TrimSpace(text[:i])
		name, _, _ = strings.Cut(name, ":")
		if isName(strings.TrimSpace(name)) {
			e := conditions{python: true}
			value := e.value(strings.TrimSpace(text[i+1:]))
			out = append(out, &Node{Kind: Set, Line: l.line, Name: local(strings.TrimSpace(name)), Value: value})
		}
		return out
	}
	return r.callsIn(text, l.line)
}

// local keeps names of the program apart from those of the environment.
func local(name string) string { return "\x01" + name }

// assignment returns the offset of a plain = outside brackets, or -1.
func assignment(text string) int {
	i := indexTop(text, "=")
	if i <= 0 || i+1 < len(text) && text[i+1] == '=' || strings.IndexByte("!<>+-*/%|&^:", text[i-1]) >= 0 {
		return -1
	}
	return i
}
