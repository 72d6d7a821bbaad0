package prose

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClaims reads the labelled sentences of testdata/claims.txt: kinds of
// claims, a commit id or place behind its kind, or "-" for none.
func TestClaims(t *testing.T) {
	raw, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		labels, text, ok := strings.Cut(line, " | ")
		if !ok {
			continue
		}
		t.Run(text, func(t *testing.T) {
			var got, want []string
			for _, c := range Parse(text).Claims() {
				got = append(got, string(c.Kind))
				if (c.Kind == ClaimCommit || c.Kind == ClaimPushed || c.Kind == ClaimMerged) && c.Detail != "" {
					got = append(got, c.Detail)
				}
				if text[c.Start:c.End] != c.Text {
					t.Errorf("claim %q stands at %q", c.Text, text[c.Start:c.End])
				}
			}
			if labels != "-" {
				want = strings.Fields(labels)
			}
			slices.Sort(got)
			slices.Sort(want)
			if d := cmp.Diff(want, slices.Compact(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestAssertions reads the labelled texts of testdata/assertions.txt: the kind of
// each claim with its detail, and its scope in brackets; "-" for none.
func TestAssertions(t *testing.T) {
	raw, err := os.ReadFile("testdata/assertions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		labels, text, ok := strings.Cut(line, " | ")
		if !ok {
			continue
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		t.Run(text, func(t *testing.T) {
			var got []string
			for _, c := range Parse(text).Assertions() {
				got = append(got, string(c.Kind))
				if c.Detail != "" {
					got = append(got, c.Detail)
				}
				if c.Scope != "" {
					got = append(got, "["+c.Scope+"]")
				}
				if text[c.Start:c.End] != c.Text {
					t.Errorf("claim %q stands at %q", c.Text, text[c.Start:c.End])
				}
			}
			if len(got) == 0 {
				got = []string{"-"}
			}
			if d := cmp.Diff(labels, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}
