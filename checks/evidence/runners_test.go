package evidence

import (
	"os"
	"strings"
	"testing"
)

// noTest reads the table of commands that run no test: each with a command of the
// same runner that does.
func noTest(t *testing.T) (runs map[string][]string, order []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/no_test.txt")
	if err != nil {
		t.Fatal(err)
	}
	runs = map[string][]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			last := order[len(order)-1]
			runs[last] = append(runs[last], line[1:])
		default:
			order = append(order, line)
			runs[line] = nil
		}
	}
	return runs, order
}

// TestNoTest: a command that lists, plans, builds or only names tests is no run of
// them, and what differs from it by that alone is one.
func TestNoTest(t *testing.T) {
	tests := func(src string) string {
		for _, v := range Recognise(src, Verify{}) {
			if v.Kind.Tests() {
				return describe(v)
			}
		}
		return ""
	}
	forms, order := noTest(t)
	for _, run := range order {
		if tests(run) == "" {
			t.Errorf("%q is no run of tests", run)
		}
		if len(forms[run]) == 0 {
			t.Errorf("%q has no form that runs none", run)
		}
		for _, src := range forms[run] {
			if got := tests(src); got != "" {
				t.Errorf("%q: %s", src, got)
			}
			if strings.HasPrefix(src, "true ||") || strings.HasPrefix(src, "if false") || strings.Contains(src, "exit 0;") || strings.HasPrefix(src, "false") {
				continue
			}
			if Guards(src+" && git commit -m x", Verify{Commands: []VerifyCommand{{Test, run}}}) {
				t.Errorf("%q opens the gate", src)
			}
		}
	}
}

// TestResidualRuns holds the page about residual risk to what is so today.
func TestResidualRuns(t *testing.T) {
	text, err := os.ReadFile("../../docs/residual-risk.md")
	if err != nil {
		t.Fatal(err)
	}
	verify := Verify{Commands: []VerifyCommand{{Test, "go test ./..."}}}
	fence, lines := "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "```"); ok {
			fence = rest
			continue
		}
		word, src, _ := strings.Cut(line, " ")
		src = strings.TrimSpace(src)
		var got string
		switch fence {
		case "runs":
			got = "none"
			for _, v := range Recognise(src, Verify{}) {
				if v.Kind.Tests() {
					got = "counts"
				}
			}
		case "gates":
			got = "closed"
			if Guards(src, verify) {
				got = "opens"
			}
		default:
			continue
		}
		lines++
		if got != word {
			t.Errorf("%q: %s, the page says %s", src, got, word)
		}
	}
	if lines < 20 {
		t.Errorf("only %d lines", lines)
	}
}
