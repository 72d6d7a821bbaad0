package cli

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"agentguard/cmd/internal/replay"
)

// replaySampling is how a sample was drawn.
type replaySampling struct {
	N    int    `json:"n"`
	Of   int    `json:"of"`
	Seed uint64 `json:"seed"`
}

// replaySampler draws findings as they come, each with the same chance.
type replaySampler struct {
	replaySampling
	want   int
	random *rand.Rand
	drawn  []drawn
}

// drawn is one finding of a sample, with its place among all.
type drawn struct {
	replay.Finding
	replay.Detail
	at int
}

func newReplaySampler(n int, seed uint64) *replaySampler {
	return &replaySampler{replaySampling{Seed: seed}, n, rand.New(rand.NewPCG(seed, 0)), nil} //nolint:gosec // a sample, no secret
}

func (s *replaySampler) offer(f replay.Finding, detail func() replay.Detail) {
	s.Of++
	if len(s.drawn) < s.want {
		s.drawn = append(s.drawn, drawn{f, detail(), s.Of})
		s.N = len(s.drawn)
		return
	}
	if i := s.random.IntN(s.Of); i < s.want {
		s.drawn[i] = drawn{f, detail(), s.Of}
	}
}

// printSample prints the drawn findings in the order of the sessions.
func (out *replayOutput) printSample(s *replaySampler) {
	slices.SortFunc(s.drawn, func(a, b drawn) int { return a.at - b.at })
	for i, d := range s.drawn {
		if out.o.JSON {
			out.object(d)
			continue
		}
		out.line("%d of %d: %s by %s (%s), rule %s", i+1, s.N, d.Decision, d.Check, replayMode(d.Finding), cmp.Or(d.Rule, "none"))
		if d.Standing != "" {
			out.printf(", standing %s", d.Standing)
		}
		out.printf("\n")
		out.printDrawn(d)
	}
	if !out.o.JSON {
		out.printf("%d of %d findings, drawn with --seed %d\n\n", s.N, s.Of, s.Seed)
	}
}

// margin is what stands before the lines of a sample; a label fits into it.
const margin = "            "

func (out *replayOutput) field(label, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	var lines []string
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		lines = append(lines, wrap(line, margin))
	}
	out.printf("  %-9s %s\n", label, strings.Join(lines, "\n"+margin))
}

func (out *replayOutput) printDrawn(d drawn) {
	where := fmt.Sprintf("%s turn %d", d.File, d.Turn)
	if d.Subagent != "" {
		where += ", subagent " + d.Subagent
	}
	if d.Time != nil {
		where += ", " + d.Time.Format(time.RFC3339)
	}
	out.field("where", where)
	folder := d.CWD
	if d.Project != d.CWD {
		folder += ", project " + d.Project
	}
	out.field("folder", folder)
	out.field("asked", d.User)
	switch {
	case d.Command != "":
		out.field("command", d.Command)
	case d.Message != "":
		out.field("sentence", d.Subject)
		out.field("message", d.Message)
	default:
		out.field("subject", d.Subject)
	}
	out.field("why", d.Reason)
	for i, r := range d.Runs {
		label := ""
		if i == 0 {
			label = "runs"
		}
		out.printf("  %-9s %s\n", label, wrap(runLine(r), margin))
	}
	if len(d.Runs) == 0 {
		out.field("runs", "none before it")
	}
	out.printf("\n")
}

// runLine tells a run with what happened since.
func runLine(r replay.Run) string {
	ago := fmt.Sprintf("%d calls ago", r.CallsAgo)
	switch r.CallsAgo {
	case 0:
		ago = "earlier"
	case 1:
		ago = "1 call ago"
	}
	text := fmt.Sprintf("%s `%s` %s", ago, r.Command, r.Outcome)
	if r.Line != "" {
		text += fmt.Sprintf(" (%q)", r.Line)
	}
	switch {
	case !r.Known:
		return text + "; it is not known what changed since"
	case r.Moved:
		return text + "; git changed files since"
	case len(r.Changed) == 0:
		return text + "; nothing changed since"
	}
	names := strings.Join(r.Changed[:min(3, len(r.Changed))], ", ")
	if n := len(r.Changed) - 3; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return text + "; changed since: " + names
}
