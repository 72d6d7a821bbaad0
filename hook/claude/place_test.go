package claude_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/hook/claude"
)

// TestLinePlace: what a line says of where and when it was written; what it does
// not say stays empty.
func TestLinePlace(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, c := range []struct {
		name, line string
		want       claude.Place
		ok         bool
	}{
		{
			"a call of the session",
			`{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","cwd":"/w","gitBranch":"main","isSidechain":false,"timestamp":"2026-02-03T04:05:06Z","message":{"cwd":"/not/this"}}`,
			claude.Place{Session: "s", ID: "b", Parent: "a", CWD: "/w", Branch: "main", HasBranch: true, Time: at},
			true,
		},
		{
			"outside a repository",
			`{"type":"user","cwd":"/w","gitBranch":"","permissionMode":"plan","parentUuid":null}`,
			claude.Place{CWD: "/w", HasBranch: true, Mode: "plan"},
			true,
		},
		{
			"a subagent's",
			`{"type":"user","agentId":"x1","isSidechain":true,"isCompactSummary":true}`,
			claude.Place{Agent: "x1", Sidechain: true, Summary: true},
			true,
		},
		{
			"the result of an edit",
			`{"type":"user","toolUseResult":{"filePath":"/w/a.go","oldString":"x","originalFile":"x y"}}`,
			claude.Place{Wrote: "/w/a.go", Before: "x y", Existed: true},
			true,
		},
		{
			"the result of a new file",
			`{"type":"user","toolUseResult":{"type":"create","filePath":"/w/a.go","originalFile":null}}`,
			claude.Place{Wrote: "/w/a.go"},
			true,
		},
		{
			"the result of an edit that keeps no original",
			`{"type":"user","toolUseResult":{"filePath":"/w/a.go","originalFile":null}}`,
			claude.Place{},
			true,
		},
		{
			"the result of a subagent",
			`{"type":"user","toolUseResult":{"agentId":"x1","status":"completed"}}`,
			claude.Place{Launched: "x1"},
			true,
		},
		{"a result in words", `{"type":"user","toolUseResult":"Error: Exit code 1"}`, claude.Place{}, true},
		{"a line of an export", `{"type":"user","message":{"content":"x"}}`, claude.Place{}, true},
		{"no object", `["type"]`, claude.Place{}, false},
		{"torn", ``, claude.Place{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := claude.LinePlace([]byte(c.line))
			if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
				t.Errorf("ok %v\n%s", ok, diff)
			}
		})
	}
}

// TestEmbedded: only a subagent's progress with a line of its own is one.
func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		name, line       string
		inner, agent, by string
	}{
		{
			"a subagent's line",
			`{"type":"progress","parentToolUseID":"t1","data":{"type":"agent_progress","agentId":"x","message":{"type":"user"}}}`,
			`{"type":"user"}`, "x", "t1",
		},
		{"a shell's progress", `{"type":"progress","data":{"type":"bash_progress","message":{"type":"user"}}}`, "", "", ""},
		{"words about it", `{"type":"user","message":{"content":"\"agent_progress\""}}`, "", "", ""},
		{"without a line", `{"type":"progress","data":{"type":"agent_progress","message":"x"}}`, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner, agent, by, ok := claude.Embedded([]byte(c.line))
			if string(inner) != c.inner || agent != c.agent || by != c.by || ok != (c.inner != "") {
				t.Errorf("%s, %q, %q, %v", inner, agent, by, ok)
			}
		})
	}
}
