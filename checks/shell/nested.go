package shell

import (
	"slices"
	"strings"
)

// nested reads text as a script that command idx runs. The caller forks st
// where a new process runs it.
func (a *analyzer) nested(idx int, via, text string, st *state, cx ctx) output {
	c := a.cmd(idx)
	c.Carrier = true
	if a.startsOpaque(text) {
		c.Unread = true
	}
	if strings.Trim(text, " \t\r\n") == "" {
		return output{known: true}
	}
	in := cx.carry(via, idx)
	in.depth++
	if in.line == 0 {
		in.line = c.Line
	}
	return a.script(text, st, in)
}

// startsOpaque tells a script whose first command is not known.
func (a *analyzer) startsOpaque(text string) bool {
	for _, r := range strings.TrimLeft(text, " \t\n\"'") {
		return isPrivate(r) && a.part(r).Kind != Glob
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "pdksh", "ash", "rbash", "fish", "yash", "csh", "tcsh", "posh", "oksh", "xonsh", "nu", "elvish", "osh":
		return true
	}
	return false
}

// shell follows sh, bash and their kin into the text they run.
func (a *analyzer) shell(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	o := Options(c.Args, OptSpec{
		Short: "abcdefghiklmnpqrstuvxyBCDEFGHIJKLNPQRTUVXYZO:o:", Stop: true, Plus: true,
		Long: "norc noprofile posix login rcfile= init-file= restricted verbose version help debugger dump-strings noediting command= init-command= no-config private",
	})
	name := c.Name
	for _, f := range o.Values("rcfile", "init-file") {
		a.readFileScript(idx, f, nil, st.fork(), cx)
	}
	child := a.child(st)
	for _, e := range a.cmd(idx).Env {
		switch e.Name {
		case "BASH_ENV", "ENV":
			a.readFileScript(idx, e.Value, nil, st.fork(), cx)
		case "PROMPT_COMMAND":
			a.nested(idx, e.Name, a.intern(e.Value), st.fork(), cx)
		}
	}
	if v, ok := o.Value("command", "init-command"); ok {
		return a.nested(idx, name+" -c", a.intern(v), child, cx)
	}
	switch {
	case o.Has("help", "version"):
		return output{}
	case o.Has("c") && len(o.Rest) > 0:
		if len(o.Rest) > 1 {
			child.zero, child.args = a.intern(o.Rest[1]), a.internAll(o.Rest[2:])
		}
		return a.nested(idx, name+" -c", a.intern(o.Rest[0]), child, cx)
	case o.Has("c"):
		return output{}
	case len(o.Rest) == 0 || o.Has("s"):
		child.args = a.internAll(o.Rest)
		return a.shellStdin(idx, child, cx)
	case o.Has("n"):
		a.effect(Effect{Op: Read, Path: a.pathWord(st, o.Rest[0]), Command: idx})
		return output{}
	}
	if f := o.Rest[0].Text; f == "-" || f == "/dev/stdin" || f == "/dev/fd/0" || f == "/proc/self/fd/0" {
		child.args = a.internAll(o.Rest[1:])
		return a.shellStdin(idx, child, cx)
	}
	return a.readFileScript(idx, o.Rest[0], o.Rest[1:], child, cx)
}

func (a *analyzer) internAll(words []Word) []string {
	var out []string
	for _, w := range words {
		out = append(out, a.intern(w))
	}
	return out
}

// child is the state of a new shell process: variables and functions may be
// exported, aliases are not.
func (a *analyzer) child(st *state) *state {
	c := st.fork()
	c.args, c.aliases = nil, nil
	return c
}

// shellStdin runs what a shell reads from its input.
func (a *analyzer) shellStdin(idx int, st *state, cx ctx) output {
	in := cx.stdin
	via := "stdin"
	for _, r := range a.cmd(idx).Redirs {
		switch r.Op {
		case "<<":
			via = "heredoc"
		case "<<<":
			via = "here-string"
		}
	}
	if len(in.from) > 0 && via == "stdin" {
		via = "pipe"
	}
	cx.stdin = stdin{}
	if in.known {
		if in.approx || a.startsOpaque(in.text) {
			a.cmd(idx).Unread = true
		}
		return a.nested(idx, via, in.text, st, cx)
	}
	if len(in.from) > 0 || in.file != "" || slices.Contains(cx.via, "coproc") {
		a.cmd(idx).Unread = true
		if in.file != "" {
			return a.readFileScript(idx, a.word(in.file, ""), nil, st, cx)
		}
	}
	return output{}
}

// source runs a file in the shell itself.
func (a *analyzer) source(idx int, args []Word, st *state, cx ctx) output {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return output{}
	}
	if t := args[0].Text; t == "/dev/stdin" || t == "/dev/fd/0" {
		return a.shellStdin(idx, st, cx)
	}
	if len(args) > 1 {
		old := st.args
		defer func() { st.args = old }()
	}
	return a.readFileScript(idx, args[0], args[1:], st, cx)
}

// readFileScript enters a script file: the text of a process substitution, one
// that the same script wrote before, or one that Env.ReadFile knows.
func (a *analyzer) readFileScript(idx int, file Word, args []Word, st *state, cx ctx) output {
	key := a.intern(file)
	out, ok := a.written(key)
	path := file
	if !ok {
		path = a.pathWord(st, file)
		a.effect(Effect{Op: Read, Path: path, Command: idx})
		out, ok = a.written(path.Text)
	}
	via := "script " + file.Base()
	if strings.ContainsRune(via, Unknown) {
		via = "script"
	}
	if ok {
		if !out.known || out.approx {
			a.cmd(idx).Unread = true
		}
		if !out.known {
			return output{}
		}
		st.args = a.internAll(args)
		return a.nested(idx, via, out.text, st, cx)
	}
	if a.env.ReadFile != nil && !cx.world && path.Known() && !cx.calling("script "+path.Text) && len(a.reads) < maxReads {
		a.reads = append(a.reads, path.Text)
		if data, err := a.env.ReadFile(path.Text); err == nil {
			if len(data) > MaxParsed {
				data = data[:MaxParsed+1]
			}
			st.args = a.internAll(args)
			cx.calls = append(slices.Clip(cx.calls), "script "+path.Text)
			return a.nested(idx, via, sanitize(string(data)), st, cx)
		}
	}
	a.cmd(idx).Unread = true
	return output{}
}

// ownScript enters a program that is a script file: one that this script wrote,
// or one that Env.ReadFile knows.
func (a *analyzer) ownScript(idx int, st *state, cx ctx) (output, bool) {
	w := a.cmd(idx).Program
	if !strings.Contains(w.Text, "/") || !w.Known() || systemProgram(w.Text) {
		return output{}, false
	}
	p := a.path(a.dir(st), w.Text)
	out, ok := a.written(p)
	if !ok || !out.known {
		if a.wroteBefore(p) {
			a.cmd(idx).Unread = true
			return output{}, false
		}
		if a.env.ReadFile == nil || cx.world || hasPrivate(p) || cx.calling("script "+p) || len(a.reads) >= maxReads {
			return output{}, false
		}
		a.reads = append(a.reads, p)
		data, err := a.env.ReadFile(p)
		if err != nil || len(data) > MaxParsed {
			return output{}, false
		}
		out.text = sanitize(string(data))
	}
	first, _, _ := strings.Cut(out.text, "\n")
	via := "script " + w.Base()
	args := a.cmd(idx).Args
	if cx.calling("script " + p) {
		return output{}, false
	}
	cx.calls = append(slices.Clip(cx.calls), "script "+p)
	name := shebang(first)
	switch {
	case name == "" && !ok && !strings.HasSuffix(p, ".sh"):
		return output{}, false // no script, or none that tells its language
	case name == "" || isShell(name):
		child := a.child(st)
		child.zero, child.args = w.Text, a.internAll(args)
		return a.nested(idx, via, out.text, child, cx), true
	case interpreterOf(name) != "" && ok:
		a.cmd(idx).Source = a.word(out.text, "").Text
		a.code(idx, interpreterOf(name), via, out.text, args, st, cx)
		return output{from: []int{idx}}, true
	}
	return output{}, false
}

// wroteBefore tells a file that the script itself created with a content that
// is not known here.
func (a *analyzer) wroteBefore(path string) bool {
	for i := len(a.out.Effects) - 1; i >= 0 && i > len(a.out.Effects)-200; i-- {
		e := a.out.Effects[i]
		if e.Path.Text == path && (e.Op == Write || e.Op == Append || e.Op == Link) && e.Path.Known() {
			switch a.cmd(e.Command).Name {
			case "gcc", "g++", "cc", "clang", "clang++", "rustc", "ld": // what they write is no script
				return false
			}
			return true
		}
	}
	return false
}

// shebang is the interpreter that the first line of a script names.
func shebang(line string) string {
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return ""
	}
	for f := range strings.FieldsSeq(rest) {
		if b := base(f); b != "env" && !strings.HasPrefix(b, "-") && !isAssign(b) {
			return b
		}
	}
	return ""
}

func systemProgram(p string) bool {
	for _, dir := range [...]string{"/bin/", "/sbin/", "/usr/", "/opt/homebrew/", "/nix/store/", "/snap/"} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	return false
}

func (c ctx) calling(what string) bool {
	return slices.Contains(c.calls, what)
}
