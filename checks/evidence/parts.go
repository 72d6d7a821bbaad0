package evidence

import (
	"slices"
	"sort"
	"strings"
)

// part is what one verification of a text printed, as far as that can be told.
type part struct {
	lines   []string
	reports []report
	// printed is the status that the text printed of it; -1: none.
	printed int
	// shared tells that another run of the same kind may have printed some of it.
	shared bool
}

// anchor is a step that prints words of the text itself: "echo == lint ==".
type anchor struct {
	step, line int
	shown      map[string]int // the variables that it printed, where they are numbers
	// plain tells that no runner prints such a line, and that it stands there once.
	plain bool
}

// split gives each verification its part of the output. Lines that the text itself
// prints part it exactly; between two of them runs are told apart by what they
// check, and runs of the same kind by the order of their sums.
func (e *reading) split() {
	e.parts = make([]part, len(e.list))
	anchors := e.anchors()
	skip := map[int]bool{}
	for _, a := range anchors {
		skip[a.line] = true
	}
	if n := len(e.lines); n > 0 && strings.HasPrefix(e.lines[0], "Exit code ") {
		skip[0] = true
	}
	all := readReports(e.lines, skip)
	for i, v := range e.list {
		lo, hi := 0, len(e.lines)
		p := part{printed: -1}
		for _, a := range anchors {
			switch {
			case a.step < v.at:
				lo = a.line + 1
			case a.step > v.at && hi == len(e.lines):
				hi = a.line
			}
			if status, ok := e.statusIn(a, v); ok && a.step > v.at && p.printed < 0 {
				p.printed = status
			}
			if p.printed < 0 && v.at < len(e.steps) && (v.Quiet || a.plain) {
				switch st := &e.steps[a.step]; {
				case st.passed.has(v.at) && (v.Masked || e.status == 0):
					p.printed = 0
				case st.broken.has(v.at):
					p.printed = 1
				}
			}
		}
		lo = min(lo, hi)
		p.lines = e.lines[lo:hi]
		from := sort.Search(len(all), func(k int) bool { return all[k].at >= lo })
		to := sort.Search(len(all), func(k int) bool { return all[k].at >= hi })
		p.reports = all[from:to]
		if v.Prints && p.printed < 0 && !(v.at < len(e.steps) && e.steps[v.at].joint) {
			p.printed = e.printedBehind(lo)
		}
		e.parts[i] = p
	}
	e.share()
}

// statusIn is the exit status of a run that a line of the text prints.
func (e *reading) statusIn(a anchor, v Verification) (status int, ok bool) {
	if v.at >= len(e.steps) || len(a.shown) == 0 {
		return 0, false
	}
	st := &e.steps[v.at]
	switch {
	case st.saved != "":
		status, ok = a.shown[st.saved]
	case v.Prints:
		if status, ok = a.shown["?"]; !ok {
			status, ok = a.shown["PIPESTATUS"]
		}
	}
	return status, ok && (status == 0 || !st.joint)
}

// share parts the reports of runs that have the same lines.
func (e *reading) share() {
	for i := 0; i < len(e.list); i++ {
		group := []int{i}
		for j := i + 1; j < len(e.list) && sameLines(e.parts[i].lines, e.parts[j].lines); j++ {
			group = append(group, j)
		}
		if len(group) > 1 {
			e.shareOut(group)
			i = group[len(group)-1]
		}
	}
}

func sameLines(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// shareOut divides the reports among the runs of a group: a report goes to the
// runs that it can speak of; where those are several and there are as many sums
// as runs, each gets its own.
func (e *reading) shareOut(group []int) {
	reports := e.parts[group[0]].reports
	for _, i := range group {
		if e.list[i].Kind == Hook {
			// What the text runs beside a commit hides behind its hooks' "nothing".
			e.parts[i].reports = nil
		}
	}
	byKind := map[Kind][]int{}
	for _, i := range group {
		if e.list[i].Kind != Hook {
			byKind[e.list[i].Kind] = append(byKind[e.list[i].Kind], i)
		}
	}
	// A linter's findings are not a type checker's where both ran.
	for _, i := range group {
		kind := e.list[i].Kind
		e.parts[i].reports = slices.DeleteFunc(slices.Clone(e.parts[i].reports), func(r report) bool {
			return kind != Check && r.kind != kind && len(byKind[r.kind]) > 0
		})
	}
	for kind, runs := range byKind {
		if len(runs) < 2 {
			continue
		}
		var sums []int // indexes of the reports that sum up
		for k := range reports {
			if r := &reports[k]; r.level == summary && r.says != "" && !r.part && (verdictFor{kind: kind}).speaksOf(*r) {
				sums = append(sums, k)
			}
		}
		from := 0
		for n, i := range runs {
			if len(sums) != len(runs) {
				e.parts[i].shared = true
				continue
			}
			to := sums[n] + 1
			for to < len(reports) && reports[to].level == status {
				to++ // the wrapper's word for the same run
			}
			if n == len(runs)-1 {
				to = len(reports)
			}
			e.parts[i].reports = slices.DeleteFunc(slices.Clone(reports[from:to]), func(r report) bool { return r.kind != kind && len(byKind[r.kind]) > 0 })
			from = to
		}
	}
}

// maxAnchors bounds how many echo commands of a text are looked for in its output.
const maxAnchors = 32

// anchors finds the lines that the text's own echo and printf commands printed.
func (e *reading) anchors() []anchor {
	var list []anchor
	from, tried := 0, 0
	for i, st := range e.steps {
		if st.quiet || st.piped != "" || len(st.words) < 2 || st.words[0] != "echo" && st.words[0] != "printf" {
			continue
		}
		if tried++; tried > maxAnchors {
			break
		}
		said := echoOf(st.words)
		for k := from; k < len(e.lines); k++ {
			if shown, ok := said.gives(e.lines[k]); ok {
				list = append(list, anchor{i, k, shown, e.plainly(k)})
				from = k + 1
				break
			}
		}
	}
	return list
}

// plainly tells a line that can only be the text's own.
func (e *reading) plainly(at int) bool {
	if _, ok := readLine(e.lines[at]); ok {
		return false
	}
	return !slices.Contains(e.lines[:at], e.lines[at]) && !slices.Contains(e.lines[at+1:], e.lines[at])
}

// ownStatus is a verification's own exit status, where the text's status or what
// the text printed tells it.
func (e *reading) ownStatus(i int) (status int, own bool) {
	v, p := e.list[i], e.parts[i]
	switch {
	case p.printed >= 0:
		return p.printed, true
	case !e.known || v.Masked:
		return 0, false
	case e.status == 0:
		return 0, true
	}
	// The text failed: this run's status is that, if nothing else can have failed.
	for k, st := range e.steps {
		if k != v.at && !st.masked && !harmless(st.words) {
			return 0, false
		}
	}
	return e.status, true
}

// harmless tells steps that hardly fail, or say so plainly where they do.
func harmless(words []string) bool {
	return len(words) == 0 || hasWord("cd echo printf export set source . true : sleep pushd popd mkdir unset local declare pwd date time ulimit trap wait exit return nvm shopt tail head cat tee", words[0])
}

// failsFirst tells a failed run that is certainly the one of its chain that failed:
// its lines are its own, or nothing in them went well before.
func (e *reading) failsFirst(i int) bool {
	p := e.parts[i]
	return !p.shared || e.list[i].Kind == Test && !slices.ContainsFunc(p.reports, func(r report) bool { return r.says == Passed })
}

// follow settles runs that only the others explain: of a failed chain the runs
// before the one that failed passed, and those behind it never ran.
func (e *reading) follow(out []Ending) {
	if !e.known || e.status == 0 || len(e.steps) == 0 {
		return
	}
	chain := []int{}
	for i, v := range e.list {
		if !v.Masked && !v.Background && e.parts[i].printed < 0 && v.Kind != CI {
			chain = append(chain, i)
		}
	}
	for n, i := range chain {
		o := &out[i]
		wentOn := slices.ContainsFunc(chain[n+1:], func(later int) bool {
			r := out[later].Result
			return !e.parts[later].shared && (r.Pass || r.Fail || r.Empty)
		})
		switch {
		case wentOn && (o.Outcome == Unknown || o.Outcome == Failed && !o.Result.summed):
			*o = Ending{Passed, Result{Counts: unsaid}, -1}
		case o.Outcome == Failed && !e.failsFirst(i):
			*o = Ending{Unknown, Result{Counts: unsaid}, -1}
		case o.Outcome == Failed:
			for later := i + 1; later < len(out); later++ {
				if o := &out[later]; o.Outcome == Unknown || o.Outcome == Masked && !o.Result.ran || e.parts[later].shared && slices.Contains(chain, later) {
					*o = Ending{NotRun, Result{Counts: unsaid}, -1}
				}
			}
			return
		}
	}
	// One run is left that nothing is known of, and all else went well.
	open := -1
	for _, i := range chain {
		switch {
		case out[i].Outcome == Passed || out[i].Outcome == Empty || out[i].Outcome == NotRun && e.list[i].Kind == Hook:
		case out[i].Outcome == Unknown && open < 0 && !brokenOff(e.status, e.parts[i].lines):
			open = i
		default:
			return
		}
	}
	if open < 0 {
		return
	}
	for k, st := range e.steps {
		if !st.masked && !harmless(st.words) && !slices.ContainsFunc(chain, func(i int) bool { return e.list[i].at == k }) {
			return
		}
	}
	out[open].Outcome = Failed
}
