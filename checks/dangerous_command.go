package checks

import (
	"context"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func dangerousCommand() Check {
	return Check{
		ID: "dangerous-command", Title: "stops commands whose damage cannot be undone",
		Events: []hook.EventName{hook.PreToolUse, hook.PreSkillShellCommand}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			if !in.acts() {
				return Finding{}, nil
			}
			rc := in.ruleContext(ctx)
			hits := rules.Commands(rc)
			found := worst(hits)
			if safer, ok := in.rewrite(rc, hits); ok {
				if found.Decision >= hook.Ask {
					safer.Refusal = &found
				}
				return safer, nil
			}
			return found, nil
		},
	}
}

// writes tells a tool call that can change a file.
func (in *Input) writes() bool {
	if in.acts() {
		return true
	}
	if in.Event.Tool == nil {
		return false
	}
	switch in.Event.Tool.Name {
	case "Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch":
		return true
	default:
		return false
	}
}

// worst turns the strictest hit, which comes first, into a finding.
func worst(hits []rules.Hit) Finding {
	if len(hits) == 0 {
		return Finding{}
	}
	h := hits[0]
	return Finding{Decision: h.Decision, Rule: h.Rule.ID, Reason: h.Reason, Subject: h.Command}
}
