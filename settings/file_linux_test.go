package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agentguard/settings"
)

// A full disk: the old file stays, nothing else is left behind.
func TestUpdateOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("needs a small file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	path := filepath.Join(dir, "settings.json")
	write(t, path, "old")
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 52<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	err := settings.Writer{}.Update(t.Context(), path, put(strings.Repeat("n", 40<<10)))
	if err == nil || !strings.Contains(err.Error(), "space") {
		t.Errorf("err = %v", err)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("file became %d bytes", len(got))
	}
	onlyFiles(t, dir, "filler", "settings.json")
}
