package replay

import (
	"context"
	"slices"
	"time"

	"agentguard/checks"
	"agentguard/checks/evidence"
	"agentguard/judge/redact"
)

// Detail is what one must see of a finding to judge it. Texts are redacted.
type Detail struct {
	User    string `json:"user,omitempty"`    // what the user asked for
	Command string `json:"command,omitempty"` // the whole script of a shell's call
	Message string `json:"message,omitempty"` // the closing message
	Runs    []Run  `json:"runs"`              // the last ones before it, oldest first
}

// Run is one run that was read, as it stood at the step.
type Run struct {
	Command  string     `json:"command"`
	Kind     string     `json:"kind"`
	Outcome  string     `json:"outcome"`
	Line     string     `json:"line,omitempty"` // of the output, where one decided
	CallsAgo int        `json:"calls_ago"`      // how many tool calls lie between, the run's own included
	Time     *time.Time `json:"time,omitempty"`
	// Changed lists what was changed since, as far as it counts; Known tells
	// whether that could be told.
	Changed []string `json:"changed,omitempty"`
	Moved   bool     `json:"moved,omitempty"` // git changed files since
	Known   bool     `json:"known"`
}

// Bounds of a detail, in runs and runes.
const (
	maxRuns    = 5
	maxUser    = 300
	maxCommand = 3000
	maxMessage = 3000
)

// detail looks around a step. It is costly and asked for the findings that are
// shown alone.
func (s *Step) detail(ctx context.Context, in *checks.Input) Detail {
	d := Detail{User: clean(s.now.user, maxUser), Message: block(s.Message, maxMessage), Runs: []Run{}}
	if s.Call != nil {
		d.Command = block(commandOf(s.Call), maxCommand)
	}
	numbers := map[string]int{}
	for _, c := range s.s.memory.flat(s.now) {
		numbers[c.ID] = c.n
	}
	a := in.Assessment(ctx)
	runs := a.Runs[max(0, len(a.Runs)-maxRuns):]
	if a.Run != nil && !slices.ContainsFunc(runs, func(r evidence.Seen) bool { return r.ID == a.Run.ID }) {
		runs = append([]evidence.Seen{*a.Run}, runs...) // the one that decided
	}
	for _, r := range runs {
		run := Run{
			Command: clean(r.Command, maxSubject), Kind: string(r.Kind), Outcome: string(r.Outcome), Line: clean(r.Line, maxUser),
			Changed: r.Differs, Known: r.Known, Moved: r.Known && !r.Current && len(r.Differs) == 0,
		}
		if n, ok := numbers[r.ID]; ok {
			run.CallsAgo = s.s.memory.count - n + 1
		}
		if !r.Time.IsZero() {
			at := r.Time
			run.Time = &at
		}
		d.Runs = append(d.Runs, run)
	}
	return d
}

// block redacts a text and bounds it, its lines kept. Of a long one the middle
// goes: what a message claims mostly stands at its end.
func block(text string, most int) string {
	text, _ = redact.Text(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most/3]) + "\n…\n" + string(runes[len(runes)-2*most/3:])
	}
	return text
}
