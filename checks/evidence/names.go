package evidence

import (
	"slices"
	"strings"
)

// The words of task and script names. A name means what its whole words mean:
// "latest" holds no test, and a "test-server" is a server.
const (
	testWords = "test tests testing e2e pytest jest vitest rspec ctest phpunit mocha playwright cypress unittest unittests runtests runtest testall alltests selftest selftests testsuite testsuites smoketest smoketests systemtest systemtests nosetests tox nox bats eunit scan coveralls"
	// These mean tests where nothing else in the name says otherwise.
	softTestWords = "spec specs unit units integration acceptance regression smoke functional coverage cov"
	checkWords    = "check checks ci verify verification validate validation precommit prepush presubmit precheck preflight qa"
	lintWords     = "lint linter linting lints clippy eslint ruff rubocop credo vet style stylelint analyze analyse ktlint detekt checkstyle spotless spotbugs pmd biome oxlint flake8 pylint shellcheck golangci prettier"
	formatWords   = "format formatting fmt formatted"
	typeWords     = "types typecheck typechecks typechecker tsc mypy typing typescript dialyzer pyright"
	buildWords    = "build builds compile compiles assemble bundle dist package"

	// With these a name is that of a thing beside the tests, or of what is done to
	// them.
	otherWords = "server serve data datas fixture fixtures setup teardown prepare seed clean cleanup deps dependencies install uninstall update upgrade " +
		"helper helpers util utils mock mocks stub stubs config configs report reports reporter result results summary list show open view print generate gen generator " +
		"create new init scaffold add docs doc documentation plan plans template templates parse convert migrate load dump upload download fetch publish start stop kill " +
		"shell repl harness tool tools bench benchmark env image images db database account user page repo history dashboard badge naming names named options deploy deployment provision process resources classes jar stats count"
	// Behind a colon, as in "test:db", most of them name what is tested.
	stillOther = "setup teardown prepare seed clean cleanup install uninstall update upgrade report reports results list show open view print generate gen init start stop serve fixtures data upload classes"
	watchWords = "watch watcher ui"

	// Words that say nothing of what is checked.
	plainWords = "run runs runner all full whole quick fast slow local dev ci pr pre post commit push merge main code project repo everything quality gate gates final before and the then a with script scripts " +
		"unit units js ts jsx py rb go rust java php node browser api web app cli core server client backend frontend mobile ios android parallel serial headless docker debug release nightly only " +
		"models controllers features system requests views helpers jobs changes changed strict linux macos windows"
)

// kindOfName reads a task's or script's name: "test:unit", "ci-check",
// "connectedAndroidTest", "lint_all". Empty when it says nothing of verifying.
func kindOfName(name string) Kind {
	words := nameWords(name)
	if len(words) == 0 || anyWord(words, watchWords) {
		return ""
	}
	var test, soft, check, lint, types, build bool
	for i, w := range words {
		test = test || hasWord(testWords, w)
		soft = soft || hasWord(softTestWords, w)
		check = check || hasWord(checkWords, w)
		lint = lint || hasWord(lintWords, w)
		types = types || hasWord(typeWords, w) || w == "type" && i+1 < len(words) && hasWord(checkWords, words[i+1])
		build = build || hasWord(buildWords, w)
	}
	test = test || soft && onlyPlain(words, softTestWords)
	format := anyWord(words, formatWords)
	several := slices.Contains(words, "and")
	switch {
	case build && anyWord(words, "clean"):
		return ""
	case test && several && !anyWord(words, otherWords):
		return Test
	case lint, format && (check || test):
		return Lint
	case types:
		return Types
	case test && build:
		return Build // "compileTestJava", "build-tests"
	case test:
		if besideTests(name, words) {
			return ""
		}
		return Test
	case check:
		switch {
		case onlyPlain(words, checkWords), slices.Contains(words, "ci") && !anyWord(words, otherWords):
			return Check
		case anyWord(words, "list show open install setup update generate gen create new init"):
			return ""
		}
		return Compare // one thing: links, licences, the environment
	case build:
		return Build
	}
	return ""
}

// besideTests tells a name with "test" in it that runs none.
func besideTests(name string, words []string) bool {
	head, _, area := strings.Cut(name, ":")
	if area && anyWord(nameWords(head), testWords) && !anyWord(nameWords(head), otherWords) {
		return anyWord(words, stillOther)
	}
	return anyWord(words, otherWords)
}

// onlyPlain tells that all words are of the list or say nothing of their own.
func onlyPlain(words []string, list string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !hasWord(list, w) && !hasWord(plainWords, w) && !hasWord(testWords, w) && !hasWord(softTestWords, w) && strings.Trim(w, "0123456789") != ""
	})
}

// wholeWords are what the name of a run of all tests may be made of.
const wholeWords = "t tst test tests testing testall alltests runtests runtest unittest unittests selftest testsuite testsuites pytest jest vitest rspec ctest phpunit mocha nosetests tox nox bats eunit scan coveralls spec specs coverage cov " +
	"all full whole everything run runs runner ci pr pre post commit push code project repo suite race verbose parallel serial headless local dev debug once and the script scripts check checks with without watch no release " +
	"json html xml lcov surefire failsafe building js ts jsx py rb go rust java php node docker linux macos windows gradle maven cargo npm"

// isSuite tells the name of a run of some of the tests: "test:unit", "e2e",
// "integrationTest".
func isSuite(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return !hasWord(wholeWords, w) && strings.Trim(w, "0123456789") != "" })
}

func anyWord(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return hasWord(list, w) })
}

// nameWords splits a name at its separators and at camel humps, lower case, a
// number at a word's end taken off.
func nameWords(name string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			w := strings.ToLower(name[start:end])
			if short := strings.TrimRight(w, "0123456789"); short != "" && !hasWord(lintWords, w) {
				w = short
			}
			words = append(words, w)
		}
		start = end
	}
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	lower := func(i int) bool { return i < len(name) && name[i] >= 'a' && name[i] <= 'z' }
	for i := range len(name) {
		switch {
		case strings.IndexByte(":-_./+ @=,#~", name[i]) >= 0:
			cut(i)
			start = i + 1
		case upper(i) && i > start && (lower(i-1) || lower(i+1) && (upper(i-1) || name[i-1] >= '0' && name[i-1] <= '9')):
			cut(i)
		}
	}
	cut(len(name))
	return words
}

func strength(k Kind) int {
	return slices.Index([]Kind{"", Compare, Build, Lint, Types, CI, Hook, Check, Test}, k)
}

func stronger(a, b Kind) bool { return strength(a) > strength(b) }
