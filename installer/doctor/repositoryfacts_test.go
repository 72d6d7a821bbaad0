package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRepositoryFacts: each source of facts that is cut off is an error with its
// mend, and one that is there is none. What the guards are not set up for is not
// looked at.
func TestRepositoryFacts(t *testing.T) {
	git := func(pl *place, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", pl.project, "-c", "user.name=a", "-c", "user.email=a@example.invalid"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+pl.home, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	path := func(pl *place, path string) {
		pl.env = append(pl.env, "PATH="+path)
	}
	tests := []struct {
		name string
		cut  func(pl *place)
		want []string
		mend string
	}{
		{"all is there", func(*place) {}, nil, ""},
		{"no repository", func(pl *place) { _ = os.RemoveAll(filepath.Join(pl.project, ".git")) }, nil, ""},
		{"no repository and no git", func(pl *place) { _ = os.RemoveAll(filepath.Join(pl.project, ".git")); path(pl, "/nothing") }, nil, ""},
		{"no git", func(pl *place) { path(pl, "/nothing") }, []string{"git-missing"}, "PATH"},
		{"no git on the PATH of the settings", func(pl *place) {
			pl.write("project/.claude/settings.local.json", `{"env": {"PATH": "/nothing"}}`)
		}, []string{"git-missing"}, "PATH"},
		{"git is killed", func(pl *place) {
			pl.write("home/bin/git", "#!/bin/sh\nkill -9 $$\n")
			path(pl, filepath.Join(pl.home, "bin"))
		}, []string{"git-fails"}, "git status"},
		{"git refuses", func(pl *place) {
			pl.write("home/bin/git", "#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '/w'\" >&2\nexit 128\n")
			path(pl, filepath.Join(pl.home, "bin"))
		}, []string{"repository-refused"}, "safe.directory /w"},
		{"the index is corrupt", func(pl *place) { pl.write("project/.git/index", "garbage") }, []string{"repository-broken"}, "git reset"},
		{"HEAD is corrupt", func(pl *place) { pl.write("project/.git/HEAD", "garbage") }, []string{"repository-broken"}, "restore .git"},
		{"the record's folder is a file", func(pl *place) { pl.write("home/.local/state/agentguard", "") }, []string{"record-broken"}, "~/.local/state/agentguard"},
		{"not set up", func(pl *place) {
			_ = os.Remove(filepath.Join(pl.project, ".claude", "settings.json"))
			path(pl, "/nothing")
		}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pl := newPlace(t)
			pl.write("project/a.txt", "a\n")
			pl.write("project/.claude/settings.json", ownSettings("{{HOME}}/.local/bin/agentguard-hook"))
			git(pl, "init", "-q")
			git(pl, "add", "-A")
			git(pl, "commit", "-qm", "one")
			tt.cut(pl)
			p := pl.patient()
			p.defaults()
			var got []string
			for _, f := range repositoryFacts().Run(t.Context(), p) {
				f = Report{home: pl.home}.Show(f)
				got = append(got, f.Kind)
				if f.Severity != Error || !strings.Contains(f.Fix, tt.mend) {
					t.Errorf("%s: %s %q, want a mend with %q", f.Kind, f.Severity, f.Fix, tt.mend)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
