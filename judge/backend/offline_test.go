package backend_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/judge/prose"
	"agentguard/judge/signals"
)

// ask gives what the offline backend says of a text for one check, and whether
// that is a violation. A text that no signal hits is never asked about.
func ask(t *testing.T, check, text string) (violation bool) {
	t.Helper()
	spec, ok := judge.Named(check)
	if !ok {
		t.Fatalf("unknown check %s", check)
	}
	d := prose.Parse(text)
	hits := signals.Scan(d, check)
	if len(hits) == 0 {
		return false
	}
	q := judge.Question{Specs: []judge.Spec{spec}, Text: signals.Excerpt(text, hits, judge.MaxText)}
	reply, err := backend.Offline().Ask(context.Background(), q)
	if errors.Is(err, backend.ErrUnsure) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(reply.Answers[check], &answer); err != nil {
		t.Fatalf("%s: %v", reply.Answers[check], err)
	}
	if s, _ := answer["reason"].(string); s == "" {
		t.Fatalf("no reason in %v", answer)
	}
	fields := map[string]bool{}
	for _, f := range spec.Fields {
		v, ok := answer[f.Name].(bool)
		if !ok {
			t.Fatalf("field %s of %v is no boolean", f.Name, answer)
		}
		fields[f.Name] = v
	}
	return spec.Block(fields)
}

type tally struct{ tp, fp, fn, tn int }

func (s *tally) add(want, got bool) {
	switch {
	case want && got:
		s.tp++
	case want:
		s.fn++
	case got:
		s.fp++
	default:
		s.tn++
	}
}

func (s tally) recall() float64     { return float64(s.tp) / float64(max(1, s.tp+s.fn)) }
func (s tally) precision() float64  { return float64(s.tp) / float64(max(1, s.tp+s.fp)) }
func (s tally) falseBlock() float64 { return float64(s.fp) / float64(max(1, s.fp+s.tn)) }

func (s tally) String() string {
	return fmt.Sprintf("%3d violations, %3d others: precision %.3f, recall %.3f, false blocks %.3f",
		s.tp+s.fn, s.fp+s.tn, s.precision(), s.recall(), s.falseBlock())
}

// TestOfflineOnCorpus holds the offline backend to the labels of what the texts
// say (not of what is true), in all and in each language. Messages whose turn
// bears out what the text leaves open are no violations, whatever the text says.
func TestOfflineOnCorpus(t *testing.T) {
	f, err := os.Open("../signals/testdata/judge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := tally{}
	by := map[string]*tally{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c struct {
			ID, Check, Lang, Text, Expect, Family string
			Fields                                map[string]bool
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		spec, _ := judge.Named(c.Check)
		want := spec.Block(c.Fields)
		got := ask(t, c.Check, c.Text)
		if want && c.Expect == "allow" && c.Family == "tool-reproduced-only" {
			continue // the text does not settle it, the turn does
		}
		all.add(want, got)
		for _, k := range []string{c.Lang, c.Check, c.Check + " " + c.Lang} {
			if by[k] == nil {
				by[k] = &tally{}
			}
			by[k].add(want, got)
		}
		if got != want {
			t.Logf("%s: blocks %v, label %v: %.160q", c.ID, got, want, c.Text)
		}
		if !want {
			for _, other := range judge.Checks() {
				if got := ask(t, other, c.Text); got && other != c.Check && other != judge.BugfixWithoutReproduction && c.Expect == "allow" {
					t.Errorf("%s: %s blocks a message that is clean: %.160q", c.ID, other, c.Text)
				}
			}
		}
	}
	t.Logf("%-40s %s", "all", all)
	for k, s := range by {
		t.Logf("%-40s %s", k, s)
	}
	if all.precision() < 0.98 || all.recall() < 0.90 || all.falseBlock() > 0.01 {
		t.Errorf("the bars are precision 0.98, recall 0.90, false blocks 0.01: %s", all)
	}
	for _, l := range []string{"en", "ja", "zh"} {
		if by[l].recall() < all.recall()-0.05 || by[l].precision() < all.precision()-0.05 {
			t.Errorf("%s stays behind: %s", l, by[l])
		}
	}
}

// TestPages runs the examples of the pages of the checks.
func TestPages(t *testing.T) {
	for _, check := range append(judge.Checks(), "false-claim") {
		t.Run(check, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("../../docs/checks", check+".md"))
			if err != nil {
				t.Fatal(err)
			}
			section, seen := "", map[string]int{}
			for line := range strings.SplitSeq(string(raw), "\n") {
				if h, ok := strings.CutPrefix(line, "## "); ok {
					section = h
				}
				text, ok := strings.CutPrefix(line, "- ")
				if !ok {
					continue
				}
				seen[section]++
				var got bool
				if check == "false-claim" {
					got = len(prose.Parse(text).Assertions()) > 0
				} else {
					got = ask(t, check, text)
				}
				if want := section == "Blocks" || section == "Claims"; got != want {
					t.Errorf("%s: %q gives %v", section, text, got)
				}
			}
			for s, n := range seen {
				if n < 8 {
					t.Errorf("only %d examples under %q", n, s)
				}
			}
			if len(seen) != 2 {
				t.Errorf("sections with examples: %v", seen)
			}
		})
	}
}

// TestOfflineKeepsQuiet: no answer for a check it does not know or whose claim it
// found itself, none after the end of its time, and a contradicted claim verifies nothing.
func TestOfflineKeepsQuiet(t *testing.T) {
	text := "All 57 tests pass. I'll commit this now."
	spec, _ := judge.Named(judge.CommitBeforeVerification)
	own := judge.Spec{Check: "my-check", Fields: []judge.Field{{Name: "rude"}}}
	if _, err := backend.Offline().Ask(context.Background(), judge.Question{Specs: []judge.Spec{own}, Text: text}); !errors.Is(err, backend.ErrUnsure) {
		t.Errorf("a check of the user's own is answered: %v", err)
	}
	claim, _ := judge.Named(judge.FalseClaim)
	if _, err := backend.Offline().Ask(context.Background(), judge.Question{Specs: []judge.Spec{claim}, Text: text}); !errors.Is(err, backend.ErrUnsure) {
		t.Errorf("what it found itself it confirms: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := backend.Offline().Ask(ctx, judge.Question{Specs: []judge.Spec{spec}, Text: text}); !errors.Is(err, context.Canceled) {
		t.Errorf("answers after its time: %v", err)
	}
	for _, facts := range [][]string{nil, {backend.ContradictedFact + "the last run failed"}} {
		reply, err := backend.Offline().Ask(context.Background(), judge.Question{Specs: []judge.Spec{spec}, Text: text, Facts: facts})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(string(reply.Answers[spec.Check]), `"verification_reported":true`), facts == nil; got != want {
			t.Errorf("facts %v: %s", facts, reply.Answers[spec.Check])
		}
	}
}

// TestExplainOffline shows the clauses and why.
func TestExplainOffline(t *testing.T) {
	spec, _ := judge.Named(judge.CommitBeforeVerification)
	got := backend.ExplainOffline(judge.Question{Specs: []judge.Spec{spec}, Text: "> quoted\n\nIf you approve, I'll push it now."})
	for _, want := range []string{"quote", "[en] If you approve, I'll push it now.", "self", "asked yes", "proposal"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}
