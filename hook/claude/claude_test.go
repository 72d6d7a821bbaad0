package claude_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/hook"
	"agentguard/hook/claude"
	"agentguard/hook/hooktest"
	"agentguard/hook/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestConformance(t *testing.T) {
	hooktest.Run(t, hooktest.Suite{Client: claude.Client{}, Samples: "testdata/events", HasAsk: true})
}

func decode(t *testing.T, in string) hook.Event {
	t.Helper()
	ev, err := claude.Client{}.Decode([]byte(in), func(name string) string {
		return map[string]string{"CLAUDE_PROJECT_DIR": "/repo"}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func TestDecode(t *testing.T) {
	raw, err := os.ReadFile("testdata/events/Stop.background-task.json")
	if err != nil {
		t.Fatal(err)
	}
	ev := decode(t, string(raw))
	if ev.Stop == nil || len(ev.Stop.Tasks) != 1 || ev.Stop.Tasks[0].Type != "shell" || ev.Stop.Tasks[0].Command == "" {
		t.Errorf("background tasks: %+v", ev.Stop)
	}
	if ev.ProjectDir != "/repo" {
		t.Errorf("project folder %q", ev.ProjectDir)
	}
	ev = decode(t, "\xef\xbb\xbf"+`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":"Exit code 3\nhi","duration_ms":237.5,"is_interrupt":true}`+"\n")
	if ev.Tool.Error != "Exit code 3\nhi" || ev.Tool.Duration.Microseconds() != 237500 || !ev.Tool.Interrupted {
		t.Errorf("failure: %+v", ev.Tool)
	}
	ev = decode(t, `{"hook_event_name":"PostToolUse","cwd":5,"tool_name":"Bash","tool_input":{"command":"ls"},"duration_ms":"long"} {"hook_event_name":"Stop"}`)
	if ev.Name != hook.PostToolUse || ev.CWD != "" || ev.Tool.Name != "Bash" || string(ev.Tool.Input) != `{"command":"ls"}` || ev.Tool.Duration != 0 {
		t.Errorf("members of another type, and a second object behind: %+v, %+v", ev, ev.Tool)
	}
}

func TestEventName(t *testing.T) {
	for in, want := range map[string]hook.EventName{
		`{"hook_event_name": "PreToolUse", "tool_input": {`: "PreToolUse",
		`{"a":1,"hook_event_name":"Stop"`:                   "Stop",
		`hello`:                                             "",
		`"hook_event_name": 7`:                              "",
		``:                                                  "",
	} {
		if got := claude.EventName([]byte(in)); got != want {
			t.Errorf("EventName(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestEncode holds the encoder to the byte: a client drops an answer whose shape
// is only nearly right, without a word.
func TestEncode(t *testing.T) {
	deny := hook.Outcome{Decision: hook.Deny, Check: "dangerous-command", Reason: "this removes <everything> & more"}
	ask := deny
	ask.Decision = hook.Ask
	halt := deny
	halt.Halt = "stopped by a rule"
	rewrite := hook.Outcome{Rewrite: json.RawMessage(`{"command":"git push --force-with-lease"}`), Context: []string{"rewritten"}}
	withContext := deny
	withContext.Context, withContext.Notices = []string{"one", "two"}, []string{"for you"}
	cases := []struct {
		name string
		ev   hook.EventName
		mode string
		out  hook.Outcome
	}{
		{"pre deny", hook.PreToolUse, "", deny},
		{"pre ask", hook.PreToolUse, "", ask},
		{"pre ask in bypass mode", hook.PreToolUse, "bypassPermissions", ask},
		{"pre halt", hook.PreToolUse, "", halt},
		{"pre rewrite", hook.PreToolUse, "", rewrite},
		{"pre context", hook.PreToolUse, "", hook.Outcome{Context: []string{"note"}}},
		{"pre deny with context and notice", hook.PreToolUse, "", withContext},
		{"pre notice", hook.PreToolUse, "", hook.Outcome{Notices: []string{"a", "b"}}},
		{"pre pass", hook.PreToolUse, "", hook.Outcome{}},
		{"skill shell rewrite is dropped", hook.PreSkillShellCommand, "", rewrite},
		{"permission deny", hook.PermissionRequest, "", deny},
		{"permission ask", hook.PermissionRequest, "", ask},
		{"permission allow", hook.PermissionRequest, "", hook.Outcome{Decision: hook.Allow}},
		{"stop block", hook.Stop, "", deny},
		{"stop ask blocks", hook.Stop, "", ask},
		{"stop context alone says nothing", hook.Stop, "", hook.Outcome{Context: []string{"note"}}},
		{"stop notice", hook.Stop, "", hook.Outcome{Notices: []string{"still open"}}},
		{"subagent stop block", hook.SubagentStop, "", deny},
		{"task completed block", hook.TaskCompleted, "", deny},
		{"config change block", hook.ConfigChange, "", deny},
		{"prompt context", hook.UserPromptSubmit, "", hook.Outcome{Context: []string{"branch main"}}},
		{"session start context and notice", hook.SessionStart, "", hook.Outcome{Context: []string{"c"}, Notices: []string{"guards on"}}},
		{"post context", hook.PostToolUse, "", hook.Outcome{Context: []string{"lint: 2 findings"}}},
		{"post cannot refuse", hook.PostToolUse, "", deny},
		{"session end cannot refuse", hook.SessionEnd, "", deny},
		{"worktree text", hook.WorktreeCreate, "", hook.Outcome{Text: "/repo/wt"}},
	}
	var b strings.Builder
	for _, c := range cases {
		out := claude.Client{}.Encode(hook.Event{Name: c.ev, PermissionMode: c.mode}, c.out)
		b.WriteString("# " + c.name + "\n" + string(out))
	}
	golden := filepath.Join("testdata", "encode.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-golden +got)\n%s", diff)
	}
}

func TestReasonIsCut(t *testing.T) {
	got := claude.Reason(hook.Outcome{Decision: hook.Deny, Check: "x", Reason: strings.Repeat("é", 5000)})
	if len(got) > 2048 || !strings.HasPrefix(got, "[x] é") || !strings.HasSuffix(got, "é …") {
		t.Errorf("%d bytes, %q … %q", len(got), got[:6], got[len(got)-6:])
	}
}

func TestHistory(t *testing.T) {
	h, err := claude.Client{}.History("testdata/transcripts/session.jsonl", false, transcript.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Turns) != 1 || !h.Complete {
		t.Fatalf("%d turns, complete %v; hook feedback is no turn", len(h.Turns), h.Complete)
	}
	turn := h.Current()
	if turn.User != "do it" || len(turn.Calls) != 1 {
		t.Fatalf("user %q, %d calls", turn.User, len(turn.Calls))
	}
	call := turn.Calls[0]
	if call.Tool != "Bash" || !call.Failed || call.Output != "Exit code 1" || string(call.Input) != `{"command": "false"}` || call.Time.IsZero() {
		t.Errorf("call %+v", call)
	}
	var texts []string
	for _, x := range turn.Texts {
		texts = append(texts, x.Text)
	}
	want := []string{"Hmm", "I will commit now A.", "I will commit now B.", "I will commit now C."}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
	if turn.Texts[0].AfterCalls != 0 || turn.Texts[1].AfterCalls != 1 {
		t.Errorf("texts stand after %d and %d calls", turn.Texts[0].AfterCalls, turn.Texts[1].AfterCalls)
	}
}

// TestBackgroundHistory reads what the client wrote of two commands in the
// background: one that was started there, and whose end began a turn of the
// client, and one that it moved there, whose end came in the middle of a turn.
func TestBackgroundHistory(t *testing.T) {
	h, err := claude.Client{}.History("testdata/transcripts/background.jsonl", false, transcript.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Turns) != 2 {
		t.Fatalf("%d turns; the client's notice is no message of the user", len(h.Turns))
	}
	for i, want := range []struct {
		task       string
		calls      int
		afterCalls int
		last       string
	}{
		{"b0000flag", 1, 1, "It ended."},
		{"b0000auto", 4, 3, "It ended."},
	} {
		turn := h.Turns[i]
		if len(turn.Calls) != want.calls || len(turn.Notices) != 1 || turn.LastMessage() != want.last {
			t.Fatalf("turn %d: %d calls, notices %+v, last %q", i, len(turn.Calls), turn.Notices, turn.LastMessage())
		}
		if c := turn.Calls[0]; !c.Background || c.Task != want.task || c.Dir != "/home/dev/proj" {
			t.Errorf("turn %d: call %+v", i, c)
		}
		n := turn.Notices[0]
		if n.AfterCalls != want.afterCalls || n.Time.IsZero() || !strings.Contains(n.Text, "<task-id>"+want.task+"</task-id>") {
			t.Errorf("turn %d: notice %+v", i, n)
		}
	}
}

func TestSubagent(t *testing.T) {
	dir := t.TempDir()
	session := filepath.Join(dir, "s.jsonl")
	write := func(parts ...string) string {
		path := filepath.Join(append([]string{dir}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inside, beside := write("s", "subagents", "agent-a1.jsonl"), write("agent-a2.jsonl")
	write("agent-a1.jsonl")
	write("out.jsonl")
	write("s", "subagents", "agent-", "x.jsonl")
	if err := os.Symlink(filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "s", "subagents", "agent-link.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, session, id, want string }{
		{"in the session's folder", session, "a1", inside},
		{"beside the session, as older clients had it", session, "a2", beside},
		{"of another subagent", inside, "a1", inside},
		{"missing", session, "a3", ""},
		{"no session", "", "a1", ""},
		{"no id", session, "", ""},
		{"an id that leads out", session, "/../../../out", ""},
		{"an id with a folder", session, "/x", ""},
		{"a link", session, "link", ""},
	} {
		if got := (claude.Client{}).Subagent(c.session, c.id); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("testdata/events/*.json")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		ev, err := claude.Client{}.Decode(in, func(string) string { return "" })
		if err != nil {
			return
		}
		if ev.Name == "" {
			t.Error("an event without a name and without an error")
		}
		if out := (claude.Client{}).Encode(ev, hook.Outcome{}); out != nil {
			t.Errorf("nothing to say became %q", out)
		}
	})
}
