package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word of a sentence with the classes that the lexicon gives it.
// Start and end are byte offsets into the text.
type token struct {
	word       string // folded: small letters, half-width
	inner      string // what inline code or a quotation says
	start, end int
	class      set
}

func (t token) is(names ...string) bool {
	for _, n := range names {
		if t.class.has(classOf(n)) {
			return true
		}
	}
	return false
}

// maxTokens bounds one sentence; what follows is not read.
const maxTokens = 400

// tokenise cuts a sentence into tokens and looks them up.
func tokenise(text string, s *Sentence) {
	lex := lexiconOf(s.Lang)
	en := lexiconOf(English)
	var toks []token
	put := func(word, inner string, start, end int, class set) {
		toks = append(toks, token{word, inner, start, end, class})
	}
	for i := s.Start; i < s.End && len(toks) < maxTokens; {
		r, n := utf8.DecodeRuneInString(text[i:s.End])
		r = fold(r)
		switch {
		case strings.HasPrefix(text[i:s.End], "~~") && strings.Contains(text[i+2:min(s.End, i+maxSpan)], "~~"):
			// Struck out is taken back.
			i += 4 + strings.Index(text[i+2:s.End], "~~")
		case r == '_' && (i == s.Start || !wordRune(rune(text[i-1])) && text[i-1] < utf8.RuneSelf):
			i += n // emphasis
		case unicode.IsSpace(r) || r == '*' || r == '~' || r == utf8.RuneError:
			i += n
		case r == '`':
			ticks := 0
			for i+ticks < s.End && text[i+ticks] == '`' {
				ticks++
			}
			body := text[i+ticks : min(s.End, i+ticks+maxSpan)]
			stop := strings.Index(body, text[i:i+ticks])
			if stop < 0 {
				i += ticks
				continue
			}
			put("`", body[:stop], i, i+ticks+stop+ticks, codeClass(body[:stop]))
			i += ticks + stop + ticks
		case quoteLen(text, i, s.End) > 0:
			q := quoteLen(text, i, s.End)
			_, last := utf8.DecodeLastRuneInString(text[i : i+q])
			put(`"`, text[i+n:i+q-last], i, i+q, bit("quote"))
			i += q
		case r == '<' && strings.HasPrefix(text[i:s.End], "<!--"):
			stop := strings.Index(text[i:min(s.End, i+4*maxSpan)], "-->")
			if stop < 0 {
				i = s.End
				continue
			}
			i += stop + 3
		case wordRune(r):
			j := i
			for j < s.End {
				r2, n2 := utf8.DecodeRuneInString(text[j:s.End])
				r2 = fold(r2)
				if !wordRune(r2) && !(strings.ContainsRune("-./@#'", r2) && j > i && j+n2 < s.End && followsWord(text[j+n2:s.End], r2)) {
					break
				}
				if r2 == '\'' {
					break
				}
				j += n2
			}
			word := strings.TrimRight(foldString(text[i:j]), "_")
			class := en.words[word]
			if word == "" {
				i = j
				continue
			}
			if class == (set{}) || word[0] <= '9' {
				class = class.or(shape(word))
			}
			// In Chinese and Japanese a Latin word may open an entry: "PR を".
			if s.Lang != English {
				if m, c := lex.longest(text, i, s.End); m > j-i {
					j, class, word = i+m, c, foldString(text[i:i+m])
				} else if m == j-i {
					class = class.or(c)
				}
			}
			put(word, "", i, j, class)
			i = j
		case r == '\'' && i > s.Start:
			j := i + n
			for j < s.End && letter(text[j]) && text[j] < utf8.RuneSelf {
				j++
			}
			word := foldString(text[i:j])
			if word == "'t" && len(toks) > 0 && strings.HasSuffix(toks[len(toks)-1].word, "n") {
				last := &toks[len(toks)-1]
				w := stem(last.word)
				last.word, last.class = w, en.words[w]
				word = "n't"
			}
			put(word, "", i, j, en.words[word])
			i = j
		default:
			if s.Lang != English {
				if m, c := lex.longest(text, i, s.End); m > 0 {
					put(foldString(text[i:i+m]), "", i, i+m, c)
					i += m
					continue
				}
			}
			word := foldString(text[i : i+n])
			// A hyphen with spaces around it is a dash; two hyphens are one.
			if r == '-' {
				j := i
				for j < s.End && text[j] == '-' {
					j++
				}
				if j-i == 1 && (i == s.Start || text[i-1] != ' ') {
					i = j
					continue
				}
				put("—", "", i, j, bit("dash"))
				i = j
				continue
			}
			put(word, "", i, i+n, en.words[word].or(punct(r)))
			i += n
		}
	}
	if s.Lang == English {
		toks = lex.phrases(toks)
	}
	s.tokens = toks
}

// followsWord tells that the joiner r belongs into a word that goes on with rest.
func followsWord(rest string, r rune) bool {
	n, _ := utf8.DecodeRuneInString(rest)
	n = fold(n)
	return wordRune(n) && n < utf8.RuneSelf || (r == '/' || r == '-') && (n == '/' || n == '-')
}

func wordRune(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r >= 0xc0 && r < 0x2000 && unicode.IsLetter(r)
}

// fold maps full-width forms to ASCII and letters to small ones.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	case r >= 0xff01 && r <= 0xff5e:
		return fold(r - 0xfee0)
	case r == 0x3000 || r == 0xa0:
		return ' '
	case r == '’':
		return '\''
	}
	return unicode.ToLower(r)
}

func foldString(s string) string {
	return strings.Map(fold, s)
}

func punct(r rune) set {
	switch r {
	case ',', '、', '，':
		return bit("comma")
	case ';', ':', '；', '：':
		return bit("stop")
	case '—', '–', '―', '→', '⇒', '·':
		return bit("dash")
	case '(', ')', '[', ']', '（', '）', '【', '】':
		return bit("paren")
	case '.', '!', '。', '！', '…':
		return bit("end")
	case '?', '？':
		return bit("end").or(bit("ask"))
	case '✅', '✓', '✔', '🟢', '☑':
		return bit("pass").or(bit("tick"))
	case '❌', '✗', '✘', '🔴', '✖':
		return bit("fail")
	}
	return set{}
}

// shape gives classes that follow from the form of a word alone.
func shape(w string) set {
	c := bit("word")
	hexa, dec := true, true
	for _, r := range w {
		if r < '0' || r > '9' {
			dec = false
			if r < 'a' || r > 'f' {
				hexa = false
			}
		}
	}
	switch {
	case dec && len(w) >= 7 && len(w) <= 40:
		return bit("num").or(bit("id"))
	case dec:
		return bit("num")
	case hexa && len(w) >= 7 && len(w) <= 40 && strings.ContainsAny(w, "0123456789"):
		return bit("sha")
	case hexa && len(w) >= 7 && len(w) <= 40:
		return bit("word").or(bit("maybesha"))
	case strings.HasPrefix(w, "v") && len(w) > 1 && w[1] >= '0' && w[1] <= '9':
		return bit("version")
	case strings.ContainsAny(w, "/._@#"):
		if f := strings.SplitN(w, "/", 2); len(f) == 2 && digits(f[0]) && digits(f[1]) {
			if f[0] == f[1] {
				return bit("num").or(bit("ratio"))
			}
			return bit("num")
		}
		if digits(strings.ReplaceAll(strings.Trim(w, "s%"), ".", "")) {
			return bit("num")
		}
		return bit("ident")
	case w[0] >= '0' && w[0] <= '9':
		return bit("num")
	}
	return c
}
