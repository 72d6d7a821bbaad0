package rules

import (
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
			{Run: "rm -rf /var/www"},
			{Run: "rm -rf /opt/app"},
			{Run: "rm -rf /tmp/*"},
			{Run: "unlink /etc/passwd", Want: hook.Deny},
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
			{Run: "ls -d ~/*/ | xargs rm -rf"},
		},
		Misses: []Case{
			{Run: "rm -rf ~/.cache/pip"},
			{Run: "rm -rf ~/.npm/_cacache"},
			{Run: `rm -rf "./~"`},
			{Run: "ls -la ~"},
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossHome) },
	},
	{
		ID: "rm-project", Family: "removal",
		Title: "deleting the project, what is above it, another project or a .git folder",
		Safe:  "Delete one named folder inside the project, or make a fresh clone beside it.",
		Hits: []Case{
			{Run: "rm -rf .", Want: hook.Deny},
			{Run: "rm -rf *", Want: hook.Deny},
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
		},
		Misses: []Case{
			{Run: "rm -rf dist"},
			{Run: "rm -f .git/index.lock"},
			{Run: "rm -rf ../billing-service/node_modules"},
			{Run: "rm -rf \"$(git rev-parse --show-toplevel)/dist\""},
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
		},
		Misses: []Case{
			{Run: `rm -rf "${TMPDIR:-/tmp}/agent-scratch"`},
			{Run: `t=$(mktemp -d); cd src; rm -rf "$t"`},
			{Run: `for f in a b; do rm -rf "dist/$f"; done`},
			{Run: `rm -rf "$APP/node_modules"`},
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
		},
		effect: func(s *scan, e shell.Effect) verdict { return only(s, e, lossList) },
	},
	{
		ID: "rm-work", Family: "removal",
		Title: "deleting files that git cannot bring back",
		Safe:  "Commit or stash first, or ask the person.",
		Hits: []Case{
			{Run: "rm -rf src"},
			{Run: "rm -rf dist src"},
			{Run: "rm -rf src/*"},
			{Run: "rm -rf *", In: "src"},
			{Run: "rm src/app.py"},
			{Run: "rm -r docs"},
		},
		Misses: []Case{
			{Run: "rm -rf dist build coverage"},
			{Run: "rm -rf node_modules && npm ci"},
			{Run: "rm -rf {{REPO}}/dist"},
			{Run: "rm -rf .pytest_cache src/__pycache__"},
			{Run: "rm src/unused.py"},
			{Run: "rm -rf *", In: "dist"},
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
}
