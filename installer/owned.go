package installer

import (
	"slices"
	"time"

	"agentguard/settings"
)

// Installed is one install on record.
type Installed struct {
	// Scope and Settings say which file the entries were written to.
	Scope, Settings string
	// Program is the hook program it was given, empty for a team entry.
	Program string
	// Events are those registered, sorted.
	Events []string
	Time   time.Time
}

// Installs lists the installs on record in a state folder. Records that cannot
// be read are passed over.
func Installs(stateDir string) []Installed {
	var out []Installed
	for _, rec := range allRecords(stateDir) {
		if rec.Path == "" {
			continue
		}
		in := Installed{Scope: rec.Scope, Settings: rec.Path, Program: rec.Program, Time: rec.Time}
		for event := range rec.Timeouts {
			in.Events = append(in.Events, event)
		}
		slices.Sort(in.Events)
		out = append(out, in)
	}
	return out
}

// Recognise returns a function that tells our entries from all others, by the
// owner key and by every text we ever wrote. Of the request it reads Home,
// HookPath and StateDir.
func Recognise(req Request) func(settings.Handler) bool {
	return req.owner(allRecords(req.StateDir)).owned
}
