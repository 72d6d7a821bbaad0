package prose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse: any bytes are a text; parts, sentences and clauses stand in order,
// inside the text and on rune boundaries of valid text, and reading them for
// every check ends.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"I'll commit this now.\n\n```sh\ngit push\n```\n", "> quote\n- item\n| a | b |\n|---|---|", "「コミットします」と書きました。", "我说“提交”。",
		"`` a ` b ``", "```", "<!-- x", "\"open", "a\xffb\xf0", "ＡＬＬ　ｔｅｓｔｓ　ｐａｓｓ", "don't can't won't 'quoted words' it's", "(((((", strings.Repeat("`", 50),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse(text)
		edge := func(what string, i int) {
			if i < 0 || i > len(text) || utf8.ValidString(text) && i < len(text) && !utf8.RuneStart(text[i]) {
				t.Fatalf("%s stands at %d of %d bytes: %q", what, i, len(text), text)
			}
		}
		last := 0
		for _, p := range d.Parts {
			edge("part", p.Start)
			edge("part", p.End)
			if p.Start < last || p.End < p.Start {
				t.Fatalf("part %d..%d after %d: %q", p.Start, p.End, last, text)
			}
			last = p.End
		}
		last = 0
		for i := range d.Sentences {
			s := &d.Sentences[i]
			edge("sentence", s.Start)
			edge("sentence", s.End)
			if s.Start < last || s.End <= s.Start {
				t.Fatalf("sentence %d..%d after %d: %q", s.Start, s.End, last, text)
			}
			last = s.End
			for _, c := range s.Clauses {
				edge("clause", c.Start)
				edge("clause", c.End)
				if c.Start < s.Start || c.End > s.End || c.Text != text[c.Start:c.End] {
					t.Fatalf("clause %d..%d in %d..%d: %q", c.Start, c.End, s.Start, s.End, text)
				}
			}
			_ = s.Plain()
		}
		for _, check := range []string{"commit-before-verification", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"} {
			for _, n := range d.Read(check).Notes {
				edge("note", n.Start)
				edge("note", n.End)
			}
		}
		for _, c := range append(d.Claims(), d.Assertions()...) {
			edge("claim", c.Start)
			edge("claim", c.End)
		}
	})
}
