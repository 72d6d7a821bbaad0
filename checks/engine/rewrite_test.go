package engine_test

import (
	"context"
	"testing"
	"time"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// TestARewriteBesideARefusal: a call that is refused anyway does not run as
// rewritten, so that the rewriting check's own refusal stands and nothing tells
// of a change.
func TestARewriteBesideARefusal(t *testing.T) {
	refusal := checks.Finding{Decision: hook.Ask, Rule: "force", Reason: "use a lease"}
	rewrites := guard("a", func(context.Context, *checks.Input) (checks.Finding, error) {
		return checks.Finding{Rewrite: []byte(`{"command":"safer"}`), Context: []string{"changed"}, Refusal: &refusal}, nil
	})
	for _, c := range []struct {
		name    string
		other   hook.Decision
		mode    policy.Mode
		want    hook.Decision
		check   string
		rewrite bool
	}{
		{"alone", hook.Pass, policy.Enforce, hook.Pass, "", true},
		{"beside an ask", hook.Ask, policy.Enforce, hook.Ask, "a", false},
		{"beside a deny", hook.Deny, policy.Enforce, hook.Deny, "b", false},
		{"beside one that only observes", hook.Deny, policy.Observe, hook.Pass, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := []checks.Check{rewrites, guard("b", finds(c.other))}
			r := engine.Run(t.Context(), input(hook.PreToolUse, all, map[string]policy.Mode{"b": c.mode}), all, time.Now)
			out := r.Answer()
			if out.Decision != c.want || out.Check != c.check || (len(out.Rewrite) > 0) != c.rewrite || (len(out.Context) > 0) != c.rewrite {
				t.Errorf("%+v", out)
			}
		})
	}
}
