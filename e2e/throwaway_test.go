//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestThrowawayFolders: the contents of files that git is given to work on are gone
// when the hook has answered, also where git did not come to its end, and after the
// next start where the hook itself was killed.
func TestThrowawayFolders(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for a deadline")
	}
	o := newOdd(t)
	// Only git knows what becomes of such a file.
	o.sh("echo '*.go ident' >> .gitattributes && git add -A && git commit -qm ident && echo '// $Id$' >> a.go")
	slow := filepath.Join(o.dir, "slow")
	put(t, filepath.Join(slow, "git"), "#!/bin/sh\ncase $* in *write-tree*) exec sleep 60 ;; esac\nexec /usr/bin/git \"$@\"\n")
	if _, err := os.Stat("/usr/bin/git"); err != nil {
		t.Skip(err)
	}
	o.env = append(o.env, "PATH="+slow+string(os.PathListSeparator)+toolPath(t))
	tmp := filepath.Join(o.home, ".local", "state", "agentguard", "tmp")

	// The hook waits for git as long as it may.
	began := time.Now()
	cmd := o.start(2)
	seen := false
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for running := true; running; {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			running = false
		case <-time.After(20 * time.Millisecond):
			seen = seen || len(below(tmp)) > 0
		}
	}
	if !seen {
		t.Error("git was given no folder: the test shows nothing")
	}
	if left := below(tmp); len(left) > 0 {
		t.Errorf("left behind after %v: %v", time.Since(began), left)
	}

	// A client that has no patience kills the hook.
	cmd = o.start(2)
	for deadline := time.Now().Add(20 * time.Second); len(below(tmp)) == 0 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if len(below(tmp)) == 0 {
		t.Fatal("the killed hook left nothing: the test shows nothing")
	}
	if err := o.start(0).Wait(); err != nil {
		t.Error(err)
	}
	if left := below(tmp); len(left) > 0 {
		t.Errorf("left behind after the next start: %v", left)
	}
}

// start begins to ask an event.
func (o *odd) start(i int) *exec.Cmd {
	o.Helper()
	all := map[string]any{
		"session_id": "odd", "cwd": o.repo, "permission_mode": "default", "hook_event_name": oddEvents[i].name,
		"tool_name": "Bash", "tool_use_id": "toolu_9", "tool_input": oddEvents[i].more["tool_input"],
	}
	raw, err := json.Marshal(all)
	if err != nil {
		o.Fatal(err)
	}
	cmd := exec.CommandContext(o.Context(), o.hook)
	cmd.Dir, cmd.Env, cmd.Stdin = o.repo, o.env, bytes.NewReader(raw)
	if err := cmd.Start(); err != nil {
		o.Fatal(err)
	}
	return cmd
}

// below lists the names in a folder; none where it is missing.
func below(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
