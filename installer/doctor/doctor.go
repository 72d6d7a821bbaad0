// Package doctor finds out why guards do not work: one table of probes for the
// ways in which a client's hooks break, each with the proof, the cause and the
// mend.
//
// It looks at files as the client would read them, runs only entries that are
// our own, leaves no trace in the ledger or the log, and says "proven" only for
// what it has seen work. The environment, the clock and the home folder come in
// as values.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// Severity orders findings and the status of probes: the worst decides.
type Severity int

// The severities, mildest first.
const (
	// Skipped: the probe did not apply or could not be done here.
	Skipped Severity = iota
	// OK: looked at, nothing wrong.
	OK
	// Info: good to know; nothing has to be done.
	Info
	// Warning: works, but not as it seems to, or not for long.
	Warning
	// Error: a hook does not do what it is there for.
	Error
)

// String returns the word used in --json.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warn"
	case Info:
		return "info"
	case OK:
		return "ok"
	case Skipped:
	}
	return "skipped"
}

// MarshalText writes the word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is one trouble at one place.
type Finding struct {
	// Kind is the name of the trouble, as in the pages of Explain.
	Kind     string   `json:"kind"`
	Severity Severity `json:"severity"`
	// File is absolute in the package and shown with ~ for the home folder; it is
	// empty where the machine is meant. Line counts from 1, 0 means the whole file.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// Message says what was found and why it matters, Fix what to do next.
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
	// Fixable tells whether Plan can make a change for it, shown before it is made.
	Fixable bool `json:"fixable"`

	mend func(*mending) error
}

// Probe looks for one family of troubles.
type Probe struct {
	// ID is stable and kebab-case, Title a short line for people.
	ID, Title string
	// Kinds are the troubles it can find.
	Kinds []string
	// Live probes start stand-in programs and run only when asked for.
	Live bool
	// Deadline is the longest it may take; 0 means DefaultDeadline.
	Deadline time.Duration
	// Run returns what it found. A finding of severity OK says what was proven.
	Run func(ctx context.Context, p *Patient) []Finding
}

// DefaultDeadline is the time of a probe that only reads files.
const DefaultDeadline = 5 * time.Second

// Result is what one probe said.
type Result struct {
	Probe    string        `json:"probe"`
	Title    string        `json:"title"`
	Status   Severity      `json:"status"`
	Note     string        `json:"note,omitempty"`
	Findings []Finding     `json:"-"`
	Took     time.Duration `json:"-"`
}

// Options choose what Run does beyond reading.
type Options struct {
	// Live also runs the probes that start stand-in clients and the person's shell.
	Live bool
}

// Run examines the patient with every probe of All, in its order. A probe that
// passes its deadline or fails is a result of its own; the others still count.
func Run(ctx context.Context, p *Patient, o Options) Report {
	p.defaults()
	p.askVersion(ctx)
	report := Report{Version: p.Version}
	seen := map[string]bool{}
	for _, probe := range All() {
		if probe.Live && !o.Live {
			report.Results = append(report.Results, Result{
				Probe: probe.ID, Title: probe.Title, Status: Skipped, Note: "only with --live",
			})
			continue
		}
		result := runProbe(ctx, p, probe)
		result.Findings = slices.DeleteFunc(result.Findings, func(f Finding) bool {
			key := fmt.Sprintf("%s\x00%s\x00%d", f.Kind, f.File, f.Line)
			twice := seen[key] && f.Severity > OK
			seen[key] = seen[key] || f.Severity > OK
			return twice
		})
		report.Results = append(report.Results, result)
	}
	report.home = p.Home
	return report
}

func runProbe(ctx context.Context, p *Patient, probe Probe) Result {
	limit := cmp.Or(probe.Deadline, DefaultDeadline)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	result := Result{Probe: probe.ID, Title: probe.Title}
	type answer struct {
		findings []Finding
		failure  any
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- answer{failure: r}
			}
		}()
		done <- answer{findings: probe.Run(ctx, p)}
	}()
	// A probe that heeds its context answers in time with what it has; the grace
	// is for that.
	grace := time.NewTimer(limit + time.Second)
	defer grace.Stop()
	select {
	case a := <-done:
		result.Findings = a.findings
		if a.failure != nil {
			result.Note = fmt.Sprintf("this probe failed (%v); please report it", a.failure)
		}
	case <-grace.C:
		result.Note = fmt.Sprintf("no answer within %s", limit)
	}
	if result.Note != "" {
		return result
	}
	result.Status = OK
	for _, f := range result.Findings {
		result.Status = max(result.Status, f.Severity)
	}
	return result
}
