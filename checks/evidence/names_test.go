package evidence

import "testing"

// TestKindOfName: whole words of a name decide, and what else the name says.
func TestKindOfName(t *testing.T) {
	for kind, names := range map[Kind][]string{
		Test: {
			"test", "tests", "test:unit", "test-all", "run-tests", "run_tests", "runtests", "runTests", "unit-test", "e2e", "e2e:ci", "test:e2e:headless",
			"E2ETest", "integration", "integration-tests", "smoke", "connectedAndroidTest", "testDebugUnitTest", "iosX64Test", "allTests", "test2",
			"coverage", "spec", "spec:models", "run-specs", "test:db", "test:server", "test:utils", "test:ci", "ci:test", "selftest", "build-and-test",
			"lint-and-test", "test_http", "pytest", "run_unit_tests", "python tests", "+test", "~test",
		},
		Check: {
			"check", "checks", "check-all", "ci", "ci-backend", "verify", "validate", "pre-commit-check", "preflight", "qa", "check:backend",
		},
		Compare: {
			"check-links", "check_env", "check yaml", "check for added large files", "validate:schema", "verify-signature",
		},
		Lint: {
			"lint", "lint:fix", "test:lint", "lint:tests", "format-check", "format:check", "test:format", "ktlintCheck", "vet", "checkstyleMain", "flake8",
		},
		Types: {
			"typecheck", "type-check", "check:types", "test:types", "test:tsc", "types",
		},
		Build: {
			"build", "compileTestKotlin", "testBuild", "build-tests", "assembleAndroidTest", "test:build", "dist",
		},
		"": {
			"latest", "attest", "contest", "protest", "inspect", "specimen", "testimonials", "testdata", "pretest", "posttest", "detest", "fastest",
			"test-server", "test-data", "test-fixtures", "testFixturesJar", "test:watch", "test:ui", "test-db", "db:test:prepare", "test:setup",
			"setup-tests", "test:update", "cleanTest", "jacocoTestReport", "test-report", "processTestResources", "install-test-deps", "generate-tests",
			"list_tests", "get_test_results", "test-harness", "test-image", "openapi-spec", "spec-docs", "update-spec", "business-unit", "coverage-report",
			"healthcheck", "checkout", "install-checks", "python tests naming", "format", "watch", "build:watch", "deploy", "",
		},
	} {
		for _, name := range names {
			if got := kindOfName(name); got != kind {
				t.Errorf("%q: %q, want %q", name, got, kind)
			}
		}
	}
}

// TestOwnScripts: a script counts by its role and by where it stands.
func TestOwnScripts(t *testing.T) {
	const narrow = true
	for _, c := range []struct {
		src    string
		kind   Kind
		narrow bool
	}{
		{"./scripts/check.sh", Check, false},
		{"bin/test", Test, false},
		{"./test.sh", Test, false},
		{"e2e/run.sh", Test, false},
		{"./scripts/e2e.sh", Test, narrow},
		{"bash scripts/run-tests.sh", Test, false},
		{"bash -eux scripts/run-tests.sh", Test, false},
		{"sh ./run_tests.sh --verbose", Test, false},
		{"python tests/run.py", Test, false},
		{"python -u run_tests.py", Test, false},
		{"python3 -m tests", Test, false},
		{"python -m pkg.tests.run_all", Test, false},
		{"python -m pkg.selftest", Test, false},
		{"python tests/test_api.py", Test, narrow},
		{"ruby -Itest test/a_test.rb", Test, narrow},
		{"node test/api.js", Test, narrow},
		{"node --require dotenv/config test/index.js", Test, false},
		{"tsx tests/api.test.ts", Test, narrow},
		{"deno run -A tests/all.ts", Test, false},
		{"bun run scripts/run-tests.ts", Test, false},
		{"pwsh -File ./run-tests.ps1", Test, false},
		{"go run ./cmd/check", Check, false},
		{"go run ./cmd/run-tests", Test, false},
		{"dotnet run --project tests/App.Tests", Test, narrow},
		{"/repo/scripts/run-tests.sh", Test, false},
		{"bash /repo/scripts/run-tests.sh", Test, false},
		{"$CLAUDE_PROJECT_DIR/scripts/run-tests.sh", Test, false},
		{"\"$(git rev-parse --show-toplevel)/scripts/run-tests.sh\"", Test, false},
		{"./scripts/check-links.sh", Compare, false},
		{"./scripts/lint.sh", Lint, false},
		{"./scripts/build.sh", Build, false},

		{"python scripts/latest.py", "", false},
		{"./attest", "", false},
		{"./contest.sh", "", false},
		{"/tmp/tool-test", "", false},
		{"/private/tmp/run-tests.sh", "", false},
		{"/var/folders/x/T/run-tests.sh", "", false},
		{"$TMPDIR/run-tests.sh", "", false},
		{"~/run-tests.sh", "", false},
		{"$HOME/run-tests.sh", "", false},
		{"/opt/tool/test.sh", "", false},
		{"bash /elsewhere/test.sh", "", false},
		{"node /tmp/test.js", "", false},
		{"go run /tmp/test_fix.go", "", false},
		{"python - <<'E'\nprint('24 passed')\nE", "", false},
		{"python -c 'import tests'", "", false},
		{"python -m http.server", "", false},
		{"python -m pkg.testing.server", "", false},
		{"python -m venv test", "", false},
		{"python tests/fixtures/gen.py", "", false},
		{"python tests/conftest.py", "", false},
		{"python tests/helpers.py", "", false},
		{"bash tests/setup.sh", "", false},
		{"bash -n tests/run.sh", "", false},
		{"ruby -c test/a_test.rb", "", false},
		{"perl -c t/a.t", "", false},
		{"node test/server.js", "", false},
		{"./test-data.sh", "", false},
		{"./build-spec-docs", "", false},
		{"node testimonials.js", "", false},
		{"./node_modules/.bin/test-runner-docs", "", false},
		{"vendor/bin/test-reporter", "", false},
		{".venv/bin/latest", "", false},
		{"./gradlew", "", false},
		{"test -f run-tests.sh", "", false},
		{"source run-tests.env", "", false},
	} {
		var kind Kind
		isNarrow := false
		for _, v := range Recognise(c.src, Verify{Root: "/repo", Dir: "/repo"}) {
			kind, isNarrow = v.Kind, v.Narrow
		}
		if kind != c.kind || isNarrow != c.narrow {
			t.Errorf("%q: %q narrow %v, want %q narrow %v", c.src, kind, isNarrow, c.kind, c.narrow)
		}
	}
}
