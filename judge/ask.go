package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentguard/judge/redact"
)

// Timeout is the default time for one question over all backends.
const Timeout = 10 * time.Second

// Asker asks its backends in order until every check has a verdict.
type Asker struct {
	Backends []Backend
	Timeout  time.Duration // over all backends; zero means Timeout
	Breaker  Breaker       // zero never skips
	Cache    Cache         // zero remembers nothing
	Now      func() time.Time
}

// Store keeps small values between hook calls, each under a key of lower-case
// letters, digits and dashes. Load of an unknown key is an error. Both may fail
// at any time: then nothing was remembered.
type Store interface {
	Load(key string) ([]byte, error)
	Save(key string, value []byte) error
}

// Ask returns a verdict for every Spec of q. What no backend could answer is
// Fail. The text and the facts are redacted once more before they leave. The
// cost of a call stands on its first verdict only, so that costs add up.
func (a *Asker) Ask(ctx context.Context, q Question) map[string]Verdict {
	q = prepared(q)
	verdicts := make(map[string]Verdict, len(q.Specs))
	began := a.Now()
	pending := make([]Spec, 0, len(q.Specs))
	for _, s := range q.Specs {
		if v, ok := a.remembered(q, s, began); ok {
			v.Check, v.PromptVersion = s.Check, PromptVersion(s)
			verdicts[s.Check] = v
			continue
		}
		pending = append(pending, s)
	}
	total := a.Timeout
	if total <= 0 {
		total = Timeout
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	var failed []string
	var raw string  // the last answer that was of no use, for the log
	broken := false // a backend failed: what a later one says is second best
	for i, b := range a.Backends {
		if len(pending) == 0 {
			break
		}
		if until := a.skipped(b); !until.IsZero() {
			failed = append(failed, fmt.Sprintf("%s: skipped until %s after repeated failures", b.Name(), until.UTC().Format(time.TimeOnly)))
			broken = true
			continue
		}
		ctx := ctx
		if b.Name() == Offline {
			ctx = caller // a moment is enough, also after a backend that came back late
		}
		if err := ctx.Err(); err != nil {
			failed = append(failed, b.Name()+": not asked, no time was left")
			continue
		}
		ask := q
		ask.Specs = pending
		got := a.one(ctx, b, ask, i)
		if b.Name() != Offline {
			a.Breaker.note(b.Name(), a.Now(), got.err)
		}
		failed = append(failed, got.errs...)
		broken = broken || got.err != nil
		if got.raw != "" {
			raw = got.raw
		}
		for _, v := range got.usable {
			v.Errors = slices.Clone(failed)
			verdicts[v.Check] = v
			// The offline reader is quicker than a disk, and its next release may know better.
			if !broken && b.Name() != Offline {
				a.Cache.put(a.cacheKey(q, specNamed(pending, v.Check)), v, a.Now())
			}
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(s Spec) bool {
			_, done := verdicts[s.Check]
			return done
		})
	}
	for _, s := range pending {
		verdicts[s.Check] = Verdict{
			Check: s.Check, Result: Fail, PromptVersion: PromptVersion(s), Raw: raw,
			Elapsed: a.Now().Sub(began), Errors: slices.Clone(failed),
		}
	}
	return verdicts
}

// remembered is the verdict of an earlier call. Where only the offline reader is
// asked nothing is ever kept.
func (a *Asker) remembered(q Question, s Spec, now time.Time) (Verdict, bool) {
	if len(a.Backends) == 1 && a.Backends[0].Name() == Offline {
		return Verdict{}, false
	}
	return a.Cache.get(a.cacheKey(q, s), now)
}

// skipped is when a backend that failed too often is tried again. The offline
// reader costs nothing and has nothing that could be down.
func (a *Asker) skipped(b Backend) time.Time {
	if b.Name() == Offline {
		return time.Time{}
	}
	return a.Breaker.openUntil(b.Name(), a.Now())
}

// outcome is what came of asking one backend.
type outcome struct {
	usable []Verdict
	raw    string   // the whole answer, redacted
	errs   []string // what was wrong, for the log
	err    error    // what the breaker should know; nil also when it is merely unsure
}

// one asks one backend and keeps the answers that are usable.
func (a *Asker) one(ctx context.Context, b Backend, q Question, index int) (o outcome) {
	ctx, cancel := a.share(ctx, index)
	defer cancel()
	began := a.Now()
	reply, err := guarded(ctx, b, q)
	elapsed := a.Now().Sub(began)
	if err != nil {
		// The text of an error may quote what the backend printed.
		o.errs = []string{b.Name() + ": " + Safe(err.Error(), maxReason)}
		if !errors.Is(err, ErrUnsure) {
			o.err = err
		}
		return o
	}
	o.raw = Safe(reply.Raw, maxRaw)
	cost := reply.CostUSD
	for _, s := range q.Specs {
		answer, ok := reply.Answers[s.Check]
		if !ok {
			o.errs = append(o.errs, fmt.Sprintf("%s: no answer for %s", b.Name(), s.Check))
			continue
		}
		v := Normalise(s, answer)
		if v.Result == Fail {
			o.errs = append(o.errs, fmt.Sprintf("%s: %s: %s", b.Name(), s.Check, v.Errors[0]))
			continue
		}
		v.Backend, v.PromptVersion, v.Elapsed, v.Raw = b.Name(), PromptVersion(s), elapsed, o.raw
		v.CostUSD, cost = cost, 0
		o.usable = append(o.usable, v)
	}
	if len(o.usable) == 0 {
		o.err = errors.New("no usable answer")
	}
	return o
}

// maxRaw bounds the raw answer that a verdict carries to the log, in bytes.
const maxRaw = 4 << 10

// guarded turns a panic of a backend into its failure.
func guarded(ctx context.Context, b Backend, q Question) (reply Reply, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return b.Ask(ctx, q)
}

// share gives a backend its part of the time that is left: all of it when none
// follows, all but a moment when only the offline reader does, else most, so
// that one that hangs cannot use up the time of the next.
func (a *Asker) share(ctx context.Context, index int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	rest := a.Backends[index+1:]
	if !ok || len(rest) == 0 {
		return context.WithCancel(ctx)
	}
	// The deadline is on the wall clock of the context, not on Now: a test's clock
	// may stand still.
	left := time.Until(deadline)
	keep := left * 2 / 5
	if len(rest) == 1 && rest[0].Name() == Offline {
		keep = min(left/10, 500*time.Millisecond)
	}
	return context.WithDeadline(ctx, deadline.Add(-keep))
}

func prepared(q Question) Question {
	q.Text, _ = redact.Text(q.Text)
	q.Text = Clip(q.Text, MaxText+len("…"))
	lines := make([]string, len(q.Facts))
	for i, f := range q.Facts {
		lines[i], _ = redact.Text(f)
	}
	q.Facts = lines
	return q
}

func specNamed(specs []Spec, check string) Spec {
	i := slices.IndexFunc(specs, func(s Spec) bool { return s.Check == check })
	return specs[i]
}
