package throwaway_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"agentguard/hook/throwaway"
)

func TestDir(t *testing.T) {
	base := filepath.Join(t.TempDir(), "state", "tmp")
	one, remove, err := throwaway.Dir(base)
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := throwaway.Dir(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{one, two} {
		if err := os.MkdirAll(filepath.Join(dir, "objects"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(one); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	throwaway.Sweep(base, time.Now().Add(24*time.Hour)) // they are ours and in use
	remove()
	if left := names(t, base); len(left) != 1 {
		t.Errorf("left after one was removed: %v", left)
	}
	throwaway.Close()
	if left := names(t, base); len(left) != 0 {
		t.Errorf("left at the end: %v", left)
	}
}

// TestSweep: what a dead process left goes, what a living one has stays for a
// while, and so does all that is not ours.
func TestSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes are not asked there")
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	living := "agentguard-scratch-" + strconv.Itoa(os.Getppid()) + "-1"
	for _, name := range []string{
		"agentguard-scratch-" + strconv.Itoa(dead.Process.Pid) + "-1/objects", living + "/objects", "agentguard-scratch-x-1", "agentguard-scratch-", "agentguard-e2e-5", "other",
	} {
		if err := os.MkdirAll(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := "agentguard-scratch-" + strconv.Itoa(dead.Process.Pid) + "-file"
	if err := os.WriteFile(filepath.Join(base, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	throwaway.Sweep(base, time.Now())
	if left := names(t, base); len(left) != 6 {
		t.Errorf("left: %v", left)
	}
	throwaway.Sweep(base, time.Now().Add(2*time.Hour))
	if left := names(t, base); len(left) != 5 {
		t.Errorf("left after two hours: %v", left)
	}
	throwaway.Sweep(filepath.Join(base, "none"), time.Now())
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
