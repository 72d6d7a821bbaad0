package replay

import (
	"context"
	"slices"

	"agentguard/checks"
	"agentguard/checks/evidence"
	"agentguard/settings/policy"
)

// Counts is what was gone through.
type Counts struct {
	Sessions  int `json:"sessions"`
	Subagents int `json:"subagents"` // files of their own, and those that a session's file shows
	Turns     int `json:"turns"`
	Calls     int `json:"calls"`
	Copied    int `json:"copied"` // calls that another file held already; judged once
}

// Add adds up.
func (c *Counts) Add(d Counts) {
	c.Sessions += d.Sessions
	c.Subagents += d.Subagents
	c.Turns += d.Turns
	c.Calls += d.Calls
	c.Copied += d.Copied
}

// Reader goes through families of session files.
type Reader struct {
	Verify evidence.Verify // by which a project's own commands are known as runs
	Read   func(bytes int) // is told how much was read
	seen   *seen
}

// NewReader returns a Reader of sessions of projects that are verified by v.
func NewReader(v policy.Verify, read func(bytes int)) *Reader {
	return &Reader{Verify: checks.VerifyOf(v), Read: read, seen: newSeen()}
}

// Judge runs the checks over the files of one session, but those to be skipped.
// finished is told of each file when it was read to its end, or broke.
func (r *Reader) Judge(ctx context.Context, fam Family, j *Judge, skip func(*File) bool, finished func(*File, Counts, error)) {
	r.family(ctx, fam, j, skip, finished)
}

// Runs lists the runs of one session.
func (r *Reader) Runs(ctx context.Context, fam Family, v *Runs, finished func(*File, Counts, error)) {
	r.family(ctx, fam, v, func(*File) bool { return false }, finished)
}

func (r *Reader) family(ctx context.Context, fam Family, v visitor, skip func(*File) bool, finished func(*File, Counts, error)) {
	if !slices.ContainsFunc(fam.Files, func(f *File) bool { return !skip(f) }) {
		for _, f := range fam.Files {
			r.Read(int(f.Size))
		}
		return
	}
	var shared *others
	if len(fam.Files) > 1 {
		var err error
		if shared, err = fam.gather(ctx, r.Verify); err != nil {
			shared = nil // the file that breaks is named below
		}
	}
	for _, f := range fam.Files {
		if skip(f) {
			r.Read(int(f.Size))
			continue
		}
		s := session{file: f, memory: memory{verify: r.Verify}, seen: r.seen, agents: fam.agents()}
		if shared != nil {
			s.others = &others{list: shared.list}
		}
		c := counter{visitor: v, subagents: map[string]bool{}}
		err := s.read(ctx, r.Read, &c)
		if ctx.Err() != nil {
			return
		}
		switch {
		case f.Subagent:
			c.Subagents++
		case s.number > 0:
			c.Sessions++
		}
		finished(f, c.Counts, err)
	}
}

// counter counts what a visitor is shown.
type counter struct {
	visitor
	Counts
	subagents map[string]bool
}

func (c *counter) done(ctx context.Context, s *Step) {
	switch {
	case s.Copy && s.Call != nil:
		c.Copied++
	case s.Copy:
	case s.Call == nil:
		c.Turns++
	default:
		c.Calls++
		if s.Agent != "" && !c.subagents[s.Agent] {
			c.subagents[s.Agent] = true
			c.Subagents++
		}
	}
	c.visitor.done(ctx, s)
}
