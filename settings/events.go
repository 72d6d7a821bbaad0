package settings

import "slices"

// eventNames are the hook events that client 2.1.332 knows, in its order.
var eventNames = [...]string{
	"PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
	"PreSkillShellCommand", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd", "Setup",
	"Stop", "StopFailure", "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle",
	"PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "Notification", "ConfigChange",
	"InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "WorktreeCreate", "WorktreeRemove",
	"Elicitation", "ElicitationResult", "MessageDisplay",
}

// EventNames returns the hook events that the newest client we observed knows.
func EventNames() []string { return slices.Clone(eventNames[:]) }

// KnownEvent reports whether name is a hook event, spelled exactly.
func KnownEvent(name string) bool { return slices.Contains(eventNames[:], name) }

// IgnoresMatcher reports whether the client runs every entry of the event,
// whatever its matcher says.
func IgnoresMatcher(event string) bool {
	switch event {
	case "Stop", "UserPromptSubmit", "PostToolBatch", "TaskCreated", "TaskCompleted", "TeammateIdle", "CwdChanged",
		"WorktreeCreate", "WorktreeRemove", "MessageDisplay":
		return true
	}
	return false
}
