package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtin performs what changes the shell itself. ok is false for commands that
// are not builtins of this kind.
func (a *analyzer) builtin(idx int, st *state, cx ctx) (out output, exits, ok bool) {
	c := a.cmd(idx)
	args := c.Args
	switch c.Name {
	case "cd", "chdir":
		a.cd(args, st)
	case "pushd":
		old := a.dir(st)
		if len(args) == 0 || strings.HasPrefix(args[0].Text, "+") {
			a.setDir(st, a.unknownVar("PWD", false))
			break
		}
		st.dirs = append(slices.Clip(st.dirs), old)
		a.cd(args, st)
	case "popd":
		if n := len(st.dirs); n > 0 && len(args) == 0 {
			a.setDir(st, st.dirs[n-1])
			st.dirs = st.dirs[:n-1]
		} else if len(args) == 0 {
			a.setDir(st, a.unknownVar("PWD", false))
		}
	case "exit", "return", "break", "continue", "logout":
		return output{known: true}, true, true
	case "export", "declare", "typeset", "local", "readonly":
		if onlyFlags(args) {
			return output{from: []int{idx}}, false, true // it lists the variables
		}
		for _, w := range args {
			if n, v, found := strings.Cut(a.intern(w), "="); found && syntax.ValidName(n) {
				a.assignDecl(st, n, v, c.Name == "export")
			}
		}
	case "unset":
		for _, w := range args {
			if w.Text == "-f" {
				continue
			}
			a.setValue(st, w.Text, value{alts: []string{""}, unset: true})
		}
	case "set":
		if len(args) == 0 {
			return output{from: []int{idx}}, false, true // it lists the variables
		}
		a.setArgs(args, st)
	case "shift":
		n := 1
		if len(args) > 0 {
			n, _ = strconv.Atoi(args[0].Text)
		}
		st.args = st.args[min(max(n, 0), len(st.args)):]
	case "read", "mapfile", "readarray":
		if len(cx.stdin.from) == 0 && cx.stdin.file != "" {
			cx.stdin.from = []int{idx} // what it reads of a file comes through it
		}
		if c.Name == "read" {
			a.read(args, st, cx)
		} else {
			a.mapfile(args, st, cx)
		}
	case "getopts":
		if len(args) > 1 {
			a.set(st, args[1].Text, a.mark(Part{Kind: Var, Name: args[1].Text, Set: true}))
			a.set(st, "OPTARG", a.unknownVar("OPTARG", false))
		}
	case "alias":
		for _, w := range args {
			if n, v, found := strings.Cut(a.intern(w), "="); found {
				a.setAlias(st, n, v)
			}
		}
	case "unalias":
		for _, w := range args {
			if _, found := st.aliases[w.Text]; found {
				a.own(st)
				delete(st.aliases, w.Text)
			}
		}
	case "trap":
		a.trap(idx, args, st, cx)
	case "eval":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		return a.nested(idx, "eval", a.joinWords(args), st, cx), false, true
	case "source", ".":
		return a.source(idx, args, st, cx), false, true
	case "command", "builtin", "exec":
		return a.execLike(idx, st, cx)
	case "printf":
		if len(args) > 2 && args[0].Text == "-v" {
			text, known := a.printf(args[2:])
			if !known {
				text = a.unknownOutput(nil, false)
			}
			a.set(st, args[1].Text, text)
			return output{known: true}, false, true
		}
		return output{}, false, false
	default:
		return output{}, false, false
	}
	return output{known: true}, false, true
}

func onlyFlags(args []Word) bool {
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			return false
		}
	}
	return true
}

func (a *analyzer) setDir(st *state, dir string) {
	a.set(st, "OLDPWD", a.dir(st))
	a.set(st, "PWD", dir)
}

func (a *analyzer) cd(args []Word, st *state) {
	o := Options(args, OptSpec{Short: "LPe@qs", Stop: true})
	switch {
	case len(o.Rest) == 0 && len(args) > 0 && args[0].Text == "-":
		a.setDir(st, a.get(st, "OLDPWD"))
	case len(o.Rest) == 0:
		a.setDir(st, a.get(st, "HOME"))
	case o.Rest[0].Text == "-":
		a.setDir(st, a.get(st, "OLDPWD"))
	case o.Rest[0].Text == "":
	default:
		a.setDir(st, a.path(a.dir(st), a.intern(o.Rest[0])))
	}
}

func (a *analyzer) setArgs(args []Word, st *state) {
	for i, w := range args {
		t := w.Text
		if t == "--" || t == "-" {
			args = args[i+1:]
			break
		}
		if !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") {
			args = args[i:]
			break
		}
		if i == len(args)-1 || strings.HasSuffix(t, "o") && i == len(args)-2 {
			return
		}
	}
	st.args = nil
	for _, w := range args {
		st.args = append(st.args, a.intern(w))
	}
}

// read assigns the first line of the input to the named variables.
func (a *analyzer) read(args []Word, st *state, cx ctx) {
	o := Options(args, OptSpec{Short: "ersa:d:i:n:N:p:t:u:kqz"})
	var line string
	switch {
	case cx.stdin.known:
		line = strings.TrimLeft(cx.stdin.text, "\n")
		if d, ok := o.Value("d"); !ok || d.Text != "" {
			line, _, _ = strings.Cut(line, "\n")
		}
	default:
		line = a.unknownOutput(cx.stdin.from, false)
	}
	ifs := a.get(st, "IFS")
	for _, e := range cx.env {
		if e.Name == "IFS" {
			ifs = a.intern(e.Value)
		}
	}
	if list, ok := o.Value("a"); ok {
		a.setList(st, list.Text, splitIFS(line, ifs, 0))
		return
	}
	names := o.Rest
	if len(names) == 0 {
		a.set(st, "REPLY", line)
		return
	}
	fields := splitIFS(line, ifs, len(names))
	for i, n := range names {
		val := ""
		switch {
		case i < len(fields):
			val = fields[i]
		case a.opaque(line):
			val = a.unknownOutput(cx.stdin.from, false)
		}
		if syntax.ValidName(n.Text) {
			a.set(st, n.Text, val)
		}
	}
}

// splitIFS cuts a line into fields, n at most; the last keeps the rest.
func splitIFS(line, ifs string, n int) []string {
	line = strings.Trim(line, " \t\n")
	if ifs == "" || n == 1 {
		return []string{line}
	}
	var out []string
	for line != "" && (n == 0 || len(out) < n-1) {
		i := strings.IndexAny(line, ifs)
		if i < 0 {
			break
		}
		out = append(out, line[:i])
		line = strings.TrimLeft(line[i+1:], " \t")
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

func (a *analyzer) mapfile(args []Word, st *state, cx ctx) {
	o := Options(args, OptSpec{Short: "td:n:O:s:u:C:c:"})
	name := "MAPFILE"
	if len(o.Rest) > 0 {
		name = o.Rest[0].Text
	}
	if !syntax.ValidName(name) {
		return
	}
	if !cx.stdin.known {
		a.setList(st, name, []string{a.unknownOutput(cx.stdin.from, false)})
		return
	}
	list := strings.Split(strings.TrimSuffix(cx.stdin.text, "\n"), "\n")
	a.setList(st, name, list[:min(len(list), maxFields)])
}

func (a *analyzer) trap(idx int, args []Word, st *state, cx ctx) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) < 2 || strings.HasPrefix(args[0].Text, "-") || args[0].Text == "" {
		return
	}
	cx.cond = true
	a.nested(idx, "trap", a.intern(args[0]), st.fork(), cx)
}

func (a *analyzer) joinWords(words []Word) string {
	parts := make([]string, 0, len(words))
	for _, w := range words {
		parts = append(parts, a.intern(w))
	}
	return strings.Join(parts, " ")
}

// execLike is command, builtin and exec: the words behind them run, functions
// and aliases aside.
func (a *analyzer) execLike(idx int, st *state, cx ctx) (output, bool, bool) {
	c := a.cmd(idx)
	name := c.Name
	spec := OptSpec{Short: "pvV", Stop: true}
	if name == "exec" {
		spec = OptSpec{Short: "a:cl", Stop: true}
	}
	o := Options(c.Args, spec)
	if len(o.Rest) == 0 || name == "command" && o.Has("v", "V") {
		if name == "command" && o.Has("v") && len(o.Rest) == 1 && o.Rest[0].Known() {
			return output{text: o.Rest[0].Text + "\n", known: true}, false, true
		}
		return output{known: true}, false, true
	}
	cx.nofunc = true
	out := a.inner(idx, name, o.Rest, st, cx)
	return out, name == "exec", true
}
