package checks

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/rules"
	"agentguard/checks/shell"
)

// shipsFrom returns the input to judge a ship with: the session's own, or one that
// stands in another working tree of the same repository. The policy says how its
// project is verified and nothing about any other repository, so that what is
// handed on from one is not ours to judge: a fresh one, one in a temp folder, a
// neighbour's.
func (in *Input) shipsFrom(ctx context.Context, s ship) (*Input, bool) {
	if rules.ScratchRepo(in.plainContext(ctx), s.index) {
		return nil, false
	}
	dir := s.git.Dir
	if dir.Zero() {
		dir = s.command.Dir
	}
	project, err := in.projectRepo(ctx)
	if err != nil {
		_, trouble := in.Trouble()
		return in, trouble // where git gives no facts, it has to be asked
	}
	at := dir.Text
	if at == "" {
		at = in.Event.CWD
	}
	if strings.ContainsRune(at, shell.Unknown) || !filepath.IsAbs(at) {
		return in, true // where it runs is not known: the session's folder is the best guess
	}
	if in.addsTree(at) {
		return in, true // its tree is made by this very script, from this repository
	}
	repo, err := evidence.Open(ctx, standing(at), in.gitOptions())
	switch {
	case err != nil || repo.CommonDir() != project.CommonDir():
		return nil, false
	case in.sameTree(ctx, repo):
		return in, true
	}
	there := &Input{Event: in.Event, Policy: in.Policy, World: in.World, Active: in.Active}
	there.Event.CWD = repo.Root()
	there.script.get(func() (shell.Script, error) { return in.Script(), nil }) //nolint:errcheck // it cannot fail
	return there, true
}

// projectRepo is the repository of the session's project, which the policy is
// about.
func (in *Input) projectRepo(ctx context.Context) (*evidence.Repo, error) {
	if dir := in.Event.ProjectDir; dir != "" && !in.World.Past && dir != in.Event.CWD {
		if repo, err := evidence.Open(ctx, dir, in.gitOptions()); err == nil {
			return repo, nil
		}
	}
	return in.Repo(ctx)
}

func (in *Input) sameTree(ctx context.Context, repo *evidence.Repo) bool {
	own, err := in.Repo(ctx)
	return err == nil && own.Root() == repo.Root()
}

// addsTree tells a folder in a working tree that the script itself adds.
func (in *Input) addsTree(dir string) bool {
	for _, c := range in.Script().Commands {
		g, ok := shell.ParseGit(c)
		if !ok || g.Sub != "worktree" || len(g.Args) < 2 || g.Args[0].Text != "add" {
			continue
		}
		for _, w := range g.Args[1:] {
			p := w.Text
			if !filepath.IsAbs(p) {
				p = filepath.Join(g.Dir.Text, p)
			}
			if !strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "/") && (dir == p || strings.HasPrefix(dir, p+"/")) {
				return true
			}
		}
	}
	return false
}

// standing is the nearest folder above a path that is there: a script may make
// the rest.
func standing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}
