package judge_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge"
)

func spec(tb testing.TB, check string) judge.Spec {
	tb.Helper()
	s, ok := judge.Named(check)
	if !ok {
		tb.Fatalf("no spec of %s", check)
	}
	return s
}

func TestNormalise(t *testing.T) {
	commit, scope := judge.CommitBeforeVerification, judge.ScopeCheck
	for _, tc := range []struct {
		name, check, answer string
		want                judge.Result
	}{
		{"proposal alone", commit, `{"new_proposal":true}`, judge.Violation},
		{"verified", commit, `{"new_proposal":true,"verification_reported":true}`, judge.Allowed},
		{"a question", commit, `{"new_proposal":true,"direction_query":true}`, judge.Allowed},
		{"a later step", commit, `{"new_proposal":true,"future_step_description":true}`, judge.Allowed},
		{"no proposal", commit, `{"new_proposal":false,"verification_reported":false}`, judge.Allowed},
		{"nulls", commit, `{"new_proposal":true,"verification_reported":null,"direction_query":null,"future_step_description":null}`, judge.Violation},
		{"foreign field", commit, `{"new_proposal":true,"retraction_or_quote":true}`, judge.Violation},
		{"reason of another type", commit, `{"new_proposal":true,"reason":7}`, judge.Violation},
		{"quote", scope, `{"new_proposal":true,"retraction_or_quote":true}`, judge.Allowed},
		{"scope", scope, `{"new_proposal":true,"retraction_or_quote":null}`, judge.Violation},
		{"missing", commit, `{}`, judge.Fail},
		{"null", commit, `{"new_proposal":null}`, judge.Fail},
		{"text", commit, `{"new_proposal":"yes"}`, judge.Fail},
		{"number", commit, `{"new_proposal":0}`, judge.Fail},
		{"list", commit, `{"new_proposal":[true]}`, judge.Fail},
		{"optional of another type", commit, `{"new_proposal":true,"verification_reported":{}}`, judge.Fail},
		{"optional of another type, no proposal", commit, `{"new_proposal":false,"verification_reported":""}`, judge.Fail},
		{"twice", commit, `{"new_proposal":true,"new_proposal":true}`, judge.Fail},
		{"not an object", commit, `true`, judge.Fail},
		{"null answer", commit, `null`, judge.Fail},
		{"nothing", commit, ``, judge.Fail},
		{"text behind", commit, `{"new_proposal":true} ok`, judge.Fail},
		{"two values", commit, `{"new_proposal":true}{"new_proposal":false}`, judge.Fail},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := judge.Normalise(spec(t, tc.check), json.RawMessage(tc.answer))
			if v.Result != tc.want || v.Check != tc.check {
				t.Errorf("%s %s (%v), want %s", v.Check, v.Result, v.Errors, tc.want)
			}
			if (v.Result == judge.Fail) != (len(v.Errors) > 0) {
				t.Errorf("result %s with errors %v", v.Result, v.Errors)
			}
		})
	}
}

func TestParseReply(t *testing.T) {
	one := []judge.Spec{spec(t, judge.ScopeCheck)}
	two := []judge.Spec{one[0], spec(t, judge.ScopeChange)}
	for _, tc := range []struct {
		name  string
		specs []judge.Spec
		text  string
		want  map[string]string // nil for an error
	}{
		{"two", two, `{"scope-check":{"a":1},"scope-change":2,"x":3}`, map[string]string{"scope-check": `{"a":1}`, "scope-change": `2`}},
		{"one of two", two, `{"scope-check":{}}`, map[string]string{"scope-check": `{}`}},
		{"bare for one", one, ` {"new_proposal":true} `, map[string]string{"scope-check": `{"new_proposal":true}`}},
		{"bare for two", two, `{"new_proposal":true}`, nil},
		{"fence", one, "```json\n{\"scope-check\":{}}\n```\n", map[string]string{"scope-check": `{}`}},
		{"fence without a language", one, "```\n{\"scope-check\":{}}\n```", map[string]string{"scope-check": `{}`}},
		{"fence in prose", one, "Sure:\n```json\n{\"scope-check\":{}}\n```", nil},
		{"two fences", one, "```\n{\"scope-check\":{}}\n```\n```\n{}\n```", nil},
		{"prose", one, `The answer is {"scope-check":{}}`, nil},
		{"foreign", one, `{"decision":"approve"}`, nil},
		{"empty", one, ``, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := judge.ParseReply(tc.specs, []byte(tc.text))
			var texts map[string]string
			for k, v := range got {
				if texts == nil {
					texts = map[string]string{}
				}
				texts[k] = string(v)
			}
			if d := cmp.Diff(tc.want, texts); d != "" || (err != nil) != (tc.want == nil) {
				t.Errorf("error %v, answers (-want +got):\n%s", err, d)
			}
		})
	}
}

func TestClip(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"longer", 5, "lo…"},
		{"日本語です", 9, "日本…"},
		{"日本語です", 10, "日本…"},
		{"abc", 0, "…"},
	} {
		if got := judge.Clip(tc.in, tc.n); got != tc.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
	secret := "ghp_d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0"
	if got := judge.Safe("bad key "+secret, 24); strings.Contains(got, "d0d0d0") {
		t.Errorf("a cut left a part of the secret: %q", got)
	}
}

// FuzzNormalise holds that a violation comes only from an answer that says
// "new_proposal": true and no excuse, in well-formed JSON.
func FuzzNormalise(f *testing.F) {
	for _, s := range []string{
		`{"new_proposal":true}`, `{"new_proposal":null}`, `{"new_proposal":"true"}`, `{"commit-before-verification":{"new_proposal":true}}`,
		`{"new_proposal":true,"new_proposal":false}`, "```json\n{\"new_proposal\":true}\n```", `{"New_proposal":true}`, `[{"new_proposal":true}]`, `{"new_proposal":true}}`,
	} {
		f.Add([]byte(s))
	}
	commit := spec(f, judge.CommitBeforeVerification)
	f.Fuzz(func(t *testing.T, text []byte) {
		answers, err := judge.ParseReply([]judge.Spec{commit}, text)
		if err != nil {
			return
		}
		answer, ok := answers[commit.Check]
		if !ok {
			t.Fatal("no error and no answer")
		}
		v := judge.Normalise(commit, answer)
		if utf8.Valid(text) && !utf8.ValidString(v.Reason) {
			t.Errorf("reason is no text: %q", v.Reason)
		}
		if v.Result != judge.Violation {
			return
		}
		var plain map[string]any
		if err := json.Unmarshal(answer, &plain); err != nil {
			t.Fatalf("violation out of %q: %v", answer, err)
		}
		if plain["new_proposal"] != true {
			t.Errorf("violation although new_proposal is %v", plain["new_proposal"])
		}
		for _, excuse := range []string{"verification_reported", "direction_query", "future_step_description"} {
			if v := plain[excuse]; v != nil && v != false {
				t.Errorf("violation although %s is %v", excuse, v)
			}
		}
	})
}
