package prose

import (
	"strings"
	"testing"
	"time"
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
		for _, c := range d.Claims() {
			edge("claim", c.Start)
			edge("claim", c.End)
		}
	})
}

// TestLinear: sixteen times the text costs far less than the 256 times of a
// square, and a megabyte no more than the two windows that are read. The slack
// is for a busy machine.
func TestLinear(t *testing.T) {
	hostile := map[string]string{
		"announcements": "I'll commit this now, because it looks fine and the tests should pass. ",
		"one sentence":  "and then I will maybe not commit it ",
		"ticks":         "`a ",
		"quotes":        "\"a 'b “c 「d ",
		"brackets":      "((( [[[ （（（ ",
		"fences":        "```\n",
		"comments":      "<!-- a ",
		"japanese":      "テストは実行していませんが、変更が小さいのでこのままコミットします",
		"chinese":       "我先提交，测试之后再跑，还没跑测试",
		"quotation":     "> \"I'll push\" \n\n「コミットします」",
		"emoji":         "✅ ❌ 🚀 ",
	}
	read := func(text string) time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			d := Parse(text)
			for _, check := range []string{"commit-before-verification", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"} {
				d.Read(check)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	for name, unit := range hostile {
		t.Run(name, func(t *testing.T) {
			a, b := read(strings.Repeat(unit, 3<<10/len(unit))), read(strings.Repeat(unit, 48<<10/len(unit)))
			t.Logf("3 KiB %v, 48 KiB %v", a, b)
			if b > 80*a+200*time.Millisecond {
				t.Errorf("3 KiB took %v, 48 KiB %v", a, b)
			}
			if huge := read(strings.Repeat(unit, 1<<20/len(unit))); huge > 10*b+300*time.Millisecond {
				t.Errorf("48 KiB took %v, 1 MiB %v", b, huge)
			}
		})
	}
}
