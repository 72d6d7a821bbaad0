package evidence

import (
	"context"
	"sync"
	"time"
)

// Patience bounds the time in which git may be waited for, over all calls
// together; calls at the same time count once. Whoever opens repositories with
// the same Patience shares it. A nil one waits for ever.
type Patience struct {
	mu    sync.Mutex
	left  time.Duration
	since time.Time // when the first of the calls that run now began
	calls int       // that run now
}

// NewPatience returns a Patience that lasts as long as limit.
func NewPatience(limit time.Duration) *Patience { return &Patience{left: limit} }

// begin gives a call the time that is left; end has to be called when it is over.
func (p *Patience) begin(ctx context.Context) (_ context.Context, end func()) {
	if p == nil {
		return ctx, func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now() //nolint:forbidigo // the length of a wait, not the time of the call
	if p.calls == 0 {
		p.since = now
	}
	p.calls++
	ctx, cancel := context.WithTimeout(ctx, p.left-now.Sub(p.since))
	return ctx, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.calls--; p.calls == 0 {
			p.left -= time.Since(p.since)
		}
	}
}
