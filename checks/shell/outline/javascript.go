package outline

import (
	"slices"
	"strconv"
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
			i = stringEnd(r.src, i) - 1
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
			j = stringEnd(r.src, j) - 1
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
			j = stringEnd(r.src, j) - 1
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

// calls turns the calls of a piece of source into nodes. Functions given to a
// call run after it, once.
func (r *jsReader) calls(text string, from int) []*Node {
	if r.depth++; r.depth > 60 {
		r.depth--
		return nil
	}
	defer func() { r.depth-- }()
	var out []*Node
	// Functions written in place are cut out and run behind.
	var later []*Node
	b := []byte(text)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if isQuote(c) {
			i = stringEnd(text, i) - 1
			continue
		}
		isArrow := c == '=' && i+1 < len(text) && text[i+1] == '>'
		isFunc := strings.HasPrefix(text[i:], "function") && (i == 0 || !identByte(text[i-1]))
		if !isArrow && !isFunc {
			continue
		}
		open := i + 2
		if isFunc {
			args := strings.IndexByte(text[i:], '(')
			if args < 0 {
				break
			}
			open = closing(text, i+args) + 1
		}
		for open < len(text) && strings.IndexByte(" \t\n", text[open]) >= 0 {
			open++
		}
		if open >= len(text) || text[open] != '{' {
			continue
		}
		end := min(closing(text, open), len(text)-1)
		later = append(later, &Node{Kind: Call, Name: r.anonymous(from+open+1, from+end)})
		for k := open; k <= end && k < len(b); k++ {
			if b[k] != '\n' {
				b[k] = ' '
			}
		}
		i = end
	}
	text = string(b)
	sites := callsOf(text)
	for _, site := range slices.Backward(sites) {
		out = append(out, r.call(site, r.line(from+site.at))...)
	}
	return append(out, later...)
}

// anonymous makes a function of a body, so that a return in it ends only that.
func (r *jsReader) anonymous(from, to int) string {
	name := "\x01" + strconv.Itoa(from)
	if _, done := r.p.Funcs[name]; !done {
		r.p.Funcs[name] = nil
		r.p.Funcs[name] = r.list(from, to)
	}
	return name
}

func (r *jsReader) number(s string) Expr {
	s = strings.TrimSpace(s)
	switch {
	case s == "" || s == "undefined":
		return Text("0")
	case isName(s):
		return func(look Lookup) string { return look(local(s)) }
	}
	if _, err := strconv.Atoi(s); err == nil {
		return Text(s)
	}
	return Text(Unknown)
}

func (r *jsReader) call(c callSite, line int) []*Node {
	name := strings.TrimPrefix(strings.ReplaceAll(c.name, "?.", "."), "await ")
	if _, own := r.p.Funcs[name]; own {
		return []*Node{{Kind: Call, Line: line, Name: name}}
	}
	short := name[strings.LastIndexByte(name, '.')+1:]
	switch name {
	case "console.log", "console.info", "console.debug", "console.table", "console.dir", "process.stdout.write", "Bun.write":
		if name == "Bun.write" && (len(c.args) == 0 || !strings.Contains(c.args[0], "stdout")) {
			return nil
		}
		return []*Node{{Kind: Say, Line: line, To: Stdout, Text: r.printed(c.args)}}
	case "console.error", "console.warn", "console.trace", "process.stderr.write":
		return []*Node{{Kind: Say, Line: line, To: Stderr, Text: r.printed(c.args)}}
	case "process.exit", "Deno.exit":
		arg := ""
		if len(c.args) > 0 {
			arg = c.args[0]
		}
		if i := indexTop(arg, "?"); i > 0 {
			e := conditions{}
			is := e.read(arg[:i])
			yes, no, ok := cutTop(arg[i+1:], ":")
			if ok {
				return []*Node{{Kind: Choice, Line: line, Arms: []Arm{{
					Cond: is, Vars: e.vars, Line: line, Body: []*Node{{Kind: Quit, Line: line, Status: r.number(yes)}},
				}}, Else: []*Node{{Kind: Quit, Line: line, Status: r.number(no)}}}}
			}
		}
		return []*Node{{Kind: Quit, Line: line, Status: r.number(arg)}}
	case "fs.writeSync", "writeSync", "fs.writeFileSync", "writeFileSync":
		if len(c.args) > 1 && (c.args[0] == "1" || strings.Contains(c.args[0], "/dev/stdout")) {
			return []*Node{{Kind: Say, Line: line, To: Stdout, Text: r.printed(c.args[1:])}}
		}
	case "query":
		if r.sdk {
			words := []Expr{Text("claude"), Text("-p")}
			if strings.Contains(strings.ReplaceAll(strings.Join(c.args, ","), " ", ""), "settingSources:[]") {
				words = append(words, Text("--setting-sources"), Text(""))
			}
			return []*Node{{Kind: Start, Line: line, Words: words, Captured: true}}
		}
	}
	switch short {
	case "execSync", "exec", "spawn", "spawnSync", "execFile", "execFileSync", "execa", "execaSync", "fork":
		if strings.Contains(name, ".") && strings.Contains(name, "exec") && short == "exec" && !strings.Contains(name, "child_process") && !strings.Contains(name, "cp.") {
			return nil // a regular expression's exec
		}
		return r.start(c, short, line)
	}
	return nil
}

func (r *jsReader) printed(args []string) Expr {
	var parts []string
	for _, arg := range args {
		pieces := splitTop(arg, "+")
		for _, piece := range pieces {
			piece = strings.TrimSpace(piece)
			if v, ok := literal(piece); ok {
				parts = append(parts, v)
				continue
			}
			if rest, ok := strings.CutPrefix(piece, "JSON.stringify("); ok {
				inner := splitTop(rest, ",")[0]
				parts = append(parts, dumped(strings.TrimSuffix(strings.TrimSpace(inner), ")")))
				if strings.HasPrefix(strings.TrimSpace(rest), "{") {
					rest = strings.TrimSpace(rest)
					parts[len(parts)-1] = rest[:min(closing(rest, 0)+1, len(rest))]
				}
				continue
			}
			parts = append(parts, Unknown)
		}
	}
	return Text(strings.Join(parts, ""))
}

func (r *jsReader) environment(value string) []Assign {
	var out []Assign
	if list, ok := r.envs[strings.TrimSpace(value)]; ok {
		return list
	}
	i := strings.IndexByte(value, '{')
	if i < 0 {
		return nil
	}
	for _, item := range splitTop(value[i+1:min(closing(value, i), len(value))], ",") {
		key, v, ok := cutTop(strings.TrimSpace(item), ":")
		if !ok {
			if list, known := r.envs[strings.TrimPrefix(strings.TrimSpace(item), "...")]; known {
				out = append(out, list...)
			}
			continue
		}
		key = strings.TrimSpace(key)
		if text, ok := literal(key); ok {
			key = text
		}
		e := conditions{}
		out = append(out, Assign{key, e.value(v)})
	}
	return out
}

// start reads a call that starts a program.
func (r *jsReader) start(c callSite, short string, line int) []*Node {
	n := &Node{Kind: Start, Line: line}
	if len(c.args) == 0 {
		return nil
	}
	e := conditions{}
	n.Words = []Expr{e.value(c.args[0])}
	list := false
	if strings.HasPrefix(c.args[0], "[") { // Bun: the program stands in the list
		n.Words, list = nil, true
		for _, item := range splitTop(c.args[0][1:min(closing(c.args[0], 0), len(c.args[0]))], ",") {
			if item = strings.TrimSpace(item); item != "" {
				n.Words = append(n.Words, e.value(item))
			}
		}
	}
	if short == "fork" {
		n.Words = []Expr{Text("node"), e.value(c.args[0])}
	}
	var options string
	for _, arg := range c.args[1:] {
		switch {
		case strings.HasPrefix(arg, "["):
			list = true
			for _, item := range splitTop(arg[1:min(closing(arg, 0), len(arg))], ",") {
				if item = strings.TrimSpace(item); item != "" {
					n.Words = append(n.Words, e.value(item))
				}
			}
		case strings.HasPrefix(arg, "{"):
			options = arg
		}
	}
	n.Captured = true // Node gives a child pipes of its own
	opts := callSite{args: splitOptions(options)}
	if v, ok := opts.keyword("stdio", ":"); ok {
		switch {
		case strings.Contains(v, "inherit"):
			n.Captured = false
		case strings.Contains(v, "ignore"):
			n.Captured, n.Out = false, Other
		}
	}
	if v, ok := opts.keyword("cwd", ":"); ok {
		value := e.value(v)
		n.Dir = func(look Lookup) string {
			if d := value(look); Known(d) {
				return d
			}
			return v
		}
	}
	if v, ok := opts.keyword("env", ":"); ok {
		n.FullEnv = !strings.Contains(v, "process.env") && r.envs[v] == nil
		n.Env = r.environment(v)
	}
	n.Detached = !strings.HasSuffix(short, "Sync") && strings.Contains(options, "detached")
	if !list && (short == "exec" || short == "execSync" || short == "execa" || strings.Contains(options, "shell")) {
		if inner := Shell(n.Words[0](unknownVar)); !inner.Broken && len(inner.Body) > 0 {
			shell := &Node{Kind: Apart, Line: line, Body: inner.Body, Captured: n.Captured, Out: n.Out}
			relocate(shell, line)
			for _, a := range n.Env {
				shell.Body = append([]*Node{{Kind: Set, Name: a.Name, Value: a.Value, Exported: true}}, shell.Body...)
			}
			return []*Node{shell}
		}
	}
	return []*Node{n}
}

func splitOptions(object string) []string {
	if !strings.HasPrefix(object, "{") {
		return nil
	}
	var out []string
	for _, item := range splitTop(object[1:min(closing(object, 0), len(object))], ",") {
		if item = strings.TrimSpace(item); isName(item) {
			item += ": " + item // { env } is short for { env: env }
		}
		out = append(out, item)
	}
	return out
}
