package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// standIn answers as the real program does: a refusal for rm -rf /, nothing else.
const standIn = `#!/bin/sh
in=$(head -n 1)
case $in in
  *'rm -rf /'*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[dangerous-command] no"}}' ;;
esac
exit 0
`

// place is a scratch home and project for a test.
type place struct {
	t             *testing.T
	home, project string
	env           []string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	top := t.TempDir()
	pl := &place{t: t, home: filepath.Join(top, "home"), project: filepath.Join(top, "project")}
	for _, dir := range []string{pl.home, pl.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pl.env = []string{"HOME=" + pl.home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	return pl
}

// write puts a file under home/ or project/; scripts are executable.
func (pl *place) write(name, text string) {
	pl.t.Helper()
	path := filepath.Join(filepath.Dir(pl.home), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		pl.t.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	text = strings.NewReplacer("{{HOME}}", pl.home, "{{PROJECT}}", pl.project).Replace(text)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		pl.t.Fatal(err)
	}
}

func (pl *place) patient() *Patient {
	return &Patient{
		ProjectDir: pl.project, Home: pl.home, StateDir: filepath.Join(pl.home, ".local", "state", "agentguard"), OS: "linux",
		Environ: pl.env, ManagedDir: filepath.Join(pl.home, "managed"), Now: time.Unix(1_800_000_000, 0),
	}
}

func kinds(r Report, from Severity) []string {
	var out []string
	for _, f := range r.Findings() {
		if f.Severity >= from {
			out = append(out, f.Kind)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func ownSettings(command string) string {
	entry := func(matcher string) string {
		return `[ { ` + matcher + `"hooks": [ { "type": "command", "command": ` + quoteJSON(command) + `, "args": [], "timeout": 15, "agentguard": 1 } ] } ]`
	}
	return `{
  "hooks": {
    "PreToolUse": ` + entry(`"matcher": "*", `) + `,
    "Stop": ` + entry("") + `
  }
}
`
}

func TestOwnEntries(t *testing.T) {
	shell := func(command string) string { return strings.ReplaceAll(ownSettings(command), `"args": [], `, "") }
	tests := []struct {
		name    string
		set     func(pl *place)
		want    []string
		healthy bool
	}{
		{name: "set up and alive", healthy: true, set: func(*place) {}},
		{name: "a comment in the settings", want: []string{"settings-invalid-json"}, set: func(pl *place) {
			pl.write("project/.claude/settings.json", strings.Replace(ownSettings("{{HOME}}/.local/bin/agentguard-hook"), "{\n", "{\n  // guards\n", 1))
		}},
		{name: "an entry taken out", want: []string{"settings-lost-update"}, set: func(pl *place) {
			text := ownSettings("{{HOME}}/.local/bin/agentguard-hook")
			pl.write("project/.claude/settings.json", strings.Replace(text, `"PreToolUse"`, `"PostToolUse"`, 1))
		}},
		{name: "the program moved", want: []string{"hook-target-missing"}, set: func(pl *place) {
			if err := os.Remove(filepath.Join(pl.home, ".local/bin/agentguard-hook")); err != nil {
				pl.t.Fatal(err)
			}
		}},
		{name: "hooks switched off locally", want: []string{"hooks-disabled"}, set: func(pl *place) {
			pl.write("project/.claude/settings.local.json", "{ \"disableAllHooks\": true }\n")
		}},
		{name: "an echo before the program", want: []string{"stdout-mixed"}, set: func(pl *place) {
			pl.write("project/.claude/settings.json", shell("echo starting; {{HOME}}/.local/bin/agentguard-hook"))
		}},
		{name: "a start-up file prints", want: []string{"stdout-noise-rc"}, set: func(pl *place) {
			pl.write("home/.profile", "echo hello\n")
			pl.write("project/.claude/settings.json", shell("bash -lc {{HOME}}/.local/bin/agentguard-hook"))
		}},
		{name: "refuses everything", want: []string{"guard-blocks-all"}, set: func(pl *place) {
			pl.write("home/.local/bin/agentguard-hook", "#!/bin/sh\nexit 2\n")
		}},
		{name: "refuses nothing", want: []string{"guard-not-live"}, set: func(pl *place) {
			pl.write("home/.local/bin/agentguard-hook", "#!/bin/sh\nexit 0\n")
		}},
		{name: "waits for the end of stdin", want: []string{"stdin-never-closes"}, set: func(pl *place) {
			pl.write("home/.local/bin/agentguard-hook", strings.Replace(standIn, "head -n 1", "cat", 1))
		}},
		{name: "loops at a stop", want: []string{"stop-loop-unguarded"}, set: func(pl *place) {
			pl.write("home/.local/bin/agentguard-hook", strings.Replace(standIn, "  *'rm -rf /'", "  *'\"Stop\"'*) echo '{\"decision\":\"block\",\"reason\":\"x\"}' ;;\n  *'rm -rf /'", 1))
		}},
		{name: "switched off in the environment", want: []string{"guard-off"}, set: func(pl *place) {
			pl.env = append(pl.env, "AGENTGUARD_OFF=1")
		}},
		{name: "hooks off in the environment", want: []string{"hooks-disabled"}, set: func(pl *place) {
			pl.env = append(pl.env, "CLAUDE_CODE_SIMPLE=1")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pl := newPlace(t)
			pl.write("home/.local/bin/agentguard-hook", standIn)
			pl.write("project/.claude/settings.json", ownSettings("{{HOME}}/.local/bin/agentguard-hook"))
			tt.set(pl)
			report := Run(t.Context(), pl.patient(), Options{})
			got := slices.DeleteFunc(kinds(report, Warning), func(kind string) bool {
				return kind == "program-foreign" // the stand-in is a script
			})
			for _, want := range tt.want {
				if !slices.Contains(got, want) {
					t.Errorf("found %q, want %q among them; report: %+v", got, want, report.Findings())
				}
			}
			if len(tt.want) == 0 && len(got) > 0 {
				t.Errorf("found %q in a healthy place: %+v", got, report.Findings())
			}
			if tt.healthy != (len(report.Proven()) > 0) {
				t.Errorf("proven: %+v, want some: %v", report.Proven(), tt.healthy)
			}
			if _, err := os.Stat(filepath.Join(pl.home, ".local", "state")); err == nil {
				t.Error("the doctor left something in the state folder")
			}
		})
	}
}
