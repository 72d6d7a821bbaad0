package evidence

import (
	"slices"
	"strings"
)

// task recognises a run of a task runner by the names of its tasks. Of several
// the strongest kind counts.
func task(name string, args []string) (Verification, bool) {
	if name == "gh" {
		return ciReader(args)
	}
	if hasAny(args, "--dry-run -n --list -l --version --help -q:list") && name != "gradlew" && name != "gradle" {
		return Verification{}, false
	}
	if sub, _ := subcommand(args); name == "docker-compose" && sub != "run" && sub != "up" {
		return Verification{}, false
	}
	var best Kind
	label := name
	named := false
	for i, a := range args {
		if a == "--" {
			break
		}
		for _, p := range [...]string{"--target=", "--targets=", "--exit-code-from="} {
			if value, ok := strings.CutPrefix(a, p); ok && stronger(kindOfName(value), best) {
				best, label, named = kindOfName(value), name+" "+value, true
			}
		}
		if alias, ok := strings.CutPrefix(a, "-M:"); ok && (name == "clj" || name == "clojure") {
			a = alias
		}
		if strings.HasPrefix(a, "-") || isAssignment(a) || valueOf(args, i) || previousTakesValue(name, args, i) {
			continue
		}
		if isTaskVerb(name, a) {
			continue
		}
		named = true
		k := kindOfTask(name, a, args[:i])
		if stronger(k, best) {
			best, label = k, name+" "+a
		}
		if isScriptRunner(name) {
			break // the words after a script's name are its own
		}
	}
	if !named && (name == "make" || name == "gmake" || name == "ninja" || name == "samu" || name == "xcodebuild") {
		best = Build
	}
	if !named && name == "rake" {
		best = Check
	}
	if hasAny(args, "-DskipTests -Dmaven.test.skip=true") && best.Tests() {
		best = Build
	}
	if best == "" {
		return Verification{}, false
	}
	v := Verification{Kind: best, Runner: label}
	for i, a := range args {
		if selects(a) && (a != "-t" || name != "nx") && a != "-p" && a != "-n" && a != "-o" && a != "-e" && a != "-m" && !previousTakesValue(name, args, i) {
			v.Narrow = true
		}
	}
	if i := slices.Index(args, "--"); i >= 0 && i+1 < len(args) {
		for _, a := range args[i+1:] {
			if selects(a) || !strings.HasPrefix(a, "-") {
				v.Narrow = true
			}
		}
	}
	return v, true
}

// kindOfTask is kindOfName with what some runners mean by a name of their own.
// before are the arguments in front of it.
func kindOfTask(name, a string, before []string) Kind {
	switch name {
	case "npm", "pnpm", "yarn", "bun", "composer", "deno":
		if hasAny(before, "run run-script task") {
			break
		}
		if a == "t" || a == "tst" {
			return Test
		}
		// Commands of the package manager itself, whatever their names suggest.
		if hasWord("ci install i add publish pack audit version init create link update validate check outdated why", a) {
			return ""
		}
	case "mvn", "mvnw", "mvnd":
		if hasWord("verify install package deploy integration-test", a) {
			return Check // these phases run the tests
		}
	case "gradle", "gradlew":
		a = a[strings.LastIndexByte(a, ':')+1:]
		if a == "build" {
			return Check
		}
	}
	k := kindOfName(a)
	if k == "" && (name == "make" || name == "gmake" || name == "ninja") && hasWord("all default world", a) {
		return Build
	}
	if k == Test && hasAny(nameWords(a), "compile assemble classes build") {
		return Build
	}
	return k
}

func isScriptRunner(name string) bool {
	return hasWord("npm pnpm yarn bun deno pdm hatch rye uv poetry pipenv composer poe poethepoet nx turbo", name)
}

// isTaskVerb tells the words that stand before a task's name.
func isTaskVerb(name, a string) bool {
	switch a {
	case "run", "run-script", "-s", "rum", "urn", "--silent", "exec", "run-many", "affected", "workspace", "tasks", "r", "do":
		return true
	}
	return name == "docker-compose" && a == "up" || (name == "xcodebuild" && a == "clean")
}

func previousTakesValue(name string, args []string, i int) bool {
	if i == 0 {
		return false
	}
	switch args[i-1] {
	case "workspace":
		return name == "yarn"
	case "-w":
		return name != "pnpm"
	case "-C", "-f", "-F", "--filter", "--prefix", "--cwd", "--dir", "--workspace", "-j", "-p", "--project", "-pl", "-P",
		"-scheme", "-workspace", "-destination", "-project", "-configuration", "-sdk", "--tests", "-x", "--file", "--directory", "-t", "--targets", "-I", "--init-script":
		return args[i-1] != "-t" && args[i-1] != "--targets"
	}
	return false
}

// kindOfName reads a task's or script's name: "test:unit", "ci-check",
// "connectedAndroidTest", "lint_all". Empty when it says nothing of verifying.
func kindOfName(name string) Kind {
	var best Kind
	for _, w := range nameWords(name) {
		k := Kind("")
		switch w {
		case "test", "tests", "testing", "spec", "specs", "unit", "e2e", "integration", "pytest", "jest", "vitest", "coverage", "cov", "smoke", "acceptance", "regression", "rspec", "ctest", "tested", "selftest", "testsuite":
			k = Test
		case "check", "checks", "ci", "verify", "validate", "verification", "validation", "precommit", "prepush", "qa", "preflight", "presubmit", "precheck", "all-checks":
			k = Check
		case "lint", "linter", "lints", "clippy", "eslint", "format-check", "fmt-check", "ruff", "rubocop", "credo", "vet", "style", "analyze", "analyse":
			k = Lint
		case "types", "typecheck", "tsc", "mypy", "typing", "typescript", "dialyzer", "pyright":
			k = Types
		case "build", "compile", "assemble", "bundle", "dist", "package":
			k = Build
		}
		if stronger(k, best) {
			best = k
		}
	}
	if best == Check || best == Test {
		for _, w := range nameWords(name) {
			if w == "watch" || w == "fixtures" || w == "setup" || w == "clean" || w == "server" || w == "data" || w == "deps" || w == "db" || w == "seed" || w == "install" || w == "update" {
				return ""
			}
		}
		// "type-check", "lint:check", "format-check" check one thing.
		if best == Check {
			for _, w := range nameWords(name) {
				switch w {
				case "lint", "format", "fmt", "style", "prettier":
					return Lint
				case "type", "types":
					return Types
				}
			}
		}
	}
	return best
}

// nameWords splits a name at its separators and at camel humps, lower case.
func nameWords(name string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case strings.IndexByte(":-_./+ ", c) >= 0:
			cut(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && name[i-1] >= 'a' && name[i-1] <= 'z':
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

func strength(k Kind) int {
	return slices.Index([]Kind{"", Compare, Build, Lint, Types, CI, Hook, Check, Test}, k)
}

func stronger(a, b Kind) bool { return strength(a) > strength(b) }

// ciReader recognises commands that read a pipeline's result.
func ciReader(args []string) (Verification, bool) {
	sub, rest := subcommand(args)
	verb, _ := subcommand(rest)
	if (sub == "run" && (verb == "watch" || verb == "view" || verb == "list")) || (sub == "pr" && verb == "checks") {
		return Verification{Kind: CI, Runner: "gh " + sub + " " + verb}, true
	}
	return Verification{}, false
}

// ownScript recognises a project's own script by its name: "./scripts/check.sh",
// "bash test/run.sh", "python run_tests.py", "bin/test".
func ownScript(words []string) (Verification, bool) {
	path := words[0]
	name := baseName(path)
	switch {
	case slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "node", "bun", "deno", "ruby", "perl", "php", "tsx", "ts-node", "pwsh", "powershell"}, name), isPython(name):
		path = ""
		for _, a := range words[1:] {
			if hasWord("-c -e -p --eval -n", a) {
				return Verification{}, false
			}
			if !strings.HasPrefix(a, "-") && a != "run" {
				path = a
				break
			}
		}
		if path == "" {
			return Verification{}, false
		}
	case name == "go" || name == "cargo":
		return goRun(words)
	case hasWord("julia rscript emacs nvim vim octave matlab", name):
		text := strings.Join(words[1:], " ")
		if strings.Contains(text, "Pkg.test(") || strings.Contains(text, "test_dir(") || strings.Contains(text, "devtools::test(") || strings.Contains(text, "ert-run-tests") || strings.Contains(text, "PlenaryBusted") || strings.Contains(text, "runtests") {
			return Verification{Kind: Test, Runner: name}, true
		}
		return Verification{}, false
	case !strings.ContainsAny(path, `/\`):
		return Verification{}, false
	}
	base := baseName(path)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	k := kindOfName(base)
	if k == "" && (strings.HasSuffix(base, "test") || strings.HasSuffix(base, "tests")) {
		k = Test
	}
	if k == "" {
		// "tests/run.sh", "node test/api.js": the folder says what is run.
		dir := baseName(strings.TrimSuffix(path[:max(0, len(path)-len(baseName(path)))], "/"))
		if strings.HasPrefix(base, "run") || hasWord("test tests spec __tests__ e2e", dir) {
			k = kindOfName(dir)
		}
	}
	if k == "" {
		return Verification{}, false
	}
	return Verification{Kind: k, Runner: baseName(path)}, true
}

// goRun recognises a test program started by "go run ./cmd/check".
func goRun(words []string) (Verification, bool) {
	if len(words) < 3 || !hasWord("run xtask make", words[1]) {
		return Verification{}, false
	}
	target, _ := subcommand(words[2:])
	if k := kindOfName(baseName(strings.TrimSuffix(target, ".go"))); k == Test || k == Check || k == Lint {
		return Verification{Kind: k, Runner: words[0] + " " + words[1] + " " + target}, true
	}
	return Verification{}, false
}
