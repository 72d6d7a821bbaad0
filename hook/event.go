// Package hook is the vocabulary of one hook call: the event a coding agent
// reports, the decision about it, and what a client must be able to do.
//
// It knows no client, reads no file and depends on the standard library alone.
package hook

import (
	"encoding/json"
	"time"
)

// EventName names a hook event in Claude Code's spelling, which is the de facto
// common one; other clients' names are translated by their decoder.
type EventName string

// The events that checks are written for. A client may send others: they decode
// to their own name and no check claims them.
const (
	SessionStart         EventName = "SessionStart"
	Setup                EventName = "Setup"
	UserPromptSubmit     EventName = "UserPromptSubmit"
	UserPromptExpansion  EventName = "UserPromptExpansion"
	PreSkillShellCommand EventName = "PreSkillShellCommand"
	PreToolUse           EventName = "PreToolUse"
	PermissionRequest    EventName = "PermissionRequest"
	PermissionDenied     EventName = "PermissionDenied"
	PostToolUse          EventName = "PostToolUse"
	PostToolUseFailure   EventName = "PostToolUseFailure"
	PostToolBatch        EventName = "PostToolBatch"
	Stop                 EventName = "Stop"
	StopFailure          EventName = "StopFailure"
	SubagentStart        EventName = "SubagentStart"
	SubagentStop         EventName = "SubagentStop"
	PreCompact           EventName = "PreCompact"
	PostCompact          EventName = "PostCompact"
	PreModelSwitch       EventName = "PreModelSwitch"
	PostModelSwitch      EventName = "PostModelSwitch"
	Notification         EventName = "Notification"
	TaskCreated          EventName = "TaskCreated"
	TaskCompleted        EventName = "TaskCompleted"
	TeammateIdle         EventName = "TeammateIdle"
	ConfigChange         EventName = "ConfigChange"
	InstructionsLoaded   EventName = "InstructionsLoaded"
	CwdChanged           EventName = "CwdChanged"
	FileChanged          EventName = "FileChanged"
	DirectoryAdded       EventName = "DirectoryAdded"
	WorktreeCreate       EventName = "WorktreeCreate"
	WorktreeRemove       EventName = "WorktreeRemove"
	Elicitation          EventName = "Elicitation"
	ElicitationResult    EventName = "ElicitationResult"
	MessageDisplay       EventName = "MessageDisplay"
	SessionEnd           EventName = "SessionEnd"
)

// Event is one hook call as the checks see it. A field that the client did not
// send is its zero value; nothing here is validated beyond its JSON type.
type Event struct {
	Client string
	Name   EventName

	SessionID      string
	PromptID       string
	TranscriptPath string
	CWD            string // the session's current folder; moves with cd
	ProjectDir     string // the folder the client was started in; CWD where the client does not say
	PermissionMode string

	AgentID             string // set inside a subagent
	AgentType           string
	AgentTranscriptPath string

	Tool *Tool // tool events only
	Stop *End  // Stop, SubagentStop, StopFailure, TaskCompleted, TeammateIdle

	Prompt  string // UserPromptSubmit, UserPromptExpansion
	Source  string // SessionStart, ConfigChange, DirectoryAdded; the matcher's value
	Trigger string // PreCompact, PostCompact, Setup
	File    string // ConfigChange, FileChanged, InstructionsLoaded
	Message string // Notification text; compact summary at PostCompact

	// Fields holds every top-level member of the event as sent, the ones above
	// included, so that a check can read what this type does not name.
	Fields map[string]json.RawMessage
}

// Tool is the tool call of an event.
type Tool struct {
	Name     string
	UseID    string // the call's id in the transcript; empty where the client has none
	Input    json.RawMessage
	Response json.RawMessage // PostToolUse: the tool's own result object
	Error    string          // PostToolUseFailure: "Exit code N\n<output>" for a shell
	Duration time.Duration
	// Interrupted tells a call that the user stopped.
	Interrupted bool
}

// End says how a turn, a subagent or a task came to its end.
type End struct {
	HookActive  bool   // this stop follows an earlier refusal or continuation
	LastMessage string // the last text block of the last message
	Tasks       []BackgroundTask
	TaskID      string // TaskCompleted, TaskCreated
	TaskSubject string
}

// BackgroundTask is work that still runs when the turn ends.
type BackgroundTask struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Status      string `json:"status"`
	Description string `json:"description"`
	Command     string `json:"command"`
}

// FailsTo is the decision for an event when a check of it breaks: a gate on an
// action asks, everything else passes, because a wrong stop of a conversation
// hurts more than a missed one and a wrong pass of an action hurts more than a
// question.
func (n EventName) FailsTo() Decision {
	switch n {
	case PreToolUse, PermissionRequest, PreSkillShellCommand:
		return Ask
	default:
		return Pass
	}
}

// CanRefuse tells whether the event has a way to say no.
func (n EventName) CanRefuse() bool {
	switch n {
	case PreToolUse, PermissionRequest, PreSkillShellCommand,
		Stop, SubagentStop, TaskCreated, TaskCompleted, TeammateIdle,
		UserPromptSubmit, UserPromptExpansion, PreCompact, ConfigChange:
		return true
	default:
		return false
	}
}

// IsStop tells the events at which a refusal sends the model on working instead
// of refusing one action. No check refuses there twice for the same thing.
func (n EventName) IsStop() bool {
	switch n {
	case Stop, SubagentStop, TaskCompleted, TeammateIdle:
		return true
	default:
		return false
	}
}
