package rules

import (
	"agentguard/checks/shell"
	"agentguard/hook"
)

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
			{Run: "chmod 000 .claude/settings.json", Want: hook.Deny},
			{Run: "chmod 600 .claude/settings.json", Want: hook.Ask},
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
			{Run: "rm -rf examples/old/.claude examples/old/.codex"},
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
			{Run: "echo '- tests: npm test' >> ~/.claude/projects/-home-dev-work-app/memory/MEMORY.md"},
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
