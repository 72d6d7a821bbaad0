package shell

import "strings"

// carried follows a program that is not known to run others but is followed by
// a well-known one, as rtk is in "rtk git reset --hard".
func (a *analyzer) carried(idx int, via string, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	if takesNames(c.Name) || len(c.Args) == 0 {
		return output{}, false
	}
	at := -1
	for i, w := range c.Args {
		if w.Text == "--" && i+1 < len(c.Args) && followable(programName(c.Args[i+1])) {
			at = i + 1
			break
		}
	}
	if at < 0 {
		i := 0
		for i < len(c.Args) && (strings.HasPrefix(c.Args[i].Text, "-") || isAssign(c.Args[i].Text)) {
			i++
		}
		if i < len(c.Args) && (c.Args[i].Text == "exec" || c.Args[i].Text == "run" || c.Args[i].Text == "x") && i+1 < len(c.Args) {
			i++
		}
		if i+1 < len(c.Args) && followable(programName(c.Args[i])) {
			at = i
		}
	}
	if at < 0 {
		return output{}, false
	}
	words := c.Args[at:]
	carrier := a.cmd(idx).Name == ""
	cx.nofunc = true
	out := a.inner(idx, via, words, st, cx)
	if carrier {
		a.cmd(idx).Carrier = false
	}
	return out, true
}

func isAssign(s string) bool {
	i := strings.IndexByte(s, '=')
	return i > 0 && !strings.ContainsAny(s[:i], "/- .")
}

// followable are the programs worth finding behind an unknown one.
func followable(name string) bool {
	if isShell(name) || interpreterOf(name) != "" {
		return true
	}
	switch name {
	case "git", "gh", "hub", "rm", "rmdir", "unlink", "shred", "sudo", "doas", "env", "find", "fd", "xargs", "dd", "mv", "cp", "chmod", "chown",
		"tee", "sed", "truncate", "curl", "wget", "docker", "podman", "kubectl", "helm", "terraform", "tofu", "psql", "mysql", "mongo", "mongosh",
		"redis-cli", "sqlite3", "dropdb", "aws", "gcloud", "az", "kill", "pkill", "killall", "nohup", "timeout", "eval", "rimraf", "mkfs", "npx",
		"shutdown", "reboot", "ln", "install", "rsync", "scp", "ssh", "tar", "prisma", "time", "nice", "busybox", "cat", "npm", "pnpm", "yarn", "wipefs":
		return true
	}
	return strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "git-")
}

// takesNames are programs whose operands may be names of programs that they do
// not run: readers, searchers, package managers, editors.
func takesNames(name string) bool {
	switch name {
	case "man", "which", "whereis", "type", "info", "help", "apropos", "whatis", "tldr", "cheat", "echo", "printf", "print", "grep", "egrep",
		"fgrep", "rg", "ag", "ack", "apt", "apt-get", "apt-cache", "aptitude", "dpkg", "dnf", "yum", "rpm", "apk", "pacman", "zypper", "emerge",
		"brew", "port", "snap", "flatpak", "choco", "scoop", "winget", "pip", "pip3", "gem", "cargo", "go", "npm", "pnpm", "yarn", "composer",
		"ls", "cat", "head", "tail", "less", "more", "bat", "wc", "file", "stat", "cd", "mkdir", "touch", "cp", "mv", "rm", "ln", "chmod",
		"chown", "test", "[", "true", "false", ":", "kill", "pkill", "killall", "pgrep", "pidof", "ps", "top", "lsof", "strings", "sort",
		"uniq", "cut", "tr", "sed", "diff", "cmp", "comm", "tee", "date", "sleep", "wait", "hash", "alias", "unalias", "export", "read",
		"set", "unset", "shopt", "jq", "yq", "tar", "zip", "unzip", "gh", "glab", "claude", "codex", "gemini", "br", "bd", "jira", "systemctl",
		"service", "launchctl", "journalctl", "complete", "compgen", "vim", "vi", "nano", "emacs", "code", "open", "xdg-open", "update-alternatives",
		"helm", "terraform", "aws", "az", "make", "cmake", "ctest", "bazel", "gradle", "mvn", "ansible", "ansible-playbook", "rsync", "scp", "curl", "wget",
		"cron", "seq", "expr", "let", "case", "column", "say", "logger", "notify-send", "figlet", "cowsay", "basename", "dirname", "realpath", "readlink",
		"md5sum", "sha256sum", "sha1sum", "du", "df", "tree", "rmdir", "dd", "truncate", "shred", "install", "trash", "rimraf", "del-cli", "prettier", "eslint",
		"black", "ruff", "mypy", "pytest", "jest", "vitest", "tsc", "shellcheck", "shfmt", "tac", "rev", "xxd", "od", "hexdump", "base64", "psql", "mysql", "sqlite3":
		return true
	}
	return false
}

// scriptCmd is script(1): -c TEXT on Linux, FILE COMMAND… on BSD.
func (a *analyzer) scriptCmd(idx int, st *state, cx ctx) output {
	o := Options(a.cmd(idx).Args, OptSpec{Stop: true, Short: "aB:c:eE:fI:kO:T:t::m:o:qrdFpn", Long: "append command= echo= flush force log-in= log-out= log-io= log-timing= quiet return timing=? output-limit= logging-format="})
	for _, f := range append(o.Values("O", "B", "log-out", "log-io"), o.Rest[:min(1, len(o.Rest))]...) {
		a.effect(Effect{Op: Write, Path: a.pathWord(st, f), Command: idx})
	}
	if s, ok := o.Value("c", "command"); ok {
		return a.nested(idx, "script -c", a.intern(s), st.fork(), cx)
	}
	if len(o.Rest) > 1 {
		rest := Options(o.Rest[1:], OptSpec{Short: "c:qef", Long: "command=", Stop: true})
		if s, ok := rest.Value("c", "command"); ok {
			return a.nested(idx, "script -c", a.intern(s), st.fork(), cx)
		}
		cx.nofunc = true
		return a.inner(idx, "script", o.Rest[1:], st, cx)
	}
	return a.shellStdin(idx, st.fork(), cx)
}

// expect finds what an expect script spawns or sends.
func (a *analyzer) expect(idx int, st *state, cx ctx) output {
	o := Options(a.cmd(idx).Args, OptSpec{Stop: true, Short: "c:dDf:ib:nNv"})
	texts := a.internAll(o.Values("c"))
	if cx.stdin.known {
		texts = append(texts, cx.stdin.text)
	} else if len(texts) == 0 {
		a.cmd(idx).Unread = true
	}
	for _, t := range texts {
		for _, line := range strings.FieldsFunc(t, func(r rune) bool { return r == ';' || r == '\n' }) {
			line = strings.TrimSpace(line)
			word, rest, _ := strings.Cut(line, " ")
			rest = strings.TrimSpace(rest)
			switch word {
			case "spawn", "exec", "system", "overlay":
				rest = strings.NewReplacer("{", "'", "}", "'").Replace(rest)
				a.nested(idx, "expect", rest, st.fork(), cx)
			case "send", "send_user", "exp_send":
				rest = strings.TrimPrefix(rest, "-- ")
				rest = ansiC(strings.Trim(rest, "\"{}"))
				a.nested(idx, "expect send", strings.TrimRight(rest, "\r\n"), st.fork(), cx)
			}
		}
	}
	return output{}
}

// texts follows programs whose arguments or input hold whole command lines.
func (a *analyzer) texts(idx int, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	run := func(via string, w Word) { a.nested(idx, via, a.intern(w), st.fork(), cx) }
	switch c.Name {
	case "tmux":
		i, sub := subcommand(c.Args, "new new-session new-window neww split-window splitw run-shell run send-keys send respawn-pane respawn-window display-popup popup if-shell")
		if sub == "" {
			return output{}, true
		}
		o := Options(c.Args[i+1:], OptSpec{Stop: true, Short: "AdDEPXbCKlMNRZhvfIpc:e:F:f:n:s:t:x:y:T:w:"})
		if strings.HasPrefix(sub, "send") {
			var text []string
			for _, w := range o.Rest {
				switch w.Text {
				case "Enter", "C-m", "KPEnter":
					text = append(text, "\n")
				case "Space":
					text = append(text, " ")
				default:
					text = append(text, a.intern(w))
				}
			}
			run("tmux send-keys", a.word(strings.Join(text, ""), ""))
			return output{}, true
		}
		if len(o.Rest) > 0 {
			run("tmux "+sub, a.word(a.joinWords(o.Rest), ""))
		}
	case "screen":
		o := Options(c.Args, OptSpec{Stop: true, Short: "aADdRrxmSLc:e:h:p:s:S:t:T:X"})
		switch {
		case o.Has("X") && len(o.Rest) > 1 && o.Rest[0].Text == "stuff":
			run("screen stuff", a.word(strings.ReplaceAll(ansiC(a.intern(o.Rest[1])), "^M", "\n"), ""))
		case len(o.Rest) > 0 && !o.Has("X"):
			cx.nofunc = true
			a.inner(idx, "screen", o.Rest, st, cx)
		}
	case "at", "batch":
		if cx.stdin.known {
			run(c.Name, a.word(cx.stdin.text, ""))
		} else if len(cx.stdin.from) > 0 {
			a.cmd(idx).Unread = true
		}
	case "crontab":
		if !cx.stdin.known {
			return output{}, true
		}
		for _, line := range strings.Split(cx.stdin.text, "\n") {
			line = strings.TrimSpace(line)
			n := 5
			if strings.HasPrefix(line, "@") {
				n = 1
			}
			for range n {
				_, line, _ = strings.Cut(strings.TrimLeft(line, " \t"), " ")
			}
			run("crontab", a.word(line, ""))
		}
	case "hyperfine", "concurrently":
		o := Options(c.Args, OptSpec{Short: "w:r:m:M:n:p:c:k:i", Long: "warmup= runs= min-runs= max-runs= prepare= cleanup= setup= conclude= export-json= export-markdown= names= prefix= kill-others shell= parameter-list= reference="})
		for _, w := range append(o.Values("p", "prepare", "cleanup", "setup", "conclude", "reference"), o.Rest...) {
			run(c.Name, w)
		}
	case "nodemon":
		o := Options(c.Args, OptSpec{Short: "x:e:w:i:", Long: "exec= ext= watch= ignore= delay="})
		if w, ok := o.Value("x", "exec"); ok {
			run("nodemon -x", w)
		}
	case "make":
		o := Options(c.Args, OptSpec{Short: "C:f:I:j::l::o:W:E:nBikqstw", Long: "eval= directory= file= makefile= jobs=?"})
		for _, w := range o.Values("E", "eval") {
			a.makeText(idx, w, st, cx)
		}
		if f, ok := o.Value("f", "file", "makefile"); ok && (f.Text == "-" || f.Text == "/dev/stdin") && cx.stdin.known {
			a.makeText(idx, a.word(cx.stdin.text, ""), st, cx)
		}
	default:
		return output{}, false
	}
	return output{}, true
}

// makeText follows the recipe lines of a makefile given in the script.
func (a *analyzer) makeText(idx int, w Word, st *state, cx ctx) {
	text := a.intern(w)
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			a.nested(idx, "make", strings.ReplaceAll(strings.TrimLeft(rest, "@-+"), "$$", "$"), st.fork(), cx)
		} else if _, rest, ok := strings.Cut(line, ";"); ok {
			a.nested(idx, "make", strings.ReplaceAll(rest, "$$", "$"), st.fork(), cx)
		}
		if _, rest, ok := strings.Cut(line, "$(shell "); ok {
			rest, _, _ = strings.Cut(rest, ")")
			a.nested(idx, "make", rest, st.fork(), cx)
		}
	}
}
