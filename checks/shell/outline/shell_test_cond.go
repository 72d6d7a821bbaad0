package outline

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// testArgs evaluates the arguments of test or [.
func testArgs(args []Expr, look Lookup) Tri {
	values := make([]string, len(args))
	for i, a := range args {
		values[i] = a(look)
	}
	return evalTest(values)
}

func evalTest(v []string) Tri {
	switch {
	case len(v) == 0:
		return False
	case v[0] == "!" && len(v) > 1:
		return evalTest(v[1:]).Not()
	case len(v) == 1:
		return nonEmpty(v[0])
	case len(v) == 2:
		return unary(v[0], v[1])
	case len(v) == 3:
		return compare(v[0], v[1], v[2])
	}
	for i := 1; i < len(v)-1; i++ {
		switch v[i] {
		case "-a":
			return both(evalTest(v[:i]), evalTest(v[i+1:]))
		case "-o":
			return both(evalTest(v[:i]).Not(), evalTest(v[i+1:]).Not()).Not()
		}
	}
	return Maybe
}

func both(a, b Tri) Tri {
	switch {
	case a == False || b == False:
		return False
	case a == True && b == True:
		return True
	}
	return Maybe
}

func nonEmpty(v string) Tri {
	switch {
	case v == "":
		return False
	case hasText(v):
		return True
	}
	return Maybe
}

func unary(op, v string) Tri {
	switch op {
	case "-n":
		return nonEmpty(v)
	case "-z":
		return nonEmpty(v).Not()
	case "-t":
		return False // a hook has no terminal
	case "!":
		return nonEmpty(v).Not()
	}
	return Maybe
}

func compare(a, op, b string) Tri {
	truth := func(is bool) Tri {
		if is {
			return True
		}
		return False
	}
	switch op {
	case "=", "==", "!=":
		is := Maybe
		switch {
		case Known(a) && Known(b):
			is = truth(a == b)
		case a == "" && hasText(b) || b == "" && hasText(a):
			is = False
		}
		if op == "!=" {
			return is.Not()
		}
		return is
	case "-eq", "-ne", "-gt", "-ge", "-lt", "-le":
		x, errA := strconv.Atoi(strings.TrimSpace(a))
		y, errB := strconv.Atoi(strings.TrimSpace(b))
		if errA != nil || errB != nil {
			return Maybe
		}
		switch op {
		case "-eq":
			return truth(x == y)
		case "-ne":
			return truth(x != y)
		case "-gt":
			return truth(x > y)
		case "-ge":
			return truth(x >= y)
		case "-lt":
			return truth(x < y)
		default:
			return truth(x <= y)
		}
	}
	return Maybe
}

// boolean evaluates what stands in [[ ]].
func (r *shellReader) boolean(x syntax.TestExpr) (cond func(Lookup) Tri, vars []string) {
	switch e := x.(type) {
	case *syntax.Word:
		w := r.word(e)
		return func(look Lookup) Tri { return nonEmpty(w(look)) }, r.varsOf(e)
	case *syntax.ParenTest:
		return r.boolean(e.X)
	case *syntax.UnaryTest:
		if e.Op == syntax.TsNot {
			inner, vars := r.boolean(e.X)
			return func(look Lookup) Tri { return inner(look).Not() }, vars
		}
		w, ok := e.X.(*syntax.Word)
		if !ok {
			break
		}
		value, op := r.word(w), e.Op.String()
		if e.Op == syntax.TsVarSet {
			name := w.Lit()
			return func(look Lookup) Tri { return nonEmpty(look(name)) }, []string{name}
		}
		if op == "-o" && w.Lit() == "interactive" {
			return func(look Lookup) Tri { return match(look("-"), "*i*") }, []string{"-"}
		}
		return func(look Lookup) Tri { return unary(op, value(look)) }, r.varsOf(w)
	case *syntax.BinaryTest:
		switch e.Op {
		case syntax.AndTest, syntax.OrTest:
			a, av := r.boolean(e.X)
			b, bv := r.boolean(e.Y)
			vars = slices.Concat(av, bv)
			if e.Op == syntax.AndTest {
				return func(look Lookup) Tri { return both(a(look), b(look)) }, vars
			}
			return func(look Lookup) Tri { return both(a(look).Not(), b(look).Not()).Not() }, vars
		default:
		}
		wx, okX := e.X.(*syntax.Word)
		wy, okY := e.Y.(*syntax.Word)
		if !okX || !okY {
			break
		}
		vars = slices.Concat(r.varsOf(wx), r.varsOf(wy))
		a := r.word(wx)
		switch e.Op {
		case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
			b := r.pattern(wy)
			return func(look Lookup) Tri {
				is := match(a(look), b(look))
				if e.Op == syntax.TsNoMatch {
					return is.Not()
				}
				return is
			}, vars
		default:
			b, op := r.word(wy), e.Op.String()
			return func(look Lookup) Tri { return compare(a(look), op, b(look)) }, vars
		}
	}
	return func(Lookup) Tri { return Maybe }, nil
}
