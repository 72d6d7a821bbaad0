package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge"
)

// fake answers by check and counts how often it is asked.
type fake struct {
	name    string
	answers map[string]string
	err     error
	cost    float64
	do      func(ctx context.Context, q judge.Question)
	asked   []judge.Question
}

func (f *fake) Name() string { return f.name }

func (f *fake) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	f.asked = append(f.asked, q)
	if f.do != nil {
		f.do(ctx, q)
	}
	if f.err != nil {
		return judge.Reply{}, f.err
	}
	r := judge.Reply{Answers: map[string]json.RawMessage{}, CostUSD: f.cost, Raw: fmt.Sprint(f.answers)}
	for k, v := range f.answers {
		r.Answers[k] = json.RawMessage(v)
	}
	return r, nil
}

const yes, no = `{"new_proposal":true,"reason":"r"}`, `{"new_proposal":false}`

// memory is a Store that can be broken.
type memory struct {
	mu     sync.Mutex
	values map[string]string
	broken bool
}

func (m *memory) Load(key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	if !ok || m.broken {
		return nil, errors.New("not there")
	}
	return []byte(v), nil
}

func (m *memory) Save(key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return errors.New("disk full")
	}
	if m.values == nil {
		m.values = map[string]string{}
	}
	m.values[key] = string(value)
	return nil
}

func ask(t *testing.T, backends []judge.Backend, text string, checks ...string) map[string]judge.Verdict {
	t.Helper()
	a := judge.Asker{Backends: backends, Now: time.Now}
	return a.Ask(t.Context(), asked(t, text, checks...))
}

func asked(t *testing.T, text string, checks ...string) judge.Question {
	t.Helper()
	q := judge.Question{Text: text}
	for _, c := range checks {
		q.Specs = append(q.Specs, spec(t, c))
	}
	return q
}

func TestAskOrder(t *testing.T) {
	a, b := judge.CommitBeforeVerification, judge.ScopeCheck
	dead := func() *fake { return &fake{name: "dead", err: errors.New("no such program")} }
	unsure := func() *fake { return &fake{name: "unsure", err: fmt.Errorf("two readings: %w", judge.ErrUnsure)} }
	half := func() *fake { return &fake{name: "half", answers: map[string]string{a: yes}} }
	odd := func() *fake { return &fake{name: "odd", answers: map[string]string{a: `{"new_proposal":"x"}`, b: no}} }
	all := func() *fake { return &fake{name: "all", answers: map[string]string{a: no, b: yes}} }
	panics := func() *fake {
		return &fake{name: "panics", do: func(context.Context, judge.Question) { panic("boom") }}
	}
	for _, tc := range []struct {
		name     string
		backends []*fake
		want     string // result and backend of both checks
		errors   []string
	}{
		{"first answers", []*fake{all(), half()}, "allow by all, violation by all", nil},
		{"dead, then an answer", []*fake{dead(), all()}, "allow by all, violation by all", []string{"dead: no such program"}},
		{"unsure, then an answer", []*fake{unsure(), all()}, "allow by all, violation by all", []string{"unsure: two readings: not sure"}},
		{"half, then the rest", []*fake{half(), all()}, "violation by half, violation by all", []string{"half: no answer for scope-check"}},
		{"unusable, then the rest", []*fake{odd(), all()}, "allow by all, allow by odd", []string{"odd: commit-before-verification: field new_proposal: not a boolean"}},
		{"panic", []*fake{panics(), all()}, "allow by all, violation by all", []string{"panics: panic: boom"}},
		{"none left", []*fake{dead(), unsure()}, "fail by , fail by ", []string{"dead: no such program", "unsure: two readings: not sure"}},
		{"nobody", nil, "fail by , fail by ", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var backends []judge.Backend
			for _, f := range tc.backends {
				backends = append(backends, f)
			}
			v := ask(t, backends, "text", a, b)
			if got := fmt.Sprintf("%s by %s, %s by %s", v[a].Result, v[a].Backend, v[b].Result, v[b].Backend); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			longest := v[a].Errors
			if len(v[b].Errors) > len(longest) {
				longest = v[b].Errors
			}
			if d := cmp.Diff(tc.errors, longest); d != "" {
				t.Errorf("errors (-want +got):\n%s", d)
			}
			for _, one := range v {
				if one.PromptVersion == "" {
					t.Error("no prompt version")
				}
			}
		})
	}
}

func TestAskSharesOneCall(t *testing.T) {
	f := &fake{name: "f", cost: 0.5, answers: map[string]string{}}
	for _, c := range judge.Checks() {
		f.answers[c] = no
	}
	v := ask(t, []judge.Backend{f}, "text", judge.Checks()...)
	total := 0.0
	for _, one := range v {
		total += one.CostUSD
	}
	if len(f.asked) != 1 || len(v) != 5 || total != 0.5 {
		t.Errorf("%d calls, %d verdicts, cost %v", len(f.asked), len(v), total)
	}
}

func TestAskRedactsOnceMore(t *testing.T) {
	const secret = "ghp_d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0"
	f := &fake{name: "f", answers: map[string]string{judge.ScopeCheck: `{"new_proposal":true,"reason":"` + secret + `"}`}}
	a := judge.Asker{Backends: []judge.Backend{f}, Now: time.Now}
	q := asked(t, "the token is "+secret, judge.ScopeCheck)
	q.Facts = []string{"branch " + secret}
	v := a.Ask(t.Context(), q)
	if all := fmt.Sprintf("%+v %+v", f.asked, v); strings.Contains(all, secret) {
		t.Errorf("the secret got through: %s", all)
	}
	if v[judge.ScopeCheck].Result != judge.Violation {
		t.Errorf("verdict %+v", v)
	}
}

// hang waits for its deadline, and late comes back after it.
func hang(ctx context.Context, _ judge.Question) { <-ctx.Done() }
func late(context.Context, judge.Question)       { time.Sleep(time.Hour) }

func TestAskSharesTheTime(t *testing.T) {
	for _, tc := range []struct {
		name  string
		first func(context.Context, judge.Question)
		next  string
		by    string // who answers; empty for a failure
		after time.Duration
	}{
		{"a model follows", hang, "next", "next", 6 * time.Second},
		{"the offline reader follows", hang, judge.Offline, judge.Offline, 9500 * time.Millisecond},
		{"late, a model follows", late, "next", "", time.Hour},
		{"late, the offline reader follows", late, judge.Offline, judge.Offline, time.Hour},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				slow := &fake{name: "slow", do: tc.first, err: context.DeadlineExceeded}
				next := &fake{name: tc.next, answers: map[string]string{judge.ScopeCheck: yes}}
				store := &memory{}
				a := judge.Asker{Backends: []judge.Backend{slow, next}, Breaker: judge.Breaker{Store: store}, Now: time.Now}
				began := time.Now()
				v := a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))[judge.ScopeCheck]
				if v.Backend != tc.by || (tc.by == "") != (v.Result == judge.Fail) {
					t.Errorf("verdict %+v", v)
				}
				if took := time.Since(began); took != tc.after {
					t.Errorf("took %v, want %v", took, tc.after)
				}
				// Only the slow one is to blame, also where no time was left for the next.
				if len(store.values) != 1 || store.values["breaker-slow"] == "" {
					t.Errorf("the breaker holds %v", store.values)
				}
			})
		})
	}
}

func TestCache(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	store := &memory{}
	f := &fake{name: "f", cost: 1, answers: map[string]string{judge.ScopeCheck: yes, judge.ScopeChange: no}}
	a := judge.Asker{Backends: []judge.Backend{f}, Cache: judge.Cache{Store: store}, Now: func() time.Time { return now }}
	first := a.Ask(t.Context(), asked(t, "same", judge.ScopeCheck))[judge.ScopeCheck]
	second := a.Ask(t.Context(), asked(t, "same", judge.ScopeCheck))[judge.ScopeCheck]
	if len(f.asked) != 1 || !second.Cached || second.CostUSD != 0 || second.Result != first.Result || second.Reason != "r" {
		t.Errorf("%d calls, then %+v", len(f.asked), second)
	}
	for name, q := range map[string]judge.Question{
		"another text":  asked(t, "other", judge.ScopeCheck),
		"another check": asked(t, "same", judge.ScopeChange),
		"another fact":  {Specs: asked(t, "", judge.ScopeCheck).Specs, Text: "same", Facts: []string{"x"}},
	} {
		before := len(f.asked)
		a.Ask(t.Context(), q)
		if len(f.asked) != before+1 {
			t.Errorf("%s was answered from the cache", name)
		}
	}
	for key, v := range store.values {
		if strings.Contains(key+v, "same") {
			t.Errorf("the store holds the text: %s %s", key, v)
		}
	}
	now = now.Add(25 * time.Hour)
	if v := a.Ask(t.Context(), asked(t, "same", judge.ScopeCheck))[judge.ScopeCheck]; v.Cached {
		t.Error("a verdict of yesterday was used")
	}
}

func TestCacheKeepsNoSecondBest(t *testing.T) {
	for name, first := range map[string]*fake{
		"fail":    {name: "f", answers: map[string]string{judge.ScopeCheck: `{}`}},
		"dead":    {name: "f", err: errors.New("down")},
		"offline": {name: judge.Offline, answers: map[string]string{judge.ScopeCheck: yes}},
	} {
		store := &memory{}
		next := &fake{name: "next", answers: map[string]string{judge.ScopeCheck: yes}}
		a := judge.Asker{Backends: []judge.Backend{first, next}, Cache: judge.Cache{Store: store}, Now: time.Now}
		a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))
		if len(store.values) > 0 {
			t.Errorf("%s: kept %v", name, store.values)
		}
	}
	for _, junk := range []string{"", "{", `{"at":"2026-05-04T12:00:00Z","verdict":{"result":"fail"}}`, `{"at":"2026-05-04T12:00:00Z","verdict":{"result":"banana"}}`, `{"at":"2099-01-01T00:00:00Z","verdict":{"result":"violation"}}`} {
		f := &fake{name: "f", answers: map[string]string{judge.ScopeCheck: no}}
		store := &everything{junk}
		a := judge.Asker{Backends: []judge.Backend{f}, Cache: judge.Cache{Store: store}, Breaker: judge.Breaker{Store: store}, Now: func() time.Time { return time.Date(2026, 5, 4, 12, 0, 1, 0, time.UTC) }}
		if v := a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))[judge.ScopeCheck]; v.Result != judge.Allowed || v.Cached {
			t.Errorf("stored %q: %+v", junk, v)
		}
	}
}

// everything is a store that holds the same under each key.
type everything struct{ value string }

func (e *everything) Load(string) ([]byte, error) { return []byte(e.value), nil }
func (e *everything) Save(string, []byte) error   { return errors.New("read-only") }

func TestBreaker(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	store := &memory{}
	bad := &fake{name: "bad one", err: errors.New("down")}
	good := &fake{name: "good", answers: map[string]string{judge.ScopeCheck: no}}
	a := judge.Asker{
		Backends: []judge.Backend{bad, good}, Breaker: judge.Breaker{Store: store, Failures: 2, Rest: time.Minute},
		Now: func() time.Time { return now },
	}
	step := func(wait time.Duration) int {
		now = now.Add(wait)
		before := len(bad.asked)
		v := a.Ask(t.Context(), asked(t, now.String(), judge.ScopeCheck))[judge.ScopeCheck]
		if v.Backend != "good" {
			t.Fatalf("verdict %+v", v)
		}
		if skipped := slices.ContainsFunc(v.Errors, func(e string) bool { return strings.Contains(e, "skipped until") }); skipped != (len(bad.asked) == before) {
			t.Errorf("errors %q do not tell what happened", v.Errors)
		}
		return len(bad.asked) - before
	}
	got := []int{step(0), step(time.Second), step(time.Second), step(30 * time.Second), step(time.Minute), step(time.Second)}
	if d := cmp.Diff([]int{1, 1, 0, 0, 1, 0}, got); d != "" {
		t.Errorf("calls to the failing backend (-want +got):\n%s", d)
	}
	now = now.Add(time.Hour)
	bad.err, bad.answers = nil, map[string]string{judge.ScopeCheck: no}
	a.Ask(t.Context(), asked(t, "recovered", judge.ScopeCheck))
	bad.err = errors.New("down again")
	if n := step(time.Second) + step(time.Second); n != 2 {
		t.Error("one success did not close the breaker")
	}
}

func TestBreakerIgnoresUnsureAndCancelled(t *testing.T) {
	for name, err := range map[string]error{"unsure": judge.ErrUnsure, "cancelled": fmt.Errorf("x: %w", context.Canceled)} {
		store := &memory{}
		f := &fake{name: "f", err: err}
		a := judge.Asker{Backends: []judge.Backend{f}, Breaker: judge.Breaker{Store: store, Failures: 1}, Now: time.Now}
		a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))
		a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))
		if len(f.asked) != 2 {
			t.Errorf("%s: asked %d times", name, len(f.asked))
		}
	}
}

func TestBrokenStoreChangesNothing(t *testing.T) {
	store := &memory{broken: true}
	f := &fake{name: "f", answers: map[string]string{judge.ScopeCheck: yes}}
	a := judge.Asker{Backends: []judge.Backend{f}, Cache: judge.Cache{Store: store}, Breaker: judge.Breaker{Store: store}, Now: time.Now}
	for range 2 {
		if v := a.Ask(t.Context(), asked(t, "x", judge.ScopeCheck))[judge.ScopeCheck]; v.Result != judge.Violation {
			t.Errorf("%+v", v)
		}
	}
}
