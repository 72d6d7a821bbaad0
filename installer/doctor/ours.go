package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/installer"
	"agentguard/settings"
)

// setUp tells whether agentguard is set up in this folder and complete.
func setUp() Probe {
	return Probe{
		ID: "set-up", Title: "agentguard is set up here",
		Kinds: []string{"not-set-up", "settings-lost-update", "guard-off", "timeout-short"},
		Run: func(_ context.Context, p *Patient) []Finding {
			c := p.read()
			var out []Finding
			ours := c.ours()
			if len(ours) == 0 && !c.brokenOurs() {
				out = append(out, Finding{
					Kind: "not-set-up", Severity: Info,
					Message: "agentguard is not set up for this folder: no entry of ours is in force here.",
					Fix:     "Run `agentguard init` to set it up.",
				})
			}
			out = append(out, vanished(p)...)
			out = append(out, switchedOff(p)...)
			return append(out, shortTimeouts(ours)...)
		},
	}
}

// brokenOurs reports whether a file that counts for nothing holds our entries:
// then that is the trouble, and not that we are not set up.
func (c *chart) brokenOurs() bool {
	return slices.ContainsFunc(c.layers, func(l *layer) bool {
		return l.void && strings.Contains(string(l.raw), "agentguard-hook")
	})
}

func (c *chart) ours() []*entry {
	var out []*entry
	for _, e := range c.entries {
		if e.ours {
			out = append(out, e)
		}
	}
	return out
}

// vanished compares what installs registered with what is in the files.
func vanished(p *Patient) []Finding {
	c := p.read()
	var out []Finding
	recorded := map[string]bool{}
	for _, in := range installer.Installs(p.StateDir) {
		var l *layer
		for _, candidate := range c.layers {
			if sameFile(candidate.path, in.Settings) {
				l = candidate
			}
		}
		if l == nil || l.void {
			continue // another folder, or the file is broken and reported as that
		}
		recorded[l.path] = true
		if missing := missingEvents(c, l, in.Events); len(missing) > 0 {
			f := lost(l, missing)
			f.Message += fmt.Sprintf(" They were written on %s.", in.Time.Format("2006-01-02"))
			out = append(out, f)
		}
	}
	// Without a record, as after a clone, entries of ours that stand alone show
	// that others were taken out.
	for _, l := range c.layers {
		if recorded[l.path] || l.void || !slices.ContainsFunc(c.entries, func(e *entry) bool { return e.layer == l && e.marked }) {
			continue
		}
		if missing := missingEvents(c, l, []string{"PreToolUse", "Stop"}); len(missing) > 0 {
			out = append(out, lost(l, missing))
		}
	}
	return out
}

func missingEvents(c *chart, l *layer, events []string) []string {
	var missing []string
	for _, event := range events {
		if !slices.ContainsFunc(c.entries, func(e *entry) bool { return e.layer == l && e.ours && e.Event == event }) {
			missing = append(missing, event)
		}
	}
	return missing
}

func lost(l *layer, events []string) Finding {
	severity := Warning
	if slices.Contains(events, "PreToolUse") || slices.Contains(events, "Stop") {
		severity = Error
	}
	return Finding{
		Kind: "settings-lost-update", Severity: severity, File: l.path,
		Message: fmt.Sprintf("Our entries for %s are gone from this file: nothing is checked at these events.", strings.Join(events, ", ")),
		Fix:     "Run `agentguard init` with the same scope; it adds what is missing and changes nothing else.",
	}
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	ra, errA := filepath.EvalSymlinks(a)
	rb, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && ra == rb
}

// switchedOff finds our own switches in the environment and the env blocks.
func switchedOff(p *Patient) []Finding {
	var out []Finding
	for _, name := range []string{"AGENTGUARD_OFF", "AGENTGUARD_JUDGE_ACTIVE"} {
		message := name + " is set: hooks started with it check nothing."
		if name == "AGENTGUARD_JUDGE_ACTIVE" {
			message = name + " is set outside a judge: stops are not checked, since our hooks take this for the judge's own client."
		}
		for _, v := range p.read().env {
			if v.name == name && v.value != "" && v.value != "0" && v.value != "false" {
				out = append(out, Finding{
					Kind: "guard-off", Severity: Error, File: v.layer.path, Line: v.line, Message: message,
					Fix: "Remove it from the env block.",
				})
			}
		}
		if v, ok := p.env(name); ok && v != "" && v != "0" && v != "false" {
			out = append(out, Finding{Kind: "guard-off", Severity: Warning, Message: message, Fix: "Unset it: unset " + name + "."})
		}
	}
	return out
}

// leastStop is the time, in seconds, that our Stop entry needs for a judge.
const leastStop = 15

func shortTimeouts(ours []*entry) []Finding {
	var out []Finding
	for _, e := range ours {
		if e.layer == nil || !e.marked || e.Timeout == 0 || e.Timeout >= leastStop || !slices.Contains([]string{"Stop", "SubagentStop"}, e.Event) {
			continue
		}
		n, _ := e.Node.Get("timeout")
		out = append(out, Finding{
			Kind: "timeout-short", Severity: Warning, File: e.file, Line: e.at(n), Fixable: true,
			Message: fmt.Sprintf("Our %s entry has %v s; a judge may take longer, is killed then, and the stop passes unchecked.", e.Event, e.Timeout),
			Fix:     fmt.Sprintf("Give it at least %d seconds.", leastStop),
			mend:    e.layer.change(settings.Edit{Start: n.Start, End: n.End, Text: fmt.Sprint(leastStop)}),
		})
	}
	return out
}
