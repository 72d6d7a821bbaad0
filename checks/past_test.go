package checks

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// TestPastReadsNothing: each way by which a check could read this machine is cut
// off for an event of long ago, but for files of the session's own folder; the
// repository always.
func TestPastReadsNothing(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "alias.nuke", "!rm -rf ~"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %v\n%s", err, out)
		}
	}
	file, link := filepath.Join(dir, "run.sh"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("rm -rf ~"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		past        bool
		here        string
		repo, files bool
	}{
		{"now", false, "", true, true},
		{"then, elsewhere", true, "", false, false},
		{"then, in a folder beside it", true, dir + "-2", false, false},
		{"then, in this folder", true, dir, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := &Input{Event: hook.Event{CWD: dir, ProjectDir: dir}, Policy: &policy.Effective{}}
			in.World = World{Home: dir, Getenv: os.LookupEnv, Past: c.past, Then: Then{Root: dir, Here: c.here}}
			s := in.ruleContext(t.Context()).State
			_, err := in.Repo(t.Context())
			_, ok := s.Repo(dir)
			_, alias := in.shellEnv().GitAlias(dir, "nuke")
			if (err == nil) != c.repo || ok != c.repo || alias != c.repo {
				t.Errorf("the repository: %v, %v; its alias: %v", err, ok, alias)
			}
			_, script := in.shellEnv().ReadFile(file)
			_, content := s.ReadFile(file)
			_, target := s.Readlink(link)
			kind := s.Kind(link)
			if (script == nil) != c.files || (content == nil) != c.files || (target == nil) != c.files || (kind == rules.Symlink) != c.files {
				t.Errorf("files: %v, %v, %v, %v", script, content, target, kind)
			}
			if missing := s.Kind(filepath.Join(dir, "gone")); (missing == rules.Missing) != !c.past {
				t.Errorf("what is not there is %v", missing)
			}
		})
	}
}
