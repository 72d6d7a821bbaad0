package checks

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/hook/transcript"
	"agentguard/judge/prose"
)

// claimedKind is the kind of run that a claim speaks of.
func claimedKind(k prose.ClaimKind) evidence.Kind {
	switch k {
	case prose.ClaimBuild:
		return evidence.Build
	case prose.ClaimLint:
		return evidence.Lint
	case prose.ClaimTypes:
		return evidence.Types
	case prose.ClaimCI:
		return evidence.CI
	default:
		return evidence.Test
	}
}

// againstRun compares a claim of a passing run with the last run of its kind and
// scope.
func (in *Input) againstRun(ctx context.Context, c prose.Claim) (fact, act string) {
	a := in.Assessment(ctx)
	kind, scope, runner := claimedKind(c.Kind), c.Scope, ""
	if c.Kind == prose.ClaimRun {
		// The claim names a command: it speaks of what that command runs.
		list := evidence.Recognise(c.Scope, in.verify())
		if len(list) != 1 {
			return "", ""
		}
		kind, runner = list[0].Kind, list[0].Runner
		if !list[0].Narrow {
			scope = ""
		}
	}
	f := a.ByKind[kind]
	if kind == evidence.Test && scope == "" {
		f = a.Finding
	}
	if scope != "" {
		f = scoped(a.Runs, kind, scope)
	}
	bad := f.Run
	switch {
	case bad == nil, !speaksOf(bad, kind), runner != "" && (bad.Runner != runner || scope == "" && bad.Narrow), in.doubted(a.Runs, bad, kind):
		return "", ""
	case f.Standing == evidence.EmptyRun:
		if kind != evidence.Test || scope != "" || bad.Narrow || !sameRun(bad, lastOf(a.Runs, kind)) {
			return "", ""
		}
	case f.Standing != evidence.StandingFailed && f.Standing != evidence.SupersededByFailure:
		return "", ""
	}
	switch kind {
	case evidence.Test:
		if in.bornOut(a.Runs, bad, c) || in.disowned(bad) {
			return "", ""
		}
	case evidence.CI:
		if in.otherCI(ctx, bad, c) {
			return "", ""
		}
	default:
		// After a change nobody knows what a check of the old tree would say.
		if !bad.Known || !bad.Current {
			return "", ""
		}
	}
	run := "`" + oneLine(bad.Command) + "`"
	if kind == evidence.Test && scope == "" && (len(in.Policy.Verify.Test) > 0 || bad.Kind == evidence.Hook) {
		run = in.settle()
	}
	return "The record says otherwise: " + f.Why + ".", "Correct the statement, or make it true and run " + run + " again."
}

// speaksOf tells that a run is of the very kind: of a script that runs several
// things or a commit's hooks, only failing tests speak of the tests.
func speaksOf(r *evidence.Seen, kind evidence.Kind) bool {
	if r.Kind == kind {
		return true
	}
	return kind == evidence.Test && (r.Kind == evidence.Check || r.Kind == evidence.Hook) && (r.Counts.Failed > 0 || r.Outcome == evidence.Empty)
}

// ofKind tells the runs that can say anything about a kind.
func ofKind(r *evidence.Seen, kind evidence.Kind) bool {
	return r.Kind == kind || r.Kind == evidence.Check || kind == evidence.Test && r.Kind == evidence.Hook
}

func lastOf(runs []evidence.Seen, kind evidence.Kind) *evidence.Seen {
	for i := len(runs) - 1; i >= 0; i-- {
		if ofKind(&runs[i], kind) && runs[i].Outcome != evidence.NotRun {
			return &runs[i]
		}
	}
	return nil
}

// sameRun tells that two records are of one run: findings hold copies.
func sameRun(a, b *evidence.Seen) bool {
	return a != nil && b != nil && a.ID == b.ID && a.Command == b.Command && a.Time.Equal(b.Time)
}

// doubted tells that a failure may not hold any more: a later run took it back,
// or its end is not known; or the tree changed since, and it is not this
// session's, or another run passed on the tree as it is now, or before something
// like a stash that may have put that tree back. A later pass of no more than a
// part of what failed, on the same tree, takes nothing back.
func (in *Input) doubted(runs []evidence.Seen, bad *evidence.Seen, kind evidence.Kind) bool {
	old := !bad.Known || !bad.Current
	if _, shown := in.callsAfter(bad.ID); old && !shown && bad.Session != in.Event.SessionID {
		return true
	}
	later := false
	for i := range runs {
		r := &runs[i]
		if later = later || sameRun(r, bad); sameRun(r, bad) || !ofKind(r, kind) {
			continue
		}
		switch r.Outcome {
		case evidence.Passed:
			part := r.Narrow && !bad.Narrow && r.Runner == bad.Runner
			back := old && (r.Known && r.Current || len(bad.Differs) == 0)
			if later && (old || !part) || back && !part {
				return true
			}
		case evidence.Failed, evidence.Empty, evidence.NotRun:
		default:
			if later {
				return true
			}
		}
	}
	return false
}

// scoped gives the last run of just the part that a claim is limited to; nothing
// where no failed run names that part, or a wider one passed since.
func scoped(runs []evidence.Seen, kind evidence.Kind, scope string) evidence.Finding {
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		switch {
		case r.Kind != kind || r.Outcome == evidence.NotRun:
			continue
		case r.Narrow && !namesPart(r.Command, scope):
			continue
		case r.Narrow && r.Outcome == evidence.Failed:
			why := "the last run of it, `" + oneLine(r.Command) + "`, failed"
			if !r.Known || !r.Current {
				why += ", and it was not run again after the changes"
			}
			return evidence.Finding{Standing: evidence.StandingFailed, Why: why, Run: r}
		}
		return evidence.Finding{}
	}
	return evidence.Finding{}
}

// namesPart tells that each word of a scope stands in a command as a word of its own.
func namesPart(command, scope string) bool {
	parts := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-') })
	}
	have, want := parts(command), parts(scope)
	return len(want) > 0 && !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// bornOut tells that a claim about tests agrees with what a run counted: with
// one that passed, with the part that passed of the one that failed, or with a
// failed run in which no test failed. A later call that shows a runner's sums
// without failures counts as a run, whatever ran it.
func (in *Input) bornOut(runs []evidence.Seen, bad *evidence.Seen, c prose.Claim) bool {
	n, err := strconv.Atoi(c.Detail)
	counted := err == nil && n > 0
	if bad.Counts.Passed > 0 && bad.Counts.Failed <= 0 || counted && !c.Whole && bad.Counts.Passed == n {
		return true
	}
	if counted && slices.ContainsFunc(runs, func(r evidence.Seen) bool { return r.Outcome == evidence.Passed && r.Counts.Passed == n }) {
		return true
	}
	after, known := in.callsAfter(bad.ID)
	return known && slices.ContainsFunc(after, func(call transcript.Call) bool {
		sums := evidence.ReadOutput(call.Output)
		return !call.Failed && sums.Counts.Passed > 0 && sums.Counts.Failed <= 0 && !sums.Fail
	})
}

// disowned tells that the session said after a failed run that what failed is none
// of its work: who was told so reads "all tests pass" of the rest.
func (in *Input) disowned(bad *evidence.Seen) bool {
	after := false
	for _, turn := range in.History().Turns {
		at := slices.IndexFunc(turn.Calls, func(c transcript.Call) bool { return c.ID == bad.ID })
		for _, text := range turn.Texts {
			if (after || at >= 0 && text.AfterCalls > at) && prose.Parse(text.Text).Disowns() {
				return true
			}
		}
		after = after || at >= 0
	}
	return false
}

// otherCI tells that a failed reading of CI does not speak of what the claim
// says: another repository, branch or pull request, or something was pushed since.
func (in *Input) otherCI(ctx context.Context, bad *evidence.Seen, c prose.Claim) bool {
	words := strings.Fields(bad.Command)
	for i, w := range words {
		name, value, joined := strings.Cut(w, "=")
		if !joined && i+1 < len(words) {
			value = words[i+1]
		}
		switch name {
		case "-R", "--repo":
			return true
		case "-b", "--branch":
			o, err := in.Overview(ctx)
			if err != nil || o.Head.Branch != value {
				return true
			}
		}
	}
	if n := pullRequest(c.Text); n != "" && !slices.Contains(words, n) {
		return true
	}
	if c.Detail != "" {
		if o, err := in.Overview(ctx); err != nil || !samePlace(c.Detail, o) {
			return true
		}
	}
	after, known := in.callsAfter(bad.ID)
	return !known || slices.ContainsFunc(after, pushes)
}

// pullRequest gives the number behind the first # of a text.
func pullRequest(text string) string {
	_, rest, _ := strings.Cut(text, "#")
	return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
}

// callsAfter gives the session's calls behind the one with that id; known is
// false where the conversation does not show it.
func (in *Input) callsAfter(id string) (after []transcript.Call, known bool) {
	calls := in.sessionCalls()
	i := slices.IndexFunc(calls, func(c transcript.Call) bool { return c.ID == id && id != "" })
	if i < 0 {
		return nil, false
	}
	return calls[i+1:], true
}
