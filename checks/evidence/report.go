package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// report is what a runner, a checker or a wrapper says in one line, or in a few
// lines that belong together, of how it went.
type report struct {
	kind  Kind // what it speaks of; empty: of whatever ran
	says  Outcome
	level level
	part  bool // one of several; no later line sums them up
	tally tally
	line  string
	at    int // index of its last line
}

// readReports lists the reports of an output in order. Lines that skip names are
// the shell text's own words, not a runner's.
func readReports(lines []string, skip map[int]bool) []report {
	var list []report
	last := len(lines) - 1
	for last >= 0 && lines[last] == "" {
		last--
	}
	parted := false
	for i, line := range lines[:last+1] {
		if line == "" || skip[i] {
			parted = parted || skip[i]
			continue
		}
		r, ok := readLine(line)
		if !ok && (line == "OK" || line == "FAILED") && (i == last || follows(list, i)) {
			r, ok = report{kind: Test, says: Passed, level: summary, tally: noTally}, true
			if line == "FAILED" {
				r.says = Failed
			}
		}
		if !ok {
			continue
		}
		r.line, r.at = line, i
		if n := len(list); n > 0 && !parted && list[n-1].takes(r) {
			list[n-1].merge(r)
			continue
		}
		parted = false
		list = append(list, r)
	}
	for i := range list {
		list[i].settle()
	}
	return list
}

var noTally = tally{passed: -1, failed: -1, skipped: -1, total: -1, errors: -1}

// follows tells that the line at i stands under a count of tests.
func follows(list []report, i int) bool {
	if len(list) == 0 {
		return false
	}
	r := list[len(list)-1]
	return i-r.at <= 4 && r.tally.total >= 0
}

// takes tells that next is another line of the same sum: close behind, of the
// same kind, and counting what was not counted yet.
func (r *report) takes(next report) bool {
	if r.kind == Test && next.tally.lint && next.at == r.at+1 && r.tally.said() && bareErrors(next.line) {
		return true // bun: " 31 pass", " 0 fail", " 1 error"
	}
	if r.level != summary || next.level != summary || r.part || next.part || r.kind != next.kind && r.kind != "" && next.kind != "" {
		return false
	}
	if next.at-r.at > 4+max(r.tally.failed, 0) || !r.tally.said() {
		return false
	}
	if !next.tally.said() {
		if next.tally.skipped > 0 && next.says == "" {
			return r.tally.skipped < 0 // ava: "20 tests passed", "1 test skipped"
		}
		return r.says == "" && r.tally.total >= 0 && next.says != ""
	}
	if r.says != "" && next.says != "" && r.says != next.says {
		return false
	}
	a, b := r.tally, next.tally
	if b.lint {
		return false
	}
	if a.units != b.units {
		return true
	}
	fits := func(a, b int) bool { return a <= 0 || b <= 0 }
	return fits(a.passed, b.passed) && fits(a.failed, b.failed) && (fits(a.total, b.total) || a.total == b.total) && !(a.passed >= 0 && a.failed >= 0 && b.passed >= 0 && b.failed >= 0)
}

// bareErrors tells a line that counts errors and says nothing else.
func bareErrors(line string) bool {
	_, word, ok := strings.Cut(line, " ")
	return ok && (word == "error" || word == "errors")
}

func (r *report) merge(next report) {
	a, b := &r.tally, next.tally
	if b.lint {
		b.lint, b.failed, b.errors = false, b.errors, -1
	}
	if b.units {
		if b.failed > 0 || b.missed() {
			r.says = Failed
		}
	} else {
		if a.units {
			if a.failed > 0 || a.missed() {
				next.says = Failed
			}
			*a = noTally
		}
		a.short = a.short || b.short
		a.passed, a.failed, a.skipped = max(a.passed, b.passed), max(a.failed, b.failed), max(a.skipped, b.skipped)
		a.total, a.errors = max(a.total, b.total), max(a.errors, b.errors)
	}
	if r.says == "" || next.says == Failed {
		r.says = next.says
	}
	if r.kind == "" {
		r.kind = next.kind
	}
	if b.said() && (b.failed > 0 || a.failed <= 0) {
		r.line = next.line
	}
	r.at = next.at
}

// settle draws from the numbers what the report says.
func (r *report) settle() {
	t := &r.tally
	if t.units {
		switch {
		case r.says != "":
		case t.failed > 0, t.passed >= 0 && t.total > t.passed+max(t.skipped, 0):
			r.says = Failed
		case t.passed > 0:
			r.says, r.level = Passed, min(r.level, single)
		}
		*t = noTally
		return
	}
	if t.passed < 0 && t.total >= 0 && (t.failed >= 0 || t.skipped >= 0 || r.says == Passed || r.says == Failed && t.failed >= 0) {
		t.passed = max(0, t.total-max(t.failed, 0)-max(t.skipped, 0))
	}
	switch {
	case t.failed > 0, t.lint && t.errors > 0, t.missed():
		r.says = Failed
	case r.says != "":
	case t.passed > 0:
		r.says = Passed
	case t.passed == 0 || t.total == 0 || t.skipped > 0 && t.total < 0 && t.failed < 0:
		r.says = Empty
	case t.failed == 0, t.lint && t.errors == 0:
		r.says = Passed
	}
}

// readLine reads one line. Wording of the runners, not of people: a line must
// have a runner's form.
func readLine(line string) (report, bool) {
	if r, ok := readBare(line, false); ok {
		return r, true
	}
	for range 2 {
		rest, tick := unprefixed(line)
		if rest == "" || rest == line {
			return report{}, false
		}
		if r, ok := readBare(rest, tick); ok {
			return r, true
		}
		line = rest
	}
	return report{}, false
}

// readBare reads a line without what wrappers put in front of it. ticked tells
// that a tick stood there: then only a sum counts, since a passing test's name
// may say anything.
func readBare(line string, ticked bool) (report, bool) {
	r := report{tally: noTally, level: summary}
	if oneTest(line) {
		return r, false
	}
	lower := strings.ToLower(line)
	if coverageMissed(lower) || outsideTests(line) {
		r.kind, r.says, r.level = Test, Failed, final
		return r, true
	}
	t, closed := countLine(lower)
	if says, ok := endOfRun(line); ok {
		r.kind, r.says, r.tally, r.part = Test, says, t, says == Empty
		r.tally.units = false
		return r, true
	}
	f := formOf(line, lower)
	if ticked && f != nil && f.level != summary {
		f = nil
	}
	switch {
	case f != nil && (!closed || f.counts || f.level != single):
		r.kind, r.says, r.level, r.part = f.kind, f.says, f.level, f.part
		if f.counts {
			r.tally = t
			r.tally.units, r.tally.lint = false, false
		}
		if f.level == status && f.kind == "" {
			r.kind = kindOfName(quotedName(line))
		}
		if f.says == "" && !f.counts {
			return r, false
		}
		return r, true
	case closed:
		r.tally, r.kind = t, Test
		if t.lint {
			r.kind = Lint
			if strings.Contains(lower, "source file") {
				r.kind = Types // mypy
			}
		}
		if t.units && kindlessUnit(lower) {
			r.kind = ""
		}
		return r, true
	case ticked:
		return r, false
	}
	return readSpecial(line)
}

// kindlessUnit tells units that stand for whole jobs, whatever those did.
func kindlessUnit(lower string) bool {
	for _, w := range [...]string{"task", "package", "project", "module", "job", "hook", "target"} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

func formOf(line, lower string) *form {
	for i := range forms {
		if f := &forms[i]; f.matches(line, lower) {
			return f
		}
	}
	return nil
}

// oneTest tells the line of a single test that passed or began: its name may say
// anything.
func oneTest(line string) bool {
	lower := strings.ToLower(line[:min(len(line), 40)])
	for _, p := range [...]string{"=== run", "=== pause", "=== cont", "=== name", "[ run", "[       ok", "ok 1", "ok 2", "ok 3", "ok 4", "ok 5", "ok 6", "ok 7", "ok 8", "ok 9", "ok - "} {
		if strings.HasPrefix(lower, p) {
			return true
		}
	}
	switch {
	case strings.HasPrefix(lower, "not ok ") && (strings.Contains(line, "# TODO") || strings.Contains(line, "# SKIP")),
		strings.HasPrefix(lower, "test ") && strings.HasSuffix(line, " ... ok"),
		strings.Contains(line, "::") && strings.Contains(line, " PASSED"),
		strings.HasSuffix(line, " PASSED") && strings.Contains(line, " > "):
		return true
	}
	return false
}

// unprefixed takes off what a wrapper or a reporter puts in front of a line, one
// thing at a time. tick tells that it was the sign of a passing test.
func unprefixed(line string) (rest string, tick bool) {
	r, size := utf8.DecodeRuneInString(line)
	switch {
	case strings.ContainsRune("✓✔√▶●·✅", r):
		return strings.TrimSpace(strings.TrimLeft(line[size:], "\ufe0f")), true
	case strings.ContainsRune("│┃║|", r):
		return strings.TrimSpace(strings.Trim(line, "│┃║| ")), false
	case r == '[':
		label, rest, ok := strings.Cut(line[1:], "]")
		if ok && strings.HasPrefix(rest, " ") && labels(label) {
			return strings.TrimSpace(rest), false
		}
	case r == 'ℹ', r >= 0x80 && !unicode.IsLetter(r), strings.ContainsRune("=-*#>!", r):
		rest := strings.TrimSpace(strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '[' }))
		return strings.TrimSpace(strings.TrimRight(rest, "=-*")), false
	}
	if _, rest, ok := strings.Cut(line, ": Executed "); ok {
		return "Executed " + rest, false // "Chrome 130 (Linux): …" of karma
	}
	if label, rest, ok := strings.Cut(line, ": "); ok && len(label) < 80 {
		// "web:test: …" of turbo, "packages/web test: …" of pnpm.
		i := strings.LastIndexAny(label, ": #")
		if i > 0 && !strings.Contains(label[:i], " ") && kindOfName(label[i+1:]) != "" {
			return strings.TrimSpace(rest), false
		}
	}
	if label, rest, ok := strings.Cut(line, "| "); ok && len(label) < 40 && len(strings.Fields(label)) == 1 && strings.HasSuffix(label, " ") {
		return strings.TrimSpace(rest), false // "web-1  | …" of docker compose
	}
	return "", false
}

// labels tells the words in brackets that stand before a tool's own lines.
func labels(label string) bool {
	switch strings.ToLower(label) {
	case "info", "error", "warn", "warning", "success":
		return true
	}
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	return !strings.Contains(label, " ") && kindOfName(label[strings.LastIndexAny(label, "#:")+1:]) != ""
}

// quotedName gives the script or task that a wrapper's line names.
func quotedName(line string) string {
	if _, rest, ok := strings.Cut(line, "*** ["); ok {
		inner, _, _ := strings.Cut(rest, "]")
		return strings.TrimSpace(inner[strings.LastIndexAny(inner, ": ")+1:])
	}
	for _, q := range [...]byte{'"', '`', '\''} {
		if i := strings.IndexByte(line, q); i >= 0 {
			if j := strings.IndexByte(line[i+1:], q); j > 0 {
				name := line[i+1 : i+1+j]
				return name[strings.LastIndexByte(name, ':')+1:]
			}
		}
	}
	if label, ok := strings.CutSuffix(line, " ERROR task failed"); ok {
		return strings.Trim(label, "[] ")
	}
	if rest, ok := strings.CutPrefix(line, "nox > Session "); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	return ""
}
