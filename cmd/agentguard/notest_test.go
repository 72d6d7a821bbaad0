package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestGateStaysClosed sends the built hook program what runs no test, as if it had
// ended well, and then the commit: on a tree whose tests fail, none of it opens the
// gate, neither recorded nor in front of the commit. The runner's own command does.
// The table is that of the package that recognises runs; no runner is started.
func TestGateStaysClosed(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand starts of the program are left out under -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the commands are a POSIX shell's")
	}
	groups, cases := noTest(t)
	if cases < 500 {
		t.Errorf("only %d commands", cases)
	}
	const commit = "git commit -am x"
	g := newGate(t)
	for _, group := range groups {
		run, idle := group[0], group[1:]
		g.policy(run)
		g.forget()
		for _, command := range idle {
			g.ran(command)
		}
		// All at once, and one by one only where that passes.
		if !refused(g.asked(commit)) {
			for _, command := range idle {
				g.forget()
				g.ran(command)
				if !refused(g.asked(commit)) {
					t.Errorf("after %q the commit passes", command)
				}
			}
		}
		g.forget()
		if command := idle[0] + " && " + commit; !refused(g.asked(command)) {
			t.Errorf("%q passes", command)
		}
		g.ran(run)
		if out := g.asked(commit); out != "" {
			t.Errorf("%q passed, and the commit is refused: %s", run, out)
		}
	}
}

func refused(answer string) bool { return strings.Contains(answer, "[unverified-commit]") }

// noTest reads the table: groups of a command that runs tests and of those of the
// same runner that do not.
func noTest(t *testing.T) (groups [][]string, cases int) {
	t.Helper()
	text, err := os.ReadFile("../../checks/evidence/testdata/no_test.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "", line[0] == '#':
		case line[0] == '\t':
			last := len(groups) - 1
			groups[last] = append(groups[last], line[1:])
			cases++
		default:
			groups = append(groups, []string{line})
		}
	}
	return groups, cases
}

// gate is a repository with failing tests, and a home folder for the hook program.
type gate struct {
	t          *testing.T
	hook       string
	repo, home string
	calls      int
}

func newGate(t *testing.T) *gate {
	t.Helper()
	bin := t.TempDir()
	build(t, bin, "agentguard-hook")
	g := &gate{t: t, hook: filepath.Join(bin, "agentguard-hook"), repo: t.TempDir(), home: t.TempDir()}
	for name, content := range map[string]string{
		"go.mod":    "module x\n",
		"a.go":      "package x\n",
		"a_test.go": "package x\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Fatal() }\n",
	} {
		g.write(name, content)
	}
	g.git("init", "-q")
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "one")
	g.write("a.go", "package x // changed\n")
	return g
}

func (g *gate) write(name, content string) {
	g.t.Helper()
	path := filepath.Join(g.repo, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gate) env() []string {
	return []string{"HOME=" + g.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
}

func (g *gate) git(args ...string) {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), "git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@example.invalid"}, args...)...)
	cmd.Dir, cmd.Env = g.repo, g.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// policy makes the command the project's tests.
func (g *gate) policy(command string) {
	g.t.Helper()
	text, err := json.Marshal(map[string]any{"version": 1, "profile": "standard", "verify": map[string]any{"test": []string{command}}})
	if err != nil {
		g.t.Fatal(err)
	}
	g.write(".agentguard/policy.jsonc", string(text))
}

// forget takes away what the hook program remembers of runs.
func (g *gate) forget() {
	g.t.Helper()
	if err := os.RemoveAll(filepath.Join(g.home, ".local")); err != nil {
		g.t.Fatal(err)
	}
}

// ran tells the hook program that a command ended well.
func (g *gate) ran(command string) {
	g.t.Helper()
	g.send("PostToolUse", command, map[string]any{"tool_response": map[string]any{"stdout": "", "stderr": ""}})
}

// asked is the hook program's answer to a command that is to run.
func (g *gate) asked(command string) string {
	g.t.Helper()
	return g.send("PreToolUse", command, nil)
}

func (g *gate) send(event, command string, more map[string]any) string {
	g.t.Helper()
	g.calls++
	fields := map[string]any{
		"session_id": "s", "hook_event_name": event, "cwd": g.repo, "tool_name": "Bash",
		"tool_input": map[string]any{"command": command}, "tool_use_id": fmt.Sprint("t", g.calls),
	}
	maps.Copy(fields, more)
	input, err := json.Marshal(fields)
	if err != nil {
		g.t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(g.t.Context(), g.hook)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = g.repo, g.env(), bytes.NewReader(input), &out, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		g.t.Fatalf("%s of %q: %v\n%s", event, command, err, &stderr)
	}
	return out.String()
}
