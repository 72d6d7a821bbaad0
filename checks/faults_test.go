package checks_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/hook"
)

// fault is one line of testdata/toolcalls-faults.jsonl: what was answered once,
// and what is wanted.
type fault struct {
	ID, Kind, Setup, Want string
	Event                 *faultEvent
}

type faultEvent struct {
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"tool_input"`
}

// otherFaults are held by the tests of the packages that settle them.
var otherFaults = map[string]string{
	"passing-run-read-as-failed":  "checks/evidence reads the runners' output",
	"gate-ci-listing-as-run":      "checks/evidence tells runs",
	"any-name-with-test-is-a-run": "checks/evidence tells runs",
	"gate-dead-end":               "checks/evidence weighs runs",
	"init-wrong-test-command":     "cmd/internal/cli finds the project's commands",
	"slow-writes":                 "a matter of time, not of the answer",
}

// mustSay are words that the reason of a fault has, mustNotSay those that were
// untrue.
var (
	mustSay    = map[string]string{"tcf-047": "transcripts", "tcf-048": "another machine", "tcf-049": "--draft"}
	mustNotSay = map[string]string{"tcf-047": "logins", "tcf-048": "this machine", "tcf-049": "--dry-run"}
)

// TestFaults plays every fault at its wanted answer.
func TestFaults(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "toolcalls-faults.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var f fault
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		t.Run(f.ID+" "+f.Kind, func(t *testing.T) {
			if why, ok := otherFaults[f.Kind]; ok {
				t.Skip(why)
			}
			if f.Event == nil {
				t.Fatal("no event")
			}
			played++
			playFault(t, f)
		})
	}
	if played < 30 {
		t.Errorf("only %d faults were played", played)
	}
}

func playFault(t *testing.T, f fault) {
	t.Helper()
	home, app := faultFixture(t)
	cwd, policyText := app, ""
	switch {
	case strings.HasPrefix(f.Kind, "gate-"):
		policyText = `,"verify":{"test":["bun test"]}`
		writeFile(t, filepath.Join(app, "src", "a.ts"), "export const a = 2\n", 0o644)
	case f.Kind == "path-git-worktree-inside-git-folder":
		cwd = filepath.Join(app, ".git", "wt", "feat")
		gitIn(t, app, "worktree", "add", "-q", "-b", "feat", cwd)
	case f.ID == "tcf-030":
		cwd = filepath.Join(home, "app-wt")
		gitIn(t, app, "worktree", "add", "-q", "-b", "feat", cwd)
	}
	input := json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(string(f.Event.Input), "/home/dev/app", app), "/home/dev", home))
	in := call(t, cwd, policyText, f.Event.Tool, input)
	in.World.Home, in.World.State = home, filepath.Join(home, ".local", "state")
	r := engine.Run(t.Context(), in, checks.All(), time.Now)
	got := r.Answer()
	ok := false
	switch {
	case strings.HasPrefix(f.Want, "pass or ask"):
		ok = got.Decision <= hook.Ask
	case strings.HasPrefix(f.Want, "pass"):
		ok = got.Decision == hook.Pass
	case strings.HasPrefix(f.Want, "ask or deny"):
		ok = got.Decision >= hook.Ask
	case mustSay[f.ID] != "":
		ok = got.Decision >= hook.Ask && strings.Contains(got.Reason, mustSay[f.ID]) && !strings.Contains(got.Reason, mustNotSay[f.ID])
	default:
		t.Fatalf("what does it want? %q", f.Want)
	}
	if !ok {
		t.Errorf("got %v [%s] %s; want %s", got.Decision, got.Check, got.Reason, f.Want)
	}
}

// faultTemplate is the repository that the setups describe, made once.
var faultTemplate = struct {
	sync.Once
	dir string
}{}

// faultFixture copies the repository that the setups describe.
func faultFixture(t *testing.T) (home, app string) {
	t.Helper()
	faultTemplate.Do(func() {
		dir, err := os.MkdirTemp("", "faults") //nolint:usetesting // shared by all tests of the table
		if err != nil {
			t.Fatal(err)
		}
		faultTemplate.dir = dir
		makeFaults(t, dir)
	})
	home = filepath.Join(t.TempDir(), "home", "dev")
	if err := os.CopyFS(home, os.DirFS(faultTemplate.dir)); err != nil {
		t.Fatal(err)
	}
	return home, filepath.Join(home, "app")
}

func makeFaults(t *testing.T, home string) {
	t.Helper()
	app := filepath.Join(home, "app")
	for name, text := range map[string]string{
		"package.json": `{"name":"app","scripts":{"test":"bun test"}}`, "src/a.ts": "export const a = 1\n", ".gitignore": ".env\nnode_modules/\ndist/\n",
		".envrc": "use flake\n", ".agentguard/policy.jsonc": `{"version":1}`, "a.go": "package a\n",
		".claude/settings.json": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"agentguard-hook"}]}]}}`,
	} {
		writeFile(t, filepath.Join(app, name), text, 0o644)
	}
	writeFile(t, filepath.Join(app, "scripts", "harness.sh"), "#!/bin/sh\nREPO_DIR=/tmp/x; case \"$1\" in setup) cd \"$REPO_DIR\" && git init && git commit -m init;; list-points) echo none;; esac\n", 0o755)
	remote := filepath.Join(home, "remote.git")
	gitIn(t, home, "init", "-q", "--bare", "-b", "main", remote)
	gitIn(t, app, "init", "-q", "-b", "main")
	gitIn(t, app, "add", "-A")
	gitIn(t, app, "commit", "-qm", "one")
	gitIn(t, app, "remote", "add", "origin", remote)
	gitIn(t, app, "push", "-qu", "origin", "main")
	writeFile(t, filepath.Join(app, ".env"), "API_KEY=abcdef123456\n", 0o600)
	writeFile(t, filepath.Join(app, "node_modules", "x", "index.js"), "x\n", 0o644)
	writeFile(t, filepath.Join(app, "dist", "app.js"), "x\n", 0o644)
	writeFile(t, filepath.Join(app, "sub", ".claude", "settings.json"), `{"model":"x"}`, 0o644)
	writeFile(t, filepath.Join(home, ".claude", "projects", "-tmp-tool-test-repo", "a.jsonl"), "{}\n", 0o644)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if faultTemplate.dir != "" {
		_ = os.RemoveAll(faultTemplate.dir)
	}
	os.Exit(code)
}
