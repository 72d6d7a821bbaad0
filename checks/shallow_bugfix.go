package checks

import (
	"context"

	"agentguard/judge/prose"
	"agentguard/settings/policy"
)

func shallowBugfix() judged {
	return judged{
		id: "shallow-bugfix", title: "a bug fix is not reported without its cause",
		standard: policy.Observe,
		skip:     noBugfix,
		advice: func(context.Context, *Input) (fact, act string) {
			return "This reports a fix without saying what caused the bug.",
				"Find the cause and state it with the place in the code, then say how the change removes it."
		},
	}
}

// noBugfix tells a turn that changed nothing, or one in which the user plainly
// asked for something else than the repair of a bug.
func noBugfix(ctx context.Context, in *Input) bool {
	return withoutEdit(ctx, in) || prose.AsksForFix(in.History().Current().User) == prose.No
}

// withoutEdit tells a turn that changed nothing but documentation.
func withoutEdit(ctx context.Context, in *Input) bool {
	return len(in.History().Turns) > 0 && !in.Assessment(ctx).Edited
}
