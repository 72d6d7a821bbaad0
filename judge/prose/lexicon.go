package prose

import (
	"maps"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// set is a set of word classes, one bit each.
type set [setWords]uint64

// setWords times 64 is how many classes there may be; a test counts them.
const setWords = 6

func (s set) or(o set) set {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

func (s set) has(o set) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// classes numbers the word classes in the order in which they are first named.
// Only the lexicons, patterns and readers of this package name them, so their
// number is bounded. Reading takes no lock; a new name copies the map.
var classes struct {
	sync.Mutex
	bits atomic.Pointer[map[string]set]
}

func classOf(name string) set {
	if m := classes.bits.Load(); m != nil {
		if b, ok := (*m)[name]; ok {
			return b
		}
	}
	classes.Lock()
	defer classes.Unlock()
	grown := map[string]set{}
	if m := classes.bits.Load(); m != nil {
		if b, ok := (*m)[name]; ok {
			return b
		}
		grown = maps.Clone(*m)
	}
	var b set
	if n := len(grown); n < 64*setWords {
		b[n/64] = 1 << (n % 64)
	}
	grown[name] = b
	classes.bits.Store(&grown)
	return b
}

func bit(name string) set { return classOf(name) }

// lexicon holds the words of one language.
type lexicon struct {
	words map[string]set     // single words
	multi map[string][]entry // by first word: phrases, longest first
	runes map[rune][]entry   // by first rune: entries of a script without spaces, longest first
}

type entry struct {
	words []string
	text  string
	class set
}

var (
	english  = sync.OnceValue(func() *lexicon { return read(englishWords, nil) })
	japanese = sync.OnceValue(func() *lexicon { return read(japaneseWords, japaneseForm) })
	chinese  = sync.OnceValue(func() *lexicon { return read(chineseWords, chineseForm) })
)

func lexiconOf(l Lang) *lexicon {
	switch l {
	case Japanese:
		return japanese()
	case Chinese:
		return chinese()
	case English:
	}
	return english()
}

// read makes a lexicon of a table: one line "classes: word | word | …". The
// words of the English table are split at spaces and before apostrophes, as
// tokenise does.
func read(table string, form func(string) string) *lexicon {
	l := &lexicon{words: map[string]set{}, multi: map[string][]entry{}, runes: map[rune][]entry{}}
	for line := range strings.SplitSeq(table, "\n") {
		names, list, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var class set
		for n := range strings.FieldsSeq(names) {
			class = class.or(bit(n))
		}
		for w := range strings.SplitSeq(list, "|") {
			w = foldString(strings.TrimSpace(w))
			if w == "" {
				continue
			}
			if form == nil {
				l.add(w, class)
				continue
			}
			c := class
			if f := form(w); f != "" {
				c = c.or(bit(f))
			}
			l.addRunes(w, c)
		}
	}
	for _, m := range l.multi {
		sort.SliceStable(m, func(i, j int) bool { return len(m[i].words) > len(m[j].words) })
	}
	for _, m := range l.runes {
		sort.SliceStable(m, func(i, j int) bool { return len(m[i].text) > len(m[j].text) })
	}
	return l
}

// japaneseForm gives the class of the ending that an entry carries in itself.
func japaneseForm(w string) string {
	switch {
	case strings.HasSuffix(w, "ません"):
		return "neg"
	case strings.HasSuffix(w, "ました"):
		return "pt"
	case strings.HasSuffix(w, "ます") && len(w) > 6:
		return "np"
	}
	return ""
}

// chineseForm is japaneseForm for Chinese aspect.
func chineseForm(w string) string {
	switch {
	case strings.HasSuffix(w, "了") && len(w) > 3:
		return "le"
	case strings.HasPrefix(w, "已") && len(w) > 6:
		return "done"
	}
	return ""
}

// stem gives the verb before "n't": can of ca(n), will of wo(n).
func stem(w string) string {
	switch w = strings.TrimSuffix(w, "n"); w {
	case "ca":
		return "can"
	case "wo":
		return "will"
	}
	return w
}

// add enters a word of English.
func (l *lexicon) add(w string, class set) {
	if w == "n't" || !strings.ContainsAny(w, " '") || w[0] == '\'' && strings.Count(w, "'") == 1 && !strings.Contains(w, " ") {
		l.words[w] = l.words[w].or(class)
		return
	}
	f := strings.Fields(strings.ReplaceAll(w, "'", " '"))
	for i := range f {
		if f[i] == "'t" && i > 0 {
			f[i-1], f[i] = stem(f[i-1]), "n't"
		}
	}
	e := entry{words: f, text: strings.Join(f, " "), class: class}
	m := l.multi[f[0]]
	for i := range m {
		if m[i].text == e.text {
			m[i].class = m[i].class.or(class)
			return
		}
	}
	l.multi[f[0]] = append(m, e)
}

// addRunes enters a word of a script that is written without spaces.
func (l *lexicon) addRunes(w string, class set) {
	r, _ := utf8.DecodeRuneInString(w)
	w = strings.ReplaceAll(w, " ", "")
	m := l.runes[r]
	for i := range m {
		if m[i].text == w {
			m[i].class = m[i].class.or(class)
			return
		}
	}
	l.runes[r] = append(m, entry{text: w, class: class})
}

// longest gives the length in bytes of the longest entry at text[i:end], spaces
// inside left out, and its classes.
func (l *lexicon) longest(text string, i, end int) (int, set) {
	r, _ := utf8.DecodeRuneInString(text[i:end])
	for _, e := range l.runes[fold(r)] {
		if n := prefix(text[i:end], e.text); n > 0 && !l.cutsKatakana(text, i+n, end) {
			return n, e.class
		}
	}
	return 0, set{}
}

// cutsKatakana tells that an entry that ends at i would leave the tail of a
// katakana word that begins no entry: パス in パスワード.
func (l *lexicon) cutsKatakana(text string, i, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:end])
	if !katakana(before) || !katakana(after) {
		return false
	}
	for _, e := range l.runes[after] {
		if prefix(text[i:end], e.text) > 0 {
			return false
		}
	}
	return true
}

func katakana(r rune) bool { return r >= 'ァ' && r <= 'ヺ' || r == 'ー' }

// prefix tells how many bytes of s make up want, folded, with single spaces left out.
func prefix(s, want string) int {
	i := 0
	for _, w := range want {
		for {
			r, n := utf8.DecodeRuneInString(s[i:])
			if n == 0 {
				return 0
			}
			r = fold(r)
			i += n
			if r == w {
				break
			}
			if r != ' ' || i == n {
				return 0
			}
		}
	}
	// A Latin word is not cut.
	last, _ := utf8.DecodeLastRuneInString(want)
	next, _ := utf8.DecodeRuneInString(s[i:])
	if wordRune(last) && i < len(s) && wordRune(fold(next)) {
		return 0
	}
	return i
}

// phrases joins tokens that the lexicon knows as one phrase.
func (l *lexicon) phrases(toks []token) []token {
	out := toks[:0:0]
	for i := 0; i < len(toks); {
		n := 0
		for _, e := range l.multi[toks[i].word] {
			if len(e.words) <= len(toks)-i && same(toks[i:i+len(e.words)], e.words) {
				t := toks[i]
				t.word, t.end, t.class = e.text, toks[i+len(e.words)-1].end, e.class
				out = append(out, t)
				n = len(e.words)
				break
			}
		}
		if n == 0 {
			out = append(out, toks[i])
			n = 1
		}
		i += n
	}
	return out
}

func same(toks []token, words []string) bool {
	for i, w := range words {
		if toks[i].word != w || toks[i].inner != "" {
			return false
		}
	}
	return true
}
