package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var permissionRules = []Rule{
	{
		ID: "chmod-broad", Family: "permissions",
		Title: "changing rights or owners over a whole tree",
		Safe:  "Change the one file that needs it, by its path.",
		Hits: []Case{
			{Run: "chmod -R 777 /", Want: hook.Deny},
			{Run: "sudo chmod -R 777 /etc", Want: hook.Deny},
			{Run: "chmod --recursive a+rwx /usr", Want: hook.Deny},
			{Run: "chmod -R 777 ~", Want: hook.Deny},
			{Run: "chmod 777 -R .", Want: hook.Ask},
			{Run: "chmod -R 777 src"},
			{Run: "chmod -R a+rwX ."},
			{Run: "sudo chown -R dev /usr", Want: hook.Deny},
			{Run: "sudo chown -R dev:dev /"},
			{Run: "chmod -R 000 ."},
			{Run: "chmod -R 700 ../"},
			{Run: "chown -R root ."},
			{Run: "chmod 777 /etc/passwd", Want: hook.Deny},
			{Run: "setfacl -R -m u:dev:rwx /etc"},
		},
		Misses: []Case{
			{Run: "chmod +x scripts/run.sh"},
			{Run: "chmod 755 scripts/*.sh"},
			{Run: "chmod -R u+w node_modules"},
			{Run: "chmod -R 755 dist"},
			{Run: "chmod 600 ~/.ssh/config"},
			{Run: "chmod -R u+rwX src"},
			{Run: "chmod -R 777 /tmp/agent"},
			{Run: "stat -c %a scripts/run.sh"},
			{Run: "chmod -R +x scripts"},
			{Run: "sudo chown -R $USER:$USER node_modules"},
		},
		programs: []string{"chmod", "chown", "chgrp", "setfacl", "chcon"},
		call:     chmods,
	},
	{
		ID: "setuid", Family: "permissions",
		Title: "giving a program another user's rights",
		Safe:  "Run the one step that needs it with sudo, by the person.",
		Hits: []Case{
			{Run: "sudo chmod u+s /bin/bash"},
			{Run: "chmod 4755 /usr/local/bin/tool"},
			{Run: "chmod ug+xs bin/tool"},
			{Run: "sudo setcap cap_setuid+ep /usr/bin/python3"},
			{Run: "echo 'dev ALL=(ALL) NOPASSWD:ALL' | sudo tee -a /etc/sudoers"},
		},
		Misses: []Case{
			{Run: "chmod 0755 bin/tool"},
			{Run: "chmod u=rwx bin/tool"},
			{Run: "chmod g+s /tmp/shared"},
			{Run: "chmod +x scripts/run.sh"},
			{Run: "getcap /usr/bin/ping"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			const fact = "lets everybody run a program with another user's rights."
			switch c.Name {
			case "chmod":
				for _, m := range modes(c) {
					octal := len(m) == 4 && strings.Trim(m, "01234567") == "" && m[0] >= '2'
					op := strings.IndexAny(m, "+=")
					symbolic := op >= 0 && strings.Contains(m[op:], "s") && !strings.HasPrefix(m, "g") && !strings.Contains(m, "/")
					if octal && m[0] >= '4' || symbolic {
						return deny(fact)
					}
				}
			case "setcap":
				if len(c.Args) > 1 && !hasWord(c.Args, "-r", "-v") {
					return deny(fact)
				}
			}
			return verdict{}
		},
		effect: func(_ *scan, e shell.Effect) verdict {
			if e.Op != shell.Read && e.Op != shell.MakeDir && strings.HasPrefix(e.Path.Text, "/etc/sudoers") {
				return deny("changes who may become root.")
			}
			return verdict{}
		},
	},
	{
		ID: "freeze-files", Family: "permissions",
		Title: "making files impossible to change",
		Safe:  "Leave the attribute alone, or ask the person.",
		Hits: []Case{
			{Run: "sudo chattr -R +i ."},
			{Run: "chattr +i src/app.py"},
			{Run: "chflags uchg src/app.py"},
		},
		Misses: []Case{{Run: "lsattr src"}, {Run: "chattr +i /tmp/x"}},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if c.Name != "chattr" && c.Name != "chflags" {
				return verdict{}
			}
			if hasWord(c.Args, "+i", "+a", "=i", "uchg", "schg", "-i", "nouchg") || hasArgContaining(c, "+i") {
				for _, a := range c.Args {
					if strings.HasPrefix(s.abs(i, a.Text), "/") && !strings.HasPrefix(a.Text, "+") && !strings.HasPrefix(a.Text, "-") && s.placeOf(s.abs(i, a.Text)) == tempPlace {
						return verdict{}
					}
				}
				return ask("changes whether files can be edited or deleted at all.")
			}
			return verdict{}
		},
	},
}

// modes are the words of a chmod that can be its mode.
func modes(c *shell.Command) []string {
	var out []string
	for _, a := range c.Args {
		t := a.Text
		if strings.HasPrefix(t, "--") || t == "-R" {
			continue
		}
		out = append(out, strings.Split(t, ",")...)
		if !strings.HasPrefix(t, "-") {
			break
		}
	}
	return out
}

func chmods(s *scan, i int) verdict {
	c := &s.cmds[i]
	if helpOnly(c) || s.elsewhere(i) == inContainer {
		return verdict{}
	}
	recursive := false
	var paths []shell.Word
	mode := ""
	for _, a := range c.Args {
		switch {
		case a.Text == "--recursive" || len(a.Text) > 1 && a.Text[0] == '-' && a.Text[1] != '-' && strings.Contains(a.Text, "R"):
			recursive = true
		case strings.HasPrefix(a.Text, "--reference="):
			mode = "?"
		case strings.HasPrefix(a.Text, "-") && strings.Trim(a.Text, "-rwxXst") != "":
		case mode == "":
			mode = a.Text
		default:
			paths = append(paths, a)
		}
	}
	open := c.Name == "chmod" && opensToAll(mode)
	worst := verdict{}
	for _, w := range paths {
		worst = worst.or(s.chmodAt(i, w, c.Name, mode, recursive, open))
	}
	return worst
}

func (s *scan) chmodAt(i int, w shell.Word, name, mode string, recursive, open bool) verdict {
	if !known(w) {
		if recursive && strings.HasPrefix(empty(w), "/") && wildcardOnly(strings.Trim(empty(w), "/")) {
			return deny("changes rights everywhere if its variable is empty.")
		}
		return verdict{}
	}
	p := s.abs(i, w.Text)
	if p == "" {
		return verdict{}
	}
	if base := p[strings.LastIndexByte(p, '/')+1:]; wildcardOnly(base) {
		p = cmpOr(strings.TrimSuffix(p, "/"+base), "/")
	}
	p = stripGlob(p)
	at := s.placeOf(p)
	if within(p, "/dev/shm") || isDevice(p) && !recursive {
		return verdict{}
	}
	switch {
	case at >= systemPlace && (recursive || open):
		return deny("changes rights of what the system needs.")
	case at >= systemPlace && !recursive:
		return ask("changes rights of a system file.")
	case at == homeTop && recursive:
		return deny("changes rights in the whole home folder, keys included.")
	case at == keyPlace && (recursive || open) && !tightens(mode):
		return deny("changes rights of keys or logins.")
	case !recursive:
		return verdict{}
	case at == systemSoft, at == homeEntry, at == otherProject:
		return ask("changes rights in " + named(p) + ", outside the project.")
	case at == projectTop && p != s.ctx.ProjectDir && within(s.ctx.ProjectDir, p):
		return ask("changes rights in folders above the project.")
	case at == gitPlace || at == gitInner:
		return ask("changes rights of the repository's own data.")
	case regenerable(s.fromRoot(p)):
		return verdict{}
	case (at == projectTop || at == projectPlace) && (open || oneOf(mode, "000", "0", "a-rwx", "0000") || name == "chown" && hasPrefixAny(mode, "root", "nobody")):
		return ask("changes rights over a whole tree.")
	case at == projectTop && name == "chmod" && len(mode) >= 3 && strings.Trim(mode, "01234567") == "":
		return ask("gives every file of the project the same rights.")
	}
	return verdict{}
}

// opensToAll tells that a mode lets everybody write.
func opensToAll(mode string) bool {
	if n := len(mode); n >= 3 && strings.Trim(mode, "01234567") == "" {
		return (mode[n-1]-'0')&2 != 0
	}
	for m := range strings.SplitSeq(mode, ",") {
		who, what, ok := cutAny(m, "+=")
		if ok && strings.Contains(what, "w") && strings.ContainsAny(who, "ao") {
			return true
		}
	}
	return false
}

func cutAny(s, seps string) (before, after string, ok bool) {
	i := strings.IndexAny(s, seps)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// tightens tells modes that only take rights from others, as keys need.
func tightens(mode string) bool {
	return oneOf(mode, "600", "0600", "700", "0700", "400", "0400", "go-rwx", "og-rwx", "u=rw,go=", "u=rwX,go=", "go=")
}
