package outline

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of a text, checked before the parser, which recurses.
const (
	maxText  = 256 << 10 // bytes
	maxDepth = 300       // opening brackets and keywords that are not closed
)

// Shell reads a shell script. What stands behind a syntax error is left out, and
// the program is marked Broken.
func Shell(src string) *Program {
	p := &Program{Funcs: map[string][]*Node{}}
	if len(src) > maxText || tooDeep(src) {
		p.Broken = true
		return p
	}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	r := &shellReader{p: p, src: src}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var stmts []*syntax.Stmt
	for stmt, err := range parser.StmtsSeq(strings.NewReader(src)) {
		if err != nil || p.Broken {
			// Not left by break: the parser may go on after a no (v3.14.1, "0&0\xcb0"),
			// which is a panic.
			p.Broken = true
			continue
		}
		stmts = append(stmts, stmt)
		// A function may be called above the place where it is written.
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil {
				p.Funcs[f.Name.Value] = nil
			}
			return true
		})
	}
	p.Body = r.stmts(stmts)
	return p
}

func tooDeep(src string) bool {
	open := 0
	for i := range len(src) {
		switch src[i] {
		case '(', '{', '[', '`':
			open++
		case ')', '}', ']':
			open = max(0, open-1)
		}
		if open > maxDepth {
			return true
		}
	}
	return strings.Count(src, "if ")+strings.Count(src, "while ")+strings.Count(src, "for ")+strings.Count(src, "case ") > 2000
}

type shellReader struct {
	p   *Program
	src string
}

func line(n syntax.Node) int { return int(n.Pos().Line()) }

func (r *shellReader) stmts(list []*syntax.Stmt) []*Node {
	out := make([]*Node, 0, len(list))
	for _, s := range list {
		out = append(out, r.stmt(s))
	}
	return out
}

func (r *shellReader) stmt(s *syntax.Stmt) *Node {
	if s == nil {
		return nil
	}
	n := r.command(s)
	r.redirs(n, s)
	if s.Background {
		n = &Node{Kind: Apart, Line: n.Line, Body: []*Node{n}, Background: true}
	}
	if s.Negated {
		n = &Node{Kind: Not, Line: n.Line, Body: []*Node{n}}
	}
	return n
}

// redirs puts the diversions of a statement on its node.
func (r *shellReader) redirs(n *Node, s *syntax.Stmt) {
	for _, d := range s.Redirs {
		fd := "1"
		if d.N != nil {
			fd = d.N.Value
		}
		target := ""
		if d.Word != nil {
			target = r.word(d.Word)(func(string) string { return Unknown })
		}
		switch d.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.DplOut:
			to := Other
			switch {
			case d.Op == syntax.DplOut && target == "2" || target == "/dev/stderr":
				to = Stderr
			case d.Op == syntax.DplOut && target == "1" || target == "/dev/stdout":
				to = Stdout
			}
			switch {
			case fd == "1" && to == Stderr:
				n.Out = Stderr
				if n.Err == Other {
					n.Out = Other
				}
			case fd == "1" && to == Other:
				n.Out = Other
			case fd == "2" && to == Stdout:
				n.Err = Stdout
				if n.Out == Other {
					n.Err = Other
				}
			case fd == "2" && to == Other:
				n.Err = Other
			}
		case syntax.RdrAll, syntax.AppAll:
			n.Out, n.Err = Other, Other
		case syntax.Hdoc, syntax.DashHdoc:
			if d.Hdoc != nil {
				n.Feed, n.FeedLine = r.word(d.Hdoc), line(d.Hdoc)
			}
		case syntax.WordHdoc:
			if d.Word != nil {
				n.Feed = r.word(d.Word)
			}
		default:
		}
	}
}

func (r *shellReader) command(s *syntax.Stmt) *Node {
	at := line(s)
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return r.call(c, s)
	case *syntax.Block:
		return &Node{Kind: Group, Line: at, Body: r.stmts(c.Stmts)}
	case *syntax.Subshell:
		return &Node{Kind: Apart, Line: at, Body: r.stmts(c.Stmts)}
	case *syntax.IfClause:
		return r.ifClause(c)
	case *syntax.WhileClause:
		body := append(r.stmts(c.Cond), r.stmts(c.Do)...)
		if !c.Until && len(c.Cond) > 0 {
			body = []*Node{{Kind: Choice, Line: at, Arms: []Arm{{If: r.stmts(c.Cond), Line: at, Body: r.stmts(c.Do)}}}}
		}
		return &Node{Kind: Loop, Line: at, Body: body}
	case *syntax.ForClause:
		body := r.stmts(c.Do)
		if iter, ok := c.Loop.(*syntax.WordIter); ok && iter.Name != nil {
			value := Text(Unknown)
			if len(iter.Items) == 1 {
				value = r.word(iter.Items[0])
			}
			body = append([]*Node{{Kind: Set, Name: iter.Name.Value, Value: value}}, body...)
		}
		return &Node{Kind: Loop, Line: at, Body: body}
	case *syntax.CaseClause:
		return r.caseClause(c)
	case *syntax.BinaryCmd:
		return r.binary(c)
	case *syntax.FuncDecl:
		if c.Name != nil {
			r.p.Funcs[c.Name.Value] = []*Node{r.stmt(c.Body)}
		}
		return &Node{Kind: Test, Cond: func(Lookup) Tri { return True }}
	case *syntax.TestClause:
		cond, vars := r.boolean(c.X)
		return &Node{Kind: Test, Line: at, Cond: cond, Vars: vars}
	case *syntax.ArithmCmd:
		cond, vars := r.arithmetic(c.X)
		return &Node{Kind: Test, Line: at, Cond: cond, Vars: vars}
	case *syntax.DeclClause:
		return r.declare(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return r.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		return &Node{Kind: Apart, Line: at, Body: []*Node{r.stmt(c.Stmt)}, Background: true, Captured: true}
	case nil: // redirections alone
		return &Node{Kind: Test, Line: at, Cond: func(Lookup) Tri { return True }}
	}
	return &Node{Kind: Test, Line: at}
}

func (r *shellReader) ifClause(c *syntax.IfClause) *Node {
	n := &Node{Kind: Choice, Line: line(c)}
	for ; c != nil; c = c.Else {
		if len(c.Cond) == 0 {
			n.Else = r.stmts(c.Then)
			break
		}
		n.Arms = append(n.Arms, Arm{If: r.stmts(c.Cond), Line: line(c.Cond[0]), Body: r.stmts(c.Then)})
	}
	return n
}

func (r *shellReader) caseClause(c *syntax.CaseClause) *Node {
	n := &Node{Kind: Choice, Line: line(c)}
	subject, vars := r.word(c.Word), r.varsOf(c.Word)
	if captured := r.captures(c.Word); len(captured) > 0 {
		n.Body = captured
	}
	for _, item := range c.Items {
		var patterns []Expr
		for _, pattern := range item.Patterns {
			patterns = append(patterns, r.pattern(pattern))
		}
		cond := func(look Lookup) Tri {
			value := subject(look)
			is := False
			for _, pattern := range patterns {
				switch match(value, pattern(look)) {
				case True:
					return True
				case Maybe:
					is = Maybe
				case False:
				}
			}
			return is
		}
		n.Arms = append(n.Arms, Arm{Cond: cond, Vars: vars, Line: line(item), Body: r.stmts(item.Stmts)})
	}
	if len(n.Body) > 0 {
		captured := n.Body
		n.Body = nil
		return &Node{Kind: Group, Line: n.Line, Body: []*Node{{Kind: Apart, Line: n.Line, Body: captured, Captured: true}, n}}
	}
	return n
}

func (r *shellReader) binary(c *syntax.BinaryCmd) *Node {
	at := line(c)
	switch c.Op {
	case syntax.AndStmt:
		return &Node{Kind: And, Line: at, Body: []*Node{r.stmt(c.X)}, Else: []*Node{r.stmt(c.Y)}}
	case syntax.OrStmt:
		return &Node{Kind: Or, Line: at, Body: []*Node{r.stmt(c.X)}, Else: []*Node{r.stmt(c.Y)}}
	default:
	}
	n := &Node{Kind: Pipe, Line: at}
	var flat func(s *syntax.Stmt)
	flat = func(s *syntax.Stmt) {
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(s.Redirs) == 0 && !s.Negated {
			flat(b.X)
			flat(b.Y)
			return
		}
		n.Body = append(n.Body, &Node{Kind: Apart, Line: line(s), Body: []*Node{r.stmt(s)}})
	}
	flat(c.X)
	flat(c.Y)
	// What one part says is what the next is fed.
	for i := 1; i < len(n.Body); i++ {
		if said := onlySay(n.Body[i-1]); said != nil {
			feed(n.Body[i], said)
		} else if fed := fedThrough(n.Body[i-1]); fed != nil {
			feed(n.Body[i], fed)
		}
	}
	return n
}

// onlySay returns what a stage writes when that is all it does.
func onlySay(n *Node) Expr {
	for n.Kind == Apart || n.Kind == Group {
		if len(n.Body) != 1 || n.Body[0] == nil {
			return nil
		}
		n = n.Body[0]
	}
	if n.Kind == Say && n.To != Stderr && n.Out == Same {
		return n.Text
	}
	return nil
}

// fedThrough returns what passes a stage that changes no words: tee, cat, sed.
func fedThrough(n *Node) Expr {
	for (n.Kind == Apart || n.Kind == Group) && len(n.Body) == 1 && n.Body[0] != nil {
		n = n.Body[0]
	}
	if n.Kind == Start && n.Feed != nil && len(n.Words) > 0 {
		switch n.Words[0](func(string) string { return Unknown }) {
		case "tee", "cat", "tr", "sed":
			return n.Feed
		}
	}
	return nil
}

func feed(n *Node, text Expr) {
	for (n.Kind == Apart || n.Kind == Group) && len(n.Body) > 0 && n.Body[0] != nil {
		n = n.Body[0]
	}
	if n.Kind == Start && n.Feed == nil {
		n.Feed = text
	}
}

func (r *shellReader) declare(c *syntax.DeclClause) *Node {
	n := &Node{Kind: Group, Line: line(c)}
	exported := c.Variant != nil && c.Variant.Value == "export"
	for _, a := range c.Args {
		if a.Name == nil {
			if a.Value != nil && a.Naked {
				flag := a.Value.Lit()
				exported = exported || strings.HasPrefix(flag, "-") && strings.Contains(flag, "x")
			}
			continue
		}
		set := &Node{Kind: Set, Line: line(a), Name: a.Name.Value, Exported: exported}
		if !a.Naked {
			set.Value, set.Body = r.assigned(a)
		}
		n.Body = append(n.Body, set)
	}
	return n
}

func (r *shellReader) assigned(a *syntax.Assign) (Expr, []*Node) {
	if a.Array != nil {
		return Text(Unknown), nil
	}
	if a.Value == nil {
		return Text(""), nil
	}
	value := r.word(a.Value)
	if a.Append {
		name, add := a.Name.Value, value
		value = func(look Lookup) string { return look(name) + add(look) }
	}
	return value, r.captures(a.Value)
}

// captures returns the commands whose output a word takes.
func (r *shellReader) captures(word *syntax.Word) []*Node {
	if word == nil {
		return nil
	}
	var out []*Node
	syntax.Walk(word, func(n syntax.Node) bool {
		switch c := n.(type) {
		case *syntax.CmdSubst:
			out = append(out, &Node{Kind: Apart, Line: line(c), Body: r.stmts(c.Stmts), Captured: true})
			return false
		case *syntax.ProcSubst:
			out = append(out, &Node{Kind: Apart, Line: line(c), Body: r.stmts(c.Stmts), Captured: true})
			return false
		}
		return true
	})
	return out
}
