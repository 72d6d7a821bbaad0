package evidence

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// Options is what Open needs from its caller's world.
type Options struct {
	Git  string                           // path of the git program; empty: the first in absolute folders of PATH
	Env  func(name string) (string, bool) // the caller's environment; nil: empty
	Home string                           // home folder; empty: HOME of Env
	Temp string                           // folder for throw-away indexes, made when needed; empty: the system's
	// Patience bounds the waiting for git; nil: none.
	Patience *Patience
}

// getenv answers for the caller's environment with the home folder set.
func (o Options) getenv() func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "HOME" && o.Home != "" {
			return o.Home, true
		}
		if o.Env == nil {
			return "", false
		}
		return o.Env(name)
	}
}

// Repo is one repository with its working tree. Its facts are read when asked
// for; it is safe for concurrent use.
type Repo struct {
	git       program
	env       []string // GIT_DIR and GIT_WORK_TREE, always explicit
	temp      string
	root      string
	gitDir    string
	commonDir string
	hash      string // sha1 or sha256
	plain     bool   // opened from its files: they are what git itself would read
	refused   error  // git refuses the repository or would wait for ever, so it is not asked

	getenv   func(string) (string, bool)
	settings func() (*settings, error)
	trouble  atomic.Pointer[error]
}

// Open finds the repository that contains dir, the way git does, GIT_DIR and
// GIT_WORK_TREE of the caller's environment included. ErrNoRepo: there is none.
//
// Where git cannot be asked, a repository whose files are plain is opened all the
// same. It tells what its files tell for certain; every other fact is the error
// that Trouble gives.
func Open(ctx context.Context, dir string, opt Options) (*Repo, error) {
	getenv := opt.getenv()
	r := &Repo{git: newProgram(opt.Git, getenv), temp: opt.Temp, getenv: getenv}
	r.git.patience = opt.Patience
	r.settings = sync.OnceValues(func() (*settings, error) { return r.readSettings(context.WithoutCancel(ctx)) })
	f, found := discover(dir, getenv)
	if err := wouldWait(dir, getenv); err != nil {
		if !found || !r.openFiles(f) && !r.openPlace(f) {
			return nil, err
		}
		r.note(err)
		r.refused = err
		return r, nil
	}
	if found && f.own && r.git.path != "" && r.openFiles(f) {
		return r, nil
	}
	err := r.ask(ctx, dir)
	switch {
	case err == nil:
		return r, nil
	case !repositoryAbove(dir, getenv):
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRepo)
	case errors.Is(err, ErrNoRepo):
		return nil, fmt.Errorf("%s: %w", dir, ErrBroken)
	case found && unasked(err) && (r.openFiles(f) || r.openPlace(f)):
		r.note(err)
		if errors.Is(err, ErrRefused) {
			r.refused = err
		}
		return r, nil
	default:
		return nil, err
	}
}

// openFiles opens a repository that was found without git; false where only git
// can tell what its files mean.
func (r *Repo) openFiles(f found) bool {
	r.take(f)
	set, ok := r.plainSettings()
	if !ok || !set.plainRepo() {
		return false
	}
	r.settings = func() (*settings, error) { return set, nil }
	r.plain = true
	r.setEnv()
	return true
}

// openPlace is openFiles where the settings outside the repository are not known:
// its own tell that it is plain, so the branch is, but not the tree.
func (r *Repo) openPlace(f found) bool {
	r.take(f)
	own := &settings{values: map[string]string{}}
	if !own.addFile(filepath.Join(r.commonDir, "config"), true) || own.err != nil || !own.plainRepo() {
		return false
	}
	r.plain = true
	r.setEnv()
	return true
}

func (r *Repo) take(f found) {
	r.root, r.gitDir, r.commonDir, r.hash = f.root, f.gitDir, f.commonDir, "sha1"
}

// ask lets git find the repository.
func (r *Repo) ask(ctx context.Context, dir string) error {
	r.take(found{})
	var env []string
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		if v, ok := r.getenv(name); ok && v != "" {
			env = append(env, name+"="+v)
		}
	}
	out, err := r.git.run(ctx, dir, env, nil, "rev-parse", "--is-bare-repository", "--is-inside-work-tree",
		"--show-object-format", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return openError(dir, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 5 {
		return fmt.Errorf("opening %s: %w", dir, ErrUnknown)
	}
	r.hash = lines[2]
	r.gitDir, r.commonDir = lines[3], lines[4]
	if !filepath.IsAbs(r.commonDir) {
		r.commonDir = filepath.Join(dir, r.commonDir)
	}
	if plain, err := filepath.EvalSymlinks(r.commonDir); err == nil {
		r.commonDir = plain
	}
	if lines[1] == "true" {
		out, err := r.git.run(ctx, dir, env, nil, "rev-parse", "--show-toplevel")
		if err != nil {
			return openError(dir, err)
		}
		r.root = strings.TrimSuffix(string(out), "\n")
	}
	r.setEnv()
	return nil
}

// setEnv fixes for every later call which repository is meant.
func (r *Repo) setEnv() {
	r.env = []string{"GIT_DIR=" + r.gitDir}
	if r.root != "" {
		r.env = append(r.env, "GIT_WORK_TREE="+r.root)
	}
	if r.commonDir != r.gitDir {
		r.env = append(r.env, "GIT_COMMON_DIR="+r.commonDir)
	}
}

func openError(dir string, err error) error {
	if g, ok := errors.AsType[*gitError](err); ok {
		switch {
		case g.Is(ErrRefused):
			return fmt.Errorf("%w: %w", ErrRefused, err)
		case strings.Contains(g.stderr, "not a git repository"):
			return fmt.Errorf("%s: %w", dir, ErrNoRepo)
		}
	}
	return fmt.Errorf("opening %s: %w", dir, err)
}

// Root is the top folder of the working tree, absolute with links resolved;
// empty for a bare repository.
func (r *Repo) Root() string { return r.root }

// GitDir is the repository's own folder; of a linked worktree, that worktree's.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir is the folder that all worktrees of the repository share.
func (r *Repo) CommonDir() string { return r.commonDir }

// Bare tells a repository without a working tree.
func (r *Repo) Bare() bool { return r.root == "" }

// run calls git on this repository from the top of its working tree.
func (r *Repo) run(ctx context.Context, args ...string) ([]byte, error) {
	return r.runWith(ctx, nil, nil, args...)
}

func (r *Repo) runWith(ctx context.Context, env []string, stdin []byte, args ...string) ([]byte, error) {
	// With GIT_DIR named git would answer for a repository that it refuses. That
	// trust is a person's to give.
	if r.refused != nil {
		return nil, r.refused
	}
	dir := r.root
	if dir == "" {
		dir = r.gitDir
	}
	out, err := r.git.run(ctx, dir, append(append([]string{}, r.env...), env...), stdin, args...)
	if unasked(err) || errors.Is(err, ErrBroken) {
		r.note(err)
	}
	return out, err
}

// line calls git and returns its answer without the line's end.
func (r *Repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.run(ctx, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// rel turns a path into one below the root, with slashes; false when it is not.
func (r *Repo) rel(path string) (string, bool) {
	if r.root == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.root, path)
	}
	// The folder's links are resolved, not the last name's: a tracked link is a
	// path of its own.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	rel, err := filepath.Rel(r.root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
