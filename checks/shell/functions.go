package shell

import (
	"slices"
	"sort"

	"mvdan.cc/sh/v3/syntax"
)

// aliased expands an alias set by the same script: its text is read again with
// the arguments behind it.
func (a *analyzer) aliased(c *syntax.CallExpr, s *syntax.Stmt, st *state, cx ctx) (output, bool) {
	if len(st.aliases) == 0 || cx.nofunc {
		return output{}, false
	}
	name := c.Args[0].Lit()
	text, ok := st.aliases[name]
	if !ok || name == "" || slices.Contains(cx.calls, "alias "+name) || len(c.Assigns) > 0 && text == "" {
		return output{}, false
	}
	from, to := int(c.Args[0].End().Offset()), int(s.End().Offset())
	if s.Semicolon.IsValid() {
		to = min(to, int(s.Semicolon.Offset()))
	}
	if from > to || to > len(cx.src) {
		return output{}, false
	}
	idx, ok := a.emit(Command{
		Name: name, Program: a.word(name, name), Parent: cx.parent, Feeds: -1, Carrier: true,
		Via: cx.via, Conditional: cx.cond, Line: a.line(s, cx), Dir: a.word(a.dir(st), ""),
	})
	if !ok {
		return output{}, true
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
	return a.script(text+cx.src[from:to], st, in), true
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
