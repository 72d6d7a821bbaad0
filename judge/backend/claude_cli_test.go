package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/judge"
	"agentguard/judge/backend/backendtest"
)

// TestClaudeEnvelopes reads what client 2.1.332 printed.
func TestClaudeEnvelopes(t *testing.T) {
	for _, tc := range []struct {
		name  string
		fails bool   // the client's exit status is not 0
		err   string // part of the error; empty for an answer
	}{
		{"success", false, ""},
		{"no-structured-output", false, "no structured answer"},
		{"max-turns", true, "error_max_turns"},
		{"api-error", true, "status 400"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "claude", tc.name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			envelope := string(text)
			k := kinds[1]
			b, _ := start(t, k.config, k.around, backendtest.Behaviour{Raw: &envelope, Fails: tc.fails})
			r, err := b.Ask(t.Context(), question(t, judge.ScopeCheck))
			if tc.err == "" {
				if err != nil || string(r.Answers[judge.ScopeCheck]) != `{"new_proposal":true,"reason":"x"}` || r.CostUSD != 2e-05 {
					t.Errorf("reply %+v, error %v", r, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("error %v, want %q", err, tc.err)
			}
		})
	}
}
