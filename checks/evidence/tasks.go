package evidence

import (
	"slices"
	"strings"
)

// readTask recognises a run of a task runner by the names of its tasks. Of several
// the strongest kind counts.
func (r *runner) readTask(name string, args []string, l line, verify Verify) seen {
	switch name {
	case "gh":
		return ciReader(args)
	case "docker-compose", "podman-compose":
		if len(l.operands) == 0 || !hasWord("run up", l.operands[0]) {
			return seen{}
		}
	case "mise", "rtx":
		if len(l.operands) > 0 && hasWord("tasks task t", l.operands[0]) && (len(l.operands) < 2 || l.operands[1] != "run") {
			return seen{idle: true}
		}
	}
	tasks, rest := r.tasks(name, args, l)
	if isScriptRunner(name) || hasWord("sail ddev lando melos", name) {
		if v, ok := r.delegate(name, tasks, rest, l, verify); ok {
			return v
		}
	}
	label := name
	if name == "cargo" {
		label += " " + l.operands[0]
	}
	v := seen{Verification: Verification{Runner: label}}
	for _, a := range tasks {
		if k := kindOfTask(name, a, l.operands[:slices.Index(l.operands, a)]); stronger(k, v.Kind) {
			v.Kind, v.Runner = k, label+" "+a
			v.Narrow = k == Test && isSuite(a)
			v.Background = strings.HasPrefix(a, "~") // sbt goes on
		}
	}
	for _, a := range r.values(l) {
		if k := kindOfName(a); stronger(k, v.Kind) {
			v.Kind, v.Runner, v.Narrow = k, label+" "+a, k == Test && isSuite(a)
		}
	}
	if v.Kind == "" && len(tasks) == 0 {
		v.Kind = unnamed(name, l)
	}
	if name == "cmake" && v.Kind == Build {
		v.Runner += " build"
	}
	v.known = v.Kind != ""
	r.handOn(name, &v, tasks, rest, l)
	return v
}

// tasks are the names among the operands, rest what a script gets to read.
func (r *runner) tasks(name string, args []string, l line) (tasks, rest []string) {
	operands := l.operands
	for len(operands) > 0 && isTaskVerb(name, operands[0]) {
		if operands[0] == "workspace" && len(operands) > 1 {
			operands = operands[1:]
		}
		operands = operands[1:]
	}
	for _, a := range operands {
		if isAssignment(a) || isNumber(a) || name == "cmake" || name == "hatch" && a[0] == '+' {
			continue
		}
		if isScriptRunner(name) && strings.ContainsAny(a, " \n;()'\"{}") {
			break // a text, and no name
		}
		tasks = append(tasks, a)
		if isScriptRunner(name) {
			if at := slices.Index(args, a); at >= 0 {
				rest = slices.Clone(args[at+1:])
			}
			break // the words behind a script's name are its own
		}
	}
	if rest == nil {
		rest = l.behind
	}
	return tasks, rest
}

// delegate reads a program of the table that a task runner starts: "yarn jest",
// "sail phpunit", "melos exec -- flutter test".
func (r *runner) delegate(name string, tasks, rest []string, l line, verify Verify) (seen, bool) {
	words := append(slices.Clone(tasks), rest...)
	if name == "melos" && len(l.behind) > 0 {
		words = l.behind
	}
	if hasWord("npm pnpm yarn bun deno composer", name) {
		if i := slices.Index(words, "--"); i > 0 {
			words = slices.Delete(words, i, i+1)
		}
		// What "run" names is a script, most likely called like the runner in it.
		if hasAny(l.operands[:min(1, len(l.operands))], "run run-script task") && len(words) > 0 && kindOfName(words[0]) != Test {
			// Some are called like a program whose sub-command follows: "npm run tauri build".
			if len(words) == 1 || rowOf(words).sub == "" {
				return seen{}, false
			}
		}
	}
	if len(words) == 0 || hasWord("x m task act tap next", words[0]) {
		return seen{}, false
	}
	words[0] = withoutVersion(words[0])
	if !isProgram(words[0]) {
		return seen{}, false
	}
	v := readCommand(words, verify)
	return v, v.known || v.idle
}

// values are the names that options give: nx -t test, tox -e py312, cmake --target
// check.
func (r *runner) values(l line) []string {
	var list []string
	for _, o := range l.options {
		switch {
		case hasWord("--target --targets --exit-code-from", o.name),
			o.name == "-t" && r.programs != "task go-task" && hasWord("nx cmake", firstWord(r.programs)):
			list = append(list, strings.Split(o.value, ",")...)
		case hasWord("-M -X -T", o.name[:min(2, len(o.name))]) && strings.HasPrefix(r.programs, "lein"):
			list = append(list, strings.Trim(o.name[2:], ":"))
		}
	}
	return list
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// unnamed is what a task runner does that is given no task.
func unnamed(name string, l line) Kind {
	switch name {
	case "make", "gmake", "ninja", "samu", "xcodebuild", "cmake":
		return Build
	case "rake":
		return Check
	case "tox", "nox":
		return sessionKind(l)
	}
	return ""
}

// sessionKind is what the environments of tox or nox do: one is named for the
// linter or the Python that it is for.
func sessionKind(l line) Kind {
	var kind Kind
	named := false
	for _, o := range l.options {
		if !hasWord("-e -s -t --session --sessions --tags --env", o.name) || !o.valued {
			continue
		}
		for env := range strings.SplitSeq(o.value, ",") {
			named = true
			words := nameWords(env)
			k := kindOfName(env)
			if k == "" && (anyWord(words, "py pypy python django") || len(words) == 0) {
				k = Test
			}
			if stronger(k, kind) {
				kind = k
			}
		}
	}
	if !named {
		return Test
	}
	return kind
}

// handOn looks at what a task's own runner gets to read.
func (r *runner) handOn(name string, v *seen, tasks, rest []string, l line) {
	inner := passed.readAll(rest)
	if r.given(l, "--if-present") || passed.given(inner, "--if-present") {
		v.Maybe = true
	}
	switch {
	case name == "docker-compose" && slices.Contains(l.operands, "up") && !r.given(l, "--exit-code-from --abort-on-container-failure"):
		v.Masked = true
	case passed.idles(inner):
		v.idle = true
	}
	v.Background = v.Background || passed.given(inner, passed.watch)
	v.Narrow = v.Narrow || r.given(l, r.part) || passed.given(inner, passed.part) || len(inner.operands) > 0 ||
		name == "yarn" && slices.Contains(l.operands, "workspace") ||
		hasWord("rails x.py x", name) && slices.ContainsFunc(l.operands, func(a string) bool { return strings.Contains(a, "/") }) ||
		name == "nx" && len(tasks) > 0 && (strings.Contains(tasks[0], ":") || len(l.operands) > 1 && !slices.Contains(l.operands, "run-many")) ||
		name == "just" && len(tasks) > 1 && slices.ContainsFunc(tasks[1:], func(a string) bool { return kindOfName(a) == "" })
	for _, a := range l.operands {
		variable, value, ok := strings.Cut(a, "=")
		if !ok || !isAssignment(a) {
			continue
		}
		words := passed.read(strings.Fields(value))
		v.idle = v.idle || passed.idles(words) || isNoop(value) && (strings.Contains(value, "/") || variable == "SHELL" || isProgram(variable))
		v.Narrow = v.Narrow || passed.given(words, passed.part) || hasWord("T TEST TESTS PKG PKGS PACKAGE PACKAGES FILE FILES RUN ONLY FILTER MATCH SUITE SPEC", variable)
	}
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
		switch {
		case hasWord("verify install package deploy integration-test", a):
			return Check // these phases run the tests
		case strings.Contains(a, ":"):
			return mavenGoal(a)
		}
	case "gradle", "gradlew", "gw":
		a = a[strings.LastIndexByte(a, ':')+1:]
		if hasWord("build connectedCheck deviceCheck allDevicesCheck", a) {
			return Check
		}
	case "rebar3":
		switch a {
		case "eunit", "ct", "proper":
			return Test
		case "dialyzer", "xref", "compile":
			return Build
		}
	case "sbt":
		if a == "coverage" {
			return "" // it only switches the measuring on
		}
		if a == "testOnly" || strings.HasPrefix(a, "testOnly ") || strings.HasPrefix(a, "testQuick") {
			return Test
		}
	}
	k := kindOfName(a)
	if k == "" && hasWord("make gmake ninja samu cmake", name) && hasWord("all default world", a) {
		return Build
	}
	return k
}

// mavenGoal is what a goal of a plugin does: "surefire:test".
func mavenGoal(a string) Kind {
	i := strings.LastIndexByte(a, ':')
	plugin, goal := a[:i], a[i+1:]
	switch {
	case hasWord("help tree effective-pom effective-settings report report-only", goal):
		return ""
	case strings.Contains(plugin, "surefire"), strings.Contains(plugin, "failsafe"):
		return Test
	case hasWord("check verify", goal):
		return Lint
	}
	return kindOfName(goal)
}

func isScriptRunner(name string) bool {
	return hasWord("npm pnpm yarn bun deno pdm hatch rye uv poetry pipenv pixi composer poe poethepoet nx nr vp", name)
}

// isTaskVerb tells the words that stand before a task's name.
func isTaskVerb(name, a string) bool {
	switch a {
	case "run", "run-script", "-s", "rum", "urn", "exec", "run-many", "affected", "workspace", "workspaces", "foreach", "tasks", "task", "r", "do", "as":
		return !(a == "task" && name != "deno" && name != "cargo" && name != "vp")
	case "up":
		return name == "docker-compose" || name == "podman-compose"
	case "clean":
		return name == "xcodebuild"
	case "call", "-b":
		return name == "dagger"
	case "xtask", "make":
		return name == "cargo"
	case "ios", "android", "mac":
		return name == "fastlane"
	}
	return false
}

// ciReader recognises commands that read a pipeline's result.
func ciReader(args []string) seen {
	r := runner{value: "-R --repo -w --workflow -b --branch -L --limit -q --jq -t --template --json -j --job -i --interval"}
	l := r.read(args)
	if r.given(l, "--help") || len(l.operands) < 2 {
		return seen{}
	}
	sub, verb := l.operands[0], l.operands[1]
	if sub == "run" && hasWord("watch view list", verb) || sub == "pr" && verb == "checks" {
		return seen{Verification: Verification{Kind: CI, Runner: "gh " + sub + " " + verb}, known: true}
	}
	return seen{}
}
