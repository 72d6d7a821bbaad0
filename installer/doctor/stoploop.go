package doctor

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"agentguard/checks/shell/outline"
)

// stopLoop finds gates at a stop that never let go.
func (p *Patient) stopLoop(u *unit, events []string) []Finding {
	stop := slices.ContainsFunc(events, func(e string) bool { return e == "Stop" || e == "SubagentStop" })
	if !stop || u.launch != nil && u.launch.event.Node != nil && u.depth > 1 && u.launch.event.To != outline.Stdout {
		return nil
	}
	f := p.facts(u)
	line := 0
	if len(f.twos) > 0 {
		line = f.twos[0]
	}
	for _, a := range f.answers {
		at := a.lineIn(a.o.at)
		if a.o.continues() && (line == 0 || at < line) {
			line = at
		}
	}
	if line == 0 {
		return nil
	}
	if p.letsGo(u) {
		return p.beforeFlag(u, f)
	}
	kind, where := "stop-loop-unguarded", "stop"
	if !slices.Contains(events, "Stop") && always(f) {
		kind, where = "subagentstop-loop", "subagent's end"
	}
	return []Finding{u.finding(kind, Error, line,
		fmt.Sprintf("This refuses a %s and never reads stop_hook_active: while the reason holds, the agent says the same again and again, until the client overrides it with an empty result.", where),
		"Pass when stop_hook_active is true: case $in in *'\"stop_hook_active\":true'*) exit 0 ;; esac")}
}

// beforeFlag finds a refusal that comes before the flag is read: on that way it
// lets go never, most often because the gate's own state is missing.
func (p *Patient) beforeFlag(u *unit, f *facts) []Finding {
	flag := lineWith(u.code(), "stop_hook_active")
	if flag == 0 || u.fixed > 0 {
		return nil
	}
	for _, w := range f.ways {
		if !w.Explicit || w.Status != 2 || w.Top == 0 || w.Top >= flag || w.Line == 0 {
			continue
		}
		kind, why := "stop-loop-unguarded", "before stop_hook_active is read"
		for _, ev := range w.Events {
			if ev.Node.Kind == outline.Start && ev.Outcome == outline.False && len(ev.Words) > 0 &&
				slices.Contains([]string{"cat", "jq", "head", "tail", "grep", "source", "."}, filepath.Base(ev.Words[0])) {
				kind, why = "fail-closed-state", "when its own state cannot be read, before stop_hook_active is looked at"
			}
		}
		return []Finding{u.finding(kind, Error, w.Line,
			"This refuses a stop "+why+": on this way it never lets go.",
			"Read stop_hook_active first, and let a stop pass when the state cannot be read.")}
	}
	return nil
}

// always reports whether no way lets go.
func always(f *facts) bool {
	for _, w := range f.ways {
		if w.Status != 2 && len(f.answers) == 0 {
			return false
		}
	}
	return len(f.ways) > 0
}

// letsGo reports whether the code behind an entry reads the flag, or counts on
// its own.
func (p *Patient) letsGo(u *unit) bool {
	for _, other := range u.entry.target.units {
		code := other.code()
		if strings.Contains(code, "stop_hook_active") || strings.Contains(code, "stopHookActive") {
			return true
		}
		// A counter of its own, kept by session: it is read, compared and written.
		counts := strings.Contains(code, "-ge ") || strings.Contains(code, "-gt ") || strings.Contains(code, "-lt ") || strings.Contains(code, ">=") || strings.Contains(code, "((")
		if counts && (strings.Contains(code, "session_id") || strings.Contains(code, "prompt_id") || counter().MatchString(code)) {
			return true
		}
		for _, w := range p.facts(other).ways {
			for _, ev := range w.Events {
				if ev.Node.Kind == outline.Start && len(ev.Words) > 0 && filepath.Base(ev.Words[0]) == "agentguard-hook" {
					return true
				}
			}
		}
	}
	return sourcesFlag(p, u)
}

// counter fits the names that people give to a count of refusals.
var counter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(attempt|iteration|nudge|retries|tries\b|max_?(block|stop|loop|turn|round)|(block|stop|loop|round)_?count)`)
})

// sourcesFlag looks for the flag in files that are sourced.
func sourcesFlag(p *Patient, u *unit) bool {
	found := false
	u.prog.Walk(func(n *outline.Node) {
		if n.Kind != outline.Include || found || len(n.Words) == 0 {
			return
		}
		outside := p.outside(map[string]string{"0": u.file})
		name := n.Words[0](func(v string) string { return outside.Var(v) })
		if !outline.Known(name) {
			return
		}
		if raw, err := readBounded(name); err == nil && strings.Contains(outline.Code("sh", string(raw)), "stop_hook_active") {
			found = true
		}
	})
	return found
}

// subagents finds hooks that read the wrong transcript.
func (p *Patient) subagents(u *unit, events []string) []Finding {
	code := u.code()
	var out []Finding
	if len(events) == 1 && events[0] == "SubagentStop" && strings.Contains(code, "transcript_path") && !strings.Contains(strings.ReplaceAll(code, "agent_transcript_path", ""), "agent_transcript") &&
		!strings.Contains(code, "agent_transcript_path") {
		out = append(out, u.finding("subagent-transcript-parent", Warning, lineWith(code, "transcript_path"),
			"At SubagentStop transcript_path is the main session's file, so this reads the wrong conversation.",
			"Use agent_transcript_path."))
	}
	if slices.Contains(events, "Stop") && strings.Contains(code, "transcript_path") && !strings.Contains(code, "last_assistant_message") {
		out = append(out, u.finding("transcript-lag", Info, lineWith(code, "transcript_path"),
			"The transcript may not hold the last message yet when the hook runs.",
			"Take last_assistant_message from the input, and the file for history only."))
	}
	for _, a := range p.facts(u).answers {
		if m, ok := a.o.get("hookSpecificOutput"); ok && m.inner != nil {
			if d, ok := m.inner.get("permissionDecision"); ok && d.text == "ask" && !strings.Contains(code, "permission_mode") {
				out = append(out, u.finding("ask-unattended", Info, a.lineIn(d.at),
					"This hook asks. Without a person there (headless) that is a refusal, and in bypass mode some clients approve it.",
					"Choose deny or allow by permission_mode of the input where it matters."))
				break
			}
		}
	}
	return out
}

func lineWith(code, word string) int {
	before, _, ok := strings.Cut(code, word)
	if !ok {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}
