package evidence

import (
	"path"
	"slices"
	"strings"
)

// interpreter is a program that runs a script's file.
type interpreter struct {
	programs string
	sub      string // words that may stand before the file
	idle     string // with these it runs no file
	value    string // options whose value is the next word
}

var interpreters = [...]interpreter{
	{programs: "sh bash zsh dash ksh ash", idle: "-c -n --version --help", value: "-o +o -O +O --rcfile --init-file"},
	{programs: "python", idle: "-c -V --version -h --help", value: "-W -X --check-hash-based-pycs"},
	{programs: "node", idle: "-c --check -e -p -pe --eval --print -v --version -h --help --run", value: "-r --require --import --loader --experimental-loader --env-file -C --conditions --title"},
	{programs: "bun", sub: "run", idle: "-e --eval -p --print --version --help", value: "-r --preload --env-file --cwd --config -c"},
	{programs: "deno", sub: "run", idle: "--version --help --check=all", value: "-c --config --import-map --env-file"},
	{programs: "tsx ts-node", idle: "watch -e -p --eval --version -v --help", value: "--tsconfig -P --project -r --require --import --env-file"},
	{programs: "ruby", idle: "-c -e --version --help", value: "-I -r -C -E"},
	{programs: "perl", idle: "-c -e -E -v -V", value: "-I"},
	{programs: "php", idle: "-l -r -v -i -m --syntax-check", value: "-d -c"},
	{programs: "pwsh powershell", idle: "-Command -c -EncodedCommand", value: "-ExecutionPolicy -ep"},
	{programs: "lua luajit", idle: "-e -v", value: "-l"},
	{programs: "rscript", idle: "-e"},
	{programs: "elixir", idle: "-e --eval", value: "-r -pa"},
	{programs: "go", sub: "run", idle: "-n", value: "-tags -exec -C -ldflags -gcflags -mod -modfile"},
	{programs: "dotnet", sub: "run", idle: "--help", value: "-c -f --configuration --framework --project"},
}

func interpreterNamed(name string) *interpreter {
	if isPython(name) {
		name = "python"
	}
	for i := range interpreters {
		if hasWord(interpreters[i].programs, name) {
			return &interpreters[i]
		}
	}
	return nil
}

// script is the file that an interpreter runs, with the file's own arguments.
func (in *interpreter) script(args []string) (file string, rest []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, _, attached := strings.Cut(a, "=")
		switch {
		case hasWord(in.idle, a), lists(in.idle, name) && hasWord(in.idle, a):
			return "", nil
		case a == "--" || a == "-":
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+"):
			if name == "--project" && in.programs == "dotnet" && i+1 < len(args) {
				return args[i+1], args[i+2:]
			}
			if !strings.HasPrefix(a, "--") && len(a) > 2 && in.cluster(a) {
				return "", nil
			}
			if hasWord(in.value, name) && !attached {
				i++
			}
		case hasWord(in.sub, a) && in.sub != "":
			in = &interpreter{programs: in.programs, idle: in.idle, value: in.value}
		case in.sub != "" && (hasWord("go dotnet", in.programs) || !strings.ContainsAny(a, "./")):
			return "", nil // another sub-command
		default:
			return a, args[i+1:]
		}
	}
	return "", nil
}

// cluster tells joined short options one of which keeps it from running a file.
func (in *interpreter) cluster(a string) bool {
	if hasWord("node deno bun go dotnet pwsh powershell tsx", firstWord(in.programs)) {
		return false
	}
	for k := 1; k < len(a); k++ {
		short := "-" + a[k:k+1]
		if hasWord(in.value, short) {
			return false
		}
		if hasWord(in.idle, short) {
			return true
		}
	}
	return false
}

// readScript recognises a project's own script by its role: "./scripts/check.sh",
// "bash test/run.sh", "python run_tests.py", "bin/test". A program that is not the
// project's own is none.
func readScript(words []string, verify Verify) seen {
	file, rest := words[0], words[1:]
	name := baseName(file)
	if in := interpreterNamed(name); in != nil {
		if module, more := pythonModule(rest); isPython(name) && module != "" {
			if !anyWord(nameWords(module), testWords) {
				return seen{} // some program of others
			}
			file, rest = strings.ReplaceAll(module, ".", "/"), more
		} else {
			file, rest = in.script(rest)
		}
		if v := testsByText(name, strings.Join(words[1:], " ")); v.known {
			return v
		}
	} else if hasWord("julia emacs nvim vim octave matlab", name) {
		return testsByText(name, strings.Join(rest, " "))
	} else if !strings.ContainsAny(file, `/\`) {
		return seen{}
	}
	if file == "" || !isOwnFile(file, verify) {
		return seen{}
	}
	v := roleOf(file)
	l := passed.readAll(rest)
	if !v.known || isDriver(file) && len(l.operands) > 0 {
		if v = driven(file, l, v); !v.known {
			return v
		}
	}
	if passed.idles(l) {
		return seen{idle: true}
	}
	if hasWord("go cargo dotnet", name) {
		v.Runner = name + " " + firstWord(words[1]) + " " + file
	}
	v.Background = passed.given(l, passed.watch)
	v.Narrow = v.Narrow || passed.given(l, passed.part)
	return v
}

// isForeign tells a program by its path that is none of the project's, whatever its
// name: a table's program may stand anywhere but loose in the temp folder.
func isForeign(file string, verify Verify) bool {
	if !strings.ContainsAny(file, `/\`) {
		return false
	}
	if isProgram(file) {
		return isTemporary(file) && !verify.owns(file) && !hasWord("bin .bin scripts", parentName(file))
	}
	return !isOwnFile(file, verify)
}

// isOwnFile tells a file of the project: none of the temp folder, of the home
// folder, of somewhere else, and none that the project only uses.
func isOwnFile(file string, verify Verify) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	if isTemporary(file) && !verify.owns(file) {
		return false
	}
	for part := range strings.SplitSeq(file, "/") {
		if hasWord("node_modules vendor .venv venv site-packages third_party", part) {
			return false
		}
	}
	switch {
	case strings.HasPrefix(file, "$HOME"), strings.HasPrefix(file, "${HOME}"):
		return false
	case isAbsolute(joinFolder(here, file)):
		return verify.world || strings.HasPrefix(joinFolder(here, file), topDir) || verify.owns(file)
	}
	return true
}

// roleOf tells what a script is for by its name, or by the folder that it stands
// in: "tests/run.sh".
func roleOf(file string) seen {
	file = strings.TrimSuffix(path.Clean(strings.ReplaceAll(file, `\`, "/")), "/...")
	base := path.Base(file)
	stem := base
	if i := strings.LastIndexByte(stem, '.'); i > 0 {
		stem = stem[:i]
	}
	words := nameWords(stem)
	kind := kindOfName(stem)
	v := seen{Verification: Verification{Runner: base}}
	folder := path.Base(path.Dir(file))
	inTests := hasWord("test tests spec specs __tests__ e2e", folder)
	switch {
	case kind == Test && isTestFile(stem, base) && (inTests || strings.Contains(base, ".")):
		v.Narrow = !anyWord(words, "run all suite main index")
	case kind == "" && inTests && !anyWord(words, otherWords) && !anyWord(words, "conftest"):
		kind = Test
		v.Narrow = !anyWord(words, "run all suite main index runner")
	case kind == "" && anyWord(words, "run main"):
		kind = kindOfName(folder)
	}
	if kind == "" || anyWord(words, otherWords) && kind != Lint && kind != Types {
		return seen{}
	}
	v.Kind, v.known = kind, true
	v.Narrow = v.Narrow || kind == Test && kindOfName(stem) == Test && isSuite(stem)
	return v
}

// isDriver tells a script that is told by its first argument what to do:
// "./dev test".
func isDriver(file string) bool {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	return !slices.ContainsFunc(nameWords(stem), func(w string) bool {
		return !hasWord("run dev do go make task tasks x ci build cli ctl manage project repo docker ops script scripts cmd main", w)
	})
}

// driven is what a driver does that is given the operands; else is what its own name
// says.
func driven(file string, l line, other seen) seen {
	if !isDriver(file) || len(l.operands) == 0 {
		return other
	}
	kind := kindOfName(l.operands[0])
	if kind == "" {
		return other
	}
	l.operands = l.operands[1:]
	return seen{Verification: Verification{Kind: kind, Runner: path.Base(file) + " " + string(kind), Narrow: len(l.operands) > 0}, known: true}
}

// isTestFile tells a file that holds tests of one thing: "test_api.py",
// "api.test.ts", "api_spec.rb".
func isTestFile(stem, base string) bool {
	if strings.HasSuffix(base, ".sh") || strings.HasSuffix(base, ".bash") {
		return false
	}
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests")
}

// testsByText recognises tests that an interpreter is told to run in a text of its
// own language.
func testsByText(name, text string) seen {
	for _, call := range [...]string{"Pkg.test(", "test_dir(", "test_local(", "devtools::test(", "testthat::test_", "ert-run-tests", "PlenaryBusted", "runtests"} {
		if strings.Contains(text, call) {
			return seen{Verification: Verification{Kind: Test, Runner: name}, known: true}
		}
	}
	return seen{}
}
