package cli

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"agentguard/settings/policy"
)

// ecosystem is one kind of project and the commands that verify it.
type ecosystem struct {
	file   string // its mark in the top folder; a glob
	verify policy.Verify
	// needs, when set, looks into the file before the commands are believed.
	needs func(content string) bool
}

// ecosystems are tried in order; every one that is found adds its commands.
// Files that name tasks are read for those that they really have, further down.
var ecosystems = []ecosystem{
	{file: "go.mod", verify: policy.Verify{Test: []string{"go test ./..."}, Build: []string{"go build ./..."}, Lint: []string{"go vet ./..."}}},
	{file: "Cargo.toml", verify: policy.Verify{Test: []string{"cargo test"}, Build: []string{"cargo build"}, Lint: []string{"cargo clippy"}}},
	{file: "tox.ini", verify: policy.Verify{Test: []string{"tox"}}},
	{file: "manage.py", verify: policy.Verify{Test: []string{"python manage.py test"}}},
	{file: "pom.xml", verify: policy.Verify{Test: []string{"mvn test"}, Build: []string{"mvn package"}}},
	{file: "gradlew", verify: policy.Verify{Test: []string{"./gradlew test"}, Build: []string{"./gradlew build"}}},
	{file: "build.gradle*", verify: policy.Verify{Test: []string{"gradle test"}, Build: []string{"gradle build"}}},
	{file: "*.sln", verify: policy.Verify{Test: []string{"dotnet test"}, Build: []string{"dotnet build"}}},
	{file: "*.csproj", verify: policy.Verify{Test: []string{"dotnet test"}, Build: []string{"dotnet build"}}},
	{file: "Gemfile", verify: policy.Verify{Test: []string{"bundle exec rspec"}}, needs: contains("rspec")},
	{file: "Rakefile", verify: policy.Verify{Test: []string{"rake test"}}, needs: contains("TestTask")},
	{file: "composer.json", verify: policy.Verify{Test: []string{"vendor/bin/phpunit"}}, needs: contains("phpunit")},
	{file: "mix.exs", verify: policy.Verify{Test: []string{"mix test"}, Build: []string{"mix compile"}}},
	{file: "CMakeLists.txt", verify: policy.Verify{Test: []string{"ctest"}, Build: []string{"cmake --build build"}}},
	{file: "deno.json*", verify: policy.Verify{Test: []string{"deno test"}, Lint: []string{"deno lint"}}},
}

func contains(word string) func(string) bool {
	return func(content string) bool { return strings.Contains(content, word) }
}

// detectVerify reads a project's top folder and returns the commands that verify
// it, and the files that told so. It runs nothing. What the project's own words
// name as its test command comes first: a refusal names that one.
func detectVerify(project fs.FS) (v policy.Verify, from []string) {
	hasScript := false
	if scripts := packageScripts(project); !scripts.Empty() {
		hasScript = len(scripts.Test) > 0
		add(&v, scripts)
		from = append(from, packageFile)
	}
	for _, e := range ecosystems {
		names, err := fs.Glob(project, e.file)
		if err != nil || len(names) == 0 {
			continue
		}
		if e.needs != nil && !e.needs(readText(project, names[0])) {
			continue
		}
		if e.file == "build.gradle*" && slices.Contains(v.Test, "./gradlew test") {
			continue
		}
		add(&v, e.verify)
		from = append(from, names[0])
	}
	for _, read := range []func(fs.FS) (policy.Verify, string){pythonTests, makeTargets, justRecipes, miseTasks, taskfile} {
		if found, name := read(project); !found.Empty() {
			add(&v, found)
			from = append(from, name)
		}
	}
	named, name := namedTests(project, hasScript)
	if len(named) > 0 {
		own := policy.Verify{Test: named}
		add(&own, v)
		v = own
		from = append([]string{name}, from...)
	}
	return v, from
}

func add(to *policy.Verify, from policy.Verify) {
	for _, pair := range []struct{ to, from *[]string }{
		{&to.Test, &from.Test},
		{&to.Build, &from.Build},
		{&to.Lint, &from.Lint},
		{&to.Types, &from.Types},
	} {
		for _, command := range *pair.from {
			if !slices.Contains(*pair.to, command) {
				*pair.to = append(*pair.to, command)
			}
		}
	}
}

// maxProjectFile bounds a project file that is looked into.
const maxProjectFile = 1 << 20

func readText(project fs.FS, name string) string {
	info, err := fs.Stat(project, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxProjectFile {
		return ""
	}
	b, err := fs.ReadFile(project, name)
	if err != nil {
		return ""
	}
	return string(b)
}

// makeTargets reads the targets of a Makefile.
func makeTargets(project fs.FS) (policy.Verify, string) {
	for _, name := range []string{"GNUmakefile", "Makefile", "makefile"} {
		if text := readText(project, name); text != "" {
			return targets(text, `(?m)^([A-Za-z][\w-]*)\s*:[^=]`, "make "), name
		}
	}
	return policy.Verify{}, ""
}

// justRecipes reads the recipes of a justfile.
func justRecipes(project fs.FS) (policy.Verify, string) {
	for _, name := range []string{"justfile", "Justfile", ".justfile"} {
		if text := readText(project, name); text != "" {
			return targets(text, `(?m)^@?([A-Za-z][\w-]*)(?:[ \t][^:\n]*)?:(?:[^=]|$)`, "just "), name
		}
	}
	return policy.Verify{}, ""
}

// miseTasks reads the tasks of mise's files.
func miseTasks(project fs.FS) (policy.Verify, string) {
	for _, name := range []string{"mise.toml", ".mise.toml", ".config/mise.toml", "mise/config.toml"} {
		if text := readText(project, name); text != "" {
			if v := targets(text, `(?m)^\[tasks\."?([A-Za-z][\w-]*)"?\]`, "mise run "); !v.Empty() {
				return v, name
			}
		}
	}
	names, err := fs.Glob(project, "mise-tasks/*")
	var v policy.Verify
	for _, n := range names {
		add(&v, targets("["+strings.TrimPrefix(n, "mise-tasks/")+"]", `\[([\w-]+)(?:\.\w+)?\]`, "mise run "))
	}
	if err != nil {
		return policy.Verify{}, ""
	}
	return v, "mise-tasks"
}

// taskfile reads the tasks of go-task.
func taskfile(project fs.FS) (policy.Verify, string) {
	for _, name := range []string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"} {
		if text := readText(project, name); text != "" {
			_, tasks, _ := strings.Cut("\n"+text, "\ntasks:")
			return targets(tasks, `(?m)^ {2}"?([A-Za-z][\w-]*)"?:\s*(?:$|\S)`, "task "), name
		}
	}
	return policy.Verify{}, ""
}

// pythonTests finds how a Python project starts its tests: by the manager whose
// lock file or section is there.
func pythonTests(project fs.FS) (policy.Verify, string) {
	found := ""
	for _, name := range []string{"pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "conftest.py", "requirements.txt", "uv.lock"} {
		if _, err := fs.Stat(project, name); err == nil && (name != "requirements.txt" || strings.Contains(readText(project, name), "pytest")) {
			found = name
			break
		}
	}
	if found == "" {
		return policy.Verify{}, ""
	}
	manifest := readText(project, "pyproject.toml")
	has := func(name string) bool { _, err := fs.Stat(project, name); return err == nil }
	run := "pytest"
	switch {
	case has("uv.lock") || strings.Contains(manifest, "[tool.uv"):
		run = "uv run pytest"
	case has("poetry.lock") || strings.Contains(manifest, "[tool.poetry"):
		run = "poetry run pytest"
	case has("pdm.lock") || strings.Contains(manifest, "[tool.pdm"):
		run = "pdm run pytest"
	case has("Pipfile"):
		run = "pipenv run pytest"
	case strings.Contains(manifest, "[tool.hatch.envs"):
		run = "hatch test"
	}
	return policy.Verify{Test: []string{run}}, found
}

func targets(text, pattern, run string) policy.Verify {
	var v policy.Verify
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text+"\n", -1) {
		switch m[1] {
		case "test", "tests", "check":
			v.Test = append(v.Test, run+m[1])
		case "build":
			v.Build = append(v.Build, run+m[1])
		case "lint":
			v.Lint = append(v.Lint, run+m[1])
		case "typecheck", "types":
			v.Types = append(v.Types, run+m[1])
		}
	}
	return v
}
