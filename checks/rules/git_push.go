package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var pushSpec = shell.OptSpec{
	Short: "fdnuqvo:46",
	Long: "force force-with-lease=? no-force-with-lease force-if-includes no-force-if-includes mirror all branches delete tags follow-tags no-follow-tags prune dry-run " +
		"set-upstream quiet verbose no-verify verify signed=? push-option= receive-pack= exec= repo= thin no-thin atomic progress porcelain recurse-submodules= ipv4 ipv6",
}

// pushes judges one git push: what it forces or deletes, and whose branch that
// is.
func pushes(s *scan, g *gitCall) verdict {
	o := shell.Options(g.args, pushSpec)
	if o.Has("n", "dry-run") || s.pushesToScratch(g, o) {
		return verdict{}
	}
	specs := o.Rest
	if len(specs) > 0 && !o.Has("repo") {
		specs = specs[1:]
	}
	mirror := o.Has("mirror")
	for _, c := range g.git.Configs {
		mirror = mirror || strings.HasPrefix(c.Name, "remote.") && strings.HasSuffix(c.Name, ".mirror") && c.Value.Text != "false"
	}
	if len(specs) == 0 {
		for _, c := range g.git.Configs {
			if strings.HasPrefix(c.Name, "remote.") && strings.HasSuffix(c.Name, ".push") {
				specs = append(specs, c.Value)
			}
		}
	}
	force, lease := forced(o)
	switch {
	case mirror:
		return deny("overwrites and deletes every branch and tag of the remote that is not here.")
	case o.Has("prune"):
		return deny("deletes every remote branch that is not here.")
	case force && o.Has("all", "branches"):
		return deny("overwrites every branch of the remote.")
	}
	if len(specs) == 0 && (!o.Has("tags") || force) {
		specs = []shell.Word{shell.Lit("HEAD")}
	}
	worst := verdict{}
	if force && o.Has("tags") {
		worst = ask("overwrites tags on the remote that others may already use.")
	}
	for _, w := range specs {
		worst = worst.or(s.pushOf(g, o, w, force, lease))
	}
	if worst.decision == hook.Ask && force && !lease && worst.rewrite == "" && s.ownOnly(g, o, specs) {
		worst.rewrite = s.leased()
	}
	return worst
}

// pushesToScratch tells a push to a repository in a temp folder of this machine,
// which is nobody's remote: one that is named by its path, that the same script
// adds or clones from, or that the configuration names.
func (s *scan) pushesToScratch(g *gitCall, o shell.Opts) bool {
	remote := "origin"
	if v, ok := o.Value("repo"); ok {
		remote = v.Text
	}
	if len(o.Rest) > 0 {
		if s.scratchPlace(g.index, o.Rest[0]) {
			return true
		}
		remote = o.Rest[0].Text
	}
	scratch, said := false, false
	for j := max(0, g.index-lookBack); j < g.index; j++ {
		h := s.git(j)
		if h == nil || len(h.args) == 0 {
			continue
		}
		switch ho := shell.Options(h.args, shell.OptSpec{Short: "b:o:t:m:fqc:u:j:", Long: "depth= branch= origin= config= bare mirror fetch tags push"}); {
		case h.sub == "clone" && remote == "origin" && len(ho.Rest) > 0 && s.clonedTo(h, ho, g):
			scratch, said = s.scratchPlace(j, ho.Rest[0]), true
		case h.sub == "remote" && len(ho.Rest) > 2 && oneOf(ho.Rest[0].Text, "add", "set-url") && ho.Rest[1].Text == remote && h.git.Dir.Text == g.git.Dir.Text:
			scratch, said = s.scratchPlace(j, ho.Rest[2]), true
		}
	}
	if said {
		return scratch
	}
	r, ok := s.gitRepo(g)
	if !ok {
		return false
	}
	url, ok := r.Config("remote." + remote + ".url")
	return ok && path.IsAbs(strings.TrimPrefix(url, "file://")) && s.placeOf(path.Clean(strings.TrimPrefix(url, "file://"))) == tempPlace
}

// clonedTo tells that a clone made the folder that a later command works in.
func (s *scan) clonedTo(clone *gitCall, o shell.Opts, g *gitCall) bool {
	to := strings.TrimSuffix(path.Base(strings.TrimRight(o.Rest[0].Text, "/")), ".git")
	if len(o.Rest) > 1 {
		if o.Rest[1].Text == g.git.Dir.Text {
			return true
		}
		to = o.Rest[1].Text
	}
	return g.dir != "" && s.abs(clone.index, to) == g.dir
}

// scratchPlace tells a path in a temp folder; an address on the network is none.
func (s *scan) scratchPlace(i int, w shell.Word) bool {
	if s.madeByMktemp(w) {
		return true
	}
	t, isFile := strings.CutPrefix(w.Text, "file://")
	if !known(w) || t == "" || !isFile && strings.Contains(t, ":") || !strings.Contains(t, "/") && !strings.HasSuffix(t, ".git") {
		return false
	}
	p := s.abs(i, t)
	return p != "" && !within(p, s.ctx.ProjectDir) && s.placeOf(p) == tempPlace
}

// forced reads the force options: the last of force and lease counts as git
// reads it, but --force beside a lease makes the lease void.
func forced(o shell.Opts) (force, lease bool) {
	for _, x := range o.List {
		switch {
		case x.Name == "f" || x.Name == "force":
			force = true
		case x.Name == "force-with-lease":
			lease = true
		case x.Name == "no-force-with-lease":
			lease = false
		case !x.Known && len(x.Name) > 3 && abbreviates(x.Name, "force"):
			force = true
		}
	}
	return force, lease && !force
}

// pushOf judges one refspec.
func (s *scan) pushOf(g *gitCall, o shell.Opts, w shell.Word, force, lease bool) verdict {
	t := w.Text
	if strings.HasPrefix(t, "+") {
		force, t = true, t[1:]
	}
	src, dst, both := strings.Cut(t, ":")
	if !both {
		dst = src
	}
	if t == "tag" {
		return verdict{}
	}
	remove := o.Has("d", "delete") || both && src == "" && dst != ""
	branch := strings.TrimPrefix(dst, "refs/heads/")
	current := s.branch(g)
	own := branch == "HEAD" || branch == "@" || branch == ""
	if own {
		branch = current
		if r, ok := s.gitRepo(g); ok && current != "" {
			if up, ok := r.Upstream(current); ok && len(o.Rest) < 2 {
				branch = up
			}
		}
	}
	own = own || branch == current && current != ""
	tag := strings.HasPrefix(dst, "refs/tags/")
	wild := strings.Contains(dst, "*") || t == ":"
	guarded := !tag && branch != "" && s.protected(g, branch)
	name := clip(cmpOr(branch, dst), 40)
	switch {
	case !force && !lease && !remove:
		return verdict{}
	case wild:
		return deny("overwrites or deletes several branches of the remote.")
	case remove && guarded:
		return deny("deletes " + name + " on the remote, which others build on.")
	case remove:
		return verdict{decision: hook.Ask, fact: "deletes " + name + " on the remote.", safe: "Ask the person whether anybody still needs it."}
	case force && guarded:
		return deny("overwrites " + name + " on the remote; commits of others are lost.")
	case lease && guarded:
		return ask("overwrites " + name + " on the remote, which others build on.")
	case lease && own:
		return verdict{}
	case lease:
		return verdict{}
	case !known(w) || branch == "":
		return ask("overwrites a remote branch, and it is not known which.")
	case own:
		return verdict{decision: hook.Ask, fact: "overwrites " + name + " on the remote without looking what is there now.", safe: "Use --force-with-lease instead of --force."}
	}
	return ask("overwrites " + name + " on the remote; commits of others there are lost.")
}

// ownOnly tells that a forced push touches nothing but the checked-out branch.
func (s *scan) ownOnly(g *gitCall, o shell.Opts, specs []shell.Word) bool {
	current := s.branch(g)
	if current == "" || s.protected(g, current) || o.Has("tags", "all", "mirror", "delete", "d") {
		return false
	}
	for _, w := range specs {
		if strings.HasPrefix(w.Text, "+") || !oneOf(w.Text, "HEAD", "@", current, "HEAD:"+current) {
			return false
		}
	}
	return true
}

// leased is the whole script with --force-with-lease in the place of --force,
// or "" where the text cannot be changed with certainty.
func (s *scan) leased() string {
	text := s.ctx.Text
	if strings.Count(text, "--force") == 1 && !strings.Contains(text, "--force-") {
		return strings.Replace(text, "--force", "--force-with-lease", 1)
	}
	if fields := strings.Fields(text); !strings.Contains(text, "--force") && len(s.cmds) == 1 {
		at := -1
		for i, f := range fields {
			if f == "-f" && at < 0 {
				at = i
			} else if f == "-f" {
				return ""
			}
		}
		if at >= 0 && strings.Count(text, " -f") == 1 {
			return strings.Replace(text, " -f", " --force-with-lease", 1)
		}
	}
	return ""
}
