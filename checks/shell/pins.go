package shell

import (
	"slices"
	"sort"

	"mvdan.cc/sh/v3/syntax"
)

// pinned runs f once for each combination of the values that the variables in
// node may have.
func (a *analyzer) pinned(node syntax.Node, st *state, f func(*state) (output, bool)) (output, bool) {
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
