package shell

import (
	"slices"
	"strings"
)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wrapper follows a command that carries others. ok is false for programs that
// carry none, and then nothing was done.
func (a *analyzer) wrapper(idx int, st *state, cx ctx) (output, bool) {
	switch a.cmd(idx).Name {
	case "npm", "pnpm", "yarn", "bun":
		a.packageScript(idx, st, cx)
	}
	c := a.cmd(idx)
	switch {
	case isShell(c.Name):
		return a.shell(idx, st, cx), true
	case c.Name == "cmd":
		a.cmdExe(idx, st, cx)
		return output{from: []int{idx}}, true
	case c.Name == "pwsh" || c.Name == "powershell":
		a.powershellExe(idx, st, cx)
		return output{from: []int{idx}}, true
	case interpreterOf(c.Name) != "" && !(c.Name == "bun" && len(c.Args) > 1 && (c.Args[0].Text == "x" || c.Args[0].Text == "exec")):
		a.interpreter(idx, st, cx)
		return a.outputOf(idx, cx), true
	}
	if otherInterpreter(c.Name) {
		a.otherCode(idx, st, cx)
		return output{from: []int{idx}}, true
	}
	switch c.Name {
	case "gdb", "cgdb", "lldb":
		for i, w := range c.Args {
			if w.Text == "--args" || w.Text == "--" {
				return a.inner(idx, c.Name, c.Args[i+1:], st, cx), true
			}
		}
		return output{}, false
	case "bwrap", "proot", "firejail", "capsh", "start-stop-daemon":
		for i, w := range c.Args {
			if followable(programName(w)) && (i == 0 || c.Args[i-1].Text != "--chdir") {
				rest := c.Args[i:]
				if c.Name == "start-stop-daemon" {
					rest = slices.DeleteFunc(slices.Clone(rest), func(w Word) bool { return w.Text == "--" })
				}
				return a.inner(idx, c.Name, rest, st, cx), true
			}
		}
		return output{}, false
	case "busybox", "toybox":
		if len(c.Args) > 0 && !strings.HasPrefix(c.Args[0].Text, "-") {
			return a.inner(idx, c.Name, c.Args, st, cx), true
		}
		return output{}, true
	case "xargs", "gxargs":
		return a.xargs(idx, st, cx), true
	case "parallel", "rush", "sem":
		return a.parallel(idx, st, cx), true
	case "find", "gfind", "bfs":
		return a.find(idx, st, cx), true
	case "fd", "fdfind":
		return a.fd(idx, st, cx), true
	case "git", "hub":
		return a.git(idx, st, cx), true
	case "gh", "glab":
		if a.forgeAlias(idx, st, cx) {
			return output{from: []int{idx}}, true
		}
	case "script":
		return a.scriptCmd(idx, st, cx), true
	case "expect":
		a.expect(idx, st, cx)
		return output{}, true
	case "tmux", "screen", "at", "batch", "hyperfine", "concurrently", "nodemon", "crontab", "run-parts", "make", "just":
		if a.texts(idx, st, cx) {
			return output{}, true
		}
	}
	r, ok := runnerFor(c.Name)
	if !ok {
		return a.carried(idx, c.Name, st, cx)
	}
	if r.opts.Short == "" && r.opts.Long == "" && !r.opts.Stop && r.sub == "" {
		return a.world(idx, st, cx)
	}
	return a.runner(idx, r, st, cx)
}

func versionless(w Word) Word {
	t := w.Text
	if i := strings.LastIndexByte(t, '@'); i > 0 && w.Known() {
		raw := w.Raw
		w = Lit(t[:i])
		w.Raw = raw
	}
	return w
}

// subcommand finds the first operand among args if it is one of the list.
func subcommand(args []Word, list string) (int, string) {
	for i, w := range args {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		for s := range strings.FieldsSeq(list) {
			if w.Text == s {
				return i, s
			}
		}
		if i > 2 {
			break
		}
		if i > 0 && strings.HasPrefix(args[i-1].Text, "-") && !strings.Contains(args[i-1].Text, "=") {
			continue // it may be the value of the option before
		}
		break
	}
	return -1, ""
}

// splitWords splits a text into words as env -S does: quotes count, nothing is
// expanded.
func (a *analyzer) splitWords(s string) []Word {
	var out []Word
	var b strings.Builder
	open := false
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			open = true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				b.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if open {
				out = append(out, a.word(b.String(), ""))
				b.Reset()
				open = false
			}
		default:
			b.WriteByte(c)
			open = true
		}
		if len(out) > 2*maxFields {
			return out
		}
	}
	if open {
		out = append(out, a.word(b.String(), ""))
	}
	return out
}

// elsewhere makes a state of another machine: its folders are not ours.
func (a *analyzer) elsewhere(st *state) {
	a.set(st, "PWD", a.unknownVar("PWD", false))
	a.set(st, "HOME", a.unknownVar("HOME", false))
}
