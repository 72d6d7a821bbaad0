package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentguard/cmd/internal/replay"
)

// runsSummary is what a listing of runs came to.
type runsSummary struct {
	replay.Counts
	Runs        int             `json:"runs"`
	StatusKnown int             `json:"status_known"`
	Misread     int             `json:"misread"`
	ByOutcome   map[string]int  `json:"by_outcome"`
	ByRunner    map[string]int  `json:"by_runner"`
	Unread      []replay.Unread `json:"unread,omitempty"`
	Partial     bool            `json:"partial"`
}

// replayRuns lists the runs of past sessions and how each was read.
func (a *app) replayRuns(ctx context.Context, o replayOptions, reader *replay.Reader, families []replay.Family, unread []replay.Unread, j *replay.Judge, bar *progress) error {
	sum := runsSummary{ByOutcome: map[string]int{}, ByRunner: map[string]int{}}
	runs := &replay.Runs{Judge: j, Emit: func(r replay.ReadRun) {
		sum.Runs++
		sum.ByOutcome[r.Outcome]++
		sum.ByRunner[r.Runner]++
		if r.Status != nil {
			sum.StatusKnown++
		}
		if r.Misread {
			sum.Misread++
		}
		if o.Misread && !r.Misread {
			return
		}
		r.File = a.tilde(r.File)
		if o.JSON {
			a.object(r)
			return
		}
		a.printRun(r, o.Misread)
	}}
	for _, fam := range families {
		if ctx.Err() != nil {
			break
		}
		reader.Runs(ctx, fam, runs, func(f *replay.File, c replay.Counts, err error) {
			sum.Add(c)
			if err != nil {
				unread = append(unread, replay.Unread{File: f.Path, Why: err.Error()})
			}
		})
	}
	bar.end()
	sum.Partial = ctx.Err() != nil
	for _, u := range unread {
		sum.Unread = append(sum.Unread, replay.Unread{File: a.tilde(u.File), Why: a.tilde(u.Why)})
	}
	if o.JSON {
		a.object(map[string]runsSummary{"summary": sum})
		return nil
	}
	a.printRunsSummary(sum)
	return nil
}

// printRun prints one run; with its script and its output's end where they must
// show which of the two was wrong.
func (a *app) printRun(r replay.ReadRun, whole bool) {
	status := "status unknown"
	if r.Status != nil {
		status = fmt.Sprintf("status %d", *r.Status)
	}
	var counts []string
	for _, c := range []struct {
		n    int
		word string
	}{{r.Counts.Passed, "passed"}, {r.Counts.Failed, "failed"}, {r.Counts.Skipped, "skipped"}} {
		if c.n >= 0 {
			counts = append(counts, fmt.Sprintf(", %d %s", c.n, c.word))
		}
	}
	text := ""
	if r.Line != "" {
		text = fmt.Sprintf(", by %q", r.Line)
	}
	who := ""
	if r.Subagent != "" {
		who = " (subagent)"
	}
	a.line("%s turn %d%s: %s `%s`: %s, read as %s%s%s\n", r.File, r.Turn, who, r.Kind, r.Command, status, r.Outcome, strings.Join(counts, ""), text)
	if !whole {
		return
	}
	for _, block := range []string{r.Text, r.Tail} {
		for line := range strings.Lines(strings.TrimSpace(block)) {
			a.printf("    %s\n", strings.TrimRight(line, "\n"))
		}
		a.printf("\n")
	}
}

func (a *app) printRunsSummary(sum runsSummary) {
	if sum.Partial {
		a.printf("Stopped early.\n")
	}
	a.printf("%s: %s\n", replayCounts(sum.Counts), number(sum.Runs, "run"))
	for _, outcome := range slices.Sorted(maps.Keys(sum.ByOutcome)) {
		a.printf("  %-30s %d\n", outcome, sum.ByOutcome[outcome])
	}
	a.printf("%d have an exit status of their own; %d of these were read otherwise\n", sum.StatusKnown, sum.Misread)
	a.printUnread(sum.Unread)
}
