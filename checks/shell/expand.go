package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sink collects the fields that one word expands to.
type sink struct {
	fields []string
	cur    strings.Builder
	open   bool   // cur is a field, even when it is empty
	split  bool   // unquoted expansions are split at ifs
	ifs    string //
}

func (k *sink) add(s string) {
	k.cur.WriteString(s)
	k.open = true
}

func (k *sink) end() {
	if k.open && len(k.fields) < maxFields {
		k.fields = append(k.fields, k.cur.String())
	}
	k.cur.Reset()
	k.open = false
}

// words expands the words of a command into its arguments.
func (a *analyzer) words(list []*syntax.Word, st *state, cx ctx) []Word {
	out := make([]Word, 0, len(list))
	for _, w := range list {
		if !a.step(1) || len(out) > 4*maxFields {
			break
		}
		raw := rawOf(cx.src, w)
		for _, f := range a.fields(w, st, cx) {
			out = append(out, a.word(f, raw))
		}
	}
	return out
}

func rawOf(src string, n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(src) || from > to {
		return ""
	}
	return src[from:to]
}

// fields expands one word: braces, tilde, variables, substitutions, splitting.
// Globs stay as patterns.
func (a *analyzer) fields(w *syntax.Word, st *state, cx ctx) []string {
	if s, ok := simpleLit(w); ok {
		return []string{s}
	}
	var out []string
	for _, parts := range a.braces(w) {
		k := sink{split: true, ifs: a.get(st, "IFS")}
		a.parts1(parts, &k, st, cx)
		k.end()
		out = append(out, k.fields...)
		if len(out) > maxFields || !a.step(1) {
			break
		}
	}
	return out
}

// simpleLit is the short way for the commonest word.
func simpleLit(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if strings.ContainsAny(p.Value, "\\*?[~{=") {
			return "", false
		}
		return p.Value, true
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	}
	return "", false
}

// value expands a word that is not split: an assignment, a redirection's
// target, a here-string.
func (a *analyzer) value(w *syntax.Word, st *state, cx ctx) string {
	if w == nil {
		return ""
	}
	if s, ok := simpleLit(w); ok {
		return s
	}
	k := sink{}
	a.parts1(w.Parts, &k, st, cx)
	return k.cur.String()
}

func (a *analyzer) parts1(parts []syntax.WordPart, k *sink, st *state, cx ctx) {
	for i, p := range parts {
		next := parts[i+1:]
		switch p := p.(type) {
		case *syntax.Lit:
			if i > 0 && strings.HasPrefix(p.Value, "(") && strings.HasSuffix(p.Value, ")") {
				continue // zsh: the qualifiers of a pattern
			}
			a.lit(p.Value, k, st, i == 0, len(next) == 0 || isLit(next[0]))
		case *syntax.SglQuoted:
			if p.Dollar {
				k.add(ansiC(p.Value))
			} else {
				k.add(p.Value)
			}
		case *syntax.DblQuoted:
			a.quoted(p.Parts, k, st, cx)
		case *syntax.ParamExp:
			a.param(p, k, false, st, cx)
		case *syntax.CmdSubst:
			a.unquoted(k, a.subst(p, false, st, cx))
		case *syntax.ArithmExp:
			k.add(a.arithText(p.X, st, cx))
		case *syntax.ProcSubst:
			k.add(a.procSubst(p, st, cx))
		case *syntax.ExtGlob:
			pattern := p.Op.String() + p.Pattern.Value + ")"
			if k.split && p.Op == syntax.GlobExcept {
				// All but a few: what is left out is too little to matter.
				pattern = "*"
			}
			if k.split {
				k.add(a.glob(pattern))
			} else {
				k.add(pattern)
			}
		case *syntax.BraceExp:
			for _, e := range p.Elems {
				a.parts1(e.Parts, k, st, cx)
			}
		}
	}
}

func isLit(p syntax.WordPart) bool {
	_, ok := p.(*syntax.Lit)
	return ok
}

func (a *analyzer) quoted(parts []syntax.WordPart, k *sink, st *state, cx ctx) {
	if !listOnly(parts) {
		k.open = true
	}
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			k.add(unescape(p.Value, "$`\"\\\n"))
		case *syntax.ParamExp:
			a.param(p, k, true, st, cx)
		case *syntax.CmdSubst:
			k.add(a.subst(p, true, st, cx))
		case *syntax.ArithmExp:
			k.add(a.arithText(p.X, st, cx))
		case *syntax.DblQuoted:
			a.quoted(p.Parts, k, st, cx)
		case *syntax.SglQuoted:
			k.add(p.Value)
		}
	}
}

// listOnly tells the word "$@", which is no field at all without parameters.
func listOnly(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && p.Param != nil && (p.Param.Value == "@" || p.Index != nil)
}

// unquoted adds the value of an expansion outside quotes: it is split and its
// patterns count.
func (a *analyzer) unquoted(k *sink, s string) {
	if !k.split {
		if s != "" {
			k.add(s)
		}
		return
	}
	if strings.ContainsAny(s, "*?[") {
		s = a.globbed(s)
	}
	if k.ifs == "" || !strings.ContainsAny(s, k.ifs) {
		if s != "" {
			k.add(s)
		}
		return
	}
	from := 0
	for i := range len(s) {
		if strings.IndexByte(k.ifs, s[i]) < 0 || s[i] >= 0x80 {
			continue
		}
		if i > from {
			k.add(s[from:i])
		}
		if k.open {
			k.end()
		}
		from = i + 1
	}
	if from < len(s) {
		k.add(s[from:])
	}
}
