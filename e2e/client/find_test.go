package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agentguard/e2e/client"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "own")
	cached := filepath.Join(dir, "full", "agentguard-ci", "claude-"+client.Version(), "claude")
	for _, path := range []string{program, cached} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	plain := filepath.Join(dir, "plain.txt")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, variable, cache, want string
		notFound, bad               bool
	}{
		{name: "named", variable: program, cache: "full", want: program},
		{name: "cached", cache: "full", want: cached},
		{name: "none", cache: "empty", notFound: true},
		{name: "a wrong name does not fall back", variable: filepath.Join(dir, "gone"), cache: "full", bad: true},
		{name: "a folder", variable: dir, cache: "full", bad: true},
		{name: "not executable", variable: plain, cache: "full", bad: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := client.Find(func(string) string { return tt.variable }, filepath.Join(dir, tt.cache))
			if got.Path != tt.want {
				t.Errorf("path %q, want %q", got.Path, tt.want)
			}
			if is := errors.Is(err, client.ErrNotFound); is != tt.notFound {
				t.Errorf("error %v: not found is %v, want %v", err, is, tt.notFound)
			}
			if (err != nil) != (tt.bad || tt.notFound) {
				t.Errorf("error %v", err)
			}
		})
	}
}
