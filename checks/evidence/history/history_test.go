package history_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/checks/evidence/history"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=D", "GIT_AUTHOR_EMAIL=d@example.invalid",
		"GIT_COMMITTER_NAME=D", "GIT_COMMITTER_EMAIL=d@example.invalid",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestLastAgreesWithGit compares with git log, in the main checkout, in a linked
// worktree and with packed objects.
func TestLastAgreesWithGit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	if got, err := history.Last(dir, 5); err != nil || len(got) != 0 {
		t.Fatalf("a branch without a commit: %v, %v", got, err)
	}
	for _, name := range []string{"one", "two", "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", name+"\n\nbody")
	}
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked, "-b", "side")
	for _, prepare := range []func(){func() {}, func() { git(t, dir, "gc", "-q") }} {
		prepare()
		for _, at := range []string{dir, linked} {
			got, err := history.Last(at, 2)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, c := range got {
				lines = append(lines, c.ID+" "+c.Tree+" "+c.Subject)
			}
			if want := git(t, at, "log", "-2", "--format=%H %T %s"); strings.Join(lines, "\n") != want {
				t.Errorf("%v, git says\n%s", lines, want)
			}
		}
	}
	if _, err := history.Last(t.TempDir(), 1); err == nil {
		t.Error("no repository, no error")
	}
}
