package cli

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"agentguard/checks/evidence"
	"agentguard/installer"
	"agentguard/settings/policy"
)

func TestDetectVerify(t *testing.T) {
	cases := []struct {
		name  string
		files map[string]string
		want  policy.Verify
	}{
		{name: "nothing", files: map[string]string{"README.md": "x"}},
		{name: "go", files: map[string]string{"go.mod": "module x"}, want: policy.Verify{Test: []string{"go test ./..."}, Build: []string{"go build ./..."}, Lint: []string{"go vet ./..."}}},
		{name: "npm", files: map[string]string{"package.json": `{"scripts":{"test":"vitest","lint":"eslint .","typecheck":"tsc"}}`}, want: policy.Verify{Test: []string{"npm test"}, Lint: []string{"npm run lint"}, Types: []string{"npm run typecheck"}}},
		{name: "npm's placeholder is no test", files: map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`}},
		{name: "pnpm", files: map[string]string{"package.json": `{"scripts":{"test":"x","build":"y"}}`, "pnpm-lock.yaml": ""}, want: policy.Verify{Test: []string{"pnpm test"}, Build: []string{"pnpm run build"}}},
		{name: "yarn", files: map[string]string{"package.json": `{"scripts":{"test":"x"}}`, "yarn.lock": ""}, want: policy.Verify{Test: []string{"yarn test"}}},
		{name: "broken package.json", files: map[string]string{"package.json": `{`}},
		{name: "make", files: map[string]string{"Makefile": "VAR := test:x\nall: build\nbuild: ; cc x\ntest: build\n\t./t\n.PHONY: test\nlint:\n\tx\n"}, want: policy.Verify{Test: []string{"make test"}, Build: []string{"make build"}, Lint: []string{"make lint"}}},
		{name: "just", files: map[string]string{"justfile": "set shell := ['sh']\ntest filter='':\n  go test\n@lint:\n  x\n"}, want: policy.Verify{Test: []string{"just test"}, Lint: []string{"just lint"}}},
		{name: "gradle wrapper wins", files: map[string]string{"gradlew": "", "build.gradle.kts": ""}, want: policy.Verify{Test: []string{"./gradlew test"}, Build: []string{"./gradlew build"}}},
		{name: "ruby without rspec", files: map[string]string{"Gemfile": "gem 'rails'"}},
		{name: "bun runs the script", files: map[string]string{"package.json": `{"scripts":{"test":"bun test src/","build":"y"}}`, "bun.lock": ""}, want: policy.Verify{Test: []string{"bun run test"}, Build: []string{"bun run build"}}},
		{name: "the manager that package.json names", files: map[string]string{"package.json": `{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}`}, want: policy.Verify{Test: []string{"pnpm test"}}},
		{name: "pnpm workspace", files: map[string]string{"package.json": `{"scripts":{"build":"y"}}`, "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n", "pnpm-lock.yaml": "", "packages/a/package.json": `{"scripts":{"test":"vitest run"}}`}, want: policy.Verify{Test: []string{"pnpm -r test"}, Build: []string{"pnpm run build"}}},
		{name: "npm workspace", files: map[string]string{"package.json": `{"workspaces":["apps/*"]}`, "apps/a/package.json": `{"scripts":{"test":"jest"}}`}, want: policy.Verify{Test: []string{"npm test --workspaces --if-present"}}},
		{name: "workspace without tests", files: map[string]string{"package.json": `{"workspaces":{"packages":["apps/*"]}}`, "apps/a/package.json": `{"scripts":{"build":"x"}}`}},
		{name: "uv", files: map[string]string{"pyproject.toml": "[project]", "uv.lock": ""}, want: policy.Verify{Test: []string{"uv run pytest"}}},
		{name: "poetry", files: map[string]string{"pyproject.toml": "[tool.poetry]"}, want: policy.Verify{Test: []string{"poetry run pytest"}}},
		{name: "hatch", files: map[string]string{"pyproject.toml": "[tool.hatch.envs.default]"}, want: policy.Verify{Test: []string{"hatch test"}}},
		{name: "mise", files: map[string]string{"mise.toml": "[tools]\ngo = '1'\n[tasks.test]\nrun = 'go test'\n[tasks.\"lint\"]\n"}, want: policy.Verify{Test: []string{"mise run test"}, Lint: []string{"mise run lint"}}},
		{name: "task", files: map[string]string{"Taskfile.yml": "version: '3'\ntasks:\n  test:\n    cmds: [x]\n  lint: golangci-lint run\n"}, want: policy.Verify{Test: []string{"task test"}, Lint: []string{"task lint"}}},
		{name: "instructions come first", files: map[string]string{"Cargo.toml": "", "AGENTS.md": "Run all tests with `cargo nextest run`; one: `cargo test foo::bar`.\n"}, want: policy.Verify{Test: []string{"cargo nextest run", "cargo test"}, Build: []string{"cargo build"}, Lint: []string{"cargo clippy"}}},
		{name: "a block of instructions", files: map[string]string{"CLAUDE.md": "## Commands\n```bash\nmise run build\nmise run test   # all of them\nmise run test:watch\n```\n"}, want: policy.Verify{Test: []string{"mise run test"}}},
		{name: "a bare runner beside a script", files: map[string]string{"package.json": `{"scripts":{"test":"bun test src/"}}`, "bun.lock": "", "CLAUDE.md": "Use `bun test`.\n"}, want: policy.Verify{Test: []string{"bun run test"}}},
		{name: "what CI runs", files: map[string]string{".github/workflows/ci.yml": "jobs:\n  t:\n    steps:\n      - run: npm ci\n      - name: Test\n        run: ./gradlew test\n"}, want: policy.Verify{Test: []string{"./gradlew test"}}},
		{name: "prose is no command", files: map[string]string{"CLAUDE.md": "We write tests. Never `rm -rf`; see `tests/`.\n"}},
		{name: "two ecosystems", files: map[string]string{"Cargo.toml": "", "pyproject.toml": ""}, want: policy.Verify{Test: []string{"cargo test", "pytest"}, Build: []string{"cargo build"}, Lint: []string{"cargo clippy"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, text := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			got, from := detectVerify(fsys)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if got.Empty() != (len(from) == 0) {
				t.Errorf("found %v in %v", got, from)
			}
			for _, command := range got.Test {
				verify := evidence.Verify{Commands: []evidence.VerifyCommand{{Kind: evidence.Test, Command: command}}}
				if runs := evidence.Recognise(command, verify); len(runs) != 1 || !runs[0].Policy || runs[0].Partial || runs[0].Kind != evidence.Test {
					t.Errorf("a run of %q would not settle a refusal that names it: %+v", command, runs)
				}
			}
			text := policyText(installer.Project, policy.ProfileStandard, got, from, []string{"claude", "offline"})
			p, problems := policy.Decode(text, policy.Team, "policy.jsonc", nil)
			if len(problems) > 0 || cmp.Diff(p.Verify, got) != "" || p.Profile != policy.ProfileStandard {
				t.Errorf("the text that init writes: %v\n%s", problems, text)
			}
		})
	}
}
