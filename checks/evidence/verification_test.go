package evidence

import (
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		src  string
		want string // "kind runner flags; …", flags of: narrow masked piped=X bg quiet prints last
	}{
		// Ten ecosystems
		{"go test ./...", "test go test last"},
		{"go test -race -count=1 ./... ", "test go test last"},
		{"go test ./api/... -run TestX", "test go test narrow last"},
		{"gotestsum --format short -- ./...", "test gotestsum last"},
		{"go vet ./... && go build ./...", "lint go vet; build go build last"},
		{"cargo test", "test cargo test last"},
		{"cargo nextest run --workspace", "test cargo nextest last"},
		{"cargo test --no-run", ""},
		{"cargo clippy --all-targets -- -D warnings", "lint cargo clippy narrow last"},
		{"pytest -q", "test pytest last"},
		{"python -m pytest tests/test_a.py::test_x -x", "test pytest narrow last"},
		{"python3.12 -m unittest discover", "test unittest last"},
		{"uv run --group dev pytest -q", "test pytest last"},
		{"poetry run mypy .", "types mypy last"},
		{"python manage.py test projects", "test manage.py test narrow last"},
		{"tox -e py312", "test tox narrow last"},
		{"npm test", "test npm test last"},
		{"npm t", "test npm t last"},
		{"npm ci", ""},
		{"npm run build", "build npm build last"},
		{"npm run test:unit -- --watch=false", "test npm test:unit last"},
		{"pnpm --filter web test", "test pnpm test narrow last"},
		{"yarn lint", "lint yarn lint last"},
		{"bun test", "test bun test last"},
		{"npx jest src/a.test.ts", "test jest narrow last"},
		{"npx tsc --noEmit", "types tsc last"},
		{"npx --yes vitest run", "test vitest last"},
		{"npx prettier --write .", ""},
		{"node --test", "test node last"},
		{"./gradlew test --tests '*Order*'", "test gradlew test narrow last"},
		{"./gradlew :app:check", "check gradlew :app:check last"},
		{"gradle compileTestKotlin", "build gradle compileTestKotlin last"},
		{"mvn -q -DskipTests package", "build mvn package last"},
		{"./mvnw -B verify", "check mvnw verify last"},
		{"dotnet test --filter Category=Unit", "test dotnet test narrow last"},
		{"dotnet build -c Release", "build dotnet build last"},
		{"bundle exec rspec", "test rspec last"},
		{"bin/rails test", "test rails test last"},
		{"rake spec", "test rake spec last"},
		{"vendor/bin/phpunit --testsuite unit", "test phpunit narrow last"},
		{"php artisan test", "test artisan test last"},
		{"composer test", "test composer test last"},
		{"composer install", ""},
		{"ctest --output-on-failure", "test ctest last"},
		{"cmake --build build -j 8", "build cmake build last"},
		{"make -j8", "build make last"},
		{"make check", "check make check last"},
		{"make install", ""},
		{"mix test", "test mix test last"},
		{"mix deps.get", ""},
		// Task runners, wrappers, containers
		{"just ci", "check just ci last"},
		{"mise run test:ci 2>&1 | tail -15", "test mise test:ci masked piped=tail"},
		{"docker compose exec -T app pytest -q", "test pytest last"},
		{"docker run --rm -v .:/src img make test", "test make test last"},
		{"sudo -u ci env CI=1 make test", "test make test last"},
		{"CI=1 timeout 600 npm test", "test npm test last"},
		{"cd web && npm test", "test npm test last"},
		{"bash -lc 'cd web && npm test | tail -3'", "test npm test masked piped=tail"},
		{"pre-commit run --all-files", "check pre-commit run last"},
		{"turbo run test lint", "test turbo test last"},
		{"./scripts/check.sh", "check check.sh last"},
		{"bash scripts/run-tests.sh", "test run-tests.sh last"},
		{"bash -n scripts/run-tests.sh", ""},
		{"python tests/run.py", "test run.py last"},
		{"go run ./cmd/check", "check go run ./cmd/check last"},
		{"gh run watch --exit-status", "ci gh run watch last"},
		{"gh pr checks", "ci gh pr checks last"},
		{"gh pr create --fill", ""},
		// What becomes of the status
		{"pytest || true", "test pytest masked"},
		{"pytest || exit 1", "test pytest"},
		{"pytest; echo done", "test pytest masked"},
		{"pytest; echo \"exit: $?\"", "test pytest masked prints"},
		{"pytest; rc=$?; tail log; exit $rc", "test pytest"},
		{"set -e; pytest; echo done", "test pytest"},
		{"set -o pipefail; pytest | tee out.log", "test pytest piped=tee"},
		{"pytest 2>&1 | grep -E 'passed|failed' | head", "test pytest masked piped=grep"},
		{"pytest > out.log 2>&1", "test pytest quiet last"},
		{"pytest 2>/dev/null", "test pytest last"},
		{"pytest &", "test pytest bg last"},
		{"nohup npm test > /tmp/t.log 2>&1 &", "test npm test bg quiet last"},
		{"if pytest; then echo ok; fi", "test pytest masked"},
		{"for i in 1 2 3; do pytest || break; done", "test pytest masked"},
		{"! pytest", "test pytest masked last"},
		{"(cd a && pytest) && (cd b && npm test)", "test pytest; test npm test last"},
		{"pytest && git add -A && git commit -m 'x'", "test pytest; hook git commit last"},
		{"git commit -m 'run tests' --no-verify", ""},
		{"pytest \\\n  -q \\\n  tests", "test pytest last"},
		{"cat <<'EOF' > run.sh\npytest\nEOF\nls", ""},
		// Mentions
		{"echo \"all tests passed\"", ""},
		{"grep -rn 'pytest' .", ""},
		{"cat tests/check.sh", ""},
		{"pip install pytest", ""},
		{"which go && go version", ""},
		{"git add tests/test_a.py", ""},
		{"rg 'go test' docs", ""},
		{"chmod +x scripts/test.sh", ""},
		{"# pytest", ""},
		{"test -f go.mod", ""},
		{"git log --grep 'npm test'", ""},
		{"ls tests", ""},
		{"", ""},
	} {
		t.Run(c.src, func(t *testing.T) {
			var got []string
			for _, v := range Recognise(c.src, Verify{}) {
				got = append(got, describe(v))
			}
			if g := strings.Join(got, "; "); g != c.want {
				t.Errorf("got  %q\nwant %q", g, c.want)
			}
		})
	}
}

func describe(v Verification) string {
	s := string(v.Kind) + " " + v.Runner
	for _, f := range []struct {
		on   bool
		name string
	}{
		{v.Narrow, "narrow"}, {v.Partial, "partial"}, {v.Masked, "masked"}, {v.Piped != "", "piped=" + v.Piped},
		{v.Background, "bg"}, {v.Quiet, "quiet"}, {v.Prints, "prints"}, {v.Last, "last"},
	} {
		if f.on {
			s += " " + f.name
		}
	}
	return s
}

func TestPolicy(t *testing.T) {
	verify := Verify{Commands: []VerifyCommand{{Test, "go test ./..."}, {Check, "./dev all"}, {Lint, "cd web && npm run lint"}}}
	for _, c := range []struct{ src, want string }{
		{"go test ./...", "test go test last"},
		{"go test -v -race ./...", "test go test last"},
		{"go test ./api", "test go test narrow partial last"},
		{"go test ./... -run TestX", "test go test narrow partial last"},
		{"./dev all", "check ./dev all last"},
		{"./dev clean", ""},
		{"npm run lint", "lint npm lint last"},
	} {
		t.Run(c.src, func(t *testing.T) {
			var got []string
			for _, v := range Recognise(c.src, verify) {
				got = append(got, describe(v))
			}
			if g := strings.Join(got, "; "); g != c.want {
				t.Errorf("got %q, want %q", g, c.want)
			}
		})
	}
}

// FuzzFlow: no text makes the reader panic, run on, or find more steps than the
// text has bytes.
func FuzzFlow(f *testing.F) {
	for _, s := range []string{"a | b && c", "if a; then b; fi", "$(((", "for x in", "'", "\"$(", "a <<E\nb\nE\n", "{ ( } )", "sh -c 'sh -c \"a\"'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if n := len(flow(src)); n > len(src)+1 {
			t.Errorf("%d steps", n)
		}
		Recognise(src, Verify{})
	})
}
