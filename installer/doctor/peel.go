package doctor

import (
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

// readLaunch reads words as a program to start, wrappers peeled off.
func readLaunch(words []string) *launch {
	words = peel(words)
	if len(words) == 0 {
		return nil
	}
	l := &launch{word: words[0], args: words[1:], file: ""}
	name := strings.TrimSuffix(filepath.Base(words[0]), ".exe")
	switch {
	case isShell(name):
		l.interp, l.lang = name, "sh"
		l.shellArgs()
	case isPython(name):
		l.interp, l.lang = name, "python"
		l.scriptArgs("-c", []string{"-X", "-W"}, []string{"-m"})
	case name == "node" || name == "bun" || name == "deno" || name == "tsx" || name == "ts-node":
		l.interp, l.lang = name, "node"
		l.scriptArgs("-e", []string{"-r", "--require", "--import", "--loader", "--env-file"}, nil)
	case name == "ruby" || name == "perl" || name == "php" || name == "pwsh" || name == "powershell":
		l.interp = name
		l.scriptArgs("-e", []string{"-I"}, nil)
	default:
		if strings.ContainsRune(words[0], '/') || strings.ContainsRune(words[0], '\\') {
			l.file = words[0]
		}
	}
	return l
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, name)
}

func isPython(name string) bool {
	rest, ok := strings.CutPrefix(name, "python")
	return ok && strings.Trim(rest, "0123456789.") == "" || name == "pypy3"
}

// peel takes off what only carries another command.
func peel(words []string) []string {
	for len(words) > 0 {
		name := filepath.Base(words[0])
		i := 1
		skipFlags := func(withValue ...string) {
			for i < len(words) && strings.HasPrefix(words[i], "-") {
				if slices.Contains(withValue, words[i]) {
					i++
				}
				i++
			}
		}
		switch name {
		case "env":
			skipFlags("-u", "-C", "--unset", "--chdir")
			for i < len(words) && strings.Contains(words[i], "=") {
				i++
			}
		case "nohup", "setsid", "time", "command", "builtin", "caffeinate", "exec":
			skipFlags()
			if name == "command" && len(words) > 1 && (words[1] == "-v" || words[1] == "-V") {
				return words
			}
		case "nice", "ionice":
			skipFlags("-n", "-c")
		case "timeout", "gtimeout":
			skipFlags("-s", "-k", "--signal", "--kill-after")
			i++
		case "uv", "poetry", "pipenv", "pdm", "rye":
			if len(words) < 2 || words[1] != "run" {
				return words
			}
			i = 2
			skipFlags("--with", "--python", "-p", "--project", "--directory")
			if i < len(words) && strings.HasSuffix(words[i], ".py") {
				return append([]string{"python3"}, words[i:]...)
			}
		case "bun", "deno":
			if len(words) < 2 || words[1] != "run" {
				return words
			}
			return append([]string{name}, words[2:]...)
		default:
			return words
		}
		if i > len(words) {
			return nil
		}
		words = words[i:]
	}
	return nil
}

// shellArgs reads a shell's options and its script or code.
func (l *launch) shellArgs() {
	for i := 0; i < len(l.args); i++ {
		arg := l.args[i]
		switch {
		case arg == "--login":
			l.login = true
		case arg == "--rcfile" || arg == "--init-file" || arg == "-o" || arg == "-O":
			i++
		case strings.HasPrefix(arg, "--"):
		case len(arg) > 1 && (arg[0] == '-' || arg[0] == '+') && outline.Known(arg):
			l.login = l.login || strings.Contains(arg, "l") && arg[0] == '-'
			l.interactive = l.interactive || strings.Contains(arg, "i") && arg[0] == '-'
			if strings.Contains(arg, "c") {
				l.dashC = true
			}
			if strings.HasSuffix(arg, "o") {
				i++
			}
		case l.dashC:
			l.code = arg
			l.args = l.args[i+1:]
			return
		default:
			l.file = arg
			l.args = l.args[i+1:]
			return
		}
	}
}

// scriptArgs reads an interpreter's options and its script or code.
func (l *launch) scriptArgs(code string, withValue, ends []string) {
	for i := 0; i < len(l.args); i++ {
		arg := l.args[i]
		switch {
		case arg == code || l.lang == "node" && (arg == "--eval" || arg == "-p" || arg == "--print" || arg == "-pe"):
			if i+1 < len(l.args) {
				l.code = l.args[i+1]
				l.args = l.args[i+2:]
			}
			return
		case slices.Contains(ends, arg):
			l.args = l.args[i+1:]
			return
		case slices.Contains(withValue, arg):
			i++
		case (l.interp == "pwsh" || l.interp == "powershell") && strings.EqualFold(arg, "-file") && i+1 < len(l.args):
			l.file = l.args[i+1]
			l.args = l.args[i+2:]
			return
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
		case arg == "-":
			return
		default:
			l.file = arg
			l.args = l.args[i+1:]
			return
		}
	}
}
