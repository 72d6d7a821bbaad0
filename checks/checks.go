// Package checks holds the guards: one file, one page and one line in All for
// each. A check looks at one event and says what it found; it never decides what
// becomes of a finding, writes no record and prints nothing.
package checks

import (
	"context"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/judge"
	"agentguard/settings/policy"
)

// Check is one guard, recorder or helper.
type Check struct {
	ID     string // what users see; the file's name with - for _
	Title  string // one line, for status and documentation
	Events []hook.EventName
	// Guard tells a check that can refuse. Recorders and helpers cannot, and no
	// profile touches them.
	Guard bool
	// Standard is the mode under the standard profile; of a recorder or helper it
	// is the mode in every profile.
	Standard policy.Mode
	// Run looks at the event. An error, a panic or a missed deadline is this
	// check's failure and goes in the event's own direction (hook.FailsTo).
	Run func(ctx context.Context, in *Input) (Finding, error)
}

// Finding is what a check found. The zero Finding is "nothing".
type Finding struct {
	Decision hook.Decision
	Rule     string // what matched, within the check
	Reason   string // addressed to the agent: the fact and one act that settles it
	// Subject is the offending command, path or sentence, for the record and for
	// explain.
	Subject string
	// Where is the policy's entry that decided, file:line:col; empty for what is
	// built in.
	Where string
	// Matter says what the finding is about, so that one turn is not refused
	// twice for the same thing. Empty means Rule.
	Matter  string
	Context []string // for the agent, beside any decision
	Notices []string // for the person
	Rewrite []byte   // the tool input to use instead
	// Refusal is what stands in place of Rewrite where another check refuses the
	// call, so that it does not run as rewritten.
	Refusal *Finding
	Halt    string // ends the turn; only with Deny
	// Unsure tells that the check let go because facts could not be had (see
	// Input.Trouble). The person is told so.
	Unsure bool
	// Note says for the record what could not be done as it should, so that the
	// finding rests on less.
	Note string

	Standing string         // word of the evidence, where one was looked up
	Verdict  *judge.Verdict // where a judge was asked or a bypass decided
	Judged   *Judged        // the text that was judged, for the decision log
}

// Judged is the material of one judgement, already redacted.
type Judged struct {
	Text    string
	Signal  string // the pattern of stage one that hit
	Bypass  string // the certain allow that decided, if one did
	Secrets map[string]int
}

// Outcome turns an enforced finding into the check's part of the answer.
func (f Finding) Outcome(check string) hook.Outcome {
	return hook.Outcome{
		Decision: f.Decision, Check: check, Reason: f.Reason,
		Context: f.Context, Notices: f.Notices, Rewrite: f.Rewrite, Halt: f.Halt,
	}
}

// Known returns what the policy must know of the checks.
func Known(all []Check) []policy.Check {
	known := make([]policy.Check, 0, len(all))
	for _, c := range all {
		p := policy.Check{ID: c.ID, Guard: c.Guard, Standard: c.Standard}
		if c.ID == "dangerous-command" {
			p.Rules = rules.CommandRules
		}
		known = append(known, p)
	}
	return known
}
