package checks

import (
	"context"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func protectedPath() Check {
	return Check{
		ID: "protected-path", Title: "keeps secrets, keys and Git's own files from being written",
		Events: []hook.EventName{hook.PreToolUse, hook.PreSkillShellCommand}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			if !in.writes() {
				return Finding{}, nil
			}
			return worst(rules.Paths(in.ruleContext(ctx))), nil
		},
	}
}
