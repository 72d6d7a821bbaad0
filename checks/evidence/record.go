package evidence

import (
	"context"
	"slices"
	"time"
)

// Observed is one finished shell call as a hook sees it.
type Observed struct {
	ID, Session, Agent string
	Source             string // the shell text
	Dir                string
	Call
	Time     time.Time // when it ended
	Duration time.Duration
}

// Record turns a finished call into what the ledger keeps: one run for each
// verifying command of its text, with the tree as it is now. None for a call
// that verified nothing, which then costs no look at the repository, and neither
// do comparisons: they are frequent, and an edit in the conversation tells their
// age.
func Record(ctx context.Context, r *Repo, o Observed, verify Verify) []Run {
	if r != nil {
		verify.Root, verify.Dir = r.Root(), o.Dir
	}
	var runs []Run
	whole := false
	for _, v := range Recognise(o.Source, verify) {
		outcome, result := v.Ended(o.Call)
		if outcome == NotRun {
			continue
		}
		run := newRun(v, outcome, result, o.ID)
		run.Session, run.Agent, run.Dir = o.Session, o.Agent, o.Dir
		run.Time, run.Duration = o.Time, o.Duration.Milliseconds()
		runs = append(runs, *run)
		whole = whole || v.Kind != Compare
	}
	if len(runs) == 0 || r == nil {
		return runs
	}
	for i := range runs {
		runs[i].Root = r.Root()
	}
	if !whole {
		return runs
	}
	snap, err := r.Snapshot(ctx)
	for i := range runs {
		// What runs in the background has not ended: the tree it ends on is not
		// this one.
		if err == nil && runs[i].Outcome != Background {
			runs[i].After = &snap
		}
	}
	return runs
}

// Committed is the ledger's word that a commit was made from a tree of the given
// standing. Pushes ask for commits, not for trees.
const Committed Kind = "commit"

// CommitRecord makes that word.
func CommitRecord(commit, session string, at time.Time, f Finding) Run {
	run := Run{Session: session, Time: at, Kind: Committed, Runner: "git commit", Command: commit, Outcome: Failed, Line: string(f.Standing)}
	if f.Standing == Supported {
		run.Outcome = Passed
	}
	return run
}

// CommitStanding tells how a commit of this repository stands: by the word
// recorded when it was made, else by a passing run on exactly its tree. ok is
// false when the ledger knows neither.
func CommitStanding(ctx context.Context, r *Repo, runs []Run, commit string) (f Finding, ok bool) {
	for _, run := range slices.Backward(runs) {
		if run.Kind == Committed && run.Command == commit {
			return Finding{Standing: Standing(run.Line), Why: "recorded when the commit was made"}, true
		}
	}
	tree, err := r.Tree(ctx, commit)
	if err != nil {
		return Finding{Standing: StandingUnknown, Why: "the commit's tree cannot be read"}, false
	}
	for _, run := range slices.Backward(runs) {
		if !run.Kind.Tests() || run.After == nil || (run.After.Tree != tree && run.After.Tracked != tree) {
			continue
		}
		switch run.Outcome {
		case Passed:
			if run.Partial {
				return Finding{Standing: StandingPartial, Why: "only a part of the project's command ran on the commit's tree"}, true
			}
			return Finding{Standing: Supported, Why: "`" + run.Command + "` passed on the commit's tree"}, true
		case Failed:
			return Finding{Standing: StandingFailed, Why: "`" + run.Command + "` failed on the commit's tree"}, true
		case Empty:
			return Finding{Standing: EmptyRun, Why: "`" + run.Command + "` ran no test on the commit's tree"}, true
		default: // says neither yes nor no
		}
	}
	return Finding{Standing: NoRun, Why: "no run on the commit's tree was recorded"}, false
}
