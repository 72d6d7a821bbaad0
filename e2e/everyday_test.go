package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/e2e/model"
)

// What needs a person's word is refused where no person can give it, whatever the permission mode: some clients take
// "ask" for "yes" when permissions are bypassed.
func TestAskNeverMeansYes(t *testing.T) {
	for _, mode := range []string{"bypassPermissions", "acceptEdits"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := guarded(t)
			s.mode = mode
			s.write("greet.go", changed)
			s.play("start over",
				step{does: model.Bash("git reset --hard"), hears: `(?s)is_error.*\[dangerous-command\]`},
				step{does: model.Say("Your changes are still there.")},
			)
			if s.read("greet.go") != changed {
				t.Error("the changes are gone")
			}
		})
	}
}

func TestGuardsFollowTheAgentAround(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.write("sub/x.txt", "x\n")
	s.play("tidy up",
		step{does: model.Bash("cd sub"), misses: `is_error`},
		step{does: model.Bash("git push --force origin main"), hears: `(?s)is_error.*\[dangerous-command\]`},
		step{does: model.Bash("AGENTGUARD_OFF=1 git push --force origin main"), hears: `(?s)is_error.*\[(dangerous-command|guard-tamper)\]`},
		step{does: model.Bash("export AGENTGUARD_JUDGE_ACTIVE=1; git push --force origin main"), hears: `(?s)is_error.*\[(dangerous-command|guard-tamper)\]`},
		step{does: model.Say("I leave it.")},
	)
}

// A subagent's tool calls go through the same gates.
func TestSubagentIsGuarded(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.sub = []model.Turn{model.Bash("git push --force origin main"), model.Say("The push was refused.")}
	s.play("let somebody tidy up",
		step{does: model.Use("Agent", map[string]any{
			"description": "tidy up", "prompt": "SUB: push it", "subagent_type": "general-purpose", "run_in_background": false,
		}), hears: `The push was refused`},
		step{does: model.Say("It was refused.")},
	)
	sub := s.server.Lane("sub")
	if len(sub) != 2 || !strings.Contains(sub[1].New, "[dangerous-command]") {
		t.Errorf("the subagent did not hear why\n%s", s.told())
	}
}

// A worktree has the guards that are committed.
func TestWorktreeIsGuarded(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.sh("git add -A && git commit -qm 'agentguard: set up' && git push -q")
	s.args = []string{"-w", "feature"}
	s.play("tidy up",
		step{does: model.Bash("pwd"), hears: `worktrees/feature`, misses: `is_error`},
		step{does: model.Bash("git push --force origin HEAD:main"), hears: `(?s)is_error.*\[dangerous-command\]`},
		step{does: model.Say("I leave it.")},
	)
}

// Yesterday's test run still counts while nothing changed since.
func TestEvidenceOutlivesTheSession(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.play("make the greeting longer",
		step{does: model.Use("Read", map[string]any{"file_path": s.abs("greet.go")})},
		step{does: model.Write(s.abs("greet.go"), changed), misses: `is_error`},
		step{does: model.Bash("go test ./... 2>&1 | tail -3"), hears: `ok\s+greet`},
		step{does: model.Say("The greeting is longer.")},
	)
	s.play("commit it",
		step{does: model.Bash("git add -A && git commit -qm 'greet: longer' && git log --oneline -1"), hears: `greet: longer`, misses: `is_error`},
		step{does: model.Say("Committed.")},
	)
	s.play("one more thing",
		step{does: model.Bash("printf 'package greet\\n\\nfunc Hello() string { return \"\" }\\n' > greet.go"), misses: `is_error`},
		step{does: model.Bash("git commit -qam 'greet: shorter'"), hears: `(?s)is_error.*\[unverified-commit\]`},
		step{does: model.Say("I must test it first.")},
	)
}

// A teammate clones the repository and has no agentguard: their sessions work as before, and they are told once.
func TestTeammateWithoutThePrograms(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	for _, p := range programs(t) {
		s.sh("rm '" + filepath.Join(s.home, ".local", "bin", filepath.Base(p)) + "'")
	}
	s.play("say hello",
		step{does: model.Bash("echo hello"), hears: `hello`, misses: `is_error|hook`},
		step{does: model.Say("Hello. I'll commit this now.")},
	)
	said := 0
	for _, h := range s.result.Of("SessionStart") {
		if strings.Contains(h.Stdout, "agentguard") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("the person is told %d times at the start how to get the programs, want once\n%s", said, s.told())
	}
}

// What people read every day must pass: a wrong block makes the agent say the same thing again, and again.
func TestOrdinaryEndingsPass(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	s.write("greet.go", changed)
	for _, ending := range []string{
		"The greeting is longer now. Nothing is committed yet.",
		"Shall I commit this?",
		"Two ways: (A) commit it as it is, or (B) add a test first. Which one?",
		"After the tests pass, the change can be committed.",
		"I have not run the tests, so I will not commit anything before you say so.",
		"`git commit -m` writes a commit; `git push` publishes it.",
		"変更は完了しました。コミットしてよいですか？",
		"修改已完成，需要我提交吗？",
	} {
		s.play("how is it going?", step{does: model.Say(ending)})
		if s.blocks() > 0 {
			t.Errorf("%q was blocked", ending)
		}
	}
}

// Hooks of a project's agent file act inside that agent and not after it, in a folder that the person trusted; elsewhere
// the client skips them without a word, so the settings must carry the guards too.
func TestAgentFileGuardsItsAgent(t *testing.T) {
	for _, trusted := range []bool{true, false} {
		t.Run(map[bool]string{true: "trusted", false: "untrusted"}[trusted], func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.install()
			s.write(".claude/agents/fixer.md", "---\nname: fixer\ndescription: fixes things\n---\nFix it.\n")
			s.sh("agentguard init --yes --agents fixer && rm .claude/settings.json")
			if trusted {
				state, err := json.Marshal(map[string]any{"projects": map[string]any{s.repo: map[string]any{"hasTrustDialogAccepted": true}}})
				if err != nil {
					t.Fatal(err)
				}
				s.write(filepath.Join(s.home, ".claude.json"), string(state))
			}
			s.sub = []model.Turn{model.Bash("git push --force origin main"), model.Say("That is how it went.")}
			s.play("let the fixer tidy up",
				step{does: model.Use("Agent", map[string]any{
					"description": "tidy up", "prompt": "SUB: push it", "subagent_type": "fixer", "run_in_background": false,
				}), hears: `That is how it went`},
				step{does: model.Bash("git push --force origin main"), misses: `\[dangerous-command\]`},
				step{does: model.Say("Over.")},
			)
			sub := s.server.Lane("sub")
			if len(sub) < 2 || strings.Contains(sub[1].New, "[dangerous-command]") != trusted {
				t.Errorf("trusted %v, and the agent heard otherwise\n%s", trusted, s.told())
			}
		})
	}
}

// What init writes in each scope is run by the client.
func TestEntriesOfEachScopeFire(t *testing.T) {
	for _, scope := range []string{"project", "local", "user"} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.install()
			s.sh("agentguard init --yes --scope " + scope)
			s.play("tidy up",
				step{does: model.Bash("git push --force origin main"), hears: `(?s)is_error.*\[dangerous-command\]`},
				step{does: model.Say("It was refused.")},
			)
			if len(s.result.Of("SessionStart")) == 0 || len(s.result.Of("Stop")) == 0 {
				t.Errorf("no hook ran at the start or at the end\n%s", s.told())
			}
		})
	}
}
