package cli

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"agentguard/settings/policy"
)

const packageFile = "package.json"

// manifest is what a package.json says of its tasks.
type manifest struct {
	Scripts        map[string]string `json:"scripts"`
	PackageManager string            `json:"packageManager"`
	Workspaces     json.RawMessage   `json:"workspaces"`
}

// test tells whether the package has tests; npm's placeholder is none.
func (m manifest) test() bool {
	script, ok := m.Scripts["test"]
	return ok && !strings.Contains(script, "no test specified")
}

// managers are the package managers by their lock files. run starts a script, all
// the test script of every package of a workspace.
var managers = []struct{ name, lock, run, test, all string }{
	{"pnpm", "pnpm-lock.yaml", "pnpm run ", "pnpm test", "pnpm -r test"},
	{"yarn", "yarn.lock", "yarn ", "yarn test", "yarn workspaces foreach -A run test"},
	{"bun", "bun.lock*", "bun run ", "bun run test", "bun run --filter '*' test"}, // "bun test" is bun's own runner and no script
	{"npm", "package-lock.json", "npm run ", "npm test", "npm test --workspaces --if-present"},
}

// packageScripts reads the scripts of a package.json, and where the top has no
// tests, whether the packages of its workspace have.
func packageScripts(project fs.FS) policy.Verify {
	var top manifest
	if json.Unmarshal([]byte(readText(project, packageFile)), &top) != nil {
		return policy.Verify{}
	}
	m := managers[len(managers)-1]
	for _, one := range managers {
		if names, err := fs.Glob(project, one.lock); strings.HasPrefix(top.PackageManager, one.name+"@") || err == nil && len(names) > 0 {
			m = one
			break
		}
	}
	if m.name == "yarn" && strings.Contains(readText(project, "yarn.lock"), "yarn lockfile v1") {
		m.all = "yarn workspaces run test"
	}
	var v policy.Verify
	switch {
	case top.test():
		v.Test = append(v.Test, m.test)
	case workspaceTests(project, top):
		v.Test = append(v.Test, m.all)
	}
	for _, s := range []struct {
		script string
		to     *[]string
	}{{"build", &v.Build}, {"lint", &v.Lint}, {"typecheck", &v.Types}, {"type-check", &v.Types}, {"check-types", &v.Types}} {
		if _, ok := top.Scripts[s.script]; ok {
			*s.to = append(*s.to, m.run+s.script)
		}
	}
	return v
}

// maxPackages bounds how many packages of a workspace are looked into.
const maxPackages = 200

// workspaceTests tells whether a package of the workspace has tests.
func workspaceTests(project fs.FS, top manifest) bool {
	var patterns []string
	if json.Unmarshal(top.Workspaces, &patterns) != nil {
		var object struct {
			Packages []string `json:"packages"`
		}
		if json.Unmarshal(top.Workspaces, &object) == nil {
			patterns = object.Packages
		}
	}
	for line := range strings.Lines(readText(project, "pnpm-workspace.yaml")) {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			patterns = append(patterns, strings.Trim(strings.TrimSpace(item), `"'`))
		}
	}
	seen := 0
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		pattern = strings.ReplaceAll(strings.TrimPrefix(pattern, "./"), "**", "*")
		names, err := fs.Glob(project, path.Join(pattern, packageFile))
		if err != nil {
			continue
		}
		for _, name := range names {
			var pkg manifest
			if seen++; seen > maxPackages {
				return false
			}
			if json.Unmarshal([]byte(readText(project, name)), &pkg) == nil && pkg.test() {
				return true
			}
		}
	}
	return false
}
