package outline

import (
	"slices"
	"strconv"
	"strings"
)

// conditions reads the conditions and values of Python and JavaScript, as far as
// they speak of the environment, constants and names.
type conditions struct {
	python bool
	vars   []string
	depth  int
}

// read turns a condition into a function.
func (e *conditions) read(s string) func(Lookup) Tri {
	maybe := func(Lookup) Tri { return Maybe }
	s = strings.TrimSpace(s)
	if e.depth++; e.depth > 50 {
		return maybe
	}
	defer func() { e.depth-- }()
	or, and, not := "||", "&&", "!"
	if e.python {
		or, and, not = " or ", " and ", "not "
	}
	if parts := splitTop(s, or); len(parts) > 1 {
		return e.fold(parts, false)
	}
	if parts := splitTop(s, and); len(parts) > 1 {
		return e.fold(parts, true)
	}
	if rest, ok := strings.CutPrefix(s, not); ok && !strings.HasPrefix(rest, "=") {
		inner := e.read(rest)
		return func(look Lookup) Tri { return inner(look).Not() }
	}
	if strings.HasPrefix(s, "(") && closing(s, 0) == len(s)-1 {
		return e.read(s[1 : len(s)-1])
	}
	for _, wrap := range []string{"bool(", "Boolean(", "any(", "!!("} {
		if strings.HasPrefix(s, wrap) && closing(s, len(wrap)-1) == len(s)-1 && wrap != "any(" {
			return e.read(s[len(wrap) : len(s)-1])
		}
	}
	if e.python && (s == `__name__ == "__main__"` || s == `__name__ == '__main__'`) {
		return func(Lookup) Tri { return True }
	}
	if s == "require.main === module" || s == "import.meta.main" {
		return func(Lookup) Tri { return True }
	}
	for _, op := range []string{"===", "!==", "==", "!=", ">=", "<=", " is not ", " is ", " not in ", " in ", ">", "<"} {
		if !e.python && strings.HasPrefix(op, " ") && op != " in " {
			continue
		}
		if a, b, ok := cutTop(s, op); ok {
			return e.comparison(strings.TrimSpace(a), strings.TrimSpace(op), strings.TrimSpace(b))
		}
	}
	switch s {
	case "true", "True", "1":
		return func(Lookup) Tri { return True }
	case "false", "False", "0", "None", "null", "undefined":
		return func(Lookup) Tri { return False }
	}
	value := e.value(s)
	return func(look Lookup) Tri { return nonEmpty(value(look)) }
}

func (e *conditions) fold(parts []string, all bool) func(Lookup) Tri {
	var list []func(Lookup) Tri
	for _, part := range parts {
		list = append(list, e.read(part))
	}
	return func(look Lookup) Tri {
		is := list[0](look)
		for _, next := range list[1:] {
			if all {
				is = both(is, next(look))
			} else {
				is = both(is.Not(), next(look).Not()).Not()
			}
		}
		return is
	}
}

func (e *conditions) comparison(a, op, b string) func(Lookup) Tri {
	if op == "in" || op == "not in" {
		is := e.contains(a, b)
		if op == "in" {
			return is
		}
		return func(look Lookup) Tri { return is(look).Not() }
	}
	x, y := e.value(a), e.value(b)
	empty := b == "None" || b == "null" || b == "undefined"
	return func(look Lookup) Tri {
		u, v := x(look), y(look)
		switch op {
		case "==", "===", "is":
			if empty {
				return nonEmpty(u).Not()
			}
			return compare(u, "=", v)
		case "!=", "!==", "is not":
			if empty {
				return nonEmpty(u)
			}
			return compare(u, "!=", v)
		case ">=":
			return compare(u, "-ge", v)
		case "<=":
			return compare(u, "-le", v)
		case ">":
			return compare(u, "-gt", v)
		case "<":
			return compare(u, "-lt", v)
		}
		return Maybe
	}
}

// contains reads "X" in os.environ and value in ("1", "true").
func (e *conditions) contains(a, b string) func(Lookup) Tri {
	if b == "os.environ" || b == "process.env" || b == "environ" {
		if name, ok := literal(a); ok {
			e.vars = append(e.vars, name)
			return func(look Lookup) Tri { return nonEmpty(look(name)) }
		}
	}
	if len(b) > 1 && strings.IndexByte("([{", b[0]) >= 0 {
		value := e.value(a)
		var options []string
		for _, item := range splitTop(b[1:len(b)-1], ",") {
			option, ok := literal(item)
			if !ok {
				return func(Lookup) Tri { return Maybe }
			}
			options = append(options, option)
		}
		return func(look Lookup) Tri {
			v := value(look)
			if !Known(v) {
				return Maybe
			}
			if slices.Contains(options, v) {
				return True
			}
			return False
		}
	}
	return func(Lookup) Tri { return Maybe }
}

// value reads an expression: a literal, a variable of the environment with its
// default, or a name.
func (e *conditions) value(s string) Expr {
	s = strings.TrimSpace(s)
	if e.depth++; e.depth > 60 {
		return Text(Unknown)
	}
	defer func() { e.depth-- }()
	if v, ok := literal(s); ok {
		return Text(v)
	}
	if _, err := strconv.Atoi(s); err == nil {
		return Text(s)
	}
	switch s {
	case "None", "null", "undefined", "false", "False", "''", `""`:
		return Text("")
	case "true", "True":
		return Text("1")
	}
	if strings.HasPrefix(s, "(") && closing(s, 0) == len(s)-1 {
		return e.value(s[1 : len(s)-1])
	}
	for _, wrap := range []string{"int(", "str(", "String(", "Number(", "parseInt(", "bool("} {
		if strings.HasPrefix(s, wrap) && closing(s, len(wrap)-1) == len(s)-1 {
			inner, _, _ := cutTop(s[len(wrap):len(s)-1], ",")
			return e.value(inner)
		}
	}
	for _, or := range []string{" or ", "||", "??"} {
		if a, b, ok := cutTop(s, or); ok {
			x, y := e.value(a), e.value(b)
			return func(look Lookup) string {
				if v := x(look); v != "" {
					return v
				}
				return y(look)
			}
		}
	}
	if a, b, ok := cutTop(s, "+"); ok && strings.TrimSpace(a) != "" {
		x, y := e.value(a), e.value(b)
		return func(look Lookup) string {
			u, v := x(look), y(look)
			i, errI := strconv.Atoi(u)
			j, errJ := strconv.Atoi(v)
			if errI == nil && errJ == nil {
				return strconv.Itoa(i + j)
			}
			return u + v
		}
	}
	if name, fallback, ok := envName(s); ok {
		e.vars = append(e.vars, name)
		alt := Text("")
		if fallback != "" {
			alt = e.value(fallback)
		}
		return func(look Lookup) string {
			if v := look(name); v != "" {
				return v
			}
			return alt(look)
		}
	}
	if isName(s) {
		return func(look Lookup) string { return look(local(s)) }
	}
	return Text(Unknown)
}

// envName reads the ways to name a variable of the environment.
func envName(s string) (name, fallback string, ok bool) {
	for _, prefix := range []string{"os.environ.get(", "os.getenv(", "environ.get(", "getenv("} {
		rest, found := strings.CutPrefix(s, prefix)
		if !found || closing(s, len(prefix)-1) != len(s)-1 {
			continue
		}
		args := splitTop(rest[:len(rest)-1], ",")
		name, ok = literal(args[0])
		if len(args) > 1 {
			fallback = strings.TrimSpace(args[1])
		}
		return name, fallback, ok
	}
	for _, prefix := range []string{"os.environ[", "process.env[", "environ["} {
		if rest, found := strings.CutPrefix(s, prefix); found && strings.HasSuffix(rest, "]") {
			name, ok = literal(rest[:len(rest)-1])
			return name, "", ok
		}
	}
	for _, prefix := range []string{"process.env.", "Bun.env."} {
		if rest, found := strings.CutPrefix(s, prefix); found && isName(rest) {
			return rest, "", true
		}
	}
	return "", "", false
}
