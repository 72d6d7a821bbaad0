package evidence

import (
	"strings"
	"testing"
	"time"
)

// forms of runners as they print them, read without any exit status.
func TestRunnersOwnWords(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		name string
		out  string
		want Outcome
	}{
		{Test, "go, noisy", "panic: test of a panic\n2026/01/01 ERROR boom\nok  \ta/b\t0.2s", Passed},
		{Test, "go, some without tests", "ok  \ta/b\t0.2s [no tests to run]\nok  \ta/c\t0.1s\nok  \ta/d\t0.1s [no tests to run]", Passed},
		{Test, "go -v fails", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\nexit status 1\nFAIL\ta/b\t0.1s", Failed},
		{Test, "go, inner runner's words in a passing test", "--- FAIL: TestInner (0.00s)\n3 failed, 1 passed\nok  \ta/b\t0.2s", Passed},
		{Test, "go -json", `{"Time":"x","Action":"pass","Package":"a/b","Elapsed":0.1}` + "\n" + `{"Time":"x","Action":"fail","Package":"a/c","Elapsed":0.1}`, Failed},
		{Test, "gotestsum", "✓  a/b (12ms)\n✖  a/c (10ms)\n\nDONE 12 tests, 1 failure in 0.513s", Failed},
		{Test, "gotestsum, well", "✓  a/b (12ms)\n\nDONE 12 tests in 0.513s", Passed},
		{Test, "cargo, a crate fails", "test result: ok. 3 passed; 0 failed; 0 ignored\ntest a ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `-p x`", Failed},
		{Test, "cargo, doc tests are none", "test result: ok. 3 passed; 0 failed; 0 ignored\n   Doc-tests x\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored", Passed},
		{Test, "nextest fails", "        FAIL [   0.005s] x a::b\n     Summary [   0.012s] 12 tests run: 11 passed, 1 failed, 3 skipped\nerror: test run failed", Failed},
		{Test, "pytest with xdist", "bringing up nodes...\n[gw0] [100%] PASSED tests/a.py::t\n==== 120 passed, 2 xfailed, 1 xpassed, 3 warnings in 12.06s (0:00:12) ====", Passed},
		{Test, "pytest logs errors", "ERROR    root:client.py:12 request failed, retrying\n3 passed in 0.20s", Passed},
		{Test, "pytest, error in a file", "ERROR tests/test_a.py - ImportError: no module\n!!!! Interrupted: 1 error during collection !!!!\n1 error in 0.12s", Failed},
		{Test, "pytest, summary info alone", "FAILED tests/test_a.py::test_b - assert 1 == 2", Failed},
		{Test, "unittest", "Ran 3 tests in 0.001s\n\nFAILED (errors=1)", Failed},
		{Test, "django", "System check identified no issues (0 silenced).\nFound 12 test(s).\n....\nRan 12 tests in 0.3s\n\nOK\nDestroying test database for alias 'default'...", Passed},
		{Test, "trial", "Ran 3 tests in 0.1s\n\nPASSED (successes=3)", Passed},
		{Test, "behave", "1 feature passed, 0 failed, 0 skipped\n3 scenarios passed, 1 failed, 0 skipped\n12 steps passed, 1 failed, 2 skipped", Failed},
		{Test, "tox", "  py312: OK (3.40=setup[1.2]+cmd[2.2] seconds)\n  congratulations :) (3.45 seconds)", Passed},
		{Test, "tox fails", "  py312: FAIL code 1 (3.40 seconds)\n  evaluation failed :( (3.45 seconds)", Failed},
		{Test, "jest, console noise", "  console.error\n    Error: connect ECONNREFUSED 1 failed\n\nTest Suites: 4 passed, 4 total\nTests:       88 passed, 88 total\nSnapshots:   3 passed, 3 total\nTime:        4.1 s\nRan all test suites.", Passed},
		{Test, "jest, a suite does not start", "FAIL src/a.test.ts\n  ● Test suite failed to run\nTest Suites: 1 failed, 3 passed, 4 total\nTests:       40 passed, 40 total", Failed},
		{Test, "jest, a snapshot", "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\nSnapshots:   1 failed, 1 total", Failed},
		{Test, "vitest, a file does not load", " FAIL  src/a.test.ts [ src/a.test.ts ]\n Test Files  1 failed (1)\n      Tests  no tests\n   Duration  300ms", Failed},
		{Test, "vitest, skipped", " Test Files  12 passed | 1 skipped (13)\n      Tests  120 passed | 4 skipped (124)\n   Start at  10:00:00\n   Duration  2.31s (transform 1.2s, setup 0ms)", Passed},
		{Test, "mocha", "  12 passing (2s)\n  2 pending\n  3 failing\n\n  1) a b\n     Error: x", Failed},
		{Test, "ava", "  ✘ [fail]: a › b\n  ─\n\n  1 test failed\n  11 tests passed", Failed},
		{Test, "node --test", "▶ a\n  ✔ b (0.3ms)\nℹ tests 12\nℹ suites 3\nℹ pass 11\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 80.1", Failed},
		{Test, "suites and tests, both short", "Suites: 4/5 ok\n19/20 passed", Failed},
		{Test, "a suite short, its tests not counted", "Suites: 4/5 ok\n20 passed", Failed},
		{Test, "short, then skipped", "19/20 tests passed\n1 test skipped", Passed},
		{Test, "exunit: invalid beside failed", "20 tests, 1 failure, 3 invalid", Failed},
		{Test, "exunit: invalid alone", "Finished in 0.1 seconds\n20 tests, 0 failures, 4 invalid", Failed},
		{Test, "not ok as a class", "18 ok, 2 not ok", Failed},
		{Test, "none not ok", "18 ok, 0 not ok", Passed},
		{Test, "not run is skipped", "18 passed, 2 not run", Passed},
		{Test, "ava: passed, then skipped", "20 tests passed\n1 test skipped", Passed},
		{Test, "skipped alone", "3 tests skipped", Empty},
		{Test, "tap with todo", "TAP version 13\nok 1 - a\nnot ok 2 - b # TODO later\n1..2\n# tests 2\n# pass  2\n# ok", Passed},
		{Test, "bun, noise of the program", "[Api] Error in POST /x: 212 | expect(a).toBe(1);\n 1351 pass\n 0 fail\n 2939 expect() calls\nRan 1351 tests across 61 files. [910.00ms]", Passed},
		{Test, "bun fails", "(fail) a > b [0.30ms]\n\n 1307 pass\n 2 fail\n 1 error\n 2846 expect() calls\nRan 1309 tests across 58 files. [754.00ms]", Failed},
		{Test, "deno fails", "a ... FAILED (3ms)\nFAILED | 11 passed | 1 failed (34ms)\n\nerror: Test failed", Failed},
		{Test, "deno with steps", "ok | 12 passed (30 steps) | 0 failed | 1 ignored (34ms)", Passed},
		{Test, "playwright", "  1 failed\n    [chromium] › a.spec.ts:3:1 › signs in ─────\n  1 flaky\n  2 skipped\n  80 passed (3.2m)", Failed},
		{Test, "playwright, did not run", "  3 did not run\n  1 failed\n    [chromium] › a.spec.ts:3:1 › x\n  4 passed (3.2s)", Failed},
		{Test, "cypress", "    ✔  All specs passed!                       00:12       12       12        -        -        -", Passed},
		{Test, "karma", "Chrome 130 (Linux): Executed 12 of 12 SUCCESS (0.1 secs / 0.05 secs)\nTOTAL: 12 SUCCESS", Passed},
		{Test, "karma fails", "Chrome 130 (Linux): Executed 12 of 12 (1 FAILED) (0.1 secs / 0.05 secs)", Failed},
		{Test, "jasmine", "12 specs, 1 failure\nFinished in 0.1 seconds", Failed},
		{Test, "uvu", "  Total:     12\n  Passed:    12\n  Skipped:   0\n  Duration:  3.2ms", Passed},
		{Test, "rspec outside of examples", "Finished in 0.1 seconds\n0 examples, 0 failures, 1 error occurred outside of examples", Failed},
		{Test, "minitest of rails", "12 runs, 34 assertions, 0 failures, 2 errors, 0 skips", Failed},
		{Test, "test-unit", "12 tests, 34 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n100% passed", Passed},
		{Test, "cucumber", "3 scenarios (1 failed, 2 passed)\n12 steps (1 failed, 11 passed)\n0m0.2s", Failed},
		{Test, "phpunit, risky", "OK, but there were issues!\nTests: 12, Assertions: 34, Risky: 1.", Passed},
		{Test, "phpunit errors", "ERRORS!\nTests: 12, Assertions: 34, Errors: 1.", Failed},
		{Test, "pest fails", "  FAIL  Tests\\Unit\\A\n  Tests:    1 failed, 11 passed (34 assertions)\n  Duration: 0.34s", Failed},
		{Test, "maven modules", "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Building b\n[ERROR] Tests run: 3, Failures: 0, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE", Failed},
		{Test, "maven, one module without tests", "[INFO] No tests to run.\n[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS", Passed},
		{Test, "gradle", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 2 executed, 2 up-to-date", Passed},
		{Test, "gradle fails", "OrderTest > retries() FAILED\n    java.lang.AssertionError\n12 tests completed, 1 failed\n> Task :test FAILED\nExecution failed for task ':test'.\nBUILD FAILED in 3s", Failed},
		{Test, "sbt", "[info] Run completed in 300 milliseconds.\n[info] Tests: succeeded 12, failed 0, canceled 0, ignored 0, pending 0\n[info] All tests passed.\n[success] Total time: 3 s", Passed},
		{Test, "sbt fails", "[info] *** 1 TEST FAILED ***\n[error] Failed: Total 12, Failed 1, Errors 0, Passed 11\n[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful", Failed},
		{Test, "dotnet, new logger", "Test summary: total: 12, failed: 1, succeeded: 11, skipped: 0, duration: 1.2s\nBuild failed with 1 error(s) in 3.1s", Failed},
		{Test, "dotnet, verbose", "Total tests: 12\n     Passed: 12\n Total time: 1.2 Seconds", Passed},
		{Test, "dotnet, two assemblies", "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 1 s - A.dll\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s - B.dll", Failed},
		{Test, "ctest", "The following tests FAILED:\n\t  3 - a (Failed)\n75% tests passed, 1 tests failed out of 4\nErrors while running CTest", Failed},
		{Test, "meson", "Ok:                 12\nExpected Fail:      0\nFail:               0\nUnexpected Pass:    0\nSkipped:            0\nTimeout:            0", Passed},
		{Test, "gtest fails", "[  PASSED  ] 11 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n\n 1 FAILED TEST", Failed},
		{Test, "catch2 fails", "test cases: 12 | 11 passed | 1 failed\nassertions: 34 | 33 passed | 1 failed", Failed},
		{Test, "doctest of C++", "[doctest] test cases: 12 | 12 passed | 0 failed | 0 skipped\n[doctest] Status: SUCCESS!", Passed},
		{Test, "bazel", "//a:t   PASSED in 0.3s\nExecuted 1 out of 2 tests: 2 tests pass.", Passed},
		{Test, "bazel fails", "//a:t   FAILED in 0.3s\nExecuted 2 out of 2 tests: 1 test passes and 1 fails locally.", Failed},
		{Test, "swift testing behind XCTest", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n◇ Test run started.\n✔ Test run with 12 tests passed after 0.001 seconds.", Passed},
		{Test, "swift testing fails", "✘ Test run with 12 tests in 3 suites failed after 0.1 seconds with 1 issue.", Failed},
		{Test, "elixir", "Finished in 0.1 seconds (0.00s async, 0.1s sync)\n3 doctests, 12 tests, 1 failure, 2 excluded", Failed},
		{Test, "eunit", "  All 12 tests passed.", Passed},
		{Test, "hspec", "12 examples, 0 failures", Passed},
		{Test, "tasty fails", "1 out of 12 tests failed (0.01s)", Failed},
		{Test, "alcotest", "Test Successful in 0.001s. 12 tests run.", Passed},
		{Test, "flutter", "00:03 +12: All tests passed!", Passed},
		{Test, "flutter fails", "00:03 +11 -1: a b [E]\n00:03 +11 -1: Some tests failed.", Failed},
		{Test, "zig", "All 12 tests passed.", Passed},
		{Test, "prove", "t/a.t .. ok\nAll tests successful.\nFiles=3, Tests=12,  0 wallclock secs ( 0.01 usr  0.00 sys)\nResult: PASS", Passed},
		{Test, "prove fails", "Failed 1/12 subtests\nFiles=3, Tests=12,  0 wallclock secs\nResult: FAIL", Failed},
		{Test, "busted", "12 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds", Failed},
		{Test, "testthat", "[ FAIL 0 | WARN 1 | SKIP 0 | PASS 12 ]", Passed},
		{Test, "forge", "Suite result: ok. 12 passed; 0 failed; 0 skipped; finished in 1.2ms\nRan 3 test suites in 1.1s: 12 tests passed, 0 failed, 0 skipped (12 total tests)", Passed},
		{Test, "clojure", "Ran 12 tests containing 34 assertions.\n1 failures, 0 errors.", Failed},
		{Test, "conftest", "12 tests, 12 passed, 0 warnings, 0 failures, 0 exceptions", Passed},
		{Test, "opa", "PASS: 12/12", Passed},
		{Test, "opa fails", "FAIL: 1/12", Failed},
		{Test, "fractions", "80 of 84 passed", Failed},
		{Test, "fractions, all", "Result: 84/84 tests passed", Passed},
		{Test, "fractions, the rest skipped", "80 of 84 passed, 4 skipped", Passed},
		{Test, "keys of two words", "Passed tests: 11\nFailed tests: 1\nTotal tests: 12", Failed},
		{Test, "hurl", "Executed files:    12\nSucceeded files:   11 (91.7%)\nFailed files:      1 (8.3%)", Failed},
		{Test, "bun, an error outside of tests", " 31 pass\n 0 fail\n 1 error\n 80 expect() calls\nRan 31 tests across 6 files.", Failed},
		{Test, "playwright, interrupted", "  1 interrupted\n    [chromium] › a.spec.ts:8:5 › x\n  3 did not run\n  8 passed (30.1s)", Failed},
		{Test, "swift, in parallel", "[40/41] Testing A.BTests/testC\n[41/41] Testing A.BTests/testFails\n✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.", Passed},
		{Test, "nim", "[Suite] queue\n  [OK] pushes\n  [FAILED] drains", Failed},
		{Test, "newman", "│              requests │               12 │                0 │\n│            assertions │               31 │                1 │", Failed},
		{Test, "home-made", "PASS api\nPASS queue\nAll tests passed (29)", Passed},
		{Test, "home-made, with ticks", "✅ login\n❌ logout\n\nResults: 11 passed, 1 failed", Failed},
		{Test, "home-made log", "[queue] message handling failed: runner handoff failed: 503\nAll tests passed (29)", Passed},
		{Test, "turbo", "web:test:  Test Files  1 passed (1)\nweb:test:       Tests  3 passed (3)\napi:test:       Tests  1 failed | 2 passed (3)\n Failed:    api#test", Failed},
		{Test, "pnpm workspaces", "packages/a test:       Tests  3 passed (3)\npackages/a test: Done", Passed},
		{Test, "npm says so", "npm error Lifecycle script `test` failed with error:\nnpm error code 1", Failed},
		{Test, "coverage under its threshold", "Tests:       88 passed, 88 total\nJest: \"global\" coverage threshold for lines (80%) not met: 79.1%\nnpm error Lifecycle script `test` failed with error:", Failed},
		{Test, "docker compose", "web-1  | 12 passed in 0.31s\nweb-1 exited with code 0", Passed},
		{Test, "coverage, said before the sum", "All files | 84.2 | 71.4 |\nJest: \"global\" coverage threshold for branches (80%) not met: 71.4%\n\nTests:       88 passed, 88 total", Failed},
		{Test, "pytest-cov", "FAIL Required test coverage of 90% not reached. Total coverage: 85.00%\n=== 61 passed in 3.13s ===", Failed},
		{Test, "pytest-cov, reached", "Required test coverage of 80% reached. Total coverage: 85.00%\n61 passed in 3.13s", Passed},
		{Test, "nyc", "  12 passing (2s)\nERROR: Coverage for lines (79.1%) does not meet global threshold (90%)", Failed},
		{Test, "meson, a failure that is expected", "Ok:                 11\nExpected Fail:      1\nFail:               0\nUnexpected Pass:    0\nSkipped:            0\nTimeout:            0", Passed},
		{Test, "meson, a pass that is not expected", "Ok:                 11\nExpected Fail:      0\nFail:               0\nUnexpected Pass:    1", Failed},
		{Test, "unittest, expected failures", "Ran 3 tests in 0.001s\n\nOK (skipped=1, expected failures=1)", Passed},
		{Test, "unittest, unexpected successes", "Ran 3 tests in 0.001s\n\nFAILED (unexpected successes=1)", Failed},
		{Test, "ava, known failures", "  11 tests passed\n  1 known failure", Passed},
		{Test, "swift testing, known issues", "✔ Test run with 31 tests in 5 suites passed after 0.012 seconds with 1 known issue.", Passed},
		{Test, "nx, one project fails", " NX   Ran target test for 5 projects (9s)\n   ✔  4/5 succeeded [2 read from cache]\n   ✖  1/5 targets failed, including the following:\n      - nx run web:test", Failed},
		{Test, "rspec, the list of what failed", "rspec ./spec/a_spec.rb:18 # A totals lines\nrspec ./spec/a_spec.rb:31 # A refunds", Failed},
		{Test, "zig", "Build Summary: 5/7 steps succeeded; 1 failed; 45/46 tests passed; 1 failed\ntest transitive failure", Failed},
		{Test, "zig, noise", "[queue] (err): push failed: full\nBuild Summary: 5/5 steps succeeded; 46/46 tests passed", Passed},
		{Test, "julia", "Test Summary: | Pass  Broken  Total  Time\nA             |   11       1     12  1.2s\n     Testing A tests passed", Passed},
		{Test, "jest --json", "{\n  \"numFailedTests\": 2,\n  \"numPassedTests\": 95,\n  \"success\": false\n}", Failed},
		{Test, "gotestsum that reran", "✖  a/c (10ms)\nDONE 12 tests, 1 failure in 0.5s\n✓  a/c (9ms)\nDONE 2 runs, 13 tests, 1 failure in 0.9s", Unknown},
		{Test, "pytest, a broken conftest", "ImportError while loading conftest '/a/conftest.py'.\nconftest.py:3: in <module>\nE   ModuleNotFoundError: No module named 'x'", Failed},
		{Test, "a sum that a test logs between packages", "FAIL\ta/b\t0.1s\n5 passed, 0 failed in 0.2s\nok  \ta/c\t0.2s\nFAIL", Failed},
		{Test, "a script goes on behind a failure", "Tests:       1 failed, 3 passed, 4 total\nnpm error Lifecycle script `test` failed with error:\nTests:       4 passed, 4 total", Unknown},
		{Test, "a wrapper's word that came first", "error: script \"test\" exited with code 1\n 88 pass\n 0 fail", Unknown},
		{Test, "go -v, no test of that name", "testing: warning: no tests to run\nPASS\nok  \ta/b\t0.1s [no tests to run]", Empty},
		{Test, "node --test, cancelled", "ℹ tests 31\nℹ pass 30\nℹ fail 0\nℹ cancelled 1\nℹ skipped 0", Failed},
		{Test, "cucumber, undefined", "12 scenarios (1 undefined, 11 passed)\n52 steps (1 undefined, 2 skipped, 49 passed)", Failed},
		{Test, "ava, an error outside of tests", "  12 tests passed\n  1 uncaught exception", Failed},
		{Test, "vitest, an error outside of tests", " Test Files  10 passed (10)\n      Tests  92 passed (92)\n     Errors  1 error\n   Start at  10:11:12", Failed},
		{Test, "vitest, all skipped", " Test Files  10 skipped (10)\n      Tests  92 skipped (92)", Empty},
		{Test, "pytest breaks", "INTERNALERROR> RuntimeError: no settings\n\n=== no tests ran in 0.01s ===", Failed},
		{Test, "deno, types", "TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.\nerror: Type checking failed.", Failed},
		{Test, "nox, one session fails", "nox > Session lint was successful.\nnox > Session tests-3.12 failed.\nnox > Ran multiple sessions:", Failed},
		{Test, "nox", "nox > Session tests-3.12 was successful in 6 seconds.\nnox > Session lint was successful.", Passed},
		{Test, "cabal", "Test suite a: RUNNING...\nTest suite a: PASS\n1 of 1 test suites (1 of 1 test cases) passed.", Passed},
		{Test, "cabal fails", "Test suite a: FAIL\n0 of 1 test suites (0 of 1 test cases) passed.", Failed},
		{Check, "turbo, a task fails", " Tasks:    5 successful, 6 total\nCached:    3 cached, 6 total\n  Time:    9.204s", Failed},
		{Check, "concurrently", "[lint] npm run lint exited with code 0\n[types] npm run types exited with code 2", Failed},
		{Test, "a lint is no test", "All checks passed!\nChecked 91 files in 30ms. No fixes applied.\nFound 0 errors.", Unknown},
		{Test, "log with counts", "retrying 3 failed requests\nsent 12 messages, 2 failed to deliver", Unknown},
		{Test, "statistics of a commit", "ok 2 files changed, 80 insertions(+), 1 deletion(-)", Unknown},

		{Lint, "eslint", "✖ 3 problems (1 error, 2 warnings)", Failed},
		{Lint, "eslint, warnings", "✖ 2 problems (0 errors, 2 warnings)", Passed},
		{Lint, "biome", "Checked 91 files in 30ms. No fixes applied.", Passed},
		{Lint, "biome fails", "Checked 91 files in 30ms. No fixes applied.\nFound 2 errors.", Failed},
		{Lint, "ruff", "All checks passed!", Passed},
		{Lint, "ruff fails", "Found 3 errors.\n[*] 2 fixable with the `--fix` option.", Failed},
		{Lint, "golangci-lint", "0 issues.", Passed},
		{Lint, "golangci-lint fails", "a.go:3:1: x (errcheck)\n1 issues:\n* errcheck: 1", Failed},
		{Lint, "rubocop", "12 files inspected, no offenses detected", Passed},
		{Lint, "rubocop fails", "12 files inspected, 3 offenses detected, 1 offense autocorrectable", Failed},
		{Lint, "rubocop mended all", "12 files inspected, 3 offenses detected, 3 offenses corrected", Passed},
		{Lint, "rubocop mended some", "12 files inspected, 3 offenses detected, 1 offense corrected, 2 more offenses can be corrected with `rubocop -A`", Failed},
		{Lint, "ruff mended all", "Found 12 errors (12 fixed, 0 remaining).", Passed},
		{Lint, "ruff mended some", "Found 14 errors (12 fixed, 2 remaining).", Failed},
		{Lint, "biome mended", "Checked 41 files in 120ms. Fixed 3 files.", Passed},
		{Lint, "biome, its sum first", "Found 2 errors.\nChecked 91 files in 30ms. No fixes applied.", Failed},
		{Lint, "flake8", "src/a.py:12:80: E501 line too long (92 > 79 characters)", Failed},
		{Lint, "phpcs", "FOUND 2 ERRORS AND 1 WARNING AFFECTING 3 LINES", Failed},
		{Lint, "eslint crashes", "Oops! Something went wrong! :(\n\nESLint: 9.18.0", Failed},
		{Lint, "a warning of a compiler", "src/a.swift:14:1: warning: Line Length Violation", Unknown},
		{Lint, "swiftlint", "Done linting! Found 1 violation, 0 serious in 41 files.", Passed},
		{Lint, "swiftlint fails", "Done linting! Found 3 violations, 1 serious in 41 files.", Failed},
		{Lint, "flutter analyze", "  error • Undefined name 'x' • lib/a.dart:14:9 • undefined_identifier\n\n1 issue found. (ran in 2.1s)", Failed},
		{Lint, "dart analyze, hints alone", "   info • Use 'const' • lib/a.dart:14:9 • prefer_const\n\n1 issue found.", Unknown},
		{Lint, "shellcheck", "In a.sh line 14:\nrm -rf $dir\n       ^--^ SC2086 (info): Double quote to prevent globbing.", Failed},
		{Lint, "actionlint", ".github/workflows/ci.yml:14:9: property \"x\" is not defined in object type {} [expression]", Failed},
		{Lint, "ansible-lint", "Passed: 0 failure(s), 1 warning(s) on 12 files. Profile 'production' was required, and it passed.", Passed},
		{Lint, "ansible-lint fails", "Failed: 2 failure(s), 1 warning(s) on 12 files.", Failed},
		{Lint, "php-cs-fixer", "Found 0 of 120 files that can be fixed in 1.204 seconds, 20.00 MB memory used", Passed},
		{Lint, "php-cs-fixer fails", "Found 1 of 120 files that can be fixed in 1.204 seconds, 20.00 MB memory used", Failed},
		{Lint, "vale", "✖ 0 errors, 2 warnings and 0 suggestions in 3 files.", Passed},
		{Lint, "prettier fails", "[warn] Code style issues found in 3 files. Run Prettier with --write to fix.", Failed},
		{Lint, "dart", "No issues found!", Passed},
		{Lint, "clippy fails", "error: could not compile `x` (lib) due to 2 previous errors", Failed},
		{Types, "mypy", "Success: no issues found in 12 source files", Passed},
		{Types, "mypy fails", "Found 2 errors in 1 file (checked 12 source files)", Failed},
		{Types, "pyright", "0 errors, 0 warnings, 0 informations", Passed},
		{Types, "tsc fails", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.", Failed},
		{Types, "tsc --pretty", "a/b.test.ts:25:5 - error TS2698: Spread types may only be created from object types.\n\n25     ...actual,", Failed},
		{Types, "svelte-check", "svelte-check found 1 error and 3 warnings in 2 files", Failed},
		{Types, "phpstan", "[OK] No errors", Passed},
		{Build, "swift", "/src/a.swift:14:9: error: cannot find 'x' in scope\nerror: fatalError", Failed},
		{Build, "gcc", "src/a.c:41:12: error: 'q' undeclared (first use in this function)", Failed},
		{Build, "go", "# a/b\nb/b.go:3:1: undefined: x", Failed},
		{Build, "mix", "Compilation failed due to warnings while using the --warnings-as-errors option", Failed},
		{Build, "gradle", "> Task :app:compileKotlin\n\nBUILD SUCCESSFUL in 2s", Passed},
		{Build, "next", "Failed to compile.", Failed},
		{Build, "next, its table of routes", "Route (app)\n┌ ƒ /\n└ ƒ /welcome\n\n\nƒ  (Dynamic)  server-rendered on demand", Passed},
		{Build, "webpack fails", "webpack 5.97.1 compiled with 1 error in 412 ms", Failed},
		{Build, "webpack, warnings", "webpack 5.97.1 compiled with 2 warnings in 1412 ms", Passed},
		{Build, "rollup", "created dist/index.js in 412ms", Passed},
		{Build, "angular", "Application bundle generation complete. [4.120 seconds]", Passed},
		{Build, "esbuild fails", "✘ [ERROR] Could not resolve \"./x\"\n\n    src/a.ts:3:9:\n1 error", Failed},
		{Build, "vite fails", "error during build:\n[vite]: Rollup failed to resolve import \"x\" from \"/a/b.ts\".", Failed},
		{Build, "vite", "✓ built in 1.2s", Passed},
		{Build, "cargo", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.43s", Passed},
		{Build, "dotnet", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)", Passed},
	} {
		t.Run(string(c.kind)+" "+c.name, func(t *testing.T) {
			v := Verification{Kind: c.kind, Runner: "script", Masked: true}
			if got, r := ended(v, Call{Output: c.out}); got != c.want && !(c.want == Unknown && got == Masked) {
				t.Errorf("%s, want %s (%+v)", got, c.want, r)
			}
		})
	}
}

// ended is how a verification ended that has the output for itself.
func ended(v Verification, c Call) (Outcome, Result) {
	end := Endings("", []Verification{v}, c)[0]
	return end.Outcome, end.Result
}

// TestEndings: texts with several commands, each with its own part of the output.
func TestEndings(t *testing.T) {
	bun := " 88 pass\n 0 fail\nRan 88 tests across 9 files. [88.00ms]"
	for _, c := range []struct {
		name, src string
		call      Call
		want      string
	}{
		{"tests pass, lint fails", "bun run test && bun run lint", Call{Failed: true, Output: "Exit code 1\n" + bun + "\nFound 2 errors.\nerror: script \"lint\" exited with code 1"}, "passed failed"},
		{"tests fail, lint never runs", "bun run test && bun run lint", Call{Failed: true, Output: "Exit code 1\n 86 pass\n 2 fail\nerror: script \"test\" exited with code 1"}, "failed not_run"},
		{"both pass", "bun run test && bun run lint", Call{Output: bun + "\nChecked 9 files in 3ms. No fixes applied."}, "passed passed"},
		{"named by a task runner", "mise run lint && mise run test 2>&1 | tail -15", Call{Failed: true, Output: "Exit code 1\n[lint] ERROR task failed\n1 issues:\n* goconst: 1"}, "failed not_run"},
		{"the later one fails, by name", "mise run lint && mise run test 2>&1 | tail -15", Call{Output: "0 issues.\nFAIL\nFAIL\ta/b\t0.1s\nFAIL\n[test] ERROR task failed"}, "passed failed"},
		{"parted by headings", "echo '== unit'; npm run test:unit; echo '== e2e'; npm run test:e2e", Call{Failed: true, Output: "Exit code 1\n== unit\nTests: 3 passed, 3 total\n== e2e\n  2 failed\n  1 passed (3s)"}, "passed failed"},
		{"one kind, in order", "npm run test:unit; npm run test:e2e | tail -3", Call{Output: "Tests: 1 failed, 3 passed, 4 total\n\n  80 passed (3.2m)"}, "failed passed"},
		{"one kind, one sum", "npm run test:unit; npm run test:e2e; true", Call{Output: "Tests: 4 passed, 4 total"}, "passed passed"},
		{"statuses printed by each", "npm test >/dev/null 2>&1; echo \"test: $?\"; npm run lint >/dev/null; echo \"lint: $?\"", Call{Output: "test: 1\nlint: 0"}, "failed passed"},
		{"status kept and printed", "pytest -q > out.txt 2>&1; rc=$?; tail -2 out.txt; echo rc=$rc", Call{Output: "boom\nrc=2"}, "failed"},
		{"a commit behind tests", "go test ./... && git commit -am x", Call{Output: "ok  \ta/b\t0.1s\n[main abc1234] x\n 1 file changed"}, "passed not_run"},
		{"a commit's hook fails", "pytest -q && git commit -m x", Call{Failed: true, Output: "Exit code 1\n3 passed in 0.1s\nx markdownlint:\nhusky - pre-commit script failed (code 1)"}, "passed not_run"},
		{"lint fails by name, types never run", "bun run lint && bun run typecheck", Call{Failed: true, Output: "Exit code 1\nFound 2 errors.\nerror: script \"lint\" exited with code 1"}, "failed not_run"},
		{"types are well, lint fails", "npx tsc --noEmit && npx eslint .", Call{Failed: true, Output: "Exit code 1\n✖ 3 problems (1 error, 2 warnings)"}, "passed failed"},
		{"something before the tests fails", "npm ci && npm test", Call{Failed: true, Output: "Exit code 1\nnpm error code ERESOLVE\nnpm error could not resolve"}, "failed"},
		{"silent build before failing tests", "go build ./... && go test ./...", Call{Failed: true, Output: "Exit code 1\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\ta/b\t0.1s\nFAIL"}, "passed failed"},
		{"a build that fails alone", "go build ./... && go test ./...", Call{Failed: true, Output: "Exit code 1\n# a/b\nb.go:3:1: undefined: x"}, "failed not_run"},
		{"a linter's finding, tests never run", "go vet ./... && go test ./...", Call{Failed: true, Output: "Exit code 1\n# a/b\nb/b.go:41:2: fmt.Printf format %d has arg n of wrong type string"}, "failed not_run"},
		{"an error in a line of the tests' own build", "go build ./... && go test ./...", Call{Failed: true, Output: "Exit code 1\nb/b.go:3:1: undefined: x\nFAIL\ta/b [build failed]\nFAIL"}, "passed failed"},
		{"a second filter hides failures", "go test ./... 2>&1 | tail -50 | grep ok", Call{Output: "ok  \ta/b\t0.1s\nok  \ta/c\t0.1s"}, "masked"},
		{"a filter hides the line of failures", "npx playwright test | grep passed", Call{Output: "  12 passed (3.4s)"}, "masked"},
		{"a filter shows a line that tells all", "pytest | grep passed", Call{Output: "=== 12 passed in 3.40s ==="}, "passed"},
		{"colours taken off", "npx vitest run 2>&1 | sed 's/\\x1b\\[[0-9;]*m//g' | tail -5", Call{Output: " Test Files  2 passed (2)\n      Tests  12 passed (12)\n   Start at  10:00:00\n   Duration  1s\n"}, "passed"},
		{"the last lines of one of several assemblies", "dotnet test 2>&1 | tail -1", Call{Output: "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 4 ms - B.dll"}, "masked"},
		{"the end of a build that tested", "./gradlew test | tail -3", Call{Output: "\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed"}, "passed"},
		{"a build's last word, filtered", "mvn test | grep BUILD", Call{Output: "[INFO] BUILD SUCCESS"}, "passed"},
		{"a status printed by printf", "npm test > o.txt 2>&1; printf 'EXIT:%d\\n' $?; tail -1 o.txt", Call{Output: "EXIT:0\nstatus: 1"}, "passed"},
		{"a log line of a missing program", "go test ./... | tail -5", Call{Output: "sh: 1: foo: command not found\nFAIL\ta/b\t0.1s\nFAIL"}, "failed"},
		{"the wrapper's word belongs to the run before", "npm test 2>&1 | tail -3; npm run test:e2e 2>&1 | tail -3", Call{Output: "Tests: 1 failed, 3 passed, 4 total\nnpm error code 1\nTests: 4 passed, 4 total"}, "failed passed"},
		{"a good status overrules a wrapper's word", "npm test", Call{Output: "npm ERR! logged by the program\nTests: 4 passed, 4 total"}, "passed"},
		{"a silent checker behind a script", "bun run typecheck 2>&1 | tail -10", Call{Output: "$ tsc --noEmit"}, "passed"},
		{"a checker of which errors are looked for", "cargo check 2>&1 | grep -E 'error|Finished'", Call{Output: "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.9s"}, "passed"},
		{"a checker of which good words are looked for", "cargo check 2>&1 | grep Finished", Call{Output: "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.9s"}, "masked"},
		{"tests of one kind, the first fails", "npm run test:unit && npm run test:e2e", Call{Failed: true, Output: "Exit code 1\nTests: 1 failed, 3 passed, 4 total"}, "failed not_run"},
		{"tests of one kind, which of them is not said", "go test ./a/... && go test ./b/...", Call{Failed: true, Output: "Exit code 1\nok  \ta/b\t0.1s\nFAIL\tb/c\t0.1s\nFAIL"}, "unknown unknown"},
		{"silent linters, which of them is not said", "actionlint && yamllint .", Call{Failed: true, Output: "Exit code 1\nci.yml:14:9: property \"x\" is not defined [expression]"}, "unknown unknown"},
		{"the text says how it went", "npm test > o.txt 2>&1 && echo GREEN || (echo RED; tail -3 o.txt)", Call{Output: "RED\nTests: 4 passed, 4 total"}, "failed"},
		{"the text says that it went well", "pytest -q >/dev/null 2>&1 && echo OK || echo BAD", Call{Output: "OK"}, "passed"},
		{"an if says how it went", "if npx tsc --noEmit > o.txt; then echo types ok; else echo types broken; fi", Call{Output: "types broken"}, "failed"},
		{"what a filter's status says", "go test ./... 2>&1 | tail -1 && echo fine", Call{Output: "FAIL\nfine"}, "failed"},
		{"a word that the runner prints too", "go test -v ./... && echo PASS || echo broken", Call{Output: "PASS\nok  \ta/b\t0.1s\n--- FAIL: TestX\nFAIL\ta/c\t0.1s\nFAIL\nbroken"}, "failed"},
		{"of two one failed", "npm test >o 2>&1 && npm run build >p 2>&1 && echo fine || echo broken", Call{Output: "broken"}, "masked masked"},
		{"a negated run", "! npm test >o 2>&1 && echo broken", Call{Output: "broken"}, "failed"},
		{"a task that is missing", "task test:unit", Call{Failed: true, Output: "Exit code 200\ntask: Task \"test:unit\" does not exist"}, "not_run"},
		{"a task that mise does not have", "mise run lint:full", Call{Failed: true, Output: "Exit code 1\nmise ERROR no task lint:full found"}, "not_run"},
		{"the line of snapshots alone", "npx jest 2>&1 | tail -3", Call{Output: "Snapshots:   4 passed, 4 total\nTime:        12.2 s\nRan all test suites."}, "masked"},
		{"two statuses in one line", "pytest -q >t 2>&1; T=$?; ruff check . >r 2>&1; R=$?; echo \"tests=$T lint=$R\"", Call{Output: "tests=1 lint=0"}, "failed passed"},
		{"two statuses of one printf", "pytest -q >t 2>&1; T=$?; ruff check . >r 2>&1; R=$?; printf '%s/%d\\n' $T $R", Call{Output: "0/1"}, "passed failed"},
		{"one status of two commands", "go build -o x ./cmd/x && ./x enable; echo \"exit: $?\"", Call{Output: "Missing agent name.\nexit: 1"}, "masked"},
		{"one good status of two commands", "go build ./... && go test ./...; echo \"exit: $?\"", Call{Output: "exit: 0"}, "passed passed"},
		{"one status, and the tests say that it is theirs", "go build ./... && go test ./...; echo \"exit: $?\"", Call{Output: "FAIL\ta/b\t0.1s\nFAIL\nexit: 1"}, "masked failed"},
		{"a heading with a name", "for f in a b; do echo \"== $f ==\"; done; npx tsc --noEmit; echo \"tsc: $?\"", Call{Output: "== a ==\n== b ==\ntsc: 0"}, "passed"},
		{"a silent part", "echo '--- types'; npx tsc --noEmit 2>&1 | tail -3; echo '--- lint'; npx eslint . | tail -3", Call{Output: "--- types\n--- lint\n✖ 3 problems (1 error, 2 warnings)"}, "passed failed"},
		{"failures may stand above the first line that is shown", "npx playwright test 2>&1 | tail -1", Call{Output: "  11 passed (21.4s)"}, "masked"},
		{"nothing stands above the first line that is shown", "npx playwright test 2>&1 | tail -20", Call{Output: "  11 passed (21.4s)"}, "passed"},
		{"a condition before the run may be what failed", "[ -f x ] && npm test || echo no x here", Call{Output: "no x here"}, "not_run"},
		{"a condition fails the text", "grep -q jest package.json && npm test", Call{Failed: true, Output: "Exit code 1"}, "not_run"},
		{"the text's own words are no runner's", "go test ./... >/dev/null 2>&1; echo 'ok  a/b 0.1s'", Call{Output: "ok  a/b 0.1s"}, "masked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, e := range Endings(c.src, Recognise(c.src, Verify{}), c.call) {
				got = append(got, string(e.Outcome))
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("%s, want %s", g, c.want)
			}
		})
	}
}

func TestHooksOfCommits(t *testing.T) {
	for _, c := range []struct {
		name string
		call Call
		want Outcome
	}{
		{"made, hooks ran tests", Call{Output: "[Api] Error in POST /x\n 88 pass\n 0 fail\nRan 88 tests across 9 files.\nChecked 9 files in 3ms. No fixes applied.\n[main 0c1d2e3] feat: x\n 2 files changed"}, Passed},
		{"made, no tests", Call{Output: "[main 0c1d2e3] feat: x\n 2 files changed, 31 insertions(+)"}, NotRun},
		{"stopped by a linter", Call{Failed: true, Output: "Exit code 1\nx markdownlint --fix:\ntodo.md:10 error MD001/heading-increment\nhusky - pre-commit script failed (code 1)"}, NotRun},
		{"stopped by tests", Call{Failed: true, Output: "Exit code 1\n 86 pass\n 2 fail\nhusky - pre-commit script failed (code 1)"}, Failed},
		{"stopped by a linter behind good tests", Call{Failed: true, Output: "Exit code 1\n 88 pass\n 0 fail\nFound 2 errors.\nhusky - pre-commit script failed (code 1)"}, NotRun},
		{"nothing to commit", Call{Failed: true, Output: "Exit code 1\nOn branch main\nnothing to commit, working tree clean"}, NotRun},
		{"one line of a proxy", Call{Output: "ok ✓ 2 files changed, 80 insertions(+), 1 deletion(-)"}, NotRun},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "git commit -am x"
			if got := Endings(src, Recognise(src, Verify{}), c.call)[0]; got.Outcome != c.want {
				t.Errorf("%s, want %s (%+v)", got.Outcome, c.want, got.Result)
			}
		})
	}
}

func TestCIReaders(t *testing.T) {
	for _, c := range []struct {
		name, src string
		call      Call
		want      Outcome
	}{
		{"all checks", "gh pr checks 20", Call{Output: "validate\tpass\t14s\thttps://x.invalid\nbuild\tpass\t40s\thttps://x.invalid"}, Passed},
		{"one failed", "gh pr checks 20", Call{Failed: true, Output: "Exit code 1\nvalidate\tfail\t14s\thttps://x.invalid\nbuild\tpass\t40s\thttps://x.invalid"}, Failed},
		{"one open", "gh pr checks", Call{Failed: true, Output: "Exit code 8\nvalidate\tpending\t0\thttps://x.invalid\nbuild\tpass\t40s\thttps://x.invalid"}, Background},
		{"a watch that ends well", "gh run watch 12 --exit-status", Call{Output: "* main CI · 12\nX lint in 3s\n\n✓ main CI · 12\n✓ Run CI (12) completed with 'success'"}, Passed},
		{"another repository", "gh run watch 12 --repo o/other --exit-status", Call{Failed: true, Output: "Exit code 1\nX main CI · 12"}, Unknown},
		{"a loop over several", "for p in 1 2; do gh pr checks $p; done", Call{Output: "a\tfail\t1s\thttps://x.invalid"}, Unknown},
		{"the log of a job", "gh run view 12 --log-failed | head -50", Call{Output: "lint\tRun x\t2026-01-01T00:00:00Z success\nlint\tRun x\t2026-01-01T00:00:00Z ✓ all tests passed"}, Unknown},
		{"a conclusion", "gh run view 12 --json status,conclusion", Call{Output: `{"conclusion":"failure","status":"completed"}`}, Failed},
		{"a conclusion of all jobs", "gh run view 12 --json jobs --jq '.jobs[] | \"\\(.name): \\(.conclusion)\"'", Call{Output: "lint: success\ntest: success"}, Passed},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := Recognise(c.src, Verify{})
			if len(list) == 0 {
				t.Fatal("not recognised")
			}
			if got := Endings(c.src, list, c.call)[0]; got.Outcome != c.want {
				t.Errorf("%s, want %s (%+v)", got.Outcome, c.want, got.Result)
			}
		})
	}
}

// TestTheRunsOwnStatus: the client's word on a call is the run's own only where nothing
// stands between.
func TestTheRunsOwnStatus(t *testing.T) {
	failed := Call{Output: "Exit code 2\nboom", Failed: true}
	for _, c := range []struct {
		name, src string
		call      Call
		status    int
	}{
		{"alone, well", "go test ./...", Call{Output: "ok  x 0.1s"}, 0},
		{"alone, badly", "go test ./...", failed, 2},
		{"behind a folder", "cd web && npm test", failed, 2},
		{"before a commit that need not be what failed", "go test ./... && git push", failed, -1},
		{"before a commit, all well", "go test ./... && git push", Call{}, 0},
		{"into a filter", "go test ./... | tail -5", Call{}, -1},
		{"masked", "go test ./... || true", Call{}, -1},
		{"before another command", "go test ./...; echo done", Call{}, -1},
		{"in the background", "go test ./...", Call{Background: true}, -1},
		{"of a client that tells none", "go test ./...", Call{NoStatus: true}, -1},
		{"an error without a number", "go test ./...", Call{Output: "timed out", Failed: true}, -1},
		{"a program that is not there", "go test ./...", Call{Output: "Exit code 127\nsh: go: command not found", Failed: true}, -1},
		{"a pipeline's state", "gh run view 1", Call{}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := Recognise(c.src, Verify{})
			if len(list) == 0 {
				t.Fatal("no run")
			}
			if got := Endings(c.src, list, c.call)[0].Status; got != c.status {
				t.Errorf("%d, want %d", got, c.status)
			}
		})
	}
}

// TestEndingsBounded: no text and no output makes the hook slow. Without bounds the
// slowest of these took eleven seconds; they take some ten milliseconds.
func TestEndingsBounded(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, 64<<10/len(s)) }
	for _, src := range []string{
		strings.Repeat("echo == $x; npm test; echo rc=$?; ", 200),
		strings.Repeat("echo zz; ", 3000) + "npm test",
		strings.Repeat("npm test && ", 500) + "true",
		"go test ./... " + strings.Repeat("| tee x ", 500),
	} {
		list := Recognise(src, Verify{})
		for _, out := range []string{
			fill("\n"), fill("1\n"), fill("rc 1\n"), fill("FAIL\ta/b\t0.1s\n"), fill("1 passed, 1 failed\n"), fill("1 passed 1 failed "), fill("a: b: c: "),
			fill("web:test: a:b: c\n"), fill("[info] [test] x\n"), fill("a.go:1:1: x\n"), fill("x (24 passed) (24 passed)\n"), fill("\x1b]"), fill("a\r"),
		} {
			began := time.Now()
			Endings(src, list, Call{Output: "Exit code 1\n" + out, Failed: true})
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%.20q… with %.20q… took %s", src, out, took)
			}
		}
	}
}

func FuzzEndings(f *testing.F) {
	f.Add("go vet ./... && go test ./... 2>&1 | tail -5; echo rc=$?", "Exit code 1\nok  \ta/b\t0.1s\nrc=0", true)
	f.Add("npm test | grep -c FAIL || printf 'x:%d\\n' $?", "Tests: 1 failed, 2 passed, 3 total\r\nx:%", false)
	f.Add("echo '== $a'; dotnet test; git commit -m x", "== 1\nPassed!  - Failed:     0, Passed:     3\n[main abc1234] x", false)
	f.Fuzz(func(t *testing.T, src, output string, failed bool) {
		list := Recognise(src, Verify{})
		ends := Endings(src, list, Call{Output: output, Failed: failed})
		if len(ends) != len(list) {
			t.Fatalf("%d endings of %d runs", len(ends), len(list))
		}
		for _, e := range ends {
			switch e.Outcome {
			case Passed, Failed, Empty, Masked, Background, NotRun, Unknown:
			default:
				t.Errorf("outcome %q", e.Outcome)
			}
			if r := e.Result; r.Pass && r.Fail || r.Pass && r.Empty || r.Fail && r.Empty {
				t.Errorf("more than one verdict: %+v", r)
			}
		}
	})
}
