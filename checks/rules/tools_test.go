package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"agentguard/checks/mcp"
	"agentguard/checks/shell"
	"agentguard/hook"
)

// toolCase is one call of a file tool.
type toolCase struct {
	name string
	tool string
	in   map[string]any
	want hook.Decision // Pass: silent; Ask: ask or deny; Deny: deny
}

func write(path, content string) map[string]any {
	return map[string]any{"file_path": path, "content": content}
}

func replace(path, old, now string) map[string]any {
	return map[string]any{"file_path": path, "old_string": old, "new_string": now}
}

const settingsPath = "{{REPO}}/.claude/settings.json"

// settingsWith is the fixture's settings with more members.
func settingsWith(more string) string {
	return strings.Replace(fixtureSettings, "{", "{\n "+more+",", 1)
}

// toolContext makes the context of a call of a tool that is no shell.
func toolContext(f *fixture, tool, input string) Context {
	ctx := Context{Tool: tool, Input: json.RawMessage(input), CWD: f.repo, Home: f.home, ProjectDir: f.repo, State: f.state, Temp: []string{"/tmp", "/var/tmp"}}
	ctx.Call = mcp.Read(tool, ctx.Input)
	if ctx.Call.Script != "" {
		ctx.Script = shell.Analyze(ctx.Call.Script, shell.Env{Dir: f.repo, Home: f.home, ReadFile: f.state.ReadFile})
	}
	return ctx
}

// TestMCPTools: tools of MCP servers meet the rules of their built-in kin.
func TestMCPTools(t *testing.T) {
	f := fixtureOf(t, Dirty)
	fill := strings.NewReplacer("{{REPO}}", f.repo, "{{HOME}}", f.home)
	for _, l := range readList(t, "mcp.txt") {
		word, rest, _ := strings.Cut(l, " ")
		tool, input, _ := strings.Cut(rest, " ")
		var want hook.Decision
		if err := want.UnmarshalText([]byte(word)); err != nil {
			t.Fatal(l, err)
		}
		if !json.Valid([]byte(input)) {
			t.Fatal("no JSON:", l)
		}
		hits := everything(toolContext(f, tool, fill.Replace(input)))
		if got := strictest(hits); got < want || want == hook.Pass && got != want {
			t.Errorf("%s: got %v, want %v%s", l, got, want, describe(hits))
		}
	}
	for _, r := range All() {
		for _, c := range r.Tools {
			hits := everything(toolContext(f, c.Tool, fill.Replace(c.Input)))
			if got := strictest(hits); got != c.Want {
				t.Errorf("%s: %s %s: got %v, want %v%s", r.ID, c.Tool, c.Input, got, c.Want, describe(hits))
			}
		}
	}
}

func TestFileTools(t *testing.T) {
	cases := []toolCase{
		{"source", "Write", write("{{REPO}}/src/new.py", "x = 1\n"), hook.Pass},
		{"test that names dangers", "Write", write("{{REPO}}/tests/t.py", "AGENTGUARD_OFF=1 rm -rf / .env"), hook.Pass},
		{"env", "Write", write("{{REPO}}/.env", "A=1"), hook.Deny},
		{"env, relative", "Write", write(".env", "A=1"), hook.Deny},
		{"env, home", "Write", write("~/.env", "A=1"), hook.Deny},
		{"env by mcp", "mcp__filesystem__write_file", map[string]any{"path": "{{REPO}}/.env", "content": "x"}, hook.Deny},
		{"env moved by mcp", "mcp__filesystem__move_file", map[string]any{"source": "{{REPO}}/.env", "destination": "{{REPO}}/x"}, hook.Ask},
		{"env read by mcp", "mcp__filesystem__read_file", map[string]any{"path": "{{REPO}}/.env"}, hook.Pass},
		{"env by patch", "apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: .env\n+A=1\n*** End Patch"}, hook.Deny},
		{"source by patch", "apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: src/app.py\n+A=1\n*** End Patch"}, hook.Pass},
		{"wrong type of one field", "Write", map[string]any{"file_path": "{{REPO}}/.env", "content": 3}, hook.Deny},
		{"template", "Write", write("{{REPO}}/.env.production.example", "A="), hook.Pass},
		{"key", "Write", write("{{REPO}}/a/b.key", "x"), hook.Deny},
		{"git hook by link", "Write", write("{{REPO}}/hooklink/pre-push", "x"), hook.Deny},
		{"env by link", "Edit", replace("{{REPO}}/docs/notes.lnk", "a", "b"), hook.Deny},
		{"link in a parent folder and dots", "Write", write("{{REPO}}/docs/../hooklink/x", "x"), hook.Deny},
		{"github", "Write", write("{{REPO}}/.github/workflows/ci.yml", "on: push"), hook.Pass},
		{"rc file", "Edit", replace("{{HOME}}/.bashrc", "# end", "# new"), hook.Ask},
		{"rc file with the switch", "Edit", replace("{{HOME}}/.bashrc", "# end", "export AGENTGUARD_OFF=1"), hook.Deny},
		{"system file", "Write", write("/etc/hosts", "x"), hook.Deny},
		{"other case", "Write", write("{{REPO}}/.Env.Local", "x"), hook.Ask},
		{"temp file", "Write", write("/tmp/x/.env", "x"), hook.Pass},
		{"notebook", "NotebookEdit", map[string]any{"notebook_path": "{{REPO}}/.git/x.ipynb", "new_source": "x"}, hook.Deny},
		{"reading settings", "Read", map[string]any{"file_path": settingsPath}, hook.Pass},

		{"settings: same content, other layout", "Write", write(settingsPath, strings.ReplaceAll(fixtureSettings, "\n", "")), hook.Pass},
		{"settings: unrelated key", "Write", write(settingsPath, settingsWith(`"model": "opus"`)), hook.Pass},
		{"settings: harmless env", "Write", write(settingsPath, settingsWith(`"env": {"NODE_ENV": "test"}`)), hook.Pass},
		{"settings: off switch", "Write", write(settingsPath, settingsWith(`"env": {"AGENTGUARD_OFF": "1"}`)), hook.Deny},
		{"settings: recursion variable", "Write", write(settingsPath, settingsWith(`"env": {"STOP_HOOK_LLM_JUDGE_ACTIVE": "1"}`)), hook.Deny},
		{"settings: path", "Write", write(settingsPath, settingsWith(`"env": {"PATH": "/tmp/x"}`)), hook.Deny},
		{"settings: preload", "Write", write(settingsPath, settingsWith(`"env": {"LD_PRELOAD": "/tmp/x.so"}`)), hook.Deny},
		{"settings: plugin off", "Write", write(settingsPath, settingsWith(`"enabledPlugins": {"agentguard@x": false}`)), hook.Deny},
		{"settings: other plugin", "Write", write(settingsPath, settingsWith(`"enabledPlugins": {"lint@x": true}`)), hook.Pass},
		{"settings: hooks twice", "Write", write(settingsPath, strings.TrimSuffix(strings.TrimSpace(fixtureSettings), "}")+`, "hooks": {}}`), hook.Deny},
		{"settings: all hooks off", "Write", write(settingsPath, settingsWith(`"disableAllHooks": true`)), hook.Deny},
		{"settings: empty", "Write", write(settingsPath, "{}"), hook.Deny},
		{"settings: no hooks", "Write", write(settingsPath, `{"permissions":{"allow":[]}}`), hook.Deny},
		{"settings: hooks null", "Edit", replace(settingsPath, `"hooks": {`, `"hooks": null, "x": {`), hook.Deny},
		{"settings: comment", "Edit", replace(settingsPath, "{\n", "{\n // note\n"), hook.Deny},
		{"settings: trailing comma", "Edit", replace(settingsPath, `"allow": []`, `"allow": [],`), hook.Deny},
		{"settings: two values", "Write", write(settingsPath, fixtureSettings+"{}"), hook.Deny},
		{"settings: narrower matcher", "Edit", replace(settingsPath, `"matcher": "*"`, `"matcher": "Read"`), hook.Deny},
		{"settings: another event", "Edit", replace(settingsPath, `"PreToolUse"`, `"PostToolUse"`), hook.Deny},
		{"settings: command replaced", "Edit", replace(settingsPath, "agentguard-hook", "true"), hook.Deny},
		{"settings: command masked", "Edit", replace(settingsPath, "agentguard-hook", "agentguard-hook || true"), hook.Deny},
		{"settings: async", "Edit", replace(settingsPath, `"type": "command"`, `"type": "command", "async": true`), hook.Deny},
		{"settings: short timeout", "Edit", replace(settingsPath, `"type": "command"`, `"type": "command", "timeout": 1`), hook.Deny},
		{"settings: two edits", "MultiEdit", map[string]any{"file_path": settingsPath, "edits": []any{
			map[string]any{"old_string": "agentguard", "new_string": "x"}, map[string]any{"old_string": "x-hook", "new_string": "true"},
		}}, hook.Deny},
		{"settings: hook after a tool added", "Edit", replace(settingsPath, `"hooks": {`, `"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "prettier"}]}],`), hook.Pass},
		{"settings: hook before a tool added", "Edit", replace(settingsPath, `"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]},`), hook.Ask},
		{"settings: permission added", "Edit", replace(settingsPath, `"allow": []`, `"allow": ["Bash(*)"]`), hook.Ask},
		{"settings: denial added", "Edit", replace(settingsPath, `"allow": []`, `"allow": [], "deny": ["Read(./.env)"]`), hook.Pass},
		{"settings: mode", "Edit", replace(settingsPath, `"allow": []`, `"allow": [], "defaultMode": "bypassPermissions"`), hook.Ask},
		{"settings: plan mode", "Edit", replace(settingsPath, `"allow": []`, `"allow": [], "defaultMode": "plan"`), hook.Pass},
		{"settings: by link", "Write", write("{{REPO}}/docs/settings.lnk", "{}"), hook.Deny},
		{"settings: other case", "Write", write("{{REPO}}/.Claude/Settings.json", "{}"), hook.Ask},
		{"settings: user level", "Write", write("{{HOME}}/.claude/settings.json", "{}"), hook.Deny},
		{"settings: new local file", "Write", write("{{REPO}}/.claude/settings.local.json", `{"model":"x"}`), hook.Pass},
		{"settings: new local file, off", "Write", write("{{REPO}}/.claude/settings.local.json", `{"disableAllHooks":true}`), hook.Deny},
		{"settings: backup beside it", "Write", write("{{REPO}}/.claude/settings.json.bak", "{}"), hook.Pass},
		{"settings: of another client", "Write", write("{{HOME}}/.codex/config.toml", "x"), hook.Ask},

		{"policy: replaced", "Write", write("{{REPO}}/.agentguard/policy.jsonc", "{}"), hook.Deny},
		{"policy: edited", "Edit", replace("{{REPO}}/.agentguard/policy.jsonc", "standard", "observe"), hook.Ask},
		{"policy: user's", "Write", write("{{HOME}}/.config/agentguard/policy.jsonc", "{}"), hook.Ask},
		{"log", "Write", write("{{HOME}}/.local/state/agentguard/log/2026-11-29.jsonl", ""), hook.Deny},
		{"transcript", "Edit", replace("{{HOME}}/.claude/projects/x/y.jsonl", "a", "b"), hook.Deny},
		{"program", "Write", write("{{HOME}}/.local/bin/agentguard-hook", "#!/bin/sh"), hook.Deny},
		{"source folder of that name", "Write", write("{{REPO}}/cmd/agentguard/main.go", "package main"), hook.Pass},
		{"agent: hooks renamed", "Edit", replace("{{REPO}}/.claude/agents/reviewer.md", "hooks:", "x-hooks:"), hook.Ask},
		{"agent: text changed", "Edit", replace("{{REPO}}/.claude/agents/reviewer.md", "Review.", "Review well."), hook.Pass},
		{"agent: new", "Write", write("{{REPO}}/.claude/agents/dev.md", "---\nname: dev\n---\nHelp."), hook.Pass},
		{"agent: new with hooks", "Write", write("{{REPO}}/.claude/agents/dev.md", "---\nname: dev\nhooks:\n  Stop: []\n---\nHelp."), hook.Ask},
		{"command: new", "Write", write("{{REPO}}/.claude/commands/fix.md", "Fix it."), hook.Pass},
		{"guidance", "Edit", replace("{{REPO}}/CLAUDE.md", "a", "b"), hook.Pass},
	}
	f := fixtureOf(t, Dirty)
	fill := strings.NewReplacer("{{REPO}}", f.repo, "{{HOME}}", f.home)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw, err := json.Marshal(c.in)
			if err != nil {
				t.Fatal(err)
			}
			hits := everything(toolContext(f, c.tool, fill.Replace(string(raw))))
			got := strictest(hits)
			if c.want == hook.Pass && got != hook.Pass || got < c.want {
				t.Errorf("got %v, want %v%s", got, c.want, describe(hits))
			}
		})
	}
}

// TestPolicyPaths: what the policy adds is protected, what it exempts is free.
func TestPolicyPaths(t *testing.T) {
	f := fixtureOf(t, Dirty)
	run := func(command string, protect, exempt []string) hook.Decision {
		ctx := contextOf(f, command, "")
		ctx.Exempt = exempt
		for _, p := range protect {
			ctx.Protect = append(ctx.Protect, OwnPath{Pattern: p, Decision: hook.Ask})
		}
		return strictest(Paths(ctx))
	}
	for _, c := range []struct {
		command         string
		protect, exempt []string
		want            hook.Decision
	}{
		{"echo x > prod.tfstate", []string{"*.tfstate"}, nil, hook.Ask},
		{"echo x > infra/a/b.tf", []string{"infra/"}, nil, hook.Ask},
		{"echo x > deploy/infra/b.tf", []string{"infra/"}, nil, hook.Ask},
		{"echo x > src/gen/a.py", []string{"src/gen/**"}, nil, hook.Ask},
		{"echo x > src/a.py", []string{"src/gen/**"}, nil, hook.Pass},
		{"echo x > a/b/c/schema.sql", []string{"**/schema.sql"}, nil, hook.Ask},
		{"echo x > ~/notes.txt", []string{"~/notes.txt"}, nil, hook.Ask},
		{"echo x > .env", nil, []string{".env"}, hook.Pass},
		{"echo x > .env.local", nil, []string{".env"}, hook.Deny},
		{"echo x > tests/keys/a.pem", nil, []string{"tests/keys/"}, hook.Pass},
		{"echo x > docs/notes.lnk", nil, []string{"docs/"}, hook.Deny},
		{"echo x > .env", []string{".env"}, nil, hook.Deny}, // a weaker own pattern loosens nothing
		{"cat prod.tfstate", []string{"*.tfstate"}, nil, hook.Pass},
	} {
		if got := run(c.command, c.protect, c.exempt); got != c.want {
			t.Errorf("%s (protect %v, exempt %v): got %v, want %v", c.command, c.protect, c.exempt, got, c.want)
		}
	}
}
