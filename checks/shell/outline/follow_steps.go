package outline

import (
	"maps"
	"slices"
	"strconv"
)

// stream applies a node's diversions; it returns what to restore.
func (s *state) stream(n *Node) (out, err Stream) {
	out, err = s.out, s.err
	divert(s, n)
	return out, err
}

func divert(s *state, n *Node) {
	out, err := s.out, s.err
	switch n.Out {
	case Stderr:
		s.out = err
	case Other:
		s.out = Other
	case Same, Stdout:
	}
	switch n.Err {
	case Stdout:
		s.err = out
	case Other:
		s.err = Other
	case Same, Stderr:
	}
	if n.Captured {
		s.out = Other
	}
}

func (f *follower) node(n *Node, s *state) []*state {
	if f.steps++; f.steps > maxSteps {
		s.done = true
		s.status = -1
		return []*state{s}
	}
	if n.Kind == Divert {
		divert(s, n)
		return []*state{s}
	}
	out, err := s.stream(n)
	if n.Background {
		f.behind++
	}
	states := f.step(n, s)
	if n.Background {
		f.behind--
	}
	for _, t := range states {
		t.out, t.err = out, err
		if n.Background && !t.done {
			t.status, t.from = 0, -1
		}
	}
	return states
}

func (f *follower) step(n *Node, s *state) []*state {
	look := f.lookup(s)
	if n.Line > 0 {
		s.line = n.Line
		if len(f.calls) == 0 && f.include == 0 {
			s.top = max(s.top, n.Line)
		}
	}
	switch n.Kind {
	case Say:
		to := s.out
		if n.To == Stderr {
			to = s.err
		}
		s.add(Event{Node: n, To: to, Text: n.Text(look), Apart: f.apart > 0, Background: f.behind > 0})
		s.status, s.from = 0, -1
	case Start:
		return f.starts(n, s)
	case Quit, Leave:
		f.ends(n, s)
	case Break:
		s.left = true
	case Choice:
		return f.choice(n, s)
	case Loop:
		skip := s.fork()
		inside := f.list(n.Body, []*state{s})
		for _, t := range inside {
			t.left = false
		}
		return append(inside, skip)
	case Group:
		return f.list(n.Body, []*state{s})
	case Apart:
		return f.isolated(n, s)
	case Pipe:
		return f.pipe(n, s)
	case And, Or:
		return f.andOr(n, s)
	case Not:
		states := f.list(n.Body, []*state{s})
		for _, t := range states {
			switch {
			case t.status == 0 && t.from < 0:
				t.status = 1
			case t.status > 0:
				t.status, t.from = 0, -1
			default:
				if t.from >= 0 {
					t.events = slices.Clone(t.events)
				}
				t.status = -1
			}
			if t.from >= 0 {
				t.from = -t.from - 2 // turned around; see split
			}
		}
		return states
	case Call:
		return f.call(n, s)
	case Set:
		if n.Value != nil {
			value := n.Value(look)
			if len(value) > maxValue {
				value = Unknown
			}
			if _, known := s.vars[n.Name]; known || len(s.vars) < maxVars {
				s.vars[n.Name] = value
			}
		}
		if n.Exported {
			s.exported[n.Name] = true
		}
		states := []*state{s}
		if len(n.Body) > 0 { // the commands of a capture
			states = f.isolated(&Node{Kind: Apart, Line: n.Line, Body: n.Body, Captured: true}, s)
		} else {
			s.status, s.from = 0, -1
		}
		return states
	case Test:
		return f.test(n, s)
	case Include:
		return f.includes(n, s)
	case Divert:
	}
	return []*state{s}
}

func (f *follower) starts(n *Node, s *state) []*state {
	look := f.lookup(s)
	e := Event{Node: n, To: s.out, Apart: f.apart > 0, Background: f.behind > 0 || n.Detached}
	for _, w := range n.Words {
		e.Words = append(e.Words, w(look))
	}
	if n.Feed != nil {
		e.Feed = n.Feed(look)
	}
	if n.Dir != nil {
		e.Dir = n.Dir(look)
	} else if d, ok := s.vars["\x00dir"]; ok {
		e.Dir = d
	}
	e.Env = map[string]string{}
	if !n.FullEnv {
		for name := range s.exported {
			e.Env[name] = look(name)
		}
	}
	for _, a := range n.Env {
		e.Env[a.Name] = a.Value(look)
	}
	s.add(e)
	s.status, s.from = -1, len(s.events)-1
	return []*state{s}
}

func (f *follower) ends(n *Node, s *state) {
	if n.Status != nil {
		s.from = -1
		s.status = -1
		text := n.Status(f.lookup(s))
		if v, err := strconv.Atoi(text); err == nil {
			s.status = v & 0xff
		}
	} else if s.from < -1 {
		s.status, s.from = -1, -1
	}
	s.explicit = true
	if n.Kind == Quit {
		s.done = true
		return
	}
	s.left = true
}

// split tells the states in which what ran last succeeded from those in which it
// failed. A status that is not known gives both, and remembers it of the Start.
func split(states []*state) (ok, failed []*state) {
	for _, s := range states {
		turned := s.from < -1
		index := s.from
		if turned {
			index = -s.from - 2
		}
		switch {
		case s.done || s.left:
			ok = append(ok, s) // passed on by the caller
		case s.status == 0:
			ok = append(ok, s)
		case s.status > 0:
			failed = append(failed, s)
		default:
			other := s.fork()
			if index >= 0 && index < len(s.events) {
				good, bad := s, other
				if turned {
					good, bad = other, s
				}
				good.events = slices.Clone(good.events)
				good.events[index].Outcome = True
				bad.events = slices.Clone(bad.events)
				bad.events[index].Outcome = False
			}
			if turned {
				s.status, s.from = 0, -1
				other.status, other.from = 1, -1
			} else {
				s.status, s.from = 0, -1
				// Its status is still that of the Start.
			}
			ok = append(ok, s)
			failed = append(failed, other)
		}
	}
	return ok, failed
}

func (f *follower) andOr(n *Node, s *state) []*state {
	ok, failed := split(f.list(n.Body, []*state{s}))
	on, rest := ok, failed
	if n.Kind == Or {
		on, rest = failed, ok
	}
	var out []*state
	for _, t := range on {
		if t.done || t.left {
			out = append(out, t)
			continue
		}
		depth := len(t.decided)
		after := f.list(n.Else, []*state{t})
		mark(after, depth)
		out = append(out, after...)
	}
	return append(out, rest...)
}

// mark notes of the latest decision that the way ended in what it led to.
func mark(states []*state, depth int) {
	for _, t := range states {
		if (t.done || t.left) && depth > 0 && depth <= len(t.decided) {
			t.decided = slices.Clone(t.decided)
			t.decided[depth-1].Quits = true
		}
	}
}

func (f *follower) test(n *Node, s *state) []*state {
	is := Maybe
	if n.Cond != nil {
		is = n.Cond(f.lookup(s))
	}
	s.from = -1
	switch is {
	case True:
		s.status = 0
	case False:
		s.status = 1
	default:
		s.status = -1
	}
	if is != Maybe && len(n.Vars) > 0 {
		s.decided = append(s.decided, Decision{Line: n.Line, Vars: n.Vars, Is: is})
	}
	return []*state{s}
}

func (f *follower) choice(n *Node, s *state) []*state {
	var out []*state
	open := []*state{s}
	for _, arm := range n.Arms {
		var next []*state
		for _, t := range open {
			yes, no := f.arm(arm, t)
			for _, y := range yes {
				depth := len(y.decided)
				after := f.list(arm.Body, []*state{y})
				mark(after, depth)
				out = append(out, after...)
			}
			next = append(next, no...)
		}
		open = trim(next)
	}
	for _, t := range open {
		if !t.done && !t.left {
			t.status, t.from = 0, -1
		}
	}
	return append(out, f.list(n.Else, open)...)
}

func (f *follower) arm(arm Arm, s *state) (yes, no []*state) {
	if arm.Cond == nil {
		for _, t := range f.list(arm.If, []*state{s}) {
			if t.done || t.left {
				no = append(no, t)
				continue
			}
			a, b := split([]*state{t})
			yes, no = append(yes, a...), append(no, b...)
		}
		return yes, no
	}
	is := arm.Cond(f.lookup(s))
	if is != Maybe && len(arm.Vars) > 0 {
		s.decided = append(s.decided, Decision{Line: arm.Line, Vars: arm.Vars, Is: is})
	}
	switch is {
	case True:
		return []*state{s}, nil
	case False:
		return nil, []*state{s}
	default:
		return []*state{s.fork()}, []*state{s}
	}
}

// isolated runs a process of its own: its exit is a status, its variables go.
func (f *follower) isolated(n *Node, s *state) []*state {
	f.apart++
	inner := s.fork()
	inner.out, inner.err = s.out, s.err
	if n.Captured {
		inner.out = Other
	}
	states := f.list(n.Body, []*state{inner})
	f.apart--
	for _, t := range states {
		t.done, t.left, t.explicit = false, false, false
		t.vars, t.exported = maps.Clone(s.vars), maps.Clone(s.exported)
	}
	return trim(states)
}

func (f *follower) pipe(n *Node, s *state) []*state {
	states := []*state{s}
	for i, stage := range n.Body {
		last := i == len(n.Body)-1
		var next []*state
		for _, t := range states {
			out := t.out
			if !last {
				t.out = Other
			}
			var after []*state
			if stage.Kind == Apart {
				after = f.node(stage, t)
			} else {
				after = f.isolated(&Node{Kind: Apart, Body: []*Node{stage}}, t)
			}
			for _, u := range after {
				u.out = out
				if !last && f.p.PipeFail {
					continue
				}
			}
			next = append(next, after...)
		}
		states = trim(next)
	}
	if f.p.PipeFail {
		for _, t := range states {
			t.status, t.from = -1, -1
		}
	}
	return states
}

func (f *follower) call(n *Node, s *state) []*state {
	body, ok := f.funcs[n.Name]
	if !ok || len(f.calls) >= maxCalls || slices.Contains(f.calls, n.Name) {
		s.status, s.from = -1, -1
		return []*state{s}
	}
	f.calls = append(f.calls, n.Name)
	states := f.list(body, []*state{s})
	f.calls = f.calls[:len(f.calls)-1]
	for _, t := range states {
		t.left = false
	}
	return states
}

func (f *follower) includes(n *Node, s *state) []*state {
	s.status, s.from = -1, -1
	if f.outside.Include == nil || f.include > 4 || len(n.Words) == 0 {
		return []*state{s}
	}
	inner, ok := f.outside.Include(n.Words[0](f.lookup(s)))
	if !ok {
		return []*state{s}
	}
	for name, body := range inner.Funcs {
		if _, has := f.funcs[name]; !has {
			f.funcs[name] = body
		}
	}
	f.include++
	states := f.list(inner.Body, []*state{s})
	f.include--
	for _, t := range states {
		t.left = false
	}
	return states
}
