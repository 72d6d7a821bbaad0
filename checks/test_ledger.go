package checks

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/settings/policy"
)

func testLedger() Check {
	return Check{
		ID: "test-ledger", Title: "records what was verified, how it ended, and on which tree",
		Events: []hook.EventName{hook.PostToolUse, hook.PostToolUseFailure}, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			return Finding{}, errors.Join(in.recordRuns(ctx), in.recordCommit(ctx))
		},
	}
}

// recordRuns writes a ledger line for each verification of the event's call. A
// call that verified nothing costs no look at the repository.
func (in *Input) recordRuns(ctx context.Context) error {
	if in.World.DryRun || in.Event.Tool == nil {
		return nil
	}
	command, ok := in.ShellCommand()
	if !ok {
		return nil
	}
	verify := in.verify()
	if len(evidence.Recognise(command, verify)) == 0 {
		return nil
	}
	ledger, repo, err := in.ledger(ctx)
	if err != nil {
		return nil //nolint:nilerr // outside a repository there is nothing to record it for
	}
	call := in.call()
	return ledger.Append(evidence.Record(ctx, repo, evidence.Observed{
		ID: call.ID, Session: in.Event.SessionID, Agent: in.Event.AgentID, Source: command, Dir: in.Event.CWD,
		Call: evidence.Call{Output: call.Output, Failed: call.Failed, Background: call.Background},
		Time: in.World.Now.UTC(), Duration: in.Event.Tool.Duration,
	}, verify)...)
}

// call turns the event's tool call into the shape that a transcript gives.
func (in *Input) call() transcript.Call {
	t := in.Event.Tool
	call := transcript.Call{ID: t.UseID, Tool: t.Name, Input: t.Input, Time: in.World.Now}
	if in.Event.Name == hook.PostToolUseFailure {
		call.Output, call.Failed = t.Error, true
		return call
	}
	var r struct {
		Stdout, Stderr   string
		BackgroundTaskID string `json:"backgroundTaskId"`
	}
	if json.Unmarshal(t.Response, &r) != nil {
		// Some clients send the output as a plain string.
		if json.Unmarshal(t.Response, &call.Output) != nil {
			call.Output = string(t.Response)
		}
		return call
	}
	call.Output = strings.TrimSpace(r.Stdout + "\n" + r.Stderr)
	call.Background = r.BackgroundTaskID != ""
	return call
}
