package outline

import (
	"maps"
)

// Bounds of Follow. What lies beyond is not looked at.
const (
	maxWays   = 64    // ways that go on at the same time, and as many that ended
	maxEvents = 120   // events of one way
	maxSteps  = 20000 // nodes walked, over all ways
	maxCalls  = 16    // functions inside each other
	maxValue  = 4096  // bytes of one value; a longer one counts as unknown
	maxVars   = 100   // variables that a way remembers
)

// Event is something that a way did.
type Event struct {
	Node *Node
	// To is where its output went: Stdout, Stderr or Other.
	To   Stream
	Text string
	// Words are a Start's program and arguments, Feed its stdin where known.
	Words []string
	Feed  string
	Env   map[string]string
	Dir   string
	// Apart is set inside a process of its own, Background where nobody waits.
	Apart, Background bool
	// Outcome is what the way assumes about a Start: True that it succeeded,
	// False that it failed.
	Outcome Tri
}

// Way is one run through a program.
type Way struct {
	Events []Event
	// Status is the exit status, -1 when it is not known. From is the index of the
	// Start in Events whose status it is, or -1.
	Status, From int
	// Line is that of the exit, or of the last step; Explicit tells the two apart.
	Line     int
	Explicit bool
	// Top is the farthest line that the way reached outside functions.
	Top int
	// Decided lists the conditions that variables alone decided.
	Decided []Decision
}

// Decision is a condition whose truth the variables told.
type Decision struct {
	Line int
	Vars []string
	Is   Tri
	// Quits is set when the way ended inside what the condition led to.
	Quits bool
}

// Outside answers for what is around a program.
type Outside struct {
	// Var returns the value of a variable that the program did not set itself:
	// "" for none, Unknown for what cannot be told. Nil means that all are unknown.
	Var func(name string) string
	// Include returns the text of a file that is run in place, as a program. Nil or
	// false means that it is not known.
	Include func(name string) (*Program, bool)
	// Flags are the shell's, what $- holds.
	Flags string
}

type follower struct {
	p       *Program
	outside Outside
	steps   int
	calls   []string
	funcs   map[string][]*Node
	apart   int
	behind  int // inside a background job
	include int
}

// Follow walks every way through the program, up to a bound.
func (p *Program) Follow(outside Outside) []Way {
	f := &follower{p: p, outside: outside, funcs: maps.Clone(p.Funcs)}
	if f.funcs == nil {
		f.funcs = map[string][]*Node{}
	}
	first := &state{vars: map[string]string{}, exported: map[string]bool{}, from: -1, out: Stdout, err: Stderr}
	var out []Way
	for _, s := range f.list(p.Body, []*state{first}) {
		out = append(out, Way{
			Events: s.events, Status: s.status, From: s.from, Line: s.line, Explicit: s.explicit && s.done, Decided: s.decided, Top: s.top,
		})
	}
	return out
}

func (f *follower) lookup(s *state) Lookup {
	return func(name string) string {
		if v, ok := s.vars[name]; ok {
			return v
		}
		if name == "-" {
			return f.outside.Flags
		}
		if f.outside.Var == nil {
			return Unknown
		}
		return f.outside.Var(name)
	}
}

func (f *follower) list(nodes []*Node, states []*state) []*state {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		var next []*state
		for _, s := range states {
			if s.done || s.left {
				next = append(next, s)
				continue
			}
			next = append(next, f.node(n, s)...)
		}
		states = trim(next)
	}
	return states
}
