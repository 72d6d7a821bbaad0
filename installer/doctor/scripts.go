package doctor

import (
	"context"
	"fmt"
	"strings"

	"agentguard/settings"
)

// scripts looks into the code behind each entry.
func scripts() Probe {
	return Probe{
		ID: "scripts", Title: "the code of each hook can say no, and be heard",
		Kinds: []string{
			"decision-shape", "stdout-mixed", "exit-code-one", "exit-code-swallowed", "dependency-missing", "background-holds-stdout",
			"stop-loop-unguarded", "subagentstop-loop", "fail-closed-state", "timeout-short", "subagent-transcript-parent", "ask-unattended", "transcript-lag",
		},
		Deadline: 20e9,
		Run: func(_ context.Context, p *Patient) []Finding {
			c := p.read()
			var out []Finding
			done := map[string]bool{}
			for _, e := range c.entries {
				if e.target == nil || e.ours {
					continue
				}
				out = append(out, p.swallowed(e)...)
				for _, u := range e.target.units {
					key := fmt.Sprintf("%s\x00%d\x00%s\x00%v", u.file, u.fixed, u.text, u.fixed > 0)
					if done[key] {
						continue
					}
					done[key] = true
					out = append(out, p.shapes(u, c.eventsOf(u))...)
					out = append(out, p.mixed(u)...)
					out = append(out, p.exitOne(u, c.eventsOf(u))...)
					out = append(out, p.dependencies(u)...)
					out = append(out, p.background(u)...)
					out = append(out, p.stopLoop(u, c.eventsOf(u))...)
					out = append(out, p.subagents(u, c.eventsOf(u))...)
					out = append(out, p.innerTimeout(u)...)
				}
			}
			return out
		},
	}
}

func (u *unit) finding(kind string, severity Severity, line int, message, fix string) Finding {
	return Finding{Kind: kind, Severity: severity, File: u.file, Line: u.line(line), Message: message, Fix: fix}
}

// replaceIn makes a mend that changes one text of the unit: in the script, or in
// the command of the settings file.
func (u *unit) replaceIn(line int, from, to string) func(*mending) error {
	if u.fixed > 0 {
		n, ok := u.entry.Node.Get("command")
		if !ok || u.entry.layer == nil || u.entry.HasArgs || strings.Count(u.entry.Command, from) != 1 {
			return nil
		}
		return u.entry.layer.replaceText(n, strings.Replace(u.entry.Command, from, to, 1))
	}
	start := 0
	for range line - 1 {
		i := strings.IndexByte(u.text[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	end := strings.IndexByte(u.text[start:], '\n')
	if end < 0 {
		end = len(u.text) - start
	}
	if strings.Count(u.text[start:start+end], from) != 1 {
		return nil
	}
	at := start + strings.Index(u.text[start:start+end], from)
	raw := []byte(u.text)
	return func(m *mending) error {
		return m.edit(u.file, raw, settings.Edit{Start: at, End: at + len(from), Text: to})
	}
}
