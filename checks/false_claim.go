package checks

import (
	"context"
	"fmt"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/judge/prose"
	"agentguard/judge/redact"
	"agentguard/settings/policy"
)

func falseClaim() Check {
	return Check{
		ID: "false-claim", Title: "a closing message may not say what the repository plainly contradicts",
		Events: stopEvents, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) { return in.falseClaims(ctx), nil },
	}
}

// falseClaims compares what the message claims with the facts. Only a plain
// contradiction counts: a claim that nothing speaks to is the judged checks'
// matter.
func (in *Input) falseClaims(ctx context.Context) Finding {
	end := in.Event.Stop
	if end == nil || len(end.Tasks) > 0 {
		return Finding{}
	}
	text := in.Message()
	claims := prose.Parse(text).Claims()
	for _, c := range claims {
		fact, act := in.against(ctx, c)
		if fact == "" || in.blind() {
			continue
		}
		said, _ := redact.Text(strings.TrimRight(oneLine(text[c.Start:c.End]), ".。!！"))
		return Finding{
			Decision: hook.Deny, Rule: string(c.Kind), Matter: string(c.Kind), Subject: said,
			Standing: string(in.Assessment(ctx).Standing),
			Reason:   fmt.Sprintf("You wrote %q. %s %s", said, fact, act),
		}
	}
	_, trouble := in.Trouble()
	return Finding{Unsure: trouble && len(claims) > 0}
}

// against returns the fact that contradicts a claim and the act that settles it;
// nothing where the facts agree, are silent or cannot be read.
func (in *Input) against(ctx context.Context, c prose.Claim) (fact, act string) {
	switch c.Kind {
	case prose.ClaimTests, prose.ClaimBuild, prose.ClaimLint, prose.ClaimCI:
		return in.againstRun(ctx, c)
	case prose.ClaimCommit:
		return in.againstCommit(ctx, c)
	case prose.ClaimPushed:
		return in.againstPush(ctx)
	case prose.ClaimClean:
		o, err := in.Overview(ctx)
		if err != nil || o.Status.Clean() {
			return "", ""
		}
		return fmt.Sprintf("The working tree is not clean: %s.", paths(o.Status)), "Correct the statement, or commit or remove what is left."
	default:
		return "", ""
	}
}

// againstRun compares a claim of a passing run with the last run of its kind.
func (in *Input) againstRun(ctx context.Context, c prose.Claim) (fact, act string) {
	a := in.Assessment(ctx)
	f := a.Finding
	kind := map[prose.ClaimKind]evidence.Kind{prose.ClaimBuild: evidence.Build, prose.ClaimLint: evidence.Lint, prose.ClaimCI: evidence.CI}[c.Kind]
	if kind != "" {
		var known bool
		if f, known = a.ByKind[kind]; !known {
			return "", ""
		}
	}
	switch f.Standing {
	case evidence.StandingFailed, evidence.SupersededByFailure, evidence.EmptyRun:
		return "The record says otherwise: " + f.Why + ".", "Correct the statement, or make it true and run " + in.settle() + " again."
	default:
		return "", ""
	}
}

func (in *Input) againstCommit(ctx context.Context, c prose.Claim) (fact, act string) {
	if c.Detail == "" {
		return "", ""
	}
	exists, err := in.hasCommit(ctx, c.Detail)
	if err != nil || exists {
		return "", ""
	}
	return fmt.Sprintf("This repository has no commit %s.", c.Detail), "Look with `git log -1`, then correct the statement or make the commit."
}

// againstPush holds a claim of a push against the branch's upstream. Where this
// turn pushed something the remote may know more than we do.
func (in *Input) againstPush(ctx context.Context) (fact, act string) {
	for _, call := range in.History().Current().Calls {
		if strings.Contains(string(call.Input), "push") && !call.Failed {
			return "", ""
		}
	}
	o, err := in.Overview(ctx)
	if err != nil || o.Upstream == "" || o.Gone || o.Ahead == 0 {
		return "", ""
	}
	return fmt.Sprintf("%d commits are not on %s.", o.Ahead, o.Upstream), "Push them, or correct the statement."
}

// paths names a few of the files that a status lists.
func paths(s evidence.Status) string {
	var names []string
	for _, f := range s.Files {
		if len(names) == 3 {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(s.Files)-3)
		}
		names = append(names, f.Path)
	}
	return strings.Join(names, ", ")
}
