package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
			args = append(args, a.word(n, rawOf(cx.src, as)))
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
