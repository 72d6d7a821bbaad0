package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

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
				if w, ok := e.Index.(*syntax.Word); ok && e.Value != nil {
					a.set(st, name+"["+a.value(w, st, cx)+"]", a.value(e.Value, st, cx))
				} else {
					a.arith(e.Index, st, cx)
				}
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
