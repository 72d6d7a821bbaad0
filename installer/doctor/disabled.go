package doctor

import (
	"context"
	"fmt"

	"agentguard/settings"
)

// hooksDisabled folds the switches of all layers.
func hooksDisabled() Probe {
	return Probe{
		ID: "hooks-disabled", Title: "no layer switches hooks off", Kinds: []string{"hooks-disabled"},
		Run: func(_ context.Context, p *Patient) []Finding {
			out := switches(p)
			for _, name := range []string{"CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"} {
				out = append(out, simpleMode(p, name)...)
			}
			return out
		},
	}
}

// hooksOff reports whether no hook would run, whatever the entries are.
func (p *Patient) hooksOff() bool {
	out := append(switches(p), simpleMode(p, "CLAUDE_CODE_SIMPLE")...)
	out = append(out, simpleMode(p, "CLAUDE_CODE_SAFE_MODE")...)
	return len(append(out, switchedOff(p)...)) > 0
}

// switches looks at disableAllHooks and allowManagedHooksOnly. Of user, project
// and local the most local layer that says anything decides; a managed one
// cannot be overruled.
func switches(p *Patient) []Finding {
	c := p.read()
	var decider *layer
	var at settings.Node
	for _, l := range c.layers {
		if l.void || l.unreadable != "" {
			continue
		}
		if n, ok := l.doc.Root.Get("allowManagedHooksOnly"); ok && n.Bool && l.name == "managed" {
			return []Finding{{
				Kind: "hooks-disabled", Severity: Error, File: l.path, Line: l.line(n.Start),
				Message: "The managed settings allow managed hooks only: hooks of users and projects do not run.",
				Fix:     "Ask who manages this machine to add the guards to the managed settings.",
			}}
		}
		n, ok := l.doc.Root.Get("disableAllHooks")
		if !ok || n.Kind != settings.Bool || decider != nil && decider.name == "managed" && at.Bool {
			continue
		}
		decider, at = l, n
	}
	if decider == nil || !at.Bool {
		return nil
	}
	severity := Error
	if len(c.entries) == 0 {
		severity = Info
	}
	return []Finding{{
		Kind: "hooks-disabled", Severity: severity, File: decider.path, Line: decider.line(at.Start),
		Message: "disableAllHooks is true here: no hook of any layer runs, guards included, and nothing tells it.",
		Fix:     "Remove the key, or set it to false.",
		Fixable: decider.name != "managed", mend: decider.remove(at),
	}}
}

// simpleMode finds the variables that start the client without hooks.
func simpleMode(p *Patient, name string) []Finding {
	off := func(v string) bool { return v == "" || v == "0" || v == "false" }
	message := fmt.Sprintf("%s is set: a client started with it runs no hook.", name)
	for _, v := range p.read().env {
		if v.name == name && !off(v.value) {
			return []Finding{{
				Kind: "hooks-disabled", Severity: Error, File: v.layer.path, Line: v.line, Message: message,
				Fix: "Remove it from the env block.",
			}}
		}
	}
	if v, ok := p.env(name); ok && !off(v) {
		return []Finding{{Kind: "hooks-disabled", Severity: Error, Message: message, Fix: "Unset it: unset " + name + "."}}
	}
	return nil
}
