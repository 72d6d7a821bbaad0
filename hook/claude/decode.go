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

// wire holds the fields that Claude Code sends with one meaning in every event.
type wire struct {
	Name                string          `json:"hook_event_name"`
	SessionID           string          `json:"session_id"`
	PromptID            string          `json:"prompt_id"`
	TranscriptPath      string          `json:"transcript_path"`
	CWD                 string          `json:"cwd"`
	PermissionMode      string          `json:"permission_mode"`
	AgentID             string          `json:"agent_id"`
	AgentType           string          `json:"agent_type"`
	AgentTranscriptPath string          `json:"agent_transcript_path"`
	ToolName            string          `json:"tool_name"`
	ToolUseID           string          `json:"tool_use_id"`
	ToolInput           json.RawMessage `json:"tool_input"`
	ToolResponse        json.RawMessage `json:"tool_response"`
	Error               string          `json:"error"`
	IsInterrupt         bool            `json:"is_interrupt"`
	DurationMS          float64         `json:"duration_ms"`

	StopHookActive  bool                  `json:"stop_hook_active"`
	LastMessage     string                `json:"last_assistant_message"`
	BackgroundTasks []hook.BackgroundTask `json:"background_tasks"`
	TaskID          string                `json:"task_id"`
	TaskSubject     string                `json:"task_subject"`

	Prompt         string `json:"prompt"`
	Source         string `json:"source"`
	Trigger        string `json:"trigger"`
	FilePath       string `json:"file_path"`
	Message        string `json:"message"`
	CompactSummary string `json:"compact_summary"`
}

// Decode reads one event. A field of an unexpected type is left at its zero
// value and the others still count, so that a newer client cannot blind a gate;
// input that is no object, is nested deeper than MaxNesting or names no event is
// an error.
func (Client) Decode(stdin []byte, getenv func(string) string) (hook.Event, error) {
	stdin = bytes.TrimPrefix(stdin, []byte("\xef\xbb\xbf"))
	if depth(stdin) > MaxNesting {
		return hook.Event{}, fmt.Errorf("the input is nested deeper than %d", MaxNesting)
	}
	// Clients write the object and a newline and may keep the pipe open, so one
	// value is read and the rest is not waited for.
	var fields map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(stdin)).Decode(&fields); err != nil {
		return hook.Event{}, fmt.Errorf("the input is not one JSON object: %w", err)
	}
	var w wire
	if err := json.Unmarshal(stdin, &w); err != nil {
		w = lenient(fields)
	}
	if w.Name == "" {
		return hook.Event{}, ErrNoEvent
	}
	ev := hook.Event{
		Client: "claude", Name: hook.EventName(w.Name),
		SessionID: w.SessionID, PromptID: w.PromptID, TranscriptPath: w.TranscriptPath,
		CWD: w.CWD, ProjectDir: getenv("CLAUDE_PROJECT_DIR"), PermissionMode: w.PermissionMode,
		AgentID: w.AgentID, AgentType: w.AgentType, AgentTranscriptPath: w.AgentTranscriptPath,
		Prompt: w.Prompt, Source: w.Source, Trigger: w.Trigger, File: w.FilePath,
		Message: w.Message, Fields: fields,
	}
	if ev.Message == "" {
		ev.Message = w.CompactSummary
	}
	if ev.ProjectDir == "" {
		ev.ProjectDir = ev.CWD
	}
	if w.ToolName != "" {
		ev.Tool = &hook.Tool{
			Name: w.ToolName, UseID: w.ToolUseID, Input: w.ToolInput, Response: w.ToolResponse,
			Error: w.Error, Interrupted: w.IsInterrupt,
			Duration: time.Duration(w.DurationMS * float64(time.Millisecond)),
		}
	}
	switch ev.Name {
	default:
	case hook.Stop, hook.SubagentStop, hook.StopFailure, hook.TaskCompleted, hook.TaskCreated, hook.TeammateIdle:
		ev.Stop = &hook.End{
			HookActive: w.StopHookActive, LastMessage: w.LastMessage, Tasks: w.BackgroundTasks,
			TaskID: w.TaskID, TaskSubject: w.TaskSubject,
		}
	}
	return ev, nil
}

// lenient decodes the fields one by one, dropping those of the wrong type.
func lenient(fields map[string]json.RawMessage) wire {
	var w wire
	for name, raw := range fields {
		one, err := json.Marshal(map[string]json.RawMessage{name: raw})
		if err == nil {
			// A type error leaves the field alone; the other fields are kept.
			_ = json.Unmarshal(one, &w) //nolint:errcheck // see above
		}
	}
	return w
}

// EventName finds the event's name in input that does not decode, so that the
// failure can go in the event's own direction. It returns "" where there is none.
func EventName(stdin []byte) hook.EventName {
	key := []byte(`"hook_event_name"`)
	_, rest, found := bytes.Cut(stdin, key)
	if !found {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	name, _, found := bytes.Cut(rest[1:], []byte{'"'})
	if !found || len(name) > 64 {
		return ""
	}
	return hook.EventName(name)
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
