package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// loop runs a for or select once for each word, maxRounds at most; what is left
// runs as one round with a value that is not known.
func (a *analyzer) loop(c *syntax.ForClause, st *state, cx ctx) output {
	out := output{known: true, approx: true}
	body := func(s *state) {
		o, _ := a.stmts(c.Do, s, cx)
		out.merge(o)
	}
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		cs, _ := c.Loop.(*syntax.CStyleLoop)
		if cs == nil {
			return out
		}
		a.arith(cs.Init, st, cx)
		a.arith(cs.Cond, st, cx)
		cx.cond, cx.loop = true, true
		a.counted(cs, st, cx, body)
		return out
	}
	var items []string
	if !w.InPos.IsValid() {
		items = st.args
	} else {
		a.pinWords(w.Items, st, func(s *state) {
			for _, it := range w.Items {
				if !a.step(1) || len(items) > maxFields {
					break
				}
				items = append(items, a.fields(it, s, cx)...)
			}
		})
	}
	cx.cond = true
	name := w.Name.Value
	open := false
	for i, it := range items {
		if !a.step(1) {
			break
		}
		if i == maxRounds {
			it = a.mark(Part{Kind: Var, Name: name, Set: true})
		}
		open = open || a.opaque(it)
		pre := st.fork()
		a.set(st, name, it)
		body(st)
		if a.opaque(it) {
			a.join(st, pre, st.fork())
		}
		if i == maxRounds {
			break
		}
	}
	return out
}

// counted runs the body of for (( )) for the values its counter takes as far as
// they are known.
func (a *analyzer) counted(cs *syntax.CStyleLoop, st *state, cx ctx, body func(*state)) {
	for range 3 {
		body(st)
		if _, ok := a.arith(cs.Post, st, cx); !ok {
			return
		}
	}
	// The counter goes on; the body is seen once more with any value of it.
	if name := counter(cs.Init); name != "" {
		a.set(st, name, a.mark(Part{Kind: Var, Name: name, Set: true}))
		body(st)
	}
}

func counter(x syntax.ArithmExpr) string {
	b, ok := x.(*syntax.BinaryArithm)
	if !ok || b.Op != syntax.Assgn {
		return ""
	}
	w, _ := b.X.(*syntax.Word)
	if w == nil {
		return ""
	}
	return w.Lit()
}

// while runs a while or until loop: once for each line where it reads known
// text, else once, and once more when a round changes what the next one sees.
func (a *analyzer) while(c *syntax.WhileClause, st *state, cx ctx) output {
	out := output{known: true, approx: true}
	cx.loop = true
	round := func(cx ctx) bool {
		o, _ := a.stmts(c.Cond, st, cx)
		out.merge(o)
		body := cx
		body.cond = true
		pre := st.fork()
		post := st.fork()
		o, exits := a.stmts(c.Do, post, body)
		out.merge(o)
		if exits {
			return false
		}
		before := pre.fork()
		a.join(st, pre, post)
		return !sameVars(before, st)
	}
	if cx.stdin.known && readsLines(c.Cond) {
		lines := strings.Split(strings.TrimSuffix(cx.stdin.text, "\n"), "\n")
		if cx.stdin.text == "" {
			lines = nil
		}
		for i, line := range lines {
			if i >= maxRounds || !a.step(1) {
				break
			}
			one := cx
			one.stdin.text = line
			round(one)
		}
		if len(lines) > maxRounds {
			rest := cx
			rest.stdin = stdin{from: cx.stdin.from}
			round(rest)
		}
		return out
	}
	before := st.fork()
	if round(cx) && a.step(1) {
		// Later rounds see anything in what a round changes.
		after := st.fork()
		for n, v := range after.vars {
			if old, ok := before.vars[n]; n != "OLDPWD" && (!ok || !sameValue(old, v)) {
				a.set(st, n, a.mark(Part{Kind: Var, Name: n, Set: true}))
			}
		}
		round(cx)
		a.join(st, st, after)
	}
	return out
}

func readsLines(cond []*syntax.Stmt) bool {
	found := false
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				switch c.Args[0].Lit() {
				case "read", "mapfile", "readarray":
					found = true
				}
			}
			return !found
		})
	}
	return found
}

func sameVars(x, y *state) bool {
	if len(x.vars) != len(y.vars) {
		return false
	}
	for n, v := range x.vars {
		if !sameValue(v, y.vars[n]) {
			return false
		}
	}
	return true
}
