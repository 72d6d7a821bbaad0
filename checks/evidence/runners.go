package evidence

import (
	"slices"
	"strings"
)

// runner is one way to verify. Programs are base names; sub is a word that must
// stand among the arguments before any "--", in the first place that is no option.
type runner struct {
	programs string // space-separated
	sub      string // space-separated alternatives; empty: none needed
	kind     Kind
	not      string // arguments that make it something else, space-separated
	wide     string // targets that mean everything, space-separated
	task     bool   // the sub-commands are names that the project chose
}

// runners is the table of common ones, first match wins. Data only.
var runners = [...]runner{
	// Go
	{programs: "go", sub: "test", kind: Test, not: "-c -list", wide: "./... ..."},
	{programs: "gotestsum gotest richgo", kind: Test, wide: "./..."},
	{programs: "ginkgo", kind: Test, wide: "./... -r"},
	{programs: "go", sub: "build install", kind: Build, wide: "./... ."},
	{programs: "go", sub: "vet", kind: Lint, wide: "./..."},
	{programs: "golangci-lint staticcheck revive", kind: Lint, not: "cache version linters", wide: "run ./..."},
	{programs: "gofmt gofumpt", kind: Lint, not: "-w"},
	// Rust
	{programs: "cargo", sub: "test t nextest tarpaulin llvm-cov miri", kind: Test, not: "--no-run", wide: "run test"},
	{programs: "cargo", sub: "check c", kind: Types},
	{programs: "cargo", sub: "clippy", kind: Lint},
	{programs: "cargo", sub: "build b", kind: Build},
	{programs: "cargo-nextest cross", sub: "run test", kind: Test},
	{programs: "trunk wasm-pack", sub: "test build", kind: Build},
	// Python
	{programs: "pytest py.test", kind: Test, not: "--collect-only --co --version --fixtures", wide: ". tests test tests/ test/"},
	{programs: "tox nox", kind: Test, not: "-l --list --listenvs"},
	{programs: "unittest nose2 nosetests trial stestr green behave robot doctest", kind: Test, wide: "discover run"},
	{programs: "manage.py django-admin", sub: "test", kind: Test},
	{programs: "manage.py", sub: "check", kind: Lint},
	{programs: "hatch", sub: "test", kind: Test},
	{programs: "mypy pyright basedpyright pytype pyre ty", kind: Types, wide: ". src check"},
	{programs: "ruff", sub: "check", kind: Lint, wide: "."},
	{programs: "ruff", sub: "format", kind: Lint, wide: "."},
	{programs: "flake8 pylint pycodestyle bandit pyflakes", kind: Lint, wide: ". src"},
	{programs: "black isort", kind: Lint, wide: "."},
	{programs: "pre-commit prek lefthook overcommit", sub: "run", kind: Check, wide: "run"},
	// JavaScript, TypeScript
	{programs: "jest vitest mocha ava tap jasmine karma uvu c8 nyc lab web-test-runner wtr qunit", kind: Test, not: "--listTests --version init", wide: "run --run"},
	{programs: "playwright cypress wdio testcafe codeceptjs", sub: "test run", kind: Test},
	{programs: "node bun deno", sub: "--test test", kind: Test},
	{programs: "deno", sub: "check", kind: Types},
	{programs: "deno", sub: "lint", kind: Lint},
	{programs: "react-scripts ng vue-cli-service craco", sub: "test test:unit", kind: Test},
	{programs: "tsc vue-tsc svelte-check tsgo flow attw", kind: Types, not: "--version --init --watch"},
	{programs: "eslint oxlint stylelint standard xo tslint", kind: Lint, wide: ". src"},
	{programs: "biome", sub: "check ci lint", kind: Lint, wide: ". src"},
	{programs: "prettier", sub: "--check -c --list-different -l", kind: Lint},
	{programs: "next vite nuxt astro ng rollup webpack esbuild tsup rspack parcel swc svelte-kit gatsby remix", sub: "build", kind: Build},
	{programs: "rollup webpack esbuild tsup", kind: Build, not: "serve --watch -w"},
	{programs: "nx", sub: "run-many affected run test build lint e2e typecheck", kind: Check, task: true},
	{programs: "turbo lerna moon rush", sub: "", kind: Check, task: true},
	// JVM
	{programs: "gradlew gradle", kind: Build, task: true},
	{programs: "mvn mvnw mvnd", kind: Build, task: true},
	{programs: "sbt mill lein clojure clj ant", kind: Build, task: true},
	{programs: "detekt ktlint checkstyle spotbugs", kind: Lint},
	// .NET
	{programs: "dotnet", sub: "test vstest", kind: Test},
	{programs: "dotnet", sub: "build publish msbuild", kind: Build},
	{programs: "dotnet", sub: "format", kind: Lint},
	{programs: "msbuild xbuild", kind: Build},
	{programs: "vstest.console nunit3-console xunit.console", kind: Test},
	// Ruby
	{programs: "rspec minitest cucumber m turbo_tests parallel_rspec parallel_test", kind: Test, wide: "spec spec/ test test/"},
	{programs: "rails rake", kind: Check, task: true},
	{programs: "rubocop standardrb reek brakeman", kind: Lint},
	{programs: "srb steep sorbet", kind: Types},
	// PHP
	{programs: "phpunit pest paratest codecept behat phpspec kahlan", kind: Test, wide: "run"},
	{programs: "artisan", sub: "test", kind: Test},
	{programs: "phpstan psalm phan", kind: Types},
	{programs: "phpcs php-cs-fixer pint phpmd", kind: Lint},
	{programs: "composer", kind: Check, task: true},
	// C, C++
	{programs: "ctest", kind: Test, not: "-N --show-only"},
	{programs: "meson", sub: "test", kind: Test},
	{programs: "meson", sub: "compile", kind: Build},
	{programs: "cmake", sub: "--build", kind: Build},
	{programs: "ninja samu", kind: Build, task: true},
	{programs: "gcc g++ clang clang++ cc c++ rustc javac kotlinc swiftc ghc zig-cc", kind: Build, not: "--version -v"},
	{programs: "clang-tidy cppcheck", kind: Lint},
	{programs: "bazel bazelisk buck2 pants please plz", sub: "test coverage", kind: Test, wide: "//..."},
	{programs: "bazel bazelisk buck2 pants please plz", sub: "build", kind: Build, wide: "//..."},
	// Elixir, Erlang, Haskell, OCaml, Swift, Dart, Zig, Julia, Perl, R, Lua, Scala, Elm, Nim, Crystal
	{programs: "mix", kind: Check, task: true},
	{programs: "rebar3", sub: "eunit ct proper", kind: Test},
	{programs: "rebar3", sub: "compile dialyzer xref", kind: Build},
	{programs: "gleam", kind: Check, task: true},
	{programs: "stack cabal dune", sub: "test runtest", kind: Test},
	{programs: "stack cabal dune", sub: "build", kind: Build},
	{programs: "swift", sub: "test", kind: Test},
	{programs: "swift", sub: "build", kind: Build},
	{programs: "xcodebuild", kind: Build, task: true},
	{programs: "swiftlint", kind: Lint},
	{programs: "flutter dart", sub: "test", kind: Test},
	{programs: "flutter dart", sub: "analyze", kind: Lint},
	{programs: "flutter", sub: "build", kind: Build},
	{programs: "zig", sub: "test", kind: Test},
	{programs: "zig", sub: "build", kind: Build, task: true},
	{programs: "prove", kind: Test},
	{programs: "busted luacheck", kind: Test},
	{programs: "elm-test bats shellspec roundup crystal-spec testscript", kind: Test},
	{programs: "elm", sub: "make", kind: Build},
	{programs: "crystal", sub: "spec", kind: Test},
	{programs: "nimble", sub: "test", kind: Test},
	{programs: "forge", sub: "test", kind: Test},
	{programs: "forge", sub: "build", kind: Build},
	{programs: "hardhat truffle anchor", sub: "test", kind: Test},
	// Infrastructure, shell, documents
	{programs: "shellcheck hadolint actionlint yamllint tflint ansible-lint markdownlint vale buf codespell", kind: Lint},
	{programs: "terraform tofu", sub: "validate test", kind: Check},
	{programs: "helm", sub: "lint test unittest", kind: Check},
	{programs: "opa conftest", sub: "test", kind: Test},
	{programs: "docker podman docker-compose", sub: "build", kind: Build},
	{programs: "docker-compose", kind: Check, task: true},
	{programs: "k6 newman artillery schemathesis hurl", kind: Test},
	// Task runners
	{programs: "make gmake", kind: Build, task: true},
	{programs: "just task mage invoke inv doit nox poe poethepoet mise rtx cargo-make makers earthly dagger tilt x.py x", kind: Check, task: true},
	{programs: "npm pnpm yarn bun deno", kind: Check, task: true},
	{programs: "pdm hatch rye uv poetry pipenv", sub: "run", kind: Check, task: true},
	// CI readers
	{programs: "gh", sub: "run pr", kind: CI, task: true},
	{programs: "glab", sub: "ci pipeline", kind: CI},
	{programs: "act", kind: CI, not: "-l --list"},
	// Comparisons
	{programs: "cmp diff", kind: Compare, not: "--help"},
	{programs: "sha256sum md5sum sha1sum", sub: "-c --check", kind: Compare},
}

// fromTable recognises a command by the table, else by a project's own script
// name.
func fromTable(words []string) (Verification, bool) {
	name, args := program1(words)
	if name == "git" {
		return gitHook(args)
	}
	for i := range runners {
		r := &runners[i]
		if !hasWord(r.programs, name) || hasAny(args, r.not) {
			continue
		}
		sub, rest := subcommand(args)
		if r.task {
			if v, ok := task(name, args); ok {
				return v, true
			}
			continue
		}
		label := name
		if r.sub != "" {
			if !hasWord(r.sub, sub) && !hasAny(args[:min(1, len(args))], r.sub) {
				continue
			}
			label += " " + sub
		} else {
			rest = args
		}
		return Verification{Kind: r.kind, Runner: strings.TrimSpace(label), Narrow: narrow(r, rest)}, true
	}
	return ownScript(words)
}

// isProgram tells a name that stands in the table itself.
func isProgram(name string) bool {
	for i := range runners {
		if hasWord(runners[i].programs, baseName(name)) {
			return true
		}
	}
	return false
}

// program1 names the program that counts: the module of "python -m pytest", the
// script of "php artisan".
func program1(words []string) (string, []string) {
	name, args := baseName(words[0]), words[1:]
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".bat"), ".cmd")
	if (name == "docker" || name == "podman") && len(args) > 0 && args[0] == "compose" {
		name, args = "docker-compose", args[1:]
	}
	switch {
	case isPython(name):
		for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-m" && args[0] != "-c" {
			if (args[0] == "-W" || args[0] == "-X") && len(args) > 1 {
				args = args[1:]
			}
			args = args[1:]
		}
		if len(args) > 1 && args[0] == "-m" {
			return args[1], args[2:]
		}
		if len(args) > 0 && (baseName(args[0]) == "manage.py" || baseName(args[0]) == "x.py") {
			return baseName(args[0]), args[1:]
		}
	case name == "php" && len(args) > 0, name == "ruby" && len(args) > 0, name == "node" && len(args) > 0, name == "perl" && len(args) > 0:
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(baseName(args[0]), ".js"), ".mjs"), ".cjs")
		for i := range runners {
			if !runners[i].task && hasWord(runners[i].programs, base) || base == "artisan" {
				return base, args[1:]
			}
		}
	}
	return name, args
}

func isPython(name string) bool {
	return name == "py" || strings.TrimRight(strings.TrimPrefix(name, "python"), "0123456789.") == "" && strings.HasPrefix(name, "python")
}

func hasWord(list, w string) bool {
	if w == "" {
		return false
	}
	for list != "" {
		var item string
		item, list, _ = strings.Cut(list, " ")
		if item == w {
			return true
		}
	}
	return false
}

func hasAny(args []string, list string) bool {
	return list != "" && slices.ContainsFunc(args, func(a string) bool { return hasWord(list, a) })
}

// subcommand is the first word that is no option.
func subcommand(args []string) (string, []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") {
			return a, args[i+1:]
		}
	}
	return "", args
}

// narrow tells whether the arguments pick a part out.
func narrow(r *runner, args []string) bool {
	for i, a := range args {
		switch {
		case a == "--" || hasWord(r.sub, a):
		case strings.HasPrefix(a, "-"):
			if selects(a) {
				return true
			}
		case hasWord(r.wide, a), valueOf(args, i), i > 0 && hasWord("-c -C -f -l -W -X", args[i-1]):
		case i > 0 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "="):
			// The value of a long option, most likely.
		default:
			return true
		}
	}
	return false
}

// gitHook takes a commit or push for a run: what its hooks print is read, and
// without such output it counts for nothing.
func gitHook(args []string) (Verification, bool) {
	sub, rest := subcommand(args)
	if sub == "-C" && len(rest) > 1 {
		sub, rest = subcommand(rest[1:])
	}
	if sub != "commit" && sub != "push" || hasAny(rest, "--no-verify") {
		return Verification{}, false
	}
	return Verification{Kind: Hook, Runner: "git " + sub}, true
}
