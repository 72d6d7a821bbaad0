package outline

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word turns a word into a value.
func (r *shellReader) word(w *syntax.Word) Expr {
	if w == nil {
		return Text("")
	}
	return r.parts(w.Parts, false)
}

// pattern turns a word into a pattern: quoted parts stand for themselves.
func (r *shellReader) pattern(w *syntax.Word) Expr {
	if w == nil {
		return Text("")
	}
	return r.parts(w.Parts, true)
}

func (r *shellReader) parts(parts []syntax.WordPart, pattern bool) Expr {
	var list []Expr
	for i, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok && i == 0 && !pattern && (lit.Value == "~" || strings.HasPrefix(lit.Value, "~/")) {
			rest := unescape(lit.Value[1:], false)
			list = append(list, func(look Lookup) string { return look("HOME") + rest })
			continue
		}
		list = append(list, r.part(part, pattern, false))
	}
	if len(list) == 1 {
		return list[0]
	}
	return func(look Lookup) string {
		var b strings.Builder
		for _, e := range list {
			b.WriteString(e(look))
		}
		return b.String()
	}
}

func quoteGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

func (r *shellReader) part(part syntax.WordPart, pattern, quoted bool) Expr {
	switch p := part.(type) {
	case *syntax.Lit:
		if pattern && !quoted {
			return Text(p.Value)
		}
		return Text(unescape(p.Value, quoted))
	case *syntax.SglQuoted:
		v := p.Value
		if p.Dollar {
			v = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\'`, "'", `\"`, `"`, `\\`, `\`).Replace(v)
		}
		if pattern {
			v = quoteGlob(v)
		}
		return Text(v)
	case *syntax.DblQuoted:
		var list []Expr
		for _, inner := range p.Parts {
			list = append(list, r.part(inner, false, true))
		}
		return func(look Lookup) string {
			var b strings.Builder
			for _, e := range list {
				b.WriteString(e(look))
			}
			if pattern {
				return quoteGlob(b.String())
			}
			return b.String()
		}
	case *syntax.ParamExp:
		return r.param(p)
	case *syntax.ArithmExp:
		return func(look Lookup) string {
			if v, ok := r.number(p.X, look); ok {
				return strconv.Itoa(v)
			}
			return Unknown
		}
	case *syntax.CmdSubst:
		return r.output(p)
	}
	return Text(Unknown)
}

// GitTop is the name under which a Lookup is asked for the top folder of the
// repository, where a script asks git for it.
const GitTop = "\x00top"

// output is what a capture gives, where the text tells it: echo, cat of a
// here-document, the ways to name the script's own folder; else unknown.
func (r *shellReader) output(c *syntax.CmdSubst) Expr {
	if len(c.Stmts) != 1 {
		return Text(Unknown)
	}
	n := r.stmt(c.Stmts[0])
	if n == nil {
		return Text(Unknown)
	}
	if n.Kind == Say && n.To != Stderr {
		return n.Text
	}
	if dir, ok := cdAndPwd(n); ok {
		return dir
	}
	for (n.Kind == Group || n.Kind == Apart) && len(n.Body) > 0 {
		n = n.Body[len(n.Body)-1] // captures inside stand before
	}
	if n.Kind != Start || len(n.Words) == 0 {
		return Text(Unknown)
	}
	last := n.Words[len(n.Words)-1]
	switch n.Words[0](unknownVar) {
	case "cat":
		if n.Feed != nil && len(n.Words) == 1 {
			return n.Feed
		}
	case "git":
		if len(n.Words) == 3 && n.Words[1](unknownVar) == "rev-parse" && n.Words[2](unknownVar) == "--show-toplevel" {
			return func(look Lookup) string { return look(GitTop) }
		}
	case "pwd":
		return func(look Lookup) string { return look("PWD") }
	case "realpath", "readlink":
		return last
	case "dirname":
		if len(n.Words) > 1 {
			return dirname(last)
		}
	}
	return Text(Unknown)
}

func dirname(e Expr) Expr {
	return func(look Lookup) string {
		if v := e(look); Known(v) && v != "" {
			return path.Dir(v)
		}
		return Unknown
	}
}

// cdAndPwd reads "cd FOLDER && pwd", the usual way to make a folder absolute.
func cdAndPwd(n *Node) (Expr, bool) {
	if n.Kind != And || len(n.Body) != 1 || len(n.Else) != 1 || n.Body[0] == nil || n.Else[0] == nil {
		return nil, false
	}
	pwd := n.Else[0]
	if pwd.Kind != Start || len(pwd.Words) == 0 || pwd.Words[0](unknownVar) != "pwd" {
		return nil, false
	}
	var dir Expr
	p := Program{Body: n.Body}
	p.Walk(func(m *Node) {
		if m.Kind == Start && len(m.Words) > 1 && m.Words[0](unknownVar) == "cd" {
			dir = m.Words[len(m.Words)-1]
		}
	})
	return dir, dir != nil
}

func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			next := s[i+1]
			if next == '\n' {
				i++
				continue
			}
			if !quoted || strings.IndexByte("$`\"\\", next) >= 0 {
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (r *shellReader) param(p *syntax.ParamExp) Expr {
	if p.Param == nil {
		return Text(Unknown)
	}
	name := p.Param.Value
	if name == "BASH_SOURCE" && p.Exp == nil { // the script itself, with or without an index
		return func(look Lookup) string { return look("0") }
	}
	if p.Exp != nil && p.Exp.Op == syntax.RemSmallSuffix && p.Exp.Word != nil && p.Exp.Word.Lit() == "/*" && p.Index == nil {
		return dirname(func(look Lookup) string { return look(name) })
	}
	if p.Length || p.Excl || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 {
		return Text(Unknown)
	}
	plain := func(look Lookup) string { return look(name) }
	if p.Exp == nil {
		return plain
	}
	alt := r.word(p.Exp.Word)
	return func(look Lookup) string {
		v := look(name)
		switch p.Exp.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			if v == "" {
				return alt(look)
			}
			return v
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			switch {
			case v == "":
				return ""
			case hasText(v):
				return alt(look)
			}
			return Unknown
		case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
			return v
		default:
		}
		if v == "" {
			return ""
		}
		return Unknown
	}
}

// hasText reports whether a value is certainly not empty.
func hasText(v string) bool { return strings.ReplaceAll(v, Unknown, "") != "" }

func (r *shellReader) varsOf(n syntax.Node) []string {
	var out []string
	if w, ok := n.(*syntax.Word); ok && w == nil {
		return nil
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch p := n.(type) {
		case *syntax.ParamExp:
			if p.Param != nil {
				out = append(out, p.Param.Value)
			}
		case *syntax.CmdSubst:
			return false
		}
		return true
	})
	return out
}

// number evaluates simple arithmetic.
func (r *shellReader) number(x syntax.ArithmExpr, look Lookup) (int, bool) {
	switch e := x.(type) {
	case *syntax.Word:
		text := r.word(e)(look)
		if v, err := strconv.Atoi(text); err == nil {
			return v, true
		}
		if text == "" {
			return 0, true
		}
		if Known(text) && isName(text) {
			value := look(text)
			if value == "" {
				return 0, true
			}
			v, err := strconv.Atoi(value)
			return v, err == nil
		}
	case *syntax.ParenArithm:
		return r.number(e.X, look)
	case *syntax.UnaryArithm:
		v, ok := r.number(e.X, look)
		if e.Op == syntax.Not && ok {
			if v == 0 {
				return 1, true
			}
			return 0, true
		}
		if e.Op == syntax.Inc {
			return v + 1, ok
		}
		return v, ok && e.Op == syntax.Plus
	case *syntax.BinaryArithm:
		a, okA := r.number(e.X, look)
		b, okB := r.number(e.Y, look)
		if !okA || !okB {
			return 0, false
		}
		truth := func(b bool) (int, bool) {
			if b {
				return 1, true
			}
			return 0, true
		}
		switch e.Op {
		case syntax.Add:
			return a + b, true
		case syntax.Sub:
			return a - b, true
		case syntax.Mul:
			return a * b, true
		case syntax.Eql:
			return truth(a == b)
		case syntax.Neq:
			return truth(a != b)
		case syntax.Gtr:
			return truth(a > b)
		case syntax.Geq:
			return truth(a >= b)
		case syntax.Lss:
			return truth(a < b)
		case syntax.Leq:
			return truth(a <= b)
		default:
		}
	}
	return 0, false
}

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (r *shellReader) arithmetic(x syntax.ArithmExpr) (cond func(Lookup) Tri, vars []string) {
	if x == nil {
		return nil, nil
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch w := n.(type) {
		case *syntax.Word:
			if isName(w.Lit()) {
				vars = append(vars, w.Lit())
			}
		case *syntax.ParamExp:
			if w.Param != nil {
				vars = append(vars, w.Param.Value)
			}
		}
		return true
	})
	return func(look Lookup) Tri {
		v, ok := r.number(x, look)
		switch {
		case !ok:
			return Maybe
		case v != 0:
			return True
		}
		return False
	}, vars
}

// match tells whether a value fits a shell pattern.
func match(value, pattern string) Tri {
	if !Known(pattern) {
		return Maybe
	}
	if strings.Trim(pattern, "*") == "" && pattern != "" {
		return True
	}
	if !Known(value) {
		return Maybe
	}
	// path.Match stops at slashes, the shell does not.
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x01"), strings.ReplaceAll(value, "/", "\x01"))
	switch {
	case err != nil:
		return Maybe
	case ok:
		return True
	}
	return False
}
