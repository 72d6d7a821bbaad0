package shell

import (
	"slices"
	"strings"

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
		return a.pinned(s, st, cx, func(st *state) (output, bool) { return a.decl(d, s, st, cx) })
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
		f := function{body: c.Body, src: cx.src, line: cx.line}
		if c.Name != nil {
			a.setFunc(st, c.Name.Value, f)
		}
		for _, n := range c.Names {
			a.setFunc(st, n.Value, f)
		}
		if c.Name == nil && len(c.Names) == 0 { // zsh's anonymous function runs at once
			return a.stmt(c.Body, st, cx)
		}
		return output{known: true}, false
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

// chain runs a list of && and ||. What a guarded command changes is kept beside
// what was before where the guard is a test; other guards are taken to succeed,
// because that is why people write them.
func (a *analyzer) chain(c *syntax.BinaryCmd, st *state, cx ctx) (output, bool) {
	type link struct {
		op syntax.BinCmdOperator
		s  *syntax.Stmt
	}
	links := []link{}
	first := c.X
	for b := c; ; {
		links = append(links, link{b.Op, b.Y})
		first = b.X
		x, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(b.X.Redirs) > 0 || b.X.Negated || x.Op != syntax.AndStmt && x.Op != syntax.OrStmt {
			break
		}
		b = x
	}
	slices.Reverse(links)
	out, exits := a.stmt(first, st, cx)
	cx.cond = true
	mayFail := isTest(first)
	for _, l := range links {
		if !a.step(1) {
			break
		}
		pre := st.fork()
		post := st.fork()
		o, x := a.stmt(l.s, post, cx)
		if l.op == syntax.AndStmt {
			out.merge(o)
			if mayFail {
				a.join(st, pre, post)
				out.approx = true
			} else {
				*st = *post
			}
			mayFail = mayFail || isTest(l.s)
			continue
		}
		if o.text != "" || !o.known {
			out.merge(o)
			out.approx = true
		}
		if x {
			*st = *pre
			mayFail = false
		} else {
			a.join(st, pre, post)
		}
	}
	return out, exits
}

// isTest tells a command whose failure is an answer and no accident.
func isTest(s *syntax.Stmt) bool {
	if s.Negated {
		return true
	}
	switch c := s.Cmd.(type) {
	case *syntax.TestClause, *syntax.ArithmCmd:
		return true
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		switch c.Args[0].Lit() {
		case "[", "test", "grep", "rg", "false", "command", "which", "type", "hash", "diff", "cmp", "pgrep":
			return true
		case "git":
			return len(c.Args) > 1 && c.Args[1].Lit() == "diff"
		}
	case *syntax.BinaryCmd:
		return isTest(c.Y)
	}
	return false
}

// pipe runs the stages of a pipeline, each in its own subshell.
func (a *analyzer) pipe(c *syntax.BinaryCmd, st *state, cx ctx) output {
	var stages []*syntax.Stmt
	var flatten func(s *syntax.Stmt)
	flatten = func(s *syntax.Stmt) {
		for {
			b, ok := s.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 {
				stages = append(stages, s)
				return
			}
			// The parser nests pipelines to one side only; the other is one stage.
			if x, ok := b.X.Cmd.(*syntax.BinaryCmd); ok && (x.Op == syntax.Pipe || x.Op == syntax.PipeAll) {
				if y, ok := b.Y.Cmd.(*syntax.BinaryCmd); ok && (y.Op == syntax.Pipe || y.Op == syntax.PipeAll) {
					stages = append(stages, b.X, b.Y)
					return
				}
				// Left-nested: unroll without recursion.
				var right []*syntax.Stmt
				for {
					right = append(right, b.Y)
					x, ok := b.X.Cmd.(*syntax.BinaryCmd)
					if !ok || x.Op != syntax.Pipe && x.Op != syntax.PipeAll || len(b.X.Redirs) > 0 {
						break
					}
					b = x
				}
				stages = append(stages, b.X)
				slices.Reverse(right)
				stages = append(stages, right...)
				return
			}
			stages = append(stages, b.X)
			s = b.Y
		}
	}
	flatten(&syntax.Stmt{Cmd: c})
	var out output
	var feeders []int
	prev := [2]int{}
	for i, s := range stages {
		if !a.step(1) {
			break
		}
		start := len(a.out.Commands)
		sub := cx
		if i > 0 {
			sub.stdin = out.stdin()
			sub.stdin.from = feeders
		}
		sub.bg = cx.bg
		o, _ := a.stmt(s, st.fork(), sub)
		if i > 0 && start < len(a.out.Commands) {
			a.feed(prev[0], prev[1], start, len(cx.via))
		}
		prev = [2]int{start, len(a.out.Commands)}
		feeders = append(a.since(start), feeders...)
		if len(feeders) > 64 {
			feeders = feeders[:64]
		}
		out = o
	}
	out.from = feeders
	return out
}

// feed marks the commands from..to as writing into the command at target.
func (a *analyzer) feed(from, to, target, level int) {
	for i := from; i < to; i++ {
		c := a.cmd(i)
		if c.Feeds < 0 && !inSubst(c.Via[min(level, len(c.Via)):]) {
			c.Feeds = target
		}
	}
}

func inSubst(via []string) bool {
	return slices.Contains(via, "$( )") || slices.Contains(via, "<( )")
}

func (a *analyzer) ifs(c *syntax.IfClause, st *state, cx ctx) (output, bool) {
	var ends []*state
	out := output{known: true}
	first := true
	exits := true
	for c != nil && a.step(1) {
		if len(c.Cond) > 0 {
			o, _ := a.stmts(c.Cond, st, cx)
			out.merge(o)
			if first {
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
		if len(c.Cond) == 0 { // else
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

// decl runs export, declare, local and their kin, which the parser reads as
// statements of their own.
func (a *analyzer) decl(d *syntax.DeclClause, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	idx, ok := a.emit(Command{Parent: cx.parent, Feeds: -1})
	if !ok {
		return output{}, false
	}
	cx.parent = idx
	name := d.Variant.Value
	export := name == "export"
	args := []Word{Lit(name)}
	for _, as := range d.Args {
		if !a.step(1) {
			break
		}
		if as.Name == nil { // -x, or a word that only expansion can tell
			for _, f := range a.fields(as.Value, st, cx) {
				if strings.HasPrefix(f, "-") && strings.Contains(f, "x") {
					export = true
				}
				if n, v, ok := strings.Cut(f, "="); ok && syntax.ValidName(n) {
					a.assignDecl(st, n, v, export)
				}
				args = append(args, a.word(f, rawOf(cx.src, as)))
			}
			continue
		}
		n := as.Name.Value
		switch {
		case as.Naked:
			if v, known := a.lookup(st, n); export && known {
				v.exported = true
				a.setValue(st, n, v)
			}
			args = append(args, Lit(n))
		case as.Array != nil:
			a.assign(as, st, cx)
			args = append(args, a.word(n+"=", rawOf(cx.src, as)))
		default:
			a.assign(as, st, cx)
			v := st.vars[n]
			v.exported = v.exported || export
			a.setValue(st, n, v)
			args = append(args, a.word(n+"="+a.get(st, n), rawOf(cx.src, as)))
		}
	}
	return a.finish(idx, s, args, nil, st, cx)
}

func (a *analyzer) assignDecl(st *state, name, val string, export bool) {
	a.set(st, name, val)
	if export {
		v := st.vars[name]
		v.exported = true
		a.setValue(st, name, v)
	}
}
