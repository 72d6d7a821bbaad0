package evidence

import "strings"

// form is one line by which a runner, a checker or a wrapper says how it went.
type form struct {
	text  string
	at    place
	kind  Kind // what it speaks of; empty: of whatever ran
	says  Outcome
	level level
	// counts tells that the line's numbers count as well.
	counts bool
	fold   bool // case does not matter; text is lower case
	// part tells one of several that a runner sums up without a last line.
	part bool
}

// place is where the text stands in the line.
type place int

const (
	whole place = iota
	prefix
	suffix
	within
)

// level is how much a line's word weighs. A summary overrules every line before
// it; what a test or the program under test may print as well never decides
// against one.
type level int

const (
	hint    level = iota // may also be a log line
	single               // one test, one file
	summary              // the runner's own sum
	status               // a wrapper's word for an exit status
	final                // what fails a run whatever its sum says
)

func (f *form) matches(line, lower string) bool {
	if f.fold {
		line = lower
	}
	switch f.at {
	case prefix:
		return strings.HasPrefix(line, f.text)
	case suffix:
		return strings.HasSuffix(line, f.text)
	case within:
		return strings.Contains(line, f.text)
	default:
		return line == f.text
	}
}

// built is what a line says that tells of a whole ending well, which it also
// does where no test was run.
const built Outcome = "built"

// forms in the order in which they are tried; the first that matches counts. The
// wording is that of the runners' own output.
var forms = [...]form{
	// go test, gotestsum
	{text: "[no tests to run]", at: suffix, kind: Test, says: Empty, level: summary, part: true},
	{text: "[no test files]", at: suffix, kind: Test, says: Empty, level: summary, part: true},
	{text: "testing: warning: no tests to run", kind: Test, says: Empty, level: single},
	{text: "--- FAIL:", at: prefix, kind: Test, says: Failed, level: single},
	{text: "--- PASS:", at: prefix, kind: Test, says: Passed, level: single},
	{text: "FAIL\t", at: prefix, kind: Test, says: Failed, level: summary, part: true},
	{text: "FAIL", kind: Test, says: Failed, level: summary, part: true},
	{text: "PASS", kind: Test, says: Passed, level: summary, part: true},
	{text: "[build failed]", at: suffix, says: Failed, level: summary, part: true},
	{text: "[setup failed]", at: suffix, says: Failed, level: summary, part: true},
	{text: "no packages to test", kind: Test, says: Empty, level: summary},
	{text: "DONE 0 tests", at: prefix, kind: Test, says: Empty, level: summary},
	{text: "DONE 2 runs", at: prefix, kind: Test, says: Unknown, level: summary}, // its failures may be mended by the rerun
	{text: "DONE 3 runs", at: prefix, kind: Test, says: Unknown, level: summary},
	{text: "DONE ", at: prefix, kind: Test, says: Passed, level: summary, counts: true},

	// cargo
	{text: "test result: FAILED.", at: prefix, kind: Test, says: Failed, level: summary, counts: true, part: true},
	{text: "test result: ok.", at: prefix, kind: Test, level: summary, counts: true, part: true},
	{text: "error: test failed", at: prefix, kind: Test, says: Failed, level: status},
	{text: "error: doctest failed", at: prefix, kind: Test, says: Failed, level: status},
	{text: "error: test run failed", at: prefix, kind: Test, says: Failed, level: status},
	{text: "error: no tests to run", at: prefix, kind: Test, says: Empty, level: summary},
	{text: "error: could not compile", at: prefix, says: Failed, level: hint},
	{text: "error[E", at: prefix, says: Failed, level: hint},
	{text: "error: aborting due to", at: prefix, says: Failed, level: hint},
	{text: "Finished `", at: prefix, kind: Build, says: Passed, level: summary},
	{text: "Finished dev ", at: prefix, kind: Build, says: Passed, level: summary},

	// Python
	{text: "no tests ran", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no tests collected", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "collected 0 items", kind: Test, says: Empty, level: single},
	{text: "ImportError while loading conftest", at: prefix, kind: Test, says: Failed, level: single},
	{text: "INTERNALERROR>", at: prefix, kind: Test, says: Failed, level: final},
	{text: "Interrupted: ", at: within, kind: Test, says: Failed, level: single},
	{text: "FAILED (", at: prefix, kind: Test, says: Failed, level: summary, counts: true},
	{text: "OK (", at: prefix, kind: Test, says: Passed, level: summary, counts: true},
	{text: "PASSED (", at: prefix, kind: Test, says: Passed, level: summary, counts: true},
	{text: "congratulations :)", at: within, kind: Check, says: Passed, level: summary},
	{text: "evaluation failed :(", at: within, kind: Check, says: Failed, level: summary},

	{text: "No tests found in class", at: prefix, kind: Test, says: Unknown, level: hint}, // PHPUnit warns of one file

	// JavaScript, TypeScript
	{text: "no tests found", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no test files found", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no test modules found", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "did not match any test files", at: within, kind: Test, says: Empty, level: summary},
	{text: "find any files to test", at: within, kind: Test, says: Empty, level: summary},
	{text: "Tests  no tests", at: within, kind: Test, says: Empty, level: single},
	{text: "Vitest caught ", at: prefix, kind: Test, says: Failed, level: final},
	{text: "error: Type checking failed", at: prefix, says: Failed, level: hint},
	{text: "Test suite failed to run", at: within, kind: Test, says: Failed, level: single},
	{text: "PASS ", at: prefix, kind: Test, says: Passed, level: single},
	{text: "FAIL ", at: prefix, kind: Test, says: Failed, level: single},
	{text: "FAIL: ", at: prefix, kind: Test, says: Failed, level: single},
	{text: "(fail) ", at: prefix, kind: Test, says: Failed, level: single},
	{text: "all specs passed", at: within, kind: Test, says: Passed, level: summary, fold: true},
	{text: "ok | ", at: prefix, kind: Test, says: Passed, level: summary, counts: true},
	{text: "FAILED | ", at: prefix, kind: Test, says: Failed, level: summary, counts: true},

	// JVM
	{text: "No tests to run.", at: within, kind: Test, says: Empty, level: summary, part: true},
	{text: "Tests are skipped.", at: within, kind: Test, says: Empty, level: summary, part: true},
	{text: "NO-SOURCE", at: suffix, kind: Test, says: Empty, level: single, part: true},
	{text: "BUILD SUCCESS", at: prefix, says: built, level: status},
	{text: "BUILD FAIL", at: prefix, says: Failed, level: status},
	{text: "There are test failures", at: prefix, kind: Test, says: Failed, level: status},
	{text: "There were failing tests", at: within, kind: Test, says: Failed, level: status},
	{text: "COMPILATION ERROR", at: prefix, says: Failed, level: hint},
	{text: "e: file:///", at: prefix, says: Failed, level: hint},
	{text: "sbt.TestsFailedException", at: within, kind: Test, says: Failed, level: status},
	{text: "No tests were executed", at: prefix, kind: Test, says: Empty, level: summary},

	// .NET
	{text: "Passed!  - ", at: prefix, kind: Test, says: Passed, level: summary, counts: true, part: true},
	{text: "Failed!  - ", at: prefix, kind: Test, says: Failed, level: summary, counts: true, part: true},
	{text: "Test Run Successful.", at: prefix, kind: Test, says: Passed, level: summary},
	{text: "Test Run Failed.", at: prefix, kind: Test, says: Failed, level: summary},
	{text: "Test run summary: Passed!", at: prefix, kind: Test, says: Passed, level: summary},
	{text: "Test run summary: Failed!", at: prefix, kind: Test, says: Failed, level: summary},
	{text: "Test summary: ", at: prefix, kind: Test, level: summary, counts: true},
	{text: "no test is available", at: prefix, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no test matches", at: prefix, kind: Test, says: Empty, level: summary, fold: true},
	{text: "build succeeded", at: prefix, kind: Build, says: Passed, level: summary, fold: true},
	{text: "build failed", at: prefix, kind: Build, says: Failed, level: summary, fold: true},

	// Ruby, PHP
	{text: "no examples found", at: prefix, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no scenarios", kind: Test, says: Empty, level: summary, fold: true},
	{text: "occurred outside of examples", at: suffix, kind: Test, says: Failed, level: summary, counts: true},
	{text: "no tests executed", at: prefix, kind: Test, says: Empty, level: summary, fold: true},
	{text: "FAILURES!", kind: Test, says: Failed, level: single},
	{text: "ERRORS!", kind: Test, says: Failed, level: single},
	{text: "OK, but ", at: prefix, kind: Test, says: Passed, level: single},
	{text: "100% passed", kind: Test, says: Passed, level: single},

	// C, C++, Swift
	{text: "no tests were found", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "Errors while running CTest", at: prefix, kind: Test, says: Failed, level: status},
	{text: "The following tests FAILED:", kind: Test, says: Failed, level: single},
	{text: "[  PASSED  ]", at: prefix, kind: Test, says: Passed, level: summary, counts: true},
	{text: "[  FAILED  ]", at: prefix, kind: Test, says: Failed, level: single},
	{text: "[doctest] Status: SUCCESS!", at: prefix, kind: Test, says: Passed, level: summary},
	{text: "[doctest] Status: FAILURE!", at: prefix, kind: Test, says: Failed, level: summary},
	{text: "*** No errors detected", kind: Test, says: Passed, level: summary},
	{text: "Executed 0 tests", at: prefix, kind: Test, says: Empty, level: summary, part: true},
	{text: "[FAILED] ", at: prefix, kind: Test, says: Failed, level: single}, // nim
	{text: "** TEST SUCCEEDED **", kind: Test, says: Passed, level: summary},
	{text: "** TEST FAILED **", kind: Test, says: Failed, level: summary},
	{text: "** BUILD SUCCEEDED **", kind: Build, says: Passed, level: summary},
	{text: "** BUILD FAILED **", says: Failed, level: status},
	{text: "ninja: build stopped", at: prefix, says: Failed, level: status},
	{text: "Build complete!", at: prefix, kind: Build, says: Passed, level: summary},

	// zig, elixir, julia
	{text: "Build Summary: ", at: prefix, level: summary, counts: true},
	{text: "== Compilation error in file", at: prefix, says: Failed, level: hint},
	{text: "Compilation failed due to warnings", at: prefix, says: Failed, level: hint},

	// bazel
	{text: "Build did NOT complete successfully", at: within, says: Failed, level: status},
	{text: "INFO: Build completed successfully", at: prefix, kind: Build, says: Passed, level: summary},

	// Others
	{text: "no tests to run", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no tests executed", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no tests run", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no tests selected", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no tests matched", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "no matching tests", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "all specs skipped", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "tests have been excluded", at: within, kind: Test, says: Empty, level: summary, fold: true},
	{text: "returned no results", at: within, kind: Test, says: Empty, level: summary},
	{text: "Result: PASS", kind: Test, says: Passed, level: summary},
	{text: "Result: FAIL", kind: Test, says: Failed, level: summary},
	{text: "Result: NOTESTS", kind: Test, says: Empty, level: summary},
	{text: "TEST RUN PASSED", kind: Test, says: Passed, level: summary},
	{text: "TEST RUN FAILED", kind: Test, says: Failed, level: summary},
	{text: "some tests did not pass", at: within, kind: Test, says: Failed, level: summary, fold: true},
	{text: ": some tests failed.", at: suffix, kind: Test, says: Failed, level: summary, fold: true},
	{text: ": all tests passed!", at: suffix, kind: Test, says: Passed, level: summary, fold: true},
	{text: "all tests successful.", at: prefix, kind: Test, says: Passed, level: summary, fold: true},
	{text: "Test Successful in ", at: prefix, kind: Test, says: Passed, level: summary},
	{text: "all tests passed", at: prefix, kind: Test, says: Passed, level: summary, counts: true, fold: true},
	{text: "all tests pass", kind: Test, says: Passed, level: summary, fold: true},
	{text: "tests passed", kind: Test, says: Passed, level: summary, fold: true},
	{text: "tests failed", kind: Test, says: Failed, level: summary, fold: true},
	{text: "some tests failed", at: prefix, kind: Test, says: Failed, level: summary, fold: true},
	{text: "not ok ", at: prefix, kind: Test, says: Failed, level: single},
	{text: "Bail out!", at: prefix, kind: Test, says: Failed, level: summary},
	{text: " ... FAILED", at: suffix, kind: Test, says: Failed, level: single},
	{text: " ... FAIL", at: suffix, kind: Test, says: Failed, level: single},

	// Checkers
	{text: ": error TS", at: within, kind: Types, says: Failed, level: hint},
	{text: "): error ", at: within, says: Failed, level: hint},
	{text: " - error TS", at: within, kind: Types, says: Failed, level: hint},
	{text: "error TS", at: prefix, kind: Types, says: Failed, level: hint},
	{text: "error: failed to solve", at: prefix, kind: Build, says: Failed, level: status, fold: true},
	{text: "all checks passed", at: prefix, kind: Lint, says: Passed, level: summary, fold: true},
	{text: "all matched files use prettier", at: within, kind: Lint, says: Passed, level: summary, fold: true},
	{text: "code style issues", at: within, kind: Lint, says: Failed, level: summary, fold: true},
	{text: "Checked ", at: prefix, kind: Lint, says: Passed, level: summary},
	{text: "some errors were emitted while running checks", at: within, kind: Lint, says: Failed, level: summary, fold: true},
	{text: "success: no issues found", at: prefix, kind: Types, says: Passed, level: summary, fold: true},
	{text: "no issues found", at: within, kind: Lint, says: Passed, level: summary, fold: true},
	{text: "Passed: 0 failure(s)", at: prefix, kind: Lint, says: Passed, level: summary},
	{text: " failure(s), ", at: within, kind: Lint, says: Failed, level: summary},
	{text: "Found 0 of ", at: prefix, kind: Lint, says: Passed, level: summary},
	{text: " files that can be fixed in ", at: within, kind: Lint, says: Failed, level: summary},
	{text: ", 0 serious in ", at: within, kind: Lint, says: Passed, level: summary},
	{text: " serious in ", at: within, kind: Lint, says: Failed, level: summary},
	{text: "issue found.", at: within, kind: Lint, says: Unknown, level: hint}, // of dart; hints count as well
	{text: "issues found.", at: within, kind: Lint, says: Unknown, level: hint},
	{text: "error • ", at: prefix, kind: Lint, says: Failed, level: single},
	{text: "warning • ", at: prefix, kind: Lint, says: Failed, level: single},
	{text: "--^ SC", at: within, kind: Lint, says: Failed, level: single},
	{text: "^-- SC", at: within, kind: Lint, says: Failed, level: single},
	{text: "more offenses can be corrected", at: within, kind: Lint, says: Failed, level: summary},
	{text: "more offense can be corrected", at: within, kind: Lint, says: Failed, level: summary},
	{text: "Oops! Something went wrong! :(", kind: Lint, says: Failed, level: summary},
	{text: " AFFECTING ", at: within, kind: Lint, says: Failed, level: summary, part: true},
	{text: "[OK] No errors", at: prefix, kind: Types, says: Passed, level: summary},
	{text: "no errors found", at: prefix, kind: Types, says: Passed, level: summary, fold: true},
	{text: "no eslint warnings or errors", at: within, kind: Lint, says: Passed, level: summary, fold: true},
	{text: "All done! ", at: prefix, kind: Lint, says: Passed, level: summary},
	{text: "Oh no! ", at: prefix, kind: Lint, says: Failed, level: summary},
	{text: "would reformat", at: prefix, kind: Lint, says: Failed, level: single, fold: true},
	{text: "would be reformatted", at: within, kind: Lint, says: Failed, level: summary, fold: true},
	{text: "the configuration is valid", at: within, kind: Lint, says: Passed, level: summary, fold: true},
	{text: "compiled successfully", at: within, kind: Build, says: Passed, level: summary, fold: true},
	{text: "failed to compile", at: within, kind: Build, says: Failed, level: summary, fold: true},
	{text: "error during build:", at: prefix, kind: Build, says: Failed, level: hint},
	{text: "(Dynamic)  server-rendered on demand", at: suffix, kind: Build, says: Passed, level: summary}, // the table of routes behind a good "next build"
	{text: "(Static)  prerendered as static content", at: suffix, kind: Build, says: Passed, level: summary},
	{text: "Application bundle generation complete.", at: prefix, kind: Build, says: Passed, level: summary},
	{text: "Application bundle generation failed.", at: prefix, kind: Build, says: Failed, level: summary},
	{text: "✘ [ERROR] ", at: prefix, says: Failed, level: hint},
	{text: "✓ built in ", at: prefix, kind: Build, says: Passed, level: summary},
	{text: "Build success in ", at: within, kind: Build, says: Passed, level: summary},

	// Wrappers that hand on an exit status
	{text: "npm ERR!", at: prefix, says: Failed, level: status},
	{text: "npm error", at: prefix, says: Failed, level: status},
	{text: "ELIFECYCLE", at: prefix, says: Failed, level: status},
	{text: "error Command failed with exit code", at: prefix, says: Failed, level: status},
	{text: "error: script ", at: prefix, says: Failed, level: status},
	{text: "make: *** ", at: prefix, says: Failed, level: status},
	{text: "gmake: *** ", at: prefix, says: Failed, level: status},
	{text: "error: Recipe ", at: prefix, says: Failed, level: status},
	{text: "task: Failed to run task", at: prefix, says: Failed, level: status},
	{text: "ERROR task failed", at: suffix, says: Failed, level: status},
	{text: "event returned with error code", at: within, says: Failed, level: status},
	{text: "Execution failed for task", at: prefix, says: Failed, level: status},
	{text: "ERROR  run failed:", at: prefix, says: Failed, level: status},
	{text: "lerna ERR!", at: prefix, says: Failed, level: status},
	{text: "NX   Successfully ran target", at: prefix, says: built, level: status},
	{text: "Failed tasks:", says: Failed, level: status},
	{text: "targets failed, including the following:", at: within, says: Failed, level: status},
	{text: "- exit code: ", at: prefix, kind: Hook, says: Failed, level: status},
	{text: "husky - ", at: prefix, kind: Hook, says: Failed, level: status},
}
