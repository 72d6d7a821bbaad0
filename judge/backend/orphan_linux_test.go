package backend_test

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentguard/judge"
	"agentguard/judge/backend"
)

// hookEnv makes this test binary stand for a hook that waits for its judge.
const hookEnv = "AGENTGUARD_TEST_HOOK_OF"

func TestMain(m *testing.M) {
	dir := os.Getenv(hookEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	script := "echo $$ >" + dir + "/pid.new; mv " + dir + "/pid.new " + dir + "/pid; exec sleep 300"
	b, err := backend.New(
		backend.Config{Type: "command", Command: []string{"sh", "-c", script}},
		backend.Host{Environ: os.Environ(), TempDir: dir, Rand: rand.Reader},
	)
	if err == nil {
		_, err = b.Ask(context.Background(), judge.Question{})
	}
	if err != nil {
		os.Exit(1)
	}
}

// TestKilledHookLeavesNoJudge kills the hook itself, as a client does at the
// entry's timeout: nothing of ours runs any more that could end the judge.
func TestKilledHookLeavesNoJudge(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	hook := exec.CommandContext(t.Context(), self)
	hook.Env = append(os.Environ(), hookEnv+"="+dir)
	if err := hook.Start(); err != nil {
		t.Fatal(err)
	}
	pid := ""
	for deadline := time.Now().Add(20 * time.Second); pid == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		raw, err := os.ReadFile(filepath.Join(dir, "pid"))
		if err == nil {
			pid = strings.TrimSpace(string(raw))
		}
	}
	if pid == "" || !alive(pid) {
		t.Fatalf("the judge's process %q did not start", pid)
	}
	if err := hook.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := hook.Wait(); err == nil {
		t.Fatal("the hook was not killed")
	}
	for deadline := time.Now().Add(10 * time.Second); alive(pid) && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
	}
	if alive(pid) {
		t.Errorf("the judge's process %s outlived the hook", pid)
	}
}
