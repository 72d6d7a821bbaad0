package backend_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/judge/backend/backendtest"
)

// kinds are the backends that run a program, with what the real one prints
// around a model's words.
var kinds = []struct {
	name   string
	config func(program string) backend.Config
	around func(answer string) string
}{
	{
		"command",
		func(p string) backend.Config { return backend.Config{Type: "command", Command: []string{p}} },
		func(a string) string { return a },
	},
	{
		"claude",
		func(p string) backend.Config { return backend.Config{Type: "claude", Command: []string{p}} },
		func(a string) string {
			return fmt.Sprintf(`{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"result":%q,"structured_output":%s,"total_cost_usd":0.002}`, a, a)
		},
	},
	{
		"codex",
		func(p string) backend.Config { return backend.Config{Type: "codex", Command: []string{p}} },
		func(a string) string { return a + "\n" },
	},
	{
		"remote",
		func(string) backend.Config {
			return backend.Config{Type: "openai", Model: "m", BaseURL: "http://127.0.0.1:1/v1"}
		},
		func(a string) string {
			raw, err := json.Marshal(backend.Response{Text: a})
			if err != nil {
				return err.Error()
			}
			return string(raw)
		},
	},
}

func TestConformance(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			backendtest.Run(t, func(t *testing.T, b backendtest.Behaviour) judge.Backend {
				t.Helper()
				be, seen := start(t, k.config, k.around, b)
				if b.Hangs {
					t.Cleanup(func() { gone(t, seen()) })
				}
				return be
			})
		})
	}
}

func start(t *testing.T, config func(string) backend.Config, around func(string) string, b backendtest.Behaviour) (judge.Backend, func() backendtest.Seen) {
	t.Helper()
	program, seen := backendtest.Program(t, b, around)
	host := testHost(t)
	host.Program = program
	be, err := backend.New(config(program), host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left, _ := os.ReadDir(host.TempDir); len(left) > 0 {
			t.Errorf("left behind in the temp folder: %v", left)
		}
	})
	return be, seen
}

// gone fails the test when a process of the fake program still runs.
func gone(t *testing.T, s backendtest.Seen) {
	t.Helper()
	for _, pid := range []string{s.PID, s.Child} {
		if pid == "" {
			t.Log("the fake program was ended before it could tell its process id")
			continue
		}
		deadline := time.Now().Add(10 * time.Second)
		for alive(pid) && time.Now().Before(deadline) {
			time.Sleep(10 * time.Millisecond)
		}
		if alive(pid) {
			t.Errorf("process %s still runs", pid)
		}
	}
}

// alive reads the kernel's table: a zombie that nobody has waited for yet holds
// no program any more.
func alive(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func TestProcessIsKeptApart(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			program, seen := backendtest.Program(t, backendtest.Behaviour{Answer: `{"scope-check": {"new_proposal": true}}`}, k.around)
			project := t.TempDir()
			host := backend.Host{
				Environ: append(os.Environ(), "CLAUDECODE=1", "CLAUDE_PROJECT_DIR="+project, "BASH_ENV=/nowhere", "TOKEN_OF_MINE=kept", "AGENTGUARD_JUDGE_ACTIVE=0"),
				TempDir: t.TempDir(), Rand: rand.Reader, Program: program,
			}
			c := k.config(program)
			c.Env = map[string]string{"EXTRA": "1"}
			b, err := backend.New(c, host)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Ask(t.Context(), question(t, judge.CommitBeforeVerification, judge.ScopeCheck)); err != nil {
				t.Fatal(err)
			}
			s := seen()
			got := map[string]string{}
			for _, name := range []string{"AGENTGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE", "AGENTGUARD_JUDGE_CHECKS", "CLAUDECODE", "CLAUDE_PROJECT_DIR", "BASH_ENV", "TOKEN_OF_MINE", "EXTRA"} {
				if v, ok := s.Env[name]; ok {
					got[name] = v
				}
			}
			want := map[string]string{
				"AGENTGUARD_JUDGE_ACTIVE":    "1",
				"STOP_HOOK_LLM_JUDGE_ACTIVE": "1",
				"AGENTGUARD_JUDGE_CHECKS":    "commit-before-verification scope-check",
				"TOKEN_OF_MINE":              "kept",
				"EXTRA":                      "1",
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("environment (-want +got):\n%s", d)
			}
			if !strings.HasPrefix(s.CWD, host.TempDir) || len(s.Files) > 0 {
				t.Errorf("started in %s, which holds %q", s.CWD, s.Files)
			}
			if !strings.Contains(s.Stdin, "committing this now") {
				t.Error("the text did not reach stdin")
			}
			for _, a := range s.Args {
				if strings.Contains(a, "committing this now") {
					t.Error("the text stands in the arguments, where every user of the machine can read it")
				}
			}
		})
	}
}

func TestSafeFlags(t *testing.T) {
	answer := backendtest.Behaviour{Answer: `{"scope-check": {"new_proposal": true}}`}
	for _, tc := range []struct {
		kind int
		want [][]string // runs of arguments
	}{
		{1, [][]string{
			{"-p"},
			{"--tools", ""},
			{"--setting-sources", ""},
			{"--settings", `{"disableAllHooks":true}`},
			{"--strict-mcp-config"},
			{"--no-session-persistence"},
			{"--output-format", "json"},
			{"--model", "haiku"},
			{"--max-turns", "3"},
		}},
		{2, [][]string{
			{"exec", "--ephemeral"},
			{"-s", "read-only"},
			{"--disable", "hooks"},
			{"--disable", "shell_tool"},
			{"--disable", "unbounded_connection_retries"},
			{"--ignore-rules"},
			{"--skip-git-repo-check"},
			{"-c", "web_search=disabled"},
		}},
	} {
		k := kinds[tc.kind]
		t.Run(k.name, func(t *testing.T) {
			b, seen := start(t, k.config, k.around, answer)
			if _, err := b.Ask(t.Context(), question(t, judge.ScopeCheck)); err != nil {
				t.Fatal(err)
			}
			args := seen().Args
			for _, want := range tc.want {
				found := false
				for i := range args {
					found = found || i+len(want) <= len(args) && slices.Equal(args[i:i+len(want)], want)
				}
				if !found {
					t.Errorf("%q is not in %q", want, args)
				}
			}
		})
	}
}

func TestClaudeReadsNoMentionedFile(t *testing.T) {
	k := kinds[1]
	b, seen := start(t, k.config, k.around, backendtest.Behaviour{Answer: `{"scope-check": {"new_proposal": false}}`})
	q := question(t, judge.ScopeCheck)
	q.Text = "See @/etc/hostname, @~/.ssh/id_rsa and @\"a b\"."
	if _, err := b.Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if in := seen().Stdin; strings.Contains(in, "@") || !strings.Contains(in, "/etc/hostname") {
		t.Errorf("stdin would make the client read files: %q", in)
	}
}
