package settings

import (
	"slices"
	"strings"
)

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

// nearestEvent finds the event that a misspelled name probably means, or "".
func nearestEvent(name string) string {
	fold := func(s string) string {
		s = strings.ToLower(s)
		s = strings.NewReplacer("_", "", "-", "", " ", "").Replace(s)
		return strings.TrimPrefix(s, "on")
	}
	best, bestDistance := "", 3 // more than two letters off is a guess
	for _, event := range eventNames {
		if d := distance(fold(name), fold(event)); d < bestDistance {
			best, bestDistance = event, d
		}
	}
	return best
}

// distance counts the letters to insert, drop or change.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
