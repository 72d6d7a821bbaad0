package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// stmts runs a list of statements. exits tells that one of them ends the
// script or the function for certain; what follows it is still listed.
func (a *analyzer) stmts(list []*syntax.Stmt, st *state, cx ctx) (out output, exits bool) {
	out.known = true
	for _, s := range list {
		if !a.step(1) {
			out.known = false
			break
		}
		o, x := a.stmt(s, st, cx)
		out.merge(o)
		if x && !exits {
			exits = true
			cx.cond = true
		}
	}
	return out, exits
}

func (o *output) merge(p output) {
	o.known = o.known && p.known
	o.approx = o.approx || p.approx
	if o.known {
		o.text += p.text
		if len(o.text) > maxValue {
			o.known, o.text = false, ""
		}
	}
}

func (a *analyzer) stmt(s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	if s.Background || s.Coprocess || s.Disown {
		cx.bg = true
		st = st.fork()
	}
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		return a.call(c, s, st, cx)
	}
	if s.Cmd == nil {
		return a.call(&syntax.CallExpr{}, s, st, cx)
	}
	if d, ok := s.Cmd.(*syntax.DeclClause); ok {
		return a.pinned(s, st, func(st *state) (output, bool) { return a.decl(d, s, st, cx) })
	}
	from := len(a.out.Commands)
	var red redirected
	if len(s.Redirs) > 0 {
		red = a.redirs(s.Redirs, st, cx)
		if red.stdin != nil {
			cx.stdin = *red.stdin
		}
	}
	out, exits := a.compound(s.Cmd, st, cx)
	if len(s.Redirs) > 0 {
		idx := from
		if idx >= len(a.out.Commands) {
			var ok bool
			if idx, ok = a.emit(Command{Via: cx.via, Parent: cx.parent, Feeds: -1, Carrier: true, Line: a.line(s, cx)}); !ok {
				return output{}, exits
			}
		}
		a.cmd(idx).Redirs = append(a.cmd(idx).Redirs, red.list...)
		a.redirEffects(red, idx, out)
		if red.stdout {
			out = output{known: true}
		}
	}
	return out, exits
}

func (a *analyzer) line(n syntax.Node, cx ctx) int {
	if cx.line > 0 {
		return cx.line
	}
	return int(n.Pos().Line())
}

func (a *analyzer) compound(c syntax.Command, st *state, cx ctx) (output, bool) {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
			return a.chain(c, st, cx)
		}
		return a.pipe(c, st, cx), false
	case *syntax.Block:
		return a.stmts(c.Stmts, st, cx)
	case *syntax.Subshell:
		out, _ := a.stmts(c.Stmts, st.fork(), cx)
		return out, false
	case *syntax.IfClause:
		return a.ifs(c, st, cx)
	case *syntax.WhileClause:
		return a.while(c, st, cx), false
	case *syntax.ForClause:
		return a.loop(c, st, cx), false
	case *syntax.CaseClause:
		return a.cases(c, st, cx), false
	case *syntax.FuncDecl:
		body, behind := bodyOf(c)
		f := function{body: body, src: cx.src, line: cx.line}
		if c.Name != nil {
			a.setFunc(st, c.Name.Value, f)
		}
		for _, n := range c.Names {
			a.setFunc(st, n.Value, f)
		}
		if c.Name == nil && len(c.Names) == 0 { // zsh's anonymous function runs at once
			return a.stmt(c.Body, st, cx)
		}
		out, exits := output{known: true}, false
		cx.cond = cx.cond || len(behind) > 0
		for _, s := range behind {
			o, x := a.stmt(s, st, cx)
			out.merge(o)
			exits = exits || x
		}
		return out, exits
	case *syntax.ArithmCmd:
		a.arith(c.X, st, cx)
	case *syntax.LetClause:
		for _, e := range c.Exprs {
			a.arith(e, st, cx)
		}
	case *syntax.TestClause:
		a.test(c.X, st, cx)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			cx.via = append(slices.Clip(cx.via), "time")
			return a.stmt(c.Stmt, st, cx)
		}
	case *syntax.CoprocClause:
		cx.bg = true
		cx.via = append(slices.Clip(cx.via), "coproc")
		return a.stmt(c.Stmt, st.fork(), cx)
	case *syntax.TestDecl:
		return a.stmt(c.Body, st, cx)
	}
	return output{known: true}, false
}

// bodyOf is the body of a function. The parser takes "f() { …; } && g" for a body
// that goes on behind the bracket; a shell ends it there and runs the rest.
func bodyOf(c *syntax.FuncDecl) (body *syntax.Stmt, behind []*syntax.Stmt) {
	body = c.Body
	for {
		b, ok := body.Cmd.(*syntax.BinaryCmd)
		if !ok || len(body.Redirs) > 0 || body.Negated {
			slices.Reverse(behind)
			return body, behind
		}
		behind = append(behind, b.Y)
		body = b.X
	}
}

func (a *analyzer) ifs(c *syntax.IfClause, st *state, cx ctx) (output, bool) {
	var ends []*state
	out := output{known: true}
	first := true
	exits := true
	for c != nil && a.step(1) {
		yes, sure := a.decided(c.Cond, st, cx)
		if len(c.Cond) > 0 {
			o, _ := a.stmts(c.Cond, st, cx)
			out.merge(o)
			if sure && !yes {
				c = c.Else
				continue
			}
			if first && !sure {
				first = false
				cx.cond = true
			}
		}
		branch := st.fork()
		o, x := a.stmts(c.Then, branch, cx)
		out.merge(o)
		if !x {
			ends = append(ends, branch)
			exits = false
		}
		if len(c.Cond) == 0 || sure { // else, or nothing behind it runs
			a.joinAll(st, ends)
			out.approx = true
			return out, exits
		}
		c = c.Else
	}
	ends = append(ends, st.fork())
	a.joinAll(st, ends)
	out.approx = true
	return out, false
}

func (a *analyzer) joinAll(dst *state, ends []*state) {
	if len(ends) == 0 {
		return
	}
	all := ends[0]
	for _, e := range ends[1:] {
		a.join(all, all, e)
	}
	*dst = *all
}

func (a *analyzer) cases(c *syntax.CaseClause, st *state, cx ctx) output {
	if i, ok := a.chosen(c, st, cx); ok {
		if i < 0 {
			return output{known: true}
		}
		out, _ := a.stmts(c.Items[i].Stmts, st, cx)
		return out
	}
	a.value(c.Word, st, cx)
	cx.cond = true
	ends := []*state{st.fork()}
	out := output{known: true, approx: true}
	for _, item := range c.Items {
		if !a.step(1) {
			break
		}
		branch := st.fork()
		for _, p := range item.Patterns {
			a.value(p, branch, cx)
		}
		o, x := a.stmts(item.Stmts, branch, cx)
		out.merge(o)
		if !x {
			ends = append(ends, branch)
		}
	}
	a.joinAll(st, ends)
	return out
}

func (a *analyzer) test(x syntax.TestExpr, st *state, cx ctx) {
	if !a.step(1) {
		return
	}
	if cx.depth++; cx.depth > 2*MaxNesting {
		a.truncate("nesting")
		return
	}
	switch x := x.(type) {
	case *syntax.Word:
		a.value(x, st, cx)
	case *syntax.UnaryTest:
		a.test(x.X, st, cx)
	case *syntax.BinaryTest:
		a.test(x.X, st, cx)
		a.test(x.Y, st, cx)
	case *syntax.ParenTest:
		a.test(x.X, st, cx)
	}
}
