package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings"
)

// hook is a settings file with one entry per "Event command" word pair.
func hook(pairs ...string) string {
	var events []string
	for _, pair := range pairs {
		event, command, _ := strings.Cut(pair, " ")
		events = append(events, `"`+event+`": [{"hooks": [{"type": "command", "command": "`+command+`"}]}]`)
	}
	return `"hooks": {` + strings.Join(events, ", ") + `}`
}

func TestEffective(t *testing.T) {
	type files map[string]string
	const current, older = "2.1.332", "2.1.197"
	tests := []struct {
		name    string
		files   files
		world   func(*settings.World)
		version string
		// want is "source command" for entries in force, "source command: reason" for others.
		want []string
	}{
		{
			name: "all layers are merged",
			files: files{
				"root/etc/claude-code/managed-settings.json":          "{" + hook("Stop m") + "}",
				"root/etc/claude-code/managed-settings.d/10-a.json":   "{" + hook("Stop d1") + "}",
				"root/etc/claude-code/managed-settings.d/20-b.json":   "{" + hook("Stop d2") + "}",
				"root/etc/claude-code/managed-settings.d/.swp.json":   "{" + hook("Stop no") + "}",
				"root/etc/claude-code/managed-settings.d/readme.text": "x",
				"proj/.claude/settings.json":                          "{" + hook("Stop p") + "}",
				"proj/.claude/settings.local.json":                    "{" + hook("Stop l") + "}",
				"home/.claude/settings.json":                          "{" + hook("Stop u") + "}",
			},
			world: func(w *settings.World) { w.Settings = "{" + hook("Stop f") + "}" },
			want:  []string{"managed m", "managed d1", "managed d2", "flag f", "local l", "project p", "user u"},
		},
		{
			name:  "--settings names a file",
			files: files{"proj/my.json": "{" + hook("Stop f") + "}"},
			world: func(w *settings.World) { w.Settings = "my.json" },
			want:  []string{"flag f"},
		},
		{
			name:  "another folder of the person",
			files: files{"home/.claude/settings.json": "{" + hook("Stop old") + "}", "conf/settings.json": "{" + hook("Stop new") + "}"},
			world: func(w *settings.World) { w.ConfigDir = filepath.Join(filepath.Dir(w.Home), "conf") },
			want:  []string{"user new"},
		},
		{
			name:  "started in the home folder",
			files: files{"home/.claude/settings.json": "{" + hook("Stop u") + "}"},
			world: func(w *settings.World) { w.Dir = w.Home },
			want:  []string{"user u"},
		},
		{
			name: "disableAllHooks of the user",
			files: files{
				"root/etc/claude-code/managed-settings.json": "{" + hook("Stop m") + "}",
				"proj/.claude/settings.json":                 "{" + hook("Stop p") + "}",
				"home/.claude/settings.json":                 `{"disableAllHooks": true}`,
			},
			want: []string{"managed m", "project p: settings.json:1"},
		},
		{
			name: "the more local value wins",
			files: files{
				"proj/.claude/settings.json":       `{"disableAllHooks": true, ` + hook("Stop p") + "}",
				"proj/.claude/settings.local.json": `{"disableAllHooks": false}`,
			},
			want: []string{"project p"},
		},
		{
			name: "a dropped file cannot disable",
			files: files{
				"proj/.claude/settings.json":       "{" + hook("Stop p") + "}",
				"proj/.claude/settings.local.json": `{"disableAllHooks": true,}`,
			},
			want: []string{"project p"},
		},
		{
			name: "managed disableAllHooks",
			files: files{
				"root/etc/claude-code/managed-settings.json": `{"disableAllHooks": true, ` + hook("Stop m") + "}",
				"home/.claude/settings.json":                 "{" + hook("Stop u") + "}",
			},
			want: []string{"managed m: disableAllHooks", "user u: disableAllHooks"},
		},
		{
			name: "managed hooks only",
			files: files{
				"root/etc/claude-code/managed-settings.json": `{"allowManagedHooksOnly": true, ` + hook("Stop m") + "}",
				"home/.claude/settings.json":                 "{" + hook("Stop u") + "}",
			},
			want: []string{"managed m", "user u: allowManagedHooksOnly"},
		},
		{
			name:  "allowManagedHooksOnly of a project has no effect",
			files: files{"proj/.claude/settings.json": `{"allowManagedHooksOnly": true, ` + hook("Stop p") + "}"},
			want:  []string{"project p"},
		},
		{
			name: "--setting-sources user",
			files: files{
				"root/etc/claude-code/managed-settings.json": "{" + hook("Stop m") + "}",
				"proj/.claude/settings.json":                 `{"disableAllHooks": true, ` + hook("Stop p") + "}",
				"home/.claude/settings.json":                 "{" + hook("Stop u") + "}",
			},
			world: func(w *settings.World) { w.Sources = []settings.Source{settings.SourceUser} },
			want:  []string{"managed m", "project p: --setting-sources", "user u"},
		},
		{
			name: "bare by variable",
			files: files{
				"root/etc/claude-code/managed-settings.json": "{" + hook("Stop m") + "}",
				"home/.claude/settings.json":                 "{" + hook("Stop u") + "}",
			},
			world: func(w *settings.World) {
				w.Getenv = func(name string) string { return map[string]string{"CLAUDE_CODE_SIMPLE": "1"}[name] }
			},
			want: []string{"managed m", "user u: bare"},
		},
		{
			name:  "a comment drops the file",
			files: files{"proj/.claude/settings.json": "{\n// x\n" + hook("Stop p") + "}"},
			want:  []string{"project p: 2:1: comment"},
		},
		{
			name:    "a bad entry drops itself",
			files:   files{"proj/.claude/settings.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bad", "timeout": 0}, {"type": "command", "command": "good"}]}]}}`},
			version: current,
			want:    []string{"project bad: timeout", "project good"},
		},
		{
			name:    "and an old client the whole file",
			files:   files{"proj/.claude/settings.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bad", "timeout": 0}, {"type": "command", "command": "good"}]}]}}`},
			version: older,
			want:    []string{"project bad: drops the whole file", "project good: drops the whole file"},
		},
		{
			name:  "keys that never act",
			files: files{"proj/.claude/settings.json": `{"hooks": {"OnStop": [{"hooks": [{"type": "command", "command": "a"}]}], "Stop": [{"hooks": [{"type": "command", "command": "b", "if": "Bash(git *)"}]}], "PreToolUse": [{"hooks": [{"type": "command", "command": "c", "if": "Bash(git *)"}]}]}}`},
			want:  []string{"project a: no event", "project b: never run", "project c"},
		},
		{
			name: "equal commands run once, the more local one",
			files: files{
				"proj/.claude/settings.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 5}]}, {"matcher": "ignored", "hooks": [{"type": "command", "command": "x"}]}]}}`,
				"home/.claude/settings.json": "{" + hook("Stop x", "SessionStart x", "SubagentStop x ") + "}",
			},
			want: []string{"project x", "project x: once", "user x: once", "user x", "user x "},
		},
		{
			name: "exec form and shell form are two",
			files: files{
				"proj/.claude/settings.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}, {"type": "command", "command": "x", "args": []}]}]}}`,
			},
			want: []string{"project x", "project x"},
		},
		{
			name: "plugins",
			files: files{
				"home/.claude/plugins/installed_plugins.json": `{"version": 2, "plugins": {
					"lost@gone": [{"installPath": "BASE/cache/off"}], "on@m": [{"scope": "user", "installPath": "BASE/cache/on"}], "off@m": [{"installPath": "BASE/cache/off"}],
					"unnamed@m": [{"installPath": "BASE/cache/off"}], "here@m": [{"installPath": "BASE/cache/here", "projectPath": "BASE/proj"}],
					"there@m": [{"installPath": "BASE/cache/off", "projectPath": "BASE/other"}], "old@m": {"installPath": "BASE/cache/old"}}}`,
				"home/.claude/settings.json":                   `{"enabledPlugins": {"lost@gone": true, "on@m": true, "off@m": true, "here@m": true, "there@m": true, "old@m": true}}`,
				"proj/.claude/settings.local.json":             `{"enabledPlugins": {"off@m": false}}`,
				"home/.claude/plugins/known_marketplaces.json": `{"m": {}}`,
				"cache/on/hooks/hooks.json":                    `{"description": "x", ` + hook("Stop on") + "}",
				"cache/off/hooks/hooks.json":                   "{" + hook("Stop off") + "}",
				"cache/here/.claude-plugin/plugin.json":        `{"name": "here", "hooks": "./more.json"}`,
				"cache/here/more.json":                         "{" + hook("Stop here") + "}",
				"cache/old/.claude-plugin/plugin.json":         `{"name": "old", ` + hook("Stop old") + "}",
				"cache/here/hooks/hooks.json":                  "{" + hook("Stop both") + "}",
				"cache/elsewhere/unused/hooks/hooks.json":      "{" + hook("Stop no") + "}",
			},
			want: []string{"plugin off: marketplace gone", "plugin on", "plugin both", "plugin here", "plugin old"},
		},
		{
			name: "local settings of the main checkout count in a worktree",
			files: files{
				"main/.claude/settings.json":       "{" + hook("Stop p") + "}",
				"main/.claude/settings.local.json": "{" + hook("Stop l") + "}",
				"main/.git/worktrees/w/HEAD":       "x",
				"proj/.git":                        "gitdir: BASE/main/.git/worktrees/w\n",
			},
			version: current,
			want:    []string{"local l"},
		},
		{
			name: "but not for an old client",
			files: files{
				"main/.claude/settings.local.json": "{" + hook("Stop l") + "}",
				"main/.git/worktrees/w/HEAD":       "x",
				"proj/.git":                        "gitdir: ../main/.git/worktrees/w\n",
			},
			version: older,
		},
		{
			name: "a sub-folder has the local settings of the top, and no others",
			files: files{
				"main/.git/HEAD":                      "x",
				"main/.claude/settings.json":          "{" + hook("Stop p") + "}",
				"main/.claude/settings.local.json":    "{" + hook("Stop l") + "}",
				"main/a/b/.claude/settings.json":      "{" + hook("Stop own") + "}",
				"main/a/.claude/settings.local.json":  "{" + hook("Stop no") + "}",
				"home/.claude/plugins/something.json": "x",
			},
			world:   func(w *settings.World) { w.Dir = filepath.Join(filepath.Dir(w.Home), "main", "a", "b") },
			version: current,
			want:    []string{"local l", "project own"},
		},
		{
			name: "managed false beats the user's true",
			files: files{
				"root/etc/claude-code/managed-settings.json": `{"disableAllHooks": false}`,
				"home/.claude/settings.json":                 `{"disableAllHooks": true, ` + hook("Stop u") + "}",
			},
			want: []string{"user u"},
		},
		{
			name: "a fault of a managed file takes out its field",
			files: files{
				"root/etc/claude-code/managed-settings.json":        `{"model": 3, ` + hook("Stop m") + "}",
				"root/etc/claude-code/managed-settings.d/only.json": `{"allowManagedHooksOnly": true}`,
				"home/.claude/settings.json":                        "{" + hook("Stop u") + "}",
			},
			want: []string{"managed m", "user u: allowManagedHooksOnly"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base := t.TempDir()
			for path, text := range test.files {
				write(t, filepath.Join(base, path), strings.ReplaceAll(text, "BASE", base))
			}
			for _, dir := range []string{"home", "proj"} {
				if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			w := settings.World{
				Dir: filepath.Join(base, "proj"), Home: filepath.Join(base, "home"), Root: filepath.Join(base, "root"), OS: "linux",
				Version: settings.ParseVersion(test.version),
			}
			if test.world != nil {
				test.world(&w)
			}
			var got []string
			for _, e := range settings.Effective(w).Entries {
				line := string(e.Source) + " " + e.Command
				if !e.InForce() {
					line += ": " + e.Off
				}
				got = append(got, line)
			}
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i := range got {
				head, reason, _ := strings.Cut(test.want[i], ": ")
				gotHead, gotReason, _ := strings.Cut(got[i], ": ")
				if head != gotHead || (reason == "") != (gotReason == "") || !strings.Contains(gotReason, reason) {
					t.Errorf("entry %d: %q, want %q", i, got[i], test.want[i])
				}
			}
		})
	}
}

func TestEffectiveKeepsTheMoreLocalTimeout(t *testing.T) {
	base := t.TempDir()
	write(t, filepath.Join(base, "proj/.claude/settings.json"), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 5}]}]}}`)
	write(t, filepath.Join(base, "home/.claude/settings.json"), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 50}]}]}}`)
	v := settings.Effective(settings.World{Dir: filepath.Join(base, "proj"), Home: filepath.Join(base, "home"), Root: base, OS: "linux"})
	if got := v.Entries; len(got) != 2 || got[0].Seconds != 5 || !got[0].InForce() || got[1].InForce() {
		t.Errorf("got %+v", got)
	}
}

func TestUnread(t *testing.T) {
	base := t.TempDir()
	for path, text := range map[string]string{
		"repo/.git/HEAD":                     "x",
		"repo/.claude/settings.json":         "{" + hook("Stop p") + "}",
		"repo/a/.claude/settings.local.json": "{}",
		"repo/a/b/.claude/hooks.json":        "{" + hook("Stop p") + "}",
		"repo/a/b/.claude/hooks/hooks.json":  `{"version": 1}`,
		"home/.claude/settings.local.json":   "{" + hook("Stop p") + "}",
		".claude/settings.json":              "{}",
	} {
		write(t, filepath.Join(base, path), text)
	}
	v := settings.Effective(settings.World{Dir: filepath.Join(base, "repo/a/b"), Home: filepath.Join(base, "home"), Root: base, OS: "linux"})
	var got []string
	for _, u := range v.Unread {
		rel, _ := filepath.Rel(base, u.Path)
		got = append(got, rel)
	}
	want := []string{"repo/a/.claude/settings.local.json", "repo/.claude/settings.json", "repo/a/b/.claude/hooks.json", "home/.claude/settings.local.json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestABrokenManagedFileStopsTheClient(t *testing.T) {
	for name, src := range map[string]string{
		"comma":    `{"allowManagedHooksOnly": true,}`,
		"bad gate": `{"hooks": {"PreToolUse": [{"hooks": [{"type": "x"}]}]}}`,
	} {
		base := t.TempDir()
		path := filepath.Join(base, "etc/claude-code/managed-settings.json")
		write(t, path, src)
		w := settings.World{Dir: base, Home: filepath.Join(base, "home"), Root: base, OS: "linux", Version: settings.Version{2, 1, 332}}
		if v := settings.Effective(w); !strings.Contains(v.Stopped, path) {
			t.Errorf("%s: Stopped = %q", name, v.Stopped)
		}
		write(t, path, `{"hooks": []}`)
		if v := settings.Effective(w); v.Stopped != "" {
			t.Errorf("a fault elsewhere: Stopped = %q", v.Stopped)
		}
	}
}

func TestManagedDir(t *testing.T) {
	for os, want := range map[string]string{
		"linux": "/etc/claude-code", "darwin": "/Library/Application Support/ClaudeCode", "windows": `C:\Program Files\ClaudeCode`,
	} {
		if got := (settings.World{OS: os}).ManagedDir(); got != want {
			t.Errorf("%s: %q", os, got)
		}
	}
}
