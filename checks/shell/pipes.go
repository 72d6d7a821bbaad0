package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// pipe runs the stages of a pipeline, each in its own subshell.
func (a *analyzer) pipe(c *syntax.BinaryCmd, st *state, cx ctx) output {
	stages := stagesOf(c)
	var out output
	var feeders []int
	prev := [2]int{}
	for i, s := range stages {
		if !a.step(1) {
			break
		}
		start := len(a.out.Commands)
		sub := cx
		if i > 0 {
			sub.stdin = out.stdin()
			sub.stdin.from = feeders
		}
		sub.bg = cx.bg
		o, _ := a.stmt(s, st.fork(), sub)
		if i > 0 && start < len(a.out.Commands) {
			a.feed(prev[0], prev[1], start, len(cx.via))
		}
		prev = [2]int{start, len(a.out.Commands)}
		near := a.since(start)
		far := feeders[:min(len(feeders), maxFeeders-min(len(near), maxFeeders))]
		feeders = append(append(make([]int, 0, len(near)+len(far)), near...), far...)
		out = o
	}
	out.from = feeders
	return out
}

// stagesOf lists the stages of a pipeline. The parser nests them to one side; the
// list is made without recursion, because a pipeline may be very long.
func stagesOf(c *syntax.BinaryCmd) []*syntax.Stmt {
	var right []*syntax.Stmt // met from the end
	for {
		x, ok := pipeline(c.X)
		if !ok {
			break
		}
		right = append(right, c.Y)
		c = x
	}
	stages := []*syntax.Stmt{c.X}
	for {
		y, ok := pipeline(c.Y)
		if !ok {
			stages = append(stages, c.Y)
			break
		}
		stages = append(stages, y.X)
		c = y
	}
	slices.Reverse(right)
	return append(stages, right...)
}

func pipeline(s *syntax.Stmt) (*syntax.BinaryCmd, bool) {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 || s.Negated {
		return nil, false
	}
	return b, true
}

// feed marks the commands from..to as writing into the command at target.
func (a *analyzer) feed(from, to, target, level int) {
	for i := from; i < to; i++ {
		c := a.cmd(i)
		if c.Feeds < 0 && !inSubst(c.Via[min(level, len(c.Via)):]) {
			c.Feeds = target
		}
	}
}

func inSubst(via []string) bool {
	return slices.Contains(via, "$( )") || slices.Contains(via, "<( )")
}
