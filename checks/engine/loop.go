package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"agentguard/hook"
	"agentguard/settings/policy"
)

// Turn is what a session remembers of the turn it is in, so that nobody is sent
// on working twice for the same thing. The client's own flag is one bit and its
// counter starts again after each tool call; this one does not.
type Turn struct {
	Prompt  string   `json:"prompt"`
	Blocks  int      `json:"blocks"`
	Matters []string `json:"matters"`           // refused in this turn already, as "check: matter"
	Message string   `json:"message,omitempty"` // hash of the last refused closing message
	Calls   int      `json:"calls"`             // tool calls seen when it was refused
}

// Stopping is what loop control must know of the event.
type Stopping struct {
	Event     hook.Event
	Message   string // the closing message
	Calls     int    // tool calls of the turn so far
	MaxBlocks int
}

// Limit lets go of refusals that would only repeat themselves, and returns what
// the turn remembers from now on. It acts on Stop-like events alone: a tool gate
// refuses every time.
//
// A stop that follows an earlier continuation is let go by default. With a higher
// max_blocks, at most that many refusals go out for one turn, none for a matter
// that was refused before, and none when the same message comes back with nothing
// done in between.
func (r *Result) Limit(turn Turn, s Stopping) Turn {
	if !s.Event.Name.IsStop() {
		return turn
	}
	if turn.Prompt != s.Event.PromptID {
		turn = Turn{Prompt: s.Event.PromptID}
	}
	sum := sha256.Sum256([]byte(s.Message))
	message := hex.EncodeToString(sum[:8])
	active := s.Event.Stop != nil && s.Event.Stop.HookActive
	if !active {
		// A new stop of the same prompt that follows no continuation is a new round
		// of work (a finished background task, say); what was refused stays refused.
		turn.Message = ""
	}
	blocked := false
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Mode != policy.Enforce || !f.Check.Guard || f.Finding.Decision < hook.Ask {
			continue
		}
		matter := f.Check.ID + ": " + firstOf(f.Finding.Matter, f.Finding.Rule)
		switch {
		case active && s.MaxBlocks <= 1:
			f.LetGo = "the turn was sent on working already"
		case turn.Blocks >= s.MaxBlocks:
			f.LetGo = fmt.Sprintf("the turn was refused %d times already", turn.Blocks)
		case slices.Contains(turn.Matters, matter):
			f.LetGo = "the turn was refused for this already"
		case active && turn.Message == message && turn.Calls == s.Calls:
			f.LetGo = "the same message came back with nothing done in between"
		default:
			blocked = true
			turn.Matters = append(turn.Matters, matter)
			continue
		}
		f.Finding.Notices = append(f.Finding.Notices, fmt.Sprintf("agentguard: still open (%s): %s", f.Check.ID, f.Finding.Reason))
	}
	if blocked {
		turn.Blocks++
		turn.Message, turn.Calls = message, s.Calls
	}
	return turn
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
