// Package claude is Claude Code's hook contract: its events, its answers and its
// transcript lines, as observed on client 2.1.332.
package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentguard/hook"
	"agentguard/settings"
)

// Client reads and writes Claude Code's hook protocol.
type Client struct{}

// Name returns "claude".
func (Client) Name() string { return "claude" }

// ErrNoEvent tells input that is JSON but no hook event.
var ErrNoEvent = errors.New("the input names no hook_event_name")

// MaxNesting bounds the nesting of an event. encoding/json has a limit of its
// own (10,000); ours keeps the stack small.
const MaxNesting = 500

// members are the top-level members of an event. They are taken one by one: what
// has an unexpected type does not hide the others, and encoding/json has no struct
// to study first, which took longer than the whole decoding does.
type members map[string]json.RawMessage

// into decodes a member into v, which stays as it is where the member is missing
// or has another type.
func (m members) into(name string, v any) {
	if raw, ok := m[name]; ok {
		_ = json.Unmarshal(raw, v) //nolint:errcheck // see above
	}
}

func (m members) text(name string) string {
	var s string
	m.into(name, &s)
	return s
}

func (m members) bool(name string) bool {
	var b bool
	m.into(name, &b)
	return b
}

// Decode reads one event. A field of an unexpected type is left at its zero
// value and the others still count, so that a newer client cannot blind a gate;
// input that is no object, is nested deeper than MaxNesting or names no event is
// an error, and so is a gate's event that cannot be judged. Beside an error stands
// what was understood, with the name of the gate that it may be.
func (Client) Decode(stdin []byte, getenv func(string) string) (hook.Event, error) {
	stdin = bytes.TrimPrefix(stdin, []byte("\xef\xbb\xbf"))
	if depth(stdin) > MaxNesting {
		return unread(stdin, getenv), fmt.Errorf("the input is nested deeper than %d", MaxNesting)
	}
	var m members
	one := stdin
	if json.Unmarshal(stdin, &m) != nil {
		// Something may follow the object. Only a gate minds.
		m = nil
		first := json.NewDecoder(bytes.NewReader(stdin))
		if err := first.Decode(&m); err != nil {
			return unread(stdin, getenv), fmt.Errorf("the input is not one JSON object: %w", err)
		}
		one = stdin[:first.InputOffset()]
	}
	if m == nil {
		return hook.Event{}, ErrNoEvent // null
	}
	ev := hook.Event{
		Client: "claude", Name: hook.EventName(m.text("hook_event_name")),
		SessionID: m.text("session_id"), PromptID: m.text("prompt_id"), TranscriptPath: m.text("transcript_path"),
		CWD: m.text("cwd"), ProjectDir: getenv("CLAUDE_PROJECT_DIR"), PermissionMode: m.text("permission_mode"),
		AgentID: m.text("agent_id"), AgentType: m.text("agent_type"), AgentTranscriptPath: m.text("agent_transcript_path"),
		Prompt: m.text("prompt"), Source: m.text("source"), Trigger: m.text("trigger"), File: m.text("file_path"),
		Message: m.text("message"), Fields: m,
	}
	if ev.Message == "" {
		ev.Message = m.text("compact_summary")
	}
	if ev.ProjectDir == "" {
		ev.ProjectDir = ev.CWD
	}
	if name := m.text("tool_name"); name != "" {
		ev.Tool = m.tool(name)
	}
	switch ev.Name {
	default:
	case hook.Stop, hook.SubagentStop, hook.StopFailure, hook.TaskCompleted, hook.TaskCreated, hook.TeammateIdle:
		ev.Stop = &hook.End{
			HookActive: m.bool("stop_hook_active"), LastMessage: m.text("last_assistant_message"),
			TaskID: m.text("task_id"), TaskSubject: m.text("task_subject"),
		}
		m.into("background_tasks", &ev.Stop.Tasks)
	}
	return ev, m.check(one, stdin[len(one):], &ev)
}

// check tells why a decoded event does not count, and names the gate where it is
// the event of one, or may be. rest is what follows the object.
func (m members) check(one, rest []byte, ev *hook.Event) error {
	name := string(ev.Name)
	if len(rest) > 0 {
		if other := EventName(rest); isGate(other) {
			ev.Name = other
		}
	}
	switch gate, near := nearGate(string(ev.Name)); {
	case near && len(rest) > 0:
		ev.Name = gate
		return errors.New("something follows the object")
	case near && gate != ev.Name:
		ev.Name = gate
		return fmt.Errorf("the event's name is nearly %s", gate)
	case near:
		return m.understood(one, ev)
	case settings.KnownEvent(name):
		// Of two names the last one was read.
		if bytes.Count(one, []byte(`"hook_event_name"`)) > 1 {
			if err := eachOnce(one); err != nil {
				ev.Name = EventName(one)
				return err
			}
		}
		return nil
	case m.aboutToRun(ev.Tool):
		ev.Name = hook.PreToolUse
		return errors.New("a tool's call that is to run comes under an event's name that is not known")
	case name == "":
		return ErrNoEvent
	}
	return nil
}

// aboutToRun tells what may be a call that has not ended yet: of a tool that we
// know, or that we cannot tell.
func (m members) aboutToRun(tool *hook.Tool) bool {
	for _, after := range [...]string{"tool_response", "error", "duration_ms", "tool_calls"} {
		if _, ok := m[after]; ok {
			return false
		}
	}
	_, named := m["tool_name"]
	_, input := m["tool_input"]
	if tool == nil || m.text("hook_event_name") == "" {
		return named || input
	}
	name, err := knownTool(tool.Name)
	for i := range tools {
		if err != nil || name == tools[i].name {
			return true
		}
	}
	return false
}

// unread is what can be said of input that does not decode.
func unread(stdin []byte, getenv func(string) string) hook.Event {
	ev := hook.Event{Client: "claude", Name: EventName(stdin), ProjectDir: getenv("CLAUDE_PROJECT_DIR")}
	if bytes.Contains(bytes.ReplaceAll(stdin, []byte{0}, nil), []byte(`"bypassPermissions"`)) {
		ev.PermissionMode = "bypassPermissions" // some client lines approve a question there
	}
	return ev
}

func (m members) tool(name string) *hook.Tool {
	var ms float64
	m.into("duration_ms", &ms)
	return &hook.Tool{
		Name: name, UseID: m.text("tool_use_id"), Input: m["tool_input"], Response: m["tool_response"],
		Error: m.text("error"), Interrupted: m.bool("is_interrupt"),
		Duration: time.Duration(ms * float64(time.Millisecond)),
	}
}

// depth returns how deep objects and arrays nest, strings set apart.
func depth(b []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}
