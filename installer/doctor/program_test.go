package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestOwnProgram takes this test program for ours: it is a build of the module.
func TestOwnProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	build, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	put := func(path string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name      string
		installed []byte
		want      []string
	}{
		{name: "the same build", installed: build},
		{name: "another build", installed: append(slices.Clone(build), 0), want: []string{"program-stale"}},
		{name: "another program", installed: []byte("#!/bin/sh\nexit 0\n"), want: []string{"program-foreign"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pl := newPlace(t)
			installed := filepath.Join(pl.home, ".local", "bin", "agentguard-hook")
			put(installed, tt.installed)
			pl.write("project/.claude/settings.json", ownSettings("{{HOME}}/.local/bin/agentguard-hook"))
			p := pl.patient()
			p.HookPath = filepath.Join(pl.home, "build", "agentguard-hook")
			put(p.HookPath, build)
			p.defaults()
			var got []string
			for _, f := range ownProgram().Run(t.Context(), p) {
				got = append(got, f.Kind)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
