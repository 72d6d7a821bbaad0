package rules

import (
	"agentguard/checks/shell"
	"agentguard/hook"
)

var discardRules = []Rule{
	{
		ID: "git-reset-hard", Family: "git-discard",
		Title: "git reset that overwrites the working tree",
		Safe:  safeStash,
		Hits: []Case{
			{Run: "git reset --hard", Want: hook.Deny},
			{Run: "git reset --har HEAD"},
			{Run: "git reset HEAD~1 --hard", Want: hook.Deny},
			{Run: "git -C . -c a.b=c reset --hard HEAD", Want: hook.Deny},
			{Run: "git add -A && git reset --merge"},
			{Run: "git reset --hard origin/main", Tree: Clean},
			{Run: "cd /tmp && git --git-dir={{REPO}}/.git --work-tree={{REPO}} reset --hard"},
			{Run: "git reset --hard HEAD~2", Tree: Clean},
			{Run: "echo x > a.txt && git reset --hard", Tree: Clean},
			{Run: "git read-tree --reset -u HEAD", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "git reset"},
			{Run: "git reset --soft HEAD~1"},
			{Run: "git reset HEAD src/app.py"},
			{Run: "git reset --hard HEAD", Tree: Clean},
			{Run: "git fetch && git reset --hard", Tree: Clean},
			{Run: "git clone . /tmp/clone && cd /tmp/clone && git reset --hard HEAD~1"},
			{Run: `d=$(mktemp -d); git clone -q . "$d/c" && cd "$d/c" && git reset --hard HEAD~1`},
			{Run: "git help reset"},
			{Run: "git log --grep 'reset --hard'"},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			o := shell.Options(g.args, shell.OptSpec{Short: "qNpU:", Long: "hard soft mixed merge keep quiet no-quiet patch reset recurse-submodules intent-to-add pathspec-from-file= refresh no-refresh unified= inter-hunk-context=", Single: g.sub == "read-tree"})
			switch {
			case g.sub == "read-tree" && (o.Has("u") || o.Has("reset")) && o.Has("u"):
				return s.discard(g)
			case g.sub == "read-tree":
				return verdict{}
			case o.Has("keep"):
				return verdict{} // refuses by itself where work would be lost
			case !o.Has("hard", "merge"):
				return verdict{}
			}
			if v := s.discard(g); v.decision != hook.Pass {
				return v
			}
			target := "HEAD"
			if len(o.Rest) > 0 {
				target = o.Rest[0].Text
			}
			if oneOf(target, "HEAD", "@", s.branch(g)) {
				return verdict{}
			}
			if r, ok := s.gitRepo(g); ok {
				if n, ok := r.Unpushed(); ok && n == 0 {
					return verdict{}
				}
			}
			return verdict{decision: hook.Ask, fact: "drops commits that were not pushed.", safe: "Make a branch of them first: `git branch backup`."}
		},
		subs: []string{"reset", "read-tree"},
	},
	{
		ID: "git-checkout-paths", Family: "git-discard",
		Title: "git checkout or restore over changed files",
		Safe:  safeStash,
		Hits: []Case{
			{Run: "git checkout -- .", Want: hook.Deny},
			{Run: "git checkout .", Want: hook.Deny},
			{Run: "git checkout -- src/app.py"},
			{Run: "git checkout src/app.py"},
			{Run: "git checkout HEAD~1 -- src/app.py"},
			{Run: "git checkout HEAD~1 src"},
			{Run: "git checkout -f", Want: hook.Deny},
			{Run: "git checkout --force feature/login", Want: hook.Deny},
			{Run: "git restore .", Want: hook.Deny},
			{Run: "git restore -SW -- src", Want: hook.Deny},
			{Run: "git restore --staged --worktree .", Want: hook.Deny},
			{Run: "git restore --source=HEAD~1 src/app.py"},
			{Run: "git checkout-index -f -a", Want: hook.Deny},
			{Run: "cd src && git checkout -- app.py"},
			{Run: "git checkout --pathspec-from-file=list.txt"},
			{Run: "echo x >> docs/old.md; git checkout -- docs/old.md", Tree: Clean},
		},
		Misses: []Case{
			{Run: "git checkout main"},
			{Run: "git checkout -b feature/new"},
			{Run: "git checkout -- docs/old.md"},
			{Run: "git checkout -- .", Tree: Clean},
			{Run: "git restore --staged ."},
			{Run: "git restore . --staged"},
			{Run: "git restore -S src/app.py"},
			{Run: "git checkout feature/login"},
			{Run: "git checkout --detach"},
			{Run: "git checkout -t origin/feature/login"},
			{Run: "git restore docs/old.md"},
		},
		programs: []string{"git"},
		git:      overwrites,
		subs:     []string{"checkout", "restore", "checkout-index"},
	},
	{
		ID: "git-switch-discard", Family: "git-discard",
		Title: "git switch that throws changes away",
		Safe:  safeStash,
		Hits: []Case{
			{Run: "git switch --discard-changes feature/login", Want: hook.Deny},
			{Run: "git switch -f feature/login", Want: hook.Deny},
			{Run: "git switch --forc feature/login"},
			{Run: "git switch -C feature/login main"},
			{Run: "git checkout -B feature/login"},
		},
		Misses: []Case{
			{Run: "git switch -c fix/typo"},
			{Run: "git switch main"},
			{Run: "git switch -f main", Tree: Clean},
			{Run: "git switch -C fresh-branch"},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			o := shell.Options(g.args, switchSpec)
			if g.sub == "switch" && (o.Has("f", "force", "discard-changes") || anyPrefix(o, "forc")) {
				return s.discard(g)
			}
			if v, ok := o.Value("B", "C", "force-create"); ok {
				if r, found := s.gitRepo(g); found {
					if is, ok := r.IsRef(v.Text); ok && !is || v.Text == s.branch(g) && len(o.Rest) == 0 {
						return verdict{}
					}
				}
				return verdict{decision: hook.Ask, fact: "moves an existing branch; its own commits lose their name.", safe: "Choose a new branch name."}
			}
			return verdict{}
		},
		subs: []string{"switch", "checkout"},
	},
	{
		ID: "git-clean", Family: "git-discard",
		Title: "git clean of untracked or ignored files",
		Safe:  "Run `git clean -nd` and name the folders that may go.",
		Hits: []Case{
			{Run: "git clean -fdx", Want: hook.Deny},
			{Run: "git clean -xdf", Want: hook.Deny},
			{Run: "git clean --force -d", Want: hook.Deny},
			{Run: "git clean -fd", Want: hook.Deny},
			{Run: "git clean -fdX"},
			{Run: "git clean -fdx -- . '(' git-clean -n", Want: hook.Deny},
			{Run: "git clean -fdx", Tree: Clean, Want: hook.Deny},
			{Run: "git -c clean.requireForce=false clean -d"},
		},
		Misses: []Case{
			{Run: "git clean -n"},
			{Run: "git clean -ndx"},
			{Run: "git clean --dry-run -d -f"},
			{Run: "git clean -fdx dist/"},
			{Run: "git clean -fd", Tree: Clean},
			{Run: "git clean -d"},
		},
		programs: []string{"git"},
		git:      cleans,
		subs:     []string{"clean"},
	},
	{
		ID: "git-apply-reverse", Family: "git-discard",
		Title: "taking changes back with a reversed patch",
		Safe:  safeStash,
		Hits: []Case{
			{Run: "git diff | git apply -R"},
			{Run: "git diff HEAD | git apply --reverse"},
			{Run: "git diff src | patch -R -p1"},
			{Run: "git apply -R <(git diff)"},
			{Run: "git diff > /tmp/p && git apply -R /tmp/p"},
			{Run: "git diff > /tmp/p; patch -R -p1 < /tmp/p"},
		},
		Misses: []Case{
			{Run: "git apply /tmp/x.patch"}, {Run: "git apply -R --check /tmp/x.patch"}, {Run: "git apply -R --cached /tmp/x.patch"}, {Run: "git diff | git apply -R", Tree: Clean},
		},
		programs: []string{"git", "patch"},
		call: func(s *scan, i int) verdict {
			fromDiff := s.readsDiff(i)
			if c := &s.cmds[i]; c.Name == "patch" {
				if fromDiff && hasWord(c.Args, "-R", "--reverse") && !hasWord(c.Args, "--dry-run") {
					return ask("takes the uncommitted changes back.")
				}
				return verdict{}
			}
			g := s.git(i)
			if g == nil || g.sub != "apply" || !fromDiff {
				return verdict{}
			}
			o := shell.Options(g.args, shell.OptSpec{Short: "Rp:C:v3N", Long: "reverse check cached index stat numstat summary 3way directory= exclude= include= whitespace="})
			if !o.Has("R", "reverse") || o.Has("check", "cached", "stat", "numstat", "summary") || s.work(g) == treeClean {
				return verdict{}
			}
			return ask("takes the uncommitted changes back.")
		},
	},
	{
		ID: "other-vcs-discard", Family: "git-discard",
		Title: "throwing work away in another version control system",
		Safe:  "Save the changes as a patch first (`hg diff > x.patch`, `svn diff > x.patch`).",
		Hits:  []Case{{Run: "svn revert -R ."}, {Run: "hg update -C"}, {Run: "hg strip tip"}, {Run: "jj abandon @"}, {Run: "hg purge"}, {Run: "hg push -f"}, {Run: "jj git push --deleted"}},
		Misses: []Case{
			{Run: "svn status"}, {Run: "hg update"}, {Run: "jj log"}, {Run: "hg commit -m 'revert x'"}, {Run: "fossil status"},
		},
		verbs: []verb{
			{prog: "svn", words: "revert|cleanup", with: "-R --recursive --remove-unversioned --remove-ignored", fact: "throws away changes that are not committed."},
			{prog: "svn", words: "delete|rm|remove", with: "--force", fact: "throws away changes that are not committed."},
			{prog: "hg", words: "update|up|checkout|co", with: "-C --clean", fact: "throws away changes that are not committed."},
			{prog: "hg", words: "strip|purge|clean|histedit|revert|rollback", not: "--print -p --interactive", fact: "throws work away."},
			{prog: "hg|sl", words: "push", with: "-f --force", fact: "pushes over what others have on the remote."},
			{prog: "jj", words: "git push", with: "--deleted", fact: "deletes branches on the remote."},
			{prog: "jj", words: "abandon|restore|undo", fact: "throws a change away."},
			{prog: "jj", words: "op restore|abandon", fact: "throws changes away."},
			{prog: "p4|fossil|bzr|darcs", words: "revert|clean|obliterate", fact: "throws work away."},
		},
	},
	{
		ID: "git-stash-drop", Family: "git-discard",
		Title: "dropping a stash",
		Safe:  "Keep it, or turn it into a branch: `git stash branch NAME`.",
		Hits: []Case{
			{Run: "git stash drop"},
			{Run: "git stash clear", Want: hook.Deny},
			{Run: "git stash pop || git stash drop"},
			{Run: "git stash drop stash@{1}"},
		},
		Misses: []Case{
			{Run: "git stash"},
			{Run: "git stash pop"},
			{Run: "git stash list && git stash show -p stash@{0}"},
			{Run: "git stash push -u -m 'drop this later'"},
		},
		programs: []string{"git"},
		git: func(_ *scan, g *gitCall) verdict {
			if len(g.args) == 0 {
				return verdict{}
			}
			switch g.args[0].Text {
			case "drop":
				return ask("drops a stash, which may be the only copy of that work.")
			case "clear":
				return deny("drops every stash at once.")
			}
			return verdict{}
		},
		subs: []string{"stash"},
	},
	{
		ID: "git-worktree-force", Family: "git-discard",
		Title: "removing a worktree or submodule with its changes",
		Safe:  "Leave out --force: git then refuses where work would be lost.",
		Hits: []Case{
			{Run: "git worktree remove --force ../wt-login"},
			{Run: "git worktree remove ../wt-login -f"},
			{Run: "git submodule deinit -f lib"},
			{Run: "git submodule update --init --force"},
			{Run: "git rm -rf src"},
			{Run: "git rm -f src/app.py"},
		},
		Misses: []Case{
			{Run: "git worktree remove ../wt-login"},
			{Run: "git worktree add -f ../wt-login feature/login"},
			{Run: "git worktree prune"},
			{Run: "git submodule update --init --recursive"},
			{Run: "git rm --cached .env"},
			{Run: "git rm docs/old.md"},
			{Run: "git rm -r --cached -f node_modules"},
			{Run: `wt=$(mktemp -d)/w; git worktree add --detach "$wt"; git worktree remove --force "$wt"`},
			{Run: "git worktree remove --force /tmp/wt-check"},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			o := shell.Options(g.args, shell.OptSpec{Short: "frnq", Long: "force cached dry-run quiet all ignore-unmatch pathspec-from-file=", Stop: false})
			force := o.Has("f", "force")
			switch {
			case !force || o.Has("n", "dry-run") || o.Has("cached"):
				return verdict{}
			case g.sub == "rm":
				v := s.pathsLost(g, o.Rest)
				if v.decision == hook.Pass && o.Has("r") {
					v = ask("deletes a tracked folder.")
				}
				return v
			case len(o.Rest) > 0 && o.Rest[0].Text == "update" && g.sub == "submodule":
				return ask("throws away changes inside submodules.")
			case g.sub == "worktree" && len(o.Rest) > 1 && o.Rest[0].Text == "remove" && s.scratchPlace(g.index, o.Rest[1]):
				return verdict{}
			case len(o.Rest) > 0 && oneOf(o.Rest[0].Text, "remove", "deinit"):
				return ask("removes a working tree together with changes in it that are not committed.")
			}
			return verdict{}
		},
		subs: []string{"worktree", "submodule", "rm"},
	},
}
