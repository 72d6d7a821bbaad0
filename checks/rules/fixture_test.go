package rules

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fixture is a home folder with a repository in it, as testdata/README.md
// describes.
type fixture struct {
	home, repo string
	state      State
}

const fixtureSettings = `{
 "permissions": {
  "allow": []
 },
 "hooks": {
  "PreToolUse": [
   {
    "matcher": "*",
    "hooks": [
     {
      "type": "command",
      "command": "agentguard-hook"
     }
    ]
   }
  ]
 }
}
`

// fixtures holds one tree of each state, made once for the whole test run.
var fixtures = struct {
	sync.Mutex
	dir   string
	trees map[Tree]*fixture
}{trees: map[Tree]*fixture{}}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rules")
	if err != nil {
		panic(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		panic(err)
	}
	fixtures.dir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func fixtureOf(t *testing.T, tree Tree) *fixture {
	t.Helper()
	fixtures.Lock()
	defer fixtures.Unlock()
	if f := fixtures.trees[tree]; f != nil {
		return f
	}
	name := string(tree)
	if tree == Dirty {
		name = "dirty"
	}
	f := buildFixture(t, filepath.Join(fixtures.dir, name), tree)
	fixtures.trees[tree] = f
	return f
}

func buildFixture(t *testing.T, root string, tree Tree) *fixture {
	t.Helper()
	home := filepath.Join(root, "home", "dev")
	repo := filepath.Join(home, "work", "app")
	remote := filepath.Join(root, "remotes", "app.git")
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(dir string, args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, d := range []string{repo, remote} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		".gitconfig": "[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n",
		".bashrc":    "# end\n", ".npmrc": "fund=false\n", ".ssh/config": "Host *\n", ".ssh/authorized_keys": "", ".ssh/id_rsa": "not a real key\n",
		".aws/credentials": "[default]\n", ".kube/config": "x\n", ".cache/pip/x": "x\n", "Documents/letter.txt": "x\n",
		"work/billing-service/README.md": "x\n", "projects/other-app/README.md": "x\n", ".claude/settings.json": fixtureSettings,
		".local/state/agentguard/log/2026-11-29.jsonl": "{}\n", ".local/bin/agentguard-hook": "#!/bin/sh\n",
	} {
		write(filepath.Join(home, name), text)
	}
	git(remote, "init", "-q", "--bare", "-b", "main")
	git(repo, "init", "-q", "-b", "main")
	for name, text := range map[string]string{
		".gitignore": "node_modules/\ndist/\nbuild/\ncoverage/\n.env\n.env.local\n*.log\n*.sqlite3\n__pycache__/\ncerts/\n",
		"README.md":  "# app\n\nUsage\n", "CLAUDE.md": "a\n", "package.json": "{}\n", "package-lock.json": "{}\n", "requirements.txt": "requests\n",
		"src/app.py": "def main():\n    return \"a\"\n", "src/unused.py": "x = 1\n", "src/env.ts": "export const a = 1\n", "src/keyboard.py": "a = 1\n",
		"src/credentials_form.tsx": "a\n", "docs/old.md": "old\n", "docs/dangerous-commands.md": "rm -rf / is dangerous\n", "docs/git-reset--hard.md": "x\n",
		"scripts/run.sh": "#!/bin/sh\n", "tests/test_app.py": "def test_ok():\n    assert True\n", "analysis.ipynb": "{\"cells\":[]}\n",
		"migrations/drop.sql": "DROP TABLE users;\n", ".husky/pre-commit": "npm test\n", ".githooks/pre-push": "npm test\n", ".buildignore": "src\n",
		".env.example": "API_KEY=\nDEBUG=0\n", ".env.template": "API_KEY=\n", ".claude/settings.json": fixtureSettings,
		".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: reviews\nhooks:\n  PreToolUse:\n    - matcher: \"*\"\n      hooks:\n        - type: command\n          command: agentguard-hook\n---\nReview.\n",
		".agentguard/policy.jsonc":   "{\n  \"version\": 1,\n  \"profile\": \"standard\"\n}\n",
	} {
		write(filepath.Join(repo, name), text)
	}
	for name, to := range map[string]string{"docs/notes.lnk": "../.env", "docs/settings.lnk": "../.claude/settings.json", "hooklink": ".git/hooks"} {
		if err := os.Symlink(to, filepath.Join(repo, name)); err != nil {
			t.Fatal(err)
		}
	}
	git(repo, "add", "-A")
	git(repo, "commit", "-q", "-m", "initial")
	write(filepath.Join(repo, "src/app.py"), "def main():\n    return \"b\"\n")
	git(repo, "commit", "-q", "-am", "step")
	git(repo, "tag", "v1.0.0")
	git(repo, "branch", "merged-topic", "HEAD~1")
	git(repo, "remote", "add", "origin", remote)
	git(repo, "push", "-q", "-u", "origin", "main", "--tags")
	git(repo, "checkout", "-q", "-b", "feature/login")
	write(filepath.Join(repo, "src/login.py"), "x = 1\n")
	git(repo, "add", "-A")
	git(repo, "commit", "-q", "-m", "login")
	git(repo, "push", "-q", "-u", "origin", "feature/login")
	if tree == Feature {
		write(filepath.Join(repo, "src/login.py"), "x = 2\n")
		git(repo, "commit", "-q", "-am", "login 2")
	} else {
		git(repo, "checkout", "-q", "main")
		write(filepath.Join(repo, "src/unused.py"), "x = 2\n")
		git(repo, "commit", "-q", "-am", "local only")
	}
	for name, text := range map[string]string{
		".env": "API_KEY=abc\nDEBUG=0\n", ".env.local": "A=1\n", "packages/api/.env": "X=0\n", "node_modules/left-pad/index.js": "x\n", "dist/app.js": "x\n", "build/app.o": "x\n",
		"logs/dev.log": "x\n", "data/dev.sqlite3": "x\n", "certs/server.pem": "not a real key\n",
	} {
		write(filepath.Join(repo, name), text)
	}
	if err := os.MkdirAll(filepath.Join(repo, "empty-dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	if tree == Dirty {
		write(filepath.Join(repo, "src/app.py"), "def main():\n    return \"an hour of work, not committed\"\n")
		write(filepath.Join(repo, "scratch.txt"), "untracked\n")
		write(filepath.Join(repo, "notes/plan.md"), "untracked\n")
	}
	return &fixture{home: virtualHome, repo: virtualHome + "/work/app", state: newDiskState(t, home, repo)}
}

// virtualHome is what the rules see: the real fixture lies in a temp folder, and
// temp folders are exempt from much.
const virtualHome = "/home/dev"

// diskState answers from the disk and from one run of git status, with the home
// folder under its virtual name.
type diskState struct {
	home string
	repo *diskRepo
}

func (d *diskState) real(p string) string {
	if rest, ok := strings.CutPrefix(p, virtualHome); ok && (rest == "" || rest[0] == '/') {
		return d.home + rest
	}
	return p
}

func (d *diskState) Repo(dir string) (Repo, bool) {
	if within(dir, d.repo.root) {
		return d.repo, true
	}
	return nil, false
}

func (d *diskState) Kind(p string) Kind {
	info, err := os.Lstat(d.real(p))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Missing
	case err != nil:
		return Unsure
	case info.Mode()&os.ModeSymlink != 0:
		return Symlink
	case info.IsDir():
		return Folder
	default:
		return File
	}
}

func (d *diskState) Readlink(p string) (string, error) { return os.Readlink(d.real(p)) }
func (d *diskState) ReadFile(p string) ([]byte, error) { return os.ReadFile(d.real(p)) }

type diskRepo struct {
	root     string // virtual
	disk     string
	branch   string
	refs     []string
	merged   []string
	tracked  []string
	status   map[string]string // path → two letters of git status
	unpushed int
}

func newDiskState(t *testing.T, home, root string) State {
	t.Helper()
	git := func(args ...string) []string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = root
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	}
	r := &diskRepo{root: virtualHome + "/work/app", disk: root, status: map[string]string{}}
	r.branch = git("branch", "--show-current")[0]
	r.refs = git("for-each-ref", "--format=%(refname:short)")
	r.merged = git("for-each-ref", "--format=%(refname:short)", "--merged=HEAD", "refs/heads")
	r.tracked = git("ls-files")
	r.unpushed = len(git("log", "--oneline", "HEAD", "--not", "--remotes"))
	for _, l := range git("status", "--porcelain", "--ignored") {
		if len(l) > 3 {
			r.status[strings.TrimSuffix(l[3:], "/")] = l[:2]
		}
	}
	return &diskState{home, r}
}

func (r *diskRepo) Root() string                  { return r.root }
func (r *diskRepo) GitDir() string                { return r.root + "/.git" }
func (r *diskRepo) Branch() (string, bool)        { return r.branch, true }
func (r *diskRepo) DefaultBranch() (string, bool) { return "main", true }

func (r *diskRepo) Clean() (clean, ok bool) {
	for _, code := range r.status {
		if code != "!!" {
			return false, true
		}
	}
	return true, true
}

func (r *diskRepo) Path(p string) (PathState, bool) {
	rel, inside := strings.CutPrefix(p+"/", r.root+"/")
	if !inside {
		return PathState{}, false
	}
	rel = strings.TrimSuffix(rel, "/")
	below := func(name string) bool { return rel == "" || name == rel || strings.HasPrefix(name, rel+"/") }
	var st PathState
	st.Tracked = slices.ContainsFunc(r.tracked, below)
	_, err := os.Lstat(filepath.Join(r.disk, rel))
	for name, code := range r.status {
		in := below(name) || err == nil && strings.HasPrefix(rel, name+"/")
		st.Untracked = st.Untracked || in && code == "??"
		st.Ignored = st.Ignored || in && code == "!!"
		st.Modified = st.Modified || in && code != "??" && code != "!!"
	}
	return st, true
}

func (r *diskRepo) IsRef(name string) (is, ok bool) {
	base, _, _ := strings.Cut(name, "~")
	return slices.Contains(r.refs, base) || slices.Contains(r.refs, "origin/"+base) || base == "HEAD" || base == "@", true
}

func (r *diskRepo) Unpushed() (int, bool) { return r.unpushed, true }

func (r *diskRepo) Merged(branch string) (merged, ok bool) {
	return slices.Contains(r.merged, branch), slices.Contains(r.refs, branch)
}

func (r *diskRepo) Upstream(branch string) (string, bool) {
	return branch, slices.Contains(r.refs, "origin/"+branch)
}

func (*diskRepo) Config(string) (string, bool) { return "", false }
