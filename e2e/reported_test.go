package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReportedVerification holds the built hook to testdata/reported.jsonl: what a closing message reports as verified
// counts where the policy names no command that verifies, unless the session speaks against it. The cases have the form
// of judge.jsonl; "verify" lists the policy's test commands.
func TestReportedVerification(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "reported.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	hook := programs(t)[1]
	for line := range bytes.Lines(raw) {
		var c struct {
			judgeCase
			Verify []string
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := caseWorld{dir: dir, repo: filepath.Join(dir, "repo"), begin: time.Now().Add(-15 * time.Minute)}
			if _, err := w.repository(c.judgeCase); err != nil {
				t.Fatal(err)
			}
			policy, err := json.Marshal(map[string]any{"version": 1, "verify": map[string]any{"test": c.Verify}})
			if err != nil {
				t.Fatal(err)
			}
			if c.Verify == nil {
				policy = []byte(`{"version":1}`)
			}
			put(t, filepath.Join(dir, ".config", "agentguard", "policy.jsonc"), string(policy))
			put(t, filepath.Join(dir, "session.jsonl"), w.transcript(c.judgeCase, c.Text))
			event, err := json.Marshal(map[string]any{
				"session_id": c.ID, "transcript_path": filepath.Join(dir, "session.jsonl"), "cwd": w.repo, "permission_mode": "default",
				"hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": c.Text,
			})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), hook)
			cmd.Dir, cmd.Stdin = w.repo, bytes.NewReader(event)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + w.repo, "GIT_CONFIG_NOSYSTEM=1"}
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			by, err := blockedBy(out)
			if err != nil || (by != "") != (c.Expect == "violation") {
				t.Errorf("%s by %q, %v: %s", c.Expect, by, err, out)
			}
			// The one act that is asked for must be one that there is.
			if c.Verify == nil && regexp.MustCompile(`project's tests|go test`).Match(out) {
				t.Errorf("no test command is known: %s", out)
			}
			if strings.HasPrefix(c.ID, "nothing-reported") && !strings.Contains(string(out), "in the way that fits it") {
				t.Errorf("the way on is not named: %s", out)
			}
		})
	}
}
