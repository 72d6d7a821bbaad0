package outline

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (r *shellReader) call(c *syntax.CallExpr, s *syntax.Stmt) *Node {
	at := line(s)
	if len(c.Args) == 0 {
		n := &Node{Kind: Group, Line: at}
		for _, a := range c.Assigns {
			set := &Node{Kind: Set, Line: at, Name: a.Name.Value}
			set.Value, set.Body = r.assigned(a)
			n.Body = append(n.Body, set)
		}
		if len(n.Body) == 1 {
			return n.Body[0]
		}
		return n
	}
	var words []Expr
	var captured []*Node
	for _, w := range c.Args {
		words = append(words, r.word(w))
		captured = append(captured, r.captures(w)...)
	}
	name := words[0](func(string) string { return Unknown })
	n := r.simple(name, words, c, at)
	for _, a := range c.Assigns {
		value, more := r.assigned(a)
		captured = append(captured, more...)
		n.Env = append(n.Env, Assign{a.Name.Value, value})
	}
	if len(captured) == 0 {
		return n
	}
	return &Node{Kind: Group, Line: at, Body: append(captured, n)}
}

// last is the status of what ran before.
func statusOf(words []Expr) Expr {
	if len(words) < 2 {
		return nil
	}
	return words[1]
}

// simple reads one simple command.
func (r *shellReader) simple(name string, words []Expr, c *syntax.CallExpr, at int) *Node {
	if _, own := r.p.Funcs[name]; own {
		return &Node{Kind: Call, Line: at, Name: name}
	}
	switch name {
	case "exit":
		return &Node{Kind: Quit, Line: at, Status: r.exitStatus(words, c)}
	case "return":
		return &Node{Kind: Leave, Line: at, Status: r.exitStatus(words, c)}
	case "break", "continue":
		return &Node{Kind: Break, Line: at}
	case ":", "true":
		return &Node{Kind: Test, Line: at, Cond: func(Lookup) Tri { return True }}
	case "false":
		return &Node{Kind: Test, Line: at, Cond: func(Lookup) Tri { return False }}
	case "[", "test":
		args := words[1:]
		if name == "[" && len(args) > 0 {
			args = args[:len(args)-1]
		}
		var vars []string
		for _, w := range c.Args[1:] {
			vars = append(vars, r.varsOf(w)...)
		}
		return &Node{Kind: Test, Line: at, Cond: func(look Lookup) Tri { return testArgs(args, look) }, Vars: vars}
	case "tty":
		// A hook has no terminal; without -s the name is printed too.
		return &Node{Kind: Test, Line: at, Cond: func(Lookup) Tri { return False }}
	case "echo", "printf":
		return &Node{Kind: Say, Line: at, To: Stdout, Text: saying(name, words[1:])}
	case ".", "source":
		if len(words) > 1 {
			return &Node{Kind: Include, Line: at, Words: words[1:2]}
		}
	case "eval":
		return &Node{Kind: Start, Line: at, Words: words}
	case "exec":
		if len(words) == 1 {
			return &Node{Kind: Divert, Line: at}
		}
		start := &Node{Kind: Start, Line: at, Words: words[1:]}
		return &Node{Kind: Group, Line: at, Body: []*Node{start, {Kind: Quit, Line: at}}}
	case "export":
		return &Node{Kind: Group, Line: at}
	case "set":
		r.set(words)
		return &Node{Kind: Test, Line: at, Cond: func(Lookup) Tri { return True }}
	case "unset":
		n := &Node{Kind: Group, Line: at}
		for _, w := range words[1:] {
			n.Body = append(n.Body, &Node{Kind: Set, Line: at, Name: w(unknownVar), Value: Text("")})
		}
		return n
	case "read", "mapfile", "readarray":
		n := &Node{Kind: Group, Line: at}
		for _, w := range words[1:] {
			if v := w(unknownVar); Known(v) && !strings.HasPrefix(v, "-") {
				n.Body = append(n.Body, &Node{Kind: Set, Line: at, Name: v, Value: Text(Unknown)})
			}
		}
		n.Body = append(n.Body, &Node{Kind: Test, Line: at})
		return n
	case "cd":
		n := &Node{Kind: Group, Line: at}
		dir := Text(Unknown)
		if len(words) > 1 {
			dir = words[len(words)-1]
		}
		raw := ""
		if len(c.Args) > 1 {
			raw = r.raw(c.Args[len(c.Args)-1])
		}
		n.Body = []*Node{{Kind: Set, Line: at, Name: "\x00dir", Value: func(look Lookup) string {
			if d := dir(look); Known(d) {
				return d
			}
			return raw
		}}, {Kind: Start, Line: at, Words: words}}
		return n
	}
	return &Node{Kind: Start, Line: at, Words: words}
}

func unknownVar(string) string { return Unknown }

func (r *shellReader) raw(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(r.src) || from > to {
		return Unknown
	}
	return r.src[from:to]
}

func (r *shellReader) exitStatus(words []Expr, c *syntax.CallExpr) Expr {
	if len(c.Args) > 1 && r.raw(c.Args[1]) == "$?" {
		return nil
	}
	return statusOf(words)
}

func (r *shellReader) set(words []Expr) {
	for i, w := range words {
		v := w(unknownVar)
		if v == "pipefail" && i > 0 {
			r.p.PipeFail = strings.HasPrefix(words[i-1](unknownVar), "-")
		}
		if strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.Contains(v, "e") || v == "errexit" {
			r.p.ErrExit = true
		}
	}
}

// saying is what echo or printf writes.
func saying(name string, words []Expr) Expr {
	if name == "echo" {
		for len(words) > 0 && slices.Contains([]string{"-n", "-e", "-E", "-ne", "-en"}, words[0](unknownVar)) {
			words = words[1:]
		}
		return func(look Lookup) string {
			parts := make([]string, len(words))
			for i, w := range words {
				parts[i] = w(look)
			}
			return strings.Join(parts, " ")
		}
	}
	if len(words) > 0 && words[0](unknownVar) == "--" {
		words = words[1:]
	}
	if len(words) > 1 && words[0](unknownVar) == "-v" {
		return Text("")
	}
	return func(look Lookup) string {
		if len(words) == 0 {
			return ""
		}
		format := words[0](look)
		rest := words[1:]
		var b strings.Builder
		for i := 0; i < len(format); i++ {
			switch {
			case format[i] == '%' && i+1 < len(format) && format[i+1] == '%':
				b.WriteByte('%')
				i++
			case format[i] == '%':
				for i++; i < len(format) && strings.IndexByte("0123456789.-+# ", format[i]) >= 0; i++ {
				}
				if len(rest) > 0 {
					b.WriteString(rest[0](look))
					rest = rest[1:]
				}
			case format[i] == '\\' && i+1 < len(format):
				i++
				switch format[i] {
				case 'n':
					b.WriteByte('\n')
				case 't':
					b.WriteByte('\t')
				case '"', '\\', '\'':
					b.WriteByte(format[i])
				default:
					b.WriteByte('\\')
					b.WriteByte(format[i])
				}
			default:
				b.WriteByte(format[i])
			}
		}
		for _, w := range rest {
			b.WriteString(w(look))
		}
		return b.String()
	}
}
