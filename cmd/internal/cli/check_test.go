package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentguard/cmd/internal/cli"
	"agentguard/cmd/internal/door"
)

// TestPolicyPage runs the example of the page: its cases hold, and there is
// nothing to warn about.
func TestPolicyPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		_, text, ok := strings.Cut(string(page), "```"+kind+"\n")
		text, _, closed := strings.Cut(text, "\n```")
		if !ok || !closed {
			t.Fatalf("the page has no block %s", kind)
		}
		return text
	}
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	for name, text := range map[string]string{"policy.jsonc": block("jsonc policy"), "cases.jsonl": block("jsonl cases")} {
		if err := os.MkdirAll(filepath.Join(dir, ".agentguard"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".agentguard", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out, errOut bytes.Buffer
	env := door.Env{
		Getenv: func(name string) (string, bool) {
			v, ok := map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}[name]
			return v, ok
		},
		Now: time.Now, GOOS: "linux", Exe: "/nowhere/agentguard",
	}
	status := cli.Main([]string{"agentguard", "check", "--dir", dir}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errOut}, env)
	if status != 0 || !strings.HasSuffix(out.String(), " 0 failed; 0 errors, 0 warnings\n") || errOut.Len() > 0 {
		t.Errorf("status %d\n%s%s", status, out.String(), errOut.String())
	}
}
