package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

func killsBroadly(s *scan, i int) verdict {
	c := &s.cmds[i]
	if helpOnly(c) || s.elsewhere(i) == inContainer {
		return verdict{}
	}
	switch c.Name {
	case "kill":
		args := texts(c.Args)
		for n, a := range args {
			if a == "-1" && (n > 0 || len(args) == 1 && false) {
				return deny("kills every process of this user, this session included.")
			}
			if oneOf(a, "0", "1") && n == len(args)-1 && (n == 0 || strings.HasPrefix(args[n-1], "-") && !oneOf(args[n-1], "-0", "-s", "-n", "-l")) || oneOf(a, "0", "1") && n == 2 && oneOf(args[0], "-s", "-n") && args[1] != "0" {
				return ask("kills the first process of this machine, or this whole session.")
			}
		}
		for _, w := range c.Args {
			for _, j := range s.origins(w) {
				if oneOf(s.cmds[j].Name, "ps", "pgrep", "pidof") && !narrowPgrep(&s.cmds[j]) && s.byName(w) {
					return ask("kills every process whose line matches; this session may be one of them.")
				}
			}
		}
	case "taskkill":
		for n, w := range c.Args {
			if n > 0 && strings.EqualFold(c.Args[n-1].Text, "/im") && commonProgram(strings.TrimSuffix(strings.ToLower(w.Text), ".exe")) {
				return ask("kills every process with that name, other projects' and perhaps this session's too.")
			}
		}
	case "fuser":
		if o := shell.Options(c.Args, shell.OptSpec{Short: "kmMiuvn:as4c", Long: "kill mount ismountpoint namespace="}); o.Has("k", "kill") && (o.Has("m", "mount", "c") || hasWord(o.Rest, "/", ".")) {
			return ask("kills every process that uses a whole file system.")
		}
	case "pkill", "killall", "killall5", "skill":
		o := shell.Options(c.Args, shell.OptSpec{Short: "u:U:g:G:P:t:s:o:y:fxnleIqvwi", Long: "signal= euid= uid= group= parent= terminal= session= full exact newest oldest user= list", Stop: false})
		if hasWord(c.Args, "-0") {
			return verdict{} // only asks whether it runs
		}
		if c.Name == "killall5" || o.Has("u", "U", "euid", "uid", "user") && len(o.Rest) == 0 {
			return deny("kills every process of a user, this session included.")
		}
		if o.Has("l", "list") || o.Has("P", "parent") || o.Has("x") && len(o.Rest) == 1 && !commonProgram(o.Rest[0].Text) {
			return verdict{}
		}
		for _, w := range o.Rest {
			if commonProgram(w.Text) {
				return ask("kills every process with that name, other projects' and perhaps this session's too.")
			}
		}
	}
	return verdict{}
}

// commonProgram tells names that many processes of a developer's machine carry.
func commonProgram(name string) bool {
	name = strings.ToLower(strings.Trim(path.Base(name), ".*^$ "))
	if name == "" {
		return true
	}
	return oneOf(
		name,
		"node", "python", "python3", "ruby", "java", "php", "perl", "go", "deno", "bun", "bash", "sh", "zsh", "fish", "npm", "pnpm", "yarn", "npx", "claude", "codex", "cursor",
		"code", "ssh", "sshd", "tmux", "screen", "docker", "dockerd", "containerd", "postgres", "mysqld", "redis-server", "mongod", "nginx", "chrome", "firefox", "systemd", "dbus-daemon", "xorg", "electron", "git", "dotnet",
	)
}

// byName tells that a list of processes was chosen by a common program's name.
func (s *scan) byName(w shell.Word) bool {
	for _, j := range s.origins(w) {
		c := &s.cmds[j]
		if oneOf(c.Name, "grep", "egrep", "pgrep", "pidof", "rg") {
			for _, a := range c.Args {
				if !strings.HasPrefix(a.Text, "-") && commonProgram(strings.NewReplacer("[", "", "]", "").Replace(a.Text)) {
					return true
				}
			}
			return false
		}
	}
	return true
}

func narrowPgrep(c *shell.Command) bool {
	return hasWord(c.Args, "-n", "--newest", "-o", "--oldest", "-P", "--ppid")
}
