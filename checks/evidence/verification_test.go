package evidence

import (
	"os"
	"path/filepath"
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
		{"cargo clippy --all-targets -- -D warnings", "lint cargo clippy last"},
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
		{"npm run check", "check npm check last"},
		{"npm run ci", "check npm ci last"},
		{"pnpm run validate", "check pnpm validate last"},
		{"npm run storybook", ""},
		{"npm run tauri build", "build tauri build last"},
		{"npm run ng test -- --watch=false", "test ng test last"},
		{"yarn run vitest list", ""},
		{"bun run vitest", "test vitest last"},
		{"npm run test:unit -- --watch=false", "test npm test:unit narrow last"},
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
		{"cd web && npm test", "test npm test narrow last"},
		{"bash -lc 'cd web && npm test | tail -3'", "test npm test narrow masked piped=tail"},
		{"pre-commit run --all-files", "lint pre-commit run last"},
		{"turbo run test lint", "test turbo test last"},
		{"./scripts/check.sh", "check check.sh last"},
		{"bash scripts/run-tests.sh", "test run-tests.sh last"},
		{"bash -n scripts/run-tests.sh", ""},
		{"python tests/run.py", "test run.py last"},
		{"go run ./cmd/check", "check go run ./cmd/check last"},
		{"gh run watch --exit-status", "ci gh run watch last"},
		{"gh pr checks", "ci gh pr checks last"},
		{"gh pr create --fill", ""},
		{"pdm run test", "test pdm test last"},
		{"uv run lint", "lint uv lint last"},
		{"yarn workspace web test", "test yarn test narrow last"},
		{"pnpm -r test", "test pnpm test last"},
		{"pnpm -w test", "test pnpm test last"},
		{"npm -w web test", "test npm test narrow last"},
		{"npx nx run-many --target=test", "test nx test last"},
		{"nx run-many -t test", "test nx test last"},
		{"ant test", "test ant test last"},
		{"make all", "build make all last"},
		{"zig build test", "test zig test last"},
		{"clj -M:test", "test clj test last"},
		{"julia --project -e 'using Pkg; Pkg.test()'", "test julia last"},
		{"node test/api.js", "test api.js narrow last"},
		{"python tests/fixtures/gen.py", ""},
		{"ruby -Itest test/a_test.rb", "test a_test.rb narrow last"},
		{"docker compose run --rm test", "test docker-compose test last"},
		{"docker compose up --build --exit-code-from tests", "test docker-compose tests last"},
		{"docker compose up -d", ""},
		{"docker compose logs test", ""},
		{"git diff --name-only | xargs npx eslint", "lint eslint last"},
		{"ssh host 'make test'", ""},
		{"cargo xtask ci", "check cargo xtask ci last"},
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
		{"pytest &", "test pytest masked bg last"},
		{"nohup npm test > /tmp/t.log 2>&1 &", "test npm test masked bg quiet last"},
		{"if pytest; then echo ok; fi", "test pytest masked"},
		{"for i in 1 2 3; do pytest || break; done", "test pytest masked"},
		{"! pytest", "test pytest masked last"},
		{"(cd a && pytest) && (cd b && npm test)", "test pytest narrow; test npm test narrow last"},
		{"pytest && git add -A && git commit -m 'x'", "test pytest; hook git commit last"},
		{"git commit -m 'run tests' --no-verify", ""},
		{"pytest \\\n  -q \\\n  tests", "test pytest last"},
		{"cat <<'EOF' > run.sh\npytest\nEOF\nls", ""},
		{"pytest() { echo '24 passed'; }; pytest", ""},
		{"function pytest { echo '24 passed'; }\npytest", ""},
		{"alias pytest='echo 24 passed'; pytest", ""},
		{"run() { pytest -q; }; run", "test pytest last"},
		{"pytest --version", ""},
		{"npx jest --help", ""},
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
		{v.Narrow, "narrow"},
		{v.Partial, "partial"},
		{v.Masked, "masked"},
		{v.Piped != "", "piped=" + v.Piped},
		{v.Background, "bg"},
		{v.Quiet, "quiet"},
		{v.Prints, "prints"},
		{v.Last, "last"},
	} {
		if f.on {
			s += " " + f.name
		}
	}
	return s
}

func TestPolicy(t *testing.T) {
	verify := Verify{Root: "/repo", Dir: "/repo", Commands: []VerifyCommand{
		{Test, "go test ./..."},
		{Check, "./dev all"},
		{Lint, "cd web && npm run lint"},
		{Test, "mise run test"},
		{Build, "go test -run '^$' ./..."},
	}}
	for _, c := range []struct{ src, want string }{
		{"go test ./...", "test go test last policy"},
		{"go test -v -race ./...", "test go test last policy"},
		{"go test ./... -p 4 -timeout 30s", "test go test last policy"},
		{"cd /repo && go test ./...", "test go test last policy"},
		{"cd /repo/api && go test ./...", "test go test narrow partial last"},
		{"cd api && go test ./...", "test go test narrow partial last"},
		{"cd api && cd .. && go test ./...", "test go test last policy"},
		{"go -C api test ./...", "test go test narrow partial last"},
		{"cd /elsewhere && go test ./...", ""},
		{"cd ../wt && go test ./...", ""},
		{"cd \"$(git rev-parse --show-toplevel)\" && go test ./...", "test go test last policy"},
		{"go test ./api", "test go test narrow partial last"},
		{"go test", "test go test narrow partial last"},
		{"go test ./... -run TestX", "test go test narrow partial last"},
		{"go test ./... -list .", ""},
		{"GOFLAGS=-list=. go test ./...", ""},
		{"./dev all", "check ./dev all last policy"},
		{"/repo/dev all", "check ./dev all last policy"},
		{"./dev all --list", ""},
		{"./dev all --help", ""},
		{"/tmp/dev all", ""},
		{"cd api && ./dev all", ""},
		{"./dev clean", ""},
		{"npm run lint", "lint npm lint last policy"},
		{"cd web && npm run lint", "lint npm lint last policy"},
		{"cd docs && npm run lint", "lint npm lint narrow partial last"},
		{"mise run test", "test mise test last policy"},
		{"mise run test:integration", "test mise test:integration narrow partial last"},
		{"mise run test:ci", "test mise test:ci last"},
		{"mise run test -- -run TestX", "test mise test narrow partial last"},
		{"mise run test -- -list .", ""},
		{"go test -run '^$' ./...", "build go test last policy"},
		{"bash /repo/scripts/test.sh", "test test.sh last"},
		{"bash /elsewhere/scripts/test.sh", ""},
		{"/tmp/venv/bin/pytest", "test pytest last"},
		{"/tmp/pytest", ""},
		// Where the policy says how the project is verified, a comparison proves nothing.
		{"diff a b", ""},
		{"curl -sf localhost:8080/health", ""},
	} {
		t.Run(c.src, func(t *testing.T) {
			var got []string
			for _, v := range Recognise(c.src, verify) {
				s := describe(v)
				if v.Policy {
					s += " policy"
				}
				got = append(got, s)
			}
			if g := strings.Join(got, "; "); g != c.want {
				t.Errorf("got %q, want %q", g, c.want)
			}
		})
	}
}

// TestPlaces: a run belongs to the folder that it runs in, whatever the text calls it.
func TestPlaces(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "repo", "web"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(top, "repo"), filepath.Join(top, "link")); err != nil {
		t.Skip(err)
	}
	repo, link := filepath.Join(top, "repo"), filepath.Join(top, "link")
	commands := []VerifyCommand{{Test, "npm test"}, {Test, "/opt/ci/run-all"}}
	whole, part, none := "test policy", "test partial", ""
	for _, c := range []struct {
		src    string
		verify Verify
		want   string
	}{
		{"npm test", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"cd " + repo + " && npm test", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"cd " + link + " && npm test", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"cd " + link + " && npm test", Verify{Root: repo, Base: link, Dir: link}, whole},
		{"cd " + link + "/web && npm test", Verify{Root: repo, Base: link, Dir: link}, part},
		{"cd ~/elsewhere && npm test", Verify{Root: repo, Dir: repo}, whole}, // nobody knows
		{"cd ~/work/repo && npm test", Verify{Root: "/home/dev/work/repo"}, whole},
		{"cd ~/work/repo/web && npm test", Verify{Root: "/home/dev/work/repo"}, part},
		{"cd web && npm test", Verify{Root: repo, Base: repo, Dir: repo}, part},
		{"cd .. && npm test", Verify{Root: repo, Base: repo, Dir: repo + "/web"}, whole},
		{"cd .. && npm test", Verify{Root: repo, Base: repo, Dir: repo}, none},
		{"cd .. && npm test", Verify{Root: repo, Base: repo}, whole},
		{"cd " + top + " && npm test", Verify{Root: repo, Base: repo, Dir: repo}, none},
		// The commands are for a folder of their own.
		{"npm test", Verify{Root: repo, Base: repo + "/web", Dir: repo + "/web"}, whole},
		{"cd " + repo + "/web && npm test", Verify{Root: repo, Base: repo + "/web", Dir: repo}, whole},
		{"cd " + repo + "/web && npm test", Verify{Root: repo, Base: repo + "/web"}, whole},
		{"cd " + repo + "/docs && npm test", Verify{Root: repo, Base: repo + "/web"}, part},
		{"cd /c/Users/dev/repo && npm test", Verify{Root: `C:\Users\dev\repo`, Dir: `C:\Users\dev\repo`}, whole},
		{"cd /private/tmp/repo && npm test", Verify{Root: "/tmp/repo", Dir: "/tmp/repo"}, whole},
		// A container has folders of its own.
		{"docker compose exec app sh -c 'cd /app && npm test'", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"docker compose exec app sh -c \"bash -lc 'cd /app/web && cd /app && npm test'\"", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"docker run --rm -v .:/src -w /src node npm test", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"docker compose exec app /app/scripts/run-tests.sh", Verify{Root: repo, Base: repo, Dir: repo}, "test"},
		{"/app/scripts/run-tests.sh", Verify{Root: repo, Base: repo, Dir: repo}, none},
		{"/opt/ci/run-all", Verify{Root: repo, Base: repo, Dir: repo}, whole},
		{"/opt/other/run-all", Verify{Root: repo, Base: repo, Dir: repo}, none},
		{`.\gradlew.bat test`, Verify{}, "test"},
	} {
		c.verify.Commands = commands
		got := ""
		for _, v := range Recognise(c.src, c.verify) {
			got = string(v.Kind)
			if v.Policy {
				got += " policy"
			}
			if v.Partial {
				got += " partial"
			}
		}
		if got != c.want {
			t.Errorf("%q from %q: %q, want %q", c.src, c.verify.Dir, got, c.want)
		}
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

func TestEnded(t *testing.T) {
	for _, c := range []struct {
		name, src string
		call      Call
		want      Outcome
	}{
		{"a list says nothing of this tree", "gh run list", Call{Output: "completed\tsuccess\tfix\tCI\tmain\ncompleted\tfailure\told\tCI\tmain"}, Unknown},
		{"a list of failures neither", "gh run list --limit 3", Call{Output: "completed\tfailure\tfix\tCI\tmain\ncompleted\tsuccess\told\tCI\tmain"}, Unknown},
		{"nor one that goes on", "gh run list", Call{Output: "in_progress\t\tfix\tCI\tmain\ncompleted\tsuccess\told\tCI\tmain"}, Unknown},
		{"watched", "gh run watch 12 --exit-status", Call{Output: "✓ main CI · 12\nJOBS\n✓ test in 1m2s (ID 3)"}, Passed},
		{"watched, one job failed", "gh run watch 12", Call{Output: "X main CI · 12\nJOBS\n✓ lint in 9s\nX test in 1m2s (ID 3)"}, Failed},
		{"checks of a request", "gh pr checks", Call{Output: "All checks were successful\n0 cancelled, 0 failing, 3 successful, 0 skipped, and 0 pending checks\n\ntest\tpass\t1m\thttps://x.invalid"}, Passed},
		{"checks going on", "gh pr checks", Call{Failed: true, Output: "Exit code 8\nSome checks are still pending\n0 cancelled, 0 failing, 1 successful, 0 skipped, and 1 pending checks"}, Background},
		{"one check failed", "gh pr checks", Call{Failed: true, Output: "Exit code 1\nSome checks were not successful\n0 cancelled, 1 failing, 1 successful, 0 skipped, and 0 pending checks"}, Failed},
		{"direct runner, status 0, noisy log", "pytest -s", Call{Output: "ERROR: expected in this test\n24 passed in 1s"}, Passed},
		{"script that swallows failures", "./scripts/check.sh", Call{Output: "unit: 3 failed, 20 passed\ndone"}, Failed},
		{"quiet type checker", "npx tsc --noEmit", Call{Output: ""}, Passed},
		{"quiet type checker, piped", "npx tsc --noEmit | head", Call{Output: ""}, Passed},
		{"type checker, piped, errors", "npx tsc --noEmit | head", Call{Output: "a.ts(1,1): error TS1: x"}, Failed},
		{"no status from the client", "pytest", Call{NoStatus: true, Output: "1 failed in 1s"}, Failed},
		{"no status, passed", "pytest", Call{NoStatus: true, Output: "3 passed in 1s"}, Passed},
		{"no status, silent", "pytest -q", Call{NoStatus: true, Output: ""}, Unknown},
		{"tests passed, push failed", "pytest && git push", Call{Failed: true, Output: "Exit code 1\n24 passed in 1s\n ! [rejected] main -> main"}, Passed},
		{"folder missing", "cd web && npm test", Call{Failed: true, Output: "Exit code 1\nbash: cd: web: No such file or directory"}, NotRun},
		{"timed out", "pytest", Call{Failed: true, Output: "Command timed out after 2m 0s\n....."}, Unknown},
		{"deprecation noise", "npm test 2>&1 | tail -5", Call{Output: "npm warn config x\nTests:       12 passed, 12 total\nTime: 3 s"}, Passed},
		{"grep for failures finds none", "go test ./... 2>&1 | grep FAIL", Call{Failed: true, Output: "Exit code 1"}, Masked},
		{"end of a cargo run", "cargo test 2>&1 | tail -5", Call{Output: "   Doc-tests foo\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"}, Masked},
		{"whole cargo run without tests", "cargo test", Call{Output: "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"}, Empty},
		{"end of a go run", "go test ./... | tail -1", Call{Output: "?   \tx/z\t[no test files]"}, Masked},
		{"end of an empty pytest run", "pytest -k x | tail -1", Call{Output: "24 deselected in 0.1s"}, Empty},
		{"lint warnings before good tests", "npx eslint . && npm test", Call{Output: "✖ 2 problems (0 errors, 2 warnings)\nTests: 3 passed, 3 total"}, Passed},
		{"pre-commit with tests", "git commit -m x", Call{Output: "ruff......Passed\npytest.....Passed\n[main abc1234] x"}, Passed},
		{"pre-commit without tests", "git commit -m x", Call{Output: "ruff......Passed\n[main abc1234] x"}, NotRun},
		{"summary only", "cargo test 2>&1 | grep '^test result'", Call{Output: "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: ok. 0 passed; 0 failed; 0 ignored"}, Passed},
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
