package evidence

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddRepos are set-ups that a plain reader gets wrong. Each makes the tree
// unclean and returns the folder to ask in.
var oddRepos = []struct {
	name string
	own  bool // our own reader must do it
	make func(s *scratchRepo) string
}{
	{"plain", true, func(s *scratchRepo) string { return s.dir }},
	{"sub folder", true, func(s *scratchRepo) string { return filepath.Join(s.dir, "dir") }},
	{"linked worktree", true, func(s *scratchRepo) string {
		w := s.beside("linked")
		s.git("worktree", "add", "-q", "-b", "side", w)
		s.write("../linked/a.txt", "changed there\n")
		s.write("../linked/new.txt", "new\n")
		s.write(".git/info/exclude", "*.skip\n")
		s.write("../linked/x.skip", "x\n")
		return w
	}},
	{"separate git dir", true, func(s *scratchRepo) string {
		s.git("init", "-q", "--separate-git-dir", s.beside("elsewhere.git"))
		return s.dir
	}},
	{"bare parent", true, func(s *scratchRepo) string {
		s.git("clone", "-q", "--bare", s.dir, s.beside("bare.git"))
		w := s.beside("of-bare")
		s.gitIn(s.beside("bare.git"), "worktree", "add", "-q", w, "main")
		s.write("../of-bare/a.txt", "changed\n")
		return w
	}},
	{"submodule outside", true, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.git("commit", "-q", "-m", "mod")
		s.write("mod/o.txt", "changed inside\n")
		s.write("b.txt", "b\n")
		return s.dir
	}},
	{"submodule moved", true, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.git("commit", "-q", "-m", "mod")
		s.gitIn(filepath.Join(s.dir, "mod"), "commit", "-q", "--allow-empty", "-m", "further")
		return s.dir
	}},
	{"submodule inside", true, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.write("mod/o.txt", "changed inside\n")
		return filepath.Join(s.dir, "mod")
	}},
	{"submodule gone", true, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.git("commit", "-q", "-m", "mod")
		_ = os.RemoveAll(filepath.Join(s.dir, "mod"))
		return s.dir
	}},
	{"submodule not fetched", true, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.git("commit", "-q", "-m", "mod")
		s.git("clone", "-q", s.dir, s.beside("clone"))
		return s.beside("clone")
	}},
	{"nested repository", true, func(s *scratchRepo) string {
		s.git("clone", "-q", s.other(), "nested")
		return s.dir
	}},
	{"nested worktree with packed refs", true, func(s *scratchRepo) string {
		s.git("clone", "-q", s.other(), "nested")
		s.gitIn(filepath.Join(s.dir, "nested"), "pack-refs", "--all")
		s.gitIn(filepath.Join(s.dir, "nested"), "worktree", "add", "-q", filepath.Join(s.dir, "second"))
		return s.dir
	}},
	{"folder with an empty .git", false, func(s *scratchRepo) string {
		s.write("odd/x.txt", "x\n")
		_ = os.Mkdir(filepath.Join(s.dir, "odd", ".git"), 0o755)
		return s.dir
	}},
	{"submodule replaced by a file", false, func(s *scratchRepo) string {
		s.git("submodule", "--quiet", "add", s.other(), "mod")
		s.git("commit", "-q", "-m", "mod")
		_ = os.RemoveAll(filepath.Join(s.dir, "mod"))
		s.write("mod", "now a file\n")
		return s.dir
	}},
	{"file replaced by a repository", false, func(s *scratchRepo) string {
		_ = os.Remove(filepath.Join(s.dir, "a.txt"))
		s.git("clone", "-q", s.other(), "a.txt")
		return s.dir
	}},
	{"shallow", true, func(s *scratchRepo) string {
		s.git("commit", "-q", "--allow-empty", "-m", "more")
		s.git("clone", "-q", "--depth", "1", "file://"+s.dir, s.beside("shallow"))
		s.write("../shallow/b.txt", "b\n")
		return s.beside("shallow")
	}},
	{"partial clone", true, func(s *scratchRepo) string {
		s.git("config", "uploadpack.allowFilter", "true")
		s.git("clone", "-q", "--filter=blob:none", "file://"+s.dir, s.beside("partial"))
		s.write("../partial/a.txt", "changed\n")
		return s.beside("partial")
	}},
	{"partial clone without blobs", false, func(s *scratchRepo) string {
		s.git("config", "uploadpack.allowFilter", "true")
		s.git("clone", "-q", "--filter=blob:none", "--sparse", "file://"+s.dir, s.beside("partial"))
		s.write("../partial/a.txt", "changed\n")
		return s.beside("partial")
	}},
	{"detached", true, func(s *scratchRepo) string { s.git("checkout", "-q", "--detach"); return s.dir }},
	{"packed refs", true, func(s *scratchRepo) string {
		s.git("checkout", "-q", "-b", "feat/x")
		s.git("pack-refs", "--all")
		return s.dir
	}},
	{"a branch that moved on from its packed ref", true, func(s *scratchRepo) string {
		s.git("pack-refs", "--all")
		s.git("commit", "-q", "--allow-empty", "-m", "more")
		return s.dir
	}},
	{"unborn", true, func(s *scratchRepo) string {
		d := s.beside("unborn")
		s.git("init", "-q", d)
		s.write("../unborn/a.txt", "a\n")
		return d
	}},
	{"unborn with index", true, func(s *scratchRepo) string {
		d := s.beside("unborn")
		s.git("init", "-q", d)
		s.write("../unborn/a.txt", "a\n")
		s.gitIn(d, "add", "a.txt")
		s.write("../unborn/a.txt", "aa\n")
		return d
	}},
	{"orphan branch", true, func(s *scratchRepo) string { s.git("checkout", "-q", "--orphan", "x"); return s.dir }},
	{"merge", false, func(s *scratchRepo) string { s.conflict(); _, _ = s.try(s.dir, "merge", "side"); return s.dir }},
	{"rebase", false, func(s *scratchRepo) string { s.conflict(); _, _ = s.try(s.dir, "rebase", "side"); return s.dir }},
	{"cherry-pick", false, func(s *scratchRepo) string { s.conflict(); _, _ = s.try(s.dir, "cherry-pick", "side"); return s.dir }},
	{"revert", false, func(s *scratchRepo) string {
		s.conflict()
		_, _ = s.try(s.dir, "revert", "--no-edit", "HEAD~1")
		return s.dir
	}},
	{"bisect", true, func(s *scratchRepo) string { s.git("bisect", "start"); return s.dir }},
	{"index v3", true, func(s *scratchRepo) string {
		s.git("update-index", "--index-version", "3")
		s.write("ita", "x\n")
		s.git("add", "-N", "ita")
		return s.dir
	}},
	{"index v4", true, func(s *scratchRepo) string { s.git("update-index", "--index-version", "4"); return s.dir }},
	{"split index", false, func(s *scratchRepo) string {
		s.git("update-index", "--split-index")
		s.write("z", "z")
		s.git("add", "z")
		return s.dir
	}},
	{"sparse checkout", false, func(s *scratchRepo) string {
		s.git("sparse-checkout", "set", "dir")
		s.write("dir/new", "n\n")
		s.write("outside/new", "n\n")
		return s.dir
	}},
	{"sparse index", false, func(s *scratchRepo) string {
		s.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
		s.write("dir/new", "n\n")
		return s.dir
	}},
	{"worktree config", true, func(s *scratchRepo) string {
		s.git("config", "extensions.worktreeConfig", "true")
		s.git("config", "--worktree", "core.excludesFile", "my-ignores")
		s.write("my-ignores", "*.skip\n")
		s.write("x.skip", "x\n")
		return s.dir
	}},
	{"included config", true, func(s *scratchRepo) string {
		s.git("config", "include.path", "../extra")
		s.write("extra", "[core]\n\texcludesFile = my-ignores\n")
		s.write("my-ignores", "*.skip\n")
		s.write("x.skip", "x\n")
		return s.dir
	}},
	{"SHA-256", false, func(s *scratchRepo) string {
		d := s.beside("sha256")
		s.git("init", "-q", "--object-format=sha256", d)
		s.write("../sha256/a.txt", "a\n")
		s.gitIn(d, "add", "-A")
		s.gitIn(d, "commit", "-q", "-m", "one")
		s.write("../sha256/b.txt", "b\n")
		return d
	}},
	{"filter of the user", false, func(s *scratchRepo) string {
		s.git("config", "--global", "filter.up.clean", "tr a-z A-Z")
		s.write(".gitattributes", "*.up filter=up\n")
		s.write("x.up", "text\n")
		return s.dir
	}},
	{"filter that touches nothing", true, func(s *scratchRepo) string {
		s.git("config", "--global", "filter.lfs.clean", "false")
		s.git("config", "--global", "filter.lfs.required", "true")
		s.write(".gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text\n")
		s.git("add", "-A")
		s.write("x.txt", "text\n")
		return s.dir
	}},
	{"autocrlf", false, func(s *scratchRepo) string {
		s.git("config", "core.autocrlf", "true")
		s.write("crlf.txt", "a\r\nb\r\n")
		return s.dir
	}},
	{"autocrlf, nothing to convert", true, func(s *scratchRepo) string {
		s.git("config", "core.autocrlf", "input")
		s.write("lf.txt", "a\nb\n")
		return s.dir
	}},
	{"eol attribute", false, func(s *scratchRepo) string {
		s.write(".gitattributes", "*.bat text eol=crlf\n")
		s.write("x.bat", "a\r\nb\r\n")
		return s.dir
	}},
	{"text=auto, nothing to convert", true, func(s *scratchRepo) string {
		s.write(".gitattributes", "* text=auto\n*.png binary\n")
		return s.dir
	}},
	{"fsmonitor", true, func(s *scratchRepo) string { s.git("config", "core.fsmonitor", "/does/not/exist"); return s.dir }},
	{"alternates", true, func(s *scratchRepo) string {
		s.git("clone", "-q", "--shared", s.dir, s.beside("common"))
		s.write("../common/a.txt", "changed\n")
		return s.beside("common")
	}},
	{"packed refs and objects", true, func(s *scratchRepo) string { s.git("gc", "-q"); return s.dir }},
	{"read-only", true, func(s *scratchRepo) string { _ = os.Chmod(filepath.Join(s.dir, ".git"), 0o555); return s.dir }},
	{"no index", true, func(s *scratchRepo) string { _ = os.Remove(filepath.Join(s.dir, ".git", "index")); return s.dir }},
	{"ignore file is a link", true, func(s *scratchRepo) string {
		s.write("rules", "*.skip\n")
		_ = os.Symlink("rules", filepath.Join(s.dir, ".gitignore"))
		s.write("x.skip", "x\n")
		return s.dir
	}},
	{"global ignores", true, func(s *scratchRepo) string {
		s.git("config", "--global", "core.excludesFile", "~/ignores")
		s.write("../home/ignores", "*.skip\n")
		s.write("x.skip", "x\n")
		return s.dir
	}},
	{"tracked below an ignored folder", true, func(s *scratchRepo) string {
		s.write("out/kept", "1\n")
		s.git("add", "-A")
		s.git("commit", "-q", "-m", "kept")
		s.write(".gitignore", "out/\n")
		s.write("out/kept", "2\n")
		s.write("out/new", "n\n")
		return s.dir
	}},
}

func (s *scratchRepo) beside(name string) string { return filepath.Join(filepath.Dir(s.dir), name) }

// other is a second repository to link to.
func (s *scratchRepo) other() string {
	d := s.beside("other")
	s.git("init", "-q", d)
	s.write("../other/o.txt", "o\n")
	s.gitIn(d, "add", "-A")
	s.gitIn(d, "commit", "-q", "-m", "other")
	return d
}

// conflict makes branches that change the same file.
func (s *scratchRepo) conflict() {
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "base")
	s.git("checkout", "-q", "-b", "side")
	s.write("a.txt", "side\n")
	s.git("commit", "-q", "-am", "side")
	s.git("checkout", "-q", "main")
	s.write("a.txt", "main\n")
	s.git("commit", "-q", "-am", "main")
	s.write("a.txt", "main again\n")
	s.git("commit", "-q", "-am", "main again")
}

func TestOddRepositories(t *testing.T) {
	ctx := context.Background()
	for _, c := range oddRepos {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.write("a.txt", "a\n")
			s.write("dir/b.txt", "b\n")
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "one")
			s.write("a.txt", "changed\n")
			s.write("new.txt", "new\n")
			dir := c.make(s)
			s.same(dir)
			r := s.open(dir)
			if r.Root() != s.gitIn(dir, "rev-parse", "--show-toplevel") {
				t.Errorf("root %s", r.Root())
			}
			if r.GitDir() != s.gitIn(dir, "rev-parse", "--absolute-git-dir") {
				t.Errorf("git dir %s", r.GitDir())
			}
			if _, err := r.ownSnapshot(ctx, true); c.own != (err == nil) {
				t.Errorf("read by our own reader: %v, want %v", err, c.own)
			}
			snap, err := r.Snapshot(ctx)
			if err != nil {
				t.Fatal(err)
			}
			byGit, err := r.snapshotByGit(ctx, true)
			if err != nil {
				t.Fatal(err)
			}
			if snap.Fingerprint != byGit.Fingerprint || !slices.Equal(snap.Changed, byGit.Changed) || snap.Head != byGit.Head {
				t.Errorf("snapshot %+v\nby git %+v", snap, byGit)
			}
			s.checkHead(r, dir)
			s.checkStatus(r, dir)
		})
	}
}

func (s *scratchRepo) checkHead(r *Repo, dir string) {
	t := s.t
	h, err := r.Head(context.Background())
	if err != nil {
		t.Fatalf("head: %v", err)
	}
	id, err := s.try(dir, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		id = ""
	}
	branch, err := s.try(dir, "symbolic-ref", "-q", "--short", "HEAD")
	if h.Detached != (err != nil) || h.ID != id || h.Unborn != (id == "") || (!h.Detached && h.Branch != branch) {
		t.Errorf("head %+v, git says %q on %q", h, id, branch)
	}
	if o, err := r.Overview(context.Background()); err != nil || o.Head != h {
		t.Errorf("overview %+v %v, head %+v", o, err, h)
	}
	want := map[string]string{"merge": "merge", "rebase": "rebase", "cherry-pick": "cherry-pick", "revert": "revert", "bisect": "bisect"}
	name := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
	if op := want[name]; op != "" && !slices.Contains(r.InProgress(), op) || op == "" && len(r.InProgress()) > 0 {
		t.Errorf("in progress: %v", r.InProgress())
	}
}

func (s *scratchRepo) checkStatus(r *Repo, dir string) {
	t := s.t
	st, err := r.Status(context.Background())
	if err != nil {
		t.Fatalf("status: %v", err)
	}
	out := s.gitIn(dir, "-C", r.Root(), "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "status", "--porcelain=v2", "--no-renames", "-uall", "--ignore-submodules=dirty")
	var want []string
	for line := range strings.Lines(out + "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "warning:" {
			want = append(want, f[len(f)-1])
		}
	}
	var got []string
	for _, f := range st.Files {
		got = append(got, f.Path)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("status %v, git says %v", got, want)
	}
}

func TestVariablesOfTheCaller(t *testing.T) {
	s := newScratch(t)
	s.write("a.txt", "a\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	tree := s.beside("tree")
	s.write("../tree/a.txt", "other\n")
	opt := s.options()
	get := opt.Env
	opt.Env = func(name string) (string, bool) {
		switch name {
		case "GIT_DIR":
			return filepath.Join(s.dir, ".git"), true
		case "GIT_WORK_TREE":
			return tree, true
		case "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS":
			return "/nonsense", true
		}
		return get(name)
	}
	r, err := Open(context.Background(), tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Root() != tree || r.GitDir() != filepath.Join(s.dir, ".git") {
		t.Errorf("root %s, git dir %s", r.Root(), r.GitDir())
	}
	st, err := r.Status(context.Background())
	if err != nil || !slices.Equal(st.Modified(), []string{"a.txt"}) {
		t.Errorf("status %+v %v", st, err)
	}
}

func TestBareAndForeign(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.write("a.txt", "a\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	s.git("clone", "-q", "--bare", s.dir, s.beside("bare.git"))
	r := s.open(s.beside("bare.git"))
	if !r.Bare() {
		t.Error("not bare")
	}
	if _, err := r.Fingerprint(ctx); !errors.Is(err, ErrNoWorktree) {
		t.Errorf("fingerprint of a bare repository: %v", err)
	}
	if _, err := r.Status(ctx); !errors.Is(err, ErrNoWorktree) {
		t.Errorf("status of a bare repository: %v", err)
	}
	if h, err := r.Head(ctx); err != nil || h.Branch != "main" {
		t.Errorf("head %+v %v", h, err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	want := s.reference(s.dir)
	if err := os.Lchown(filepath.Join(s.dir, ".git"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if r := s.open(s.dir); !errors.Is(r.Trouble(), ErrRefused) {
		t.Errorf("foreign repository: %v", r.Trouble())
	}
	s.write("../home/.gitconfig", "[safe]\n\tdirectory = *\n")
	r = s.open(s.dir)
	if got, err := r.Fingerprint(ctx); err != nil || got != want || r.Trouble() != nil {
		t.Errorf("foreign repository that the user trusts: %+v %v %v", got, err, r.Trouble())
	}
}
