package doctor

import (
	"context"
	"fmt"
	"slices"

	"agentguard/checks/shell/outline"
)

// recursion finds hooks that start an agent client whose hooks start it again.
func recursion() Probe {
	return Probe{
		ID: "recursion", Title: "no hook starts a client that runs the same hook",
		Kinds:    []string{"recursion-llm-cli", "recursion-guard-always-true", "judge-context-leak"},
		Deadline: 20e9,
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			done := map[string]bool{}
			for _, e := range p.read().entries {
				if e.target == nil || e.ours {
					continue
				}
				for _, u := range e.target.units {
					key := fmt.Sprintf("%s\x00%d\x00%s", u.file, u.fixed, u.text)
					if u.prog == nil || done[key] {
						continue
					}
					done[key] = true
					if f, bad := p.alwaysTrue(u); bad {
						out = append(out, f)
						continue
					}
					out = append(out, p.startsClient(e, u)...)
				}
			}
			return out
		},
	}
}

// clientVars are set for every hook process, at every depth.
func (p *Patient) clientVars() map[string]string {
	return map[string]string{
		"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_SESSION_ID": "a" + outline.Unknown,
		"AI_AGENT": "claude-code_" + outline.Unknown, "CLAUDE_CODE_ENTRYPOINT": "c" + outline.Unknown, "CLAUDE_PID": "1" + outline.Unknown,
	}
}

// alwaysTrue finds a test on a variable that every hook has, at which the hook
// ends before it did anything.
func (p *Patient) alwaysTrue(u *unit) (Finding, bool) {
	vars := p.clientVars()
	vars["CLAUDE_PROJECT_DIR"] = p.ProjectDir
	if !u.command {
		vars["0"] = u.file
	}
	ways := u.prog.Follow(p.included(vars))
	if len(ways) == 0 {
		return Finding{}, false
	}
	var found outline.Decision
	for i, w := range ways {
		d, ok := quitsBy(w, vars)
		if !ok || i > 0 && d.Line != found.Line {
			return Finding{}, false
		}
		found = d
	}
	if !doesMore(p, u, found) {
		return Finding{}, false
	}
	name := found.Vars[0]
	for _, v := range found.Vars {
		if _, has := vars[v]; has {
			name = v
		}
	}
	return u.finding("recursion-guard-always-true", Error, found.Line,
		fmt.Sprintf("The hook ends here whenever %s is set, and the client sets it for every hook process: it never does its work.", name),
		"Test a variable of your own, and set it where the inner client is started: MY_HOOK_CHILD=1 claude -p …"), true
}

// quitsBy returns the decision on a client variable by which a way ended, if it
// ended with success and did nothing before.
func quitsBy(w outline.Way, vars map[string]string) (outline.Decision, bool) {
	if w.Status != 0 && w.Status != -1 || w.Status == -1 && w.From >= 0 {
		return outline.Decision{}, false
	}
	for _, d := range w.Decided {
		if !d.Quits {
			continue
		}
		if slices.ContainsFunc(d.Vars, func(v string) bool { _, ok := vars[v]; return ok && v != "0" }) {
			return d, true
		}
	}
	return outline.Decision{}, false
}

// doesMore reports whether the program has work that the test keeps from
// running: code behind that line which starts or says something.
func doesMore(_ *Patient, u *unit, d outline.Decision) bool {
	more := false
	u.prog.Walk(func(n *outline.Node) {
		if n.Line > d.Line && (n.Kind == outline.Start || n.Kind == outline.Say || n.Kind == outline.Quit) {
			more = true
		}
		if u.fixed > 0 && n.Kind == outline.Start {
			more = true
		}
	})
	return more
}

// startsClient finds starts of a client from which the same hook fires again.
func (p *Patient) startsClient(e *entry, u *unit) []Finding {
	var out []Finding
	seen := map[int]bool{}
	for _, w := range p.facts(u).ways {
		for i, ev := range w.Events {
			name, asks := clientStart(ev)
			if !asks || seen[ev.Node.Line] || p.hooksOffIn(e, ev, name) || p.elsewhere(e, ev) || p.guarded(u, ev) || locked(w, i) {
				continue
			}
			seen[ev.Node.Line] = true
			out = append(out, u.finding("recursion-llm-cli", Error, ev.Node.Line,
				fmt.Sprintf("The hook starts %s, whose session fires this hook again, and so on: processes and costs without end.", name),
				fmt.Sprintf("Test a variable of your own first ([ -n \"$MY_HOOK_CHILD\" ] && exit 0), set it for the child, and start the child without hooks: %s.", withoutHooks(name))))
		}
	}
	return out
}
