package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// pipe runs the stages of a pipeline, each in its own subshell.
func (a *analyzer) pipe(c *syntax.BinaryCmd, st *state, cx ctx) output {
	var stages []*syntax.Stmt
	var flatten func(s *syntax.Stmt) = func(s *syntax.Stmt) {
		for {
			b, ok := s.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 {
				stages = append(stages, s)
				return
			}

			if x, ok := b.X.Cmd.(*syntax.BinaryCmd); ok && (x.Op == syntax.Pipe || x.Op == syntax.PipeAll) {
				if y, ok := b.Y.Cmd.(*syntax.BinaryCmd); ok && (y.Op == syntax.Pipe || y.Op == syntax.PipeAll) {
					stages = append(stages, b.X, b.Y)
					return
				}
				// Left-nested: unroll without recursion.
				var right []*syntax.Stmt
				for {
					right = append(right, b.Y)
					x, ok := b.X.Cmd.(*syntax.BinaryCmd)
					if !ok || x.Op != syntax.Pipe && x.Op != syntax.PipeAll || len(b.X.Redirs) > 0 {
						break
					}
					b = x
				}
				stages = append(stages, b.X)
				slices.Reverse(right)
				stages = append(stages, right...)
				return
			}
			stages = append(stages, b.X)
			s = b.Y
		}
	}
	flatten(&syntax.Stmt{Cmd: c})
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
		feeders = append(a.since(start), feeders...)
		if len(feeders) > 64 {
			feeders = feeders[:64]
		}
		out = o
	}
	out.from = feeders
	return out
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
