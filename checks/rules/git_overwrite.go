package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

func anyPrefix(o shell.Opts, prefix string) bool {
	for _, x := range o.List {
		if len(x.Name) > 1 && strings.HasPrefix(x.Name, prefix) {
			return true
		}
	}
	return false
}

// overwrites judges the forms of checkout and restore that name files.
func overwrites(s *scan, g *gitCall) verdict {
	switch g.sub {
	case "checkout-index":
		o := shell.Options(g.args, shell.OptSpec{Short: "fanquz", Long: "force all prefix= stage= temp no-create index quiet stdin"})
		if o.Has("f", "force") && !o.Has("prefix", "temp") {
			return s.discard(g)
		}
		return verdict{}
	case "restore":
		o := shell.Options(g.args, shell.OptSpec{Short: "s:SWpqmU:", Long: "source= staged worktree patch quiet progress no-progress ours theirs merge conflict= ignore-unmerged overlay no-overlay pathspec-from-file= pathspec-file-nul recurse-submodules no-recurse-submodules"})
		if o.Has("S", "staged") && !o.Has("W", "worktree") || o.Has("p", "patch") {
			return verdict{}
		}
		if o.Has("pathspec-from-file") {
			return s.discard(g)
		}
		return s.pathsLost(g, o.Rest)
	}
	o := shell.Options(g.args, switchSpec)
	paths := o.Rest
	switch {
	case o.Has("p", "patch", "b", "orphan", "ours", "theirs", "m", "merge") && !o.Has("f", "force"):
		return verdict{}
	case o.Has("f", "force"):
		return s.discard(g)
	case o.Has("pathspec-from-file"):
		return s.discard(g)
	case o.Has("B"):
		return verdict{}
	case o.DashDash >= 0:
		paths = o.Rest[o.DashDash:]
	case len(paths) == 0:
		return verdict{}
	case len(paths) == 1 && !s.isPath(g, paths[0]):
		return verdict{}
	case len(paths) > 1 && !s.isPath(g, paths[0]):
		paths = paths[1:]
	}
	if len(paths) == 0 {
		return verdict{}
	}
	return s.pathsLost(g, paths)
}

// isPath tells that git would read a word as a path, not as a branch.
func (s *scan) isPath(g *gitCall, w shell.Word) bool {
	t := w.Text
	if oneOf(t, ".", "..", "*") || hasPrefixAny(t, ":/", ":(", ":!", ":^") || strings.HasPrefix(t, "./") || strings.ContainsAny(t, "*") {
		return true
	}
	if t == "-" || !known(w) {
		return false
	}
	r, ok := s.gitRepo(g)
	if !ok {
		return strings.Contains(path.Base(t), ".") && !strings.Contains(t, "..")
	}
	if is, ok := r.IsRef(t); ok && is {
		return false
	}
	p := path.Join(g.dir, t)
	if is, ok := r.IsRef("origin/" + t); ok && is || s.kind(p) == Missing {
		return false // the name of a branch on the remote, or nothing that could be lost
	}
	st, ok := r.Path(p)
	return ok && (st.Tracked || st.Untracked || st.Ignored)
}

// readsDiff tells that command i reads what git diff prints: through a pipe, a
// substitution or a file that the same script wrote.
func (s *scan) readsDiff(i int) bool {
	c := &s.cmds[i]
	from := s.upstream(i)
	for _, a := range c.Args {
		from = append(from, s.origins(a)...)
	}
	read := map[string]bool{s.abs(i, c.Stdin.File.Text): c.Stdin.File.Text != ""}
	for _, a := range c.Args {
		read[s.abs(i, a.Text)] = true
	}
	for j := range i {
		for _, e := range s.effectsOf(j) {
			if e.Op == shell.Write && read[e.Path.Text] {
				from = append(from, j)
			}
		}
	}
	for _, j := range from {
		if g := s.git(j); g != nil && g.sub == "diff" {
			return true
		}
	}
	return false
}

func cleans(s *scan, g *gitCall) verdict {
	o := shell.Options(g.args, shell.OptSpec{Short: "fdnqixXe:", Long: "force dry-run interactive quiet exclude="})
	forced := o.Has("f", "force")
	if v, ok := g.config("clean.requireforce"); ok && oneOf(strings.ToLower(v), "false", "no", "0", "off") {
		forced = true
	}
	if !forced || o.Has("n", "dry-run") || o.Has("i", "interactive") {
		return verdict{}
	}
	r, ok := s.gitRepo(g)
	if ok && len(o.Rest) > 0 {
		built := true
		for _, w := range o.Rest {
			p := path.Join(g.dir, stripGlob(w.Text))
			st, known := r.Path(p)
			// A folder that the repository ignores and a tool makes again.
			built = built && known && !st.Tracked && !st.Untracked && p != r.Root() && builtWhenIgnored(strings.TrimPrefix(p, r.Root()))
		}
		if built {
			return verdict{}
		}
	}
	if o.Has("x", "X") {
		if o.Has("X") {
			return ask("deletes all ignored files, local settings like .env included.")
		}
		return deny("deletes all untracked and ignored files, local settings like .env included.")
	}
	if ok && s.untouched(g.index) {
		if clean, ok := r.Clean(); ok && clean {
			return verdict{}
		}
		if st, ok := r.Path(r.Root()); ok && !st.Untracked {
			return verdict{}
		}
	}
	if ok {
		return deny("deletes untracked files, which have no other copy.")
	}
	return ask("deletes untracked files, which have no other copy.")
}
