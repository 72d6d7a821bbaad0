package checks

import (
	"context"

	"agentguard/settings/policy"
)

func scopeCheck() judged {
	return judged{
		id: "scope-check", title: "work that was asked for may not be cut, split or moved to another session",
		standard: policy.Observe,
		advice: func(context.Context, *Input) (fact, act string) {
			return "This cuts or puts off work that the user asked for.",
				"Finish it now; if it really cannot be done here, ask the user which part to leave out."
		},
	}
}
