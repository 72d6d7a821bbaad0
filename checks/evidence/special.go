package evidence

import "strings"

// specials read the lines whose form is more than a piece of text, one by one.
var specials = [...]func(line string) (report, bool){
	goPackage, goEvent, gradleTest, swiftTest, newmanRow, noxSession, hookLine, bundled,
	pytestFailed, failedInGradle, failedInTurbo, stoppedMake, exitedConcurrently, rerunOfFailed, diagnostic,
}

func readSpecial(line string) (report, bool) {
	for _, read := range specials {
		if r, ok := read(line); ok {
			return r, true
		}
	}
	return report{}, false
}

// reported is what one line says; no counts.
func reported(kind Kind, says Outcome, l level) report {
	return report{kind: kind, says: says, level: l, tally: noTally}
}

// partly is what one line says of a part.
func partly(kind Kind, says Outcome) report {
	return report{kind: kind, says: says, level: summary, part: true, tally: noTally}
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

// goPackage reads the line of a package whose tests passed under "go test".
func goPackage(line string) (report, bool) {
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok || rest == "" || (rest[0] != ' ' && rest[0] != '\t') {
		return report{}, false
	}
	f := strings.Fields(rest)
	return partly(Test, Passed), len(f) >= 2 && (f[1] == "(cached)" || strings.HasSuffix(f[1], "s") && strings.Trim(f[1], "0123456789.s") == "")
}

// goEvent reads a package's end in the stream of "go test -json".
func goEvent(line string) (report, bool) {
	if !strings.HasPrefix(line, `{"Time":`) || !strings.Contains(line, `"Package":`) || strings.Contains(line, `"Test":`) {
		return report{}, false
	}
	switch {
	case strings.Contains(line, `"Action":"fail"`):
		return partly(Test, Failed), true
	case strings.Contains(line, `"Action":"pass"`):
		return partly(Test, Passed), true
	}
	return report{}, false
}

// gradleTest reads the line of a test task that ran, or need not run again.
// Gradle prints no count when all is well.
func gradleTest(line string) (report, bool) {
	rest, ok := strings.CutPrefix(line, "> Task :")
	if !ok {
		return report{}, false
	}
	f := strings.Fields(rest)
	if len(f) == 0 || len(f) > 2 || kindOfTask("gradle", f[0], nil) != Test {
		return report{}, false
	}
	r := reported(Test, Passed, single)
	r.part = true
	return r, len(f) == 1 || f[1] == "UP-TO-DATE" || f[1] == "FROM-CACHE"
}

// swiftTest reads a test's line of "swift test --parallel", which sums up nothing.
func swiftTest(line string) (report, bool) {
	_, test, ok := strings.Cut(line, "] Testing ")
	return reported(Test, Passed, single), ok && strings.HasPrefix(line, "[") && strings.Contains(test, "/")
}

// newmanRow reads the row of assertions in the table of newman: name, executed,
// failed.
func newmanRow(line string) (report, bool) {
	cells := strings.Split(strings.Trim(line, "│ "), "│")
	if len(cells) != 3 || strings.TrimSpace(cells[0]) != "assertions" {
		return report{}, false
	}
	failed, ok := atoi(strings.TrimSpace(cells[2]))
	if failed > 0 {
		return reported(Test, Failed, summary), ok
	}
	return reported(Test, Passed, summary), ok
}

// noxSession reads how a session of nox ended.
func noxSession(line string) (report, bool) {
	rest, ok := strings.CutPrefix(line, "nox > Session ")
	name, rest, _ := strings.Cut(rest, " ")
	kind := kindOfName(name)
	if kind == "" {
		kind = Check
	}
	switch {
	case ok && strings.HasPrefix(rest, "was successful"):
		return partly(kind, Passed), true
	case ok && (strings.HasPrefix(rest, "failed") || strings.HasPrefix(rest, "aborted")):
		return partly(kind, Failed), true
	}
	return report{}, false
}

// hookLine reads a line of pre-commit: a hook's name, dots, and how it ended.
func hookLine(line string) (report, bool) {
	name, rest, ok := strings.Cut(line, "...")
	kind := Lint
	if kindOfName(name).Tests() {
		kind = Test
	}
	switch strings.TrimLeft(rest, ".") {
	case "Passed":
		return partly(kind, Passed), ok
	case "Failed":
		return partly(kind, Failed), ok
	}
	return report{}, false
}

// bundled reads the last word of a bundler: "webpack 5.97.1 compiled with 2 warnings
// in 1412 ms", "created dist/index.js in 412ms".
func bundled(line string) (report, bool) {
	r := reported(Build, Passed, summary)
	if rest, ok := strings.CutPrefix(line, "created "); ok && strings.Contains(rest, " in ") && strings.HasSuffix(rest, "s") {
		return r, true
	}
	_, rest, ok := strings.Cut(line, " compiled with ")
	return r, ok && strings.Contains(rest, " warning") && !strings.Contains(rest, " error")
}

// pytestFailed reads a line of pytest's short summary.
func pytestFailed(line string) (report, bool) {
	for _, p := range [...]string{"FAILED ", "ERROR "} {
		rest, ok := strings.CutPrefix(line, p)
		if ok && !strings.HasPrefix(rest, " ") && (strings.Contains(rest, "::") || strings.HasSuffix(rest, ".py") || strings.Contains(rest, ".py - ")) {
			return reported(Test, Failed, single), true
		}
	}
	return report{}, false
}

// failedInGradle reads a test or task of Gradle that failed.
func failedInGradle(line string) (report, bool) {
	head, ok := strings.CutSuffix(line, " FAILED")
	if !ok || !strings.Contains(head, " > ") && !strings.HasPrefix(head, "> Task ") {
		return report{}, false
	}
	r := reported(Test, Failed, single)
	if task, ok := strings.CutPrefix(head, "> Task "); ok {
		r.kind = kindOfTask("gradle", task, nil)
	}
	return r, true
}

// failedInTurbo reads the tasks that failed: "Failed:    api#test".
func failedInTurbo(line string) (report, bool) {
	rest, ok := strings.CutPrefix(line, "Failed:")
	return reported(kindOfName(rest[strings.LastIndexByte(rest, '#')+1:]), Failed, status), ok && strings.Contains(rest, "#")
}

// stoppedMake reads the line by which make stops.
func stoppedMake(line string) (report, bool) {
	if !strings.Contains(line, "]: *** [") && !strings.HasPrefix(line, "make: *** [") {
		return report{}, false
	}
	return reported(kindOfName(quotedName(line)), Failed, status), true
}

// exitedConcurrently reads the status of one of the commands that concurrently runs:
// "[types] npm run types exited with code 2".
func exitedConcurrently(line string) (report, bool) {
	head, code, ok := strings.Cut(line, " exited with code ")
	if !ok || !strings.HasPrefix(line, "[") {
		return report{}, false
	}
	n, number := atoi(code)
	return reported(kindOfName(head[strings.LastIndexAny(head, " ]")+1:]), Failed, status), number && n > 0
}

// rerunOfFailed reads the list of commands that rerun what failed: "rspec
// ./spec/a_spec.rb:3 # …", "bin/rails test test/a_test.rb:3".
func rerunOfFailed(line string) (report, bool) {
	for _, p := range [...]string{"rspec ", "cucumber ", "rails test ", "bin/rails test "} {
		if rest, ok := strings.CutPrefix(line, p); ok {
			place, _, _ := strings.Cut(rest, " ")
			_, n, ok := strings.Cut(place, ":")
			_, number := atoi(n)
			return reported(Test, Failed, single), ok && number
		}
	}
	return report{}, false
}

// diagnostic reads what a compiler or linter found: "src/a.c:12:5: error: …",
// "a.py:3:1: F401 …", "a.go:3:1: …".
func diagnostic(line string) (report, bool) {
	file, rest, ok := strings.Cut(line, ":")
	if !ok || file == "" || strings.ContainsAny(file, " \t\"'") || !strings.Contains(file, ".") {
		return report{}, false
	}
	row, rest, ok := strings.Cut(rest, ":")
	if _, number := atoi(row); !ok || !number {
		return report{}, false
	}
	column, message, ok := strings.Cut(rest, ":")
	_, number := atoi(column)
	if !ok || !number {
		message = rest // without a column
	}
	message = strings.TrimSpace(message)
	switch {
	case strings.HasPrefix(message, "error: "), strings.HasPrefix(message, "fatal error: "):
		return reported("", Failed, hint), true
	case number && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
		return reported(Build, Failed, hint), true
	case number && !mild(message):
		return reported(Lint, Failed, hint), true
	}
	return report{}, false
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
