package checks

import (
	"context"

	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func ownRules() Check {
	return Check{
		ID: "own-rules", Title: "the project's own rules about commands and writes",
		Events: []hook.EventName{hook.PreToolUse, hook.PreSkillShellCommand}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			if len(in.Policy.Commands) == 0 || in.Event.Tool == nil {
				return Finding{}, nil
			}
			return in.ownFinding(ctx), nil
		},
	}
}

// ownFinding is the strictest own rule that matches, the first of equal ones.
func (in *Input) ownFinding(ctx context.Context) Finding {
	m := in.matcher(ctx)
	var worst Finding
	for _, r := range in.Policy.Commands {
		d := ownDecision(r)
		if d <= worst.Decision {
			continue
		}
		subject, hit := m.matches(r)
		if !hit {
			continue
		}
		worst = Finding{Decision: d, Rule: r.ID, Reason: r.Reason, Subject: subject, Where: r.Where}
		if r.Because != "" {
			worst.Reason += " (This rule is here because: " + r.Because + ")"
		}
		if r.Halt {
			worst.Halt = "The rule " + r.ID + " ends the turn: " + r.Reason
		}
	}
	return worst
}

func ownDecision(r policy.OwnRule) hook.Decision {
	if r.Decision == hook.Ask.String() {
		return hook.Ask
	}
	return hook.Deny
}

// matches tells whether a rule holds for the call and what it holds for. An
// exception takes single commands out.
func (m *matcher) matches(r policy.OwnRule) (subject string, hit bool) {
	if r.Tool != "" && !anyGlob(r.Tool, m.in.Event.Tool.Name) {
		return "", false
	}
	if _, ok := m.in.ShellCommand(); !ok {
		if subject, hit := m.matchesTool(r); hit || r.Program == "" && len(r.Flags)+len(r.Args) == 0 {
			return subject, hit
		}
	}
	if r.Program == "" && len(r.Flags)+len(r.Args) == 0 {
		return m.matchesEffect(r)
	}
	for i := range m.script.Commands {
		if m.command(r, i) && !m.exempted(r.ID, i) {
			return oneLine(commandText(m.script.Commands[i])), true
		}
	}
	return "", false
}

// matchesEffect holds a rule without a program to what the script writes, or to
// the script as a whole where it names neither path nor content.
func (m *matcher) matchesEffect(r policy.OwnRule) (string, bool) {
	if r.Path == "" && r.Content == "" {
		if !m.branch(r, -1) || m.exempted(r.ID, -1) {
			return "", false
		}
		text, _ := m.in.ShellCommand()
		return oneLine(text), true
	}
	for _, w := range m.writes {
		if m.written(r, w) && m.branch(r, w.Command) && !m.exempted(r.ID, w.Command) {
			return w.Path, true
		}
	}
	return "", false
}

// matchesTool holds a rule to the call of another tool than the shell.
func (m *matcher) matchesTool(r policy.OwnRule) (string, bool) {
	if r.Program != "" || len(r.Flags) > 0 || !m.branch(r, -1) || !m.inputHas(r.Args) || m.exempted(r.ID, -1) {
		return "", false
	}
	if r.Path == "" && r.Content == "" {
		// A rule that names no tool is about writes and commands, not about reading.
		if r.Tool == "" {
			return "", false
		}
		return m.in.Event.Tool.Name, true
	}
	for _, w := range m.writes {
		if m.written(r, w) {
			return w.Path, true
		}
	}
	// A named tool may also be one that reads: its path is then what counts.
	if p := m.toolPath(); r.Tool != "" && r.Content == "" && p != "" && m.path(r.Path, p) {
		return p, true
	}
	return "", false
}

// exempted tells that an exception of the policy takes command i out of a rule;
// -1 asks for the whole call.
func (m *matcher) exempted(rule string, i int) bool {
	if m.inner {
		return false
	}
	for _, x := range m.in.Policy.Exceptions {
		if x.Rule != rule || x.Tool != "" && !anyGlob(x.Tool, m.in.Event.Tool.Name) {
			continue
		}
		if m.covers(x, i) {
			m.in.excepted.add("exception " + x.ID + " from the rule " + rule + " (" + x.Where + ")")
			return true
		}
	}
	return false
}

// covers tells that an exception holds for command i, or for each command of the
// script: one that it does not name must not slip through beside another.
func (m *matcher) covers(x policy.OwnRule, i int) bool {
	if _, ok := m.in.ShellCommand(); !ok {
		_, hit := (&matcher{ctx: m.ctx, in: m.in, rc: m.rc, script: m.script, writes: m.writes, inner: true}).matchesTool(x)
		if hit || len(m.script.Commands) == 0 {
			return hit
		}
	}
	if i >= 0 {
		return m.command(x, i)
	}
	n := 0
	for j, c := range m.script.Commands {
		if c.Carrier {
			continue
		}
		if !m.command(x, j) {
			return false
		}
		n++
	}
	return n > 0
}

// inRange tells that i names a command of the script.
func inRange(s shell.Script, i int) bool { return i >= 0 && i < len(s.Commands) }
