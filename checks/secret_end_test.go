package checks_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"agentguard/checks/secrets"
	"agentguard/hook"
)

// TestScansToTheEnd: a secret is found wherever it stands in what a call hands on,
// and whatever stands before it.
func TestScansToTheEnd(t *testing.T) {
	line := "T = '" + certain + "'\n"
	code := strings.Repeat("\tif err := run(ctx, dir); err != nil { return err }\n", (4<<20)/50)
	var noise strings.Builder // as a compiled program is made of
	for i := range 1 << 20 {
		noise.WriteByte(byte(i * i >> 3))
	}
	for name, content := range map[string]string{
		"behind 4 MB of text":         code + line,
		"behind 6 MB on one line":     strings.Repeat("x = 1; ", (6<<20)/7) + line,
		"after a NUL byte":            "a = 1\n\x00\n" + line,
		"after NUL bytes, further on": code[:1<<20] + strings.Repeat("\x00", 100) + "\n" + line,
		"in UTF-16":                   wide("a = 1\r\n" + line),
		"in a program":                noise.String() + "\x00" + certain + "\x00" + noise.String(),
		"before 4 MB of text":         line + code,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t)
			at := filepath.Join(dir, "src", "big.py")
			expect := func(how string, tool string, input any) {
				t.Helper()
				in := call(t, dir, "", tool, input)
				in.World.Scan = func(context.Context, []secrets.File) ([]secrets.Finding, error) { return nil, nil }
				f := run(t, "secret-leak", in)
				if f.Decision != hook.Deny || f.Rule != "github-token" || !strings.Contains(f.Reason, "src/big.py") {
					t.Errorf("%s: %s, rule %s, %s", how, f.Decision, f.Rule, f.Reason)
				}
				noValue(t, f)
			}
			if !strings.Contains(content, "\xff") && !strings.ContainsRune(content, 0xfffd) {
				expect("written", "Write", write{at, content})
			}
			if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			expect("added and committed", "Bash", bash{"git add -A && git commit -m x"})
			git(t, dir, "add", "-A")
			expect("committed", "Bash", bash{"git commit -m x"})
			git(t, dir, "commit", "-qm", "x")
			expect("pushed", "Bash", bash{"git push origin topic"})
		})
	}
}

// TestNotSearched: what could not be looked at does not pass.
func TestNotSearched(t *testing.T) {
	if testing.Short() {
		t.Skip("writes large files")
	}
	clean := func(context.Context, []secrets.File) ([]secrets.Finding, error) { return nil, nil }
	for _, c := range []struct {
		name, command, says string
		prepare             func(dir string)
		scan                func(context.Context, []secrets.File) ([]secrets.Finding, error)
	}{
		{"the wide set takes too long", "git add -A && git commit -m x", "did not end", func(dir string) {
			put(t, dir, "a.py", "key = '"+possible+"'\n")
		}, func(context.Context, []secrets.File) ([]secrets.Finding, error) {
			return nil, fmt.Errorf("scanning: %w", context.DeadlineExceeded)
		}},
		{"too many commits, which add nothing", "git push origin topic", "more commits", func(dir string) {
			for range 210 {
				git(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
			}
		}, clean},
		{"a picture of 70 MB", "git commit -m x", "too large", func(dir string) {
			put(t, dir, "a.bin", "")
			if err := os.Truncate(filepath.Join(dir, "a.bin"), 70<<20); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "add", "-A")
		}, clean},
		{"70 MB that are added first", "git add -A && git commit -m x", "more than 64 MB", func(dir string) {
			put(t, dir, "a.txt", strings.Repeat("one line of a text\n", (70<<20)/19))
		}, clean},
		{"text for more than the wide set", "git add -A && git commit -m x", "behind the first 20 MB", func(dir string) {
			put(t, dir, "a.txt", strings.Repeat("id = 7f3Kq8vTz3rWmN7yKb\n", (21<<20)/24))
		}, clean},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t)
			c.prepare(dir)
			in := call(t, dir, "", "Bash", bash{c.command})
			in.World.Scan = c.scan
			f := run(t, "secret-leak", in)
			if f.Decision != hook.Ask || f.Rule != "not-searched" || !strings.Contains(f.Reason, c.says) {
				t.Errorf("%s, rule %s, %s (note %q)", f.Decision, f.Rule, f.Reason, f.Note)
			}
			noValue(t, f)
		})
	}
	// Where the wide set cannot be had at all, the built-in kinds must do.
	dir := repository(t)
	put(t, dir, "a.py", "key = '"+possible+"'\n")
	in := call(t, dir, "", "Bash", bash{"git add -A && git commit -m x"})
	in.World.Scan = func(context.Context, []secrets.File) ([]secrets.Finding, error) { return nil, errors.New("no rules") }
	if f := run(t, "secret-leak", in); f.Decision != hook.Pass || !strings.Contains(f.Note, "no rules") {
		t.Errorf("%s, note %q", f.Decision, f.Note)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=D", "GIT_AUTHOR_EMAIL=d@example.invalid",
		"GIT_COMMITTER_NAME=D", "GIT_COMMITTER_EMAIL=d@example.invalid",
	}
	if runtime.GOOS == "windows" {
		cmd.Env = append(os.Environ(), cmd.Env...)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// wide is a text in UTF-16, as editors of Windows save it.
func wide(text string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}
