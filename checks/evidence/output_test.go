package evidence

import (
	"strings"
	"testing"
)

// outputs are last lines of real runners.
var outputs = []struct {
	name, out         string
	passed, failed    int
	pass, fail, empty bool
}{
	{"pytest", "........\n24 passed in 0.61s", 24, -1, true, false, false},
	{"pytest fancy", "===== 1 failed, 23 passed, 2 skipped, 1 warning in 0.66s =====", 23, 1, false, true, false},
	{"pytest errors", "=== 3 passed, 2 errors in 1.2s ===", 3, 2, false, true, false},
	{"pytest none", "collected 0 items\n\n=== no tests ran in 0.01s ===", -1, -1, false, false, true},
	{"pytest deselected", "24 deselected in 0.02s", -1, -1, false, false, true},
	{"pytest collected", "collected 24 items / 20 deselected / 4 selected\n\ntests/a.py .... [100%]\n\n4 passed, 20 deselected in 0.1s", 4, -1, true, false, false},
	{"unittest", "Ran 63 tests in 4.102s\n\nOK", 63, -1, true, false, false},
	{"unittest skipped", "Ran 63 tests in 4.102s\n\nOK (skipped=3)", 60, -1, true, false, false},
	{"unittest failed", "FAIL: test_x\nRan 63 tests in 4.377s\n\nFAILED (failures=1, errors=2)", 60, 3, false, true, false},
	{"unittest none", "Ran 0 tests in 0.000s\n\nNO TESTS RAN", -1, -1, false, false, true},
	{"go", "ok  \texample.com/a\t0.412s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]", -1, -1, true, false, false},
	{"go cover", "ok  \texample.com/a\t0.412s\tcoverage: 81.2% of statements", -1, -1, true, false, false},
	{"go failed", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\nok  \texample.com/b\t0.2s\nFAIL", -1, -1, false, true, false},
	{"go no tests", "ok  \texample.com/a\t0.012s [no tests to run]", -1, -1, false, false, true},
	{"go no files", "?   \texample.com/c\t[no test files]", -1, -1, false, false, true},
	{"go build", "FAIL\texample.com/a [build failed]\nFAIL", -1, -1, false, true, false},
	{"cargo", "running 12 tests\ntest a::b ... ok\n\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s", 12, 0, true, false, false},
	{"cargo failed", "test result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\nerror: test failed, to rerun pass `--lib`", 11, 1, false, true, false},
	{"cargo none", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out", 0, 0, false, false, true},
	{"cargo compile", "error[E0382]: borrow of moved value: `x`\nerror: could not compile `foo` (lib) due to 1 previous error", -1, -1, false, true, false},
	{"nextest", "     Summary [   0.012s] 12 tests run: 12 passed, 3 skipped", 12, -1, true, false, false},
	{"jest", "PASS src/a.test.ts\nTest Suites: 2 passed, 2 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s", 12, -1, true, false, false},
	{"jest failed", "FAIL src/a.test.ts\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 11 passed, 12 total", 11, 1, false, true, false},
	{"jest none", "No tests found, exiting with code 0", -1, -1, false, false, true},
	{"vitest", " Test Files  2 passed (2)\n      Tests  12 passed (12)\n   Start at  10:00:00", 12, -1, true, false, false},
	{"vitest failed", " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 11 passed (12)", 11, 1, false, true, false},
	{"mocha", "  12 passing (34ms)\n  1 pending", 12, -1, true, false, false},
	{"mocha failed", "  11 passing (34ms)\n  1 failing", 11, 1, false, true, false},
	{"node", "ℹ tests 12\nℹ suites 0\nℹ pass 12\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0", 12, 0, true, false, false},
	{"tap", "# tests 12\n# pass  11\n# fail  1", 11, 1, false, true, false},
	{"bun", " 12 pass\n 0 fail\n 34 expect() calls\nRan 12 tests across 3 files. [12.00ms]", 12, 0, true, false, false},
	{"deno", "ok | 12 passed | 0 failed (34ms)", 12, 0, true, false, false},
	{"playwright", "  12 passed (3.4s)", 12, -1, true, false, false},
	{"gradle", "BUILD SUCCESSFUL in 21s\n57 tests completed, 0 failed", 57, 0, true, false, false},
	{"gradle quiet", "> Task :app:compileJava\n> Task :app:test\n\nBUILD SUCCESSFUL in 21s", -1, -1, true, false, false},
	{"gradle failed", "OrderTest > retry() FAILED\n57 tests completed, 1 failed\nBUILD FAILED in 19s", 56, 1, false, true, false},
	{"gradle no source", "BUILD SUCCESSFUL in 3s\n:app:test NO-SOURCE", -1, -1, false, false, true},
	{"maven", "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", 12, 0, true, false, false},
	{"maven failed", "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", 11, 1, false, true, false},
	{"maven none", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", -1, -1, false, false, true},
	{"dotnet", "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 34 ms - App.Tests.dll (net8.0)", 12, 0, true, false, false},
	{"dotnet failed", "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 34 ms - App.Tests.dll", 11, 1, false, true, false},
	{"dotnet none", "No test is available in App.dll.", -1, -1, false, false, true},
	{"rspec", "Finished in 0.1 seconds\n12 examples, 0 failures, 1 pending", 11, 0, true, false, false},
	{"rspec none", "No examples found.\n\n0 examples, 0 failures", 0, 0, false, false, true},
	{"minitest", "12 runs, 34 assertions, 0 failures, 0 errors, 0 skips", 12, 0, true, false, false},
	{"minitest failed", "12 runs, 34 assertions, 1 failures, 0 errors, 0 skips", 11, 1, false, true, false},
	{"phpunit", "OK (12 tests, 34 assertions)", 12, -1, true, false, false},
	{"phpunit failed", "FAILURES!\nTests: 12, Assertions: 34, Failures: 1.", 11, 1, false, true, false},
	{"phpunit none", "No tests executed!", -1, -1, false, false, true},
	{"pest", "  Tests:    12 passed (34 assertions)\n  Duration: 0.34s", 12, -1, true, false, false},
	{"ctest", "100% tests passed, 0 tests failed out of 12", 12, 0, true, false, false},
	{"ctest failed", "92% tests passed, 1 tests failed out of 12\nErrors while running CTest", 11, 1, false, true, false},
	{"ctest none", "No tests were found!!!", -1, -1, false, false, true},
	{"gtest", "[==========] 12 tests from 3 test suites ran. (3 ms total)\n[  PASSED  ] 12 tests.", 12, -1, true, false, false},
	{"catch2", "All tests passed (34 assertions in 12 test cases)", 12, -1, true, false, false},
	{"exunit", "Finished in 0.1 seconds\n12 tests, 0 failures", 12, 0, true, false, false},
	{"exunit failed", "12 tests, 1 failure", 11, 1, false, true, false},
	{"swift", "Executed 12 tests, with 0 failures (0 unexpected) in 0.034 (0.035) seconds", 12, 0, true, false, false},
	{"bats", "12 tests, 0 failures", 12, 0, true, false, false},
	{"make", "make: *** [Makefile:3: test] Error 1", -1, -1, false, true, false},
	{"npm", "npm error code ELIFECYCLE", -1, -1, false, true, false},
	{"script", "lint ok\nunit ok (24 passed, 0 failed)\nintegration ok", 24, 0, true, false, false},
	{"assignments", "pass=12 warn=1 fail=0", 12, 0, true, false, false},
	{"colour", "\x1b[32m24 passed\x1b[0m in 0.61s\r\n", 24, -1, true, false, false},
	{"prose", "I read the tests and they look fine.", -1, -1, false, false, false},
	{"path with number", "tests/test_3.py failed_dir", -1, -1, false, false, false},
	{"time", "Ran all test suites in 3.4s.", -1, -1, false, false, false},
	{"names of passing tests", "✓ says 3 items failed\n✓ counts 2 errors\n2 passed (3ms)", 2, -1, true, false, false},
	{"log of a passing run", "ERROR: expected\nretrying 3 failed requests\n24 passed in 1s", 24, -1, true, false, false},
	{"log without a sum", "ERROR: cannot connect", -1, -1, false, false, false},
	{"sub-make", "make[1]: *** [Makefile:3: test] Error 1", -1, -1, false, true, false},
	{"pre-commit", "ruff.....................Passed\npytest...................Passed", -1, -1, true, false, false},
	{"pre-commit failed", "ruff.....................Passed\npytest...................Failed\n- hook id: pytest\n- exit code: 1", -1, -1, false, true, false},
	{"verbose pytest", "tests/a.py::test_3_failed PASSED [ 50%]\ntests/a.py::test_x PASSED [100%]\n2 passed in 1s", 2, -1, true, false, false},
	{"nothing", "", -1, -1, false, false, false},
}

func TestFormsFold(t *testing.T) {
	for _, f := range forms {
		if f.fold && f.text != strings.ToLower(f.text) {
			t.Errorf("%q can never match: the line is folded", f.text)
		}
	}
}

func TestReadOutput(t *testing.T) {
	for _, c := range outputs {
		t.Run(c.name, func(t *testing.T) {
			r := ReadOutput(c.out)
			if r.Counts.Passed != c.passed || r.Counts.Failed != c.failed {
				t.Errorf("counts %+v, want %d passed, %d failed", r.Counts, c.passed, c.failed)
			}
			if r.Pass != c.pass || r.Fail != c.fail || r.Empty != c.empty {
				t.Errorf("pass %v fail %v empty %v, want %v %v %v (%q)", r.Pass, r.Fail, r.Empty, c.pass, c.fail, c.empty, r.Line)
			}
		})
	}
}
