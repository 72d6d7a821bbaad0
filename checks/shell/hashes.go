package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// wordHashes guards against a weakness of the parser (v3.14.1): inside ( ) and
// $( ) it takes a # behind a closing quote or a variable for a comment and so hides
// the rest of the line. Such a # is escaped. whole is false when some are left.
func wordHashes(src string) (fixed string, whole bool) {
	for range 8 {
		if !strings.Contains(src, "#") || !mayJoinHash(src) {
			return src, true
		}
		at, ok := misread(src)
		if !ok {
			// The swallowed text may have closed a bracket. Escaping all such marks
			// can change quoted text, which is better than reading nothing.
			// Behind a bracket both readings are possible: (a)#c and $(a)#c.
			for _, behind := range [...]string{"'\"`}", "'\"`})"} {
				if all := escapeHashes(src, behind); all != src {
					if _, ok := misread(all); ok {
						return all, true
					}
				}
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

// escapeHashes escapes each # that stands right behind one of the given bytes
// or behind $name.
func escapeHashes(src, behind string) string {
	var b strings.Builder
	for i := range len(src) {
		if src[i] == '#' && i > 0 {
			j := i
			for j > 0 && alnum(src[j-1]) {
				j--
			}
			if strings.IndexByte(behind, src[i-1]) >= 0 || j < i && j > 0 && src[j-1] == '$' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(src[i])
	}
	return b.String()
}

func mayJoinHash(src string) bool {
	for i := 1; i < len(src); i++ {
		if src[i] == '#' && strings.IndexByte(" \t\n;&|(<>", src[i-1]) < 0 {
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
		if i < 1 || i >= len(src) || strings.IndexByte(" \t\r\n;&|(<>", src[i-1]) >= 0 {
			return true
		}
		// (a)#c is a comment, $(a)#c is none; only what hides something matters.
		if src[i-1] != ')' && src[i-1] != '`' || strings.ContainsAny(c.Text, ";&|`$()") {
			at = i
		}
		return true
	})
	return at, true
}
