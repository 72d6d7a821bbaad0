package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces returns the part lists that a word's brace expressions expand to, in
// order; the word's own parts when there are none.
func (a *analyzer) braces(w *syntax.Word) [][]syntax.WordPart {
	may := false
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.IndexByte(l.Value, '{') >= 0 {
			may = true
		}
		if _, ok := p.(*syntax.BraceExp); ok {
			may = true
		}
	}
	if !may {
		return [][]syntax.WordPart{w.Parts}
	}
	// A copy, because SplitBraces edits the word and a loop body runs again.
	c := &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(c)
	return a.braceParts(c.Parts)
}

func (a *analyzer) braceParts(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i], p)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, one := range a.braceElems(b) {
			for _, head := range out {
				if len(next) >= maxFields {
					a.truncate("steps")
					break
				}
				next = append(next, append(slices.Clip(head), one...))
			}
		}
		if !a.step(len(next)) {
			return out
		}
		out = next
	}
	return out
}

func (a *analyzer) braceElems(b *syntax.BraceExp) [][]syntax.WordPart {
	var out [][]syntax.WordPart
	if !b.Sequence {
		for _, e := range b.Elems {
			out = append(out, a.braceParts(e.Parts)...)
			if len(out) > maxFields {
				break
			}
		}
		return out
	}
	from, to, step, char := sequence(b)
	for n := 0; n <= maxFields; n++ {
		text := strconv.Itoa(from)
		if char {
			text = string(rune(from))
		}
		out = append(out, []syntax.WordPart{&syntax.SglQuoted{Value: text}})
		if from == to {
			return out
		}
		if from < to {
			from = min(from+step, to)
		} else {
			from = max(from-step, to)
		}
	}
	return out
}

func sequence(b *syntax.BraceExp) (from, to, step int, char bool) {
	x, y := b.Elems[0].Lit(), b.Elems[1].Lit()
	step = 1
	if len(b.Elems) > 2 {
		if n, err := strconv.Atoi(b.Elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	f, err1 := strconv.Atoi(x)
	t, err2 := strconv.Atoi(y)
	if err1 == nil && err2 == nil {
		return f, t, step, false
	}
	if x == "" || y == "" {
		return 0, 0, 1, false
	}
	return int(x[0]), int(y[0]), step, true
}
