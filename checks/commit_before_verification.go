package checks

import (
	"context"
	"slices"

	"agentguard/checks/evidence"
	"agentguard/judge/prose"
	"agentguard/settings/policy"
)

func commitBeforeVerification() judged {
	return judged{
		id: "commit-before-verification", title: "a turn may not end by announcing a commit, push or deploy of what was not verified",
		standard: policy.Enforce,
		skip:     func(ctx context.Context, in *Input) bool { return in.nothingToShip(ctx) },
		unsure:   func(ctx context.Context, in *Input) bool { return in.shaky(in.Assessment(ctx).Standing) },
		settled: func(ctx context.Context, in *Input) (string, bool) {
			a := in.Assessment(ctx)
			if onlyLinted(a) && in.saysTested() {
				return string(evidence.NoRun), false
			}
			return string(a.Standing), a.Standing == evidence.Supported
		},
		advice: func(ctx context.Context, in *Input) (fact, act string) {
			a := in.Assessment(ctx)
			if onlyLinted(a) {
				return "No run of tests was seen; " + a.Why + ".", "Correct the statement, or run the tests and report their result before you go on."
			}
			fact = "This tree is not verified (" + string(a.Standing) + ": " + a.Why + ")."
			if in.Policy.Verify.Empty() && a.Run == nil {
				return fact, "Check the change in the way that fits it, and report the command and its result before you go on."
			}
			return fact, "Run " + in.settle() + " now and report its result before you go on."
		},
	}
}

// onlyLinted tells that a linter, a type checker or a build stands for the
// verification, which bears out no tests.
func onlyLinted(a evidence.Assessment) bool {
	if a.Standing != evidence.Supported || a.Run == nil {
		return false
	}
	return a.Run.Kind == evidence.Lint || a.Run.Kind == evidence.Types || a.Run.Kind == evidence.Build
}

// saysTested tells that the message reports passing tests.
func (in *Input) saysTested() bool {
	return slices.ContainsFunc(prose.Parse(in.Message()).Claims(), func(c prose.Claim) bool { return c.Kind == prose.ClaimTests })
}
