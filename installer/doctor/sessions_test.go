package doctor

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentguard/settings"
)

// hookRecord is one line that the client leaves about a hook.
func hookRecord(kind, command string, more map[string]any) string {
	a := map[string]any{"type": kind, "hookEvent": "PreToolUse", "hookName": "PreToolUse:Bash", "command": command}
	maps.Copy(a, more)
	data, _ := json.Marshal(map[string]any{"type": "attachment", "attachment": a})
	return string(data) + "\n"
}

func TestSessions(t *testing.T) {
	const command = "true guard"
	settingsText := `{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "true guard" } ] } ] } }` + "\n"
	deny := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{name: "all well", lines: slices.Repeat([]string{hookRecord("hook_success", command, map[string]any{"stdout": deny + "\n", "durationMs": 20})}, 20)},
		{name: "plain text that is no answer", lines: []string{hookRecord("hook_success", command, map[string]any{"stdout": "checked {3} files\n"})}},
		{name: "fails each time", want: "error-flood", lines: slices.Repeat([]string{hookRecord("hook_non_blocking_error", command, map[string]any{"exitCode": 127, "stderr": "not found"})}, 6)},
		{name: "an answer lost", want: "stdout-mixed", lines: []string{hookRecord("hook_success", command, map[string]any{"stdout": "hello\n" + deny + "\n"})}},
		{name: "cut off", want: "timeout-short", lines: []string{hookRecord("hook_cancelled", command, nil)}},
		{name: "slow", want: "slow-start", lines: slices.Repeat([]string{hookRecord("hook_success", command, map[string]any{"durationMs": 5200})}, 6)},
		{name: "refused stops", want: "stop-latch-only", lines: slices.Repeat([]string{hookRecord("hook_blocking_error", command, map[string]any{"hookEvent": "Stop"})}, 12)},
		{name: "of an entry that is gone", lines: slices.Repeat([]string{hookRecord("hook_non_blocking_error", "other", nil)}, 12)},
		{name: "garbage", lines: []string{"\"hook_\n", "{\"attachment\":[\"hook_\"]}\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pl := newPlace(t)
			pl.write("project/.claude/settings.json", settingsText)
			p := pl.patient()
			p.ClientVersion = settings.Version{2, 1, 332}
			p.defaults()
			slug, _ := filepath.Rel(filepath.Join(pl.home, ".claude", "projects"), p.transcripts())
			pl.write("home/.claude/projects/"+slug+"/a.jsonl", strings.Join(tt.lines, ""))
			got := kinds(Run(t.Context(), p, Options{}), Warning)
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			if !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

func TestJudgeHistory(t *testing.T) {
	pl := newPlace(t)
	p := pl.patient()
	p.defaults()
	slug, _ := filepath.Rel(filepath.Join(pl.home, ".claude", "projects"), p.transcripts())
	for i := range 12 {
		line := `{"type":"user","message":{"role":"user","content":"You are a judge. Read the text and answer with one word."}}` + "\n"
		pl.write(fmt.Sprintf("home/.claude/projects/%s/%d.jsonl", slug, i), line)
	}
	if got := kinds(Run(t.Context(), p, Options{}), Warning); !slices.Equal(got, []string{"judge-history"}) {
		t.Errorf("found %q", got)
	}
}

func TestLive(t *testing.T) {
	pl := newPlace(t)
	// A stop guard that asks a client for its opinion; without heed for the
	// variable of the judge it nests.
	nests := `#!/bin/sh
in=$(head -n 1)
case $in in
  *'rm -rf /'*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}' ;;
  *'"Stop"'*) claude -p 'done?' >/dev/null ;;
esac
exit 0
`
	stops := strings.Replace(nests, "in=$(head", "[ -n \"$AGENTGUARD_JUDGE_ACTIVE\" ] && exit 0\nin=$(head", 1)
	stops = strings.Replace(stops, "claude -p", "AGENTGUARD_JUDGE_ACTIVE=1 claude -p", 1)
	for _, tt := range []struct {
		name, program string
		nested        bool
	}{{"nests", nests, true}, {"stands aside", stops, false}} {
		t.Run(tt.name, func(t *testing.T) {
			pl.write("home/.local/bin/agentguard-hook", tt.program)
			pl.write("project/.claude/settings.json", ownSettings("{{HOME}}/.local/bin/agentguard-hook"))
			report := Run(t.Context(), pl.patient(), Options{Live: true})
			got := slices.Contains(kinds(report, Error), "recursion-llm-cli")
			if got != tt.nested {
				t.Errorf("nesting found: %v, want %v: %+v", got, tt.nested, report.Findings())
			}
		})
	}
	t.Run("shells are heard", func(t *testing.T) {
		pl.write("home/.bashrc", "echo from-the-rc-file\n")
		report := Run(t.Context(), pl.patient(), Options{Live: true})
		found := false
		for _, f := range report.Findings() {
			found = found || f.Kind == "stdout-noise-rc" && f.Severity == Info && strings.HasSuffix(f.File, ".bashrc") && f.Line == 1
		}
		if !found {
			t.Errorf("the noise was not heard: %+v", report.Findings())
		}
	})
}
