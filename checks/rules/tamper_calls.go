package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// stopsGuard finds the ways to end or uninstall the guard's programs.
func stopsGuard(s *scan, i int) verdict {
	c := &s.cmds[i]
	switch {
	case oneOf(c.Name, "pkill", "killall", "kill", "skill"):
		for _, a := range c.Args {
			if strings.Contains(a.Text, "agentguard") {
				return deny("ends the guard's programs.")
			}
			for _, j := range s.origins(a) {
				if hasArgContaining(&s.cmds[j], "agentguard") {
					return deny("ends the guard's programs.")
				}
			}
		}
	case oneOf(c.Name, "npm", "pnpm", "yarn", "brew", "apt", "apt-get", "dnf", "pip", "pip3", "pipx", "go", "scoop", "winget", "pacman", "apk", "snap", "mise", "asdf"):
		if namesGuard(c) && (hasWord(c.Args, "uninstall", "remove", "rm", "purge", "un", "del", "clean") || hasArgContaining(c, "-R")) {
			return ask("uninstalls the guard.")
		}
		if c.Name == "go" && hasWord(c.Args, "install") && namesGuard(c) {
			return ask("replaces the guard's programs.")
		}
		// Built inside the project or a temp folder it is a program as any other.
		for n, a := range c.Args {
			if c.Name != "go" || n == 0 || c.Args[n-1].Text != "-o" || !guardProgram(path.Base(a.Text)) {
				continue
			}
			if at := s.placeOf(s.abs(i, a.Text)); at != projectPlace && at != tempPlace {
				return ask("replaces the guard's programs.")
			}
		}
	}
	return verdict{}
}

// switchesOff finds the guard's variables and its own commands that weaken it.
func switchesOff(s *scan, i int) verdict {
	c := &s.cmds[i]
	for _, a := range c.Env {
		if ownSwitch(a.Name) && c.Name != "unset" {
			return deny("sets " + clip(a.Name, 40) + ", a switch of the guard.")
		}
	}
	if oneOf(c.Name, "export", "declare", "typeset", "local", "readonly", "set", "setx", "setenv", "launchctl", "tmux", "systemctl", "env", "sudo", "doas", "read", "printf", "") {
		unset := oneOf(c.Name, "export", "declare", "typeset") && hasWord(c.Args, "-n", "+x") || c.Name == "printf" && !hasWord(c.Args, "-v")
		for n, a := range c.Args {
			name, value, assigns := strings.Cut(a.Text, "=")
			plain := n+1 < len(c.Args) && oneOf(c.Name, "set", "setx", "setenv", "launchctl", "tmux", "systemctl", "read", "printf")
			if ownSwitch(name) && !unset && (assigns && value != "" || plain && c.Name != "env") {
				return deny("sets " + clip(name, 40) + ", a switch of the guard.")
			}
		}
	}
	if c.Name == "go" && hasAllWords(texts(c.Args), "run") && namesGuard(c) && hasWord(c.Args, "off", "uninstall", "waive", "trust") {
		return ask("weakens or removes the guard; only the person may do that.")
	}
	if !guardProgram(c.Name) || helpOnly(c) || s.elsewhere(i) != here {
		return verdict{}
	}
	if strings.HasPrefix(c.Name, "agentguard-hook") {
		return ask("feeds the guard by hand, which can forge its records.")
	}
	sub := ""
	for _, a := range c.Args {
		if !strings.HasPrefix(a.Text, "-") {
			sub = a.Text
			break
		}
	}
	switch sub {
	case "off", "uninstall", "waive", "trust":
		return deny("weakens or removes the guard; only the person may do that.")
	case "init", "import", "plugin", "on":
		if hasWord(c.Args, "--dry-run", "-n") {
			return verdict{}
		}
		return ask("changes the guard's set-up.")
	case "suggest", "doctor":
		if hasWord(c.Args, "--apply", "--write", "--fix", "--yes") {
			return ask("changes the guard's set-up.")
		}
	}
	return verdict{}
}

// switchInFile finds the guard's variables written where a shell or the client
// will read them.
func switchInFile(s *scan, e shell.Effect) verdict {
	if e.Op == shell.Read || e.Op == shell.Delete || e.Op == shell.MakeDir {
		return verdict{}
	}
	if !containsAny(e.Content.Text, "AGENTGUARD_OFF", "AGENTGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE") {
		return verdict{}
	}
	p := e.Path.Text
	base := path.Base(p)
	shellFile := hasSuffixAny(base, "rc", "profile", ".env", ".sh", "_login", "zshenv", "_aliases", ".plist", ".service", ".conf", ".fish") || hasPrefixAny(base, ".env") || within(p, "/etc") || !known(e.Path)
	if !shellFile {
		return verdict{}
	}
	if !strings.Contains(e.Content.Text, "=") && !strings.Contains(e.Content.Text, "set") {
		return verdict{}
	}
	if strings.HasSuffix(base, ".sh") && !strings.HasPrefix(base, ".") {
		return ask("writes a script that sets a switch of the guard.")
	}
	return deny("writes a switch of the guard where every later shell reads it.")
}

// shadowsPrograms finds a PATH that starts with a folder anybody can write to,
// before git or the guard run.
func shadowsPrograms(s *scan, i int) verdict {
	c := &s.cmds[i]
	if c.Name == "hash" && hasWord(c.Args, "-p") && (hasWord(c.Args, "git", "gh") || namesGuard(c)) {
		return ask("makes the shell run another program under that name.")
	}
	if c.Name != "git" && !guardProgram(c.Name) && c.Name != "gh" {
		return verdict{}
	}
	for _, a := range s.environment(i) {
		switch name := a.Name; {
		case name == "PATH":
			first, _, _ := strings.Cut(a.Value.Text, ":")
			if first == "." || first == "" && a.Value.Text != "" || s.isTemp(path.Clean(first)) || contains(s.temp, path.Clean(first)) {
				return ask("runs " + c.Name + " with a folder first in PATH that anybody can fill.")
			}
		case oneOf(name, "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "GIT_EXEC_PATH") && a.Value.Text != "":
			return ask("runs " + c.Name + " with " + name + " set, which can change what it does.")
		}
	}
	return verdict{}
}

// settingsOff tells that the value of --settings, a text or a file, switches
// hooks off or cannot be read.
func (s *scan) settingsOff(i int, value string) bool {
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		text, ok := s.readText(i, shell.Word{Text: value})
		if !ok {
			return true
		}
		value = text
	}
	return containsAny(value, "disableAllHooks", unknown)
}

// sourcesGuarded tells that a list for --setting-sources names a place whose
// settings hold the guard.
func (s *scan) sourcesGuarded(list string) bool {
	for source := range strings.SplitSeq(list, ",") {
		file := ""
		switch strings.TrimSpace(source) {
		case "user":
			file = s.ctx.Home + "/.claude/settings.json"
		case "project":
			file = s.ctx.ProjectDir + "/.claude/settings.json"
		case "local":
			file = s.ctx.ProjectDir + "/.claude/settings.local.json"
		}
		if file == "" || s.ctx.State == nil {
			continue
		}
		if b, err := s.ctx.State.ReadFile(file); err == nil && strings.Contains(string(b), "agentguard-hook") {
			return true
		}
	}
	return false
}

// environment lists the assignments that reach a command, those of its carriers
// included.
func (s *scan) environment(i int) []shell.Assign {
	var out []shell.Assign
	for n := 0; i >= 0 && i < len(s.cmds) && n < 64; n++ {
		out = append(out, s.cmds[i].Env...)
		i = s.cmds[i].Parent
	}
	return out
}

// startsUnguarded finds a coding agent started past its hooks.
func startsUnguarded(s *scan, i int) verdict {
	c := &s.cmds[i]
	const (
		fact  = "starts a coding agent that the guard does not see."
		alone = "starts a coding agent that asks nobody before it acts."
	)
	if c.Name == "export" {
		for _, a := range c.Args {
			if hasPrefixAny(a.Text, "CLAUDE_CONFIG_DIR=", "CLAUDE_CODE_SIMPLE=", "CLAUDE_CODE_SAFE_MODE=", "CODEX_HOME=") {
				return ask("makes later agents read other settings, without the guard.")
			}
		}
		return verdict{}
	}
	args := texts(c.Args)
	prog := c.Name
	if oneOf(prog, "npx", "bunx", "pnpm", "node") {
		for n, a := range args {
			if strings.Contains(a, "claude-code") || strings.Contains(a, "openai/codex") {
				prog, args = "claude", args[n+1:]
				break
			}
		}
	}
	if !oneOf(prog, "claude", "codex", "gemini", "cursor-agent", "opencode", "copilot", "aider", "qwen", "amp") || s.elsewhere(i) == inContainer {
		return verdict{}
	}
	for _, a := range s.environment(i) {
		if oneOf(a.Name, "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CODEX_HOME", "HOME", "XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR") && a.Value.Text != "" && a.Value.Text != "0" && a.Value.Text != s.ctx.Home {
			return ask(fact)
		}
	}
	for n, a := range args {
		name, value, _ := strings.Cut(a, "=")
		if value == "" && n+1 < len(args) {
			value = args[n+1]
		}
		switch {
		case oneOf(name, "--bare", "--safe-mode", "--restricted", "--dangerously-bypass-hook-trust", "--no-hooks", "--ignore-user-config"),
			name == "--setting-sources" && !s.sourcesGuarded(value),
			name == "--settings" && s.settingsOff(i, value),
			name == "--disable" && strings.Contains(value, "hooks"),
			oneOf(name, "-c", "--config") && strings.Contains(value, "hooks"):
			return ask(fact)
		case oneOf(name, "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto", "--yes-always"),
			name == "--permission-mode" && oneOf(value, "bypassPermissions", "dontAsk"),
			oneOf(name, "-s", "--sandbox") && value == "danger-full-access":
			return ask(alone)
		}
	}
	if prog == "claude" && hasAllWords(args, "config set") && containsAny(strings.Join(args, " "), "hooks", "permission", "Hooks") {
		return ask("changes the client's own settings.")
	}
	if slices.Contains(args, "plugin") && (slices.Contains(args, "disable") || slices.Contains(args, "uninstall")) && strings.Contains(strings.Join(args, " "), "agentguard") {
		return ask("removes the guard's plugin.")
	}
	return verdict{}
}
