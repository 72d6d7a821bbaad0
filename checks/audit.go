package checks

import (
	"context"

	"agentguard/hook"
	"agentguard/settings/policy"
)

// auditCalls makes the client report every call: the engine writes one record
// for each event it sees, so that this check has nothing left to do.
func auditCalls() Check {
	return Check{
		ID: "audit", Title: "keeps a record of every tool call",
		Events:   []hook.EventName{hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure, hook.SessionStart, hook.SessionEnd},
		Standard: policy.Enforce,
		Run:      func(context.Context, *Input) (Finding, error) { return Finding{}, nil },
	}
}
