package replay

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/hook/transcript"
)

// memory is what is kept of a session before the event at hand: two whole turns,
// as much as the hook reads, and of all earlier ones the calls that a standing may
// rest on. The hook has its ledger for those.
type memory struct {
	off    bool // nothing is kept: only single calls are looked at
	verify evidence.Verify
	count  int    // calls so far
	last   []turn // whole, the older first
	kept   [3][]numbered
	ids    map[string]bool // of the calls in all of it
	// commit is how the last commit stood, committed the call that made it; unseen
	// is the last call that launched a subagent without a transcript.
	committed, unseen int
	commit            *evidence.Finding
}

// numbered is a call with its place in the session, counted from 1.
type numbered struct {
	n int
	transcript.Call
}

// turn is a turn in the making, subagents' calls included.
type turn struct {
	user  string
	calls []numbered
	texts []transcript.Text
}

// What is kept of calls in earlier turns: so many of each class, and so much of
// an output's head and tail; where that reads as another outcome, more of it. One
// change after a run is enough to make it stale, so it does not matter which
// changes are forgotten first.
const (
	maxKept  = 40
	maxFront = 1 << 10
	maxBack  = 3 << 10
	more     = 4
)

// The classes of calls that are kept.
const (
	aRun    = iota // what verifies
	aChange        // what may change files
	aLook          // what may show a run's output
	noClass
)

// add counts a call into the turn that is being read, unless a copy of it in
// another file was counted already.
func (m *memory) add(t *turn, c transcript.Call) {
	if m.ids[c.ID] {
		return
	}
	m.count++
	t.calls = append(t.calls, numbered{m.count, c})
	if c.ID != "" {
		if m.ids == nil {
			m.ids = map[string]bool{}
		}
		m.ids[c.ID] = true
	}
}

// end puts a turn away and thins the oldest one.
func (m *memory) end(t turn) {
	if m.off {
		return
	}
	m.last = append(m.last, t)
	if len(m.last) <= 2 {
		return
	}
	for _, c := range m.last[0].calls {
		class := classOf(c.Call, m.verify)
		if class == noClass {
			continue
		}
		c.Call = thin(c.Call)
		m.kept[class] = append(m.kept[class], c)
		if len(m.kept[class]) > maxKept {
			m.kept[class] = slices.Delete(m.kept[class], 0, 1)
		}
	}
	m.last = slices.Delete(m.last, 0, 1)
}

// classOf tells what a call may mean for a standing.
func classOf(c transcript.Call, verify evidence.Verify) int {
	switch c.Tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch":
		return aChange
	case "BashOutput", "TaskOutput", "Task", "Agent":
		return aRun
	case "Read":
		return aLook
	case "Bash", "PowerShell", "Shell", "Monitor":
	default:
		if strings.HasPrefix(c.Tool, "mcp__") {
			return aRun
		}
		return noClass
	}
	var input struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(c.Input, &input) != nil {
		return noClass
	}
	if len(evidence.Recognise(input.Command, verify)) > 0 {
		return aRun
	}
	if changes(shell.Analyze(input.Command, shell.Env{Dir: "/"})) {
		return aChange
	}
	return aLook
}

// changes tells a script that may change files, or what is staged.
func changes(s shell.Script) bool {
	if s.Fallback != "" {
		return true
	}
	if slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Op != shell.Read && e.Op != shell.MakeDir && e.Op != shell.Mode }) {
		return true
	}
	return slices.ContainsFunc(s.Commands, func(c shell.Command) bool {
		g, ok := shell.ParseGit(c)
		return ok && slices.Contains([]string{"add", "stage", "checkout", "switch", "restore", "reset", "stash", "merge", "pull", "rebase", "cherry-pick", "revert", "am", "apply", "mv", "rm"}, g.Sub)
	})
}

// thin drops from a call what no standing asks for: the text of an edit and the
// middle of an output.
func thin(c transcript.Call) transcript.Call {
	if short := ends(c.Output, maxFront, maxBack); short != c.Output {
		full := runsOf(c)
		if c.Output = ends(c.Output, more*maxFront, more*maxBack); slices.Equal(full, runsOf(transcript.Call{Tool: c.Tool, Input: c.Input, Output: short, Failed: c.Failed, Background: c.Background})) {
			c.Output = short
		}
	}
	if len(c.Input) <= maxBack || c.Tool == "apply_patch" {
		return c
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(c.Input, &fields) != nil {
		return c
	}
	for name := range fields {
		switch name {
		case "file_path", "notebook_path", "path", "filePath", "command":
		default:
			delete(fields, name)
		}
	}
	if b, err := json.Marshal(fields); err == nil {
		c.Input = b
	}
	return c
}

// ends is a text without its middle.
func ends(text string, front, back int) string {
	if len(text) <= front+back {
		return text
	}
	return text[:front] + "\n…\n" + text[len(text)-back:]
}

// runsOf tells how the runs of one call are read.
func runsOf(c transcript.Call) []evidence.Outcome {
	var out []evidence.Outcome
	for _, r := range evidence.Assess(context.Background(), evidence.Input{Turns: []transcript.Turn{{Calls: []transcript.Call{c}}}}).Runs {
		out = append(out, r.Outcome)
	}
	return out
}

// flat lists the calls that are known before the event at hand, in their order.
func (m *memory) flat(now turn) []numbered {
	all := slices.Concat(m.kept[:]...)
	slices.SortFunc(all, func(a, b numbered) int { return a.n - b.n })
	for _, t := range m.last {
		all = append(all, t.calls...)
	}
	return append(all, now.calls...)
}

// after lists the calls behind the n-th, to see what they changed: without what
// they printed, but for the words of a call that never ran.
func (m *memory) after(now turn, n int) []transcript.Call {
	var calls []transcript.Call
	for _, c := range m.flat(now) {
		if c.n <= n {
			continue
		}
		if !c.Failed {
			c.Output = ""
		}
		c.Output = c.Output[:min(len(c.Output), maxFront)]
		calls = append(calls, c.Call)
	}
	return calls
}

// history is the conversation as the checks read it: the thinned turns as one,
// the two before, and the one that is going on.
func (m *memory) history(now turn, complete bool) transcript.History {
	old := slices.Concat(m.kept[:]...)
	slices.SortFunc(old, func(a, b numbered) int { return a.n - b.n })
	h := transcript.History{Complete: complete, HasCall: map[string]bool{}}
	if len(old) > 0 {
		h.Turns = append(h.Turns, turn{calls: old}.plain())
	}
	for _, t := range m.last {
		h.Turns = append(h.Turns, t.plain())
	}
	h.Turns = append(h.Turns, now.plain())
	for _, t := range h.Turns {
		for _, c := range t.Calls {
			h.HasCall[c.ID] = true
		}
	}
	return h
}

func (t turn) plain() transcript.Turn {
	out := transcript.Turn{User: t.user, Texts: t.texts, Calls: make([]transcript.Call, len(t.calls))}
	for i, c := range t.calls {
		out.Calls[i] = c.Call
	}
	return out
}
