package checks

import (
	"testing"

	"agentguard/hook"
	"agentguard/settings/policy"
)

func TestMessage(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{"words", "All tests pass.", "All tests pass."},
		{"an answer for a program", `{"verdict": "good", "note": "I'll commit this now."}`, ""},
		{"words around an answer", "Here it is: {\"ok\": true}", "Here it is: {\"ok\": true}"},
		{"no JSON after all", `{"note": "I'll commit this now.`, `{"note": "I'll commit this now.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := Input{Event: hook.Event{Name: hook.Stop, Stop: &hook.End{LastMessage: c.said}}, Policy: &policy.Effective{}}
			if got := in.Message(); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
