package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// chain runs a list of && and ||. What a guarded command changes is kept beside
// what was before where the guard is a test; other guards are taken to succeed,
// because that is why people write them.
func (a *analyzer) chain(c *syntax.BinaryCmd, st *state, cx ctx) (output, bool) {
	type link struct {
		op syntax.BinCmdOperator
		s  *syntax.Stmt
	}
	links := []link{}
	var first *syntax.Stmt
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
