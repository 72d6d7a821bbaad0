package evidence

import "strings"

// mark is one line form of a runner that says how a run went without counting.
type mark struct {
	text string
	at   place
	says Outcome
	// alone tells that numbers on the line are no counts of tests.
	alone bool
	fold  bool // case does not matter
}

// built is what a line says that tells of a whole ending well, which it also
// does where no test was run.
const built Outcome = "built"

// suspect is what a line says that a test may also print on purpose: it counts
// unless a sum without failures follows.
const suspect Outcome = "suspect"

// place is where the text stands in the line.
type place int

const (
	whole place = iota
	prefix
	suffix
	within
)

func (m *mark) matches(line, lower string) bool {
	if m.fold {
		line = lower
	}
	switch m.at {
	case prefix:
		return strings.HasPrefix(line, m.text)
	case suffix:
		return strings.HasSuffix(line, m.text)
	case within:
		return strings.Contains(line, m.text)
	default:
		return line == m.text
	}
}

// marks in the order in which they are tried.
var marks = [...]mark{
	// Nothing was run
	{"[no tests to run]", suffix, Empty, true, false},
	{"[no test files]", suffix, Empty, true, false},
	{"testing: warning: no tests to run", whole, Empty, true, false},
	{"no tests ran", within, Empty, true, true},
	{"no tests found", within, Empty, true, true},
	{"no test files found", within, Empty, true, true},
	{"no tests were found", within, Empty, true, true},
	{"no test is available", within, Empty, true, true},
	{"no test matches", within, Empty, true, true},
	{"no tests to run", within, Empty, true, true},
	{"no tests executed", within, Empty, true, true},
	{"no tests run", within, Empty, true, true},
	{"no tests selected", within, Empty, true, true},
	{"no tests matched", within, Empty, true, true},
	{"no examples found", within, Empty, true, true},
	{"no scenarios", whole, Empty, true, true},
	{"no matching tests", within, Empty, true, true},
	{"all specs skipped", within, Empty, true, true},
	{" no-source", suffix, Empty, true, true},
	{"collected 0 items", prefix, Empty, true, false},
	{"there are no tests to run", within, Empty, true, true},
	{"there were no tests to run", within, Empty, true, true},
	{"nothing to be done for", within, Unknown, true, true},
	{"Specified filter returned no results", within, Empty, true, false},

	// Failed
	{"--- FAIL:", prefix, Failed, true, false},
	{"FAIL\t", prefix, Failed, true, false},
	{"FAIL", whole, Failed, true, false},
	{"FAIL:", prefix, Failed, true, false},
	{"FAIL ", prefix, Failed, true, false},
	{"FAILED", whole, Failed, true, false},
	{"FAILED (", prefix, Failed, false, false},
	{"FAILED ", prefix, Failed, true, false},
	{"FAILED!", prefix, Failed, false, false},
	{"Failed!  - ", prefix, Failed, false, false},
	{"FAILURES!", whole, Failed, true, false},
	{"ERRORS!", whole, Failed, true, false},
	{"ERROR: ", prefix, suspect, true, false},
	{"BUILD FAILED", prefix, Failed, true, false},
	{"BUILD FAILURE", within, Failed, true, false},
	{"BUILD FAILED", suffix, Failed, true, false},
	{"Build FAILED.", whole, Failed, true, false},
	{"** BUILD FAILED **", whole, Failed, true, false},
	{"** TEST FAILED **", whole, Failed, true, false},
	{"Test Run Failed.", prefix, Failed, true, false},
	{"test result: FAILED.", prefix, Failed, false, false},
	{" FAILED", suffix, Failed, true, false},
	{" ... FAILED", suffix, Failed, true, false},
	{" ... FAIL", suffix, Failed, true, false},
	{"Errors while running CTest", within, Failed, true, false},
	{"make: *** ", prefix, Failed, true, false},
	{"gmake: *** ", prefix, Failed, true, false},
	{"] Error ", within, Failed, true, false},
	{"ninja: build stopped", prefix, Failed, true, false},
	{"npm ERR!", prefix, Failed, true, false},
	{"npm error", prefix, Failed, true, false},
	{"ELIFECYCLE", within, Failed, true, false},
	{"error Command failed with exit code", prefix, Failed, true, false},
	{"error: script ", prefix, Failed, true, false},
	{"error[E", prefix, Failed, true, false},
	{"error: could not compile", prefix, Failed, true, false},
	{"error: test failed", prefix, Failed, true, false},
	{"error: aborting due to", prefix, Failed, true, false},
	{": error TS", within, Failed, true, false},
	{"panic: ", prefix, suspect, true, false},
	{"fatal error:", within, suspect, true, false},
	{"Segmentation fault", within, suspect, true, false},
	{"[build failed]", suffix, Failed, true, false},
	{"[setup failed]", suffix, Failed, true, false},
	{"INTERNALERROR>", prefix, Failed, true, false},
	{"Interrupted: ", within, Failed, false, false},
	{"not ok ", prefix, Failed, true, false},
	{"Bail out!", prefix, Failed, true, false},
	{"task: Failed to run task", prefix, Failed, true, false},
	{"error: Recipe ", prefix, Failed, true, false},
	{"tests failed", whole, Failed, true, true},
	{"tests failed!", within, Failed, true, true},
	{"some tests failed", prefix, Failed, true, true},
	{"Would reformat", prefix, Failed, true, false},
	{"[  FAILED  ]", prefix, Failed, true, false},
	{"Some tests are failing", within, Failed, true, false},
	{"Task failed", within, suspect, true, false},
	{"hook failed", within, suspect, true, true},
	{"- hook id:", prefix, Unknown, true, false},
	{"- exit code: ", prefix, Failed, true, false},
	{"....Failed", suffix, Failed, true, false},
	{"completed\tfailure", prefix, Failed, true, false},
	{"\tfail\t", within, Failed, true, false},
	{"conclusion: failure", within, Failed, true, true},
	{"\"conclusion\":\"failure\"", within, Failed, true, true},

	// Passed
	{"PASS", whole, Passed, true, false},
	{"PASS ", prefix, Passed, true, false},
	{"PASSED", whole, Passed, true, false},
	{"OK", whole, Passed, true, false},
	{"OK (", prefix, Passed, false, false},
	{"--- PASS:", prefix, Passed, true, false},
	{"test result: ok.", prefix, Unknown, false, false},
	{"BUILD SUCCESS", within, built, true, false},
	{"** BUILD SUCCEEDED **", whole, built, true, false},
	{"** TEST SUCCEEDED **", whole, Passed, true, false},
	{"Build succeeded.", prefix, built, true, false},
	{"Build succeeded in", within, built, true, false},
	{"Test Run Successful.", prefix, Passed, true, false},
	{"Passed!  - ", prefix, Unknown, false, false},
	{"all tests passed", prefix, Passed, false, true},
	{"all specs passed", within, Passed, false, true},
	{"all checks passed", within, built, true, true},
	{"all checks were successful", within, Passed, true, true},
	{"All matched files use Prettier code style!", within, built, true, false},
	{"Success: no issues found", prefix, built, true, false},
	{"All done! ", prefix, Passed, true, false},
	{"no issues found", prefix, built, true, true},
	{"no offenses detected", within, built, true, true},
	{"[OK] No errors", prefix, built, true, false},
	{"100% tests passed", prefix, Passed, true, false},
	{"congratulations :)", within, Passed, true, false},
	{"Result: PASS", prefix, Passed, true, false},
	{"Finished `dev`", within, built, true, false},
	{"Finished `release`", within, built, true, false},
	{"Finished dev ", within, built, true, false},
	{"compiled successfully", within, built, true, true},
	{"successfully compiled", within, built, true, true},
	{"built in ", within, built, true, false},
	{"....Passed", suffix, Passed, true, false},
	{"completed\tsuccess", prefix, Passed, true, false},
	{"\tpass\t", within, Passed, true, false},
	{"\"conclusion\":\"success\"", within, Passed, true, true},
	{"conclusion: success", within, Passed, true, true},
	{"[  PASSED  ]", prefix, Passed, false, false},
}
