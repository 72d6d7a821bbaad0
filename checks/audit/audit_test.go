package audit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentguard/checks/audit"
)

var now = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

const today = "2026-11-29.jsonl"

// TestTornLine: what a dead writer left is a line of its own, and the record
// behind it can be read.
func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, today), []byte("{\"kind\":\"event\"}\n{\"kind\":\"ev"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := audit.Append(dir, now, audit.Record{Kind: "event", Tool: "Bash"}); err != nil {
			t.Fatal(err)
		}
	}
	read := 0
	for line := range strings.Lines(content(t, filepath.Join(dir, today))) {
		if json.Valid([]byte(line)) {
			read++
		}
	}
	if read != 3 {
		t.Errorf("%d lines can be read, want 3:\n%s", read, content(t, filepath.Join(dir, today)))
	}
}

// TestInTheLogsPlace: a link is not followed, and nothing that stands in the
// file's place keeps a record out of the log or its content from being found.
func TestInTheLogsPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		put  func(at, elsewhere string) error
	}{
		{"a link to a file", func(at, elsewhere string) error { return os.Symlink(elsewhere, at) }},
		{"a link to nothing", func(at, elsewhere string) error { return os.Symlink(elsewhere+".none", at) }},
		{"a folder", func(at, _ string) error { return os.Mkdir(at, 0o700) }},
		{"a full folder", func(at, _ string) error { return os.MkdirAll(filepath.Join(at, "sub"), 0o700) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, other := t.TempDir(), t.TempDir()
			elsewhere := filepath.Join(other, "victim")
			if err := os.WriteFile(elsewhere, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := c.put(filepath.Join(dir, today), elsewhere); err != nil {
				t.Skip(err)
			}
			if err := audit.Append(dir, now, audit.Record{Kind: "event", Tool: "Bash"}); err != nil {
				t.Fatal(err)
			}
			if got := content(t, filepath.Join(dir, today)); !strings.Contains(got, `"tool":"Bash"`) {
				t.Errorf("the log holds %q", got)
			}
			if got := content(t, elsewhere); got != "mine" {
				t.Errorf("the other file holds %q", got)
			}
			if left, err := os.ReadDir(other); err != nil || len(left) != 1 {
				t.Errorf("beside it: %v, %v", left, err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
				t.Errorf("what stood there is not kept: %v, %v", left, err)
			}
		})
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"2026-10-01.jsonl", "2026-10-02.jsonl.aside-5", "2026-11-28.jsonl", today, "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "2026-09-30.jsonl.aside-5", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := audit.Prune(dir, now, 30); err == nil {
		t.Error("a full folder was removed")
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got, want := strings.Join(left, " "), "2026-09-30.jsonl.aside-5 2026-11-28.jsonl 2026-11-29.jsonl notes.txt"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
