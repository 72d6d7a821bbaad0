package cli

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"agentguard/installer"
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
// Makefiles, justfiles and package.json are read for the targets they really
// have, further down.
var ecosystems = []ecosystem{
	{file: "go.mod", verify: policy.Verify{Test: []string{"go test ./..."}, Build: []string{"go build ./..."}, Lint: []string{"go vet ./..."}}},
	{file: "Cargo.toml", verify: policy.Verify{Test: []string{"cargo test"}, Build: []string{"cargo build"}, Lint: []string{"cargo clippy"}}},
	{file: "pyproject.toml", verify: policy.Verify{Test: []string{"pytest"}}},
	{file: "setup.py", verify: policy.Verify{Test: []string{"pytest"}}},
	{file: "pytest.ini", verify: policy.Verify{Test: []string{"pytest"}}},
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
// it, and the files that told so.
func detectVerify(project fs.FS) (v policy.Verify, from []string) {
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
	for _, read := range []func(fs.FS) (policy.Verify, string){packageScripts, makeTargets, justRecipes} {
		if found, name := read(project); !found.Empty() {
			add(&v, found)
			from = append(from, name)
		}
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

// packageScripts reads the scripts of a package.json. The placeholder that npm
// writes into a new file is no test.
func packageScripts(project fs.FS) (policy.Verify, string) {
	const name = "package.json"
	var pkg struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(readText(project, name)), &pkg) != nil {
		return policy.Verify{}, name
	}
	run := "npm run "
	for _, lock := range []struct{ file, run string }{{"pnpm-lock.yaml", "pnpm run "}, {"yarn.lock", "yarn "}, {"bun.lock*", "bun run "}} {
		if names, err := fs.Glob(project, lock.file); err == nil && len(names) > 0 {
			run = lock.run
		}
	}
	var v policy.Verify
	if script, ok := pkg.Scripts["test"]; ok && !strings.Contains(script, "no test specified") {
		v.Test = append(v.Test, strings.TrimSuffix(run, "run ")+"test")
	}
	for _, s := range []struct {
		script string
		to     *[]string
	}{{"build", &v.Build}, {"lint", &v.Lint}, {"typecheck", &v.Types}, {"type-check", &v.Types}, {"check-types", &v.Types}} {
		if _, ok := pkg.Scripts[s.script]; ok {
			*s.to = append(*s.to, run+s.script)
		}
	}
	return v, name
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

// policyText writes the policy that init puts into a repository: what was chosen
// and found, with a word on each part for whoever opens it.
func policyText(scope installer.Scope, profile policy.Profile, v policy.Verify, from, judges []string) []byte {
	var b strings.Builder
	whose := "of this repository, shared by the whole team"
	switch scope {
	case installer.User:
		whose = "of yours, for every repository that has none of its own"
	case installer.Local:
		whose = "for you alone in this repository; it only makes the team's stricter"
	case installer.Project:
	}
	b.WriteString("// agentguard policy " + whose + `.
// What each key means: agentguard schema. Mistakes: agentguard check. Try a change: agentguard explain -- COMMAND
{
  "version": 1,

  // observe: record only. standard: refuse what does damage. strict: refuse all.
  "profile": ` + quote(string(profile)))
	if !v.Empty() {
		b.WriteString(",\n\n  // How this project is verified (found in " + strings.Join(from, ", ") + ").\n  \"verify\": {")
		sep := "\n"
		for _, kind := range []struct {
			name     string
			commands []string
		}{{"test", v.Test}, {"build", v.Build}, {"lint", v.Lint}, {"types", v.Types}} {
			if len(kind.commands) > 0 {
				b.WriteString(sep + "    " + quote(kind.name) + ": " + quoteList(kind.commands))
				sep = ",\n"
			}
		}
		b.WriteString("\n  }")
	}
	if len(judges) > 0 {
		b.WriteString(",\n\n  // Who reads meaning where a pattern cannot, in this order. offline needs no key.\n  \"judge\": {\"order\": " + quoteList(judges) + "}")
	}
	b.WriteString("\n}\n")
	return []byte(b.String())
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func quoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
