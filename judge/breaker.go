package judge

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Breaker skips a backend for a while after it failed several times in a row,
// so that a dead one does not cost its timeout at every stop.
type Breaker struct {
	Store    Store
	Failures int           // in a row until it is skipped; zero means 3
	Rest     time.Duration // how long it is skipped; zero means 5 minutes
}

type breakerState struct {
	Failures int       `json:"failures"`
	Last     time.Time `json:"last"`
}

const (
	breakerFailures = 3
	breakerRest     = 5 * time.Minute
)

// openUntil is when a skipped backend is tried again; zero when it may be asked
// now. After the rest one call tries it, and one more failure skips it again.
func (b Breaker) openUntil(backend string, now time.Time) time.Time {
	s := b.load(backend)
	limit, rest := b.limits()
	if until := s.Last.Add(rest); s.Failures >= limit && now.Before(until) && !now.Before(s.Last) {
		return until
	}
	return time.Time{}
}

// note records how a call went. That the caller gave up is no failure of the
// backend; a deadline is.
func (b Breaker) note(backend string, now time.Time, err error) {
	if b.Store == nil || errors.Is(err, context.Canceled) {
		return
	}
	s := b.load(backend)
	switch {
	case err != nil:
		s = breakerState{min(s.Failures, 1000) + 1, now}
	case s.Failures == 0:
		return
	default:
		s = breakerState{}
	}
	if raw, err := json.Marshal(s); err == nil {
		_ = b.Store.Save(b.key(backend), raw) // not remembered: it is only tried again
	}
}

func (b Breaker) load(backend string) breakerState {
	var s breakerState
	if b.Store == nil {
		return s
	}
	raw, err := b.Store.Load(b.key(backend))
	if err != nil || json.Unmarshal(raw, &s) != nil {
		return breakerState{}
	}
	return s
}

func (b Breaker) limits() (failures int, rest time.Duration) {
	failures, rest = b.Failures, b.Rest
	if failures <= 0 {
		failures = breakerFailures
	}
	if rest <= 0 {
		rest = breakerRest
	}
	return failures, rest
}

// key folds a backend's name to what a Store takes.
func (Breaker) key(backend string) string {
	out := []byte("breaker-")
	for i := range min(len(backend), 64) {
		c := backend[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		default:
			c = '-'
		}
		out = append(out, c)
	}
	return string(out)
}
