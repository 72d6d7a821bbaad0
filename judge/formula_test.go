package judge_test

import (
	"strings"
	"testing"

	"agentguard/judge"
)

func TestParseFormula(t *testing.T) {
	fields := []string{"a", "b", "c"}
	for _, tc := range []struct {
		text string
		want string // the settings of a, b, c for which it holds, as binary digits
	}{
		{"a", "100 101 110 111"},
		{"a AND NOT b", "100 101"},
		{"a and not b", "100 101"},
		{"a && !b", "100 101"},
		{"a OR b AND c", "011 100 101 110 111"},
		{"(a || b) && c", "011 101 111"},
		{"NOT (a OR b)", "000 001"},
		{"NOT NOT a AND b", "110 111"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			f, err := parseFormula(tc.text, fields)
			if err != nil {
				t.Fatal(err)
			}
			var holds []string
			for i := range 8 {
				set := map[string]bool{"a": i&4 > 0, "b": i&2 > 0, "c": i&1 > 0}
				if f(set) {
					holds = append(holds, string([]byte{'0' + byte(i>>2&1), '0' + byte(i>>1&1), '0' + byte(i&1)}))
				}
			}
			if got := strings.Join(holds, " "); got != tc.want {
				t.Errorf("holds for %s, want %s", got, tc.want)
			}
		})
	}
	for _, bad := range []string{"", "a AND", "a b", "(a", "a)", "d", "A", "NOT", "a OR OR b", strings.Repeat("(", 400), strings.Repeat("a AND ", 100) + "a"} {
		if f, err := parseFormula(bad, fields); err == nil {
			t.Errorf("%.20q was accepted: %v", bad, f != nil)
		}
	}
}

func TestFormulaOfBuiltIns(t *testing.T) {
	for _, check := range judge.Checks() {
		s, ok := judge.Named(check)
		if !ok || s.Check != check || s.Guide == "" || s.Version == "" {
			t.Fatalf("%s: incomplete spec %+v", check, s)
		}
		names := make([]string, len(s.Fields))
		for i, f := range s.Fields {
			names[i] = f.Name
		}
		f, err := parseFormula(s.Formula, names)
		if err != nil {
			t.Fatalf("%s: %v", check, err)
		}
		for i := range 1 << len(names) {
			set := map[string]bool{}
			for b, n := range names {
				set[n] = i>>b&1 == 1
			}
			if f(set) != s.Block(set) {
				t.Errorf("%s: Formula and Block differ for %v", check, set)
			}
		}
	}
	if _, ok := judge.Named("dangerous-command"); ok {
		t.Error("a check that no judge serves has a spec")
	}
}
