package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/judge/prose"
	"agentguard/judge/redact"
	"agentguard/judge/signals"
	"agentguard/settings/policy"
)

// judged is one of the checks that read the meaning of a closing message. They
// share one reading of the text and one call of a judge.
type judged struct {
	id, title string
	standard  policy.Mode
	// skip tells that the repository or the turn makes the check pointless; it is
	// asked only after a signal hit.
	skip func(ctx context.Context, in *Input) bool
	// unsure tells that facts could not be had on which the check rests: a stop
	// fails open.
	unsure func(ctx context.Context, in *Input) bool
	// settled tells that the facts alone let the text go.
	settled func(ctx context.Context, in *Input) (standing string, ok bool)
	// refuted tells that the facts contradict what the text claims. A judge must
	// still have read it: one that fails lets go.
	refuted func(ctx context.Context, in *Input, claims []prose.Claim) bool
	// advice is the one act that settles the matter.
	advice func(ctx context.Context, in *Input) (fact, act string)
}

// stopEvents are the events that end with a closing message.
var stopEvents = []hook.EventName{hook.Stop, hook.SubagentStop, hook.TaskCompleted, hook.TeammateIdle}

// judgedChecks lists them, in the order in which their reasons are given.
func judgedChecks() []judged {
	return []judged{commitBeforeVerification(), scopeCheck(), scopeChange(), shallowBugfix(), bugfixWithoutReproduction()}
}

// check makes the Check of one of them.
func (j judged) check() Check {
	return Check{
		ID: j.id, Title: j.title, Events: stopEvents, Guard: true, Standard: j.standard,
		Run: func(ctx context.Context, in *Input) (Finding, error) { return in.judgement(ctx)[j.id], nil },
	}
}

// judgement reads the closing message for all judged checks that are on. The
// cheapest comes first: no signal, no cost; then the state that makes a check
// pointless, the facts that settle it, the certain allows, and a judge last.
func (in *Input) judgement(ctx context.Context) map[string]Finding {
	found, _ := in.judged.get(func() (map[string]Finding, error) { return in.judgeMessage(ctx), nil }) //nolint:errcheck // it cannot fail
	return found
}

func (in *Input) judgeMessage(ctx context.Context) map[string]Finding {
	end := in.Event.Stop
	// Work that still runs in the background comes back with a turn of its own.
	if end == nil || len(end.Tasks) > 0 {
		return nil
	}
	text := in.Message()
	var active []string
	all := judgedChecks()
	for _, j := range all {
		if in.Active[j.id] {
			active = append(active, j.id)
		}
	}
	if len(active) == 0 || strings.TrimSpace(text) == "" {
		return nil
	}
	doc := prose.Parse(text)
	hits := signals.Scan(doc, active...)
	if len(hits) == 0 {
		return nil
	}
	clean, secrets := redact.Text(text)
	if clean != text {
		text, doc = clean, prose.Parse(clean)
		hits = signals.Scan(doc, active...)
	}
	found := map[string]Finding{}
	var open []judge.Spec
	claims := map[string][]prose.Claim{}
	for _, j := range all {
		mine := slices.DeleteFunc(slices.Clone(hits), func(m signals.Match) bool { return m.Check != j.id })
		if len(mine) == 0 || (j.skip != nil && j.skip(ctx, in)) {
			continue
		}
		f := Finding{Rule: mine[0].Name, Judged: &Judged{Signal: mine[0].Name, Secrets: plain(secrets), Text: signals.Excerpt(text, mine, judge.MaxText)}}
		spec, ok := judge.Named(j.id)
		if !ok {
			continue
		}
		if j.unsure != nil && j.unsure(ctx, in) {
			t, _ := in.Trouble()
			f.Standing, f.Unsure, f.Note = string(evidence.StandingUnknown), true, t.What
			found[j.id] = f
			continue
		}
		if pass, ok := in.letGo(ctx, j, doc, &f); ok {
			f.Judged.Bypass = pass
			f.Verdict = &judge.Verdict{Check: j.id, Result: judge.Allowed, Reason: pass}
			found[j.id] = f
			continue
		}
		claims[j.id] = doc.Read(j.id).Claims
		f.Subject = sentence(text, mine, doc, j.id)
		found[j.id] = f
		open = append(open, spec)
	}
	if len(open) == 0 || in.World.Judge == nil {
		return found
	}
	in.askJudge(ctx, judge.Question{Specs: open, Text: signals.Excerpt(text, hits, judge.MaxText), Facts: in.judgeFacts(ctx, open, claims)}, all, claims, found)
	return found
}

// letGo tells why a text needs no judge for one check.
func (in *Input) letGo(ctx context.Context, j judged, doc *prose.Document, f *Finding) (string, bool) {
	if j.settled != nil {
		standing, ok := j.settled(ctx, in)
		f.Standing = standing
		if ok {
			return "evidence: " + standing, true
		}
	}
	pass, ok := signals.Bypass(j.id, doc)
	switch {
	case !ok, pass.Approval && !in.userOrdersLess():
		return "", false
	case len(pass.Claims) > 0 && (in.contradicted(ctx, pass.Claims) || j.refuted != nil && j.refuted(ctx, in, pass.Claims)):
		return "", false
	default:
		return pass.Name, true
	}
}

// judgeFacts are what a judge is told of the repository.
func (in *Input) judgeFacts(ctx context.Context, open []judge.Spec, claims map[string][]prose.Claim) []string {
	facts := slices.Clone(in.Assessment(ctx).Facts)
	if in.Policy.Verify.Empty() {
		facts = append(facts, "The project names no command that verifies it: what the text reports as verified counts, unless a run contradicts it.")
	}
	for _, spec := range open {
		if hasField(spec, "verification_reported") && in.contradicted(ctx, claims[spec.Check]) {
			facts = append(facts, backend.ContradictedFact+"the repository shows that what the text reports as verified did not happen, or not on this tree")
			break
		}
	}
	return facts
}

// askJudge puts the question and turns each verdict into a finding. A claim of
// verification that the facts contradict does not count, whatever the judge read.
func (in *Input) askJudge(ctx context.Context, q judge.Question, all []judged, claims map[string][]prose.Claim, found map[string]Finding) {
	verdicts := in.World.Judge(ctx, q)
	for _, j := range all {
		v, asked := verdicts[j.id]
		f, open := found[j.id]
		if !asked || !open {
			continue
		}
		spec, _ := judge.Named(j.id)
		if v.Result == judge.Allowed && v.Fields["verification_reported"] && in.contradicted(ctx, claims[j.id]) {
			v.Fields["verification_reported"] = false
			if spec.Block(v.Fields) {
				v.Result = judge.Violation
			}
		}
		if v.Result == judge.Allowed && !v.Fields["retraction_or_quote"] && j.refuted != nil && j.refuted(ctx, in, claims[j.id]) {
			v.Result, v.Reason = judge.Violation, "the facts contradict what the text claims"
		}
		f.Verdict = &v
		if v.Result == judge.Violation {
			j.refuse(ctx, in, &f)
		}
		found[j.id] = f
	}
}

// refuse turns a finding into a refusal that quotes the sentence and asks for one
// act.
func (j judged) refuse(ctx context.Context, in *Input, f *Finding) {
	fact, act := j.advice(ctx, in)
	f.Decision = hook.Deny
	f.Reason = fmt.Sprintf("You wrote %q. %s %s", f.Subject, fact, act)
	f.Matter = f.Standing
}

// userOrdersLess tells whether the user's own words, in this turn or the ones
// before it, allow to leave something out: only then can a message say so.
func (in *Input) userOrdersLess() bool {
	return slices.ContainsFunc(in.History().Turns, func(t transcript.Turn) bool { return prose.OrdersLess(t.User) })
}

// sentence quotes what the message says that the check is about.
func sentence(text string, hits []signals.Match, doc *prose.Document, check string) string {
	m := hits[len(hits)-1]
	start, end := m.Start, m.End
	for _, n := range doc.Read(check).Notes {
		if n.Says == "proposal" {
			start, end = n.Start, n.End
			for _, s := range doc.Sentences {
				if s.Start <= n.Start && n.End <= s.End {
					start, end = s.Start, s.End
				}
			}
		}
	}
	return strings.TrimRight(oneLine(text[start:end]), ".。!！")
}

func hasField(spec judge.Spec, name string) bool {
	return slices.ContainsFunc(spec.Fields, func(f judge.Field) bool { return f.Name == name })
}

func plain(c redact.Counts) map[string]int {
	if len(c) == 0 {
		return nil
	}
	m := make(map[string]int, len(c))
	for k, n := range c {
		m[string(k)] = n
	}
	return m
}
