package evidence

import (
	"context"
	"slices"
	"time"
)

// Observed is one finished shell call as a hook sees it.
type Observed struct {
	ID, Session, Agent string
	Transcript         string // file of the session's conversation; empty where there is none
	Source             string // the shell text
	Dir                string
	Call
	Time     time.Time // when it ended
	Duration time.Duration
}

// endedRun is one verification of a finished call.
type endedRun struct {
	v   Verification
	run *Run
}

// open tells that a later look may say more of how it ended.
func (r endedRun) open() bool {
	return r.run.Outcome == Background || r.run.Outcome == Masked || r.run.Outcome == Unknown || r.v.Quiet
}

// endedRuns reads how the verifications of a finished call ended. It is the one
// place where an output becomes runs, for the conversation and for the ledger. src
// is the call's text, which parts the output among them; empty where there is none.
func endedRuns(src string, list []Verification, c Call, id string) []endedRun {
	var runs []endedRun
	ends := Endings(src, list, c)
	for i, v := range list {
		end := ends[i]
		if end.Outcome == NotRun {
			continue
		}
		runs = append(runs, endedRun{v, &Run{
			ID: id, Kind: v.Kind, Runner: v.Runner, Command: v.Command, Outcome: end.Outcome,
			Counts: end.Result.Counts, Narrow: v.Narrow, Partial: v.Partial, Line: cut(end.Result.Line, 300),
		}})
	}
	return runs
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
	for _, e := range endedRuns(o.Source, Recognise(o.Source, verify), o.Call, o.ID) {
		run := *e.run
		run.Session, run.Agent, run.Transcript, run.Dir = o.Session, o.Agent, o.Transcript, o.Dir
		run.Time, run.Duration = o.Time, o.Duration.Milliseconds()
		runs = append(runs, run)
		whole = whole || e.v.Kind != Compare
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
		switch {
		case err != nil:
		case runs[i].Outcome == Background:
			runs[i].Before = &snap // it has not ended: the tree it ends on may be another
		default:
			runs[i].After = &snap
		}
	}
	return runs
}

// Ended is the record of a run with what was seen later of how it ended. A run
// that went on in the background keeps the tree that it began on; whether that is
// the one that it ended on, the tree of now must show.
func (run Run) Ended(ctx context.Context, r *Repo, end Run, at time.Time, docs DocMatcher) Run {
	run.Outcome, run.Counts, run.Line = end.Outcome, end.Counts, end.Line
	if run.Before == nil {
		return run
	}
	run.Time, run.After, run.Before = at, run.Before, nil
	now, err := r.Snapshot(ctx)
	if err != nil {
		run.Moved = true
		return run
	}
	differs, err := r.Differs(ctx, *run.After, now)
	run.Moved = err != nil || len(matter(differs, docs, nil)) > 0
	return run
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
// false when the ledger knows neither. stands is Input.Stands.
func CommitStanding(ctx context.Context, r *Repo, runs []Run, commit string, stands func(Run) bool) (f Finding, ok bool) {
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
		if !run.Kind.Tests() || run.After == nil || run.Moved || (run.After.Tree != tree && run.After.Tracked != tree) {
			continue
		}
		if stands != nil && !stands(run) {
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
