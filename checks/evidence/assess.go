package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentguard/hook/transcript"
)

// Input is all that a standing is decided from. What is missing is left out of
// account: without Repo the conversation alone speaks, without Turns the ledger.
type Input struct {
	Repo  *Repo
	Runs  []Run             // of the ledger, oldest first
	Turns []transcript.Turn // oldest first; the last is the one that is ending
	Reader
	// Stands tells whether the tool call of a ledger record stands in the
	// transcript of its session; a record for which it says no is forged and does
	// not count. It is asked where the record would decide something. Nil: all count.
	Stands func(run Run) bool
	// Now is the snapshot of the working tree where the caller already has it.
	Now *Snapshot
}

// Assessment is how the tree stands.
type Assessment struct {
	Finding // for tests, or whatever the project verifies by where there are none
	// Tested is the standing of "the tests passed": builds, linters and comparisons
	// bear that out for nobody.
	Tested Finding
	ByKind map[Kind]Finding // each kind that was run, and each that the policy names
	Runs   []Seen           // oldest first
	Now    *Snapshot        // nil where no run needed it
	// Edited tells that this turn changed something other than documentation.
	Edited bool
	// Reproduced is the failing run before this turn's first change, nil without.
	Reproduced *Seen
	// Facts are short plain sentences for a judge or a person.
	Facts []string
}

// Assess decides the standing of "this tree is verified". It returns no error:
// what cannot be read makes the standing unknown.
func Assess(ctx context.Context, in Input) Assessment {
	var a Assessment
	rd := in.Reader
	if in.Repo != nil && rd.Root == "" {
		rd.Root = in.Repo.Root()
	}
	list := in.merge(in.withoutIgnored(ctx, rd.moments(in.Turns)))
	last := len(in.Turns) - 1
	a.Now = in.Now
	edited := false
	for i := range list {
		m := &list[i]
		if m.run == nil {
			edited = edited || m.turn == last
			continue
		}
		seen := Seen{Run: *m.run, InTurn: m.turn == last && last >= 0, key: key(m)}
		seen.BeforeEdit = seen.InTurn && !edited
		seen.recorded = m.recorded
		in.age(ctx, &a, &seen, slices.Concat(m.missed, list[i+1:]))
		a.Runs = append(a.Runs, seen)
	}
	a.Runs = in.standing(a.Runs)
	a.Edited = edited
	for i := range a.Runs {
		if r := &a.Runs[i]; r.BeforeEdit && r.Outcome == Failed && r.Kind.Tests() && a.Reproduced == nil {
			a.Reproduced = r
		}
	}
	a.decide(in.Verify)
	a.facts()
	return a
}

// standing leaves the records whose calls stand in a transcript, of those that say
// something of this tree. The newest are asked first: a search has its bounds.
func (in Input) standing(runs []Seen) []Seen {
	if in.Stands == nil {
		return runs
	}
	var kept []Seen
	for _, r := range slices.Backward(runs) {
		if !r.recorded || r.Known && !r.Current || in.Stands(r.Run) {
			kept = append(kept, r)
		}
	}
	slices.Reverse(kept)
	return kept
}

// withoutIgnored takes edits out that touched nothing git would ever commit. It
// asks only where an edit after a run could make that run stale.
func (in Input) withoutIgnored(ctx context.Context, list []moment) []moment {
	ran := false
	var paths []string
	for _, m := range list {
		ran = ran || m.run != nil
		if ran {
			paths = append(paths, m.edit...)
		}
	}
	if in.Repo == nil || len(paths) == 0 {
		return list
	}
	ignored, err := in.Repo.Ignored(ctx, paths)
	if err != nil {
		return list // then every edit counts
	}
	return slices.DeleteFunc(list, func(m moment) bool { return len(m.edit) == 1 && ignored[m.edit[0]] })
}

// merge puts the ledger's records to the runs of the conversation, and those it
// does not show before or after it by their time.
func (in Input) merge(list []moment) []moment {
	var alone []moment
	for _, run := range newest(in.Runs) {
		if run.Kind == Committed {
			continue
		}
		if in.Repo != nil && run.Root != "" && run.Root != in.Repo.Root() && run.After == nil {
			continue // another worktree, and no tree to compare
		}
		at := slices.IndexFunc(list, func(m moment) bool {
			return m.run != nil && !m.recorded && run.ID != "" && m.run.ID == run.ID && (m.run.Command == run.Command || m.run.Kind == run.Kind)
		})
		if at >= 0 {
			list[at].run.learn(run)
			continue
		}
		alone = append(alone, moment{run: &run, turn: -1, time: run.Time, v: Verification{words: strings.Fields(run.Command)}, recorded: true})
	}
	if len(alone) == 0 {
		return list
	}
	list = append(alone, list...)
	slices.SortStableFunc(list, func(a, b moment) int {
		if a.time.IsZero() || b.time.IsZero() {
			return 0
		}
		return a.time.Compare(b.time)
	})
	return list
}

// newest leaves of the records of one run the last: a run in the background is
// recorded when it begins and again when it was seen to end.
func newest(runs []Run) []Run {
	last := map[[3]string]int{}
	name := func(r Run) [3]string { return [3]string{r.Session, r.ID, r.Command} }
	for i, run := range runs {
		last[name(run)] = i
	}
	var out []Run
	for i, run := range runs {
		if run.ID == "" || last[name(run)] == i {
			out = append(out, run)
		}
	}
	return out
}

// learn takes from the ledger's record of a run what the conversation does not
// show: the tree, and the end of what it shows only begun.
func (run *Run) learn(record Run) {
	if run.After == nil {
		run.After, run.Moved = record.After, record.Moved
	}
	if run.Before == nil {
		run.Before = record.Before
	}
	switch run.Outcome {
	case Background, Masked, Unknown:
		switch record.Outcome {
		case Passed, Failed, Empty:
			run.Outcome, run.Counts, run.Line = record.Outcome, record.Counts, record.Line
		default: // it knows no more
		}
	default: // the conversation shows it
	}
}

// age tells whether a run still speaks of this tree: by the tree itself where it
// was recorded, else by what the conversation changed since. A run of the ledger
// alone has no place in the conversation.
func (in Input) age(ctx context.Context, a *Assessment, seen *Seen, after []moment) {
	var edits []string
	moved := false
	for _, m := range after {
		moved = moved || m.all
		edits = append(edits, m.edit...)
	}
	slices.Sort(edits)
	edits = slices.Compact(edits)
	ran := seen.After
	if ran == nil {
		ran = seen.Before
	}
	if ran != nil && in.Repo != nil {
		if a.Now == nil {
			if now, err := in.Repo.Snapshot(ctx); err == nil {
				a.Now = &now
			}
		}
		if a.Now != nil {
			differs, err := in.Repo.Differs(ctx, *ran, *a.Now)
			if err == nil {
				for _, d := range differs {
					if d.Scratch && !d.Gone {
						seen.Fresh = append(seen.Fresh, d.Path)
					}
				}
				differs = matter(differs, in.Docs, edits)
				// Brought back to what it was before, the tree may still have been another
				// while the run went on.
				seen.Known = len(differs) > 0 || !seen.Moved
				seen.Current = seen.Known && len(differs) == 0
				for _, d := range differs[:min(len(differs), 5)] {
					seen.Differs = append(seen.Differs, d.Path)
				}
				return
			}
		}
		if len(edits) == 0 && !moved {
			return // something changed that the conversation does not show
		}
	}
	if seen.Moved || seen.After == nil && seen.recorded {
		return
	}
	seen.Known, seen.Current = true, len(edits) == 0 && !moved
	seen.Differs = edits
}

// matter leaves of the differences of two trees those that ask for a new run: no
// documentation, and of the files that nobody added to Git only the edited ones.
func matter(differs []Difference, docs DocMatcher, edits []string) []Difference {
	return slices.DeleteFunc(differs, func(d Difference) bool {
		return docs.Match(d.Path) || (d.Scratch && !slices.Contains(edits, d.Path))
	})
}

// key is what a later run must repeat to clear a failure: the runner with its
// targets; flags do not matter.
func key(m *moment) string {
	words := []string{m.run.Runner}
	for _, w := range m.v.words {
		if !strings.HasPrefix(w, "-") {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// decide fills the findings: tests first; where no test was run and none is
// configured, whatever else the project verifies by.
func (a *Assessment) decide(verify Verify) {
	a.ByKind = map[Kind]Finding{}
	of := func(keep func(Kind) bool) []Seen {
		var runs []Seen
		for _, r := range a.Runs {
			if keep(r.Kind) {
				runs = append(runs, r)
			}
		}
		return runs
	}
	kinds := map[Kind]bool{}
	for _, r := range a.Runs {
		kinds[r.Kind] = true
	}
	wantsTest := false
	for _, c := range verify.Commands {
		kinds[c.Kind] = true
		wantsTest = wantsTest || c.Kind == Test
	}
	for k := range kinds {
		a.ByKind[k] = standing(of(func(o Kind) bool { return o == k || k == Test && o.Tests() || k != Compare && o == Check }))
	}
	tests := of(Kind.Tests)
	others := of(func(k Kind) bool { return !k.Tests() && k != Compare })
	if len(others) == 0 && len(verify.Commands) == 0 {
		others = of(func(k Kind) bool { return k == Compare })
	}
	a.Tested = standing(tests)
	a.Finding = a.Tested
	if a.Standing == NoRun && len(others) > 0 {
		f := standing(others)
		if wantsTest && f.Standing == Supported {
			f.Standing = StandingPartial
			f.Why = "only " + strings.TrimSuffix(f.Why, " on this tree") + "; the project's tests were not run"
		}
		a.Finding = f
	}
}

func (a *Assessment) facts() {
	a.Facts = append(a.Facts, a.standingFact())
	if n := len(a.Runs); n > 0 {
		for _, r := range a.Runs[max(0, n-3):] {
			when := "nothing changed since"
			switch {
			case !r.Known:
				when = "it is not known what changed since"
			case !r.Current:
				when = r.changes() + " since"
			}
			a.Facts = append(a.Facts, fmt.Sprintf("Run: `%s` %s%s; %s.", r.short(), r.Outcome, r.count(), when))
		}
	}
}

func (a *Assessment) standingFact() string {
	return "Standing of the verification: " + string(a.Standing) + ": " + a.Why + "."
}
