package shell

import (
	"slices"
	"strings"
)

// cmdExe follows cmd /c and /k into the command line that they run.
func (a *analyzer) cmdExe(idx int, st *state, cx ctx) {
	args := a.cmd(idx).Args
	for i, w := range args {
		t := strings.ToLower(w.Text)
		// Git's shell on Windows needs the slash twice; some spell it as a dash.
		t = strings.TrimPrefix(strings.TrimPrefix(t, "/"), "/")
		if t == w.Text {
			t = strings.TrimPrefix(t, "-")
		}
		if t == "c" || t == "k" || t == "r" {
			a.cmd(idx).Carrier = true
			in := cx.carry(a.cmd(idx).Name+" /"+t, idx)
			a.cmdText(a.cmdLine(args[i+1:]), st.fork(), in)
			return
		}
		if !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "-") {
			break
		}
	}
	if cx.stdin.known {
		a.cmdText(cx.stdin.text, st.fork(), cx.carry("cmd", idx))
	} else if len(cx.stdin.from) > 0 {
		a.cmd(idx).Unread = true
	}
}

// cmdLine joins words into the text that cmd would read.
func (a *analyzer) cmdLine(words []Word) string {
	if len(words) == 1 {
		return a.intern(words[0])
	}
	parts := make([]string, 0, len(words))
	for _, w := range words {
		s := a.intern(w)
		if strings.ContainsAny(s, " \t") && !strings.Contains(s, `"`) {
			s = `"` + s + `"`
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// cmdText runs a text as cmd.exe does: no parser stands behind it, only the
// separators, quotes and variables of that language.
func (a *analyzer) cmdText(text string, st *state, cx ctx) {
	if cx.depth > maxDepth || !a.step(1+len(text)/32) {
		a.truncate("nesting")
		return
	}
	if len(text) > MaxParsed {
		a.fallback(text, "too long")
		return
	}
	for text != "" && a.step(1) {
		var one cmdCommand
		one, text = a.cmdNext(text, st)
		a.cmdRun(one, st, cx)
		if one.cond {
			cx.cond = true
		}
	}
}

// cmdCommand is one command of a text of cmd.exe.
type cmdCommand struct {
	words  []string
	out    string // file that the output goes to
	append bool
	cond   bool // the next one depends on it
}

// cmdNext reads the first command of a text and returns what follows it.
func (a *analyzer) cmdNext(text string, st *state) (one cmdCommand, rest string) {
	var b strings.Builder
	open, quoted := false, false
	redirect := ""
	flush := func() {
		if !open {
			return
		}
		word := b.String()
		switch redirect {
		case "":
			one.words = append(one.words, word)
		case "<":
		default:
			one.out, one.append = word, redirect == ">>"
		}
		redirect = ""
		b.Reset()
		open = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted, open = !quoted, true
		case c == '%':
			if end := strings.IndexByte(text[i+1:], '%'); end > 0 && end < 64 && !strings.ContainsAny(text[i+1:i+1+end], " \t\n") {
				name := text[i+1 : i+1+end]
				v, ok := a.cmdVar(name, st)
				if !ok {
					v = a.unknownVar(name, quoted)
				}
				b.WriteString(v)
				open = true
				i += end + 1
				continue
			}
			if i+1 < len(text) && (text[i+1] == '~' || alnum(text[i+1])) { // %x of a loop, %1
				b.WriteString(a.unknownVar("%"+text[i+1:i+2], quoted))
				open = true
				i++
			}
		case quoted:
			b.WriteByte(c)
		case c == '^' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				b.WriteByte(text[i])
				open = true
			}
		case c == ' ' || c == '\t' || c == ',' || c == ';' || c == '(' || c == '\r':
			flush()
		case c == ')':
			flush()
			if len(one.words) > 0 {
				return one, text[i+1:]
			}
		case c == '>' || c == '<':
			if s := b.String(); s == "1" || s == "2" {
				b.Reset()
				open = false
			}
			flush()
			redirect = string(c)
			if i+1 < len(text) && text[i+1] == '>' {
				redirect = ">>"
				i++
			}
			if i+1 < len(text) && text[i+1] == '&' {
				redirect = "<" // 2>&1
				i++
			}
		case c == '\n' || c == '&' || c == '|':
			flush()
			one.cond = c != '\n' && i+1 < len(text) && text[i+1] == c
			return one, strings.TrimLeft(text[i+1:], "&| \t\r\n")
		default:
			b.WriteByte(c)
			open = true
		}
	}
	flush()
	return one, ""
}

func (a *analyzer) cmdVar(name string, st *state) (string, bool) {
	if v, ok := st.vars["cmd "+strings.ToLower(name)]; ok && len(v.alts) > 0 {
		return v.alts[0], true
	}
	return a.windowsVar(name, st)
}

// cmdRun runs one command of cmd.exe.
func (a *analyzer) cmdRun(one cmdCommand, st *state, cx ctx) {
	words := one.words
	for len(words) > 0 && a.step(1) {
		first := strings.ToLower(strings.TrimLeft(words[0], "@"))
		switch first {
		case "", "call", "else", "do":
			words = words[1:]
			continue
		case "if":
			cx.cond = true
			words = cmdCondition(words[1:])
			continue
		case "for":
			cx.cond = true
			i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, "do") })
			if i < 0 {
				return
			}
			words = words[i:]
			continue
		case "start":
			words = words[1:]
			for len(words) > 1 && (strings.HasPrefix(words[0], "/") || words[0] == "" || strings.Contains(words[0], " ")) {
				words = words[1:]
			}
			continue
		case "set":
			if len(words) > 1 {
				if k, v, ok := strings.Cut(strings.Join(words[1:], " "), "="); ok {
					a.set(st, "cmd "+strings.ToLower(k), v)
				}
			}
			return
		case "cd", "chdir", "pushd":
			for _, w := range words[1:] {
				if !strings.HasPrefix(w, "/") || len(w) > 2 {
					a.setDir(st, a.path(a.dir(st), windowsPath(w)))
				}
			}
			return
		}
		break
	}
	if len(words) == 0 {
		return
	}
	list := make([]Word, 0, len(words))
	for _, w := range words {
		list = append(list, a.word(w, ""))
	}
	list[0].Text = strings.TrimLeft(list[0].Text, "@")
	name := programName(list[0])
	if len(name) > 2 && (strings.HasPrefix(name, "rd/") || strings.HasPrefix(name, "del/")) {
		name, _, _ = strings.Cut(name, "/")
	}
	idx, ok := a.emit(Command{Feeds: -1, Parent: cx.parent})
	if !ok {
		return
	}
	if name == "rmdir" {
		list[0] = Lit("rd")
		name = "rd"
	}
	if text, ok := a.batchFile(list[0], st, cx); ok {
		*a.cmd(idx) = Command{Name: name, Program: list[0], Args: list[1:], Dir: a.word(a.dir(st), ""), Via: cx.via, Parent: cx.parent, Feeds: -1, Carrier: true, Line: cx.line}
		in := cx.carry("script "+list[0].Base(), idx)
		in.calls = append(slices.Clip(in.calls), "script "+list[0].Text)
		a.cmdText(text, st.fork(), in)
	} else if !cmdInternal(name) {
		cx.nofunc = true
		a.run(idx, list, st, cx)
	} else {
		*a.cmd(idx) = Command{
			Name: name, Program: list[0], Args: list[1:], Dir: a.word(a.dir(st), ""), Via: cx.via, Parent: cx.parent, Feeds: -1, Conditional: cx.cond, Line: cx.line,
		}
		effector{a, idx, st, cx}.windows(name, list[1:])
	}
	if one.out != "" && !strings.EqualFold(one.out, "nul") {
		e := Effect{Op: Write, Path: a.word(a.path(a.dir(st), windowsPath(one.out)), one.out), Command: idx}
		if one.append {
			e.Op = Append
		}
		if name == "echo" {
			e.Content = a.word(strings.Join(words[1:], " ")+"\n", "")
			a.remember(e.Path, output{text: strings.Join(words[1:], " ") + "\n", known: true}, a.files[e.Path.Text], one.append)
		}
		a.effect(e)
	}
}

// batchFile is the text of a batch file that a word names: one that the script
// wrote, or one that Env.ReadFile knows.
func (a *analyzer) batchFile(w Word, st *state, cx ctx) (string, bool) {
	low := strings.ToLower(w.Text)
	if !strings.HasSuffix(low, ".bat") && !strings.HasSuffix(low, ".cmd") || !w.Known() || cx.calling("script "+w.Text) {
		return "", false
	}
	p := a.path(a.dir(st), windowsPath(w.Text))
	if out, ok := a.written(p); ok {
		return out.text, out.known
	}
	if a.env.ReadFile == nil || cx.world || len(a.reads) >= maxReads {
		return "", false
	}
	a.reads = append(a.reads, p)
	data, err := a.env.ReadFile(p)
	return sanitize(string(data)), err == nil && len(data) <= MaxParsed
}

// cmdCondition drops the condition of an if and returns what runs.
func cmdCondition(words []string) []string {
	for len(words) > 0 && (strings.EqualFold(words[0], "not") || strings.EqualFold(words[0], "/i")) {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return nil
	case strings.EqualFold(words[0], "exist"), strings.EqualFold(words[0], "defined"), strings.EqualFold(words[0], "errorlevel"):
		return words[min(2, len(words)):]
	case strings.Contains(words[0], "=="):
		return words[1:]
	}
	return words[min(3, len(words)):]
}

// cmdInternal tells the commands that cmd.exe runs by itself, and programs of
// Windows that are read as they are.
func cmdInternal(name string) bool {
	switch name {
	case "del", "erase", "rd", "move", "copy", "ren", "rename", "md", "mkdir", "type", "echo", "dir", "mklink", "cls", "ver", "vol", "date", "time", "title", "prompt", "path", "assoc", "ftype", "exit", "goto", "setlocal", "endlocal", "pause", "rem", "shift", "break", "popd", "more", "sort", "find", "findstr", "tree", "where":
		return true
	}
	return false
}
