package shell

import "strings"

// tokens adds the words of a text that is not parsed: split at blanks, quotes
// and operators, so that a quoted script falls apart too.
func (a *analyzer) tokens(src string) {
	for len(src) > 0 {
		if len(a.out.Tokens) >= maxTokens {
			a.truncate("words")
			return
		}
		i := strings.IndexFunc(src, func(r rune) bool { return !separates(r) })
		if i < 0 {
			return
		}
		src = src[i:]
		end := strings.IndexFunc(src, separates)
		if end < 0 {
			end = len(src)
		}
		word := src[:end]
		src = src[end:]
		a.out.Tokens = append(a.out.Tokens, a.plain(word))
	}
}

func separates(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\'', '"', '`', ';', '&', '|', '(', ')', '<', '>', ',':
		return true
	}
	return false
}
