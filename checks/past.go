package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/rules"
	"agentguard/checks/shell"
	"agentguard/hook/regular"
	"agentguard/hook/transcript"
)

// Then is what a session of long ago still tells of what surrounded an event
// (World.Past). The conversation alone speaks: nothing of it is read from this
// machine but what lies below Here.
type Then struct {
	// Root is the top of the project as far as the session shows it. Edits outside
	// it do not count.
	Root string
	// Here is the session's own folder where it is one of this machine: scripts
	// below it are read as they stand today. Empty: no file is read.
	Here string
	// File returns what a file held before the event, where the session tells; nil
	// where it never does.
	File func(path string) (content []byte, exists, known bool)
	// Best lets the repository answer what would have lost least where it is not
	// known, and Missing the disk. A finding that stands then rests on what is known.
	Best, Missing bool
	// Unread is told of a file that a check could not read, unless it is nil.
	Unread func(path string)
	// Branch is what was checked out; empty where the session does not say.
	Branch string
	// NoRepo tells that the event's folder lay in no repository.
	NoRepo bool
	// AnyRun lets the gates act although the policy names no command that
	// verifies: any run that is recognised counts.
	AnyRun bool
	// Whole tells that the conversation shows all that the session did before.
	Whole bool
	// Commit is how the last commit of the conversation stood; nil without one.
	Commit *evidence.Finding
	// Since returns the calls after that commit, all of them without one.
	Since func() []transcript.Call
	// Unseen returns the calls after the last work that the conversation does not
	// show, that of a subagent without a transcript; ok is false without any.
	Unseen func() (after []transcript.Call, ok bool)
	// Committed is told how a commit stands that the call is about to make.
	Committed func(evidence.Finding)
}

func (t Then) file(name string) (content []byte, exists, known bool) {
	if t.File == nil {
		return nil, false, false
	}
	return t.File(name)
}

// readThen returns a file as it was, or as it stands today in the session's own
// folder.
func (in *Input) readThen(name string, limit int64) ([]byte, error) {
	content, exists, known := in.World.Then.file(name)
	switch {
	case known && !exists:
		return nil, fs.ErrNotExist
	case known:
		return content, nil
	case in.standsHere(name):
		return regular.Read(name, limit)
	}
	if in.World.Then.Unread != nil {
		in.World.Then.Unread(name)
	}
	return nil, evidence.ErrUnknown
}

// kindThen tells what stood at a path. What is gone today may have been there
// then, so that nothing here says that it was not.
func (in *Input) kindThen(name string) rules.Kind {
	if _, exists, known := in.World.Then.file(name); known {
		if exists {
			return rules.File
		}
		return rules.Missing
	}
	if in.standsHere(name) {
		if k := kindOf(name); k != rules.Missing {
			return k
		}
	}
	if in.World.Then.Missing {
		return rules.Missing
	}
	return rules.Unsure
}

// standsHere tells a path whose content of today may speak for the event.
func (in *Input) standsHere(name string) bool {
	here := in.World.Then.Here
	return here != "" && within(name, here)
}

// bestRepo is the repository in which least is lost: all is committed, pushed and
// merged. What would need a name or a value is not known.
type bestRepo struct{ then *Then }

func (r bestRepo) Root() string                      { return r.then.Root }
func (r bestRepo) GitDir() string                    { return path.Join(r.then.Root, ".git") }
func (r bestRepo) Branch() (string, bool)            { return r.then.Branch, r.then.Branch != "" }
func (bestRepo) DefaultBranch() (string, bool)       { return "", false }
func (bestRepo) Clean() (clean, ok bool)             { return true, true }
func (bestRepo) Path(string) (rules.PathState, bool) { return rules.PathState{}, true }
func (bestRepo) IsRef(string) (is, ok bool)          { return false, false }
func (bestRepo) Unpushed() (int, bool)               { return 0, true }
func (bestRepo) Merged(string) (merged, ok bool)     { return true, true }
func (bestRepo) Upstream(string) (string, bool)      { return "", false }
func (bestRepo) Config(string) (string, bool)        { return "", false }

// unverifiedThen is unverified for an event of long ago. What the conversation
// contradicts would have been refused. Else the finding passes, and its standing
// tells a ship that was supported from one that cannot be told about any more.
func (in *Input) unverifiedThen(ctx context.Context, list []ship) Finding {
	var found Finding
	if in.World.Then.NoRepo {
		return found
	}
	commit, guarded := in.World.Then.Commit, in.guarded()
	for _, s := range list {
		if s.kind == shipMerge && !in.Policy.ProtectedBranch(in.World.Then.Branch) {
			continue
		}
		f := evidence.Finding{Standing: evidence.Supported, Why: "the command runs the tests first"}
		if !guarded {
			f = in.shipStandingThen(ctx, s, commit)
		}
		if s.kind == shipCommit {
			kept := f
			if kept.Standing == nothingShipped {
				kept.Standing = evidence.Supported
			}
			commit = &kept
			in.World.Then.Committed(kept)
		}
		switch {
		case f.Standing == nothingShipped:
			continue
		case f.Standing.Contradicts():
			return in.refuseShip(s, f)
		}
		this := Finding{Rule: string(s.kind), Standing: string(f.Standing), Subject: oneLine(commandText(s.command)), Reason: f.Why}
		if f.Standing != evidence.Supported {
			return this
		}
		if found.Standing == "" {
			found = this
		}
	}
	return found
}

// shipStandingThen tells how what a command ships stood, as far as the
// conversation shows it.
func (in *Input) shipStandingThen(ctx context.Context, s ship, commit *evidence.Finding) evidence.Finding {
	then := in.World.Then
	if dir := first(s.git.Dir.Text, s.command.Dir.Text); dir != "" && !within(dir, then.Root) {
		return unknownStanding("it is about another folder than the session's")
	}
	a := in.Assessment(ctx)
	edited := len(in.reader().Edited(then.Since())) > 0
	switch s.kind {
	case shipCommit:
		if in.addsOnlyDocs(s) {
			return evidence.Finding{Standing: nothingShipped, Why: "only documentation is committed"}
		}
		if commit != nil && !edited && a.Standing.Contradicts() {
			return unknownStanding("the conversation does not show what this commit holds")
		}
		return in.asFarAsSeen(a.Finding, edited)
	case shipRelease, shipDeploy:
		if commit == nil || edited {
			return in.asFarAsSeen(a.Finding, edited)
		}
	case shipPush, shipPR, shipTag, shipMerge:
	}
	switch {
	case commit != nil:
		return *commit
	case a.Standing == evidence.Supported:
		return a.Finding
	default:
		return unknownStanding("the conversation does not show the commit that it hands on")
	}
}

// asFarAsSeen takes back what a conversation alone cannot say of a tree.
func (in *Input) asFarAsSeen(f evidence.Finding, edited bool) evidence.Finding {
	then := in.World.Then
	if !f.Standing.Contradicts() {
		return f
	}
	if after, ok := then.Unseen(); ok && len(in.reader().Edited(after)) == 0 {
		return unknownStanding("a subagent worked since, and what it ran is not known")
	}
	switch {
	case f.Standing == evidence.NoRun && !then.Whole:
		return unknownStanding("the session began before what is known of it")
	case f.Standing == evidence.NoRun && !edited:
		return unknownStanding("the conversation shows no change of the code")
	case f.Standing == evidence.Stale && (f.Run == nil || len(f.Run.Differs) == 0):
		return unknownStanding("git changed files since, and it is not known which")
	}
	return f
}

func unknownStanding(why string) evidence.Finding {
	return evidence.Finding{Standing: evidence.StandingUnknown, Why: why}
}

// addsOnlyDocs tells a commit of documentation that was staged by name, by the
// same script or by calls since the last commit.
func (in *Input) addsOnlyDocs(s ship) bool {
	whole, paths := in.addedBefore(s)
	staged, named := in.stagedThen()
	paths = append(paths, staged...)
	docs := in.reader().Docs
	return whole == noFiles && named && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !docs.Match(p) })
}

// stagedThen lists what the calls since the last commit staged; named is false
// where one of them staged more than it names.
func (in *Input) stagedThen() (paths []string, named bool) {
	for _, c := range in.World.Then.Since() {
		var call struct {
			Command string `json:"command"`
		}
		if !bytes.Contains(c.Input, []byte("git")) || json.Unmarshal(c.Input, &call) != nil {
			continue
		}
		for _, command := range in.reader().Parse(call.Command, in.Event.CWD).Commands {
			g, ok := shell.ParseGit(command)
			if !ok || !slices.Contains([]string{"add", "stage", "rm", "mv"}, g.Sub) {
				continue
			}
			for _, w := range g.Args {
				switch {
				case w.Text == "--" || w.Text == "-f" || w.Text == "--force":
				case strings.HasPrefix(w.Text, "-") || slices.Contains([]string{".", "*", ":/"}, w.Text):
					return nil, false
				default:
					paths = append(paths, in.relative([]string{absolute(w.Text, first(g.Dir.Text, in.Event.CWD))})...)
				}
			}
		}
	}
	return paths, true
}

func absolute(p, dir string) string {
	if path.IsAbs(p) {
		return p
	}
	return path.Join(dir, p)
}

// within tells that a path is dir or lies below it; one that is not known may.
func within(p, dir string) bool {
	return dir == "" || strings.ContainsRune(p, shell.Unknown) || p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}
