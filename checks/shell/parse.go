package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Analyze tells what src would run and write when a POSIX-like shell read it in
// env. It never fails: text that it cannot read is in Tokens, and Fallback and
// Truncated say so. It does no I/O but through env.
func Analyze(src string, env Env) Script {
	a := &analyzer{env: env}
	st := &state{}
	cx := ctx{parent: -1}
	a.script(sanitize(src), st, cx)
	return a.out
}

// script runs a text in st: the state is changed as eval would. The caller
// forks it where a new process would read the text.
func (a *analyzer) script(src string, st *state, cx ctx) output {
	if !a.step(1) {
		return output{}
	}
	if cx.depth > maxDepth {
		a.truncate("nesting")
		a.tokens(src)
		return output{}
	}
	switch {
	case len(src) > MaxParsed:
		a.fallback(src, "too long")
		return output{}
	}
	var quotes []quote
	if tooDeep(src) {
		// Perhaps only what is quoted looks deep: a document, a program.
		masked, list := mask(src)
		if list == nil || tooDeep(masked) {
			a.fallback(src, "too deep")
			return output{}
		}
		quotes = list
	}
	if a.bytes += len(src); a.bytes > maxBytes {
		a.truncate("bytes")
		a.tokens(src)
		return output{}
	}
	stmts, src, why := read(src, quotes)
	cx.src = src
	if why != "" {
		a.fallback(src, why)
	}
	out, _ := a.stmts(stmts, st, cx)
	return out
}

// read parses a text, or its masked form where quotes are given. The returned
// text is what the nodes point into.
func read(src string, quotes []quote) (stmts []*syntax.Stmt, text, why string) {
	if quotes != nil {
		masked, _ := mask(src)
		stmts, _, ok := parseAs(masked, syntax.LangBash)
		if !ok || !restore(stmts, src, quotes) {
			return nil, src, "too deep"
		}
		return stmts, src, ""
	}
	src, whole := wordHashes(src)
	stmts, ok := parse(src)
	if !ok || !whole {
		why = "syntax"
	}
	return stmts, src, why
}

// parse reads as many statements as there are. Zsh is tried when Bash is not
// enough, then each line that is left on its own.
func parse(src string) ([]*syntax.Stmt, bool) {
	stmts, bad, ok := parseAs(src, syntax.LangBash)
	if ok {
		return stmts, true
	}
	if zsh, _, fine := parseAs(src, syntax.LangZsh); fine {
		return zsh, true
	}
	// What stands before the bad line was read; go on behind it.
	for range 3 {
		nl := strings.IndexByte(src[min(bad, len(src)):], '\n')
		if nl < 0 {
			break
		}
		// Blanks keep the offsets and line numbers of what follows.
		at := bad + nl
		more, next, fine := parseAs(blank(src[:at])+src[at:], syntax.LangBash)
		stmts = append(stmts, more...)
		if fine || next <= at {
			break
		}
		bad = next
	}
	return stmts, false
}

func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, toASCII(s))
}

// toASCII keeps the length in bytes.
func toASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}

// parseAs returns the statements before the first error and its offset. A panic
// of the parser counts as an error at the start: text must never crash a guard.
func parseAs(src string, lang syntax.LangVariant) (stmts []*syntax.Stmt, bad int, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	ok = true
	p := syntax.NewParser(syntax.Variant(lang))
	// The iterator is run to its end: v3.14.1 goes on after a break, which panics.
	for stmt, err := range p.StmtsSeq(strings.NewReader(src)) {
		switch {
		case err == nil && ok:
			stmts = append(stmts, stmt)
		case err != nil && ok:
			ok = false
			var pe syntax.ParseError
			var le syntax.LangError
			if errors.As(err, &pe) {
				bad = int(pe.Pos.Offset())
			} else if errors.As(err, &le) {
				bad = int(le.Pos.Offset())
			}
		}
	}
	return stmts, bad, ok
}

func (a *analyzer) fallback(src, why string) {
	if a.out.Fallback == "" {
		a.out.Fallback = why
	}
	a.tokens(src)
}

// wordHashes guards against a weakness of the parser (v3.14.1): inside ( ) and
// $( ) it takes a # behind a closing quote for a comment and so hides the rest
// of the line. Such a # is escaped. whole is false when some are left.
func wordHashes(src string) (fixed string, whole bool) {
	for range 8 {
		if !strings.Contains(src, "#") || !mayJoinHash(src) {
			return src, true
		}
		at, ok := misread(src)
		if !ok {
			// The swallowed text may have closed a bracket. Escaping all such marks
			// can change quoted text, which is better than reading nothing.
			all := strings.NewReplacer("'#", "'\\#", "\"#", "\"\\#").Replace(src)
			if _, ok := misread(all); ok {
				return all, true
			}
			return src, true
		}
		if at < 0 {
			return src, true
		}
		src = src[:at] + "\\" + src[at:]
	}
	at, _ := misread(src)
	return src, at < 0
}

func mayJoinHash(src string) bool {
	for i := 1; i < len(src); i++ {
		if src[i] == '#' && strings.IndexByte("'\"}`)", src[i-1]) >= 0 {
			return true
		}
	}
	return false
}

// misread returns the offset of the first # that was taken for a comment though
// a word stands right before it, -1 when there is none. ok is false for text
// that cannot be parsed.
func misread(src string) (at int, ok bool) {
	at = -1
	p := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := func() (f *syntax.File, err error) {
		defer func() {
			if recover() != nil {
				f, err = nil, errors.New("parser panic")
			}
		}()
		return p.Parse(strings.NewReader(src), "")
	}()
	if file == nil || err != nil {
		return -1, false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Comment)
		if !ok {
			return at < 0
		}
		i := int(c.Hash.Offset())
		if i < 1 || i >= len(src) || strings.IndexByte("'\"}`)", src[i-1]) < 0 {
			return true
		}
		// (a)#c is a comment, $(a)#c is none; only what hides something matters.
		if src[i-1] != ')' || strings.ContainsAny(c.Text, ";&|`$()") {
			at = i
		}
		return true
	})
	return at, true
}
