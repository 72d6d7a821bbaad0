package checks

import (
	"context"

	"agentguard/settings/policy"
)

func bugfixWithoutReproduction() judged {
	return judged{
		id: "bugfix-without-reproduction", title: "code is not changed for a bug that nobody reproduced",
		standard: policy.Observe,
		skip:     withoutEdit,
		settled: func(ctx context.Context, in *Input) (string, bool) {
			if in.Assessment(ctx).Reproduced != nil {
				return "reproduced", true
			}
			return "", false
		},
		advice: func(context.Context, *Input) (fact, act string) {
			return "No failing run came before the change, so nothing shows that the bug was the one that was fixed.",
				"Reproduce it first and report the command and its result; or say plainly that it was seen only in logs, or cannot be reproduced here."
		},
	}
}
