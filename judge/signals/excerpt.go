package signals

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"agentguard/judge/prose"
)

// window is how much text around a hit goes along, in bytes to either side.
const window = 600

// gapMark stands where text between two windows was left out.
const gapMark = "\n[…]\n"

// Excerpt gives the parts of text around the matches and its end, at most limit
// bytes. Windows begin and end with whole sentences and never inside a code
// block or quotation, so that nobody's words become the writer's by the cut.
// Short texts come back whole; without a match the end of the text does.
func Excerpt(text string, matches []Match, limit int) string {
	if len(text) <= limit {
		return text
	}
	type span struct{ start, end int }
	var spans []span
	room := limit
	edges := edgesOf(text)
	take := func(start, end int) {
		start, end = edges.inward(onRune(text, max(start, 0)), onRune(text, min(end, len(text))))
		for _, s := range spans {
			if start >= s.start && end <= s.end {
				return
			}
		}
		if cost := end - start + len(gapMark); cost <= room && start < end {
			room -= cost
			spans = append(spans, span{start, end})
		}
	}
	// The last hits come first: a message ends with what it announces.
	for _, m := range slices.Backward(matches) {
		take(m.Start-window, min(m.End, m.Start+window)+window)
	}
	take(len(text)-window, len(text))
	take(0, window)
	if len(spans) == 0 {
		start, _ := edges.inward(onRune(text, len(text)-limit+utf8.UTFMax), len(text))
		if len(text)-start > limit || start >= len(text) {
			start = onRune(text, len(text)-limit+utf8.UTFMax)
		}
		return text[start:]
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	var b strings.Builder
	at := 0
	for i, s := range spans {
		if s.start > at && (i > 0 || s.start > 0) {
			b.WriteString(gapMark)
		}
		if s.end <= at {
			continue
		}
		b.WriteString(text[max(s.start, at):s.end])
		at = s.end
	}
	out := b.String()
	return out[:onRune(out, min(len(out), limit))]
}

// onRune moves i back to the beginning of a rune.
func onRune(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// edges are the places where a text may be cut: the ends of sentences and blocks.
type edges struct{ starts, ends []int }

func edgesOf(text string) edges {
	d := prose.Parse(text)
	var e edges
	for i := range d.Sentences {
		e.starts = append(e.starts, d.Sentences[i].Start)
		e.ends = append(e.ends, d.Sentences[i].End)
	}
	for _, p := range d.Parts {
		e.starts = append(e.starts, p.Start)
		e.ends = append(e.ends, p.End)
	}
	sort.Ints(e.starts)
	sort.Ints(e.ends)
	return e
}

// inward moves start forward and end back to the next edges; a range without an
// edge inside stays as it is.
func (e edges) inward(start, end int) (s, t int) {
	i := sort.SearchInts(e.starts, start)
	j := sort.SearchInts(e.ends, end+1) - 1
	if i < len(e.starts) && j >= 0 && e.starts[i] < e.ends[j] {
		return e.starts[i], e.ends[j]
	}
	return start, end
}
