package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"agentguard/checks"
)

// patience is how long a check may hold up the next one. Nearly every check takes
// less than a goroutine costs, so they run one after the other; where one waits
// for git, a judge or nothing at all, the others go ahead beside it.
const patience = 20 * time.Millisecond

// done is how one check ended; nil stands for one that did not.
type done struct {
	i       int
	finding checks.Finding
	err     error
	elapsed time.Duration
}

// runAll runs the checks and returns how each ended, in their order, when all have
// or ctx is done. A check that is still running then is left behind.
func runAll(ctx context.Context, in *checks.Input, picked []checks.Check, clock func() time.Time) []*done {
	// Buffered for all, so that a check left behind can still end.
	ended := make(chan *done, len(picked))
	var taken atomic.Int32
	work := func() {
		Deepen()
		for i := int(taken.Add(1)) - 1; i < len(picked); i = int(taken.Add(1)) - 1 {
			ended <- runOne(ctx, in, picked[i], i, clock)
		}
	}
	go work()
	late := time.NewTimer(patience)
	defer late.Stop()
	all := make([]*done, len(picked))
	for waiting := len(picked); waiting > 0; {
		select {
		case d := <-ended:
			all[d.i] = d
			waiting--
		case <-late.C:
			for range waiting - 1 {
				go work()
			}
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// runOne runs one check; its panic is an error.
func runOne(ctx context.Context, in *checks.Input, c checks.Check, i int, clock func() time.Time) (d *done) {
	d = &done{i: i}
	began := clock()
	defer func() {
		if r := recover(); r != nil {
			d.err = fmt.Errorf("panic: %v\n%s", r, firstFrames(debug.Stack()))
		}
		d.elapsed = clock().Sub(began)
	}()
	d.finding, d.err = c.Run(ctx, in)
	return d
}
