package outline

import (
	"maps"
	"slices"
)

type state struct {
	events   []Event
	vars     map[string]string
	exported map[string]bool
	status   int
	from     int
	line     int
	done     bool // the program ended
	left     bool // the function or loop is left
	explicit bool
	out, err Stream
	decided  []Decision
	top      int
}

func (s *state) fork() *state {
	c := *s
	c.events = slices.Clip(s.events)
	c.decided = slices.Clip(s.decided)
	c.vars = maps.Clone(s.vars)
	c.exported = maps.Clone(s.exported)
	return &c
}

// trim keeps the number of ways in bounds: of ways that did the same one is
// kept, then the first.
func trim(states []*state) []*state {
	if len(states) <= maxWays {
		return states
	}
	seen := make(map[uint64]bool, len(states))
	out := states[:0:0]
	running, ended := 0, 0
	for _, s := range states {
		count := &running
		if s.done || s.left {
			count = &ended
		}
		if key := s.key(); !seen[key] && *count < maxWays {
			seen[key] = true
			*count++
			out = append(out, s)
		}
	}
	return out
}

// key sums up what a way did; variables do not count.
func (s *state) key() uint64 {
	h := uint64(14695981039346656037)
	add := func(n int) { h = (h ^ uint64(n)) * 1099511628211 }
	add(s.status)
	add(s.from)
	add(len(s.events))
	if s.done || s.left {
		add(s.line)
	}
	for _, e := range s.events {
		add(e.Node.Line<<8 | int(e.Node.Kind)<<2 | int(e.Outcome))
	}
	return h
}

func (s *state) add(e Event) {
	if len(s.events) < maxEvents {
		s.events = append(s.events, e)
	}
}
