package evidence

import (
	"maps"
	"slices"
)

// step is one simple command of a shell text, with what becomes of its exit
// status.
type step struct {
	words []string
	env   []string // the assignments that reach it; of one name the last counts
	dir   string   // its folder, as far as the text says: see joinFolder
	world bool     // it runs in a container or on another machine
	// writes are the files that its output goes to.
	writes []string

	// masked tells that the text can end with success although this command
	// failed.
	masked bool
	// maybe tells that it is reached only under a condition, so that a good end
	// of the text does not show that it ran; never, that nothing reaches it.
	maybe, never bool
	// piped names the command that reads its output; its status is lost then,
	// unless pipefail is on.
	piped      string
	background bool
	quiet      bool // its output goes to a file or nowhere
	// status tells that the text prints $? or PIPESTATUS afterwards, so that the
	// output says how it ended.
	status bool
	// saved is the variable that took its status.
	saved string
	// joint tells that the status that was printed or saved is that of several
	// commands: any of them may have failed.
	joint bool
	// last tells the last command of the text: a failure of the whole is its own
	// unless the output says otherwise.
	last bool
	// passed are the steps that have succeeded wherever this one is reached.
	passed set
	// broken are the steps that have failed wherever this one is reached.
	broken set
}

// Bounds of the work on a text. One with more commands, or whose functions call
// each other more often, has no known runs; more variables are not kept.
const (
	maxCommands = 2000
	maxWork     = 20_000
	maxNames    = 256
)

// flow reads a shell text into its simple commands, in the order in which they
// run. It knows lists, pipes, groups, loops, conditions, functions, "set" and
// nested shells; what it cannot read it leaves out.
func flow(src string) []step {
	if len(src) > maxFlow {
		return nil
	}
	var t trace
	p := flowParser{toks: tokenize(src), trace: &t, exits: newEnds(), shell: newShell()}
	good, _ := p.list(nil, way{})
	good = meet(good, p.exits.good)
	if t.tooMany {
		return nil
	}
	for i := range t.steps {
		st := &t.steps[i]
		st.masked = good.dead || t.trapped || !good.done.has(i)
		st.last = i == len(t.steps)-1
	}
	return t.steps
}

// trace is what was read of a text so far; nested shells share it.
type trace struct {
	steps   []step
	work    int
	tooMany bool
	trapped bool // a trap may change the status with which the text ends
	// status are the steps that succeeded if $? is 0 now; pipe those of the last
	// pipeline if all of PIPESTATUS is.
	status, pipe set
	// captured are the steps whose output a variable holds.
	captured map[string]span
}

// way is how the flow of a text gets somewhere: the steps that have succeeded on it
// for certain. Nothing goes a dead one.
type way struct {
	done set
	// failed are those that have failed.
	failed set
	dead   bool
}

var deadEnd = way{dead: true}

// meet joins two ways: what is certain on both stays certain.
func meet(a, b way) way {
	switch {
	case a.dead:
		return b
	case b.dead:
		return a
	}
	return way{done: a.done.and(b.done), failed: a.failed.and(b.failed)}
}

// ends are the ways that leave a shell, a function or a loop early.
type ends struct{ good, bad way }

func newEnds() *ends { return &ends{deadEnd, deadEnd} }

// span is the range of steps that one construct added.
type span struct{ from, to int }

// shellState is what a subshell inherits and does not give back.
type shellState struct {
	errexit, pipefail bool
	noexec            bool   // nothing more is run
	world             bool   // it is one in a container or on another machine
	home              string // where that was started from here
	dir, previous     string
	env               []string
	vars              map[string]string // as far as their values stand in the text
	statuses          map[string]set    // of variables that took $?
	functions         map[string][]token
}

func newShell() shellState {
	return shellState{dir: here, vars: map[string]string{}, statuses: map[string]set{}, functions: map[string][]token{}}
}

func (s shellState) clone() shellState {
	s.env = slices.Clip(s.env)
	s.vars, s.statuses, s.functions = maps.Clone(s.vars), maps.Clone(s.statuses), maps.Clone(s.functions)
	return s
}
