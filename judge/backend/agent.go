package backend

import (
	"fmt"

	"agentguard/judge"
)

// Agent lets a client look around before it answers: it may read in one folder
// and nothing else.
type Agent struct {
	Dir   string // absolute, existing; empty for a judge that only reads its prompt
	Turns int    // at most; zero means 10, more than MaxTurns is MaxTurns
}

// MaxTurns bounds what an agent may cost.
const MaxTurns = 50

const (
	judgeTurns = 3 // the answer, and what the client adds when its shape is wrong
	agentTurns = 10
)

// NewAgent builds a backend of type claude or codex whose client may read in
// a.Dir. It has no hooks and no session file either; its deadline is the
// context's. Codex has no turn limit: there the deadline alone ends it.
func NewAgent(c Config, h Host, a Agent) (judge.Backend, error) {
	if a.Dir == "" {
		return nil, fmt.Errorf("%w %q: an agent needs a folder to read in", ErrConfig, c.Name)
	}
	b, err := New(c, h)
	if err != nil {
		return nil, err
	}
	switch b := b.(type) {
	case claude:
		b.agent = a
		return b, nil
	case codex:
		b.agent = a
		return b, nil
	default:
		return nil, fmt.Errorf("%w %q: only claude and codex can be agents", ErrConfig, c.Name)
	}
}

// tools are the client's built-in ones that only read.
func (a Agent) tools() string {
	if a.Dir == "" {
		return ""
	}
	return "Read,Grep,Glob"
}

func (a Agent) turns() int {
	switch {
	case a.Dir == "":
		return judgeTurns
	case a.Turns <= 0:
		return agentTurns
	default:
		return min(a.Turns, MaxTurns)
	}
}
