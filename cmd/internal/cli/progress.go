package cli

import (
	"fmt"
	"strings"
	"time"
)

// progress shows how far a long piece of work is, on stderr: a bar that is
// redrawn on a terminal, else a line for each tenth.
type progress struct {
	s       Streams
	what    string
	total   int64
	done    int64
	started time.Time
	drawn   time.Time
	tenth   int64
	now     func() time.Time
}

func (a *app) progress(what string, total int64) *progress {
	return &progress{s: a.Streams, what: what, total: max(total, 1), started: a.env.Now(), now: a.env.Now, tenth: -1}
}

// redraw is the shortest time between two drawings.
const redraw = 100 * time.Millisecond

// add counts n more units and draws when it is time to.
func (p *progress) add(n int64) {
	p.done += n
	now := p.now()
	if p.s.TerminalErr {
		if now.Sub(p.drawn) >= redraw {
			p.drawn = now
			p.s.notef("\r%s", p.line(now))
		}
		return
	}
	if tenth := 10 * p.done / p.total; tenth > p.tenth && tenth < 10 {
		p.tenth = tenth
		p.s.notef("%s: %d %%\n", p.what, 10*tenth)
	}
}

func (p *progress) line(now time.Time) string {
	const width = 30
	share := min(float64(p.done)/float64(p.total), 1)
	filled := int(share * width)
	left := ""
	if elapsed := now.Sub(p.started); share > 0.01 && elapsed > time.Second {
		left = fmt.Sprintf(", %v left", (time.Duration(float64(elapsed)/share) - elapsed).Round(time.Second))
	}
	return fmt.Sprintf("%s [%s%s] %3.0f %%%s   ", p.what, strings.Repeat("#", filled), strings.Repeat(".", width-filled), 100*share, left)
}

// end draws the last state and goes on to the next line.
func (p *progress) end() {
	if p.s.TerminalErr {
		p.s.notef("\r%s\n", p.line(p.now()))
	}
}
