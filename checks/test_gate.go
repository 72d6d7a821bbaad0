package checks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/judge/redact"
	"agentguard/settings/policy"
)

func testGate() Check {
	return Check{
		ID: "test-gate", Title: "a turn that changed code may not end before the tests passed on this tree",
		Events: stopEvents, Guard: true, Standard: policy.Observe,
		Run: func(ctx context.Context, in *Input) (Finding, error) { return in.testsPassed(ctx), nil },
	}
}

// testsPassed acts where the policy says how to test and the turn changed
// something that is no documentation. It lets go where the standing cannot be
// told: a stop fails open.
func (in *Input) testsPassed(ctx context.Context) Finding {
	end := in.Event.Stop
	if len(in.Policy.Verify.Test) == 0 || end == nil || len(end.Tasks) > 0 || withoutEdit(ctx, in) {
		return Finding{}
	}
	repo, err := in.Repo(ctx)
	if err != nil {
		return Finding{Unsure: in.blind()}
	}
	a := in.Assessment(ctx)
	f, known := a.ByKind[evidence.Test]
	if !known {
		f = a.Finding
	}
	if len(in.History().Turns) == 0 {
		// Nothing tells whether this turn changed anything; a clean tree did not.
		if o, err := in.Overview(ctx); err != nil || o.Status.Clean() {
			return Finding{}
		}
	}
	if in.Policy.RunTests && in.Policy.Mode("test-gate") == policy.Enforce && in.runs(f.Standing) && !in.World.DryRun {
		return in.runTests(ctx, repo)
	}
	if in.shaky(f.Standing) {
		return Finding{Unsure: true}
	}
	if !f.Standing.Contradicts() && f.Standing != evidence.StandingPartial {
		return Finding{}
	}
	return Finding{
		Decision: hook.Deny, Rule: string(f.Standing), Matter: string(f.Standing), Standing: string(f.Standing),
		Reason: fmt.Sprintf("The tests have not passed on this tree (%s: %s). Run %s and mend what fails before you stop.", f.Standing, f.Why, in.settle()),
	}
}

// runs tells the standings that a run of our own can settle. A tree that failed
// is not run again before it changes.
func (in *Input) runs(s evidence.Standing) bool {
	switch s {
	case evidence.Supported, evidence.StandingFailed, evidence.SupersededByFailure:
		return false
	default:
		return true
	}
}

// maxTail is how much of a failing run's output goes into the reason, in bytes.
const maxTail = 1200

// runTests runs the policy's test command on this tree, records the run, and
// refuses the stop when it fails. Out of time it lets go, and says so.
func (in *Input) runTests(ctx context.Context, repo *evidence.Repo) Finding {
	command := in.Policy.Verify.Test[0]
	limit := time.Duration(in.Policy.Verify.Timeout)
	runCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now() //nolint:forbidigo // the length of a run of our own, not the time of the call
	output, failed := runShell(runCtx, repo.Root(), command)
	took := time.Since(began)
	if runCtx.Err() != nil {
		return Finding{Notices: []string{fmt.Sprintf("agentguard: %s did not end within %v; the turn was let go untested", command, limit)}, Rule: "out of time"}
	}
	in.recordOwnRun(ctx, repo, command, output, failed, took)
	if !failed {
		return Finding{Notices: []string{fmt.Sprintf("agentguard: %s passed on this tree", command)}, Standing: string(evidence.Supported)}
	}
	tail := strings.TrimSpace(output)
	if len(tail) > maxTail {
		tail = "… " + strings.ToValidUTF8(tail[len(tail)-maxTail:], "")
	}
	tail, _ = redact.Text(tail)
	return Finding{
		Decision: hook.Deny, Rule: "failed", Matter: "failed", Standing: string(evidence.StandingFailed),
		Reason: fmt.Sprintf("`%s` fails on this tree. Mend it before you stop. Its output ends with:\n%s", command, tail),
	}
}

// recordOwnRun puts a run of our own into the ledger, so that it is not repeated
// on an unchanged tree.
func (in *Input) recordOwnRun(ctx context.Context, repo *evidence.Repo, command, output string, failed bool, took time.Duration) {
	ledger, _, err := in.ledger(ctx)
	if err != nil {
		return
	}
	runs := evidence.Record(ctx, repo, evidence.Observed{
		Source: command, Dir: repo.Root(), Call: evidence.Call{Output: output, Failed: failed},
		Time: in.World.Now.Add(took).UTC(), Duration: took,
	}, in.verify())
	_ = ledger.Append(runs...) //nolint:errcheck // then it is run again
}
