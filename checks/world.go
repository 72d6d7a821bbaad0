package checks

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/rules"
	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/hook/regular"
)

// Repo returns the repository that contains the session's folder. Its error
// means that repository facts are unknown.
func (in *Input) Repo(ctx context.Context) (*evidence.Repo, error) {
	return in.repo.get(func() (*evidence.Repo, error) {
		dir := in.Event.CWD
		if dir == "" {
			dir = in.Event.ProjectDir
		}
		if dir == "" {
			return nil, evidence.ErrUnknown
		}
		repo, err := in.openRepo(ctx, dir)
		if err != nil {
			if !in.World.Past {
				in.missing.failed(err)
			}
			return nil, err
		}
		in.missing.opened(repo)
		return repo, nil
	})
}

// openRepo returns the repository that contains dir; of an event of long ago
// nothing is known.
func (in *Input) openRepo(ctx context.Context, dir string) (*evidence.Repo, error) {
	if in.World.Past {
		return nil, evidence.ErrUnknown
	}
	return evidence.Open(ctx, dir, in.gitOptions())
}

// Overview returns how the session's repository stands: branch, upstream and what
// is not clean, read by one call of git for all checks of the event.
func (in *Input) Overview(ctx context.Context) (evidence.Overview, error) {
	return in.overview.get(func() (evidence.Overview, error) {
		repo, err := in.Repo(ctx)
		if err != nil {
			return evidence.Overview{}, err
		}
		return repo.Overview(ctx)
	})
}

// hasCommit tells whether the session's repository has a commit of that id, full
// or abbreviated. Several checks ask for the ids of one message.
func (in *Input) hasCommit(ctx context.Context, id string) (bool, error) {
	if has, known := in.commits.Load(id); known {
		return has == true, nil
	}
	repo, err := in.Repo(ctx)
	if err != nil {
		return false, err
	}
	_, has, err := repo.CommitExists(ctx, id)
	if err == nil {
		in.commits.Store(id, has)
	}
	return has, err
}

func (in *Input) gitOptions() evidence.Options {
	patience, _ := in.patience.get(func() (*evidence.Patience, error) { return evidence.NewPatience(gitTime), nil }) //nolint:errcheck // it cannot fail
	return evidence.Options{Home: in.World.Home, Patience: patience, Temp: in.World.Scratch(), Env: func(name string) (string, bool) {
		// git takes these as they are, so that a repository could bring its own
		// "person's" settings where they lead below the current folder.
		value, ok := in.World.Getenv(name)
		if (name == "HOME" || name == "XDG_CONFIG_HOME") && !filepath.IsAbs(value) {
			return "", false
		}
		return value, ok
	}}
}

// shellEnv is what a script of this event finds around it.
func (in *Input) shellEnv() shell.Env {
	return shell.Env{
		Dir: in.Event.CWD, Home: in.World.Home,
		Getenv: func(name string) (string, bool) {
			// Only what cannot differ between the hook and the tool's shell.
			if name == "TMPDIR" || name == "USER" || name == "LOGNAME" {
				return in.World.Getenv(name)
			}
			return "", false
		},
		// A script that a command names is read if it is a small regular file.
		ReadFile: func(name string) ([]byte, error) { return in.readFile(name, shell.MaxParsed) },
		GitAlias: func(dir, name string) (string, bool) {
			ctx := context.Background()
			repo, err := in.openRepo(ctx, dir)
			if err != nil {
				return "", false
			}
			value, ok, err := repo.Alias(ctx, name)
			return value, ok && err == nil
		},
	}
}

// readFile reads a small regular file that the event is about.
func (in *Input) readFile(name string, limit int64) ([]byte, error) {
	if in.World.Past {
		return in.readThen(name, limit)
	}
	return regular.Read(name, limit)
}

// ruleContext gathers what the rules about commands and paths ask for.
func (in *Input) ruleContext(ctx context.Context) rules.Context {
	rc := in.plainContext(ctx)
	rc.Exempted = in.exemptions(ctx)
	return rc
}

// plainContext is ruleContext without the policy's exceptions.
func (in *Input) plainContext(ctx context.Context) rules.Context {
	rc := rules.Context{
		Script: in.Script(), CWD: in.Event.CWD, Home: in.World.Home, ProjectDir: in.Event.ProjectDir,
		State:             &state{ctx: ctx, in: in, repos: map[string]*repoState{}},
		ProtectedBranches: in.Policy.Branches,
		FoldsCase:         in.World.GOOS == "darwin" || in.World.GOOS == "windows",
	}
	if in.World.Config != Nowhere {
		rc.ConfigHome = in.World.Config
	}
	if in.World.State != Nowhere {
		rc.StateHome = in.World.State
	}
	if t := in.Event.Tool; t != nil {
		rc.Tool, rc.Input, rc.Call = t.Name, t.Input, in.mcpCall()
	}
	rc.Text, _ = in.ShellCommand()
	rc.Temp = slices.Concat(rules.DefaultTemp, in.World.Temp)
	for _, p := range in.Policy.Protect.Paths {
		own := rules.OwnPath{Pattern: p.Path, Decision: hook.Deny, Reason: p.Reason}
		if p.Decision == hook.Ask.String() {
			own.Decision = hook.Ask
		}
		if p.Because != "" {
			own.Reason += " (" + p.Because + ")"
		}
		rc.Protect = append(rc.Protect, own)
	}
	rc.Exempt = in.Policy.Protect.Exempt
	return rc
}

// state answers the rules' questions from the disk and from git, each once.
type state struct {
	ctx   context.Context //nolint:containedctx // rules ask without a context; it ends with the call
	in    *Input
	repos map[string]*repoState
}

// Repo returns the repository whose working tree holds dir.
func (s *state) Repo(dir string) (rules.Repo, bool) {
	if then := &s.in.World.Then; s.in.World.Past {
		return bestRepo{then}, then.Best && within(dir, then.Root)
	}
	// A folder that a command has yet to make lies in the repository of its
	// nearest existing parent.
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, false
		}
		dir = parent
	}
	if r, known := s.repos[dir]; known {
		return r, r != nil
	}
	s.repos[dir] = nil
	repo, err := s.in.openRepo(s.ctx, dir)
	if err != nil || repo.Bare() {
		return nil, false
	}
	for _, r := range s.repos {
		if r != nil && r.repo.GitDir() == repo.GitDir() && r.repo.Root() == repo.Root() {
			s.repos[dir] = r
			return r, true
		}
	}
	r := &repoState{ctx: s.ctx, repo: repo}
	s.repos[dir] = r
	return r, true
}

// Kind tells what stands at a path.
func (s *state) Kind(name string) rules.Kind {
	if s.in.World.Past {
		return s.in.kindThen(name)
	}
	return kindOf(name)
}

func kindOf(name string) rules.Kind {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return rules.Missing
	case err != nil:
		return rules.Unsure
	case info.Mode()&os.ModeSymlink != 0:
		return rules.Symlink
	case info.IsDir():
		return rules.Folder
	default:
		return rules.File
	}
}

// Readlink returns the target of a symbolic link.
func (s *state) Readlink(name string) (string, error) {
	if s.in.World.Past && !s.in.standsHere(name) {
		return "", evidence.ErrUnknown
	}
	return os.Readlink(name)
}

// ReadFile returns a small file's content.
func (s *state) ReadFile(name string) ([]byte, error) { return s.in.readFile(name, rules.MaxRead) }

// repoState answers questions about one repository.
type repoState struct {
	ctx    context.Context //nolint:containedctx // see state
	repo   *evidence.Repo
	status once[evidence.Status]
	head   once[evidence.Head]
}

func (r *repoState) Root() string   { return r.repo.Root() }
func (r *repoState) GitDir() string { return r.repo.GitDir() }

func (r *repoState) Branch() (string, bool) {
	h, err := r.head.get(func() (evidence.Head, error) { return r.repo.Head(r.ctx) })
	return h.Branch, err == nil
}

func (r *repoState) DefaultBranch() (string, bool) {
	ref, err := r.repo.Symbolic(r.ctx, "refs/remotes/origin/HEAD")
	if err != nil {
		return "", false
	}
	return strings.TrimPrefix(ref, "refs/remotes/origin/"), true
}

func (r *repoState) Clean() (clean, ok bool) {
	s, err := r.status.get(func() (evidence.Status, error) { return r.repo.Status(r.ctx) })
	return s.Clean(), err == nil
}

func (r *repoState) Path(name string) (rules.PathState, bool) {
	s, err := r.repo.PathStatus(r.ctx, name)
	if err != nil || !s.Inside {
		return rules.PathState{}, false
	}
	return rules.PathState{Tracked: s.Tracked, Modified: s.Modified, Untracked: s.Untracked, Ignored: s.Ignored}, true
}

func (r *repoState) IsRef(name string) (is, ok bool) {
	if name == "" || strings.HasPrefix(name, "-") {
		return false, true
	}
	_, exists, err := r.repo.CommitExists(r.ctx, name)
	return exists, err == nil
}

func (r *repoState) Unpushed() (int, bool) {
	n, err := r.repo.Unpushed(r.ctx)
	return n, err == nil
}

func (r *repoState) Merged(branch string) (merged, ok bool) {
	merged, err := r.repo.Merged(r.ctx, branch)
	return merged, err == nil
}

func (r *repoState) Upstream(branch string) (string, bool) {
	if name, ok := r.Branch(); !ok || name != branch {
		return "", false
	}
	up, ok, err := r.repo.Upstream(r.ctx)
	if err != nil || !ok {
		return "", false
	}
	return path.Clean(up.Branch), true
}

func (r *repoState) Config(key string) (string, bool) {
	value, _, err := r.repo.Config(r.ctx, key)
	return value, err == nil
}
