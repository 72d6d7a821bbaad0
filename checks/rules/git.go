package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

// gitCall is one git command as the rules need it.
type gitCall struct {
	index int
	sub   string
	args  []shell.Word
	git   shell.Git
	dir   string // folder of the repository it names; "" when not known
}

// git reads command i as git reads it; nil when it is none.
func (s *scan) git(i int) *gitCall {
	if g, ok := s.gits[i]; ok {
		return g
	}
	if s.gits == nil {
		s.gits = map[int]*gitCall{}
	}
	s.gits[i] = nil
	g, ok := shell.ParseGit(s.cmds[i])
	if !ok {
		return nil
	}
	call := &gitCall{index: i, sub: g.Sub, args: g.Args, git: g}
	if known(g.Dir) && path.IsAbs(g.Dir.Text) {
		call.dir = g.Dir.Text
	}
	s.gits[i] = call
	return call
}

// config is the value of a setting given for this one run; the name is in lower
// case.
func (g *gitCall) config(name string) (string, bool) {
	w, ok := g.git.Config(name)
	return w.Text, ok
}

func (g *gitCall) help() bool {
	return len(g.args) > 0 && oneOf(g.args[len(g.args)-1].Text, "--help", "-h")
}

// repo is the repository that the command works on; ok=false where it cannot be
// told.
func (s *scan) gitRepo(g *gitCall) (Repo, bool) {
	if g.dir == "" || s.elsewhere(g.index) != here {
		return nil, false
	}
	return s.repo(g.dir)
}

// scratchRepo tells a clone in a temp folder: what it alone holds is nobody's
// work.
func (s *scan) scratchRepo(g *gitCall) bool {
	if s.madeByMktemp(g.git.Dir) && g.git.GitDir.Text == "" && g.git.WorkTree.Text == "" {
		return true
	}
	return g.dir != "" && s.isTemp(g.dir) && !within(g.dir, s.ctx.ProjectDir) && g.git.GitDir.Text == "" && g.git.WorkTree.Text == "" && s.placeOf(g.dir) == tempPlace
}

// freshRepo tells a repository that the same script makes before: by init or clone
// in a folder that holds none yet.
func (s *scan) freshRepo(g *gitCall) bool {
	for j := max(0, g.index-lookBack); j < g.index; j++ {
		h := s.git(j)
		if h == nil || h.sub != "init" && h.sub != "clone" {
			continue
		}
		o := shell.Options(h.args, shell.OptSpec{Short: "qb:o:u:c:j:nlsv", Long: "quiet bare initial-branch= template= separate-git-dir= object-format= ref-format= shared=? depth= branch= origin= upload-pack= config= reference= jobs= filter= shallow-since= recurse-submodules=? single-branch mirror no-checkout local no-tags"})
		if h.sub == "clone" {
			if len(o.Rest) > 0 && s.clonedTo(h, o, g) {
				return true
			}
			continue
		}
		to := h.git.Dir.Text
		if len(o.Rest) > 0 {
			to = o.Rest[0].Text
			if known(o.Rest[0]) && !path.IsAbs(to) {
				to = path.Join(h.git.Dir.Text, to)
			}
		}
		if to == "" || g.git.Dir.Text != to && !strings.HasPrefix(g.git.Dir.Text, to+"/") {
			continue
		}
		if r, ok := s.repo(to); ok && r.Root() == to {
			continue // it was there before
		}
		return true
	}
	return false
}

// madeByMktemp tells a path that starts with the folder that mktemp made.
func (s *scan) madeByMktemp(w shell.Word) bool {
	if len(w.Parts) == 0 || w.Parts[0].Kind != shell.Output || strings.Contains(w.Text, "..") {
		return false
	}
	for _, j := range w.Parts[0].From {
		if j < 0 || j >= len(s.cmds) || s.cmds[j].Name != "mktemp" {
			return false
		}
	}
	return len(w.Parts[0].From) > 0
}

// tree is what a command that overwrites the working tree would find.
type tree int

const (
	treeUnknown tree = iota
	treeClean
	treeDirty
)

// work tells whether there is uncommitted work in the command's repository.
// Earlier commands of the same script make it unknown.
func (s *scan) work(g *gitCall) tree {
	r, ok := s.gitRepo(g)
	if !ok || !s.untouched(g.index) {
		if ok {
			if clean, ok := r.Clean(); ok && !clean {
				return treeDirty
			}
		}
		return treeUnknown
	}
	switch clean, ok := r.Clean(); {
	case !ok:
		return treeUnknown
	case clean:
		return treeClean
	default:
		return treeDirty
	}
}

// discard is the verdict on throwing away all uncommitted work.
func (s *scan) discard(g *gitCall) verdict {
	switch s.work(g) {
	case treeClean:
		return verdict{}
	case treeDirty:
		return deny("throws away work that is not committed; git cannot bring it back.")
	default:
		return ask("throws away uncommitted work, if there is any.")
	}
}

// lookBack bounds the search in earlier commands of a script; a longer one is no
// chain that somebody reads.
const lookBack = 50

// branch is the checked-out branch; "" when unknown or detached.
func (s *scan) branch(g *gitCall) string {
	r, ok := s.gitRepo(g)
	if !ok {
		return ""
	}
	// A switch earlier in the same script decides, where it names the branch.
	name, _ := r.Branch()
	for j := max(0, g.index-lookBack); j < g.index; j++ {
		h := s.git(j)
		if h == nil || !oneOf(h.sub, "checkout", "switch") {
			continue
		}
		o := shell.Options(h.args, switchSpec)
		if v, ok := o.Value("b", "B", "c", "C", "create", "force-create", "orphan"); ok {
			name = v.Text
		} else if len(o.Rest) == 1 && o.DashDash < 0 {
			if is, ok := r.IsRef(o.Rest[0].Text); is && ok {
				name = o.Rest[0].Text
			}
		}
	}
	return name
}

var switchSpec = shell.OptSpec{
	Short: "b:B:c:C:fqdtlmpN",
	Long: "force-create= create= orphan= discard-changes force detach track=? no-track quiet merge conflict= guess no-guess ours theirs patch " +
		"pathspec-from-file= pathspec-file-nul recurse-submodules overlay no-overlay ignore-other-worktrees progress no-progress ignore-skip-worktree-bits overwrite-ignore",
}

// protected tells a branch that others build on.
func (s *scan) protected(g *gitCall, branch string) bool {
	branch = strings.TrimPrefix(branch, "refs/heads/")
	list := s.ctx.ProtectedBranches
	if len(list) == 0 {
		list = DefaultProtectedBranches
	}
	for _, p := range list {
		if ok, err := path.Match(p, branch); ok && err == nil {
			return true
		}
	}
	if r, ok := s.gitRepo(g); ok {
		if d, ok := r.DefaultBranch(); ok && d == branch {
			return true
		}
	}
	return false
}

// pathsLost judges git commands that overwrite files by name.
func (s *scan) pathsLost(g *gitCall, paths []shell.Word) verdict {
	r, ok := s.gitRepo(g)
	whole, changed, unsure := false, false, !ok || !s.untouched(g.index)
	for _, w := range paths {
		p := strings.TrimPrefix(w.Text, ":/")
		if !known(w) || strings.HasPrefix(w.Text, ":(") || strings.HasPrefix(w.Text, ":!") {
			unsure = true
			continue
		}
		full := path.Join(g.dir, p)
		if path.IsAbs(p) {
			full = path.Clean(p)
		}
		if strings.HasPrefix(w.Text, ":/") && ok {
			full = path.Join(r.Root(), p)
		}
		glob := strings.ContainsAny(p, "*?[")
		full = stripGlob(full)
		if !ok {
			whole = whole || p == "." || glob || strings.HasSuffix(p, "/")
			continue
		}
		st, known := r.Path(full)
		switch {
		case !known:
			unsure = true
		case st.Modified:
			changed = true
			whole = whole || glob || s.kind(full) == Folder || full == r.Root()
		}
	}
	switch {
	case changed && whole:
		return deny("throws away all changes below it that are not committed.")
	case changed:
		return ask("throws away changes of that file that are not committed.")
	case unsure:
		return ask("throws away uncommitted changes, if there are any.")
	}
	return verdict{}
}

// safeStash is the way out of most git losses.
const safeStash = "Run `git stash push -u` first, so that nothing is lost."
