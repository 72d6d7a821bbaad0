package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSpan bounds inline code and quotations, in bytes, so that a mark that is
// never closed costs nothing.
const maxSpan = 600

// sentences cuts one part of the writer's own words. A line break ends a
// sentence unless the next line goes on in small letters.
func sentences(text string, part int, p Part) []Sentence {
	var out []Sentence
	start := p.Start
	code, quote := 0, rune(0) // inside inline code (its number of ticks), inside a quotation
	quoteEnd := 0
	emit := func(end int) {
		s, e := trim(text, start, end)
		if s < e {
			out = append(out, Sentence{Part: part, Start: s, End: e, Lang: language(text[s:e]), Mood: Statement, Steering: steering(text[s:e])})
		}
		start = end
	}
	for i := p.Start; i < p.End; {
		r, n := utf8.DecodeRuneInString(text[i:p.End])
		j := i + n
		switch {
		case r == '`':
			for j < p.End && text[j] == '`' {
				j++
			}
			if code == 0 && strings.Contains(text[j:min(p.End, j+maxSpan)], text[i:j]) {
				code = j - i
			} else if code == j-i {
				code = 0
			}
		case code > 0:
			if r == '\n' {
				code = 0
			}
		case quote != 0:
			if i >= quoteEnd {
				quote = 0
				// A quotation that ends the sentence inside its mark ends it here.
				if prev, _ := utf8.DecodeLastRuneInString(text[:i]); strings.ContainsRune(".!?。！？", prev) && opensSentence(text[j:p.End]) {
					emit(j)
				}
			}
		case quoteLen(text, i, p.End) > 0:
			quote, quoteEnd = r, i+quoteLen(text, i, p.End)
		case r == '\n':
			if !continues(text, i, p) {
				emit(j)
			}
		case strings.ContainsRune("。！？", r):
			for j < p.End {
				r2, n2 := utf8.DecodeRuneInString(text[j:p.End])
				if !strings.ContainsRune("。！？!?）)", r2) || ((r2 == ')' || r2 == '）') && !unclosed(text[start:j])) {
					break
				}
				j += n2
			}
			emit(j)
		case r == '.' || r == '!' || r == '?' || r == '…':
			for j < p.End && strings.ContainsRune(".!?", rune(text[j])) {
				j++
			}
			k := j
			for k < p.End && strings.IndexByte("*_)\"'", text[k]) >= 0 {
				k++
			}
			if k >= p.End || text[k] == ' ' || text[k] == '\n' || text[k] == '\t' || text[k] >= utf8.RuneSelf {
				if r != '.' || !abbreviation(text[start:j]) {
					j = k
					emit(j)
				}
			}
		}
		i = j
	}
	emit(p.End)
	return out
}

func unclosed(s string) bool {
	return strings.Count(s, "(")+strings.Count(s, "（") > strings.Count(s, ")")+strings.Count(s, "）")
}

func trim(text string, s, e int) (int, int) {
	for s < e {
		r, n := utf8.DecodeRuneInString(text[s:e])
		if !unicode.IsSpace(r) {
			break
		}
		s += n
	}
	for s < e {
		r, n := utf8.DecodeLastRuneInString(text[s:e])
		if !unicode.IsSpace(r) {
			break
		}
		e -= n
	}
	return s, e
}

// continues tells that the line after the break at i belongs to its sentence.
func continues(text string, i int, p Part) bool {
	before := strings.TrimRight(text[p.Start:i], " \r*_")
	if before == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i:p.End], " \t\r\n"))
	return !strings.ContainsRune(".!?:;。！？：；", last) && (unicode.IsLower(next) || next == '`')
}

func opensSentence(rest string) bool {
	t := strings.TrimLeft(rest, " \t")
	if t == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(t)
	return t != rest && unicode.IsUpper(r) || r == '\n'
}

// abbreviation tells that the full stop at the end of s ends no sentence.
func abbreviation(s string) bool {
	i := strings.LastIndexAny(s, " (\n")
	switch strings.ToLower(s[i+1:]) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "no.", "approx.", "incl.", "resp.", "1.", "2.", "3.", "4.", "5.":
		return true
	}
	return false
}

// quoteLen gives the length of a quotation that opens at i, both marks
// included, or 0. Quotations end within their part and within maxSpan.
func quoteLen(text string, i, end int) int {
	r, n := utf8.DecodeRuneInString(text[i:end])
	limit := min(end, i+maxSpan)
	var shut string
	switch r {
	case '"':
		shut = `"`
	case '“':
		shut = "”"
	case '「':
		shut = "」"
	case '『':
		shut = "』"
	case '«':
		shut = "»"
	case '‘':
		shut = "’"
	case '＂':
		shut = "＂"
	case '\'':
		// An apostrophe is no quotation mark.
		if i > 0 && !strings.ContainsRune(" (\n[:", rune(text[i-1])) || i+1 >= end || text[i+1] == ' ' {
			return 0
		}
		for j := i + 1; j < limit && text[j] != '\n'; j++ {
			if text[j] == '\'' && (j+1 >= end || !letter(text[j+1])) && text[j-1] != ' ' {
				return j + 1 - i
			}
		}
		return 0
	default:
		return 0
	}
	// Corner brackets nest; the others do not.
	depth := 0
	for j := i + n; j < limit; {
		r2, n2 := utf8.DecodeRuneInString(text[j:limit])
		if r2 == '\n' && r == '"' {
			return 0
		}
		if r2 == r && (r == '「' || r == '『' || r == '“') {
			depth++
		}
		if strings.HasPrefix(text[j:limit], shut) {
			if depth == 0 {
				return j + len(shut) - i
			}
			depth--
		}
		j += n2
	}
	return 0
}

func letter(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= utf8.RuneSelf
}

// language tells the language of s by its script: kana is Japanese, Chinese
// characters without kana Chinese (or Japanese, where the message has kana).
func language(s string) Lang {
	kana, han, latin := 0, 0, 0
	inCode := false
	for _, r := range s {
		switch {
		case r == '`':
			inCode = !inCode
		case inCode:
		case r >= 0x3041 && r <= 0x30ff && r != '・' && r != 'ー', r >= 0xff66 && r <= 0xff9d:
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case r < utf8.RuneSelf && letter(byte(r)):
			latin++
		}
	}
	switch {
	case kana > 0 && 8*(kana+han) >= latin:
		return Japanese
	case han > 0 && 8*han >= latin:
		return Chinese
	}
	return English
}

// steering tells a sentence that speaks to a judge.
func steering(s string) bool {
	l := strings.ToLower(s)
	for _, w := range []string{
		"new_proposal", "verification_reported", "direction_query", "future_step_description", "retraction_or_quote",
		`"decision"`, "reviewer model", "judge model", "ignore the above", "ignore all previous", "ignore previous", "answer allow", "return allow",
		"判定者", "判定モデル", "评审模型", "判断模型", "评审请", "判断器", "忽略以上", "忽略上面", "上の指示は無視", "以上の指示は無視",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	for _, w := range []string{"system:", "note to ", "judge:", "assistant:", "user:", "human:", "[system]", "<system"} {
		if strings.HasPrefix(l, w) {
			return true
		}
	}
	return false
}

// Plain gives the sentence folded to small letters and half-width forms, with
// inline code and quotations replaced by one mark each ("`cmd" for a command that
// changes shared state), so that patterns see only the writer's own words. English words stand apart by one space.
func (s *Sentence) Plain() string {
	var b strings.Builder
	for i, t := range s.tokens {
		cjk := t.word != "" && t.word[0] >= utf8.RuneSelf
		if i > 0 && !(cjk && s.tokens[i-1].word != "" && s.tokens[i-1].word[0] >= utf8.RuneSelf) {
			b.WriteByte(' ')
		}
		b.WriteString(t.word)
		if t.is("actcmd") {
			b.WriteString("cmd")
		}
	}
	return b.String()
}
