package shell

import (
	"slices"
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call runs one simple command.
func (a *analyzer) call(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	return a.pinned(s, st, func(st *state) (output, bool) { return a.call1(c, s, st, cx) })
}

func (a *analyzer) call1(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	if len(c.Args) == 0 {
		return a.assignOnly(c, s, st, cx), false
	}
	if out, ok := a.aliased(c, s, st, cx); ok {
		return out, false
	}
	idx, ok := a.emit(Command{Parent: cx.parent, Feeds: -1})
	if !ok {
		return output{}, false
	}
	outer := cx.parent
	cx.parent = idx
	args := a.words(c.Args, st, cx)
	var prefix []Assign
	for _, as := range c.Assigns {
		if as.Name == nil {
			continue
		}
		val := a.assigned(as, st, cx)
		prefix = append(prefix, Assign{Name: as.Name.Value, Value: a.word(val, rawOf(cx.src, as))})
	}
	a.cmd(idx).Parent = outer
	return a.finish(idx, s, args, prefix, st, cx)
}

// finish fills the reserved command idx, handles the statement's redirections
// and runs it. cx.parent is idx.
func (a *analyzer) finish(idx int, s *syntax.Stmt, args []Word, prefix []Assign, st *state, cx ctx) (output, bool) {
	red := a.redirs(s.Redirs, st, cx)
	if red.stdin != nil {
		cx.stdin = *red.stdin
	}
	parent := a.cmd(idx).Parent
	*a.cmd(idx) = Command{Parent: parent, Feeds: -1, Line: a.line(s, cx), Redirs: red.list}
	cx.parent = parent
	cx.env = append(slices.Clip(cx.env), prefix...)
	if cx.line == 0 {
		cx.line = int(s.Pos().Line())
	}
	out, exits := a.run(idx, args, st, cx)
	a.redirEffects(red, idx, out)
	if red.stdout {
		out = output{known: true}
	}
	return out, exits
}

// run performs one command whose words are expanded: it is recorded at idx,
// and what it carries is followed.
func (a *analyzer) run(idx int, words []Word, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	c.Via, c.Parent, c.Conditional, c.Background = cx.via, cx.parent, cx.cond, cx.bg
	if c.Line == 0 {
		c.Line = cx.line
	}
	c.Dir = a.word(a.dir(st), "")
	c.Env = a.environment(st, cx)
	c.Stdin = a.input(cx.stdin)
	if len(words) == 0 {
		c.Carrier = true
		return output{known: true}, false
	}
	if !a.step(1 + len(words)) {
		return output{}, false
	}
	c.Program, c.Args = words[0], words[1:]
	c.Name = programName(words[0])
	cx.parent = idx
	if !cx.nofunc {
		if f, ok := st.funcs[c.Program.Text]; ok && c.Program.Known() {
			return a.callFunc(idx, f, st, cx), false
		}
	}
	cx.nofunc = false
	if c.Program.Text == "" && c.Program.Known() {
		return output{}, false
	}
	if c.Name == "" {
		a.anyFunc(st, cx)
		a.unknownProgram(idx, st, cx)
		return output{}, false
	}
	if out, exits, ok := a.builtin(idx, st, cx); ok {
		return out, exits
	}
	if out, ok := a.ownScript(idx, st, cx); ok {
		return out, false
	}
	if out, ok := a.wrapper(idx, st, cx); ok {
		return out, false
	}
	a.program(idx, st, cx)
	return a.outputOf(idx, cx), false
}

// inner runs words that the command idx carries.
func (a *analyzer) inner(idx int, via string, words []Word, st *state, cx ctx) output {
	if cx.depth > maxDepth {
		a.truncate("nesting")
		return output{}
	}
	a.cmd(idx).Carrier = true
	n, ok := a.emit(Command{Feeds: -1, Parent: idx})
	if !ok {
		return output{}
	}
	out, _ := a.run(n, words, st, cx.carry(via, idx))
	return out
}

// environment lists the assignments that reach a command.
func (a *analyzer) environment(st *state, cx ctx) []Assign {
	if st.exports == 0 || !a.step(len(st.vars)/16) {
		return cx.env
	}
	var names []string
	for n, v := range st.vars {
		if v.exported {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	list := make([]Assign, 0, len(names)+len(cx.env))
	for _, n := range names {
		list = append(list, Assign{Name: n, Value: a.word(a.get(st, n), "")})
	}
	return append(list, cx.env...)
}

func (a *analyzer) inEnv(name string) bool {
	if a.env.Getenv == nil {
		return false
	}
	_, ok := a.env.Getenv(name)
	return ok
}

func (a *analyzer) input(in stdin) Input {
	out := Input{From: in.from}
	if in.known && !in.approx {
		out.Known = true
		out.Text = a.word(in.text, "").Text
	}
	if in.file != "" {
		out.File = a.word(in.file, "")
	}
	return out
}

// unknownProgram handles a command whose name is not known: its words may hold
// a known program behind it.
func (a *analyzer) unknownProgram(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	c.Unread = c.Program.HasUnknown()
	if !c.Program.HasGlob() || strings.ContainsRune(c.Program.Text, Unknown) {
		a.carried(idx, "?", st, cx)
	}
}
