package doctor

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentguard/settings"
)

// world is a machine in a folder: a home, a project, programs on PATH.
type world struct {
	t                        *testing.T
	root, home, project, cwd string
	env                      []string
	os                       string
	tools                    []string
	// afterwards, in this order
	links map[string]string
	modes map[string]string
	git   gitSetup
}

type gitSetup struct {
	Init     bool     `json:"init"`
	Add      []string `json:"add"`
	Commit   any      `json:"commit"`
	Ignore   []string `json:"ignore"`
	Worktree any      `json:"worktree"`
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := filepath.Join(t.TempDir(), "world")
	w := &world{t: t, root: root, home: filepath.Join(root, "home"), project: filepath.Join(root, "project"), cwd: "project"}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) fill(s string) string {
	return strings.NewReplacer("{{HOME}}", w.home, "{{PROJECT}}", w.project).Replace(s)
}

// put writes one file of the world with its placeholders filled in, UTF-16 with
// a mark included.
func (w *world) put(name string, data []byte, mode fs.FileMode) {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.IndexByte(data, 0) < 0 {
		data = []byte(w.fill(string(data)))
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		w.t.Fatal(err)
	}
}

// finish makes links, modes, the repository and the programs.
func (w *world) finish() {
	t := w.t
	t.Helper()
	for _, dir := range []string{w.home, w.project, w.path(w.cwd)} {
		if w.git.Worktree != nil && dir == w.path(w.cwd) {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range w.links {
		path := w.path(name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		_ = os.Remove(path)
		if err := os.Symlink(w.fill(target), path); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range w.modes {
		bits, err := strconv.ParseUint(mode, 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(w.path(name), fs.FileMode(bits)); err != nil {
			t.Fatal(err)
		}
	}
	if w.git.Init {
		w.repository()
	}
	w.programs()
}

func (w *world) repository() {
	w.run("init", "-q", "--template=", "-b", "main")
	info := filepath.Join(w.project, ".git", "info")
	_ = os.MkdirAll(info, 0o755)
	if err := os.WriteFile(filepath.Join(info, "exclude"), []byte(strings.Join(w.git.Ignore, "\n")+"\n"), 0o644); err != nil {
		w.t.Fatal(err)
	}
	if len(w.git.Add) > 0 {
		w.run(append([]string{"add", "-f", "--"}, w.git.Add...)...)
	}
	if w.git.Commit != nil && w.git.Commit != false {
		w.run("commit", "-q", "--allow-empty", "-m", "start")
	}
	var trees []string
	switch v := w.git.Worktree.(type) {
	case string:
		trees = []string{v}
	case []any:
		for _, x := range v {
			if s, ok := x.(string); ok {
				trees = append(trees, s)
			}
		}
	}
	for _, tree := range trees {
		w.run("worktree", "add", "-q", "-b", filepath.Base(tree), tree)
	}
}

func (w *world) run(args ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = w.project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.project, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=sample", "GIT_AUTHOR_EMAIL=sample@example.org", "GIT_COMMITTER_NAME=sample", "GIT_COMMITTER_EMAIL=sample@example.org",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// programs makes the folder on PATH: real tools where the machine has them, the
// everyday utilities, and programs that do nothing for the rest.
func (w *world) programs() {
	bin := filepath.Join(filepath.Dir(w.root), "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		w.t.Fatal(err)
	}
	link := func(name string) bool {
		found, err := exec.LookPath(name)
		if err != nil {
			return false
		}
		return os.Symlink(found, filepath.Join(bin, name)) == nil
	}
	for _, name := range w.tools {
		if slices.Contains([]string{"sh", "bash", "git", "jq", "make", "tee"}, name) && link(name) {
			continue
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, name := range []string{"cat", "grep", "sed", "head", "rm", "mkdir", "env", "date", "sleep", "tail", "basename", "dirname"} {
		if !slices.Contains(w.tools, name) {
			link(name)
		}
	}
	env := []string{"HOME=" + w.home, "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1"}
	path := bin
	for _, pair := range w.env {
		pair = w.fill(pair)
		if rest, ok := strings.CutPrefix(pair, "PATH="); ok {
			path = rest + string(filepath.ListSeparator) + bin
			continue
		}
		env = append(env, pair)
	}
	env = append(env, "PATH="+path)
	w.env = env
}

func (w *world) patient() *Patient {
	config := ""
	for _, pair := range w.env {
		if v, ok := strings.CutPrefix(pair, "CLAUDE_CONFIG_DIR="); ok {
			config = v
		}
	}
	return &Patient{
		ProjectDir: w.path(w.cwd), Home: w.home, ConfigDir: config, StateDir: filepath.Join(w.home, ".local", "state", "agentguard"),
		OS: w.os, Environ: w.env, ManagedDir: w.path("managed"), ClientVersion: settings.Version{2, 1, 332}, Now: time.Unix(1_800_000_000, 0),
	}
}

// rel names a file of the world as fixtures do.
func (w *world) rel(file string) string {
	if file == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(file, "~"); ok {
		file = w.home + rest
	}
	rel, err := filepath.Rel(w.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}
