package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/judge/redact"
	"agentguard/settings/policy"
)

// Finding is what today's checks say of one step of a session. Texts are redacted.
type Finding struct {
	Session   string         `json:"session"`
	File      string         `json:"file"`
	Subagent  string         `json:"subagent,omitempty"`
	Turn      int            `json:"turn"`
	Event     hook.EventName `json:"event"`
	Check     string         `json:"check"`
	Rule      string         `json:"rule,omitempty"`
	Decision  hook.Decision  `json:"decision"`
	Mode      string         `json:"mode"`
	Enforced  bool           `json:"enforced"`
	Open      bool           `json:"open"` // what is not known any more might have let it go
	Subject   string         `json:"subject,omitempty"`
	Reason    string         `json:"reason"`
	Standing  string         `json:"standing,omitempty"`
	Time      *time.Time     `json:"time,omitempty"`
	ToolUseID string         `json:"tool_use_id,omitempty"`
	CWD       string         `json:"cwd,omitempty"`
	Project   string         `json:"project,omitempty"`
}

// Gates counts what the commit and push gates said, by the conversation alone.
type Gates struct {
	Supported int            `json:"supported"`
	Refused   int            `json:"refused"`
	Unknown   int            `json:"unknown"`
	By        map[string]int `json:"by_standing"`
}

// Add adds up.
func (g *Gates) Add(o Gates) {
	g.Supported += o.Supported
	g.Refused += o.Refused
	g.Unknown += o.Unknown
	for standing, n := range o.By {
		if g.By == nil {
			g.By = map[string]int{}
		}
		g.By[standing] += n
	}
}

// Judge runs checks over the steps of sessions.
type Judge struct {
	World  checks.World
	Checks []checks.Check
	// Policy holds in a session's project, Elsewhere in those of other projects:
	// how they are verified is not known.
	Policy, Elsewhere *policy.Effective
	// Here is the folder whose own policy Policy is; empty where that holds
	// everywhere.
	Here string
	// Events limits what is judged; empty means all.
	Events []hook.EventName
	Clock  func() time.Time

	// Emit is given each finding; its detail can be asked for until Emit returns.
	Emit func(Finding, func() Detail)

	taken Taken
}

// Taken is what a judge counted beside its findings.
type Taken struct {
	Gates  Gates
	Broken map[string]int // checks that failed, by id
}

// Take returns what was counted since the last call.
func (j *Judge) Take() Taken {
	t := j.taken
	j.taken = Taken{}
	return t
}

// policyOf returns the policy of a session, and whether its project is Here.
func (j *Judge) policyOf(f *File) (*policy.Effective, bool) {
	if j.Here != "" && (below(f.Project, j.Here) || f.Project != "" && below(j.Here, f.Project)) {
		return j.Policy, true
	}
	return j.Elsewhere, false
}

// step judges a call before it runs, or a closing message.
func (j *Judge) step(ctx context.Context, s *Step) {
	ev := s.event()
	if len(j.Events) > 0 && !slices.Contains(j.Events, ev.Name) {
		return
	}
	in := j.input(s, ev)
	var expected *evidence.Finding
	in.World.Then.Committed = func(f evidence.Finding) { expected = &f }
	result := engine.Run(ctx, in, j.Checks, j.Clock)
	if ctx.Err() != nil {
		return // checks that were broken off count as failed, which is no finding about the past
	}
	s.s.expected = expected
	if s.Copy {
		return
	}
	broken := map[string]bool{}
	for _, f := range result.Failures {
		broken[f.Check] = true
		if j.taken.Broken == nil {
			j.taken.Broken = map[string]int{}
		}
		j.taken.Broken[f.Check]++
	}
	for _, f := range result.Findings {
		if broken[f.Check.ID] {
			continue
		}
		if f.Check.ID == "unverified-commit" {
			j.gate(f.Finding)
		}
		if f.Finding.Decision < hook.Ask {
			continue
		}
		out := s.finding(in, f)
		out.Open = s.Call != nil && j.open(ctx, s, ev, f)
		j.Emit(out, func() Detail { return s.detail(ctx, in) })
	}
}

// open tells a finding about a call that is not made where the repository and the
// disk, of which nothing is known, answer for the best, or that asks because a file
// could not be read.
func (j *Judge) open(ctx context.Context, s *Step, ev hook.Event, f engine.Found) bool {
	in := j.input(s, ev)
	unread := false
	in.World.Then.Best = true
	// A removal of what is not there would be none at all.
	in.World.Then.Missing = f.Check.ID != "dangerous-command"
	in.World.Then.Unread = func(string) { unread = true }
	again := engine.Run(ctx, in, []checks.Check{f.Check}, j.Clock)
	if len(again.Failures) > 0 || len(again.Findings) == 0 {
		return false
	}
	best := again.Findings[0].Finding.Decision
	return best < hook.Ask || unread && best == hook.Ask
}

// gate counts one look of the gates at what was handed on.
func (j *Judge) gate(f checks.Finding) {
	if f.Standing == "" {
		return
	}
	one := Gates{By: map[string]int{f.Standing: 1}}
	switch {
	case f.Decision >= hook.Ask:
		one.Refused = 1
	case f.Standing == string(evidence.Supported):
		one.Supported = 1
	default:
		one.Unknown = 1
	}
	j.taken.Gates.Add(one)
}

// done notes the commit that a call made.
func (j *Judge) done(_ context.Context, s *Step) {
	c := s.Call
	if c == nil || s.s.expected == nil {
		return
	}
	if !c.Failed && !c.Pending && !c.Background {
		s.s.memory.commit, s.s.memory.committed = s.s.expected, s.s.memory.count
	}
	s.s.expected = nil
}

// event is the step as the client would have sent it.
func (s *Step) event() hook.Event {
	f := s.File
	ev := hook.Event{
		Client: "claude", Name: hook.PreToolUse, SessionID: f.Session, TranscriptPath: f.Path, PermissionMode: s.At.Mode,
		CWD: cmp.Or(s.At.CWD, f.Project, nowhere), ProjectDir: cmp.Or(f.Project, nowhere),
	}
	if s.Subagent() {
		ev.AgentID = cmp.Or(s.Agent, f.Agent, "unknown")
	}
	if s.Call != nil {
		ev.Tool = &hook.Tool{Name: s.Call.Tool, UseID: s.Call.ID, Input: s.Call.Input}
		return ev
	}
	ev.Name, ev.Stop = hook.Stop, &hook.End{LastMessage: s.Message}
	if f.Subagent {
		ev.Name, ev.AgentTranscriptPath = hook.SubagentStop, f.Path
	}
	return ev
}

// nowhere stands for the folder of a session that names none.
const nowhere = "/past"

// input is the step with the world as the session tells it.
func (j *Judge) input(s *Step, ev hook.Event) *checks.Input {
	w := j.World
	f := s.File
	p, here := j.policyOf(f)
	w.DryRun, w.Past = true, true
	home := cmp.Or(f.Home, noHome)
	if home != w.Home {
		w.Config, w.State, w.Temp = path.Join(home, ".config"), path.Join(home, ".local", "state"), nil
		switch {
		case f.Windows:
			w.GOOS, w.Temp = "windows", []string{path.Join(home, "AppData", "Local", "Temp")}
		case strings.HasPrefix(home, "/Users/"):
			w.GOOS = "darwin"
		default:
			w.GOOS = "linux"
		}
	}
	w.Home = home
	w.Getenv = func(name string) (string, bool) {
		if name == "USER" || name == "LOGNAME" {
			return path.Base(home), home != noHome
		}
		return "", false
	}
	w.History = func(string, bool, transcript.Limits) (transcript.History, error) { return s.History(), nil }
	m := &s.s.memory
	w.Then = checks.Then{
		Root: s.s.root(ev.CWD), Branch: s.At.Branch, NoRepo: s.At.HasBranch && s.At.Branch == "", AnyRun: !here && p.Verify.Empty(), Whole: f.whole, Commit: m.commit,
		Since:     func() []transcript.Call { return m.after(s.now, m.committed) },
		Unseen:    func() ([]transcript.Call, bool) { return m.after(s.now, m.unseen), m.unseen > 0 },
		Committed: func(evidence.Finding) {},
		File:      s.file,
	}
	if here {
		w.Then.Here = j.Here
	}
	return &checks.Input{Event: ev, Policy: p, World: w}
}

// finding writes down what a check found.
func (s *Step) finding(in *checks.Input, f engine.Found) Finding {
	out := Finding{
		Session: s.File.Session, File: s.File.Path, Turn: s.Turn, Event: in.Event.Name, Check: f.Check.ID, Rule: f.Finding.Rule,
		Decision: f.Finding.Decision, Mode: f.Mode.String(), Enforced: f.Mode == policy.Enforce, Reason: clean(f.Finding.Reason, 0),
		Subagent: in.Event.AgentID, Standing: f.Finding.Standing, CWD: in.Event.CWD, Project: in.Event.ProjectDir,
	}
	subject := f.Finding.Subject
	if s.Call != nil {
		out.ToolUseID = s.Call.ID
		if subject == s.Call.Tool {
			subject = ""
		}
		subject = cmp.Or(commandOf(s.Call), subject, pathOf(s.Call))
	}
	out.Subject = clean(subject, maxSubject)
	if !s.At.Time.IsZero() {
		at := s.At.Time
		out.Time = &at
	}
	return out
}

// maxSubject bounds a subject in runes; the detail of a finding has the whole.
const maxSubject = 160

// clean writes a text on one line, without secrets, and at most so many runes
// long; 0 means any length.
func clean(text string, most int) string {
	text, _ = redact.Text(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); most > 0 && len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// pathOf is the file that a tool's call is about; empty for a shell.
func pathOf(c *transcript.Call) string {
	var input struct {
		Path     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
	}
	if json.Unmarshal(c.Input, &input) != nil {
		return ""
	}
	return cmp.Or(input.Path, input.Notebook)
}

// commandOf is the script of a shell's call; empty for other tools.
func commandOf(c *transcript.Call) string {
	var input struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(c.Input, &input) != nil {
		return ""
	}
	return input.Command
}
