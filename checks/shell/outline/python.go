package outline

import (
	"slices"
	"strconv"
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
				j = stringEnd(src, j)
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

// number reads an exit status: a literal, nothing or None, else unknown.
func (r *pythonReader) number(s string) Expr {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "(") && closing(s, 0) == len(s)-1 {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	switch s {
	case "", "None", "False":
		return Text("0")
	case "True":
		return Text("1")
	}
	if _, err := strconv.Atoi(s); err == nil {
		return Text(s)
	}
	if isName(s) {
		return func(look Lookup) string { return look(local(s)) }
	}
	if a, rest, ok := strings.Cut(s, " if "); ok && indexTop(s, " if ") >= 0 {
		_ = rest
		_ = a
		return Text(Unknown)
	}
	if strings.Contains(s, "(") {
		return nil // the status of the call that came before
	}
	return Text(Unknown)
}

func (r *pythonReader) exit(call string, line int) []*Node {
	i := strings.IndexByte(call, '(')
	arg := ""
	if i >= 0 {
		arg = call[i+1 : min(closing(call, i), len(call))]
	}
	arg = strings.TrimSpace(arg)
	if value, ok := literal(arg); ok { // a text goes to stderr, and the status is 1
		return []*Node{
			{Kind: Say, Line: line, To: Stderr, Text: Text(value)},
			{Kind: Quit, Line: line, Status: Text("1")},
		}
	}
	if a, b, ok := strings.Cut(arg, " if "); ok {
		cond, c, has := strings.Cut(b, " else ")
		if has {
			e := conditions{python: true}
			is := e.read(cond)
			return []*Node{{Kind: Choice, Line: line, Arms: []Arm{{
				Cond: is, Vars: e.vars, Line: line, Body: []*Node{{Kind: Quit, Line: line, Status: r.number(a)}},
			}}, Else: []*Node{{Kind: Quit, Line: line, Status: r.number(c)}}}}
		}
	}
	return append(r.callsIn(arg, line), &Node{Kind: Quit, Line: line, Status: r.number(arg)})
}

// assign remembers dictionaries that may become an environment.
func (r *pythonReader) assign(name, value string) {
	if i := strings.IndexByte(name, '['); i > 0 && !strings.HasPrefix(name, "os.environ") {
		if key, ok := literal(strings.Trim(name[i:], "[]")); ok {
			e := conditions{python: true}
			r.dicts[name[:i]] = append(r.dicts[name[:i]], Assign{key, e.value(value)})
		}
		return
	}
	if strings.Contains(value, "environ") {
		r.dicts[name] = append(r.dicts[name], r.environment(value)...)
	}
}

// environment reads the keys of a dict expression.
func (r *pythonReader) environment(value string) []Assign {
	value = strings.TrimSpace(value)
	if list, ok := r.dicts[value]; ok {
		return list
	}
	var out []Assign
	add := func(key, v string) {
		e := conditions{python: true}
		out = append(out, Assign{key, e.value(v)})
	}
	read := func(inner string) {
		for _, item := range splitTop(inner, ",") {
			item = strings.TrimSpace(item)
			if k, v, ok := cutTop(item, ":"); ok {
				if key, ok := literal(k); ok {
					add(key, v)
				}
			} else if i := assignment(item); i > 0 && isName(item[:i]) {
				add(item[:i], item[i+1:])
			} else if list, ok := r.dicts[strings.TrimPrefix(item, "**")]; ok {
				out = append(out, list...)
			}
		}
	}
	for i := 0; i < len(value); i++ {
		if value[i] == '{' || strings.HasPrefix(value[i:], "dict(") {
			if value[i] == 'd' {
				i += 4
			}
			end := closing(value, i)
			read(value[i+1 : min(end, len(value))])
			i = end
		}
	}
	return out
}

func cutTop(s, sep string) (before, after string, ok bool) {
	i := indexTop(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func (r *pythonReader) setEnv(text string, i, line int) *Node {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text[:i]), "os.environ[")
	if !ok {
		return nil
	}
	key, ok := literal(strings.TrimSuffix(rest, "]"))
	if !ok {
		return nil
	}
	e := conditions{python: true}
	return &Node{Kind: Set, Line: line, Name: key, Value: e.value(text[i+1:]), Exported: true}
}

// callsIn turns the calls of an expression into nodes, inner ones first.
func (r *pythonReader) callsIn(expr string, line int) []*Node {
	var out []*Node
	sites := callsOf(expr)
	exit := slices.IndexFunc(sites, func(c callSite) bool {
		return slices.Contains([]string{"sys.exit", "exit", "quit", "os._exit", "SystemExit"}, c.name)
	})
	for i, site := range slices.Backward(sites) {
		if exit >= 0 && i >= exit && site.end <= sites[exit].end {
			continue // its own reader looks at what the exit is given
		}
		out = append(out, r.call(site, line+strings.Count(expr[:site.at], "\n"))...)
	}
	if exit >= 0 {
		site := sites[exit]
		out = append(out, r.exit(expr[site.at:site.end], line+strings.Count(expr[:site.at], "\n"))...)
	}
	return out
}

func (r *pythonReader) call(c callSite, line int) []*Node {
	name := c.name
	if _, own := r.p.Funcs[name]; own {
		return []*Node{{Kind: Call, Line: line, Name: name}}
	}
	switch name {
	case "asyncio.run", "anyio.run", "trio.run":
		if len(c.args) > 0 {
			if _, own := r.p.Funcs[c.args[0]]; own {
				return []*Node{{Kind: Call, Line: line, Name: c.args[0]}}
			}
		}
	case "print", "pprint", "pprint.pprint", "rich.print":
		n := &Node{Kind: Say, Line: line, To: Stdout, Text: r.printed(c.args)}
		if file, ok := c.keyword("file", "="); ok {
			switch {
			case strings.Contains(file, "stderr"):
				n.To = Stderr
			case !strings.Contains(file, "stdout"):
				n.Out = Other
			}
		}
		return []*Node{n}
	case "sys.stdout.write", "sys.stdout.buffer.write":
		return []*Node{{Kind: Say, Line: line, To: Stdout, Text: r.printed(c.args)}}
	case "sys.stderr.write":
		return []*Node{{Kind: Say, Line: line, To: Stderr, Text: r.printed(c.args)}}
	case "json.dump":
		if len(c.args) > 1 && strings.Contains(c.args[1], "sys.stdout") {
			return []*Node{{Kind: Say, Line: line, To: Stdout, Text: Text(dumped(c.args[0]))}}
		}
	case "logging.info", "logging.debug", "logging.warning", "logging.error", "log.info", "logger.info", "logger.warning", "logger.debug", "logger.error":
		to := Stderr
		if r.logStdout {
			to = Stdout
		}
		return []*Node{{Kind: Say, Line: line, To: to, Text: Text(Unknown)}}
	case "os.environ.setdefault", "os.putenv":
		if len(c.args) == 2 {
			if key, ok := literal(c.args[0]); ok {
				e := conditions{python: true}
				return []*Node{{Kind: Set, Line: line, Name: key, Value: e.value(c.args[1]), Exported: true}}
			}
		}
	case "os.environ.update":
		var out []*Node
		for _, a := range r.environment(strings.Join(c.args, ",")) {
			out = append(out, &Node{Kind: Set, Line: line, Name: a.Name, Value: a.Value, Exported: true})
		}
		return out
	case "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput":
		return r.start(c, line, name != "os.system")
	case "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
		"run", "Popen", "check_output", "check_call", "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell":
		return r.start(c, line, strings.HasSuffix(name, "check_output"))
	case "query", "ClaudeSDKClient", "claude_agent_sdk.query", "claude_code_sdk.query":
		if r.sdk {
			words := []Expr{Text("claude"), Text("-p")}
			if strings.Contains(strings.ReplaceAll(strings.Join(c.args, ","), " ", ""), "setting_sources=[]") {
				words = append(words, Text("--setting-sources"), Text(""))
			}
			return []*Node{{Kind: Start, Line: line, Words: words, Captured: true}}
		}
	}
	return nil
}

// printed is what print writes, as far as it is written out.
func (r *pythonReader) printed(args []string) Expr {
	var parts []string
	for _, arg := range args {
		if i := assignment(arg); i > 0 && isName(arg[:i]) {
			continue
		}
		if v, ok := literal(arg); ok {
			parts = append(parts, v)
			continue
		}
		switch {
		case strings.HasPrefix(arg, "json.dumps("):
			parts = append(parts, dumped(arg[len("json.dumps("):]))
		case strings.HasPrefix(arg, "dumps("):
			parts = append(parts, dumped(arg[len("dumps("):]))
		default:
			parts = append(parts, Unknown)
		}
	}
	return Text(strings.Join(parts, " "))
}

// dumped is a value written as JSON: at least its brackets can be told.
func dumped(arg string) string {
	arg = strings.TrimSpace(arg)
	if strings.HasPrefix(arg, "[") {
		return "[" + Unknown + "]"
	}
	if strings.HasPrefix(arg, "{") {
		return arg[:min(closing(arg, 0)+1, len(arg))]
	}
	return "{" + Unknown + "}"
}

// start reads a call that starts a program.
func (r *pythonReader) start(c callSite, line int, captured bool) []*Node {
	n := &Node{Kind: Start, Line: line, Captured: captured}
	if strings.HasSuffix(c.name, "create_subprocess_exec") {
		n.Words = r.words("[" + strings.Join(c.args, ",") + "]")
	} else if len(c.args) > 0 {
		n.Words = r.words(c.args[0])
	}
	if v, ok := c.keyword("capture_output", "="); ok && v == "True" {
		n.Captured = true
	}
	if v, ok := c.keyword("stdout", "="); ok && v != "None" && !strings.Contains(v, "sys.stdout") {
		n.Out = Other
	}
	if v, ok := c.keyword("stderr", "="); ok && v != "None" {
		n.Err = Other
	}
	if v, ok := c.keyword("cwd", "="); ok {
		e := conditions{python: true}
		value := e.value(v)
		n.Dir = func(look Lookup) string {
			if d := value(look); Known(d) {
				return d
			}
			return v
		}
	}
	if v, ok := c.keyword("env", "="); ok {
		n.FullEnv = !strings.Contains(v, "environ") && r.dicts[v] == nil
		n.Env = r.environment(v)
	}
	n.Detached = strings.HasSuffix(c.name, "Popen")
	if len(n.Words) == 1 { // one text: a shell may read it
		if inner := Shell(n.Words[0](func(string) string { return Unknown })); !inner.Broken && len(inner.Body) > 0 {
			shell := &Node{Kind: Apart, Line: line, Body: inner.Body, Captured: n.Captured, Out: n.Out, Err: n.Err, Background: n.Detached}
			relocate(shell, line)
			for _, a := range n.Env {
				shell.Body = append([]*Node{{Kind: Set, Name: a.Name, Value: a.Value, Exported: true}}, shell.Body...)
			}
			return []*Node{shell}
		}
	}
	return []*Node{n}
}

// relocate gives nested code the line of what holds it.
func relocate(n *Node, line int) {
	p := Program{Body: []*Node{n}}
	p.Walk(func(n *Node) { n.Line = line })
}

// words reads a list of texts, or one text.
func (r *pythonReader) words(arg string) []Expr {
	e := conditions{python: true}
	arg = strings.TrimSpace(arg)
	if strings.HasPrefix(arg, "[") || strings.HasPrefix(arg, "(") {
		var out []Expr
		for _, item := range splitTop(arg[1:min(closing(arg, 0), len(arg))], ",") {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, e.value(item))
			}
		}
		return out
	}
	if inner, ok := strings.CutPrefix(arg, "shlex.split("); ok {
		if text, ok := literal(strings.TrimSuffix(inner, ")")); ok {
			var out []Expr
			for w := range strings.FieldsSeq(text) {
				out = append(out, Text(w))
			}
			return out
		}
	}
	return []Expr{e.value(arg)}
}
