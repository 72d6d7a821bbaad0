package evidence

import (
	"slices"
	"strings"
)

// passed reads words that a task or a script hands on to a runner that is not
// known: what any of them would take for the same.
var passed = runner{
	kind: Test,
	idle: "--list --list-tests --listTests --list-suites --list-groups --collect-only --co --dry-run --dryrun --no-run --nobuild --notest --showConfig --init --clearCache --setup-plan --setup-only --fixtures --markers " +
		"--gtest_list_tests --list-test-cases --list_content --test-no-exec --no-run-tests --print-config " +
		"-list -run=%none -exec=%noop -skip=%all -count=0 -t=%none -k=%none -g=%none --grep=%none --testNamePattern=%none --filter=%none --run=%none --gtest_filter=-*",
	watch: "--watch --watchAll --ui",
	part: "-k -t -g -R -run --tests --testNamePattern --testPathPattern --testPathPatterns --tests-regex --filter --grep -only --only --lf --last-failed --sw --stepwise --onlyChanged --changed --related --findRelatedTests " +
		"--example --name --lib --bin --test --doc --package --testsuite --group --project --shard --scope --only-changed --selectProjects --only-failures --stale --failed --tag --tags -Dtest -Dit.test",
	value: "-k -t -g -R -m -n -p -c -run -exec -skip -count -timeout -tags --testNamePattern --testPathPattern --filter --grep --shard --project --reporter --timeout",
}

// readAll reads words on both sides of "--", which the wrapper takes away.
func (r *runner) readAll(words []string) line {
	return r.read(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "--" }))
}

// switches are the variables by which runners take options from the environment.
var switches = [...]struct{ name, program string }{
	{"GOFLAGS", "go"},
	{"PYTEST_ADDOPTS", "pytest"},
	{"MAVEN_OPTS", "mvn"},
	{"MAVEN_ARGS", "mvn"},
	{"JAVA_TOOL_OPTIONS", "mvn"},
	{"GRADLE_OPTS", "gradle"},
	{"MAKEFLAGS", "make"},
	{"GNUMAKEFLAGS", "make"},
	{"MFLAGS", "make"},
	{"SPEC_OPTS", "rspec"},
	{"TESTOPTS", "minitest"},
	{"RAKEOPT", "rake"},
	{"NODE_OPTIONS", "node"},
	{"CUCUMBER_OPTS", "cucumber"},
}

// environment takes what the variables in front of a command change: options of
// its runner, or a program of which every test is only an argument.
func (v *seen) environment(env []string) {
	for _, a := range env {
		name, value, _ := strings.Cut(a, "=")
		lower := strings.ToLower(name)
		switch {
		case strings.HasPrefix(name, "CARGO_TARGET_") && strings.HasSuffix(name, "_RUNNER"), lower == "npm_config_script_shell":
			v.idle = v.idle || isNoop(value)
			continue
		case name == "JUST_DRY_RUN":
			v.idle = v.idle || isValue("true|1", value)
			continue
		}
		for _, s := range switches {
			if s.name != name {
				continue
			}
			args := strings.Fields(value)
			if s.program == "make" && len(args) > 0 && args[0][0] != '-' && !strings.Contains(args[0], "=") {
				args[0] = "-" + args[0]
			}
			r := rowNamed(s.program)
			l := r.read(args)
			v.idle = v.idle || r.idles(l)
			v.Narrow = v.Narrow || r.given(l, r.part)
			v.Masked = v.Masked || r.given(l, r.loose)
			if r.given(l, r.untested) && v.Kind.Tests() {
				v.Kind = Build
			}
		}
	}
}

// rowNamed is the first row of a program that is no task runner's, or its task row.
func rowNamed(program string) *runner {
	i := slices.IndexFunc(runners[:], func(r runner) bool {
		return hasWord(r.programs, program) && (r.kind == Test || r.task)
	})
	return &runners[i]
}

// rowOf is the row that reads a command's words; without one, what reads those of
// any.
func rowOf(words []string) *runner {
	name, args := program1(words)
	for i := range runners {
		if r := &runners[i]; hasWord(r.programs, name) && r.fits(r.read(args)) {
			return r
		}
	}
	return &passed
}

// fits tells whether the row is meant by the command's operands and options.
func (r *runner) fits(l line) bool {
	operand := func(i int) string {
		if i < len(l.operands) {
			return l.operands[i]
		}
		return ""
	}
	return (r.sub == "" || hasWord(r.sub, operand(0))) && (r.then == "" || hasWord(r.then, operand(1))) && (r.with == "" || r.given(l, r.with))
}

// readCommand reads a command by the table, else as a project's own script.
func readCommand(words []string, verify Verify) seen {
	name, args := program1(words)
	if name == "git" {
		return readGit(args)
	}
	if isProgram(name) && isForeign(words[0], verify) {
		return seen{}
	}
	listed := false
	for i := range runners {
		r := &runners[i]
		if !hasWord(r.programs, name) {
			continue
		}
		l := r.read(args)
		if !r.fits(l) {
			continue
		}
		if r.idles(l) {
			return seen{idle: true}
		}
		var v seen
		if r.task {
			if v = r.readTask(name, args, l, verify); !v.known {
				listed = true
				continue
			}
		} else {
			label := name
			if r.sub != "" {
				label += " " + l.operands[0]
			}
			v = seen{Verification: Verification{Kind: r.kind, Runner: label, Narrow: r.narrow(l)}, known: true}
		}
		v.dir = joinFolder(here, first(v.dir, r.folder(l)))
		v.Masked = v.Masked || r.given(l, r.loose)
		v.Background = v.Background || r.given(l, r.watch)
		if v.Kind.Tests() && r.leavesTestsOut(l) {
			v.Kind = Build
		}
		return v
	}
	if v := probe(name, args); v.known {
		return v
	}
	v := readScript(words, verify)
	v.listed = listed
	return v
}

// leavesTestsOut tells "-DskipTests" and "-x test".
func (r *runner) leavesTestsOut(l line) bool {
	return r.given(l, r.untested) || hasWord(r.programs, "gradle") && slices.ContainsFunc(l.options, func(o option) bool {
		return (o.name == "-x" || o.name == "--exclude-task") && kindOfTask("gradle", o.value, nil).Tests()
	})
}

// isProgram tells a name that stands in the table itself.
func isProgram(name string) bool {
	name = baseName(name)
	return slices.ContainsFunc(runners[:], func(r runner) bool { return hasWord(r.programs, name) })
}

// program1 names the program that counts: the module of "python -m pytest", the
// script of "php artisan", the tool of "go run example.com/gotestsum@latest".
func program1(words []string) (string, []string) {
	name, args := baseName(words[0]), words[1:]
	for _, ext := range [...]string{".bat", ".cmd", ".ps1"} {
		name = strings.TrimSuffix(name, ext)
	}
	if len(args) == 0 {
		return name, args
	}
	switch {
	case (name == "docker" || name == "podman") && args[0] == "compose":
		return "docker-compose", args[1:]
	case name == "go" && (args[0] == "run" || args[0] == "tool"):
		if tool, rest := goTool(args[1:]); tool != "" {
			return tool, rest
		}
	case name == "cargo" && strings.HasPrefix(args[0], "+"):
		return name, args[1:]
	case isPython(name):
		if module, rest := pythonModule(args); module != "" {
			if isProgram(module) {
				return module, rest
			}
			return name, args
		}
	}
	in := interpreterNamed(name)
	if in == nil {
		return name, args
	}
	file, rest := in.script(args)
	base := baseName(file)
	for _, ext := range [...]string{".js", ".mjs", ".cjs"} {
		base = strings.TrimSuffix(base, ext)
	}
	switch {
	case name == "node" && file == "" && len(args) > 1 && args[0] == "--run":
		return "npm", append([]string{"run"}, args[1:]...)
	case file == "", isTemporary(file):
	case hasWord("manage.py x.py setup.py artisan", base), hasWord("php ruby node perl bun deno", name) && isProgram(base) && !hasWord("task x m", base) && base != name:
		return base, rest
	}
	return name, args
}

// goTool is the program of "go run MODULE@VERSION" and "go tool NAME" where the
// table knows it.
func goTool(args []string) (string, []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		parts := strings.Split(withoutVersion(a), "/")
		for _, part := range slices.Backward(parts) {
			if len(part) > 1 && part[0] == 'v' && isNumber(part[1:]) {
				continue
			}
			if (len(parts) == 1 || strings.Contains(parts[0], ".") && parts[0] != "." && parts[0] != "..") && isProgram(part) {
				return part, args[i+1:]
			}
			break
		}
		break
	}
	return "", nil
}

func isPython(name string) bool {
	return name == "py" || strings.HasPrefix(name, "python") && strings.Trim(strings.TrimPrefix(name, "python"), "0123456789.w") == ""
}

// pythonModule is the module of "python -m MODULE", with what stands behind it.
func pythonModule(args []string) (module string, rest []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-W" || a == "-X":
			i++
		case a == "-m" && i+1 < len(args):
			return args[i+1], args[i+2:]
		case len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, "m") && !strings.ContainsAny(a, "cWX") && i+1 < len(args):
			return args[i+1], args[i+2:]
		case a == "-c" || !strings.HasPrefix(a, "-"):
			return "", nil
		}
	}
	return "", nil
}

// gitSub is the sub-command of git, what stands behind it, and the folder that -C
// names.
func gitSub(args []string) (sub string, rest []string, dir string) {
	dir = here
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C" && i+1 < len(args):
			dir = joinFolder(dir, args[i+1])
			i++
		case hasWord("-c --git-dir --work-tree --namespace --exec-path --config-env", a):
			i++
		case !strings.HasPrefix(a, "-"):
			return a, args[i+1:], dir
		}
	}
	return "", nil, dir
}

// readGit takes a commit or push for a run: what its hooks print is read, and
// without such output it counts for nothing. Some comparisons are git's own.
func readGit(args []string) seen {
	sub, rest, dir := gitSub(args)
	v := seen{Verification: Verification{Runner: "git " + sub}, known: true, dir: dir}
	switch sub {
	case "commit":
		if hasAny(rest, "--dry-run") || skipsHooks(rest) {
			return seen{}
		}
		v.Kind = Hook
	case "push":
		if hasAny(rest, "--no-verify --dry-run -n") {
			return seen{}
		}
		v.Kind = Hook
	case "diff", "diff-index", "diff-files":
		if !hasAny(rest, "--exit-code --quiet") {
			return seen{}
		}
		v.Kind = Compare
	case "apply":
		if !hasAny(rest, "--check") {
			return seen{}
		}
		v.Kind = Compare
	default:
		return seen{}
	}
	return v
}

// skipsHooks tells --no-verify and its short form among the options of a commit.
func skipsHooks(args []string) bool {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--no-verify":
			return true
		case a == "--":
			return false
		case hasWord("--message --file --author --date --template --fixup --squash --trailer", a):
			i++
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			flags := a[1:]
			if k := strings.IndexAny(flags, "mFCct"); k >= 0 {
				if k == len(flags)-1 {
					i++ // its value
				}
				flags = flags[:k]
			}
			if strings.Contains(flags, "n") {
				return true
			}
		}
	}
	return false
}
