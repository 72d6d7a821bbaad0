package installer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func gitIn(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "no home"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skip("git is not here")
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// What git says about a file must be what we say, for rules as people write them.
func TestIgnoredHereAgreesWithGit(t *testing.T) {
	files := []string{".claude/settings.local.json", ".agentguard/policy.local.jsonc", "deep/er/.claude/settings.local.json"}
	rules := []string{
		".claude/settings.local.json", "/.claude/settings.local.json", "settings.local.json", "*.local.json", "*.local.*", "*.json",
		".claude", ".claude/", "/.claude/", ".claude/*", ".claude/**", "**/.claude/", "**/settings.local.json", "**/.claude/*.local.json",
		"!settings.local.json", "!.claude/", "!.claude/settings.local.json", "!*.jsonc", ".*", "*", "!*/", "/*", "deep/", "deep/**", "/deep/*/.claude",
		"# .claude/", "\\#x", "", "  ", "settings.local.json  ", "settings.local.json\\ ", "?claude/", "[.]claude/", "[a-z]*.local.json", "er/.claude/",
		".claude/settings.local.json/", "/settings.local.json", "a/**/b", "deep/**/settings.local.json", "**", "\\!x", "\\.claude/",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		dir := t.TempDir()
		if out, code := gitIn(t, dir, "init", "-q"); code != 0 {
			t.Fatal(out)
		}
		for _, file := range files {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var all []string
		for _, at := range []string{".gitignore", ".git/info/exclude", ".claude/.gitignore", "deep/.gitignore"} {
			var lines []string
			for range random.IntN(4) {
				lines = append(lines, rules[random.IntN(len(rules))])
			}
			if err := os.WriteFile(filepath.Join(dir, at), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s %q", at, lines))
		}
		for _, file := range files {
			_, code := gitIn(t, dir, "check-ignore", "-q", file)
			if got := ignoredHere(dir, filepath.Join(dir, file), filepath.Join(dir, ".git/info/exclude")); got != (code == 0) {
				t.Errorf("set %d, %s: we say %v, git %v\n%s", i, file, got, code == 0, strings.Join(all, "\n"))
			}
		}
	}
}

func TestExcludeFileOfAWorktree(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main, linked := filepath.Join(dir, "main"), filepath.Join(dir, "linked")
	if err := os.Mkdir(main, 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, main, "init", "-q")
	gitIn(t, main, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "first")
	if out, code := gitIn(t, main, "worktree", "add", "-q", linked); code != 0 {
		t.Fatal(out)
	}
	want := filepath.Join(main, ".git", "info", "exclude")
	for _, top := range []string{main, linked} {
		if got := excludeFile(top); got != want {
			t.Errorf("%s: %s, want %s", top, got, want)
		}
	}
	if err := os.MkdirAll(filepath.Dir(want), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(want, []byte(".claude/settings.local.json\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, code := gitIn(t, linked, "check-ignore", "-q", ".claude/settings.local.json"); code != 0 {
		t.Error("git does not read that file in the worktree")
	}
}

func TestIgnoreLinesComeAndGo(t *testing.T) {
	files := []string{"a", "b/c"}
	for name, src := range map[string]string{
		"nothing": "", "plain": "node_modules\n", "no final newline": "x", "CRLF": "x\r\ny\r\n", "blank end": "x\n\n",
	} {
		added := addIgnores([]byte(src), files)
		for _, line := range files {
			if !strings.Contains("\n"+strings.ReplaceAll(string(added), "\r", ""), "\n"+line+"\n") {
				t.Errorf("%s: no line %q in %q", name, line, added)
			}
		}
		want := src
		if name == "no final newline" {
			want = "x\n"
		}
		if got := string(stripIgnores(added, files)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if strings.Contains(src, "\r\n") != strings.Contains(strings.TrimPrefix(string(added), src), "\r\n") {
			t.Errorf("%s: line ends differ: %q", name, added)
		}
	}
	mine := "a\n" + ignoreHeader + " and more\nb/c\n"
	if got := string(stripIgnores([]byte(mine), files)); got != mine {
		t.Errorf("lines of the person went: %q", got)
	}
}
