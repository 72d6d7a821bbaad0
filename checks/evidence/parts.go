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

// echo is the last line that an echo or printf command prints: what stands around
// its variables, one more than these.
type echo struct {
	around, variables []string
}

func echoOf(words []string) echo {
	program, words := words[0], words[1:]
	for len(words) > 0 && hasWord("-e -n -E -en -ne --", words[0]) {
		words = words[1:]
	}
	text := strings.Join(words, " ")
	if program == "printf" && len(words) > 0 {
		text = withArguments(words[0], words[1:])
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, `\n`, "\n"))
	text = strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	var said echo
	for {
		before, rest, ok := strings.Cut(text, "$")
		said.around = append(said.around, before)
		if !ok {
			return said
		}
		var name string
		name, text = variable(rest)
		said.variables = append(said.variables, name)
	}
}

// withArguments puts the arguments of printf in the places that its format has for
// them.
func withArguments(format string, args []string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "%")
		b.WriteString(before)
		if !ok || rest == "" {
			return b.String()
		}
		format = rest[1:]
		if len(args) > 0 {
			b.WriteString(args[0])
			args = args[1:]
		}
	}
}

// variable reads the name behind a dollar: ?, rc, {rc}, {PIPESTATUS[0]}, (…).
func variable(s string) (name, rest string) {
	if s == "" {
		return "", ""
	}
	closing := map[byte]string{'{': "}", '(': ")"}[s[0]]
	if closing != "" {
		name, rest, _ = strings.Cut(s[1:], closing)
		name, _, _ = strings.Cut(name, "[")
		return strings.Replace(name, "pipestatus", "PIPESTATUS", 1), strings.TrimPrefix(rest, ")")
	}
	end := 1
	for s[0] != '?' && end < len(s) && isAlnum(s[end]|0x20) {
		end++
	}
	return s[:end], s[end:]
}

// gives tells whether the command printed the line, and what numbers it shows in the
// place of its variables.
func (e *echo) gives(line string) (shown map[string]int, ok bool) {
	rest, ok := strings.CutPrefix(line, strings.TrimLeft(e.around[0], " "))
	if !ok || line == "" {
		return nil, false
	}
	if len(e.variables) == 0 {
		return nil, rest == ""
	}
	said := len(line) - len(rest)
	for i, name := range e.variables {
		next := e.around[i+1]
		if i == len(e.variables)-1 {
			next = strings.TrimRight(next, " ")
			if !strings.HasSuffix(rest, next) {
				return nil, false
			}
		}
		at := len(rest) - len(next)
		if i < len(e.variables)-1 {
			if at = strings.Index(rest, next); at < 0 || next == "" {
				return nil, false
			}
		}
		n, number := atoi(strings.TrimSpace(rest[:at]))
		said += len(next)
		switch {
		case number && n < 256:
			if shown == nil {
				shown = map[string]int{}
			}
			shown[name] = n
		case name == "?" || name == "PIPESTATUS" || said < 3:
			return nil, false
		}
		rest = rest[at+len(next):]
	}
	return shown, true
}

// printedBehind finds the first line from lo on that prints an exit status: "exit
// code: 1", "rc=0".
func (e *reading) printedBehind(lo int) int {
	if e.statuses == nil {
		e.statuses = [][2]int{}
		for k, line := range e.lines {
			if n := len(line); n == 0 || n > 60 || line[n-1] < '0' || line[n-1] > '9' {
				continue
			}
			if status, ok := printedStatus(strings.ToLower(line)); ok {
				e.statuses = append(e.statuses, [2]int{k, status})
			}
		}
	}
	for _, at := range e.statuses {
		if at[0] >= lo {
			return at[1]
		}
	}
	return -1
}

// printedStatus reads "exit code: 1", "rc=0", "EXIT=2", "status 0", "exit: 0".
func printedStatus(lower string) (int, bool) {
	rest := strings.Trim(lower, "-=#*> \t[]")
	if rest == "" || rest[0] < 'a' || rest[0] > 'z' {
		return 0, false
	}
	for _, p := range [...]string{"exit code", "exit status", "exitcode", "exit_code", "exit_status", "return code", "returncode", "exit", "rc", "status", "ret", "result code"} {
		tail, ok := strings.CutPrefix(rest, p)
		if !ok {
			for _, lead := range [...]string{"test ", "tests ", "pytest ", "process ", "command ", "build ", "script ", "final ", "lint ", "test_", "tests_", "pytest_", "build_", "gradle ", "jest ", "make ", "npm ", "cargo ", "go "} {
				if after, has := strings.CutPrefix(rest, lead+p); has {
					tail, ok = after, true
					break
				}
			}
		}
		if !ok {
			continue
		}
		n, valid := atoi(strings.Trim(tail, " :=\t"))
		if valid && n < 256 && strings.ContainsAny(tail, ":= ") {
			return n, true
		}
	}
	return 0, false
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
	return len(words) == 0 || hasWord("cd echo printf export set source . true : sleep pushd popd mkdir unset local declare which pwd date time ulimit trap wait exit return test [ [[ nvm shopt tail head cat grep tee", words[0])
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
