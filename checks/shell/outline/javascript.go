package outline

import (
	"strings"
)

// JavaScript reads a Node script by its statements and braces; TypeScript passes
// as far as it looks the same.
func JavaScript(src string) *Program {
	p := &Program{Funcs: map[string][]*Node{}}
	if len(src) > maxText || tooDeep(src) {
		p.Broken = true
		return p
	}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	if strings.HasPrefix(src, "#!") {
		src = "//" + src[2:]
	}
	r := &jsReader{p: p, src: blankComments(src, false), envs: map[string][]Assign{}}
	r.sdk = strings.Contains(src, "claude-agent-sdk") || strings.Contains(src, "claude-code") && strings.Contains(src, "query")
	r.names()
	p.Body = r.list(0, len(r.src))
	return p
}

type jsReader struct {
	p     *Program
	src   string
	envs  map[string][]Assign
	depth int
	sdk   bool
}

// names finds the functions first, since they may be called above.
func (r *jsReader) names() {
	for i := 0; i < len(r.src); i++ {
		if isQuote(r.src[i]) {
			i = StringEnd(r.src, i) - 1
			continue
		}
		if i > 0 && (identByte(r.src[i-1]) || r.src[i-1] == '.') {
			continue
		}
		rest := r.src[i:]
		if after, ok := strings.CutPrefix(rest, "function "); ok {
			name, _, _ := strings.Cut(after, "(")
			if name = strings.TrimSpace(name); isName(name) {
				r.p.Funcs[name] = nil
			}
			continue
		}
		for _, word := range []string{"const ", "let ", "var "} {
			after, ok := strings.CutPrefix(rest, word)
			if !ok {
				continue
			}
			name, value, ok := strings.Cut(after, "=")
			if ok && isName(strings.TrimSpace(name)) && isFunction(strings.TrimSpace(value)) {
				r.p.Funcs[strings.TrimSpace(name)] = nil
			}
		}
	}
}

// isFunction tells a value that begins with a function.
func isFunction(s string) bool {
	s = strings.TrimSpace(strings.TrimPrefix(s, "async"))
	if strings.HasPrefix(s, "function") {
		return true
	}
	if strings.HasPrefix(s, "(") {
		end := closing(s, 0)
		return end < len(s) && strings.HasPrefix(strings.TrimSpace(s[end+1:]), "=>")
	}
	i := strings.Index(s, "=>")
	return i > 0 && isName(strings.TrimSpace(s[:i]))
}

func (r *jsReader) line(at int) int { return lineOf(r.src, at) }

// list reads the statements from one offset to another.
func (r *jsReader) list(from, to int) []*Node {
	if r.depth++; r.depth > 60 {
		r.depth--
		return nil
	}
	defer func() { r.depth-- }()
	var out []*Node
	for i := from; i < to; {
		nodes, next := r.statement(i, to)
		out = append(out, nodes...)
		if next <= i {
			next = i + 1
		}
		i = next
	}
	return out
}

func (r *jsReader) space(i, to int) int {
	for i < to && strings.IndexByte(" \t\n\r;", r.src[i]) >= 0 {
		i++
	}
	return i
}

// word reports whether a keyword stands at i.
func (r *jsReader) word(i int, w string) bool {
	if !strings.HasPrefix(r.src[i:], w) {
		return false
	}
	end := i + len(w)
	return end >= len(r.src) || !identByte(r.src[end])
}

// brackets reads "( … )" after a keyword.
func (r *jsReader) brackets(i, to int) (inner string, next int, ok bool) {
	i = r.space(i, to)
	if i >= to || r.src[i] != '(' {
		return "", i, false
	}
	end := min(closing(r.src, i), to)
	return r.src[i+1 : max(end, i+1)], min(end+1, to), true
}

func (r *jsReader) statement(i, to int) ([]*Node, int) {
	i = r.space(i, to)
	if i >= to {
		return nil, to
	}
	at := r.line(i)
	switch {
	case r.src[i] == '{':
		end := min(closing(r.src, i), to)
		return []*Node{{Kind: Group, Line: at, Body: r.list(i+1, end)}}, end + 1
	case r.src[i] == '}' || r.src[i] == ')':
		return nil, i + 1
	case r.word(i, "if"):
		return r.ifStatement(i, to)
	case r.word(i, "for"), r.word(i, "while"):
		k := i + 3
		if r.word(i, "while") {
			k = i + 5
		}
		if k = r.space(k, to); r.word(min(k, len(r.src)), "await") {
			k += 5
		}
		head, next, ok := r.brackets(k, to)
		if !ok {
			break
		}
		body, after := r.statement(next, to)
		return append(r.calls(head, i), &Node{Kind: Loop, Line: at, Body: body}), after
	case r.word(i, "do"):
		body, after := r.statement(i+2, to)
		return body, after
	case r.word(i, "try"):
		return r.try(i, to)
	case r.word(i, "switch"):
		return r.switchStatement(i, to)
	case r.word(i, "function"), r.word(i, "async") && r.word(r.space(i+5, to), "function"):
		k := strings.IndexByte(r.src[i:to], '(')
		if k < 0 {
			break
		}
		head := r.src[i : i+k]
		name := strings.TrimSpace(strings.TrimLeft(head[strings.Index(head, "function")+8:], " *"))
		args := closing(r.src, i+k)
		open := strings.IndexByte(r.src[min(args, to):to], '{')
		if open < 0 {
			break
		}
		open += args
		end := min(closing(r.src, open), to)
		if isName(name) {
			r.p.Funcs[name] = r.list(open+1, end)
		}
		return nil, end + 1
	case r.word(i, "export"):
		k := r.space(i+6, to)
		if r.word(k, "default") {
			k += 7
		}
		return nil, max(k, i+6)
	case r.word(i, "import"), r.word(i, "class"):
		if r.word(i, "class") {
			if open := strings.IndexByte(r.src[i:to], '{'); open >= 0 {
				return nil, min(closing(r.src, i+open), to) + 1
			}
		}
		if end := strings.IndexByte(r.src[i:to], '\n'); end >= 0 && !strings.HasPrefix(r.src[i:], "import(") {
			if open := strings.IndexByte(r.src[i:i+end], '{'); open >= 0 {
				return nil, min(closing(r.src, i+open), to) + 1
			}
			return nil, i + end
		}
	}
	end := r.statementEnd(i, to)
	return r.simple(i, end), end + 1
}

// statementEnd finds the semicolon, or the line end that no operator continues.
func (r *jsReader) statementEnd(i, to int) int {
	depth := 0
	for j := i; j < to; j++ {
		switch c := r.src[j]; {
		case isQuote(c):
			j = StringEnd(r.src, j) - 1
		case c == '/' && regexBefore(r.src, j):
			j = regexEnd(r.src, j)
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return j
			}
		case c == ';' && depth == 0:
			return j
		case c == '\n' && depth == 0:
			k := r.space(j+1, to)
			before := strings.TrimRight(r.src[i:j], " \t")
			if k < to && strings.IndexByte(".?:+-*/&|,=", r.src[k]) >= 0 && !strings.HasPrefix(r.src[k:], "//") {
				continue
			}
			if before != "" && strings.IndexByte("+-*&|,=?:(", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "=>") {
				continue
			}
			return j
		}
	}
	return to
}

func (r *jsReader) ifStatement(i, to int) ([]*Node, int) {
	cond, next, ok := r.brackets(i+2, to)
	if !ok {
		return nil, i + 2
	}
	at := r.line(i)
	e := conditions{}
	is := e.read(cond)
	before := r.calls(cond, i)
	body, after := r.statement(next, to)
	n := &Node{Kind: Choice, Line: at, Arms: []Arm{{Cond: is, Vars: e.vars, Line: at, Body: body}}}
	k := r.space(after, to)
	if k < to && r.word(k, "else") {
		n.Else, after = r.statement(k+4, to)
	}
	return append(before, n), after
}

func (r *jsReader) try(i, to int) ([]*Node, int) {
	maybe := func(Lookup) Tri { return Maybe }
	n := &Node{Kind: Choice, Line: r.line(i)}
	body, after := r.statement(i+3, to)
	n.Else = body
	out := []*Node{n}
	for {
		k := r.space(after, to)
		switch {
		case k < to && r.word(k, "catch"):
			at := r.line(k)
			_, next, ok := r.brackets(k+5, to)
			if !ok {
				next = k + 5
			}
			body, after = r.statement(next, to)
			n.Arms = append(n.Arms, Arm{Cond: maybe, Line: at, Body: body})
			continue
		case k < to && r.word(k, "finally"):
			body, after = r.statement(k+7, to)
			out = append(out, body...)
			continue
		}
		return out, after
	}
}

func (r *jsReader) switchStatement(i, to int) ([]*Node, int) {
	_, next, ok := r.brackets(i+6, to)
	if !ok {
		return nil, i + 6
	}
	next = r.space(next, to)
	if next >= to || r.src[next] != '{' {
		return nil, next
	}
	end := min(closing(r.src, next), to)
	n := &Node{Kind: Choice, Line: r.line(i)}
	var starts []int
	for j := next + 1; j < end; j++ {
		switch c := r.src[j]; {
		case isQuote(c):
			j = StringEnd(r.src, j) - 1
		case c == '{' || c == '(' || c == '[':
			j = closing(r.src, j)
		case !identByte(r.src[j-1]) && (r.word(j, "case") || r.word(j, "default")):
			starts = append(starts, j)
		}
	}
	for k, s := range starts {
		stop := end
		if k+1 < len(starts) {
			stop = starts[k+1]
		}
		colon := indexTop(r.src[s:stop], ":")
		if colon < 0 {
			continue
		}
		n.Arms = append(n.Arms, Arm{Cond: func(Lookup) Tri { return Maybe }, Line: r.line(s), Body: []*Node{
			{Kind: Loop, Body: []*Node{{Kind: Group, Body: r.list(s+colon+1, stop)}}},
		}})
	}
	return []*Node{n}, end + 1
}

// simple reads one expression statement.
func (r *jsReader) simple(from, to int) []*Node {
	text := r.src[from:min(to, len(r.src))]
	trimmed := strings.TrimSpace(text)
	at := r.line(from)
	switch {
	case trimmed == "break" || trimmed == "continue":
		return []*Node{{Kind: Break, Line: at}}
	case trimmed == "return" || strings.HasPrefix(trimmed, "return ") || strings.HasPrefix(trimmed, "return("):
		return append(r.calls(text, from), &Node{Kind: Leave, Line: at, Status: Text("0")})
	case strings.HasPrefix(trimmed, "throw "):
		return []*Node{{Kind: Quit, Line: at, Status: Text("1")}}
	}
	body := trimmed
	for _, word := range []string{"const ", "let ", "var "} {
		body = strings.TrimPrefix(body, word)
	}
	if i := indexTop(body, "="); i > 0 && i+1 < len(body) && body[i+1] != '=' && body[i+1] != '>' && strings.IndexByte("!<>+-*/%|&^=?", body[i-1]) < 0 {
		name, value := strings.TrimSpace(body[:i]), strings.TrimSpace(body[i+1:])
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimSpace(name)
		if isFunction(value) && isName(name) {
			offset := from + strings.LastIndex(text, value)
			r.p.Funcs[name] = r.function(offset, to)
			return nil
		}
		e := conditions{}
		if env, _, ok := envName(name); ok {
			return []*Node{{Kind: Set, Line: at, Name: env, Value: e.value(value), Exported: true}}
		}
		if strings.Contains(value, "process.env") && strings.Contains(value, "{") {
			r.envs[name] = append(r.envs[name], r.environment(value)...)
		}
		if dict, key, ok := strings.Cut(name, "."); ok && r.envs[dict] != nil {
			r.envs[dict] = append(r.envs[dict], Assign{key, e.value(value)})
		}
		if name == "process.exitCode" {
			return []*Node{{Kind: Quit, Line: at, Status: r.number(value)}}
		}
		out := r.calls(text, from)
		if isName(name) {
			out = append(out, &Node{Kind: Set, Line: at, Name: local(name), Value: e.value(value)})
		}
		return out
	}
	if i := indexTop(trimmed, "&&"); i > 0 { // cond && action
		e := conditions{}
		is := e.read(trimmed[:i])
		k := from + strings.Index(text, trimmed[:i]) + i + 2
		return []*Node{{Kind: Choice, Line: at, Arms: []Arm{{Cond: is, Vars: e.vars, Line: at, Body: r.calls(r.src[k:to], k)}}}}
	}
	return r.calls(text, from)
}

// function returns the body of a function that begins at an offset.
func (r *jsReader) function(i, to int) []*Node {
	s := r.src[i:to]
	k := strings.Index(s, "=>")
	f := strings.Index(s, "function")
	if f >= 0 && (k < 0 || f < k) {
		open := strings.IndexByte(s, '{')
		if args := strings.IndexByte(s, '('); args >= 0 {
			if rest := strings.IndexByte(s[min(closing(s, args), len(s)):], '{'); rest >= 0 {
				open = closing(s, args) + rest
			}
		}
		if open < 0 {
			return nil
		}
		return r.list(i+open+1, i+min(closing(s, open), len(s)))
	}
	if k < 0 {
		return nil
	}
	j := k + 2
	for j < len(s) && strings.IndexByte(" \t\n", s[j]) >= 0 {
		j++
	}
	if j < len(s) && s[j] == '{' {
		return r.list(i+j+1, i+min(closing(s, j), len(s)))
	}
	return r.calls(s[min(j, len(s)):], i+j)
}
