package shell

import "strings"

// carried follows a program that is not known to run others but is followed by
// a well-known one, as rtk is in "rtk git reset --hard".
func (a *analyzer) carried(idx int, via string, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	if takesNames(c.Name) || len(c.Args) == 0 || strings.HasPrefix(c.Name, "agentguard") {
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
		if i+1 < len(c.Args) && followable(programName(c.Args[i])) && (c.Name == "" || i > 0 && !strings.HasPrefix(c.Args[i-1].Text, "-") || !verb(c.Args[i].Text) || unixRm(c.Args[i:])) {
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

// verb tells names of programs that are also common subcommands, as in
// "bq rm" and "wrangler tail".
func verb(name string) bool {
	switch name {
	case "rm", "rmdir", "unlink", "cp", "mv", "ln", "install", "kill", "find", "cat", "env", "time", "tar", "eval", "docker", "git", "npm", "node", "python", "ruby", "php", "sh", "shell":
		return name != "git" && name != "sh"
	}
	return false
}

// unixRm tells the rm of a Unix system by its options.
func unixRm(words []Word) bool {
	o := Options(words[1:], OptSpec{Short: "rRf", Long: "recursive force no-preserve-root"})
	return words[0].Text == "rm" && o.Has("r", "R", "recursive") && o.Has("f", "force") && len(o.Rest) > 0 && strings.HasPrefix(words[1].Text, "-")
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
	case "7z", ":", "[", "ack", "act", "adb", "ag", "alias", "ansible", "ansible-playbook", "apk", "apropos", "apt", "apt-cache",
		"apt-get", "aptitude", "aria2c", "asdf", "at", "atrm", "awk", "aws", "az", "base64", "basename", "bat", "bazel", "bd", "black",
		"blkid", "bq", "br", "brew", "btrfs", "buildah", "bun", "bundle", "bw", "bzip2", "cargo", "case", "cat", "cd", "cdk", "chattr",
		"cheat", "chmod", "choco", "chown", "claude", "cmake", "cmp", "code", "codex", "column", "comm", "compgen", "complete",
		"composer", "conda", "consul", "convert", "cowsay", "cp", "cpio", "crictl", "cron", "crontab", "ctest", "ctr", "curl", "cut",
		"dart", "date", "dd", "defaults", "del-cli", "delta", "deno", "df", "diff", "dig", "dirname", "dmesg", "dnf", "docker",
		"docker-compose", "doctl", "dpkg", "du", "dvc", "echo", "ed", "egrep", "eksctl", "emacs", "emerge", "eslint", "etcdctl",
		"expect", "export", "expr", "false", "fastlane", "fdisk", "ffmpeg", "fgrep", "figlet", "file", "firebase", "flatpak", "flutter",
		"fly", "flyctl", "free", "ftp", "fzf", "gcloud", "gdb", "gem", "gemini", "gh", "gio", "git", "glab", "go", "gopass", "gpg",
		"gradle", "grep", "groups", "gsed", "gsutil", "gum", "gzip", "hash", "head", "helm", "help", "heroku", "hexdump", "hg", "host",
		"hostname", "http", "hub", "husky", "id", "ifconfig", "incus", "info", "install", "iostat", "ip", "ipfs", "jest", "jira", "jj",
		"journalctl", "jq", "k3d", "kill", "killall", "kind", "kubectl", "latexmk", "launchctl", "less", "let", "lftp", "link",
		"linode-cli", "lldb", "ln", "logger", "lpr", "ls", "lsblk", "lsof", "lvm", "lxc", "magick", "make", "mamba", "man", "mariadb",
		"mc", "md5sum", "minikube", "mise", "mkdir", "mkfifo", "mktemp", "mongosh", "more", "mount", "multipass", "mv", "mvn", "mypy",
		"mysql", "nano", "nc", "ncat", "nerdctl", "netcat", "netlify", "nix", "nix-env", "nomad", "notify-send", "npm", "nslookup",
		"oc", "od", "op", "open", "openssl", "pacman", "pandoc", "parted", "pass", "patch", "pdflatex", "pdm", "pgrep", "pidof", "ping",
		"pip", "pip3", "pipenv", "pkill", "plutil", "pnpm", "pod", "podman", "podman-compose", "poetry", "port", "pre-commit",
		"prettier", "print", "printf", "ps", "psql", "pulumi", "pv", "pytest", "railway", "rclone", "read", "readlink", "realpath",
		"redis-cli", "render", "rev", "rg", "rimraf", "rm", "rmdir", "rpm", "rsync", "ruff", "s3cmd", "sam", "say", "scoop", "scp",
		"script", "sed", "seq", "serverless", "service", "set", "setfacl", "sftp", "sha1sum", "sha256sum", "shellcheck", "shfmt",
		"shopt", "shred", "sips", "skopeo", "sl", "sleep", "sls", "snap", "socat", "sort", "split", "sponge", "sqlite3", "ssh-keygen",
		"stat", "strings", "supabase", "svn", "swagger", "swift", "systemctl", "tac", "tail", "tar", "tee", "telnet", "terraform",
		"test", "tldr", "top", "touch", "tr", "traceroute", "trash", "trash-put", "tree", "true", "truncate", "tsc", "type", "umount",
		"unalias", "uname", "uniq", "unlink", "unset", "unzip", "update-alternatives", "uptime", "uv", "vault", "vercel", "vi", "vim",
		"vitest", "vmstat", "wait", "wc", "wget", "whatis", "whereis", "which", "whoami", "winget", "wrangler", "xcodebuild", "xcrun",
		"xdg-open", "xxd", "xz", "yarn", "yq", "yum", "zfs", "zip", "zpool", "zstd", "zypper":
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
func (a *analyzer) expect(idx int, st *state, cx ctx) {
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
}

// texts follows programs whose arguments or input hold whole command lines.
func (a *analyzer) texts(idx int, st *state, cx ctx) bool {
	c := a.cmd(idx)
	run := func(via string, w Word) { a.nested(idx, via, a.intern(w), st.fork(), cx) }
	switch c.Name {
	case "tmux":
		i, sub := subcommand(c.Args, "new new-session new-window neww split-window splitw run-shell run send-keys send respawn-pane respawn-window display-popup popup if-shell")
		if sub == "" {
			return true
		}
		o := Options(c.Args[i+1:], OptSpec{Stop: true, Short: "AdDEPXbCKlMNRZhvIpc:e:F:f:n:s:t:x:y:T:w:"})
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
			return true
		}
		if len(o.Rest) > 0 {
			run("tmux "+sub, a.word(a.joinWords(o.Rest), ""))
		}
	case "screen":
		o := Options(c.Args, OptSpec{Stop: true, Short: "aADdRrxmLc:e:h:p:s:S:t:T:X"})
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
		effector{a, idx, st, cx}.helpers(c.Name, nil)
		if !cx.stdin.known {
			return true
		}
		for line := range strings.SplitSeq(cx.stdin.text, "\n") {
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
			return true
		}
		a.taskFile(idx, st, cx)
	case "just":
		a.taskFile(idx, st, cx)
	default:
		return false
	}
	return true
}

// makeText follows the recipe lines of a makefile given in the script.
func (a *analyzer) makeText(idx int, w Word, st *state, cx ctx) {
	text := a.intern(w)
	for line := range strings.SplitSeq(text, "\n") {
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
