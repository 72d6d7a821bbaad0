package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithText is the value of $(( )).
func (a *analyzer) arithText(x syntax.ArithmExpr, st *state, cx ctx) string {
	if n, ok := a.arith(x, st, cx); ok {
		return strconv.FormatInt(n, 10)
	}
	return a.mark(Part{Kind: Var, Name: "((", Set: true})
}

// arith evaluates an arithmetic expression where everything in it is known. It
// visits all of it in any case, because substitutions in it run.
func (a *analyzer) arith(x syntax.ArithmExpr, st *state, cx ctx) (int64, bool) {
	if x == nil || !a.step(1) {
		return 0, false
	}
	if deepArith(x) {
		a.truncate("nesting")
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		s := strings.TrimSpace(a.value(x, st, cx))
		for range 4 { // names of names
			if n, err := strconv.ParseInt(s, 0, 64); err == nil {
				return n, true
			}
			if !syntax.ValidName(s) {
				return 0, false
			}
			v, ok := a.lookup(st, s)
			if !ok || len(v.alts) != 1 || v.isList {
				return 0, false
			}
			s = v.alts[0]
		}
		return 0, false
	case *syntax.ParenArithm:
		return a.arith(x.X, st, cx)
	case *syntax.UnaryArithm:
		n, ok := a.arith(x.X, st, cx)
		return a.unary(x, n, ok, st)
	case *syntax.BinaryArithm:
		return a.binary(x, st, cx)
	case *syntax.FlagsArithm:
		a.arith(x.X, st, cx)
	}
	return 0, false
}

// deepArith tells a chain of operators that is too long to recurse into. The
// parser builds it to the left without recursion of its own.
func deepArith(x syntax.ArithmExpr) bool {
	for n := 0; ; n++ {
		b, ok := x.(*syntax.BinaryArithm)
		if !ok {
			return false
		}
		if n > 2*MaxNesting {
			return true
		}
		x = b.X
	}
}

func (a *analyzer) unary(x *syntax.UnaryArithm, n int64, ok bool, st *state) (int64, bool) {
	switch x.Op {
	case syntax.Inc, syntax.Dec:
		old := n
		if x.Op == syntax.Inc {
			n++
		} else {
			n--
		}
		a.assignArith(x.X, n, ok, st)
		if x.Post {
			return old, ok
		}
		return n, ok
	case syntax.Minus:
		return -n, ok
	case syntax.Not:
		if n == 0 {
			return 1, ok
		}
		return 0, ok
	case syntax.BitNegation:
		return ^n, ok
	default: // a plus sign
		return n, ok
	}
}

func (a *analyzer) assignArith(x syntax.ArithmExpr, n int64, ok bool, st *state) {
	w, _ := x.(*syntax.Word)
	if w == nil || !syntax.ValidName(w.Lit()) {
		return
	}
	if ok {
		a.set(st, w.Lit(), strconv.FormatInt(n, 10))
	} else {
		a.set(st, w.Lit(), a.mark(Part{Kind: Var, Name: w.Lit(), Set: true}))
	}
}

func (a *analyzer) binary(x *syntax.BinaryArithm, st *state, cx ctx) (int64, bool) {
	l, okL := a.arith(x.X, st, cx)
	r, okR := a.arith(x.Y, st, cx)
	ok := okL && okR
	switch x.Op {
	case syntax.Assgn:
		a.assignArith(x.X, r, okR, st)
		return r, okR
	case syntax.AddAssgn:
		a.assignArith(x.X, l+r, ok, st)
		return l + r, ok
	case syntax.SubAssgn:
		a.assignArith(x.X, l-r, ok, st)
		return l - r, ok
	case syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn,
		syntax.ShlAssgn, syntax.ShrAssgn:
		a.assignArith(x.X, 0, false, st)
		return 0, false
	case syntax.Add:
		return l + r, ok
	case syntax.Sub:
		return l - r, ok
	case syntax.Mul:
		return l * r, ok
	case syntax.Quo, syntax.Rem:
		if r == 0 || r == -1 {
			return 0, false
		}
		if x.Op == syntax.Quo {
			return l / r, ok
		}
		return l % r, ok
	case syntax.Comma:
		return r, okR
	case syntax.And:
		return l & r, ok
	case syntax.Or:
		return l | r, ok
	case syntax.Xor:
		return l ^ r, ok
	case syntax.Shl, syntax.Shr:
		if r < 0 || r > 63 {
			return 0, false
		}
		if x.Op == syntax.Shl {
			return l << uint(r), ok
		}
		return l >> uint(r), ok
	default: // comparisons and the like decide nothing here
		return 0, false
	}
}
