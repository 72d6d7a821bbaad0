package cli

import (
	"slices"
	"time"

	"agentguard/checks"
	"agentguard/hook"
	"agentguard/installer"
	"agentguard/settings"
	"agentguard/settings/policy"
	"agentguard/templates"
)

// Timeouts of the settings entries, in seconds. A Stop waits for the judge's time
// and five seconds more, and for the tests where the gate runs them; the client's
// default of 600 would keep a person waiting for ten minutes if anything hung.
const (
	defaultTimeout = 10
	stopMargin     = 5
)

// events lists the events that the given checks claim, in the client's order of
// a session. Every tool is matched: a list of names would miss tomorrow's.
func events(all []checks.Check, p *policy.Effective) []installer.EventSpec {
	claimed := map[hook.EventName]bool{}
	for _, c := range all {
		for _, e := range c.Events {
			claimed[e] = true
		}
	}
	order := []hook.EventName{
		hook.SessionStart, hook.UserPromptSubmit, hook.PreToolUse, hook.PermissionRequest, hook.PostToolUse, hook.PostToolUseFailure,
		hook.SubagentStart, hook.SubagentStop, hook.TaskCompleted, hook.TeammateIdle, hook.Stop, hook.PreCompact, hook.PostCompact,
		hook.Notification, hook.ConfigChange, hook.SessionEnd,
	}
	var specs []installer.EventSpec
	for _, e := range order {
		if !claimed[e] {
			continue
		}
		spec := installer.EventSpec{Name: string(e), Timeout: defaultTimeout, FailClosed: e == hook.PreToolUse}
		if e.IsStop() {
			spec.Timeout = int(time.Duration(p.Judge.Timeout).Seconds()) + stopMargin
			if p.RunTests {
				spec.Timeout += int(time.Duration(p.Verify.Timeout).Seconds())
			}
		}
		if slices.Contains([]hook.EventName{hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure}, e) {
			spec.Matcher = "*"
		}
		specs = append(specs, spec)
	}
	return specs
}

// nativeCosts say what the client's own handlers cost; init tells it before it
// writes them.
var nativeCosts = map[string]string{
	"prompt": "a prompt handler makes one more model call at every end of a turn, sees the text alone, and takes the place of our checks there (false-claim and test-gate with them)",
	"agent":  "an agent handler starts a subagent at every end of a turn, which takes long and costs much, and takes the place of our checks there (false-claim and test-gate with them)",
}

// native puts the client's own handler in the place of our program at the end of
// a turn; all other events stay ours.
func native(specs []installer.EventSpec, kind string) []installer.EventSpec {
	text, seconds := templates.StopPrompt(), 30
	if kind == "agent" {
		text, seconds = templates.StopAgent(), 60
	}
	for i := range specs {
		if e := hook.EventName(specs[i].Name); e == hook.Stop || e == hook.SubagentStop {
			specs[i].Timeout = seconds
			specs[i].Handler = settings.ObjectOf(
				settings.Entry("type", settings.TextOf(kind)),
				settings.Entry("prompt", settings.TextOf(text)),
			)
		}
	}
	return specs
}
