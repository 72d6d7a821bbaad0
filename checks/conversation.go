package checks

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"agentguard/checks/evidence"
	"agentguard/hook/transcript"
)

// conversation is the session whose words and calls stand beside the ledger.
type conversation struct {
	world   *World
	session string
	path    string // of the session's file; empty where there is none
	ends    bool   // it is asked at the end of a turn, which fails open
	history transcript.History
}

// Bounds of what is read beside the session's own last turns.
const (
	maxSubagents     = 20      // whose conversations are read
	maxSubagentBytes = 8 << 20 // of the end of each
	maxSearch        = 64 << 20
)

// conversation returns that of the event. A question that is asked outside of any
// session gets that of the session which last ran something on this working
// tree, so that the answer is the one that its hooks would give.
func (in *Input) conversation(runs []evidence.Run, repo *evidence.Repo) conversation {
	c := conversation{world: &in.World, session: in.Event.SessionID, path: in.transcript(), ends: in.Event.Stop != nil && !in.World.DryRun}
	if c.path != "" || !in.World.DryRun || in.World.Past || in.World.History == nil {
		c.history = in.History()
		return c
	}
	for _, run := range slices.Backward(runs) {
		if run.Transcript != "" && (repo == nil || run.Root == repo.Root()) {
			c.session, c.path = run.Session, run.Transcript
			c.history, _ = in.World.History(c.path, false, transcript.Limits{}) //nolint:errcheck // a missing transcript is no error
			break
		}
	}
	return c
}

// Stands returns what tells of the ledger's runs whether their calls stand in a
// transcript: see evidence.Input.
func (in *Input) Stands(runs []evidence.Run, repo *evidence.Repo) func(evidence.Run) bool {
	return in.conversation(runs, repo).stands()
}

// transcript is the absolute path of the session's file; empty where the client
// keeps none.
func (in *Input) transcript() string {
	p := in.Event.TranscriptPath
	if p != "" && !filepath.IsAbs(p) {
		p = filepath.Join(in.Event.CWD, p)
	}
	return p
}

// subagent returns a function that reads the conversation of a subagent of the
// session, nil where none is kept.
func (c conversation) subagent() func(id string) []transcript.Turn {
	if c.path == "" || c.world.Subagent == nil || c.world.History == nil {
		return nil
	}
	left := maxSubagents
	return func(id string) []transcript.Turn {
		path := c.world.Subagent(c.path, id)
		if path == "" || left == 0 {
			return nil
		}
		left--
		h, err := c.world.History(path, true, transcript.Limits{Turns: 100, Bytes: maxSubagentBytes})
		if err != nil {
			return nil
		}
		return h.Turns
	}
}

// stands returns a function that tells whether the call of a record stands in the
// transcript of its session, or of its subagent. Where that file is not kept, or
// is too long to be searched to its start, nothing speaks against the record. What
// stands in its place and cannot be read does at a gate; at the end of a turn it
// lets go.
func (c conversation) stands() func(evidence.Run) bool {
	finder := transcript.Finder{Left: maxSearch}
	return func(run evidence.Run) bool {
		path := run.Transcript
		if run.Session == c.session && c.path != "" {
			if c.history.HasCall[run.ID] {
				return true
			}
			path = c.path
		}
		if run.ID == "" || path == "" {
			return true // a run of our own, or a client that keeps no transcript
		}
		if run.Agent != "" && c.world.Subagent != nil {
			if own := c.world.Subagent(path, run.Agent); own != "" {
				if found, _, err := finder.Find(own, run.ID); err == nil && found {
					return true
				}
			}
		}
		found, sure, err := finder.Find(path, run.ID)
		return found || errors.Is(err, fs.ErrNotExist) || err == nil && !sure || err != nil && c.ends
	}
}
