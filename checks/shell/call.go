package shell

import (
	"slices"
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call runs one simple command.
func (a *analyzer) call(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	return a.pinned(s, st, cx, func(st *state) (output, bool) { return a.call1(c, s, st, cx) })
}

// pinned runs f once for each combination of the values that the variables in
// node may have.
func (a *analyzer) pinned(node syntax.Node, st *state, cx ctx, f func(*state) (output, bool)) (output, bool) {
	names := a.several(node, st)
	if len(names) == 0 {
		return f(st)
	}
	var ends []*state
	var out output
	exits := true
	a.combine(st, names, func(one *state, n int) {
		o, x := f(one)
		if n == 0 {
			out = o
		} else if o.text != out.text || o.known != out.known {
			if out.known && o.known {
				out.text += o.text
			}
			out.known = out.known && o.known
			out.approx = true
		}
		exits = exits && x
		ends = append(ends, one)
	})
	a.joinAll(st, ends)
	return out, exits
}

func (a *analyzer) pinWords(words []*syntax.Word, st *state, f func(*state)) {
	var names []string
	for _, w := range words {
		for _, n := range a.several(w, st) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if len(names) == 0 {
		f(st)
		return
	}
	a.combine(st, names, func(one *state, _ int) { f(one) })
}

// combine calls f with a fork of st for each combination, maxPins at most.
func (a *analyzer) combine(st *state, names []string, f func(*state, int)) {
	total := 1
	for _, n := range names {
		total = min(total*len(st.vars[n].alts), maxPins)
	}
	for i := range total {
		one := st.fork()
		k := i
		for _, n := range names {
			v := st.vars[n]
			v.alts = v.alts[k%len(v.alts):][:1]
			k /= len(st.vars[n].alts)
			a.setValue(one, n, v)
		}
		f(one, i)
	}
}

// several lists the variables with more than one value that node mentions; the
// folder counts as mentioned.
func (a *analyzer) several(node syntax.Node, st *state) []string {
	var names []string
	if st.several == 0 {
		return nil
	}
	if len(st.vars["PWD"].alts) > 1 {
		names = append(names, "PWD")
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			if n.Param != nil && len(st.vars[n.Param.Value].alts) > 1 && !slices.Contains(names, n.Param.Value) {
				names = append(names, n.Param.Value)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			return false // their commands pin for themselves
		}
		return len(names) < 3
	})
	sort.Strings(names)
	return names
}

func (a *analyzer) call1(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	if len(c.Args) == 0 {
		return a.assignOnly(c, s, st, cx), false
	}
	if out, x, ok := a.aliased(c, s, st, cx); ok {
		return out, x
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

// assignOnly handles a statement of assignments or redirections alone.
func (a *analyzer) assignOnly(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) output {
	for _, as := range c.Assigns {
		a.assign(as, st, cx)
	}
	out := output{known: true}
	if len(s.Redirs) == 0 {
		return out
	}
	idx, ok := a.emit(Command{Parent: cx.parent, Feeds: -1, Carrier: true, Via: cx.via, Conditional: cx.cond, Line: a.line(s, cx), Dir: a.word(a.dir(st), "")})
	if !ok {
		return output{}
	}
	red := a.redirs(s.Redirs, st, cx)
	a.cmd(idx).Redirs = red.list
	a.redirEffects(red, idx, out)
	if red.stdin != nil { // $(<file), and cat with no name in zsh
		in := *red.stdin
		return output{text: in.text, known: in.known, approx: in.approx, from: in.from}
	}
	return out
}

func (a *analyzer) assign(as *syntax.Assign, st *state, cx ctx) {
	if as.Name == nil {
		return
	}
	name := as.Name.Value
	if as.Array != nil {
		var list []string
		if as.Append {
			list = slices.Clone(st.vars[name].list)
		}
		for _, e := range as.Array.Elems {
			if !a.step(1) || len(list) > 4*maxFields {
				break
			}
			if e.Index != nil {
				a.arith(e.Index, st, cx)
			}
			if e.Value != nil {
				list = append(list, a.fields(e.Value, st, cx)...)
			}
		}
		a.setList(st, name, list)
		return
	}
	val := a.assigned(as, st, cx)
	if as.Index != nil {
		list := slices.Clone(st.vars[name].list)
		a.setList(st, name, append(list, val))
		return
	}
	if v, ok := st.vars[name]; ok && v.isList && as.Append {
		if len(v.list) > 0 {
			list := slices.Clone(v.list)
			list[0] = val
			a.setList(st, name, list)
			return
		}
	}
	a.set(st, name, val)
}

func (a *analyzer) assigned(as *syntax.Assign, st *state, cx ctx) string {
	val := a.value(as.Value, st, cx)
	if as.Append {
		val = a.get(st, as.Name.Value) + val
	}
	return val
}

// aliased expands an alias set by the same script: its text is read again with
// the arguments behind it.
func (a *analyzer) aliased(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool, bool) {
	if len(st.aliases) == 0 || cx.nofunc {
		return output{}, false, false
	}
	name := c.Args[0].Lit()
	text, ok := st.aliases[name]
	if !ok || name == "" || slices.Contains(cx.calls, "alias "+name) || len(c.Assigns) > 0 && text == "" {
		return output{}, false, false
	}
	from, to := int(c.Args[0].End().Offset()), int(s.End().Offset())
	if s.Semicolon.IsValid() {
		to = min(to, int(s.Semicolon.Offset()))
	}
	if from > to || to > len(cx.src) {
		return output{}, false, false
	}
	idx, ok := a.emit(Command{Name: name, Program: a.word(name, name), Parent: cx.parent, Feeds: -1, Carrier: true,
		Via: cx.via, Conditional: cx.cond, Line: a.line(s, cx), Dir: a.word(a.dir(st), "")})
	if !ok {
		return output{}, false, true
	}
	var prefix []Assign
	for _, as := range c.Assigns {
		if as.Name != nil {
			prefix = append(prefix, Assign{Name: as.Name.Value, Value: a.word(a.assigned(as, st, cx), "")})
		}
	}
	in := cx.carry("alias "+name, idx)
	in.line = a.line(s, cx)
	in.env = append(slices.Clip(in.env), prefix...)
	in.calls = append(slices.Clip(in.calls), "alias "+name)
	return a.script(text+cx.src[from:to], st, in), false, true
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
		return a.unknownProgram(idx, st, cx), false
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

func (a *analyzer) callFunc(idx int, f function, st *state, cx ctx) output {
	c := a.cmd(idx)
	c.Carrier = true
	name := c.Program.Text
	level := 0
	for _, n := range cx.calls {
		if n == name {
			level++
		}
	}
	if level > 0 {
		c.Recursive = true
		// One level more shows what the arguments of the inner call do.
		if level >= 2 || len(cx.calls) > maxDepth {
			return output{}
		}
	}
	if len(cx.calls) > maxDepth {
		a.truncate("nesting")
		return output{}
	}
	in := cx.carry("function "+name, idx)
	in.src = f.src
	in.calls = append(slices.Clip(in.calls), name)
	args := make([]string, 0, len(c.Args))
	for _, w := range c.Args {
		args = append(args, a.intern(w))
	}
	old := st.args
	st.args = args
	out, _ := a.stmt(f.body, st, in)
	st.args = old
	return out
}

// anyFunc lists what the script's functions do where the name of the called
// one is not known.
func (a *analyzer) anyFunc(st *state, cx ctx) {
	if len(st.funcs) == 0 || cx.calling("?") {
		return
	}
	names := make([]string, 0, len(st.funcs))
	for n := range st.funcs {
		names = append(names, n)
	}
	sort.Strings(names)
	cx.cond = true
	cx.calls = append(slices.Clip(cx.calls), "?")
	for _, n := range names {
		f := st.funcs[n]
		if cx.calling(n) {
			continue
		}
		in := cx.carry("function "+n, cx.parent)
		in.src = f.src
		in.calls = append(slices.Clip(in.calls), n)
		a.stmt(f.body, st.fork(), in)
	}
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
func (a *analyzer) unknownProgram(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	c.Unread = c.Program.HasUnknown()
	if !c.Program.HasGlob() || strings.ContainsRune(c.Program.Text, Unknown) {
		a.carried(idx, "?", st, cx)
	}
	return output{}
}
