package outline

import (
	"slices"
	"strconv"
	"strings"
)

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
			i = StringEnd(text, i) - 1
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
