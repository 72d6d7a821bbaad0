package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var syncRule = Rule{
	ID: "rsync-delete", Family: "removal",
	Title: "a mirror copy that deletes at its target",
	Safe:  "Run it with --dry-run first and read what would go.",
	Hits: []Case{
		{Run: "rsync -a --delete /tmp/empty/ ./", Want: hook.Deny},
		{Run: "rsync -a --delete empty/ ~/", Want: hook.Deny},
		{Run: "rsync -a --delete build/ src/"},
		{Run: "rsync -a --delete dist/ user@example.com:/var/www/"},
	},
	Misses: []Case{
		{Run: "rsync -a --delete src/ dist/"},
		{Run: "rsync -an --delete src/ docs/"},
		{Run: "rsync -a src/ docs/"},
		{Run: "rsync -a --delete src/ /tmp/copy/"},
	},
	programs: []string{"rsync"},
	call: func(s *scan, i int) verdict {
		o := shell.Options(s.cmds[i].Args, shell.OptSpec{Short: "e:f:B:M:T:navzrtlpogDPhHAXEuxcqL", Long: "delete delete-after delete-before delete-during delete-delay delete-excluded delete-missing-args remove-source-files dry-run exclude= include= rsh= files-from= filter= info= chmod= chown= progress stats"})
		deletes := false
		for _, x := range o.List {
			deletes = deletes || strings.HasPrefix(x.Name, "delete") || x.Name == "del"
		}
		if !deletes || o.Has("n", "dry-run") || len(o.Rest) < 2 {
			return verdict{}
		}
		to := o.Rest[len(o.Rest)-1]
		if host, _, remote := strings.Cut(to.Text, ":"); remote && !strings.Contains(host, "/") {
			return ask("deletes on the other machine whatever the source does not have.")
		}
		return s.lossOf(i, shell.Word{Text: strings.TrimRight(to.Text, "/") + strings.Repeat("/", btoi(to.Text == "/")), Parts: to.Parts}, true).verdict
	},
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

var moveRule = Rule{
	ID: "move-away", Family: "removal",
	Title: "moving away the root, the home folder, the project or a .git folder",
	Safe:  "Copy instead of moving, and name one folder inside the project.",
	Hits: []Case{
		{Run: "mv /* /tmp/backup/", Want: hook.Deny},
		{Run: "mv ~ /tmp/home", Want: hook.Deny},
		{Run: "mv .git /tmp/git", Want: hook.Deny},
		{Run: "mv /etc /etc.bak", Want: hook.Deny},
		{Run: "mv src /dev/null", Want: hook.Deny},
		{Run: "mv ../app ../old"},
		{Run: "mv ~/Documents /tmp/"},
		{Run: "mv ../billing-service /tmp/"},
		{Run: "mv ./* /tmp/backup/", Want: hook.Deny},
	},
	Misses: []Case{
		{Run: "mv docs/old.md docs/older.md"},
		{Run: "mv src/unused.py /tmp/"},
		{Run: "mv dist dist.old"},
		{Run: "mv /tmp/a /tmp/b"},
		{Run: "mv ~/Downloads/x.zip /tmp/"},
		{Run: "mv *.md docs/"},
		{Run: "for f in *.md; do mv \"$f\" \"${f%.md}.txt\"; done"},
	},
	effect: func(s *scan, e shell.Effect) verdict {
		if e.Op == shell.Write && e.Path.Text == "/dev/null" && e.Command >= 0 && e.Command < len(s.cmds) && s.cmds[e.Command].Name == "mv" {
			return deny("moves its source onto /dev/null, which loses it or breaks the device.")
		}
		if e.Op != shell.Move || !known(e.Path) {
			return verdict{}
		}
		p := s.abs(e.Command, e.Path.Text)
		if p == "" {
			return verdict{}
		}
		if i := strings.LastIndexByte(p, '/'); wildcardOnly(p[i+1:]) {
			p = cmpOr(p[:i], "/")
		}
		at := s.placeOf(stripGlob(p))
		if at == projectTop && p != stripGlob(p) && within(stripGlob(p), s.ctx.ProjectDir) {
			return verdict{} // mv *.md docs/: some files of the project, not the project
		}
		switch {
		case at == systemSoft:
			return ask("moves away " + named(p) + ", which is not part of the project.")
		case at >= gitPlace && at != homeTop || at == homeTop && p == stripGlob(p):
			return deny("moves away " + named(p) + ", which other things need where it is.")
		case at == keyPlace:
			return deny(strings.Replace(s.keyFact(p), "deletes", "moves away", 1))
		case at == otherProject && s.kind(p) != Missing, at == homeEntry && s.kind(p) == Folder && !strings.HasPrefix(p, s.ctx.Home+"/."):
			return ask("moves away " + named(p) + ", which is outside the project.")
		}
		return verdict{}
	},
}
