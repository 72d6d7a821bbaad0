package signals

import (
	"testing"

	"agentguard/judge/prose"
)

// TestSignals holds every signal to the messages it carries.
func TestSignals(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Check+"/"+string(s.Lang)+"/"+s.Name, func(t *testing.T) {
			if len(s.Hits) == 0 || len(s.Misses) == 0 || len(s.Keywords) == 0 {
				t.Fatal("a signal needs keywords, hits and misses")
			}
			for _, text := range s.Hits {
				if !hit(s, text) {
					t.Errorf("does not hit %q", text)
				}
			}
			for _, text := range s.Misses {
				if hit(s, text) {
					t.Errorf("hits %q", text)
				}
			}
		})
	}
}

func hit(s Signal, text string) bool {
	d := prose.Parse(text)
	for i := range d.Sentences {
		if s.hits(d.Sentences[i].Plain()) {
			return true
		}
	}
	return false
}
