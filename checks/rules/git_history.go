package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var historyRules = []Rule{
	{
		ID: "git-push-force", Family: "git-history",
		Title: "a push that overwrites or deletes on the remote",
		Safe:  "Pull and rebase, then push plainly; on your own branch use --force-with-lease.",
		Hits: []Case{
			{Run: "git push --force origin main", Want: hook.Deny},
			{Run: "git push origin main --force", Want: hook.Deny},
			{Run: "git push origin main -f", Want: hook.Deny},
			{Run: "git push -f", Want: hook.Deny},
			{Run: "git push origin +main", Want: hook.Deny},
			{Run: "git push origin +HEAD:refs/heads/main", Want: hook.Deny},
			{Run: "git push --mirror origin", Want: hook.Deny},
			{Run: "git -c remote.origin.mirror=true push origin"},
			{Run: "git push --prune origin 'refs/heads/*:refs/heads/*'", Want: hook.Deny},
			{Run: "git push origin --delete main", Want: hook.Deny},
			{Run: "git push origin :main", Want: hook.Deny},
			{Run: "git push origin --delete feature/login"},
			{Run: "git push -d origin feature/login"},
			{Run: "git push origin :refs/tags/v1.0.0"},
			{Run: "git push --force-with-lease origin main"},
			{Run: "git push --force-with-lease origin main || git push --force origin main", Want: hook.Deny},
			{Run: "git push --force --all origin", Want: hook.Deny},
			{Run: "git push --force origin feature/login", Tree: Feature},
			{Run: "git push -f origin v1.0.0"},
			{Run: "cd src && git push -fu origin HEAD", Want: hook.Deny},
			{Run: "git push --force-with-lease"},
			{Run: "git push --force origin feature/other", Tree: Feature},
			{Run: "git send-pack --force origin main", Want: hook.Deny},
			{Run: "cd /tmp/w && git remote add origin git@example.com:o/r.git && git push -f origin HEAD:main", Want: hook.Deny},
			{Run: "git -c remote.origin.push=+main push origin", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "git push"},
			{Run: "git push origin main"},
			{Run: "git push -u origin HEAD"},
			{Run: "git push --force --dry-run origin main"},
			{Run: "git push -n -f origin main"},
			{Run: "git push --follow-tags", Tree: Feature},
			{Run: "git push --force-with-lease origin feature/login", Tree: Feature},
			{Run: "git push --force-with-lease --force-if-includes", Tree: Feature},
			{Run: "git fetch --force --tags origin"},
			{Run: "git commit -m 'push --force origin main'"},
			{Run: "git push origin feature/login:feature/login", Tree: Feature},
			{Run: "git push --tags"},
			{Run: "mkdir -p /tmp/w && cd /tmp/w && git init -q && git remote add origin /tmp/bare.git && git push -f origin HEAD:main"},
			{Run: "cd /tmp && git init -q --bare o.git && git clone -q o.git w && cd w && git commit -q --allow-empty -m x && git push -f origin HEAD:main"},
			{Run: "git push --force /tmp/bare.git HEAD:main"},
			{Run: `d=$(mktemp -d); git clone -q --bare . "$d/o.git" && git clone -q "$d/o.git" "$d/w" && git -C "$d/w" push --force origin HEAD:main`},
		},
		programs: []string{"git"},
		git:      pushes,
		subs:     []string{"push", "send-pack"},
	},
	{
		ID: "git-remote-changed", Family: "git-history",
		Title: "pushing to a remote that the same script changes",
		Safe:  "Ask the person which remote is meant.",
		Hits: []Case{
			{Run: "git remote set-url origin https://example.com/fork.git && git push origin main"},
			{Run: "git remote add x https://example.com/x.git; git push x main"},
			{Run: "git push https://example.com/x.git main"},
			{Run: "git config remote.origin.url https://example.com/x && git push"},
		},
		Misses: []Case{
			{Run: "git remote -v && git push"},
			{Run: "git remote add upstream https://example.com/x.git && git fetch upstream"},
			{Run: "git clone https://example.com/x.git /tmp/x"},
			{Run: "cd /tmp/w && git init -q && git remote add origin /tmp/o.git && git push -u origin main"},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			o := shell.Options(g.args, pushSpec)
			if o.Has("n", "dry-run") || s.pushesToScratch(g, o) {
				return verdict{}
			}
			if len(o.Rest) > 0 && (strings.Contains(o.Rest[0].Text, "://") || strings.Contains(o.Rest[0].Text, "@")) {
				return ask("pushes to an address that is not one of the configured remotes.")
			}
			for j := range g.index {
				h := s.git(j)
				if h == nil || len(h.args) == 0 {
					continue
				}
				if h.sub == "remote" && oneOf(h.args[0].Text, "set-url", "add") ||
					h.sub == "config" && hasPrefixAny(strings.ToLower(h.args[0].Text), "remote.", "url.") {
					return ask("changes where pushes go, then pushes.")
				}
			}
			return verdict{}
		},
		subs: []string{"push"},
	},
	{
		ID: "git-rewrite-history", Family: "git-history",
		Title: "rewriting all of the history",
		Safe:  "Do it in a fresh clone, and let the person start it.",
		Hits: []Case{
			{Run: "git filter-branch -f --tree-filter 'rm -f secrets.txt' HEAD"},
			{Run: "git filter-repo --force --path x --invert-paths"},
			{Run: "git-filter-repo --force --path x"},
			{Run: "bfg --delete-files id_rsa"},
			{Run: "java -jar bfg.jar --strip-blobs-bigger-than 1M"},
		},
		Misses: []Case{
			{Run: "git log --oneline"},
			{Run: "git filter-repo --analyze"},
			{Run: "git help filter-branch"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			const fact = "rewrites every commit; clones and open work of others no longer fit."
			switch {
			case oneOf(c.Name, "git-filter-repo", "bfg"), c.Name == "java" && hasArgContaining(c, "bfg"):
				if len(c.Args) == 0 || helpOnly(c) {
					return verdict{}
				}
				return deny(fact)
			case c.Name == "git":
				g := s.git(i)
				if g == nil || !oneOf(g.sub, "filter-branch", "filter-repo") || g.help() {
					return verdict{}
				}
				if hasWord(g.args, "--analyze", "--dry-run") {
					return verdict{}
				}
				return deny(fact)
			}
			return verdict{}
		},
	},
	{
		ID: "git-rebase-shared", Family: "git-history",
		Title: "rebasing a branch that others build on",
		Safe:  "Rebase your own branch onto it, or merge.",
		Hits: []Case{
			{Run: "git rebase feature/login", Tree: Clean},
			{Run: "git rebase -i HEAD~3"},
			{Run: "git rebase --root"},
		},
		Misses: []Case{
			{Run: "git rebase origin/main", Tree: Feature},
			{Run: "git rebase -i HEAD~3", Tree: Feature},
			{Run: "git rebase --abort"},
			{Run: "git rebase --continue"},
			{Run: "git pull --rebase"},
			{Run: "git rebase origin/main"},
			{Run: "git rebase main", Tree: Clean},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			o := shell.Options(g.args, shell.OptSpec{Short: "ix:ms:X:qvnfr", Long: "abort continue skip quit edit-todo show-current-patch onto= exec= root interactive autosquash autostash no-verify update-refs rebase-merges=? keep-base strategy= strategy-option= fork-point no-fork-point committer-date-is-author-date verify"})
			if o.Has("abort", "continue", "skip", "quit", "edit-todo", "show-current-patch") {
				return verdict{}
			}
			branch := s.branch(g)
			if len(o.Rest) > 1 {
				branch = o.Rest[1].Text
			}
			if branch == "" || !s.protected(g, branch) {
				return verdict{}
			}
			if len(o.Rest) == 0 && !o.Has("i", "interactive", "root") || len(o.Rest) == 1 && (o.Rest[0].Text == branch || strings.HasSuffix(o.Rest[0].Text, "/"+branch)) && !o.Has("root") {
				return verdict{} // onto itself or its own remote counterpart, as a pull does
			}
			return ask("rewrites commits of " + clip(branch, 40) + ", which others build on.")
		},
		subs: []string{"rebase"},
	},
	{
		ID: "git-drop-safety-net", Family: "git-history",
		Title: "removing what git keeps to undo mistakes",
		Safe:  "Leave the reflog and unreachable objects to git; they expire by themselves.",
		Hits: []Case{
			{Run: "git reflog expire --expire=now --all", Want: hook.Deny},
			{Run: "git reflog delete HEAD@{1}", Want: hook.Deny},
			{Run: "git gc --prune=now"},
			{Run: "git gc --prune=all --aggressive"},
			{Run: "git prune"},
			{Run: "git -c gc.pruneExpire=now gc"},
			{Run: "git update-ref -d refs/heads/main", Want: hook.Deny},
			{Run: "git update-ref refs/heads/main HEAD~5"},
			{Run: "git symbolic-ref HEAD refs/heads/other"},
			{Run: "git lfs migrate import --everything", Want: hook.Deny},
			{Run: "git replace -f HEAD HEAD~1"},
			{Run: "git fast-export --all | git fast-import --force"},
		},
		Misses: []Case{
			{Run: "git reflog"},
			{Run: "git reflog --date=iso | head"},
			{Run: "git gc"},
			{Run: "git gc --auto"},
			{Run: "git prune --dry-run"},
			{Run: "git prune -n"},
			{Run: "git symbolic-ref --short HEAD"},
			{Run: "git remote prune origin"},
			{Run: "git reflog expire --dry-run --all"},
		},
		programs: []string{"git"},
		git:      dropsNet,
		subs:     []string{"reflog", "gc", "prune", "update-ref", "symbolic-ref", "lfs", "replace", "fast-import"},
	},
	{
		ID: "git-branch-delete", Family: "git-history",
		Title: "deleting or moving a branch that holds commits nothing else has",
		Safe:  "Use `git branch -d`: it refuses where commits would be lost.",
		Hits: []Case{
			{Run: "git branch -D feature/login"},
			{Run: "git branch -d -f feature/login"},
			{Run: "git branch --delete --force feature/login"},
			{Run: "git branch -D main", Tree: Feature, Want: hook.Deny},
			{Run: "git branch -f main HEAD~3"},
			{Run: "git fetch origin +main:main"},
		},
		Misses: []Case{
			{Run: "git branch -d merged-topic"},
			{Run: "git branch -D merged-topic"},
			{Run: "git branch -a --show-current"},
			{Run: "git branch -m new-name"},
			{Run: "git branch -M main"},
			{Run: "git branch -vv"},
			{Run: "git fetch origin main:main"},
		},
		programs: []string{"git"},
		git:      branchLost,
		subs:     []string{"branch", "fetch"},
	},
	{
		ID: "git-tag-delete", Family: "git-history",
		Title: "deleting or moving a tag",
		Safe:  "Make a new tag instead.",
		Hits: []Case{
			{Run: "git tag -d v1.0.0"},
			{Run: "git tag --delete v1.0.0"},
			{Run: "git tag -f v1.0.0 HEAD"},
		},
		Misses: []Case{
			{Run: "git tag v1.1.0"},
			{Run: "git tag -l 'v1.*'"},
			{Run: "git tag -a v1.1.0 -m 'delete old code'"},
		},
		programs: []string{"git"},
		git: func(_ *scan, g *gitCall) verdict {
			o := shell.Options(g.args, shell.OptSpec{Short: "asfdvln::m:F:u:e", Long: "annotate sign force delete verify list message= file= local-user= cleanup= contains= merged= no-merged= points-at= sort= format= create-reflog"})
			if o.Has("d", "delete") || o.Has("f", "force") && !o.Has("l", "list") {
				return ask("deletes or moves a tag that others may already use.")
			}
			return verdict{}
		},
		subs: []string{"tag"},
	},
	{
		ID: "git-remote-remove", Family: "git-history",
		Title: "removing a remote",
		Safe:  "Rename it instead: `git remote rename OLD NEW`.",
		Hits:  []Case{{Run: "git remote remove origin"}, {Run: "git remote rm origin"}},
		Misses: []Case{
			{Run: "git remote -v"}, {Run: "git remote rename origin upstream"}, {Run: "git remote prune origin"},
		},
		programs: []string{"git"},
		git: func(_ *scan, g *gitCall) verdict {
			if len(g.args) > 1 && oneOf(g.args[0].Text, "remove", "rm") {
				return ask("removes a remote and everything that was fetched from it.")
			}
			return verdict{}
		},
		subs: []string{"remote"},
	},
}

func dropsNet(s *scan, g *gitCall) verdict {
	first := ""
	if len(g.args) > 0 {
		first = g.args[0].Text
	}
	o := shell.Options(g.args, shell.OptSpec{Short: "ndmqvf", Long: "force prune=? expire= expire-unreachable= all dry-run aggressive auto short delete no-prune keep-largest-pack updateref rewrite single-worktree stale-fix force no-deref stdin create-reflog verify-remote"})
	if o.Has("n", "dry-run") {
		return verdict{}
	}
	const gone = "removes the last way back to lost commits."
	switch g.sub {
	case "reflog":
		if oneOf(first, "expire", "delete", "drop") {
			return deny(gone)
		}
	case "gc":
		v, _ := o.Value("prune")
		expire, _ := g.config("gc.pruneexpire")
		if oneOf(v.Text, "now", "all") || oneOf(expire, "now", "all") {
			return ask(gone)
		}
	case "prune":
		return ask(gone)
	case "lfs":
		switch {
		case first == "prune":
			return ask("deletes local large files that the remote may not have.")
		case first == "migrate" && hasWord(g.args, "import", "export"):
			return deny("rewrites every commit; clones and open work of others no longer fit.")
		}
	case "replace":
		if o.Has("f", "force", "d", "delete") || len(o.Rest) > 1 {
			return ask("makes git show another object in the place of one.")
		}
	case "fast-import":
		if o.Has("force") {
			return ask("overwrites branches from a stream.")
		}
	case "update-ref":
		if o.Has("d", "delete") {
			return deny("deletes a branch or tag below git's own checks.")
		}
		if len(o.Rest) > 1 || o.Has("stdin") {
			return ask("moves a branch below git's own checks.")
		}
	case "symbolic-ref":
		if len(o.Rest) > 1 || o.Has("d", "delete") {
			return ask("points HEAD elsewhere below git's own checks.")
		}
	}
	return verdict{}
}

func branchLost(s *scan, g *gitCall) verdict {
	if g.sub == "fetch" {
		o := shell.Options(g.args, shell.OptSpec{Short: "apPtfkuj:o:46nqv", Long: "all append prune prune-tags tags force depth= jobs= no-tags refmap= upload-pack= shallow-since= deepen= unshallow update-head-ok dry-run set-upstream recurse-submodules=?"})
		for _, r := range o.Rest[min(1, len(o.Rest)):] {
			src, dst, ok := strings.Cut(strings.TrimPrefix(r.Text, "+"), ":")
			if ok && src != "" && (strings.HasPrefix(r.Text, "+") || o.Has("f", "force")) && !hasPrefixAny(dst, "refs/remotes/", "refs/tags/", "refs/notes/") && dst != "" {
				return ask("overwrites a local branch with the remote's; its own commits lose their name.")
			}
		}
		return verdict{}
	}
	o := shell.Options(g.args, shell.OptSpec{Short: "dDmMcCfrailvqtu:", Long: "delete force move copy list all remotes verbose show-current contains= merged= no-merged= sort= format= set-upstream-to= track=? unset-upstream edit-description column=? points-at= color=? quiet"})
	remove := o.Has("D") || o.Has("d", "delete") && o.Has("f", "force")
	move := o.Has("f", "force") && !o.Has("d", "delete", "m", "move", "M") && len(o.Rest) > 0
	if o.Has("r", "remotes") || !remove && !move {
		return verdict{}
	}
	r, found := s.gitRepo(g)
	switch {
	case remove:
		for _, b := range o.Rest {
			if s.protected(g, b.Text) {
				return deny("deletes " + clip(b.Text, 40) + ", which others build on.")
			}
		}
		for _, b := range o.Rest {
			if found && known(b) {
				if merged, ok := r.Merged(b.Text); ok && merged && s.branch(g) != b.Text {
					continue
				}
			}
			return ask("deletes the branch " + clip(b.Text, 40) + " even if its commits exist nowhere else.")
		}
	case move:
		if found {
			if is, ok := r.IsRef(o.Rest[0].Text); ok && !is {
				return verdict{}
			}
		}
		return ask("moves the branch " + clip(o.Rest[0].Text, 40) + "; its own commits lose their name.")
	}
	return verdict{}
}
