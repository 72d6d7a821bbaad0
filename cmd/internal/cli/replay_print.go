package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/cmd/internal/replay"
)

// replaySummary is what all files came to. docs/replay.md says what each member
// means.
type replaySummary struct {
	replay.Counts
	Refused  replayTally     `json:"refused"`
	Open     replayTally     `json:"open"`
	Observed replayTally     `json:"observed"`
	Gates    replayGates     `json:"gates"`
	Broken   map[string]int  `json:"broken,omitempty"`
	Unread   []replay.Unread `json:"unread,omitempty"`
	Sample   *replaySampling `json:"sample,omitempty"`
	Partial  bool            `json:"partial"`
}

// replayTally counts findings of one kind.
type replayTally struct {
	Findings int            `json:"findings"`
	Turns    int            `json:"turns"`
	ByCheck  map[string]int `json:"by_check"`
}

func (t *replayTally) add(check string) {
	t.Findings++
	if t.ByCheck == nil {
		t.ByCheck = map[string]int{}
	}
	t.ByCheck[check]++
}

func (t *replayTally) merge(o replayTally) {
	t.Findings += o.Findings
	t.Turns += o.Turns
	for id, n := range o.ByCheck {
		if t.ByCheck == nil {
			t.ByCheck = map[string]int{}
		}
		t.ByCheck[id] += n
	}
}

// replayGates is what the commit and push gates came to, and how they knew a run.
type replayGates struct {
	replay.Gates
	Verify string `json:"verify"`
}

func (s *replaySummary) merge(o replaySummary) {
	s.Add(o.Counts)
	s.Refused.merge(o.Refused)
	s.Open.merge(o.Open)
	s.Observed.merge(o.Observed)
	s.Gates.Add(o.Gates.Gates)
	for id, n := range o.Broken {
		if s.Broken == nil {
			s.Broken = map[string]int{}
		}
		s.Broken[id] += n
	}
}

// replayState is what --resume goes on from: what was asked, the files that are
// done, and what they came to.
type replayState struct {
	Asked    string        `json:"asked"`
	Finished []string      `json:"finished"`
	Summary  replaySummary `json:"summary"`
}

// replayOutput prints findings as they come and adds up.
type replayOutput struct {
	*app
	o       replayOptions
	state   replayState
	open    replaySummary    // of the files that are not done
	turn    []replay.Finding // of the turn that is being read
	sampler *replaySampler
	unread  []replay.Unread
}

func newReplayOutput(a *app, o replayOptions, unread []replay.Unread) *replayOutput {
	out := &replayOutput{app: a, o: o, state: replayState{Asked: o.asked()}, unread: unread}
	if o.Sample > 0 {
		out.sampler = newReplaySampler(o.Sample, o.Seed)
	}
	return out
}

// asked tells replays apart whose counts do not add up.
func (o replayOptions) asked() string {
	dir, _ := workingDir() //nolint:errcheck // its policy could not be read either
	b, err := json.Marshal([]any{dir, o.Judge, o.Verify, o.Checks, o.Events, o.Enforced})
	if err != nil {
		return ""
	}
	return string(b)
}

func (out *replayOutput) place() string {
	return filepath.Join(out.env.World().State, "agentguard", "replay.json")
}

// resume takes up where the last replay of the same kind stopped.
func (out *replayOutput) resume() {
	var state replayState
	b, err := os.ReadFile(out.place())
	if err == nil && json.Unmarshal(b, &state) == nil && state.Asked == out.o.asked() {
		out.state = state
		return
	}
	out.notef("agentguard: there is no stopped replay of this kind; starting anew\n")
}

func (out *replayOutput) skip(f *replay.File) bool {
	return slices.Contains(out.state.Finished, f.Path)
}

// finding takes what was found; the findings of one turn are printed together.
func (out *replayOutput) finding(f replay.Finding, detail func() replay.Detail) {
	if out.o.Enforced && !f.Enforced {
		return
	}
	if len(out.turn) > 0 && (out.turn[0].File != f.File || out.turn[0].Turn != f.Turn) {
		out.endTurn()
	}
	f.File = out.tilde(f.File)
	out.turn = append(out.turn, f)
	out.open.tally(f).add(f.Check)
	switch {
	case out.sampler != nil:
		out.sampler.offer(f, detail)
	case out.o.JSON:
		out.object(f)
	}
}

// endTurn counts the turn and prints its line: the strictest finding, and how many
// more there are.
func (out *replayOutput) endTurn() {
	if len(out.turn) == 0 {
		return
	}
	strictest := out.turn[0]
	counted := map[*replayTally]bool{}
	for _, f := range out.turn {
		if t := out.open.tally(f); !counted[t] {
			counted[t] = true
			t.Turns++
		}
		if stricter(f, strictest) {
			strictest = f
		}
	}
	if !out.o.JSON && out.sampler == nil {
		more := ""
		if n := len(out.turn) - 1; n > 0 {
			more = fmt.Sprintf("  (+%d more)", n)
		}
		out.line("%s%s\n", replayLine(strictest), more)
	}
	out.turn = out.turn[:0]
}

// tally is where a finding is counted.
func (s *replaySummary) tally(f replay.Finding) *replayTally {
	switch {
	case !f.Enforced:
		return &s.Observed
	case f.Open:
		return &s.Open
	default:
		return &s.Refused
	}
}

// stricter tells that a is the worse of two findings of a turn.
func stricter(a, b replay.Finding) bool {
	if a.Enforced != b.Enforced {
		return a.Enforced
	}
	if a.Open != b.Open {
		return b.Open
	}
	return a.Decision > b.Decision
}

// replayLine is a finding on one line.
func replayLine(f replay.Finding) string {
	who := ""
	if f.Subagent != "" {
		who = " (subagent)"
	}
	return fmt.Sprintf("%s turn %d%s: %s by %s (%s): %s", f.File, f.Turn, who, f.Decision, f.Check, replayMode(f), cmp.Or(f.Subject, f.Rule))
}

// replayMode says what would have become of a finding.
func replayMode(f replay.Finding) string {
	if f.Open {
		return f.Mode + ", open"
	}
	return f.Mode
}

// line prints data where a bar may stand.
func (a *app) line(format string, args ...any) {
	if a.TerminalErr {
		a.notef("\r%s\r", strings.Repeat(" ", 78))
	}
	a.printf(format, args...)
}

func (a *app) object(v any) {
	if b, err := json.Marshal(v); err == nil {
		a.line("%s\n", b)
	}
}

// file adds a file that was read to its end to what is done.
func (out *replayOutput) file(f *replay.File, c replay.Counts, t replay.Taken, err error) {
	out.endTurn()
	if err != nil {
		out.unread = append(out.unread, replay.Unread{File: f.Path, Why: err.Error()})
	}
	out.open.Counts, out.open.Gates.Gates, out.open.Broken = c, t.Gates, t.Broken
	out.state.Summary.merge(out.open)
	out.state.Finished = append(out.state.Finished, f.Path)
	out.open = replaySummary{}
}

// end prints what all came to and keeps it for --resume.
func (out *replayOutput) end(stopped bool, j *replay.Judge) error {
	out.endTurn()
	if err := out.save(); err != nil {
		out.notef("agentguard: %v\n", err)
	}
	sum := out.state.Summary
	out.open.Gates.Gates = j.Take().Gates
	sum.merge(out.open)
	sum.Partial = stopped
	for _, m := range []*map[string]int{&sum.Refused.ByCheck, &sum.Open.ByCheck, &sum.Observed.ByCheck, &sum.Gates.By} {
		if *m == nil {
			*m = map[string]int{} // readers of the JSON find an object in any case
		}
	}
	sum.Gates.Verify = out.howVerified(j)
	for _, u := range out.unread {
		sum.Unread = append(sum.Unread, replay.Unread{File: out.tilde(u.File), Why: out.tilde(u.Why)})
	}
	if out.sampler != nil {
		out.printSample(out.sampler)
		sum.Sample = &out.sampler.replaySampling
	}
	if out.o.JSON {
		out.object(map[string]replaySummary{"summary": sum})
		return nil
	}
	out.printSummary(sum)
	return nil
}

func (out *replayOutput) save() error {
	b, err := json.Marshal(out.state)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(out.place()), 0o700)
	}
	if err == nil {
		err = os.WriteFile(out.place(), b, 0o600)
	}
	return err
}

// howVerified says by what the gates knew a run.
func (out *replayOutput) howVerified(j *replay.Judge) string {
	switch {
	case out.o.Verify != "":
		return "`" + out.o.Verify + "` and what covers less of it"
	case j.Here == "":
		return "any recognised run counts, as the projects' own commands are not known"
	case j.Policy.Verify.Empty():
		return "any recognised run counts, as the projects' own commands are not known; for sessions in " + out.tilde(j.Here) +
			" the gates sleep, as its policy names no command under verify"
	default:
		return "the policy's own commands for sessions in " + out.tilde(j.Here) + "; elsewhere any recognised run counts"
	}
}

// replayCounts says what was gone through.
func replayCounts(c replay.Counts) string {
	text := fmt.Sprintf("%s, %s, %s, %s", number(c.Sessions, "session"), number(c.Subagents, "subagent"), number(c.Turns, "turn"), number(c.Calls, "tool call"))
	if c.Copied > 0 {
		text += fmt.Sprintf(" (and %d more that another file holds too)", c.Copied)
	}
	return text
}

// number writes a count with its noun.
func number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func (a *app) printSummary(sum replaySummary) {
	if sum.Partial {
		a.printf("Stopped early; `agentguard replay --resume` goes on.\n")
	}
	a.printf("%s\n", replayCounts(sum.Counts))
	a.printTally(sum.Refused, "would have been refused", true)
	a.printTally(sum.Open, "open: refused, unless the repository or a file of then spoke for them", false)
	a.printTally(sum.Observed, "only observed", false)
	g := sum.Gates
	if n := g.Supported + g.Refused + g.Unknown; n > 0 {
		a.printf("%s, pushes and the like: %d supported, %d would have been refused, %d cannot be told any more\n", number(n, "commit"), g.Supported, g.Refused, g.Unknown)
		a.printf("  unverified-commit rests on the conversation alone; %s\n", g.Verify)
	}
	for _, id := range slices.Sorted(maps.Keys(sum.Broken)) {
		a.printf("  %s failed %d times and found nothing there\n", id, sum.Broken[id])
	}
	a.printUnread(sum.Unread)
}

// printTally prints one kind of findings; none at all only where that is worth a
// line.
func (a *app) printTally(t replayTally, what string, always bool) {
	if t.Findings == 0 && !always {
		return
	}
	a.printf("%s in %s %s\n", number(t.Findings, "finding"), number(t.Turns, "turn"), what)
	for _, id := range slices.Sorted(maps.Keys(t.ByCheck)) {
		a.printf("  %-30s %d\n", id, t.ByCheck[id])
	}
}

// printUnread names the files that were not read, a few of each reason.
func (a *app) printUnread(list []replay.Unread) {
	by := map[string][]string{}
	for _, u := range list {
		by[u.Why] = append(by[u.Why], u.File)
	}
	for _, why := range slices.Sorted(maps.Keys(by)) {
		files := by[why]
		names := strings.Join(files[:min(3, len(files))], ", ")
		if n := len(files) - 3; n > 0 {
			names += fmt.Sprintf(" and %d more", n)
		}
		a.printf("  not read, %s: %s\n", why, names)
	}
}
