package checks

import (
	"context"

	"agentguard/settings/policy"
)

func scopeChange() judged {
	return judged{
		id: "scope-change", title: "a part of what was approved may not be deferred or shelved without the user",
		standard: policy.Observe,
		advice: func(context.Context, *Input) (fact, act string) {
			return "This leaves out a part of what was approved.",
				"Do that part now, or ask the user to change the scope and wait for the answer."
		},
	}
}
