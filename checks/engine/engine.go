// Package engine runs the checks of one event: in parallel, each with a deadline
// and its own recover, the failures in the event's direction, the strictest
// answer first, one audit record for the call.
package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentguard/checks"
	"agentguard/checks/audit"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// Deadlines of all checks of one event together. A Stop may wait for a judge;
// nothing else may keep the agent waiting for long.
const (
	gateDeadline = 8 * time.Second
	stopMargin   = 3 * time.Second // beside the judge's own timeout
)

// Result is the answer to one event with the records of how it came about.
type Result struct {
	Outcome  hook.Outcome
	Findings []Found // in the order of the checks
	Failures []audit.Failure
	Elapsed  time.Duration
}

// Found is one check's finding and what came of it.
type Found struct {
	Check   checks.Check
	Mode    policy.Mode
	Finding checks.Finding
	LetGo   string // why an enforced refusal did not go out
	Elapsed time.Duration
}

// Run runs all checks that claim the event and are not off. It always returns:
// a check that is still running at the deadline is left behind and counts as
// failed. clock tells the time, for the durations alone.
func Run(ctx context.Context, in *checks.Input, all []checks.Check, clock func() time.Time) Result {
	start := clock()
	picked := pick(in, all)
	in.Active = map[string]bool{}
	for _, c := range picked {
		in.Active[c.ID] = true
	}
	if len(picked) == 0 {
		return Result{}
	}
	ctx, cancel := context.WithTimeout(ctx, deadline(in))
	defer cancel()

	var r Result
	for i, d := range runAll(ctx, in, picked, clock) {
		c := picked[i]
		switch {
		case d == nil:
			r.fail(in, c, fmt.Errorf("not done after %v", deadline(in)))
		case d.err != nil:
			r.fail(in, c, d.err)
		default:
			f := Found{Check: c, Mode: in.Policy.Mode(c.ID), Finding: d.finding, Elapsed: d.elapsed}
			if f.Mode == policy.Warn && f.Finding.Decision >= hook.Ask {
				f.Finding.Notices = append(f.Finding.Notices, fmt.Sprintf("agentguard: %s would refuse: %s", c.ID, f.Finding.Reason))
			}
			r.Findings = append(r.Findings, f)
		}
	}
	r.Elapsed = clock().Sub(start)
	return r
}

// pick returns the checks of the event that are not off.
func pick(in *checks.Input, all []checks.Check) []checks.Check {
	var picked []checks.Check
	for _, c := range all {
		if in.Policy.Mode(c.ID) != policy.Off && slices.Contains(c.Events, in.Event.Name) {
			picked = append(picked, c)
		}
	}
	return picked
}

func deadline(in *checks.Input) time.Duration {
	if in.Event.Name.IsStop() {
		limit := time.Duration(in.Policy.Judge.Timeout) + stopMargin
		if in.Policy.RunTests {
			limit += time.Duration(in.Policy.Verify.Timeout)
		}
		return limit
	}
	return gateDeadline
}

// fail records a broken check. An enforced guard's failure goes in the event's
// direction; a check that only observes breaks without consequence.
func (r *Result) fail(in *checks.Input, c checks.Check, err error) {
	r.Failures = append(r.Failures, audit.Failure{Check: c.ID, Error: err.Error()})
	direction := in.Event.Name.FailsTo()
	if direction == hook.Pass || !c.Guard || in.Policy.Mode(c.ID) != policy.Enforce {
		return
	}
	r.Findings = append(r.Findings, Found{Check: c, Mode: policy.Enforce, Finding: checks.Finding{
		Decision: direction, Rule: "failure",
		Reason: "this check broke and cannot tell whether the action is safe. Ask the user to decide, and to run `agentguard doctor`.",
	}})
}

// Answer merges what the findings enforce into one outcome.
func (r *Result) Answer() hook.Outcome {
	var outs []hook.Outcome
	refused := slices.ContainsFunc(r.Findings, func(f Found) bool {
		return f.Finding.Decision >= hook.Ask && f.LetGo == "" && f.Mode == policy.Enforce && f.Check.Guard
	})
	for _, f := range r.Findings {
		o := f.Finding.Outcome(f.Check.ID)
		if refused && len(o.Rewrite) > 0 {
			// The call does not run as rewritten, so nothing may say that it does.
			o = hook.Outcome{}
			if f.Finding.Refusal != nil {
				o = f.Finding.Refusal.Outcome(f.Check.ID)
			}
		}
		switch {
		case f.LetGo != "" || (f.Mode < policy.Enforce && f.Check.Guard):
			o = hook.Outcome{Notices: o.Notices}
			if f.Mode == policy.Observe {
				o.Notices = nil
			}
		case o.Decision >= hook.Ask && !f.Check.Guard:
			o.Decision = hook.Pass // a recorder or helper cannot refuse
		}
		outs = append(outs, o)
	}
	r.Outcome = hook.Strictest(outs...)
	return r.Outcome
}

// firstFrames keeps the frames of a stack that name our code.
func firstFrames(stack []byte) string {
	var kept []string
	for line := range strings.Lines(string(stack)) {
		if strings.Contains(line, "agentguard/") && !strings.HasPrefix(line, "\t") {
			kept = append(kept, strings.TrimSpace(line))
		}
		if len(kept) == 4 {
			break
		}
	}
	return strings.Join(kept, "\n")
}
