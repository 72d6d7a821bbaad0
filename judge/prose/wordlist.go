package prose

import (
	"slices"
	"strings"
	"sync"
)

// wordlist is a list of words and phrases to look for in a text.
type wordlist struct {
	words   map[string]bool // single Latin words
	phrases []string        // several of them, with a space at either end
	inside  []string        // of scripts without spaces
}

// list makes a wordlist of words and phrases with "|" between them, when it is
// first needed. Latin ones match as whole words, in small letters.
func list(table string) func() *wordlist {
	return sync.OnceValue(func() *wordlist {
		l := &wordlist{words: map[string]bool{}}
		for w := range strings.SplitSeq(table, "|") {
			switch w = strings.TrimSpace(w); {
			case w == "":
			case w[0] >= 0x80:
				l.inside = append(l.inside, w)
			case strings.Contains(w, " "):
				l.phrases = append(l.phrases, " "+w+" ")
			default:
				l.words[w] = true
			}
		}
		return l
	})
}

// finds tells that one of the list stands in text, which is in small letters.
func (l *wordlist) finds(text string) bool {
	var plain strings.Builder // the Latin words alone, apart by single spaces
	plain.WriteByte(' ')
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && inWord(text, j) {
			j++
		}
		if j > i {
			if l.words[text[i:j]] {
				return true
			}
			plain.WriteString(text[i:j])
			plain.WriteByte(' ')
		}
		i = j + 1
	}
	return slices.ContainsFunc(l.phrases, func(p string) bool { return strings.Contains(plain.String(), p) }) ||
		slices.ContainsFunc(l.inside, func(w string) bool { return strings.Contains(text, w) })
}

// inWord tells a byte of a Latin word: a letter, a digit, the mark of inline code,
// or what joins two letters.
func inWord(s string, i int) bool {
	small := func(c byte) bool { return c >= 'a' && c <= 'z' }
	switch c := s[i]; {
	case small(c), c >= '0' && c <= '9', c == '\'', c == '`':
		return true
	case c == '-' || c == '.':
		return i > 0 && i+1 < len(s) && small(s[i-1]) && small(s[i+1])
	}
	return false
}
