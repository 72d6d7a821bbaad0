package redact

import (
	"slices"
	"strings"
)

// Values are the secrets of some texts, so that they are found again where a part
// of such a text is quoted: out of its place, or cut in the middle, nothing tells
// any more that it is one. The zero value knows none.
type Values struct{ list []learned }

type learned struct {
	text string
	kind Kind
}

// Bounds of what is learned: how long a value must be to be told from a word, how
// much of one is told where it is cut, and how many are kept.
const (
	minValue  = 8
	minPrefix = 5
	maxValues = 200
)

// Learn finds the secrets of texts. A short word that was somebody's password is
// not learned: it stands elsewhere for itself.
func Learn(texts ...string) Values {
	var v Values
	for _, text := range texts {
		for _, s := range find(text) {
			whole := text[s.start:s.end]
			for line := range strings.Lines(whole) {
				v.learn(strings.TrimSpace(line), s.kind, minValue)
			}
			// What reads a value as something else takes it apart, as git a colon.
			for part := range strings.FieldsFuncSeq(whole, func(r rune) bool { return r == ':' || r == ' ' || r == '\n' }) {
				v.learn(part, s.kind, 2*minValue)
			}
		}
	}
	// A value that is part of another comes after it.
	slices.SortStableFunc(v.list, func(a, b learned) int { return len(b.text) - len(a.text) })
	return v
}

func (v *Values) learn(text string, kind Kind, least int) {
	switch {
	case len(text) < least, len(v.list) == maxValues:
	case len(text) < 2*minValue && !strings.ContainsAny(text, "0123456789"):
	case slices.ContainsFunc(v.list, func(o learned) bool { return o.text == text }):
	default:
		v.list = append(v.list, learned{text, kind})
	}
}

// Text is what the function Text returns, without the known values.
func (v Values) Text(s string) (string, Counts) {
	var counts Counts
	for _, k := range v.list {
		if n := strings.Count(s, k.text); n > 0 {
			s = strings.ReplaceAll(s, k.text, placeholder(k.kind))
			for range n {
				counts.add(k.kind)
			}
		}
	}
	s = v.withoutCut(s, &counts)
	s, more := Text(s)
	for kind, n := range more {
		for range n {
			counts.add(kind)
		}
	}
	return s, counts
}

// withoutCut takes out beginnings of values in front of the mark of a cut.
func (v Values) withoutCut(s string, counts *Counts) string {
	const mark = "…"
	if len(v.list) == 0 || !strings.Contains(s, mark) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, mark)
		if found {
			for _, k := range v.list {
				if n := ends(before, k.text); n >= minPrefix {
					before = before[:len(before)-n] + placeholder(k.kind)
					counts.add(k.kind)
					break
				}
			}
		}
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(mark)
		s = after
	}
}

// ends tells how many bytes of the beginning of value s ends with.
func ends(s, value string) int {
	for n := min(len(s), len(value)-1); n >= minPrefix; n-- {
		if strings.HasSuffix(s, value[:n]) {
			return n
		}
	}
	return 0
}
