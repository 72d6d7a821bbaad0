package backend_test

import (
	"slices"
	"strings"
	"testing"

	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/judge/backend/backendtest"
)

func TestAgentReadsInItsFolder(t *testing.T) {
	for _, tc := range []struct {
		kind, turns int
		has, hasNot []string // arguments, or two that follow each other
	}{
		{1, 0, []string{"--tools Read,Grep,Glob", "--max-turns 10", "--setting-sources "}, []string{"Bash", "Edit", "Write"}},
		{1, 20, []string{"--max-turns 20"}, nil},
		{1, 900, []string{"--max-turns 50"}, nil},
		{2, 5, []string{"-s read-only", "--disable hooks"}, []string{"shell_tool"}},
	} {
		k := kinds[tc.kind]
		t.Run(k.name, func(t *testing.T) {
			program, seen := backendtest.Program(t, backendtest.Behaviour{Answer: `{"scope-check": {"new_proposal": true}}`}, k.around)
			dir := t.TempDir()
			b, err := backend.NewAgent(k.config(program), testHost(t), backend.Agent{Dir: dir, Turns: tc.turns})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Ask(t.Context(), question(t, judge.ScopeCheck)); err != nil {
				t.Fatal(err)
			}
			s := seen()
			if s.CWD != dir || s.Env["AGENTGUARD_JUDGE_ACTIVE"] != "1" {
				t.Errorf("started in %s, guard variable %q", s.CWD, s.Env["AGENTGUARD_JUDGE_ACTIVE"])
			}
			line := strings.Join(s.Args, " ")
			for _, want := range tc.has {
				if !strings.Contains(line, want) {
					t.Errorf("%q is not in %q", want, s.Args)
				}
			}
			for _, not := range tc.hasNot {
				if slices.Contains(s.Args, not) {
					t.Errorf("%q is in %q", not, s.Args)
				}
			}
		})
	}
	for _, c := range []backend.Config{{Type: "command", Command: []string{"true"}}, {Type: "offline"}} {
		if _, err := backend.NewAgent(c, testHost(t), backend.Agent{Dir: t.TempDir()}); err == nil {
			t.Errorf("%s became an agent", c.Type)
		}
	}
	if _, err := backend.NewAgent(backend.Config{Type: "claude"}, testHost(t), backend.Agent{}); err == nil {
		t.Error("an agent without a folder")
	}
}
