package checks_test

import (
	"os"
	"path/filepath"
	"testing"

	"agentguard/hook"
)

func writeFile(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestShipsFrom: the gate asks about the project's repository and its working
// trees, and about no other.
func TestShipsFrom(t *testing.T) {
	dir := repository(t)
	writeFile(t, filepath.Join(dir, "src", "a.js"), "changed\n", 0o644)
	writeFile(t, filepath.Join(dir, "scripts", "harness.sh"), `#!/bin/sh
REPO_DIR=$(mktemp -d)/x
case "$1" in
setup) mkdir -p "$REPO_DIR" && cd "$REPO_DIR" && git init && git commit -m init ;;
save) git commit -am save ;;
list-points) echo none ;;
esac
if [ "$1" = release ]; then git tag "$2"; fi
`, 0o755)
	home := filepath.Dir(dir)
	tree := filepath.Join(home, "tree")
	gitIn(t, dir, "worktree", "add", "-q", "-b", "other", tree)
	writeFile(t, filepath.Join(tree, "src", "a.js"), "changed too\n", 0o644)
	inner := filepath.Join(dir, "vendored")
	gitIn(t, home, "init", "-q", inner)
	neighbour := filepath.Join(home, "neighbour")
	gitIn(t, home, "init", "-q", neighbour)
	const policyText = `,"verify":{"test":["npm test"]}`
	for _, c := range []struct {
		command string
		refused bool
	}{
		{"git commit -am x", true},
		{"cd src && git commit -am x", true},
		{"mkdir -p new/folder && cd new/folder && git commit -am x", true},
		{"git -C " + dir + " commit -am x", true},
		{"cd " + tree + " && git commit -am x", true},
		{"git worktree add ../w2 && cd ../w2 && git commit -am x", true},
		{`git -C "$SOMEWHERE" commit -am x`, true},
		{"cd " + neighbour + " && git commit -am x", false},
		{"git -C " + inner + " commit -am x", false},
		{"cd /tmp && rm -rf t9 && mkdir t9 && cd t9 && git init && git commit --allow-empty -m initial", false},
		{`t=$(mktemp -d); git -C "$t" init -q && git -C "$t" commit --allow-empty -m x`, false},
		{`cd "$(mktemp -d)" && git init -q . && git commit --allow-empty -m x && git tag v1`, false},
		{`R=/tmp/r-$$; git init -q "$R"; git -C "$R" commit --allow-empty -m x`, false},
		{"git init -q ../fresh && cd ../fresh && git commit --allow-empty -m x", false},
		{"git init && git commit -am x", true}, // it was there before
		{"git clone -q . ../copy && cd ../copy && git commit --allow-empty -m x", false},
		{"python3 - <<'E'\nimport subprocess, tempfile\nr = tempfile.mkdtemp()\nsubprocess.check_call(['git','init','-q'], cwd=r)\nsubprocess.check_call(['git','commit','--allow-empty','-m','x'], cwd=r)\nE", false},
		{"python3 - <<'E'\nimport subprocess\nsubprocess.check_call(['git','commit','-am','x'])\nE", true},
		{"./scripts/harness.sh list-points", false},
		{"./scripts/harness.sh setup", false},
		{"./scripts/harness.sh save", true},
		{"bash scripts/harness.sh save", true},
		{"./scripts/harness.sh release v1", true},
		{`./scripts/harness.sh "$WHAT"`, true},
		{"git tag --sort=-creatordate", false},
	} {
		f := run(t, "unverified-commit", call(t, dir, policyText, "Bash", bash{c.command}))
		if refused := f.Decision >= hook.Ask; refused != c.refused {
			t.Errorf("%s: %v (%s)", c.command, f.Decision, f.Reason)
		}
	}
	in := call(t, dir, policyText, "mcp__git__git_commit", map[string]string{"repo_path": dir, "message": "x"})
	if f := run(t, "unverified-commit", in); f.Decision < hook.Ask {
		t.Errorf("a commit by an MCP tool: %v", f.Decision)
	}
}
