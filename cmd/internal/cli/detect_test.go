package cli

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

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
			text := policyText(installer.Project, policy.ProfileStandard, got, from, []string{"claude", "offline"})
			p, problems := policy.Decode(text, policy.Team, "policy.jsonc", nil)
			if len(problems) > 0 || cmp.Diff(p.Verify, got) != "" || p.Profile != policy.ProfileStandard {
				t.Errorf("the text that init writes: %v\n%s", problems, text)
			}
		})
	}
}
