//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/e2e/client"
)

// standIn is a client program of ours: a script that does what it is told.
func standIn(t *testing.T, body string) client.Client {
	t.Helper()
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return client.Client{Path: path}
}

func TestRunReadsTheStream(t *testing.T) {
	c := standIn(t, `cat <<'OUT'
{"type":"system","subtype":"init","tools":["Bash"]}
{"type":"system","subtype":"hook_response","hook_event":"PreToolUse","outcome":"success","exit_code":0,"stdout":"{}","stderr":"note"}

{"type":"system","subtype":"informational","content":"Stop says: still open"}
{"type":"system","subtype":"hook_response","hook_event":"Stop","outcome":"error","exit_code":3}
{"type":"result","result":"Done.","session_id":"s1","permission_denials":[{"tool_name":"Bash","tool_input":{"command":"x"}}]}
OUT
echo oops >&2; exit 4`)
	got, err := c.Run(t.Context(), client.Run{Dir: t.TempDir(), Path: os.Getenv("PATH")})
	if err != nil {
		t.Fatal(err)
	}
	got.Took = 0
	want := client.Result{
		Status: 4, Final: "Done.", Session: "s1", Stderr: "oops\n", Messages: []string{"Stop says: still open"},
		Hooks: []client.Hook{
			{Event: "PreToolUse", Outcome: "success", Stdout: "{}", Stderr: "note"},
			{Event: "Stop", Outcome: "error", Status: 3},
		},
		Denied: []client.Denial{{Tool: "Bash", Input: map[string]any{"command": "x"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if stops := got.Of("Stop"); len(stops) != 1 || stops[0].Status != 3 {
		t.Errorf("Of(Stop) = %v", stops)
	}
}

func TestRunGivesNothingOfTheCaller(t *testing.T) {
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "mine")
	home := t.TempDir()
	c := standIn(t, `env > "$HOME/env"; echo '{"type":"result"}'`)
	if _, err := c.Run(t.Context(), client.Run{
		Home: home, Dir: home, Path: os.Getenv("PATH"), ModelURL: "http://127.0.0.1:1", Env: map[string]string{"EXTRA": "1"},
	}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(home, "env"))
	if err != nil {
		t.Fatal(err)
	}
	env := string(raw)
	if strings.Contains(env, "ANTHROPIC_AUTH_TOKEN") {
		t.Error("the caller's token reached the client")
	}
	for _, want := range []string{"EXTRA=1\n", "HOME=" + home + "\n", "ANTHROPIC_BASE_URL=http://127.0.0.1:1\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("the environment lacks %q", want)
		}
	}
}

func TestRunSaysWhatWentWrong(t *testing.T) {
	for _, tt := range []struct {
		name, body, want string
		is               error
	}{
		{name: "no result", body: "echo broken >&2; exit 1", want: "broken", is: client.ErrNoResult},
		{name: "not a stream", body: "echo hello", want: "reading the client's stream"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := standIn(t, tt.body).Run(t.Context(), client.Run{Dir: t.TempDir(), Path: os.Getenv("PATH")})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v is not %v", err, tt.is)
			}
		})
	}
}

// A timeout must also end what the client started, or a hung test would leave programs behind.
func TestTimeoutEndsTheWholeGroup(t *testing.T) {
	dir := t.TempDir()
	c := standIn(t, `sleep 300 & echo $! > child; wait`)
	_, err := c.Run(t.Context(), client.Run{Dir: dir, Path: os.Getenv("PATH"), Timeout: time.Second})
	if err == nil || !strings.Contains(err.Error(), "no end after") {
		t.Fatalf("error %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the client's child is still running")
		}
	}
}

// alive tells a running process from one that is gone or only waits to be collected.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
