package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// certain is the value of a word that has one value whatever happens: nothing in
// it is unknown, computed by commands, or left open by a branch. Inside a while
// loop the arguments are not, because a round may shift them.
func (a *analyzer) certain(w *syntax.Word, st *state, cx ctx) (string, bool) {
	if w == nil {
		return "", false
	}
	sure := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			sure = sure && n.Param != nil && a.certainParam(n.Param.Value, st, cx)
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp, *syntax.ExtGlob:
			sure = false
		}
		return sure
	})
	if !sure {
		return "", false
	}
	s := a.value(w, st, cx)
	return s, !hasPrivate(s)
}

func (a *analyzer) certainParam(name string, st *state, cx ctx) bool {
	if _, err := strconv.Atoi(name); err == nil || name == "#" || name == "@" || name == "*" {
		if cx.loop {
			return false
		}
		return !slices.ContainsFunc(st.args, hasPrivate) // such a one may be several words
	}
	v, ok := st.vars[name]
	return ok && !v.isList && len(v.alts) == 1
}

// chosen is the item of a case that its word takes, -1 for none. ok is false where
// that cannot be told.
func (a *analyzer) chosen(c *syntax.CaseClause, st *state, cx ctx) (item int, ok bool) {
	word, ok := a.certain(c.Word, st, cx)
	if !ok {
		return -1, false
	}
	for i, it := range c.Items {
		for _, p := range it.Patterns {
			pattern, ok := a.casePattern(p, st, cx)
			if !ok {
				return -1, false
			}
			if match(pattern, word) {
				return i, it.Op == syntax.Break || i == len(c.Items)-1
			}
		}
	}
	return -1, true
}

// casePattern is a pattern of a case as match reads it.
func (a *analyzer) casePattern(w *syntax.Word, st *state, cx ctx) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, "()") {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(quotePattern(part.Value))
		case *syntax.DblQuoted:
			s, ok := a.certain(&syntax.Word{Parts: []syntax.WordPart{part}}, st, cx)
			if !ok {
				return "", false
			}
			b.WriteString(quotePattern(s))
		default:
			return "", false
		}
	}
	return b.String(), true
}

func quotePattern(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// decided tells how a simple condition ends: [ "$1" = x ], test -n "$2",
// [[ $# -eq 0 ]].
func (a *analyzer) decided(cond []*syntax.Stmt, st *state, cx ctx) (yes, ok bool) {
	if len(cond) != 1 || cond[0].Background || len(cond[0].Redirs) > 0 {
		return false, false
	}
	switch c := cond[0].Cmd.(type) {
	case *syntax.CallExpr:
		words := make([]string, 0, len(c.Args))
		for _, w := range c.Args {
			s, sure := a.certain(w, st, cx)
			if !sure || len(c.Assigns) > 0 {
				return false, false
			}
			words = append(words, s)
		}
		if len(words) > 1 && words[0] == "[" && words[len(words)-1] == "]" {
			words = words[1 : len(words)-1]
		} else if len(words) > 1 && words[0] == "test" {
			words = words[1:]
		} else {
			return false, false
		}
		yes, ok = compare(words)
	case *syntax.TestClause:
		yes, ok = a.decidedTest(c.X, st, cx)
	}
	return yes != cond[0].Negated, ok
}

func (a *analyzer) decidedTest(x syntax.TestExpr, st *state, cx ctx) (yes, ok bool) {
	switch x := x.(type) {
	case *syntax.UnaryTest:
		w, isWord := x.X.(*syntax.Word)
		if s, sure := a.certain(w, st, cx); isWord && sure {
			return compare([]string{x.Op.String(), s})
		}
	case *syntax.BinaryTest:
		left, isWord := x.X.(*syntax.Word)
		right, also := x.Y.(*syntax.Word)
		if !isWord || !also {
			return false, false
		}
		l, sure := a.certain(left, st, cx)
		r, fine := a.casePattern(right, st, cx)
		if !sure || !fine {
			return false, false
		}
		switch x.Op.String() {
		case "=", "==":
			return match(r, l), true
		case "!=":
			return !match(r, l), true
		}
		return compare([]string{l, x.Op.String(), r})
	}
	return false, false
}

// compare evaluates the operands of a test that looks at texts and numbers alone.
func compare(words []string) (yes, ok bool) {
	switch len(words) {
	case 1:
		return words[0] != "", true
	case 2:
		switch words[0] {
		case "-z":
			return words[1] == "", true
		case "-n":
			return words[1] != "", true
		}
	case 3:
		left, operator, right := words[0], words[1], words[len(words)-1]
		switch operator {
		case "=", "==":
			return left == right, true
		case "!=":
			return left != right, true
		}
		x, err1 := strconv.Atoi(left)
		y, err2 := strconv.Atoi(right)
		if err1 != nil || err2 != nil {
			return false, false
		}
		switch operator {
		case "-eq":
			return x == y, true
		case "-ne":
			return x != y, true
		case "-gt":
			return x > y, true
		case "-ge":
			return x >= y, true
		case "-lt":
			return x < y, true
		case "-le":
			return x <= y, true
		}
	}
	return false, false
}
