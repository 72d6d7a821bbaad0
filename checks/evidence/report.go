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
	if r.level != summary || next.level != summary || r.part || next.part || r.kind != next.kind && r.kind != "" && next.kind != "" {
		return false
	}
	if next.at-r.at > 4+max(r.tally.failed, 0) || !r.tally.said() {
		return false
	}
	if !next.tally.said() {
		return r.says == "" && r.tally.total >= 0 && next.says != ""
	}
	if r.says != "" && next.says != "" && r.says != next.says {
		return false
	}
	a, b := r.tally, next.tally
	if a.units != b.units {
		return true
	}
	fits := func(a, b int) bool { return a <= 0 || b <= 0 }
	return fits(a.passed, b.passed) && fits(a.failed, b.failed) && (fits(a.total, b.total) || a.total == b.total) && !(a.passed >= 0 && a.failed >= 0 && b.passed >= 0 && b.failed >= 0)
}

func (r *report) merge(next report) {
	a, b := &r.tally, next.tally
	if b.units {
		if b.failed > 0 {
			r.says = Failed
		}
	} else {
		if a.units {
			if a.failed > 0 {
				next.says = Failed
			}
			*a = noTally
		}
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
	case t.failed > 0 || t.lint && t.errors > 0:
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
		r.kind, r.says, r.tally = Test, says, t
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

// readSpecial reads the lines whose form is more than a piece of text.
func readSpecial(line string) (report, bool) {
	r := report{kind: Test, tally: noTally, level: summary}
	if goPackage(line) {
		r.says, r.part = Passed, true
		return r, true
	}
	if says, ok := goEvent(line); ok {
		r.says, r.part = says, true
		return r, true
	}
	if name, passed, ok := hookLine(line); ok {
		r.says, r.part, r.kind = Failed, true, Lint
		if passed {
			r.says = Passed
		}
		if kindOfName(name).Tests() {
			r.kind = Test
		}
		return r, true
	}
	if gradleTest(line) {
		r.says, r.part, r.level = Passed, true, single
		return r, true
	}
	if says, name, ok := session(line); ok {
		r.says, r.part, r.kind = says, true, Check
		if kind := kindOfName(name); kind != "" {
			r.kind = kind
		}
		return r, true
	}
	if head, code, ok := strings.Cut(line, " exited with code "); ok && strings.HasPrefix(line, "[") { // concurrently
		if n, number := atoi(code); number && n > 0 {
			r.says, r.level, r.kind = Failed, status, kindOfName(head[strings.LastIndexAny(head, " ]")+1:])
			return r, true
		}
	}
	if rerunOfFailed(line) {
		r.says, r.level = Failed, single
		return r, true
	}
	if kind, ok := diagnostic(line); ok {
		r.says, r.level, r.kind = Failed, hint, kind
		return r, true
	}
	for _, p := range [...]string{"FAILED ", "ERROR "} {
		rest, ok := strings.CutPrefix(line, p)
		if ok && !strings.HasPrefix(rest, " ") && (strings.Contains(rest, "::") || strings.HasSuffix(rest, ".py") || strings.Contains(rest, ".py - ")) {
			r.says, r.level = Failed, single
			return r, true
		}
	}
	if head, ok := strings.CutSuffix(line, " FAILED"); ok && (strings.Contains(head, " > ") || strings.HasPrefix(head, "> Task ")) {
		r.says, r.level = Failed, single
		if task, ok := strings.CutPrefix(head, "> Task "); ok {
			r.kind = kindOfTask("gradle", task, nil)
		}
		return r, true
	}
	if rest, ok := strings.CutPrefix(line, "Failed:"); ok && strings.Contains(rest, "#") {
		r.says, r.level, r.kind = Failed, status, kindOfName(rest[strings.LastIndexByte(rest, '#')+1:])
		return r, true
	}
	if strings.Contains(line, "]: *** [") || strings.HasPrefix(line, "make: *** [") {
		r.says, r.level, r.kind = Failed, status, kindOfName(quotedName(line))
		return r, true
	}
	return r, false
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

// coverageMissed reads the word of a coverage check that its threshold is missed:
// of pytest-cov, jest, vitest, nyc, SimpleCov, coverlet, tarpaulin, pest.
func coverageMissed(lower string) bool {
	if !strings.Contains(lower, "coverage") {
		return false
	}
	for _, s := range [...]string{" not met: ", "% not reached", "does not meet ", "is below the ", "below expected", "coverage related error"} {
		if strings.Contains(lower, s) {
			return true
		}
	}
	return false
}

// endOfRun reads the last lines of runners whose numbers do not tell all.
func endOfRun(line string) (Outcome, bool) {
	if sign, rest, ok := strings.Cut(line, "Test run with "); ok && len(sign) < 8 { // Swift Testing
		switch {
		case strings.Contains(rest, " failed after "):
			return Failed, true
		case strings.HasPrefix(rest, "0 tests "):
			return Empty, true
		case strings.Contains(rest, " passed after "):
			return Passed, true
		}
	}
	if strings.HasPrefix(line, "Testing ") && strings.HasSuffix(line, " tests passed") { // Julia
		return Passed, true
	}
	if passed, rest, ok := strings.Cut(line, " of "); ok && strings.HasSuffix(rest, " passed.") { // cabal
		if all, _, ok := strings.Cut(rest, " test suites ("); ok && passed == all {
			return Passed, true
		} else if ok {
			return Failed, true
		}
	}
	if _, n, ok := strings.Cut(line, `"numFailedTests":`); ok { // jest --json, vitest
		n, _, _ = strings.Cut(strings.TrimSpace(n), ",")
		switch failed, ok := atoi(strings.TrimSpace(n)); {
		case ok && failed > 0:
			return Failed, true
		case ok:
			return Passed, true
		}
	}
	return "", false
}

// session reads how a session of nox ended.
func session(line string) (says Outcome, name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "nox > Session ")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(rest, " ")
	switch {
	case strings.HasPrefix(rest, "was successful"):
		return Passed, name, true
	case strings.HasPrefix(rest, "failed"), strings.HasPrefix(rest, "aborted"):
		return Failed, name, true
	}
	return "", "", false
}

// outsideTests reads the count of errors that no test has, and that fail the run
// all the same: "Errors  1 error" of vitest, "1 uncaught exception" of ava.
func outsideTests(line string) bool {
	f := strings.Fields(line)
	if len(f) != 3 {
		return false
	}
	n, number := atoi(f[0])
	if f[0] == "Errors" {
		n, number = atoi(f[1])
		return number && n > 0 && strings.HasPrefix(f[2], "error")
	}
	return number && n > 0 && (f[1] == "uncaught" && strings.HasPrefix(f[2], "exception") || f[1] == "unhandled" && strings.HasPrefix(f[2], "rejection"))
}

// rerunOfFailed reads the list of commands that rerun what failed: "rspec
// ./spec/a_spec.rb:3 # …", "bin/rails test test/a_test.rb:3".
func rerunOfFailed(line string) bool {
	for _, p := range [...]string{"rspec ", "cucumber ", "rails test ", "bin/rails test "} {
		if rest, ok := strings.CutPrefix(line, p); ok {
			place, _, _ := strings.Cut(rest, " ")
			_, n, ok := strings.Cut(place, ":")
			_, number := atoi(n)
			return ok && number
		}
	}
	return false
}

// diagnostic reads what a compiler or linter found: "src/a.c:12:5: error: …",
// "a.py:3:1: F401 …", "a.go:3:1: …". kind is what it can speak of.
func diagnostic(line string) (Kind, bool) {
	file, rest, ok := strings.Cut(line, ":")
	if !ok || file == "" || strings.ContainsAny(file, " \t\"'") || !strings.Contains(file, ".") {
		return "", false
	}
	row, rest, ok := strings.Cut(rest, ":")
	if _, number := atoi(row); !ok || !number {
		return "", false
	}
	column, message, ok := strings.Cut(rest, ":")
	_, number := atoi(column)
	if !ok || !number {
		message = rest // without a column
	}
	message = strings.TrimSpace(message)
	switch {
	case strings.HasPrefix(message, "error: "), strings.HasPrefix(message, "fatal error: "):
		return "", true
	case number && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
		return Build, true
	case number && !mild(message):
		return Lint, true
	}
	return "", false
}

// mild tells a message that need not fail a linter.
func mild(message string) bool {
	lower := strings.ToLower(message)
	for _, w := range [...]string{"warning", "note: ", "info: ", "info]", "hint: ", "remark: "} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

// goPackage reads the line of a package whose tests passed under "go test".
func goPackage(line string) bool {
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok || rest == "" || (rest[0] != ' ' && rest[0] != '\t') {
		return false
	}
	f := strings.Fields(rest)
	return len(f) >= 2 && (f[1] == "(cached)" || strings.HasSuffix(f[1], "s") && strings.Trim(f[1], "0123456789.s") == "")
}

// goEvent reads a package's end in the stream of "go test -json".
func goEvent(line string) (Outcome, bool) {
	if !strings.HasPrefix(line, `{"Time":`) || !strings.Contains(line, `"Package":`) || strings.Contains(line, `"Test":`) {
		return "", false
	}
	switch {
	case strings.Contains(line, `"Action":"fail"`):
		return Failed, true
	case strings.Contains(line, `"Action":"pass"`):
		return Passed, true
	}
	return "", false
}

// gradleTest reads the line of a test task that ran, or need not run again.
// Gradle prints no count when all is well.
func gradleTest(line string) bool {
	rest, ok := strings.CutPrefix(line, "> Task :")
	if !ok {
		return false
	}
	f := strings.Fields(rest)
	if len(f) == 0 || len(f) > 2 || kindOfTask("gradle", f[0], nil) != Test {
		return false
	}
	return len(f) == 1 || f[1] == "UP-TO-DATE" || f[1] == "FROM-CACHE"
}

// hookLine reads a line of pre-commit: a hook's name, dots, and how it ended.
func hookLine(line string) (name string, passed, ok bool) {
	name, rest, ok := strings.Cut(line, "...")
	if !ok {
		return "", false, false
	}
	switch strings.TrimLeft(rest, ".") {
	case "Passed":
		return name, true, true
	case "Failed":
		return name, false, true
	}
	return "", false, false
}
