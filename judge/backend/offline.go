package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"agentguard/judge"
	"agentguard/judge/prose"
)

// ErrUnsure is the answer of the offline backend where it has read nothing that
// it is sure of. Like any error of a backend it lets go.
var ErrUnsure = judge.ErrUnsure

// ContradictedFact begins a fact of a question that takes away the text's own
// claim of verification.
const ContradictedFact = "contradicted: "

// Offline returns the backend that reads the text by rules, clause by clause. It
// needs no network, no program and no key, and answers only what it is sure of.
func Offline() judge.Backend { return offline{} }

type offline struct{}

func (offline) Name() string { return judge.Offline }

// Ask answers for the built-in checks; specs with other ids get no answer.
func (offline) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	if err := ctx.Err(); err != nil {
		return judge.Reply{}, err
	}
	d := prose.Parse(q.Text)
	reply := judge.Reply{Answers: map[string]json.RawMessage{}}
	for _, spec := range q.Specs {
		r := d.Read(spec.Check)
		for _, f := range q.Facts {
			if strings.HasPrefix(f, ContradictedFact) {
				r.Verified = prose.No
			}
		}
		answer, ok := fields(spec, r)
		if !ok {
			continue
		}
		answer["reason"] = reason(q.Text, r)
		raw, err := json.Marshal(answer)
		if err != nil {
			return judge.Reply{}, fmt.Errorf("offline answer: %w", err)
		}
		reply.Answers[spec.Check] = raw
	}
	if len(reply.Answers) == 0 {
		return judge.Reply{}, ErrUnsure
	}
	raw, err := json.Marshal(reply.Answers)
	if err != nil {
		return judge.Reply{}, fmt.Errorf("offline answer: %w", err)
	}
	reply.Raw = string(raw)
	return reply, nil
}

// fields turns a reading into the fields that spec asks for; ok is false where
// one that matters is unsure or unknown to this backend.
func fields(spec judge.Spec, r prose.Reading) (answer map[string]any, ok bool) {
	if !readable(spec.Check) {
		return nil, false
	}
	answer = map[string]any{}
	for _, f := range spec.Fields {
		var t prose.Tri
		switch f.Name {
		case "new_proposal":
			t = r.Proposal
		case "verification_reported":
			t = r.Verified
		case "direction_query":
			t = r.Asked
		case "future_step_description":
			t = r.Sequenced
		case "retraction_or_quote":
			t = r.Retracted
		default:
			return nil, false
		}
		if t == prose.Unsure && (f.Name == "new_proposal" || r.Proposal == prose.Yes) {
			return nil, false
		}
		answer[f.Name] = t == prose.Yes
	}
	return answer, true
}

func readable(check string) bool {
	switch check {
	case "commit-before-verification", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction":
		return true
	}
	return false
}

// maxReason bounds the words that a reason quotes, in runes.
const maxReason = 160

// reason says in plain words what was read where.
func reason(text string, r prose.Reading) string {
	var parts []string
	for _, n := range r.Notes {
		if len(parts) == 3 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %q", n.Says, shorten(text[n.Start:n.End])))
	}
	if len(parts) == 0 {
		return "nothing of this kind is said"
	}
	return strings.Join(parts, "; ")
}

func shorten(s string) string {
	r := []rune(s)
	if len(r) > maxReason {
		return string(r[:maxReason]) + "…"
	}
	return s
}

// ExplainOffline tells for people how the offline backend reads a question: each
// sentence with its clauses (who, when, how it hangs on the others), and for
// each check what was found by which rule and what follows.
func ExplainOffline(q judge.Question) string {
	var b strings.Builder
	d := prose.Parse(q.Text)
	for i := range d.Parts {
		p := d.Parts[i]
		switch p.Kind {
		case prose.Own, prose.Heading, prose.Item:
		default:
			announced := ""
			if p.Announced {
				announced = ", announced to run now"
			}
			fmt.Fprintf(&b, "not the writer's words: %s%s, bytes %d to %d\n", p.Kind, announced, p.Start, p.End)
		}
	}
	for i := range d.Sentences {
		s := &d.Sentences[i]
		fmt.Fprintf(&b, "[%s] %s\n", s.Lang, shorten(q.Text[s.Start:s.End]))
		for _, c := range s.Clauses {
			fmt.Fprintf(&b, "    %-40s %s\n", shorten(c.Text), traits(c))
		}
	}
	for _, spec := range q.Specs {
		r := d.Read(spec.Check)
		fmt.Fprintf(&b, "%s: proposal %s, verified %s, asked %s, later step %s, taken back or quoted %s\n",
			spec.Check, r.Proposal, r.Verified, r.Asked, r.Sequenced, r.Retracted)
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "    %s (%s): %s\n", n.Says, n.Rule, shorten(q.Text[n.Start:n.End]))
		}
	}
	return b.String()
}

func traits(c prose.Clause) string {
	var t []string
	for _, s := range []string{string(c.Actor), string(c.Tense), c.Link} {
		if s != "" {
			t = append(t, s)
		}
	}
	if c.Mood != prose.Statement {
		t = append(t, string(c.Mood))
	}
	if c.Negated {
		t = append(t, "negated")
	}
	if c.Modal {
		t = append(t, "modal")
	}
	return strings.Join(t, ", ")
}
