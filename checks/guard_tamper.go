package checks

import (
	"context"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func guardTamper() Check {
	return Check{
		ID: "guard-tamper", Title: "keeps the guards themselves in force",
		Events: []hook.EventName{hook.PreToolUse, hook.PreSkillShellCommand}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			if !in.writes() {
				return Finding{}, nil
			}
			return worst(rules.Tamper(in.ruleContext(ctx))), nil
		},
	}
}
