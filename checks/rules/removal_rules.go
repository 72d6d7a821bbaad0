package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// only makes a rule of one kind of loss.
func only(s *scan, e shell.Effect, kind lossKind) verdict {
	if l := s.removal(e); l.kind == kind {
		return l.verdict
	}
	return verdict{}
}

var removalRules = []Rule{
	{
		ID: "rm-system", Family: "removal",
		Title: "deleting the root or what the system needs",
		Safe:  "Name the exact file or folder inside the project instead.",
		Hits: []Case{
			{Run: "rm -rf /", Want: hook.Deny},
			{Run: "rm -fr /", Want: hook.Deny},
			{Run: "rm / -rf", Want: hook.Deny},
			{Run: "rm -R / --force", Want: hook.Deny},
			{Run: "rm --recu --no-preserve-root /", Want: hook.Deny},
			{Run: "rm -rf /*", Want: hook.Deny},
			{Run: "sudo rm -rf /usr/lib", Want: hook.Deny},
			{Run: "rm -rf /tmp/../etc", Want: hook.Deny},
			{Run: "rm -rf /tmp/x /", Want: hook.Deny},
			{Run: "rm -rf /{bin,etc}", Want: hook.Deny},
			{Run: "cd / && rm -rf *", Want: hook.Deny},
			{Run: "rm -rf //", Want: hook.Deny},
			{Run: "rm -rf /./", Want: hook.Deny},
			{Run: "rm -rf /var/lib/postgresql", Want: hook.Deny},
			{Run: "rm -f /etc/hosts", Want: hook.Deny},
			{Run: "rm -rf /var/www", Want: hook.Deny},
			{Run: "rm -rf /opt/app", Want: hook.Deny},
			{Run: "rm -rf /tmp/*"},
			{Run: "unlink /etc/passwd", Want: hook.Deny},
			{Run: `python3 -c 'import shutil; shutil.rmtree("/etc")'`, Want: hook.Deny},
			{Run: `php -r 'array_map("unlink", glob("/etc/*"));'`, Want: hook.Deny},
			{Run: `perl -MFile::Path -e 'File::Path::remove_tree("/var/www")'`},
			{Run: "find / -maxdepth 1 | xargs -I% rm -rf %", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "rm -rf /tmp/agent-1"},
			{Run: "rm -f /tmp/a /tmp/b.log"},
			{Run: "rm --help"},
			{Run: "echo rm -rf /"},
			{Run: `grep -rn "rm -rf /" src`},
			{Run: "rm -rf /var/tmp/build-1"},
			{Run: "cd /tmp && rm -rf work"},
			{Run: "rm -rf /var/lib/apt/lists/*"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossSystem) },
	},
	{
		ID: "rm-home", Family: "removal",
		Title: "deleting in the home folder",
		Safe:  "Stay inside the project, or let the person delete it.",
		Hits: []Case{
			{Run: "rm -rf ~", Want: hook.Deny},
			{Run: `ruby -rfileutils -e 'FileUtils.rm_rf(Dir.home)'`, Want: hook.Deny},
			{Run: `node -e 'require("fs").rmSync(require("os").homedir(), {recursive: true})'`, Want: hook.Deny},
			{Run: `python3 -c "import glob,os; [os.unlink(p) for p in glob.glob(os.path.expanduser('~/*'))]"`, Want: hook.Deny},
			{Run: "rm -rf -- ~", Want: hook.Deny},
			{Run: `rm -rf "$HOME"`, Want: hook.Deny},
			{Run: "rm -rf ~/*", Want: hook.Deny},
			{Run: "rm -rf ~/.[!.]*", Want: hook.Deny},
			{Run: "rm -rf $HOME/", Want: hook.Deny},
			{Run: `rm -rf ~/"$NAME"`, Want: hook.Deny},
			{Run: "rm -rf ~/.ssh", Want: hook.Deny},
			{Run: "rm ~/.ssh/authorized_keys", Want: hook.Deny},
			{Run: "rm -rf ~/Documents", Want: hook.Deny},
			{Run: "rm -rf Documents", In: "~", Want: hook.Deny},
			{Run: "D=$HOME && rm -rf \"$D\"", Want: hook.Deny},
			{Run: "rm -rf ~/.config/app"},
			{Run: "rm -rf ~/.claude/projects/-tmp-x", Want: hook.Deny},
			{Run: "ls -d ~/*/ | xargs rm -rf"},
		},
		Misses: []Case{
			{Run: "rm -rf ~/.cache/pip"},
			{Run: "rm -rf ~/.npm/_cacache"},
			{Run: `rm -rf "./~"`},
			{Run: "ls -la ~"},
			{Run: "rm ~/.claude/projects/-home-dev-work-app/memory/old.md"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossHome) },
	},
	{
		ID: "rm-project", Family: "removal",
		Title: "deleting the project, what is above it, another project or a .git folder",
		Safe:  "Delete one named folder inside the project, or make a fresh clone beside it.",
		Hits: []Case{
			{Run: "rm -rf .", Want: hook.Deny},
			{Run: `python3 -c "import shutil; shutil.rmtree('.')"`, Want: hook.Deny},
			{Run: "python3 - <<'E'\nimport os\nfor r, d, f in os.walk('.'):\n    for x in f: os.remove(os.path.join(r, x))\nE", Want: hook.Deny},
			{Run: "rm -rf *", Want: hook.Deny},
			{Run: "rm -rf !(README.md)", Want: hook.Deny},
			{Run: "rm -rf ./* ./.[!.]*", Want: hook.Deny},
			{Run: "rm -rf ..", Want: hook.Deny},
			{Run: "rm -rf ..", In: "src", Want: hook.Deny},
			{Run: "rm -rf .git", Want: hook.Deny},
			{Run: "rm -rf ./.git/", Want: hook.Deny},
			{Run: "rm -rf .git/refs", Want: hook.Deny},
			{Run: "rm -rf dist/../..", Want: hook.Deny},
			{Run: "rm -rf ../billing-service", Want: hook.Deny},
			{Run: "rm -rf \"$PWD\"", Want: hook.Deny},
			{Run: "rm -rf \"$(git rev-parse --show-toplevel)\"", Want: hook.Deny},
			{Run: "rm -rf src/../*", Want: hook.Deny},
			{Run: "rm -rf \"$(git rev-parse --git-dir)\"", Want: hook.Deny},
			{Run: "cd no-such-folder; rm -rf *", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "rm -rf dist"},
			{Run: "rm -f .git/index.lock"},
			{Run: "rm -rf .git/index.lock .git/rebase-merge"},
			{Run: "rm -rf ../billing-service/node_modules"},
			{Run: "mkdir -p out2; cd out2; rm -rf *"},
			{Run: "cd no-such-folder && rm -rf *"},
			{Run: "rm -rf \"$(git rev-parse --show-toplevel)/dist\""},
			{Run: "cd /tmp && git init -q r && cd r && rm -rf .git/logs"},
			{Run: "rm -rf /tmp/clone/.git"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossProject) },
	},
	{
		ID: "rm-unset-variable", Family: "removal",
		Title: "deleting through a variable that may be empty",
		Safe:  `Write the path out, or use "${NAME:?}" so that an empty value stops the command.`,
		Hits: []Case{
			{Run: `rm -rf "$BUILD_DIR"/*`, Want: hook.Deny},
			{Run: `rm -rf $PREFIX/lib`, Want: hook.Deny},
			{Run: `rm -rf "${X}/"`, Want: hook.Deny},
			{Run: `rm -rf "$DIR"`},
			{Run: `cd "$DIR" && rm -rf *`},
			{Run: `rm -rf "${OUT:?}"/*`, Want: hook.Ask},
		},
		Misses: []Case{
			{Run: `rm -rf "${TMPDIR:-/tmp}/agent-scratch"`},
			{Run: `t=$(mktemp -d); cd src; rm -rf "$t"`},
			{Run: `for f in a b; do rm -rf "dist/$f"; done`},
			{Run: `rm -rf "$APP/node_modules"`},
			{Run: `for d in $(ls packages); do rm -rf "packages/$d/dist"; done`},
			{Run: `rm -f "$PIDFILE"`},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossUnset) },
	},
	{
		ID: "rm-unread-list", Family: "removal",
		Title: "deleting what another command lists",
		Safe:  "Print the list first, read it, then name what should go.",
		Hits: []Case{
			{Run: "xargs rm -rf < .buildignore"},
			{Run: "git ls-files --others | xargs rm -f"},
			{Run: "cat list.txt | xargs rm -rf"},
			{Run: "rm -rf $(cat list.txt)"},
		},
		Misses: []Case{
			{Run: "cat list.txt | xargs wc -l"},
			{Run: "find . -name '*.pyc' | xargs rm -f"},
			{Run: `find . | grep -E '(__pycache__|\.pyc$)' | xargs rm -rf`},
			{Run: "rm -rf $(mktemp -d)"},
			{Run: "rm -rf \"dist/$(date +%F)\""},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossList) },
	},
	{
		ID: "rm-work", Family: "removal",
		Title: "deleting files that git cannot bring back",
		Safe:  "Commit or stash first, or ask the person.",
		Hits: []Case{
			{Run: "rm -rf src"},
			{Run: "rm -f src/*"},
			{Run: "rm *"},
			{Run: `perl -e 'unlink glob "src/*"'`},
			{Run: `lua -e 'os.remove("src/app.py")'`},
			{Run: "rm -rf dist src"},
			{Run: "rm -rf src/*"},
			{Run: "rm -rf *", In: "src"},
			{Run: "rm src/app.py"},
			{Run: "rm -r docs"},
			{Run: "rm notes/plan.md", Tree: Dirty},
		},
		Misses: []Case{
			{Run: "rm -rf dist build coverage"},
			{Run: "rm -rf node_modules && npm ci"},
			{Run: "rm -rf {{REPO}}/dist"},
			{Run: "rm -rf .pytest_cache src/__pycache__"},
			{Run: "rm src/unused.py"},
			{Run: "rm -rf *", In: "dist"},
			{Run: "rm -f dist/*"},
			{Run: "rm -f logs/dev.log"},
			{Run: "rmdir empty-dir"},
			{Run: "rm -rf no-such-folder"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossWork) },
	},
	{
		ID: "rm-data", Family: "removal",
		Title: "deleting a local database",
		Safe:  "Copy it to a backup first, or ask the person.",
		Hits: []Case{
			{Run: "rm -f data/dev.sqlite3"},
			{Run: "rm -rf data"},
			{Run: "rm data/*.sqlite3"},
		},
		Misses: []Case{
			{Run: "ls data/dev.sqlite3"},
			{Run: "cp data/dev.sqlite3 /tmp/dev.bak"},
			{Run: "rm -f /tmp/test.db"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossData) },
	},
	findRule, fdRule, syncRule, moveRule,
	{
		ID: "rm-elsewhere", Family: "removal",
		Title: "deleting on another machine or in a running container",
		Safe:  "List what is there first, and name one folder that can be made again.",
		Hits: []Case{
			{Run: "ssh host 'rm -rf /'", Want: hook.Deny},
			{Run: "ssh host 'rm -rf releases/old'"},
			{Run: "kubectl exec db-0 -- rm -rf /var/lib/data"},
			{Run: "docker exec db rm -rf /data"},
			{Run: "docker compose exec web rm -rf /app/uploads"},
		},
		Misses: []Case{
			{Run: "docker exec web rm -rf /tmp/cache"},
			{Run: "docker compose exec web rm -rf /app/node_modules"},
			{Run: "docker run --rm app rm -rf /data"},
			{Run: "ssh host 'rm -rf /tmp/x'"},
			{Run: "ssh host ls -la /data"},
			{Run: "docker exec web rm /app/x.log"},
		},
		script: deletesElsewhere,
	},
}

// deletesElsewhere judges recursive deletions that do not happen on this
// machine; its repository says nothing about them.
func deletesElsewhere(s *scan) verdict {
	worst := verdict{}
	for _, e := range s.ctx.Script.Effects {
		at := s.elsewhere(e.Command)
		if e.Op != shell.Delete || !e.Recursive || at == here || at == inContainer && !s.inRunning(e.Command) {
			continue
		}
		p := e.Path.Text
		if known(e.Path) && (s.isTemp(p) || withinAny(p, []string{"/var/cache", "/var/lib/apt/lists", "/root/.cache"}) || regenerable(strings.TrimPrefix(p, "/"))) {
			continue
		}
		v := ask("deletes on another machine or in a running container; git knows nothing of what is there.")
		if known(e.Path) && (p == "/" || withinAny(stripGlob(p), []string{"/etc", "/usr", "/boot", "/bin", "/home"}) || stripGlob(p) == "/" || stripGlob(p) == s.ctx.Home) {
			v.decision = hook.Deny
		}
		worst = worst.or(v.at(e.Command))
	}
	return worst
}

// inRunning tells a container that goes on after the command, as opposed to one
// that is made for it.
func (s *scan) inRunning(i int) bool {
	for _, v := range s.cmds[i].Via {
		if strings.HasSuffix(v, " exec") {
			return true
		}
	}
	return false
}
