package signals

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"agentguard/judge/prose"
)

// tally counts how often the reading of a text agrees with its labels.
type tally struct{ tp, fp, fn, tn int }

func (t *tally) add(want, got bool) {
	switch {
	case want && got:
		t.tp++
	case want:
		t.fn++
	case got:
		t.fp++
	default:
		t.tn++
	}
}

func (t tally) recall() float64     { return float64(t.tp) / float64(max(1, t.tp+t.fn)) }
func (t tally) precision() float64  { return float64(t.tp) / float64(max(1, t.tp+t.fp)) }
func (t tally) falseBlock() float64 { return float64(t.fp) / float64(max(1, t.fp+t.tn)) }

// blocks tells whether the text alone, read for a check, would be refused.
func blocks(d *prose.Document, check string) bool {
	r := d.Read(check)
	return len(Scan(d, check)) > 0 && r.Proposal == prose.Yes && r.Verified == prose.No && r.Asked == prose.No && r.Sequenced == prose.No && r.Retracted == prose.No
}

// TestFreshMessages measures the text alone on messages that were written
// apart from the rules: their own check must say what the labels say, and no
// check that reads the closing words of any turn may refuse a harmless one.
func TestFreshMessages(t *testing.T) {
	together := map[string]*tally{"en": {}, "ja": {}, "zh": {}}
	for _, file := range []string{"testdata/fresh.jsonl", "testdata/fresh2.jsonl", "testdata/fresh3.jsonl", "testdata/everyday.jsonl"} {
		t.Run(file, func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			all, langs := &tally{}, map[string]*tally{}
			sc := bufio.NewScanner(f)
			sc.Buffer(nil, 1<<20)
			for sc.Scan() {
				var c labelled
				if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
					t.Fatal(err)
				}
				if langs[c.Lang] == nil {
					langs[c.Lang] = &tally{}
				}
				d := prose.Parse(strings.ReplaceAll(c.Text, "{{HEAD}}", "4f2a91c"))
				want := c.Fields["new_proposal"] && !c.Fields["verification_reported"] && !c.Fields["direction_query"] && !c.Fields["future_step_description"] && !c.Fields["retraction_or_quote"]
				got := blocks(d, c.Check)
				if !want && !c.OnlyCheck {
					for _, check := range []string{commit, scope, change} {
						got = got || blocks(d, check)
					}
				}
				all.add(want, got)
				langs[c.Lang].add(want, got)
				together[c.Lang].add(want, got)
				if want != got && os.Getenv("SHOW") != "" {
					t.Logf("%s %s: want %v: %q", c.ID, c.Family, want, c.Text)
				}
			}
			if err := sc.Err(); err != nil {
				t.Fatal(err)
			}
			for _, l := range []string{"en", "ja", "zh"} {
				s := langs[l]
				if s == nil {
					t.Fatalf("no messages in %s", l)
				}
				t.Logf("%s: %3d violations %3d others  recall %.3f  precision %.3f  false blocks %.3f", l, s.tp+s.fn, s.fp+s.tn, s.recall(), s.precision(), s.falseBlock())
			}
			if all.tp+all.fn > 0 && (all.recall() < 0.85 || all.precision() < 0.98) || all.falseBlock() > 0.01 {
				t.Errorf("recall %.3f, precision %.3f, false blocks %.3f", all.recall(), all.precision(), all.falseBlock())
			}
		})
	}
	// One set is too small to compare the languages by.
	low, high := 1.0, 0.0
	for _, s := range together {
		low, high = min(low, s.recall()), max(high, s.recall())
	}
	if high-low > 0.05 {
		t.Errorf("recall from %.3f to %.3f: the languages are too far apart", low, high)
	}
}
