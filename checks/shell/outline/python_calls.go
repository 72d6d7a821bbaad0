package outline

import (
	"slices"
	"strconv"
	"strings"
)

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
