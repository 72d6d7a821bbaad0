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
	if len(src) > MaxParsed {
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
			if pe, ok := errors.AsType[syntax.ParseError](err); ok {
				bad = int(pe.Pos.Offset())
			} else if le, ok := errors.AsType[syntax.LangError](err); ok {
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
