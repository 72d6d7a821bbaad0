package evidence

import (
	"fmt"
	"slices"
	"strings"
)

// Standing is how a claim of verification stands against the facts.
type Standing string

// The standings; the set is closed. Unknown means that the facts could not be
// read, not that there are none.
const (
	Supported           Standing = "supported"
	NoRun               Standing = "no_run"
	Stale               Standing = "stale"
	StandingFailed      Standing = "failed"
	EmptyRun            Standing = "empty_run"
	StandingMasked      Standing = "masked"
	StandingPartial     Standing = "partial"
	BackgroundOnly      Standing = "background_only"
	SupersededByFailure Standing = "superseded_by_failure"
	StandingUnknown     Standing = "unknown"
)

// Contradicts tells the standings that plainly contradict "it is verified".
// Unknown, masked and background_only leave it open.
func (s Standing) Contradicts() bool {
	switch s {
	case NoRun, Stale, StandingFailed, EmptyRun, SupersededByFailure:
		return true
	default:
		return false
	}
}

// Seen is one run as it stands now.
type Seen struct {
	Run
	// Current tells that nothing but documentation changed since; Known whether
	// that could be told.
	Current, Known bool
	// Differs are the paths that changed since, at most a few; empty where only
	// the change itself is known.
	Differs []string
	// Fresh are untracked files that were not there when it ran; they count only
	// where they are to be committed.
	Fresh []string
	// InTurn tells a run of the turn that is ending.
	InTurn bool
	// BeforeEdit tells a run of this turn before its first change of the tree.
	BeforeEdit bool

	key      string // runner and targets: what a later run must repeat to clear a failure
	recorded bool   // only the ledger shows it
}

// Finding is the standing of one claim, with the run that decided it.
type Finding struct {
	Standing Standing
	Why      string // one plain sentence without the sentence's stop
	Run      *Seen  // nil for no_run
}

// standing decides over runs, oldest first, that are all of the kinds asked for.
func standing(runs []Seen) Finding {
	var held *Finding // what to say when no older run decides
	hold := func(s Standing, r *Seen, why string) {
		if held == nil {
			held = &Finding{s, why, r}
		}
	}
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		switch r.Outcome {
		case Background:
			if r.Current || !r.Known {
				hold(BackgroundOnly, r, fmt.Sprintf("`%s` was only started in the background and its result was not read", r.short()))
			}
			continue
		case Masked:
			if r.Current || !r.Known {
				hold(StandingMasked, r, fmt.Sprintf("the exit status of `%s` was lost and its output does not tell how it ended", r.short()))
			}
			continue
		case Empty:
			hold(EmptyRun, r, fmt.Sprintf("`%s` ran no test at all%s", r.short(), r.quote()))
			continue
		case Unknown:
			hold(StandingUnknown, r, fmt.Sprintf("the output of `%s` does not tell how it ended", r.short()))
			continue
		case NotRun:
			continue
		case Passed, Failed, built:
		}
		if !r.Known {
			hold(StandingUnknown, r, fmt.Sprintf("it cannot be told what changed since `%s`", r.short()))
			continue
		}
		if !r.Current {
			if held != nil && held.Standing != BackgroundOnly {
				return *held
			}
			if r.Outcome == Failed {
				return Finding{StandingFailed, fmt.Sprintf("the last run, `%s`, failed%s, and it was not run again after the changes", r.short(), r.quote()), r}
			}
			if held != nil {
				return *held
			}
			return Finding{Stale, fmt.Sprintf("%s after the last passing run, `%s`", r.changes(), r.short()), r}
		}
		if r.Outcome == Failed && held != nil && replaced(r, runs[i+1:]) {
			return *held
		}
		if r.Outcome == Failed {
			if pass := passedBefore(runs[:i]); pass != nil {
				return Finding{SupersededByFailure, fmt.Sprintf("`%s` failed after an earlier pass, with nothing changed in between%s", r.short(), r.quote()), r}
			}
			return Finding{StandingFailed, fmt.Sprintf("the last run, `%s`, failed%s", r.short(), r.quote()), r}
		}
		if bad := uncleared(runs[:i], runs[i:]); bad != nil {
			return Finding{StandingFailed, fmt.Sprintf("`%s` failed on this tree%s and was not run again; `%s` covers less", bad.short(), bad.quote(), r.short()), bad}
		}
		if r.Partial {
			if full := fullPass(runs[:i]); full != nil {
				r = full
			} else {
				return Finding{StandingPartial, fmt.Sprintf("`%s` covers only a part of the project's own command", r.short()), r}
			}
		}
		return Finding{Supported, fmt.Sprintf("`%s` passed on this tree%s", r.short(), r.count()), r}
	}
	if held != nil {
		return *held
	}
	return Finding{NoRun, "no run of a test, build or check was seen", nil}
}

// replaced tells that a later run of the same or a wider command, of which no
// outcome is known, has taken a failure's place: nobody knows any more.
func replaced(bad *Seen, later []Seen) bool {
	return slices.ContainsFunc(later, func(r Seen) bool {
		return (r.Outcome == Masked || r.Outcome == Unknown || r.Outcome == Background) && (r.key == bad.key || covers(r, *bad))
	})
}

// covers tells that a run is at least as wide as another: the whole of the same
// ecosystem, or a check of everything.
func covers(wide, run Seen) bool {
	if wide.Kind == Check || wide.Kind == Hook || run.Kind != Test {
		return true
	}
	if wide.Runner == run.Runner {
		return !wide.Narrow || run.Narrow && sameScope(wide, run)
	}
	return wide.Kind == Test && !wide.Narrow && sameEcosystem(wide.Runner, run.Runner)
}

// ecosystems are runners that can stand for each other; task runners may start any.
var ecosystems = [...]string{
	"npm pnpm yarn bun deno node jest vitest mocha ava tap jasmine karma uvu playwright cypress wdio nx turbo lerna react-scripts ng web-test-runner",
	"pytest py.test unittest tox nox nose2 trial stestr manage.py uv poetry pdm hatch rye pipenv",
	"go gotestsum gotest richgo ginkgo",
	"cargo cargo-nextest cross",
	"mvn mvnw mvnd gradle gradlew sbt mill ant",
	"rspec minitest rails rake cucumber parallel_rspec",
	"phpunit pest paratest artisan composer",
	"swift xcodebuild", "dotnet", "mix", "flutter dart",
}

func sameEcosystem(a, b string) bool {
	a, _, _ = strings.Cut(a, " ")
	b, _, _ = strings.Cut(b, " ")
	if hasWord("make gmake just task mise rtx invoke", a) {
		return true
	}
	for _, e := range ecosystems {
		if hasWord(e, a) && hasWord(e, b) {
			return true
		}
	}
	return a == b
}

func passedBefore(runs []Seen) *Seen {
	for i := len(runs) - 1; i >= 0; i-- {
		if r := &runs[i]; r.Known && r.Current && r.Outcome == Passed {
			return r
		}
	}
	return nil
}

func fullPass(runs []Seen) *Seen {
	for i := len(runs) - 1; i >= 0; i-- {
		if r := &runs[i]; r.Known && r.Current && r.Outcome == Passed && !r.Partial {
			return r
		}
	}
	return nil
}

// uncleared finds a failure on the current tree that no later run repeats. A
// run that covers it clears it.
func uncleared(before, after []Seen) *Seen {
	for i := len(before) - 1; i >= 0; i-- {
		bad := &before[i]
		if bad.Outcome != Failed || !bad.Known || !bad.Current {
			continue
		}
		cleared := slices.ContainsFunc(append(slices.Clone(before[i+1:]), after...), func(r Seen) bool {
			return r.Outcome == Passed && (r.key == bad.key || covers(r, *bad))
		})
		if !cleared {
			return bad
		}
	}
	return nil
}

// sameScope tells narrow runs of one runner that may well be the same tests:
// only runs that name different files or folders are surely not.
func sameScope(a, b Seen) bool {
	if f := filterOf(a.Command); f != "" && f == filterOf(b.Command) {
		return true
	}
	for w := range strings.FieldsSeq(b.Command) {
		if strings.ContainsAny(w, "/") && !strings.HasPrefix(w, "-") && !strings.Contains(a.Command, w) {
			return false
		}
	}
	return true
}

// filterOf is the name by which a run picks tests out: the X of "-run X".
func filterOf(command string) string {
	words := strings.Fields(command)
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !hasWord("-run --run -k -t --testNamePattern --grep -g --filter --tests -Dtest --example", name) {
			continue
		}
		if !ok && i+1 < len(words) {
			value = words[i+1]
		}
		return strings.Trim(value, `"'`)
	}
	return ""
}

func (r *Seen) short() string { return cut(strings.Join(strings.Fields(r.Command), " "), 80) }

func (r *Seen) quote() string {
	if r.Line == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", cut(r.Line, 100))
}

func (r *Seen) count() string {
	if r.Counts.Passed > 0 {
		return fmt.Sprintf(" (%d passed)", r.Counts.Passed)
	}
	return ""
}

func (r *Seen) changes() string {
	switch len(r.Differs) {
	case 0:
		return "files changed"
	case 1:
		return r.Differs[0] + " changed"
	case 2:
		return r.Differs[0] + " and " + r.Differs[1] + " changed"
	default:
		return fmt.Sprintf("%s and %d more files changed", r.Differs[0], len(r.Differs)-1)
	}
}
