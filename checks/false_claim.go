package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentguard/hook"
	"agentguard/judge"
	"agentguard/judge/prose"
	"agentguard/judge/redact"
	"agentguard/judge/signals"
	"agentguard/settings/policy"
)

func falseClaim() Check {
	return Check{
		ID: judge.FalseClaim, Title: "a closing message may not say what the repository plainly contradicts",
		Events: stopEvents, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) { return in.falseClaims(ctx), nil },
	}
}

// falseClaims compares what the message plainly asserts with the facts. Only a
// contradiction beyond doubt counts: a claim that nothing speaks to, or that
// nothing certain speaks against, is the judged checks' matter.
func (in *Input) falseClaims(ctx context.Context) Finding {
	end := in.Event.Stop
	if end == nil || len(end.Tasks) > 0 {
		return Finding{}
	}
	text := in.Message()
	if in.Policy.Judge.Text == "turn" {
		text = end.LastMessage // what was said on the way was true then
	}
	claims := prose.Parse(text).Assertions()
	for _, c := range claims {
		fact, act := in.against(ctx, text, c)
		if fact == "" || in.blind() {
			continue
		}
		said, _ := redact.Text(strings.TrimRight(oneLine(c.Text), ".。!！"))
		f := Finding{
			Decision: hook.Deny, Rule: string(c.Kind), Matter: string(c.Kind), Subject: said,
			Standing: string(in.Assessment(ctx).Standing),
			Reason:   fmt.Sprintf("You wrote %q. %s %s", said, fact, act),
		}
		in.confirm(ctx, text, c, fact, &f)
		return f
	}
	_, trouble := in.Trouble()
	return Finding{Unsure: trouble && len(claims) > 0}
}

// against returns the fact that contradicts a claim and the act that settles it;
// nothing where the facts agree, are silent or cannot be read.
func (in *Input) against(ctx context.Context, text string, c prose.Claim) (fact, act string) {
	switch c.Kind {
	case prose.ClaimTests, prose.ClaimBuild, prose.ClaimLint, prose.ClaimTypes, prose.ClaimCI, prose.ClaimRun:
		return in.againstRun(ctx, c)
	case prose.ClaimCommit:
		return in.againstCommit(ctx, c)
	case prose.ClaimPushed:
		return in.againstPush(ctx, c)
	case prose.ClaimClean, prose.ClaimAllIn:
		return in.againstClean(ctx, text, c)
	default:
		return "", ""
	}
}

// confirm asks a judge before a refusal goes out, where the policy names one
// that understands more than the reader that found the claim. It may withdraw
// the refusal. One that fails withdraws nothing: the facts carry the refusal,
// and they stand without it.
func (in *Input) confirm(ctx context.Context, text string, c prose.Claim, fact string, f *Finding) {
	spec, ok := judge.Named(judge.FalseClaim)
	if !ok || in.World.Judge == nil || !in.asksModel() {
		return
	}
	excerpt, secrets := redact.Text(signals.Excerpt(text, []signals.Match{{Check: judge.FalseClaim, Start: c.Start, End: c.End}}, judge.MaxText))
	f.Judged = &Judged{Signal: string(c.Kind), Secrets: plain(secrets), Text: excerpt}
	v := in.World.Judge(ctx, judge.Question{
		Specs: []judge.Spec{spec}, Text: excerpt,
		Facts: []string{fmt.Sprintf("The statement in question: %q", f.Subject), "What speaks against it: " + fact},
	})[judge.FalseClaim]
	f.Verdict = &v
	if v.Result == judge.Allowed {
		f.Decision, f.Reason = hook.Pass, ""
	}
}

// asksModel tells that the policy's judges are not the offline reader alone.
func (in *Input) asksModel() bool {
	return slices.ContainsFunc(in.Policy.Judge.Order, func(name string) bool {
		return name != judge.Offline && in.Policy.Judge.Backends[name].Type != judge.Offline
	})
}
