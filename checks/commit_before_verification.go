package checks

import (
	"context"

	"agentguard/checks/evidence"
	"agentguard/settings/policy"
)

func commitBeforeVerification() judged {
	return judged{
		id: "commit-before-verification", title: "a turn may not end by announcing a commit, push or deploy of what was not verified",
		standard: policy.Enforce,
		skip:     func(ctx context.Context, in *Input) bool { return in.nothingToShip(ctx) },
		unsure:   func(ctx context.Context, in *Input) bool { return in.shaky(in.Assessment(ctx).Standing) },
		settled: func(ctx context.Context, in *Input) (string, bool) {
			standing := in.Assessment(ctx).Standing
			return string(standing), standing == evidence.Supported
		},
		advice: func(ctx context.Context, in *Input) (fact, act string) {
			a := in.Assessment(ctx)
			fact = "This tree is not verified (" + string(a.Standing) + ": " + a.Why + ")."
			if in.Policy.Verify.Empty() && a.Run == nil {
				return fact, "Check the change in the way that fits it, and report the command and its result before you go on."
			}
			return fact, "Run " + in.settle() + " now and report its result before you go on."
		},
	}
}
