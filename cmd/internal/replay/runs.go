package replay

import (
	"context"
	"slices"
	"time"

	"agentguard/checks"
	"agentguard/checks/evidence"
	"agentguard/hook/transcript"
)

// ReadRun is one run of a session as the evidence reads it.
type ReadRun struct {
	Session   string          `json:"session"`
	File      string          `json:"file"`
	Subagent  string          `json:"subagent,omitempty"`
	Turn      int             `json:"turn"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Time      *time.Time      `json:"time,omitempty"`
	CWD       string          `json:"cwd,omitempty"`
	Kind      string          `json:"kind"`
	Runner    string          `json:"runner"`
	Command   string          `json:"command"`
	Status    *int            `json:"status"` // the run's own exit status; null where it is not known
	Outcome   string          `json:"outcome"`
	Counts    evidence.Counts `json:"counts"`
	Line      string          `json:"line,omitempty"`
	Misread   bool            `json:"misread"` // the status and the outcome disagree
	// Text is the whole script, and Tail the end of what it printed.
	Text string `json:"text"`
	Tail string `json:"tail,omitempty"`
}

// Runs lists the runs of sessions.
type Runs struct {
	Judge *Judge // whose policy and world the runs are read with
	Emit  func(ReadRun)
}

func (r *Runs) step(context.Context, *Step) {}

// done reads the runs of a turn once it has ended: their output may have been
// read by a later call.
func (r *Runs) done(ctx context.Context, s *Step) {
	if s.Call != nil || s.Copy {
		return
	}
	ev := s.event()
	in := r.Judge.input(s, ev)
	verify := checks.VerifyOf(in.Policy.Verify)
	calls := map[string]*transcript.Call{}
	for i := range s.now.calls {
		c := &s.now.calls[i].Call
		if _, own := s.s.places[c.ID]; own && mayRun(c, verify) {
			calls[c.ID] = c
		}
	}
	if len(calls) == 0 {
		return
	}
	for _, run := range in.Assessment(ctx).Runs {
		if c := calls[run.ID]; c != nil && run.InTurn {
			r.Emit(s.readRun(run.Run, c, verify, in))
		}
	}
}

// mayRun tells a call that can have run something.
func mayRun(c *transcript.Call, verify evidence.Verify) bool {
	command := commandOf(c)
	return command == "" || len(evidence.Recognise(command, verify)) > 0
}

func (s *Step) readRun(run evidence.Run, c *transcript.Call, verify evidence.Verify, in *checks.Input) ReadRun {
	out := ReadRun{
		Session: s.File.Session, File: s.File.Path, Subagent: s.s.by[c.ID], Turn: s.Turn, ToolUseID: run.ID, CWD: slashes(s.s.places[c.ID].CWD),
		Kind: string(run.Kind), Runner: run.Runner, Command: clean(run.Command, maxSubject), Outcome: string(run.Outcome), Counts: run.Counts,
		Line: clean(run.Line, maxUser), Text: block(commandOf(c), maxCommand), Tail: tail(c.Output),
	}
	if s.File.Subagent {
		out.Subagent = in.Event.AgentID
	}
	if !c.Time.IsZero() {
		at := c.Time
		out.Time = &at
	}
	list := evidence.Recognise(commandOf(c), verify)
	same := slices.DeleteFunc(evidence.Endings(commandOf(c), list, evidence.Call{Output: c.Output, Failed: c.Failed, Background: c.Background}), func(evidence.Ending) bool {
		v := list[0]
		list = list[1:]
		return v.Command != run.Command
	})
	if len(same) == 1 && same[0].Status >= 0 {
		out.Status = &same[0].Status
		out.Misread = same[0].Status == 0 && run.Outcome == evidence.Failed || same[0].Status != 0 && run.Outcome == evidence.Passed
	}
	return out
}

// maxTail bounds the end of an output that a listing shows, in runes.
const maxTail = 600

func tail(output string) string {
	if len(output) > 4*maxTail {
		output = output[len(output)-4*maxTail:]
	}
	runes := []rune(block(output, 4*maxTail))
	return string(runes[max(0, len(runes)-maxTail):])
}
