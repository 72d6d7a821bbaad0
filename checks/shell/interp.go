package shell

import (
	"strings"
)

// interpreterOf returns the language family that a program reads, "" for
// programs that are no interpreter.
func interpreterOf(name string) string {
	switch name {
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "qjs", "zx", "jsc":
		return "js"
	case "perl", "ruby", "php", "lua", "julia", "elixir", "osascript":
		return name
	case "luajit", "texlua":
		return "lua"
	case "awk", "gawk", "mawk", "nawk", "goawk", "original-awk":
		return "awk"
	case "rscript", "r":
		return "r"
	case "irb", "jruby":
		return "ruby"
	case "iex":
		return "elixir"
	case "jython", "pypy", "pypy3", "ipython", "ipython3", "py", "pyw":
		return "py"
	}
	if versioned(name, "python") || versioned(name, "pythonw") {
		return "py"
	}
	for _, p := range [...]string{"perl", "ruby", "php", "lua"} {
		if versioned(name, p) {
			return p
		}
	}
	return ""
}

// versioned tells name followed by a version, as in python3.12.
func versioned(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && strings.Trim(rest, "0123456789.-") == ""
}

// program text and the rest of an interpreter's command line.
type codeArgs struct {
	codes   []Word
	file    Word
	args    []Word
	inPlace bool
	stdin   bool // the program is read from the input
	none    bool // no program at all: --version, a module
}

// interpreter finds the program text of python, node and their kin and lists
// what it deletes, writes and runs.
func (a *analyzer) interpreter(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	lang := interpreterOf(c.Name)
	if lang == "awk" {
		a.awk(idx, st, cx)
		return
	}
	in := interpArgs(c.Name, lang, c.Args)
	if in.none {
		return
	}
	e := effector{a, idx, st, cx}
	if in.inPlace {
		files := in.args
		if !in.file.Zero() {
			files = append([]Word{in.file}, files...)
		}
		e.all(Modify, files)
	}
	via := c.Name + " -c"
	if lang != "py" {
		via = c.Name + " -e"
	}
	for _, w := range in.codes {
		a.code(idx, lang, via, a.intern(w), in.args, st, cx)
	}
	if len(in.codes) > 0 {
		if !in.file.Zero() && !in.inPlace {
			e.add(Read, in.file)
		}
		return
	}
	if in.stdin {
		switch {
		case cx.stdin.known && !cx.stdin.approx:
			a.code(idx, lang, c.Name+" stdin", cx.stdin.text, in.args, st, cx)
		case cx.stdin.known || len(cx.stdin.from) > 0 || cx.stdin.file != "":
			a.cmd(idx).Unread = true
			if cx.stdin.known {
				a.code(idx, lang, c.Name+" stdin", cx.stdin.text, in.args, st, cx)
			}
		}
		return
	}
	if in.file.Zero() || c.Name == "bun" && !strings.ContainsAny(in.file.Text, "./") {
		return // bun dev: a script of package.json
	}
	out, ok := a.written(a.intern(in.file))
	if !ok {
		p := a.pathWord(st, in.file)
		a.effect(Effect{Op: Read, Path: p, Command: idx})
		out, ok = a.written(p.Text)
	}
	if !ok || !out.known {
		a.cmd(idx).Unread = true
		return
	}
	a.cmd(idx).Source = a.word(out.text, "").Text
	a.code(idx, lang, "script "+in.file.Base(), out.text, in.args, st, cx)
}

func interpArgs(name, lang string, args []Word) codeArgs {
	var in codeArgs
	if name == "deno" {
		if i, sub := subcommand(args, "eval run test x repl"); sub == "eval" {
			o := Options(args[i+1:], OptSpec{Short: "pTq", Long: "print ext= ts"})
			in.codes = o.Rest[:min(1, len(o.Rest))]
			return in
		} else if sub != "" {
			args = args[i+1:]
		} else if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
			in.none = true
			return in
		}
	}
	if name == "r" && len(args) > 0 && args[0].Text == "CMD" {
		in.none = true
		return in
	}
	if name == "bun" && len(args) > 0 {
		switch args[0].Text {
		case "run":
			args = args[1:]
		case "x", "install", "add", "test", "build", "i", "remove", "update", "create", "pm", "link", "init", "upgrade":
			in.none = true
			return in
		}
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		if t == "-" {
			in.stdin = true
			in.args = args[i+1:]
			return in
		}
		if t == "--" {
			in.rest(args[i+1:])
			return in
		}
		if len(t) < 2 || t[0] != '-' {
			in.rest(args[i:])
			return in
		}
		i = in.option(lang, args, i)
		if in.none {
			return in
		}
		if lang == "py" && len(in.codes) > 0 {
			in.args = args[i+1:]
			return in
		}
	}
	in.stdin = len(in.codes) == 0
	return in
}

func (in *codeArgs) rest(words []Word) {
	if len(in.codes) > 0 {
		in.args = words
		return
	}
	if len(words) == 0 {
		in.stdin = true
		return
	}
	in.file, in.args = words[0], words[1:]
	if t := in.file.Text; t == "/dev/stdin" || t == "/dev/fd/0" {
		in.file, in.stdin = Word{}, true
	}
}

// option reads one option and returns the index of the last word it took.
func (in *codeArgs) option(lang string, args []Word, i int) int {
	w := args[i]
	t := w.Text
	next := func() int {
		if i+1 < len(args) {
			in.codes = append(in.codes, args[i+1])
		}
		return i + 1
	}
	if name, v, ok := w.Cut("="); ok && strings.HasPrefix(t, "--") {
		switch name {
		case "--eval", "--print", "--run", "--execute":
			in.codes = append(in.codes, v)
		}
		return i
	}
	switch t {
	case "--eval", "--print", "--run", "--execute", "--expr", "-pe", "-ep":
		if lang == "js" || lang == "php" || lang == "elixir" || lang == "julia" || lang == "r" || strings.HasPrefix(t, "-p") && lang != "perl" && lang != "ruby" {
			return next()
		}
	case "--require", "--import", "--loader", "--experimental-loader", "--env-file", "--input-type", "--conditions", "--title", "--rpc":
		return i + 1
	case "--version", "--help", "--check", "--syntax-check":
		in.none = true
		return i
	}
	if strings.HasPrefix(t, "--") {
		return i
	}
	codeFlags, valueFlags := "e", ""
	switch lang {
	case "py":
		codeFlags, valueFlags = "c", "WXQ"
		if strings.HasPrefix(t, "-m") || strings.HasSuffix(t, "m") && strings.Trim(t[1:], "BbdEiIOPqsSuvxm") == "" {
			in.none = true
			return i
		}
	case "js":
		codeFlags, valueFlags = "ep", "rC"
	case "perl":
		codeFlags, valueFlags = "eE", "MmI"
	case "ruby":
		codeFlags, valueFlags = "e", "rICEKx"
	case "php":
		codeFlags, valueFlags = "rBRE", "dcztS"
	case "julia":
		codeFlags, valueFlags = "eE", "LtpJ"
	case "osascript":
		codeFlags, valueFlags = "e", "ls"
	}
	for j := 1; j < len(t); j++ {
		ch := t[j]
		switch {
		case (lang == "perl" || lang == "ruby") && ch == 'i':
			in.inPlace = true
			// What follows -i is the suffix of the backup, but people write -pie.
			if strings.IndexByte(t[j:], '.') == 1 {
				return i
			}
		case (lang == "perl" || lang == "ruby") && (ch == '0' || ch == 'l' || ch == 'F'):
			for j+1 < len(t) && (digit(t[j+1]) || ch == 'F') {
				j++
			}
		case strings.IndexByte(codeFlags, ch) >= 0:
			if j+1 < len(t) && (lang != "js" || t[j+1] != 'e' && t[j+1] != 'p') {
				in.codes = append(in.codes, w.CutPrefix(j+1))
				return i
			}
			if j+1 < len(t) {
				continue
			}
			return next()
		case strings.IndexByte(valueFlags, ch) >= 0:
			if j+1 < len(t) {
				return i
			}
			return i + 1
		case ch == 'v' && len(t) == 2 && lang != "perl" || ch == 'V' && len(t) == 2:
			in.none = true
		}
	}
	return i
}

// code lists what a piece of interpreter code does.
func (a *analyzer) code(idx int, lang, via, src string, args []Word, st *state, cx ctx) {
	if a.startsOpaque(src) {
		a.cmd(idx).Unread = true
	}
	if len(src) > MaxParsed || !a.step(1+len(src)/64) {
		a.fallback(src, "too long")
		return
	}
	if lang == "osascript" {
		a.appleScript(idx, src, st, cx)
		return
	}
	p := &interp{
		a: a, idx: idx, lang: lang, via: via, st: st, cx: cx, vars: map[string]val{}, alias: map[string]string{},
		toks: lex(lang, src), argv: a.internAll(args),
	}
	p.run()
}

// appleScript finds do shell script "…".
func (a *analyzer) appleScript(idx int, src string, st *state, cx ctx) {
	for rest := src; ; {
		i := strings.Index(rest, "do shell script")
		j := strings.Index(rest, "do script")
		switch {
		case i < 0 && j < 0:
			return
		case i < 0 || j >= 0 && j < i:
			rest = rest[j+len("do script"):]
		default:
			rest = rest[i+len("do shell script"):]
		}
		if toks := lex("py", rest); len(toks) > 0 && toks[0].kind == tokStr {
			a.nested(idx, "osascript", unescape(toks[0].text, "\"\\"), st.fork(), cx)
			a.cmd(idx).Carrier = false
		}
	}
}
