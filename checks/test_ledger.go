package checks

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/settings/policy"
)

func testLedger() Check {
	return Check{
		ID: "test-ledger", Title: "records what was verified, how it ended, and on which tree",
		Events: []hook.EventName{hook.PostToolUse, hook.PostToolUseFailure, hook.UserPromptSubmit}, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			in.settleRuns(ctx)
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
	if !ok && evidence.IsShell(in.Event.Tool.Name) {
		command = evidence.ShellText(in.Event.Tool.Input)
	}
	verify := in.verify()
	if command == "" || len(evidence.Recognise(command, verify)) == 0 {
		return nil
	}
	ledger, repo, err := in.ledger(ctx)
	if err != nil {
		return nil //nolint:nilerr // outside a repository there is nothing to record it for
	}
	call := in.call()
	call.Dir = in.startDir(command)
	runs := evidence.Record(ctx, repo, evidence.Observed{
		ID: call.ID, Session: in.Event.SessionID, Agent: in.Event.AgentID, Transcript: in.transcript(), Source: command, Dir: call.Dir,
		Call: evidence.CallOf(call), Time: in.World.Now.UTC(), Duration: in.Event.Tool.Duration,
	}, verify)
	if err := ledger.Append(runs...); err != nil || len(runs) == 0 || in.Event.SessionID == "" {
		return err
	}
	if s := evidence.StartedBy(call, command, call.Dir); s.Traced() {
		return in.keepStarted(s)
	}
	return nil
}

// startDir is the folder in which the event's shell text began. The event names
// the one that it left, which is another after "cd"; the transcript has both.
func (in *Input) startDir(command string) string {
	if (strings.Contains(command, "cd ") || strings.Contains(command, "pushd ")) && in.Event.AgentID == "" {
		for _, c := range in.History().Current().Calls {
			if c.ID == in.Event.Tool.UseID && c.Dir != "" {
				return c.Dir
			}
		}
	}
	return in.Event.CWD
}

// call turns the event's tool call into the shape that a transcript gives.
func (in *Input) call() transcript.Call {
	t := in.Event.Tool
	call := transcript.Call{ID: t.UseID, Tool: t.Name, Input: t.Input, Time: in.World.Now}
	if in.Event.Name == hook.PostToolUseFailure {
		call.Output, call.Failed = t.Error, true
		return call
	}
	r := gjson.ParseBytes(t.Response)
	switch {
	case !r.IsObject():
		// The output as a plain text, without a word on how the command ended.
		call.Output, call.NoStatus = r.String(), true
	case r.Get("file.content").Exists():
		call.Output = r.Get("file.content").String()
	case r.Get("task.task_id").Exists():
		call.Output = tagged(r.Get("task"), "output", "exitCode")
	case r.Get("shellId").Exists():
		call.Output = tagged(r, "stdout", "exitCode")
	case r.Get("stdout").Exists() || r.Get("stderr").Exists():
		call.Output = strings.TrimSpace(r.Get("stdout").String() + "\n" + r.Get("stderr").String())
		call.Task = r.Get("backgroundTaskId").String()
		call.Background = call.Task != ""
	default:
		call.Output, call.NoStatus = string(t.Response), true
	}
	// A monitor only starts its command.
	call.Background = call.Background || t.Name == "Monitor"
	return call
}

// tagged writes the answer of a tool that asks for a background task in the form
// that the model sees.
func tagged(r gjson.Result, output, code string) string {
	text := "<status>" + r.Get("status").String() + "</status>\n"
	if n := r.Get(code); n.Type == gjson.Number {
		text += "<exit_code>" + strconv.FormatInt(n.Int(), 10) + "</exit_code>\n"
	}
	text += "<output>\n" + r.Get(output).String()
	if errs := r.Get("stderr").String(); errs != "" {
		text += "\n" + errs
	}
	return text + "\n</output>"
}
