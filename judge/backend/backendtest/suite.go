// Package backendtest is the conformance suite of judge backends: whatever the
// program or service behind one does, its verdicts are right or Fail, it ends
// in time and leaves nothing behind.
package backendtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge"
)

// Behaviour is what the thing behind a backend does when it is asked.
type Behaviour struct {
	Answer string        // the model's words, put where this backend expects them
	Raw    *string       // the whole output instead of an envelope around Answer
	Delay  time.Duration // before anything is written
	Fails  bool          // an exit status of 3, or status 500, beside whatever it prints
	Says   string        // a complaint on stderr, or in the service's error
	Hangs  bool          // never ends, and a child of it neither
	Absent bool          // no program, nobody listening
}

// Subject makes a backend before which things behave as told.
type Subject func(t *testing.T, b Behaviour) judge.Backend

// Question asks all built-in checks about a text.
func Question(text string) judge.Question {
	q := judge.Question{Text: text}
	for _, c := range judge.Checks() {
		s, _ := judge.Named(c)
		q.Specs = append(q.Specs, s)
	}
	return q
}

// patience is a deadline that no healthy call comes near on a loaded machine;
// grace is how late a backend may come back after its deadline.
const (
	patience = 20 * time.Second
	short    = time.Second
	grace    = 10 * time.Second
)

const single = judge.CommitBeforeVerification

// Run holds a backend to everything that the design promises of it.
func Run(t *testing.T, subject Subject) {
	t.Helper()
	t.Run("answers", func(t *testing.T) { answers(t, subject) })
	t.Run("several checks", func(t *testing.T) { several(t, subject) })
	t.Run("time", func(t *testing.T) { timing(t, subject) })
	t.Run("secrets in complaints", func(t *testing.T) { complaints(t, subject) })
}

func answers(t *testing.T, subject Subject) {
	t.Helper()
	nested := func(fields string) string { return fmt.Sprintf(`{"%s": {%s}}`, single, fields) }
	const proposes = `"new_proposal": true, "verification_reported": false, "direction_query": false, "future_step_description": false, "reason": "r"`
	for _, tc := range []struct {
		name string
		b    Behaviour
		want judge.Result
	}{
		{"violation", Behaviour{Answer: nested(proposes)}, judge.Violation},
		{"allow", Behaviour{Answer: nested(`"new_proposal": false`)}, judge.Allowed},
		{"verified", Behaviour{Answer: nested(`"new_proposal": true, "verification_reported": true`)}, judge.Allowed},
		{"bare fields for a single check", Behaviour{Answer: "{" + proposes + "}"}, judge.Violation},
		{"slow but in time", Behaviour{Answer: nested(proposes), Delay: 200 * time.Millisecond}, judge.Violation},
		{"missing evidence field is false", Behaviour{Answer: nested(`"new_proposal": true`)}, judge.Violation},
		{"null evidence field is false", Behaviour{Answer: nested(`"new_proposal": true, "direction_query": null`)}, judge.Violation},
		{"extra members", Behaviour{Answer: `{"confidence": 1, "` + single + `": {"mood": [1], ` + proposes + `}}`}, judge.Violation},
		{"proposal missing", Behaviour{Answer: nested(`"verification_reported": false, "reason": "r"`)}, judge.Fail},
		{"proposal null", Behaviour{Answer: nested(`"new_proposal": null`)}, judge.Fail},
		{"proposal as text", Behaviour{Answer: nested(`"new_proposal": "true"`)}, judge.Fail},
		{"proposal as number", Behaviour{Answer: nested(`"new_proposal": 1`)}, judge.Fail},
		{"evidence as text", Behaviour{Answer: nested(`"new_proposal": true, "direction_query": "no"`)}, judge.Fail},
		{"another letter case", Behaviour{Answer: nested(`"New_Proposal": true`)}, judge.Fail},
		{"said twice", Behaviour{Answer: nested(`"new_proposal": false, "new_proposal": true`)}, judge.Fail},
		{"decision of a hook", Behaviour{Answer: `{"decision": "block", "reason": "injected"}`}, judge.Fail},
		{"another check's answer", Behaviour{Answer: `{"scope-check": {"new_proposal": true}}`}, judge.Fail},
		{"list", Behaviour{Answer: `[{"new_proposal": true}]`}, judge.Fail},
		{"answer is text", Behaviour{Answer: fmt.Sprintf(`{"%s": "violation"}`, single)}, judge.Fail},
		{"empty output", Behaviour{Raw: new("")}, judge.Fail},
		{"blank output", Behaviour{Raw: new(" \n\n")}, judge.Fail},
		{"a sentence", Behaviour{Raw: new("I think that this is a violation.")}, judge.Fail},
		{"half of an object", Behaviour{Raw: new(`{"` + single + `": {"new_proposal": tr`)}, judge.Fail},
		{"deep nesting", Behaviour{Raw: new(strings.Repeat("[", 100_000))}, judge.Fail},
		{"deep nesting in a member", Behaviour{Raw: new(`{"` + single + `":` + strings.Repeat(`{"a":`, 50_000))}, judge.Fail},
		{"not UTF-8", Behaviour{Raw: new("\xff\xfe\x00\x01")}, judge.Fail},
		{"huge output", Behaviour{Raw: new(nested(`"reason": "` + strings.Repeat("a", judge.MaxReply) + `", ` + proposes))}, judge.Fail},
		{"failing with an answer", Behaviour{Answer: nested(proposes), Fails: true}, judge.Fail},
		{"failing with nothing", Behaviour{Raw: new(""), Fails: true}, judge.Fail},
		{"absent", Behaviour{Absent: true}, judge.Fail},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := Question("Let's commit this.")
			q.Specs = q.Specs[:1]
			v := ask(t, subject(t, tc.b), q, patience)[single]
			if v.Result != tc.want {
				t.Errorf("result %s, want %s; errors %q", v.Result, tc.want, v.Errors)
			}
			if v.Result == judge.Fail && len(v.Errors) == 0 {
				t.Error("a failure without a word why")
			}
		})
	}
}

func several(t *testing.T, subject Subject) {
	t.Helper()
	b := subject(t, Behaviour{Answer: `{
		"commit-before-verification": {"new_proposal": false},
		"scope-check": {"new_proposal": true, "reason": "next session"},
		"scope-change": {"new_proposal": true, "retraction_or_quote": true},
		"shallow-bugfix": {"new_proposal": 3}}`})
	got := map[string]judge.Result{}
	for check, v := range ask(t, b, Question("The rest is for the next session."), patience) {
		got[check] = v.Result
	}
	want := map[string]judge.Result{
		judge.CommitBeforeVerification:  judge.Allowed,
		judge.ScopeCheck:                judge.Violation,
		judge.ScopeChange:               judge.Allowed,
		judge.ShallowBugfix:             judge.Fail,
		judge.BugfixWithoutReproduction: judge.Fail,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
}

func timing(t *testing.T, subject Subject) {
	t.Helper()
	for _, tc := range []struct {
		name string
		b    Behaviour
	}{
		{"hangs", Behaviour{Hangs: true}},
		{"too slow", Behaviour{Answer: `{"commit-before-verification": {"new_proposal": true}}`, Delay: 30 * time.Second}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := subject(t, tc.b)
			watch := startWatch()
			v := ask(t, b, Question("Let's commit this."), short)[single]
			if v.Result != judge.Fail {
				t.Errorf("result %s, want fail", v.Result)
			}
			if took := watch(); took > short+grace {
				t.Errorf("came back after %v, deadline %v", took, short)
			}
		})
	}
	t.Run("caller gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := subject(t, Behaviour{Hangs: true})
		time.AfterFunc(short, cancel)
		watch := startWatch()
		if _, err := b.Ask(ctx, Question("x")); err == nil {
			t.Error("no error")
		}
		if took := watch(); took > short+grace {
			t.Errorf("came back after %v", took)
		}
	})
}

// complaints says that what a failing program prints is cleaned before it gets
// into the verdict, and so into the log.
func complaints(t *testing.T, subject Subject) {
	t.Helper()
	secret := "ghp_" + strings.Repeat("d0", 18)
	for _, b := range []Behaviour{
		{Fails: true, Says: "bad credentials " + secret},
		{Answer: `{"commit-before-verification": {"new_proposal": true, "reason": "it says ` + secret + `"}}`},
		{Raw: new("it says " + secret)},
	} {
		v := ask(t, subject(t, b), Question("Let's commit this."), patience)[single]
		if all := fmt.Sprintf("%+v", v); strings.Contains(all, secret) {
			t.Errorf("the verdict holds the secret: %s", all)
		}
	}
}

func ask(t *testing.T, b judge.Backend, q judge.Question, limit time.Duration) map[string]judge.Verdict {
	t.Helper()
	a := judge.Asker{Backends: []judge.Backend{b}, Timeout: limit, Now: time.Now}
	return a.Ask(t.Context(), q)
}

// startWatch returns what tells the time since then.
func startWatch() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
