package signals

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agentguard/judge/prose"
)

func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("The parser keeps its buffer and reads on. ", 200)
	code := "```python\n" + strings.Repeat("x = commit(now)  # I'll push this\n", 60) + "```\n"
	japanese := strings.Repeat("構文解析器はバッファを保持します。", 300)
	for name, text := range map[string]string{
		"hit in the middle": filler + "\n\nI'll commit this now.\n\n" + filler,
		"behind code":       filler + "\n\n" + code + "\nI'll commit this now.\n\n" + filler,
		"in Japanese":       japanese + "コミットします。" + japanese,
		"without a hit":     japanese,
		"one long word":     strings.Repeat("語", 5000),
		"short":             "I'll commit this now.",
	} {
		t.Run(name, func(t *testing.T) {
			d := prose.Parse(text)
			hits := Scan(d, commit)
			got := Excerpt(text, hits, 4000)
			if len(got) > 4000 || !utf8.ValidString(got) || got == "" {
				t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
			}
			for _, m := range hits {
				if !strings.Contains(got, text[m.Start:m.End]) && m.End-m.Start < 200 && len(hits) < 5 {
					t.Errorf("the hit %q is cut away", text[m.Start:m.End])
				}
			}
			if want, is := d.Read(commit).Proposal, prose.Parse(got).Read(commit).Proposal; want != is {
				t.Errorf("the excerpt reads %v, the text %v", is, want)
			}
		})
	}
}
