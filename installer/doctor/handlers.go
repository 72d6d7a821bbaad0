package doctor

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"agentguard/settings"
)

// handlerFields looks at matchers, timeouts and the other fields of each entry.
func handlerFields() Probe {
	return Probe{
		ID: "handlers", Title: "each entry can fire, and its answer counts",
		Kinds: []string{
			"matcher-never-matches", "matcher-ignored", "timeout-unit", "async-decision", "http-fail-open", "prompt-hook-cost",
			"duplicate-install", "fork-storm", "tool-uncovered", "resume-compact", "updated-input-conflict",
		},
		Run: func(_ context.Context, p *Patient) []Finding {
			c := p.read()
			var out []Finding
			groups := map[int]bool{}
			for _, e := range c.entries {
				if key := e.Group.Start; e.layer != nil && !groups[key^len(e.file)<<20] {
					groups[key^len(e.file)<<20] = true
					out = append(out, e.matcherTroubles()...)
				} else if e.layer == nil && e.Node.Start == firstOf(e.Group) {
					out = append(out, e.matcherTroubles()...)
				}
				out = append(out, e.timeoutTroubles()...)
				out = append(out, e.modeTroubles(p)...)
			}
			out = append(out, duplicates(c)...)
			out = append(out, storms(c)...)
			out = append(out, uncovered(c, p.OS)...)
			return append(out, rewriters(c)...)
		},
	}
}

func firstOf(group settings.Node) int {
	list, _ := group.Get("hooks")
	if len(list.Items) > 0 {
		return list.Items[0].Start
	}
	return -1
}

// longestTimeout is the client's own default, in seconds.
const longestTimeout = 600

func (e *entry) timeoutTroubles() []Finding {
	if e.Timeout <= longestTimeout {
		return nil
	}
	n, _ := e.Node.Get("timeout")
	f := Finding{
		Kind: "timeout-unit", Severity: Warning, File: e.file, Line: e.at(n),
		Message: fmt.Sprintf("timeout counts seconds: %v is %s. A hook that hangs holds the session for that long.", n.Text, span(e.Timeout)),
		Fix:     "Write seconds; most hooks need 5 to 60.",
	}
	if e.layer != nil {
		seconds := e.Timeout / 1000
		if e.Timeout < 1000 {
			seconds = longestTimeout
		}
		text := strconv.FormatFloat(max(seconds, 1), 'f', -1, 64)
		f.Fix = fmt.Sprintf("Write %s if milliseconds were meant.", text)
		f = f.with(e.layer.change(settings.Edit{Start: n.Start, End: n.End, Text: text}))
	}
	return []Finding{f}
}

func span(seconds float64) string {
	switch {
	case seconds >= 2*3600:
		return fmt.Sprintf("%.0f hours", seconds/3600)
	default:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	}
}

func (e *entry) modeTroubles(p *Patient) []Finding {
	var out []Finding
	gate := e.Event == "PreToolUse" || e.Event == "PermissionRequest" || e.Event == "UserPromptSubmit"
	switch e.Type {
	case "command":
		if n, is := asyncKey(e); is && slices.ContainsFunc(e.events(), blocking) && e.mayRefuse(p) {
			f := Finding{
				Kind: "async-decision", Severity: Error, File: e.file, Line: e.at(n),
				Message: fmt.Sprintf("This hook refuses at %s, but runs with \"async\": its answer is thrown away, and the call goes on.", e.Event),
				Fix:     "Take \"async\" out of entries that decide.",
			}
			if e.layer != nil {
				f = f.with(e.layer.remove(n))
			}
			out = append(out, f)
		}
	case "http":
		if gate && e.OnFailure != "block" {
			out = append(out, e.finding("http-fail-open", Warning,
				"An HTTP hook that nobody answers lets the call pass: a stopped server, a proxy or a timeout, and the guard is gone.",
				"Use a command hook for what must refuse, or add \"onFailure\": \"block\" (client 2.1.295 and later)."))
		}
	case "prompt", "agent":
		wide := e.Event == "PreToolUse" && readMatcher(e.Matcher).all || slices.Contains(e.events(), "Stop") || e.Event == "SubagentStop" || e.Event == "PostToolUse" && readMatcher(e.Matcher).all
		if wide {
			out = append(out, e.finding("prompt-hook-cost", Warning,
				fmt.Sprintf("A hook of type %q asks a model at every %s: each costs seconds and tokens, and a reply that is no JSON counts as an error, not as a refusal.", e.Type, e.Event),
				"Let a cheap command decide first, and ask a model only where that is in doubt."))
		}
	}
	if e.Event == "SessionStart" && e.HasMatcher && e.Type == "command" {
		m := readMatcher(e.Matcher)
		if m.matches("startup") && (!m.matches("resume") || !m.matches("compact")) {
			n, _ := e.Group.Get("matcher")
			out = append(out, Finding{
				Kind: "resume-compact", Severity: Info, File: e.file, Line: e.at(n),
				Message: "This hook runs at a fresh start only; after resume, clear or compact what it does is missing.",
				Fix:     "Take the matcher out if it should hold for every start.",
			})
		}
	}
	return out
}

func asyncKey(e *entry) (settings.Node, bool) {
	n, ok := e.Node.Get("async")
	return n, ok && n.Bool
}
