//go:build unix

package settings_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentguard/settings"
)

const killMe = "AGENTGUARD_TEST_WRITE_UNTIL_KILLED"

// TestKilledWriter is the program that TestKillLeavesOneOfBoth kills.
func TestKilledWriter(t *testing.T) {
	path := os.Getenv(killMe)
	if path == "" {
		t.Skip("only started by another test")
	}
	w := settings.Writer{Pause: func(int) {}}
	for {
		for _, letter := range []string{"a", "b"} {
			if err := w.Update(t.Context(), path, put(strings.Repeat(letter, 300_000))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// At whatever moment a write is killed, the old file or the new one is there, whole.
func TestKillLeavesOneOfBoth(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "settings.json")
	for i := range 12 {
		write(t, path, strings.Repeat("a", 300_000))
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), killMe+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+i*7) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 300_000 || bytes.Count(got, got[:1]) != len(got) {
			t.Fatalf("run %d: %d bytes, begins %q", i, len(got), got[:min(len(got), 20)])
		}
	}
	// The next write with a lock clears what the killed ones left.
	w := settings.Writer{LockDir: t.TempDir()}
	if err := w.Update(t.Context(), path, put("x")); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, filepath.Dir(path), "settings.json")
}
