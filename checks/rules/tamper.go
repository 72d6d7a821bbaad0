package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// Tamper runs the rules of guard-tamper: the guard's own files, settings
// entries, programs, records and switches. Reading, backing up and adding what
// has nothing to do with the guard never match.
func Tamper(ctx Context) []Hit {
	return newScan(ctx).run([][]Rule{tamperRules})
}

const leaveGuard = "Leave the guard in place; if it is wrong here, tell the person what it said and let them decide."

var tamperRules = []Rule{
	{
		ID: "tamper-unread", Family: "guard-tamper",
		Title: "a script that could not be read and that names the guard",
		Safe:  "Send it in plainer words, one step at a time.",
		Hits: []Case{
			{Run: "if then AGENTGUARD_OFF=1 git push"},
			{Run: "echo 'unterminated; sed -i x .claude/settings.json"},
		},
		Misses: []Case{{Run: "if then git status"}, {Run: "echo 'unterminated"}},
		script: tamperUnread,
	},
	{
		ID: "tamper-settings", Family: "guard-tamper",
		Title: "changing the hook settings",
		Safe:  leaveGuard,
		Hits: []Case{
			{Run: "rm -f .claude/settings.json", Want: hook.Deny},
			{Run: "mv .claude .claude.off", Want: hook.Deny},
			{Run: "sed -i '/PreToolUse/d' ~/.claude/settings.json", Want: hook.Deny},
			{Run: "jq 'del(.hooks)' .claude/settings.json > /tmp/s && mv /tmp/s .claude/settings.json", Want: hook.Deny},
			{Run: "echo '{}' > .claude/settings.json", Want: hook.Deny},
			{Run: "echo '{\"disableAllHooks\":true}' > .claude/settings.local.json", Want: hook.Deny},
			{Run: "ln -sf /dev/null .claude/settings.json", Want: hook.Deny},
			{Run: "cp /tmp/s.json .claude/settings.json"},
			{Run: "rm -rf .claude", Want: hook.Deny},
			{Run: "git rm .claude/settings.json"},
			{Run: "git checkout HEAD~3 -- .claude/settings.json"},
			{Run: "echo '{}' > docs/settings.lnk", Want: hook.Deny},
			{Run: "chmod 000 .claude/settings.json"},
			{Run: "python3 -c \"open('.claude/settings.json','w').write('{}')\"", Want: hook.Deny},
			{Run: "truncate -s 0 .claude/settings.json", Want: hook.Deny},
			{Run: "rm -rf ~/.claude", Want: hook.Deny},
			{Run: "cp -r /tmp/claude/. .claude/"},
			{Run: "git stash push .claude/settings.json"},
			{Run: "git update-index --assume-unchanged .claude/settings.json"},
			{Run: "git checkout origin/main .claude"},
		},
		Misses: []Case{
			{Run: "cat .claude/settings.json | jq .hooks"},
			{Run: "cp .claude/settings.json /tmp/settings.backup.json"},
			{Run: "git add .claude/settings.json && git commit -m 'chore: share hooks'"},
			{Run: "git diff .claude/settings.json"},
			{Run: "grep -n hooks .claude/settings.json"},
			{Run: "mkdir -p .claude/commands && echo x > .claude/commands/fix.md"},
			{Run: "ls -la .claude"},
			{Run: "echo '{\"model\":\"opus\"}' > .claude/settings.local.json"},
		},
		script: func(s *scan) verdict { return s.tamperFiles(ownSettings) },
	},
	{
		ID: "tamper-policy", Family: "guard-tamper",
		Title: "changing the guard's policy",
		Safe:  "Propose the change to the person in words.",
		Hits: []Case{
			{Run: "rm -f .agentguard/policy.jsonc", Want: hook.Deny},
			{Run: "sed -i 's/\"standard\"/\"observe\"/' .agentguard/policy.jsonc"},
			{Run: "rm -rf .agentguard", Want: hook.Deny},
			{Run: "echo '{}' > .agentguard/policy.local.jsonc"},
			{Run: "echo '{}' > ~/.config/agentguard/policy.jsonc"},
			{Run: "cd .agentguard && echo '{}' > policy.jsonc", Want: hook.Deny},
			{Run: "git checkout main -- .agentguard/policy.jsonc"},
		},
		Misses: []Case{
			{Run: "cat .agentguard/policy.jsonc"},
			{Run: "cp .agentguard/policy.jsonc /tmp/p"},
			{Run: "git add .agentguard && git commit -m policy"},
			{Run: "agentguard check"},
		},
		script: func(s *scan) verdict { return s.tamperFiles(ownPolicy) },
	},
	{
		ID: "tamper-record", Family: "guard-tamper",
		Title: "changing the guard's state, its log or a transcript",
		Safe:  "Leave the records as they are.",
		Hits: []Case{
			{Run: "sed -i '/deny/d' ~/.local/state/agentguard/log/2026-11-29.jsonl", Want: hook.Deny},
			{Run: ": > ~/.local/state/agentguard/log/2026-11-29.jsonl", Want: hook.Deny},
			{Run: "rm -rf ~/.local/state/agentguard", Want: hook.Deny},
			{Run: "rm -rf ~/.local/state", Want: hook.Deny},
			{Run: "echo '{}' >> ~/.claude/projects/-home-dev/x.jsonl", Want: hook.Deny},
			{Run: "sed -i s/a/b/ ~/.codex/sessions/2026/x.jsonl", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "tail -f ~/.local/state/agentguard/log/2026-11-29.jsonl"},
			{Run: "cat ~/.claude/projects/-home-dev/x.jsonl | head"},
			{Run: "agentguard log --follow"},
			{Run: "cp ~/.local/state/agentguard/log/2026-11-29.jsonl /tmp/"},
		},
		script: func(s *scan) verdict { return s.tamperFiles(ownRecord) },
	},
	{
		ID: "tamper-program", Family: "guard-tamper",
		Title: "replacing, removing or stopping the guard's programs",
		Safe:  leaveGuard,
		Hits: []Case{
			{Run: "ln -sf /bin/true ~/.local/bin/agentguard-hook", Want: hook.Deny},
			{Run: "printf '#!/bin/sh\\nexit 0\\n' > ~/.local/bin/agentguard-hook", Want: hook.Deny},
			{Run: "rm /usr/local/bin/agentguard", Want: hook.Deny},
			{Run: "chmod -x ~/.local/bin/agentguard-hook", Want: hook.Deny},
			{Run: "rm \"$(command -v agentguard-hook)\"", Want: hook.Deny},
			{Run: "chmod 000 $(which agentguard-hook)", Want: hook.Deny},
			{Run: "pkill -9 agentguard", Want: hook.Deny},
			{Run: "killall agentguard-hook", Want: hook.Deny},
			{Run: "kill -9 $(pgrep -f agentguard)", Want: hook.Deny},
			{Run: "brew uninstall agentguard"},
			{Run: "mv ~/.local/bin/agentguard /tmp/", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "command -v agentguard && agentguard version"},
			{Run: "ls -l ~/.local/bin/agentguard-hook"},
			{Run: "go test ./internal/guard/... -run TestDeny"},
			{Run: "pgrep -f agentguard"},
			{Run: "grep -rn agentguard ."},
			{Run: "cd /tmp/agentguard && ls"},
			{Run: "which agentguard-hook"},
		},
		script: func(s *scan) verdict { return s.tamperFiles(ownProgram) },
		call:   stopsGuard,
	},
	{
		ID: "tamper-agent-hooks", Family: "guard-tamper",
		Title: "changing hooks in an agent's or skill's frontmatter",
		Safe:  leaveGuard,
		Hits: []Case{
			{Run: "sed -i 's/^hooks:/x-hooks:/' .claude/agents/reviewer.md"},
			{Run: "rm .claude/agents/reviewer.md"},
			{Run: "cat > .claude/agents/reviewer.md <<'E'\n---\nname: reviewer\n---\nReview.\nE"},
		},
		Misses: []Case{
			{Run: "cat .claude/agents/reviewer.md"},
			{Run: "cat > .claude/agents/tester.md <<'E'\n---\nname: tester\n---\nTest.\nE"},
			{Run: "cp .claude/agents/reviewer.md /tmp/"},
		},
		script: func(s *scan) verdict { return s.tamperFiles(ownFrontmatter) },
	},
	{
		ID: "tamper-switch", Family: "guard-tamper",
		Title: "setting the guard's switches or turning it off",
		Safe:  leaveGuard,
		Hits: []Case{
			{Run: "AGENTGUARD_OFF=1 git push", Want: hook.Deny},
			{Run: "export AGENTGUARD_OFF=1", Want: hook.Deny},
			{Run: "env AGENTGUARD_JUDGE_ACTIVE=1 bash", Want: hook.Deny},
			{Run: "STOP_HOOK_LLM_JUDGE_ACTIVE=1 git commit -m x", Want: hook.Deny},
			{Run: "echo 'export AGENTGUARD_OFF=1' >> ~/.bashrc", Want: hook.Deny},
			{Run: "echo AGENTGUARD_OFF=1 >> .envrc", Want: hook.Deny},
			{Run: "agentguard uninstall --all"},
			{Run: "agentguard off --for 1h"},
			{Run: "script -qc 'agentguard off' /dev/null", Want: hook.Deny},
			{Run: "agentguard trust"},
			{Run: "~/.local/bin/agentguard waive 'no tests'"},
			{Run: "sudo -E AGENTGUARD_OFF=1 git reset --hard", Want: hook.Deny},
			{Run: "declare -x AGENTGUARD_OFF=1; git push", Want: hook.Deny},
			{Run: "echo '{}' | agentguard-hook"},
			{Run: "launchctl setenv AGENTGUARD_OFF 1", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "agentguard doctor"},
			{Run: "agentguard status --json"},
			{Run: "agentguard explain -- git push -f"},
			{Run: "agentguard init --dry-run"},
			{Run: "agentguard uninstall --help"},
			{Run: "agentguard-hook --version"},
			{Run: "echo $AGENTGUARD_OFF"},
			{Run: "unset AGENTGUARD_OFF"},
			{Run: "grep -rn AGENTGUARD_OFF docs"},
			{Run: "AGENTGUARD_DEBUG=1 agentguard doctor"},
			{Run: "echo 'AGENTGUARD_OFF=1 is the emergency switch' >> docs/faq.md"},
			{Run: "agentguard replay"},
		},
		call:   switchesOff,
		effect: switchInFile,
		script: func(s *scan) verdict {
			worst := verdict{}
			for _, e := range s.edits() {
				text := ""
				if e.content != nil {
					text = *e.content
				}
				for _, c := range e.changes {
					text += "\n" + c.new
				}
				worst = worst.or(switchInFile(s, shell.Effect{Op: shell.Write, Path: shell.Lit(s.abs(-1, e.path)), Content: shell.Lit(text), Command: -1}))
			}
			return worst
		},
	},
	{
		ID: "tamper-path", Family: "guard-tamper",
		Title: "putting other programs before the real ones",
		Safe:  "Call the program by its full path.",
		Hits: []Case{
			{Run: "PATH=/tmp/fake:$PATH git push --force origin main"},
			{Run: "export PATH=/tmp/bin:$PATH; git commit -m x"},
			{Run: "PATH=.:$PATH git status"},
			{Run: "LD_PRELOAD=/tmp/x.so git push"},
			{Run: "BASH_ENV=/tmp/x bash -c 'git push'"},
		},
		Misses: []Case{
			{Run: "PATH=$HOME/.local/bin:$PATH npm test"},
			{Run: "export PATH=\"$PATH:/tmp/bin\"; git status"},
			{Run: "PATH=node_modules/.bin:$PATH eslint ."},
			{Run: "echo $PATH"},
			{Run: "PATH=/usr/local/go/bin:$PATH go test ./..."},
		},
		call: shadowsPrograms,
	},
	{
		ID: "tamper-unguarded-client", Family: "guard-tamper",
		Title: "starting a coding agent without the guard",
		Safe:  "Start it with its normal settings, or ask the person.",
		Hits: []Case{
			{Run: "claude --bare -p 'go on'"},
			{Run: "claude --safe-mode"},
			{Run: "claude --setting-sources '' -p x"},
			{Run: "claude -p x --settings '{\"disableAllHooks\":true}'"},
			{Run: "CLAUDE_CONFIG_DIR=/tmp/c claude -p x"},
			{Run: "CLAUDE_CODE_SIMPLE=1 claude -p x"},
			{Run: "HOME=/tmp/h claude -p x"},
			{Run: "claude config set hooks '{}'"},
			{Run: "claude --settings /tmp/none.json -p x"},
			{Run: "claude --dangerously-skip-permissions -p x"},
			{Run: "codex exec --disable hooks x"},
			{Run: "codex --dangerously-bypass-approvals-and-sandbox"},
			{Run: "npx @anthropic-ai/claude-code --bare -p x"},
			{Run: "export CLAUDE_CONFIG_DIR=/tmp/c"},
		},
		Misses: []Case{
			{Run: "claude -p 'summarise README'"},
			{Run: "claude --version"},
			{Run: "claude mcp list"},
			{Run: "claude --settings '{\"model\":\"haiku\"}' -p x"},
			{Run: "claude --settings package.json -p x"},
			{Run: "codex exec 'fix tests'"},
			{Run: "git commit -m 'document claude --bare'"},
			{Run: "HOME=/tmp/h npm test"},
		},
		call: startsUnguarded,
	},
}

// own says which part of the guard a file is.
type own int

const (
	notOwn own = iota
	ownSettings
	ownPolicy
	ownRecord
	ownProgram
	ownFrontmatter
)

// guardNames are the base names of our programs.
func guardProgram(base string) bool {
	return oneOf(strings.TrimSuffix(strings.ToLower(base), ".exe"), "agentguard", "agentguard-hook")
}

// ownOf tells which part of the guard an absolute path is. Names fold case
// everywhere: a variant is asked about like the file itself.
func (s *scan) ownOf(p string) own {
	low := strings.ToLower(p)
	home := strings.ToLower(s.ctx.Home)
	base := path.Base(low)
	stateHome := strings.ToLower(cmpOr(s.ctx.StateHome, s.ctx.Home+"/.local/state"))
	configHome := strings.ToLower(cmpOr(s.ctx.ConfigHome, s.ctx.Home+"/.config"))
	switch {
	case hasSuffixAny(low, "/.claude/settings.json", "/.claude/settings.local.json", "/.codex/hooks.json", "/.codex/config.toml", "/.gemini/settings.json", "/.cursor/hooks.json"),
		containsAny(low, "/claude-code/managed-settings", "/claudecode/managed-settings", "/.claude/hooks.json"),
		strings.Contains(low, "/.claude/plugins/") && base == "hooks.json":
		return ownSettings
	case within(low, stateHome+"/agentguard"), within(low, home+"/.claude/projects"), within(low, home+"/.codex/sessions"), strings.Contains(low, "/.local/state/agentguard"):
		return ownRecord
	case strings.Contains(low+"/", "/.agentguard/"), within(low, configHome+"/agentguard"), within(low, "/etc/agentguard"):
		return ownPolicy
	case guardProgram(base) && s.kind(p) != Folder && !hasSuffixAny(low, "/cmd/"+base):
		return ownProgram
	case strings.HasSuffix(base, ".md") && containsAny(low, "/.claude/agents/", "/.claude/skills/", "/.claude/commands/"):
		return ownFrontmatter
	}
	return notOwn
}

// holds tells that a folder holds files of the guard, so that deleting or
// moving it takes them away.
func (s *scan) holds(dir string, kind own) bool {
	if dir == "/" {
		return false // the removal rules say enough about it
	}
	stateHome := cmpOr(s.ctx.StateHome, s.ctx.Home+"/.local/state")
	configHome := cmpOr(s.ctx.ConfigHome, s.ctx.Home+"/.config")
	var files []string
	switch kind {
	case ownSettings:
		files = []string{s.ctx.ProjectDir + "/.claude/settings.json", s.ctx.Home + "/.claude/settings.json", s.ctx.Home + "/.codex/hooks.json"}
		if strings.EqualFold(path.Base(dir), ".claude") {
			return true
		}
	case ownPolicy:
		files = []string{s.ctx.ProjectDir + "/.agentguard/policy.jsonc", configHome + "/agentguard/policy.jsonc"}
	case ownRecord:
		files = []string{stateHome + "/agentguard/log", s.ctx.Home + "/.claude/projects/x"}
	case notOwn, ownProgram, ownFrontmatter:
		return false
	}
	for _, f := range files {
		if within(f, dir) && dir != s.ctx.Home && dir != s.ctx.ProjectDir && !within(s.ctx.ProjectDir, dir) {
			return true
		}
	}
	return false
}

// tamperFiles is the strictest answer about one part over the whole call.
func (s *scan) tamperFiles(kind own) verdict {
	worst := verdict{}
	for _, e := range s.edits() {
		p := s.resolve(s.abs(-1, e.path), !e.deletes)
		if p != "" && s.ownOf(p) == kind {
			worst = worst.or(s.tamperByTool(p, e, kind))
		}
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op == shell.Read || e.Op == shell.MakeDir || s.elsewhere(e.Command) != here {
			continue
		}
		worst = worst.or(s.tamperEffect(e, kind).at(e.Command))
	}
	for i := range s.cmds {
		worst = worst.or(s.gitTampers(i, kind).at(i))
	}
	return worst
}

func (s *scan) tamperEffect(e shell.Effect, kind own) verdict {
	if kind == ownProgram && !known(e.Path) {
		for _, j := range s.origins(e.Path) {
			c := &s.cmds[j]
			if oneOf(c.Name, "command", "which", "type", "whereis", "readlink", "realpath", "") && namesGuard(c) {
				return deny("changes the guard's own program.")
			}
		}
	}
	p := s.abs(e.Command, e.Path.Text)
	if p == "" {
		p = "/" + strings.TrimLeft(e.Path.Text, "/")
	}
	removes := e.Op == shell.Delete || e.Op == shell.Move
	follow := !removes && e.Op != shell.Link
	dir := stripGlob(p)
	if removes && s.holds(s.resolve(dir, false), kind) {
		return deny("takes away a folder that holds the guard's own files.")
	}
	real := s.resolve(p, follow)
	if e.Recursive && e.Op == shell.Write && s.holds(real, kind) && s.kind(real) == Folder {
		return ask("copies over a folder that holds the guard's own files.")
	}
	if s.ownOf(real) != kind {
		return verdict{}
	}
	name := clip(path.Base(real), 40)
	switch kind {
	case ownSettings:
		if e.Op == shell.Mode {
			return ask("changes the rights of " + name + ", which switches the hooks on.")
		}
		if content, ok := knownContent(e); ok && follow {
			return s.settingsChange(real, content)
		}
		if s.kind(real) == Missing && !removes {
			return ask("writes " + name + " with content that is not known before it runs.")
		}
		return deny("changes " + name + ", which switches the hooks on.")
	case ownPolicy:
		switch {
		case removes, e.Op == shell.Truncate, e.Op == shell.Link, e.Op == shell.Write && s.kind(real) != Missing:
			return deny("replaces or removes the guard's policy.")
		case e.Op == shell.Mode:
			return verdict{}
		}
		return ask("changes the guard's policy.")
	case ownRecord:
		if e.Op == shell.Mode {
			return ask("changes the rights of the guard's records.")
		}
		return deny("changes the guard's records or a transcript, which are evidence.")
	case ownProgram:
		return deny("changes the guard's own program.")
	case ownFrontmatter:
		return s.frontmatterEffect(real, e)
	case notOwn:
	}
	return verdict{}
}

// knownContent is the whole text that an effect writes, where it is known.
func knownContent(e shell.Effect) (string, bool) {
	if e.Op != shell.Write || len(e.Content.Parts) == 0 || !known(e.Content) {
		return "", false
	}
	return e.Content.Text, true
}

func namesGuard(c *shell.Command) bool {
	for _, a := range c.Args {
		if guardProgram(path.Base(a.Text)) {
			return true
		}
	}
	return false
}

// gitTampers finds git commands that overwrite or drop the guard's files.
func (s *scan) gitTampers(i int, kind own) verdict {
	g := s.git(i)
	if g == nil || !oneOf(g.sub, "checkout", "restore", "rm", "mv", "stash", "update-index") {
		return verdict{}
	}
	if g.sub == "update-index" && !hasWord(g.args, "--assume-unchanged", "--skip-worktree", "--force-remove", "--remove") || g.sub == "stash" && (len(g.args) < 2 || !oneOf(g.args[0].Text, "push", "save")) {
		return verdict{}
	}
	o := shell.Options(g.args, switchSpec)
	if g.sub == "restore" && o.Has("S") || g.sub == "rm" && hasWord(g.args, "--cached") {
		return verdict{}
	}
	for _, w := range o.Rest {
		p := s.resolve(s.abs(i, w.Text), true)
		if p == "" || s.ownOf(p) != kind && !(s.holds(p, kind) && (oneOf(g.sub, "rm", "mv", "stash") || oneOf(g.sub, "checkout", "restore") && len(o.Rest) > 1)) {
			continue
		}
		if r, ok := s.gitRepo(g); ok && oneOf(g.sub, "checkout", "restore") && len(o.Rest) == 1 {
			if st, ok := r.Path(p); ok && !st.Modified && s.untouched(i) {
				continue
			}
		}
		return ask("replaces or removes a file of the guard.")
	}
	return verdict{}
}

// tamperByTool judges a file tool's write by comparing the content before and
// after.
func (s *scan) tamperByTool(p string, e edit, kind own) verdict {
	before := s.content(p)
	after, ok := e.after(before)
	switch kind {
	case ownSettings:
		if e.deletes {
			return deny("removes the hook settings.")
		}
		if !ok {
			return ask("changes the hook settings in a way that is not known.")
		}
		return s.settingsChange(p, after)
	case ownPolicy:
		if e.deletes || ok && e.content != nil && before != "" && after != before {
			return deny("replaces or removes the guard's policy.")
		}
		if ok && after == before {
			return verdict{}
		}
		return ask("changes the guard's policy.")
	case ownRecord:
		return deny("changes the guard's records or a transcript, which are evidence.")
	case ownProgram:
		return deny("changes the guard's own program.")
	case ownFrontmatter:
		if !ok && !e.deletes {
			return ask("changes an agent file in a way that is not known.")
		}
		return frontmatterChange(before, after)
	case notOwn:
	}
	return verdict{}
}

func (s *scan) frontmatterEffect(p string, e shell.Effect) verdict {
	if e.Op == shell.Mode {
		return verdict{}
	}
	before := s.content(p)
	if content, ok := knownContent(e); ok {
		return frontmatterChange(before, content)
	}
	if frontmatterHooks(before) == "" || e.Op == shell.Append {
		return verdict{}
	}
	return ask("changes an agent file that carries hooks.")
}

// frontmatterChange compares the hooks block of an agent file.
func frontmatterChange(before, after string) verdict {
	old, now := frontmatterHooks(before), frontmatterHooks(after)
	switch {
	case old == now:
		return verdict{}
	case old == "":
		return ask("adds hooks to an agent file.")
	}
	return ask("changes or removes the hooks of an agent file.")
}

// frontmatterHooks is the hooks block between the first two --- lines: its key
// and everything that is indented below it.
func frontmatterHooks(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasPrefix(text, "---\n") {
		return ""
	}
	head, _, ok := strings.Cut(text[4:], "\n---")
	if !ok {
		return ""
	}
	var block []string
	inside := false
	for line := range strings.SplitSeq(head, "\n") {
		switch {
		case strings.HasPrefix(line, "hooks:") || strings.HasPrefix(line, `"hooks":`) || strings.HasPrefix(line, "'hooks':"):
			inside = true
		case inside && line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '-' && line[0] != '#':
			inside = false
		}
		if inside {
			block = append(block, strings.TrimRight(line, " \t"))
		}
	}
	return strings.TrimSpace(strings.Join(block, "\n"))
}
