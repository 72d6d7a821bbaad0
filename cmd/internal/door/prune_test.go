package door_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOldSessionsAreForgotten(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, ".local/state/agentguard/sessions")
	old, fresh := filepath.Join(dir, "old.json"), filepath.Join(dir, "fresh.json")
	w.write(old, "{}")
	w.write(fresh, "{}")
	for name, age := range map[string]time.Duration{old: 31 * 24 * time.Hour, fresh: time.Hour} {
		if err := os.Chtimes(name, w.now.Add(-age), w.now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	w.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	if _, err := os.Stat(old); err == nil {
		t.Error("the old session is still there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("the fresh session is gone")
	}
}
