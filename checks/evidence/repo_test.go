package evidence

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// bench is a scratch repository with a clean home.
type scratchRepo struct {
	t    testing.TB
	dir  string
	home string
	env  []string
}

func newScratch(tb testing.TB, initArgs ...string) *scratchRepo {
	tb.Helper()
	base, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	s := &scratchRepo{t: tb, dir: filepath.Join(base, "repo"), home: filepath.Join(base, "home")}
	for _, d := range []string{s.dir, s.home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.invalid",
		"GIT_ALLOW_PROTOCOL=file",
	}
	s.write("../home/.gitconfig", "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n[protocol \"file\"]\n\tallow = always\n")
	if initArgs == nil || initArgs[0] != "none" {
		s.git(append([]string{"init", "-q"}, initArgs...)...)
	}
	return s
}

func (s *scratchRepo) try(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...) //nolint:noctx // a fixture; it ends by itself
	cmd.Dir, cmd.Env = dir, s.env
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (s *scratchRepo) git(args ...string) string { s.t.Helper(); return s.gitIn(s.dir, args...) }

func (s *scratchRepo) gitIn(dir string, args ...string) string {
	s.t.Helper()
	out, err := s.try(dir, args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *scratchRepo) write(name, text string) {
	s.t.Helper()
	p := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scratchRepo) options() Options {
	return Options{Home: s.home, Env: func(name string) (string, bool) {
		for _, kv := range s.env {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				return v, true
			}
		}
		return "", false
	}}
}

func (s *scratchRepo) open(dir string) *Repo {
	s.t.Helper()
	r, err := Open(context.Background(), dir, s.options())
	if err != nil {
		s.t.Fatalf("opening %s: %v", dir, err)
	}
	return r
}

// reference computes both ids by "git add" on a throw-away index, the way the
// design defines them.
func (s *scratchRepo) reference(dir string) Fingerprint {
	s.t.Helper()
	gitDir := s.gitIn(dir, "rev-parse", "--absolute-git-dir")
	one := func(flag string) string {
		tmp := s.t.TempDir()
		index := filepath.Join(tmp, "index")
		if err := copyIndex(filepath.Join(gitDir, "index"), index); err != nil {
			s.t.Fatal(err)
		}
		run := func(args ...string) (string, error) {
			cmd := exec.Command("git", args...) //nolint:noctx // a fixture; it ends by itself
			cmd.Dir = dir
			cmd.Env = append(slices.Clone(s.env), "GIT_INDEX_FILE="+index)
			out, err := cmd.Output()
			return strings.TrimSpace(string(out)), err
		}
		top, err := run("rev-parse", "--show-toplevel")
		if err != nil {
			s.t.Fatal(err)
		}
		if out, err := run("-C", top, "-c", "advice.addEmbeddedRepo=false", "-c", "core.splitIndex=false", "add", flag); err != nil && flag == "-u" {
			s.t.Fatalf("add %s: %v %s", flag, err, out)
		} else if err != nil {
			// Exit 1 of a sparse checkout adds what it may.
			s.t.Logf("add %s: %v", flag, err)
		}
		tree, err := run("write-tree", "--missing-ok")
		if err != nil {
			s.t.Fatalf("write-tree after add %s: %v", flag, err)
		}
		return tree
	}
	return Fingerprint{Tree: one("-A"), Tracked: one("-u")}
}

// same checks our ids against the reference.
func (s *scratchRepo) same(dir string) Fingerprint {
	s.t.Helper()
	want := s.reference(dir)
	got, err := s.open(dir).Fingerprint(context.Background())
	if err != nil {
		s.t.Fatalf("fingerprint: %v", err)
	}
	if got != want {
		s.t.Fatalf("fingerprint %+v, git says %+v", got, want)
	}
	return got
}

func TestCommitOfEverythingHasTheFingerprint(t *testing.T) {
	s := newScratch(t)
	s.write("a.go", "package a\n")
	s.write("dir/b.txt", "b\n")
	before := s.same(s.dir)
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	if tree := s.git("rev-parse", "HEAD^{tree}"); tree != before.Tree {
		t.Fatalf("HEAD^{tree} %s, fingerprint was %s", tree, before.Tree)
	}
	s.write("new", "new\n")
	objects := s.git("count-objects")
	if _, err := s.open(s.dir).Fingerprint(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := s.git("count-objects"); n != objects {
		t.Errorf("computing an id left %s, was %s", n, objects)
	}
}

func TestFacts(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	r := s.open(s.dir)
	h, err := r.Head(ctx)
	if err != nil || !h.Unborn || h.Branch != "main" {
		t.Fatalf("unborn: %+v %v", h, err)
	}
	if staged, err := r.StagedBlobs(ctx); err != nil || len(staged) != 0 {
		t.Fatalf("unborn staged: %v %v", staged, err)
	}
	s.write("a.txt", "a\n")
	s.write("b.txt", "b\n")
	s.write(".gitignore", "*.log\nout/\n")
	s.write("x.log", "x\n")
	s.write("out/y", "y\n")
	s.git("add", "a.txt", ".gitignore")
	s.git("commit", "-q", "-m", "one")
	one := s.git("rev-parse", "HEAD")
	s.write("a.txt", "aa\n")
	s.git("add", "a.txt")
	s.write("a.txt", "aaa\n")

	h, err = r.Head(ctx)
	if err != nil || h.ID != one || h.Branch != "main" || h.Unborn || h.Detached {
		t.Fatalf("head: %+v %v", h, err)
	}
	st, err := r.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := st.Staged(); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("staged %v", got)
	}
	if got := st.Modified(); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("modified %v", got)
	}
	if got := st.Untracked(); !slices.Equal(got, []string{"b.txt"}) {
		t.Errorf("untracked %v", got)
	}
	for _, c := range []struct {
		path string
		want PathState
	}{
		{"a.txt", PathState{Inside: true, Tracked: true, Modified: true}},
		{"b.txt", PathState{Inside: true, Untracked: true}},
		{"x.log", PathState{Inside: true, Ignored: true}},
		{"out", PathState{Inside: true, Ignored: true}},
		{"out/y", PathState{Inside: true, Ignored: true}},
		{".gitignore", PathState{Inside: true, Tracked: true}},
		{"nothing", PathState{Inside: true}},
		{"../elsewhere", PathState{}},
	} {
		if got, err := r.PathStatus(ctx, filepath.Join(s.dir, c.path)); err != nil || got != c.want {
			t.Errorf("%s: %+v %v, want %+v", c.path, got, err, c.want)
		}
	}
	staged, err := r.StagedBlobs(ctx)
	if err != nil || len(staged) != 1 || staged[0].Path != "a.txt" {
		t.Fatalf("staged blobs %v %v", staged, err)
	}
	if b, err := r.Blob(ctx, staged[0].Blob, 2); err != nil || string(b) != "aa" {
		t.Errorf("blob %q %v", b, err)
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if miss, err := snap.Mismatch(staged); err != nil || !slices.Equal(miss, []string{"a.txt"}) {
		t.Errorf("mismatch %v %v", miss, err)
	}
	if full, ok, err := r.CommitExists(ctx, one[:7]); err != nil || !ok || full != one {
		t.Errorf("exists: %v %v %v", full, ok, err)
	}
	for _, id := range []string{"deadbee", "zzzzzzz", "main", staged[0].Blob[:8], ""} {
		if _, ok, err := r.CommitExists(ctx, id); err != nil || ok {
			t.Errorf("%q exists: %v %v", id, ok, err)
		}
	}
	if at, err := r.CommitTime(ctx, one); err != nil || time.Since(at) > time.Hour {
		t.Errorf("time %v %v", at, err)
	}
	if tree, err := r.Tree(ctx, one); err != nil || tree != s.git("rev-parse", one+"^{tree}") {
		t.Errorf("tree %v %v", tree, err)
	}
	if got, err := r.CommitBlobs(ctx, one); err != nil || len(got) != 2 {
		t.Errorf("commit blobs %v %v", got, err)
	}
	if _, ok, err := r.Upstream(ctx); ok || err != nil {
		t.Errorf("upstream %v %v", ok, err)
	}
}

func TestRemotes(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.write("a", "a\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	remote := filepath.Join(filepath.Dir(s.dir), "remote.git")
	s.git("clone", "-q", "--bare", s.dir, remote)
	s.git("remote", "add", "origin", remote)
	s.git("fetch", "-q")
	s.git("branch", "-q", "-u", "origin/main")
	s.write("a", "b\n")
	s.git("commit", "-q", "-am", "two")
	r := s.open(s.dir)
	up, ok, err := r.Upstream(ctx)
	if err != nil || !ok || up.Ahead != 1 || up.Behind != 0 || up.Remote != "origin" || up.Branch != "main" || up.Gone {
		t.Fatalf("upstream %+v %v %v", up, ok, err)
	}
	o, err := r.Overview(ctx)
	if err != nil || o.Upstream != "origin/main" || o.Ahead != 1 || o.Behind != 0 || o.Gone || o.Head.Branch != "main" || !o.Status.Clean() {
		t.Fatalf("overview %+v %v", o, err)
	}
	head := s.git("rev-parse", "HEAD")
	ids, more, err := r.Outgoing(ctx, "origin", "HEAD", 10)
	if err != nil || more || !slices.Equal(ids, []string{head}) {
		t.Fatalf("outgoing %v %v %v", ids, more, err)
	}
	if ok, err := r.Reachable(ctx, head, "origin/main"); err != nil || ok {
		t.Errorf("reachable %v %v", ok, err)
	}
	s.git("push", "-q")
	if ids, _, err := r.Outgoing(ctx, "", "HEAD", 10); err != nil || len(ids) != 0 {
		t.Errorf("outgoing after push %v %v", ids, err)
	}
	s.git("update-ref", "-d", "refs/remotes/origin/main")
	if up, ok, err := r.Upstream(ctx); err != nil || !ok || !up.Gone {
		t.Errorf("gone upstream %+v %v %v", up, ok, err)
	}
	if o, err := r.Overview(ctx); err != nil || !o.Gone {
		t.Errorf("gone upstream: %+v %v", o, err)
	}
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t, "none")
	if _, err := Open(ctx, s.dir, s.options()); !errors.Is(err, ErrNoRepo) {
		t.Errorf("no repository: %v", err)
	}
	opt := s.options()
	opt.Env = nil
	if _, err := Open(ctx, s.dir, opt); !errors.Is(err, ErrNoRepo) {
		t.Errorf("no repository and no git: %v", err)
	}
	if _, err := Open(ctx, filepath.Join(s.dir, "gone"), s.options()); !errors.Is(err, ErrNoRepo) {
		t.Errorf("no folder: %v", err)
	}
}

func TestDiffers(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.write("a.go", "1\n")
	s.write("b.go", "1\n")
	first := func() Snapshot {
		t.Helper()
		snap, err := s.open(s.dir).Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	unborn := first()
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	check := func(name string, from Snapshot, want ...string) {
		t.Helper()
		list, err := s.open(s.dir).Differs(ctx, from, first())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, d := range list {
			p := d.Path
			if d.Scratch {
				p += "?"
			}
			got = append(got, p)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	check("commit of everything", unborn)
	one := first()
	s.write("a.go", "2\n")
	check("edit", one, "a.go")
	check("edit since unborn", unborn, "a.go")
	edited := first()
	s.git("commit", "-q", "-am", "two")
	check("commit of the edit", edited)
	check("edit and commit", one, "a.go")
	s.write("scratch", "x\n")
	check("scratch file", edited, "scratch?")
	s.git("rm", "-q", "b.go")
	check("removal", edited, "b.go", "scratch?")
	s.git("add", "scratch")
	check("scratch added", edited, "b.go", "scratch")
}

// TestNothingRuns plants code in every place of a repository from which git
// would run it, and looks whether any was.
func TestNothingRuns(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	mark := filepath.Join(filepath.Dir(s.dir), "ran")
	evil := filepath.Join(s.dir, "evil.sh")
	s.write("evil.sh", "#!/bin/sh\necho \"$0 $*\" >> "+mark+"\ncat\n")
	if err := os.Chmod(evil, 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("a.txt", "a\n")
	s.write("sub/x.txt", "x\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	sub := filepath.Join(filepath.Dir(s.dir), "other")
	s.git("clone", "-q", s.dir, sub)
	s.git("submodule", "--quiet", "add", sub, "module")
	s.git("commit", "-q", "-m", "two")
	module := filepath.Join(s.dir, "module")
	for _, dir := range []string{s.dir, module} {
		for _, kv := range [][2]string{
			{"core.fsmonitor", evil},
			{"core.pager", evil},
			{"core.editor", evil},
			{"diff.external", evil},
			{"core.hooksPath", filepath.Join(s.dir, "hooks")},
			{"core.sshCommand", evil},
			{"gpg.program", evil},
			{"filter.evil.clean", evil},
			{"filter.evil.process", evil},
			{"filter.evil.required", "true"},
			{"diff.evil.textconv", evil},
			{"diff.evil.command", evil},
			{"core.alternateRefsCommand", evil},
			{"core.askPass", evil},
			{"credential.helper", evil},
			{"alias.status", "!" + evil},
			{"alias.diff-files", "!" + evil},
			{"log.showSignature", "true"},
			{"status.submoduleSummary", "true"},
			{"index.threads", "2"},
		} {
			s.gitIn(dir, "config", kv[0], kv[1])
		}
	}
	for _, h := range []string{"post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman"} {
		s.write("hooks/"+h, "#!/bin/sh\necho hook >> "+mark+"\n")
		_ = os.Chmod(filepath.Join(s.dir, "hooks", h), 0o755)
	}
	s.write("module/.git-is-elsewhere", "x\n")
	s.write("module/a.txt", "changed inside\n")
	s.write("module/.gitattributes", "* filter=evil diff=evil\n")
	s.write("plain.txt", "p\n")
	s.write("a.txt", "changed\n")
	_ = os.Remove(mark) // making the fixture may have run it
	r := s.open(s.dir)
	all := func() []error {
		var errs []error
		_, err := r.Snapshot(ctx)
		errs = append(errs, err)
		_, err = r.Status(ctx)
		errs = append(errs, err)
		_, err = r.PathStatus(ctx, "a.txt")
		errs = append(errs, err)
		_, err = r.StagedBlobs(ctx)
		errs = append(errs, err)
		_, err = r.Head(ctx)
		errs = append(errs, err)
		_, err = r.CommitTime(ctx, "HEAD")
		errs = append(errs, err)
		_, err = r.CommitBlobs(ctx, s.revParse("HEAD"))
		return append(errs, err)
	}
	for i, err := range all() {
		if err != nil {
			t.Errorf("fact %d without a filtered file: %v", i, err)
		}
	}
	s.write(".gitattributes", "*.txt filter=evil diff=evil\n")
	r = s.open(s.dir)
	if _, err := r.Fingerprint(ctx); !errors.Is(err, ErrUnknown) {
		t.Errorf("a file that needs the repository's filter: %v", err)
	}
	all()
	if b, err := os.ReadFile(mark); err == nil {
		t.Errorf("code of the repository ran:\n%s", b)
	}
}

// revParse reads a ref without running git: the fixture's aliases would.
func (s *scratchRepo) revParse(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, ".git", name))
	if err != nil {
		s.t.Fatal(err)
	}
	ref, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: ")
	if !ok {
		return strings.TrimSpace(string(b))
	}
	return s.revParse(ref)
}
