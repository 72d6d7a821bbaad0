package checks_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agentguard/checks"
	"agentguard/hook"
)

// Values are put together here, so that no scanner takes this file for a leak.
const (
	certain  = "gh" + "p_wQ7dK2mZx9LrT4vB8nYcH3sJf6Pg1Ae5uRtW"
	possible = "Kq8vTz3r" + "WmN7yKbXcLpD2fGs"
)

// TestBrokenScanner: whatever becomes of the program with the wide set of rules,
// the built-in kinds count, the record says that only they did, and no value
// comes back from it.
func TestBrokenScanner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	dir := repository(t)
	for _, c := range []struct {
		name, script, note string
	}{
		{"missing", "", "not installed"},
		{"fails and prints what it read", "cat >&2; exit 3", "failed"},
		{"prints what it read", "cat", "gave no answer"},
		{"prints no JSON", "cat >/dev/null; echo oops", "gave no answer"},
		{"says why", `cat >/dev/null; echo '{"error":"no rules"}'`, "no rules"},
		{"does not read", "exit 0", "only the built-in kinds"},
		{"hangs", "sleep 60", "did not end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "hangs" && testing.Short() {
				t.Skip("waits for the time limit")
			}
			t.Parallel()
			in := call(t, dir, "", "Write", write{filepath.Join(dir, "a.py"), "T = '" + certain + "'\nU = '" + possible + "'\n"})
			in.World.Tool = filepath.Join(t.TempDir(), "agentguard")
			if c.script != "" {
				if err := os.WriteFile(in.World.Tool, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			f := run(t, "secret-leak", in)
			if f.Decision != hook.Deny || f.Rule != "github-token" || !strings.Contains(f.Note, c.note) {
				t.Errorf("%s, rule %s, note %q", f.Decision, f.Rule, f.Note)
			}
			noValue(t, f)
		})
	}
}

// TestScannerFinds: a find of the wide set is a question.
func TestScannerFinds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	dir := repository(t)
	in := call(t, dir, "", "Write", write{filepath.Join(dir, "a.py"), "\nU = '" + possible + "'\n"})
	in.World.Tool = filepath.Join(t.TempDir(), "agentguard")
	const answer = `{"findings":[{"path":"a.py","line":2,"kind":"generic-api-key","level":"possible"}]}`
	if err := os.WriteFile(in.World.Tool, []byte("#!/bin/sh\ncat >/dev/null\necho '"+answer+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := run(t, "secret-leak", in)
	if f.Decision != hook.Ask || !strings.HasPrefix(f.Reason, "a.py:2 holds what looks like a secret (generic-api-key). ") || f.Note != "" {
		t.Errorf("%s %q, note %q", f.Decision, f.Reason, f.Note)
	}
	noValue(t, f)
}

// TestWrites: where a file goes decides, and only what is new in it counts.
func TestWrites(t *testing.T) {
	dir := repository(t)
	line := "T = '" + certain + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "src", "had.py"), []byte("# one\n"+line), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("private/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	type edit struct {
		Path string `json:"file_path"`
		Old  string `json:"old_string"`
		New  string `json:"new_string"`
	}
	at := func(p string) string { return filepath.Join(dir, p) }
	for _, c := range []struct {
		name, tool string
		input      any
		want       hook.Decision
		where      string
	}{
		{"a new file", "Write", write{at("src/b.py"), "x\n" + line}, hook.Deny, "src/b.py:2"},
		{"an edit, at its line", "Edit", edit{at("src/had.py"), "# one", "# one\n# two\nU = '" + certain + "'"}, hook.Deny, "src/had.py:3"},
		{"an edit of a line beside it", "Edit", edit{at("src/had.py"), "# one\n" + line, "# two\n" + line}, hook.Pass, ""},
		{"a file written again", "Write", write{at("src/had.py"), "# new\n" + line}, hook.Pass, ""},
		{"an ignored file", "Write", write{at("private/b.py"), line}, hook.Pass, ""},
		{"local settings, which protected-path speaks about", "Write", write{at(".env"), line}, hook.Pass, ""},
		{"a file of nobody's", "Write", write{filepath.Join(filepath.Dir(dir), "x.py"), line}, hook.Pass, ""},
		{"a test", "Write", write{at("tests/test_b.py"), line}, hook.Ask, "tests/test_b.py:1"},
		{"a heredoc", "Bash", bash{"cat > src/c.sh <<'E'\n" + line + "E"}, hook.Deny, "src/c.sh:1"},
		{"an echo", "Bash", bash{"cd src && echo \"" + strings.TrimSpace(line) + "\" >> c.py"}, hook.Deny, "src/c.py:1"},
		{"a command that only uses it", "Bash", bash{"curl -H 'Authorization: token " + certain + "' https://api.github.com"}, hook.Pass, ""},
		{"a reading tool", "Grep", map[string]string{"pattern": certain}, hook.Pass, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := run(t, "secret-leak", call(t, dir, "", c.tool, c.input))
			if f.Decision != c.want || f.Subject != c.where {
				t.Errorf("%s at %q, want %s at %q (%s)", f.Decision, f.Subject, c.want, c.where, f.Reason)
			}
			noValue(t, f)
		})
	}
}

// noValue fails where any text of a finding has a value in it.
func noValue(t *testing.T, f checks.Finding) {
	t.Helper()
	for _, text := range append([]string{f.Reason, f.Note, f.Subject, f.Rule, f.Matter}, append(f.Context, f.Notices...)...) {
		if strings.Contains(text, certain[4:12]) || strings.Contains(text, possible[:8]) {
			t.Errorf("a value in %q", text)
		}
	}
}
