package replay

import (
	"bytes"
	"context"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"agentguard/checks/evidence"
	"agentguard/hook/claude"
	"agentguard/hook/transcript"
)

// Step is one moment of a session at which a hook would have been called.
type Step struct {
	File    *File
	Turn    int // counted from 1
	At      claude.Place
	Agent   string           // id of the subagent whose step it is; "" is the session's own
	Call    *transcript.Call // the tool call; nil at the end of a turn
	Message string           // the closing message, at the end of a turn
	// Copy tells a step that another file held already: a resumed session may
	// repeat an older one.
	Copy bool

	s   *session
	now turn
}

// History is the conversation before the step.
func (s *Step) History() transcript.History { return s.s.memory.history(s.now, s.s.file.whole) }

// Subagent tells a step of a subagent.
func (s *Step) Subagent() bool { return s.Agent != "" || s.File.Subagent }

// visitor is what is done with the steps of sessions.
type visitor interface {
	// step sees each call before it runs, and each closing message.
	step(ctx context.Context, s *Step)
	// done sees each call with its result, and each end of a turn.
	done(ctx context.Context, s *Step)
}

// session is one file that is being read.
type session struct {
	file   *File
	memory memory
	others *others
	seen   *seen
	agents map[string]bool // subagents whose own files are read

	places   map[string]claude.Place // of the turn's calls, by id
	by       map[string]string       // the subagent that made a call
	shown    map[string]bool         // calls whose subagent's work the file shows
	launched map[string]string       // the subagent that a call launched
	before   map[string]held         // what the file held that a call wrote
	held     int                     // bytes of it
	prompt   claude.Place            // of the turn that is being read
	next     claude.Place            // of the prompt that ended it
	said     claude.Place            // of the last text
	closed   bool                    // nothing came after the last text
	begun    bool
	folders  []string // where the session stood so far
	number   int
	expected *evidence.Finding // how the commit stands that the call at hand makes
}

// held is a file's content.
type held struct {
	content string
	exists  bool
}

// maxHeld bounds what files held, of one turn, in bytes.
const maxHeld = 8 << 20

// seen remembers what was met in earlier files.
type seen struct {
	seed maphash.Seed
	ids  map[uint64]struct{}
}

func newSeen() *seen { return &seen{maphash.MakeSeed(), map[uint64]struct{}{}} }

// first tells that none of the same id came before; without an id all are new.
func (s *seen) first(id string) bool {
	if id == "" {
		return true
	}
	h := maphash.String(s.seed, id)
	_, known := s.ids[h]
	s.ids[h] = struct{}{}
	return !known
}

// read goes through the file from its start.
func (s *session) read(ctx context.Context, count func(int), v visitor) error {
	f, err := os.Open(s.file.Path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	s.places, s.by = map[string]claude.Place{}, map[string]string{}
	s.shown, s.launched, s.before = map[string]bool{}, map[string]string{}, map[string]held{}
	return transcript.Turns(counting{f, count}, transcript.Limits{}, s.line, func(t transcript.Turn, _ int64) bool {
		s.turn(ctx, t, v)
		return ctx.Err() == nil
	})
}

// counting tells how much was read.
type counting struct {
	r     io.Reader
	count func(int)
}

// Read reads and counts.
func (c counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.count(n)
	return n, err
}

// line translates one line. The work of a subagent that the session's own file
// repeats becomes calls of the turn, without its words.
func (s *session) line(line []byte) (transcript.Entry, bool) {
	client := claude.Client{}
	if inner, agent, by, ok := claude.Embedded(line); ok {
		s.shown[by] = true
		if s.agents[agent] {
			return transcript.Entry{}, false
		}
		e, _ := client.Line(inner, true)
		p, _ := claude.LinePlace(line)
		p.Agent = agent
		return s.subagents(e, p)
	}
	e, ok := client.Line(line, true)
	if !ok {
		if bytes.Contains(line, []byte("[Request interrupted by user")) {
			s.closed = false // a turn that the user broke off has no closing message
		}
		return e, false
	}
	p, _ := claude.LinePlace(line)
	if p.Sidechain && !s.file.Subagent {
		if p.Agent == "" {
			p.Agent = "sidechain"
		}
		return s.subagents(e, p)
	}
	s.file.place(p.CWD)
	if e.Prompt {
		if !s.begun {
			s.prompt, s.begun = p, true
		}
		s.next = p
	}
	s.note(e, p)
	switch {
	case len(e.Calls) > 0:
		s.closed = false
	case len(e.Texts) > 0:
		s.said, s.closed = p, true
	}
	return e, true
}

func (s *session) note(e transcript.Entry, p claude.Place) {
	for i := range e.Calls {
		s.places[e.Calls[i].ID] = p
		if s.file.Windows {
			e.Calls[i].Input = slashInput(e.Calls[i].Input)
		}
	}
	for _, r := range e.Results {
		if p.Launched != "" {
			s.launched[r.ID] = p.Launched
		}
		if s.held += len(p.Before); p.Wrote != "" && s.held <= maxHeld {
			s.before[r.ID] = held{p.Before, p.Existed}
		}
	}
}

// subagents keeps of a subagent's line what it did.
func (s *session) subagents(e transcript.Entry, p claude.Place) (transcript.Entry, bool) {
	s.note(e, p)
	for _, c := range e.Calls {
		s.by[c.ID] = p.Agent
	}
	return transcript.Entry{Calls: e.Calls, Results: e.Results}, len(e.Calls)+len(e.Results) > 0
}

// turn shows a finished turn to the visitor, step by step.
func (s *session) turn(ctx context.Context, t transcript.Turn, v visitor) {
	s.number++
	now := turn{user: t.User, texts: t.Texts}
	at := s.prompt
	fresh, copied := false, false
	for i := range t.Calls {
		if ctx.Err() != nil {
			return
		}
		c := &t.Calls[i]
		if p, ok := s.places[c.ID]; ok {
			at = p
		}
		s.join(&now, at, c.Time)
		step := s.step(now, at)
		step.Call, step.Agent, step.Copy = c, s.by[c.ID], !s.seen.first(c.ID)
		fresh, copied = fresh || !step.Copy, copied || step.Copy
		v.step(ctx, step)
		s.memory.add(&now, *c)
		if (c.Tool == "Task" || c.Tool == "Agent") && s.hides(c) {
			s.memory.unseen, s.memory.commit = s.memory.count, nil
		}
		v.done(ctx, step)
	}
	if message := t.LastMessage(); message != "" && s.closed {
		s.join(&now, s.said, s.said.Time)
		step := s.step(now, s.said)
		step.Message, step.Copy = message, !s.seen.first(s.said.ID)
		fresh, copied = fresh || !step.Copy, copied || step.Copy
		v.step(ctx, step)
	}
	end := s.step(now, at)
	end.Copy = copied && !fresh
	v.done(ctx, end)
	s.memory.end(now)
	clear(s.places)
	clear(s.by)
	clear(s.shown)
	clear(s.launched)
	clear(s.before)
	s.held = 0
	s.closed, s.prompt = false, s.next
}

func (s *session) step(now turn, at claude.Place) *Step {
	at.Mode = s.prompt.Mode
	at.CWD = slashes(at.CWD)
	if at.CWD != "" && (len(s.folders) == 0 || s.folders[len(s.folders)-1] != at.CWD) && at.Branch != "" && len(s.folders) < 1000 {
		s.folders = append(s.folders, at.CWD)
	}
	return &Step{File: s.file, Turn: s.number, At: at, s: s, now: now}
}

// file tells what a file held before the step, where its own result tells.
func (s *Step) file(name string) (content []byte, exists, known bool) {
	if s.Call == nil {
		return nil, false, false
	}
	before, known := s.s.before[s.Call.ID]
	if !known || pathOf(s.Call) != name {
		return nil, false, false
	}
	return []byte(before.content), before.exists, true
}

// readers are kinds of subagents that change and run nothing.
var readers = []string{"Explore", "Plan", "claude-code-guide", "statusline-setup"}

// hides tells a call that launched a subagent whose work is in no file here.
func (s *session) hides(c *transcript.Call) bool {
	return !s.shown[c.ID] && !s.agents[s.launched[c.ID]] && !slices.ContainsFunc(readers, func(kind string) bool {
		return strings.Contains(string(c.Input), `"`+kind+`"`)
	})
}

// join adds what the session's other files show up to a time, as far as it
// happened in the tree that this file is about.
func (s *session) join(now *turn, at claude.Place, until time.Time) {
	if s.others == nil || until.IsZero() {
		return
	}
	root := s.root(slashes(at.CWD))
	for ; s.others.at < len(s.others.list) && s.others.list[s.others.at].call.Time.Before(until); s.others.at++ {
		o := s.others.list[s.others.at]
		if o.file == s.file || o.cwd != "" && !below(o.cwd, root) {
			continue
		}
		s.memory.add(now, o.call)
	}
}

// root guesses the top of the tree that a folder belongs to: the highest folder
// in a repository that the session stood in before, else its project.
func (s *session) root(cwd string) string {
	for _, dir := range s.folders {
		if below(cwd, dir) && (s.file.Project == "" || below(dir, s.file.Project) || !below(cwd, s.file.Project)) {
			return dir
		}
	}
	if s.file.Project == "" || below(cwd, s.file.Project) {
		return s.file.Project
	}
	return cwd
}

// below tells that p is dir or lies in it.
func below(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// others is what the other files of a family did, in the order of time.
type others struct {
	list []other
	at   int
}

type other struct {
	call transcript.Call
	cwd  string
	file *File
}

// maxOthers bounds what is kept of a family's other files, in bytes; of more,
// nothing counts and the session is not known as a whole.
const maxOthers = 48 << 20

// gather collects the calls of all files that a standing may rest on.
func (fam Family) gather(ctx context.Context, verify evidence.Verify) (*others, error) {
	g := &gathering{verify: verify}
	for _, f := range fam.Files {
		s := session{file: f, memory: memory{off: true}, seen: newSeen(), agents: fam.agents()}
		if err := s.read(ctx, func(int) {}, g); err != nil {
			return nil, err
		}
	}
	if g.size >= maxOthers {
		for _, f := range fam.Files {
			f.whole = false
		}
		return nil, nil
	}
	slices.SortStableFunc(g.list, func(a, b other) int { return a.call.Time.Compare(b.call.Time) })
	return &others{list: g.list}, nil
}

type gathering struct {
	verify evidence.Verify
	list   []other
	size   int
}

func (g *gathering) step(context.Context, *Step) {}

func (g *gathering) done(_ context.Context, s *Step) {
	if s.Call == nil || s.Call.Time.IsZero() || g.size >= maxOthers || classOf(*s.Call, g.verify) == noClass {
		return
	}
	c := thin(*s.Call)
	g.size += len(c.Output) + len(c.Input) + 256
	g.list = append(g.list, other{c, s.At.CWD, s.File})
}
