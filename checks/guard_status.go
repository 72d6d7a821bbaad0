package checks

import (
	"context"
	"fmt"
	"strings"

	"agentguard/hook"
	"agentguard/settings/policy"
)

func guardStatus() Check {
	return Check{
		ID: "guard-status", Title: "tells at the start of a session which guards are on, and what has vanished",
		Events: []hook.EventName{hook.SessionStart}, Standard: policy.Enforce,
		Run: func(_ context.Context, in *Input) (Finding, error) { return in.guardStatus(), nil },
	}
}

// guardStatus is one line for the person, and one more for each thing that is
// not as it was in the last session.
func (in *Input) guardStatus() Finding {
	if in.Event.Source == "compact" || in.Event.Source == "clear" {
		return Finding{} // the same session goes on
	}
	enforced, observed := 0, 0
	for id, mode := range in.Policy.Modes {
		if !in.guards(id) {
			continue
		}
		switch mode {
		case policy.Enforce:
			enforced++
		case policy.Observe, policy.Warn:
			observed++
		case policy.Off:
		}
	}
	f := Finding{Notices: []string{fmt.Sprintf("agentguard: %d guards refuse, %d only watch (%s); judge: %s",
		enforced, observed, in.Policy.Profile, strings.Join(in.Policy.Judge.Order, ", "))}}
	for _, path := range in.settingsFiles() {
		now := readEntries(path)
		if gone := now.gone(in.remembered(path)); len(gone) > 0 {
			f.Notices = append(f.Notices, fmt.Sprintf("agentguard: the hook entries for %s vanished from %s since the last session; `agentguard init` puts them back",
				strings.Join(gone, ", "), in.tilde(path)))
		}
		in.remember(now)
	}
	if in.Policy.Untrusted {
		f.Notices = append(f.Notices, "agentguard: this repository's policy asks for more than a clone may; look at .agentguard/policy.jsonc and run `agentguard trust`")
	}
	return f
}

// guards tells a check that can refuse.
func (in *Input) guards(id string) bool {
	for _, c := range All() {
		if c.ID == id {
			return c.Guard
		}
	}
	return false
}
