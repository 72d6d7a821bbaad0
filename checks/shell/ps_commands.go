package shell

import (
	"slices"
	"strings"
)

// psArg is one argument of a command.
type psArg struct {
	param string // name of a parameter, lower case and without its dash
	val   psVal  // its value where a colon joins them, or the argument itself
	raw   string
}

// pipeline runs elements joined by pipes and returns what the last one prints.
func (p *ps) pipeline() psVal {
	in, fed := psVal{known: true}, false
	for p.a.step(1) {
		p.skip(false)
		v := p.element(in, fed)
		p.redirects(&v)
		p.skip(false)
		if p.peek() != '|' || strings.HasPrefix(p.src[p.at:], "||") {
			if p.peek() == '&' && !strings.HasPrefix(p.src[p.at:], "&&") {
				p.at++ // to the background
			}
			return v
		}
		p.at++
		p.skip(true)
		in, fed = v, true
	}
	return psVal{}
}

// element runs one element of a pipeline.
func (p *ps) element(in psVal, fed bool) psVal {
	c := p.peek()
	switch {
	case c == '&' || c == '.' && p.at+1 < len(p.src) && (p.src[p.at+1] == ' ' || p.src[p.at+1] == '\t'):
		p.at++
		p.skip(false)
		v := p.value()
		if v.block != "" {
			p.callArgs()
			return p.sub(v.block, false)
		}
		return p.command(v.text(), v.text(), in, fed)
	case strings.IndexByte("$(@'\"[{-!+", c) >= 0, digit(c):
		return p.expression()
	}
	start := p.at
	name := p.bare()
	if p.at == start {
		return psVal{}
	}
	return p.command(name.text(), p.src[start:p.at], in, fed)
}

// callArgs reads the arguments of a command up to the end of its element.
func (p *ps) callArgs() []psArg {
	var args []psArg
	for len(args) < maxFields && p.a.step(1) {
		p.skip(false)
		c := p.peek()
		if p.ended() || c == '>' || redirectsHere(p.src[p.at:]) {
			if c == '>' || redirectsHere(p.src[p.at:]) {
				p.redirects(nil)
				continue
			}
			return args
		}
		start := p.at
		if strings.HasPrefix(p.src[p.at:], "--%") { // the rest is taken as it is
			p.at += 3
			end := strings.IndexAny(p.src[p.at:], "\n|")
			if end < 0 {
				end = len(p.src) - p.at
			}
			for w := range strings.FieldsSeq(p.src[p.at : p.at+end]) {
				args = append(args, psArg{val: psText(strings.Trim(w, `"`)), raw: w})
			}
			p.at += end
			return args
		}
		if c == '-' && p.at+1 < len(p.src) && (alpha(p.src[p.at+1]) || p.src[p.at+1] == '-') {
			p.at++
			for p.at < len(p.src) && (alnum(p.src[p.at]) || p.src[p.at] == '-') {
				p.at++
			}
			arg := psArg{param: strings.ToLower(strings.TrimPrefix(p.src[start:p.at], "-"))}
			if c := p.peek(); c != 0 && strings.IndexByte(" \t\r\n;|)}", c) < 0 {
				if c == ':' {
					p.at++
				}
				arg.val = p.joined()
			}
			arg.raw = p.src[start:p.at]
			args = append(args, arg)
			continue
		}
		v := p.argument()
		if p.at == start {
			p.at++
			continue
		}
		args = append(args, psArg{val: v, raw: p.src[start:p.at]})
	}
	return args
}

func redirectsHere(s string) bool {
	return len(s) > 1 && (digit(s[0]) || s[0] == '*') && s[1] == '>'
}

// redirects reads redirections; out is what the element printed, nil where that
// is not known yet.
func (p *ps) redirects(out *psVal) {
	for p.a.step(1) {
		p.skip(false)
		start := p.at
		if redirectsHere(p.src[p.at:]) {
			p.at++
		}
		if p.peek() != '>' {
			p.at = start
			return
		}
		p.at++
		op := Write
		if p.peek() == '>' {
			p.at++
			op = Append
		}
		if p.peek() == '&' {
			p.at += 2 // 2>&1
			continue
		}
		p.skip(false)
		w := p.joined()
		if strings.Contains(strings.ToLower(p.src[start:p.at]), "$null") || w.text() == "" {
			continue
		}
		idx := len(p.a.out.Commands) - 1
		if idx < 0 || out != nil && len(out.from) == 0 {
			var ok bool
			if idx, ok = p.emit("out-file", p.src[start:p.at], nil, psVal{}); !ok {
				return
			}
		}
		content := psVal{}
		if out != nil {
			content = *out
		}
		p.effects(idx, op, []psVal{w}, false, false, content)
	}
}

// command reads the arguments of a command and runs it.
func (p *ps) command(name, raw string, in psVal, fed bool) psVal {
	args := p.callArgs()
	low := strings.ToLower(name)
	if to, ok := p.alias[low]; ok {
		low, name = strings.ToLower(to), to
	}
	if body, ok := p.funcs[low]; ok && p.depth < maxDepth {
		return p.callFunc(body, args, in)
	}
	c := psCall{ps: p, name: psCmdlet(low), raw: raw, args: args, in: in, fed: fed}
	if low == "rd" || low == "del" || low == "erase" || low == "rmdir" {
		words := p.words(args)
		if slashed(words) { // written for cmd.exe, meant all the same
			if idx, ok := p.emit("remove-item", raw, nil, psVal{}); ok {
				p.a.cmd(idx).Args = words
				if low == "rmdir" {
					low = "rd"
				}
				effector{p.a, idx, p.st, p.cx}.windows(low, words)
			}
			return psVal{}
		}
	}
	if v, ok := c.run(); ok {
		return v
	}
	if strings.HasSuffix(low, ".ps1") {
		idx, ok := p.emit(base(windowsPath(low)), raw, nil, psVal{})
		if ok {
			p.a.cmd(idx).Program.Text = windowsPath(name)
			p.a.psFile(idx, p.a.word(name, raw), p.st, p.cx)
		}
		return p.unknown("", idx)
	}
	if strings.Contains(low, "-") && !strings.ContainsAny(low, `/\.`) && psVerb(low) {
		idx, ok := p.emit(low, raw, nil, in)
		if !ok {
			return psVal{}
		}
		p.a.cmd(idx).Args = p.words(args)
		return p.unknown("", idx)
	}
	words := append([]Word{p.a.word(name, raw)}, p.words(args)...)
	return p.native(words, in, fed)
}

// callFunc runs the body of a function; its parameters stand for the arguments in
// order.
func (p *ps) callFunc(body string, args []psArg, in psVal) psVal {
	var vals []psVal
	for _, a := range args {
		if a.param == "" {
			vals = append(vals, a.val)
		}
	}
	if head, _, ok := strings.Cut(body, ")"); ok && strings.HasPrefix(strings.ToLower(strings.TrimSpace(head)), "param") {
		n := 0
		for part := range strings.SplitSeq(head, "$") {
			if part = strings.TrimSpace(part); strings.HasPrefix(strings.ToLower(part), "param") {
				continue
			}
			end := strings.IndexFunc(part, func(r rune) bool { return r != '_' && !('a' <= r|0x20 && r|0x20 <= 'z') && !('0' <= r && r <= '9') })
			if end < 0 {
				end = len(part)
			}
			if n < len(vals) && end > 0 {
				p.vars[strings.ToLower(part[:end])] = vals[n]
				n++
			}
		}
	}
	all := psVal{known: true}
	for _, v := range vals {
		all.list = append(all.list, v.list...)
		all.known = all.known && v.known
	}
	p.vars["args"] = all
	p.vars["input"] = in
	p.depth++
	out := p.sub(body, false)
	p.depth--
	return out
}

// words are arguments as words of a command line.
func (p *ps) words(args []psArg) []Word {
	var out []Word
	for _, a := range args {
		switch {
		case a.param != "":
			dash, _, _ := strings.Cut(a.raw, ":")
			if len(a.val.list) > 0 && strings.Contains(a.raw, ":") {
				out = append(out, p.a.word(dash, dash), p.a.word(a.val.text(), ""))
			} else {
				out = append(out, p.a.word(a.raw, a.raw))
			}
		case a.val.block != "":
			out = append(out, p.a.word("{"+a.val.block+"}", a.raw))
		case len(a.val.list) > 1 && strings.Contains(a.raw, ","):
			out = append(out, p.a.word(strings.Join(a.val.list, ","), a.raw))
		default:
			for n, s := range a.val.list {
				raw := a.raw
				if n > 0 {
					raw = s
				}
				out = append(out, p.a.word(s, raw))
			}
		}
	}
	return out
}

// native runs a program.
func (p *ps) native(words []Word, in psVal, fed bool) psVal {
	idx, ok := p.a.emit(Command{Feeds: -1, Parent: p.cx.parent})
	if !ok {
		return psVal{}
	}
	cx := p.cx
	cx.nofunc = true
	cx.stdin = stdin{}
	if fed {
		cx.stdin = in.output().stdin()
		for _, j := range in.from {
			if j >= 0 && j < len(p.a.out.Commands) && p.a.cmd(j).Feeds < 0 {
				p.a.cmd(j).Feeds = idx
			}
		}
	}
	if len(words) > 0 {
		words[0].Text = windowsPath(words[0].Text)
	}
	out, _ := p.a.run(idx, words, p.st, cx)
	if out.known && !out.approx {
		return psVal{list: strings.Split(strings.TrimSuffix(out.text, "\n"), "\n"), known: true, from: []int{idx}}
	}
	return p.unknown("", idx)
}

// program runs words that were put together, as Start-Process does.
func (p *ps) program(words []string, in psVal) psVal {
	list := make([]Word, 0, len(words))
	for _, w := range words {
		list = append(list, p.a.word(w, ""))
	}
	if len(list) == 0 {
		return psVal{}
	}
	return p.native(list, in, false)
}

// split cuts a text into words as a program's command line is.
func (p *ps) split(s string) []string {
	var out []string
	for _, w := range p.a.splitWords(strings.ReplaceAll(s, `\`, `\\`)) {
		out = append(out, p.a.intern(w))
	}
	return out
}

// emit records a command of PowerShell itself, under its own name or that of the
// program that does the same; raw is how the text writes it.
func (p *ps) emit(name, raw string, args []string, in psVal) (int, bool) {
	idx, ok := p.a.emit(Command{Feeds: -1, Parent: p.cx.parent})
	if !ok {
		return 0, false
	}
	c := p.a.cmd(idx)
	*c = Command{
		Name: name, Program: Word{Text: name, Parts: []Part{{Text: name}}, Raw: firstOf(raw, name)}, Dir: p.a.word(p.a.dir(p.st), ""),
		Env: p.a.environment(p.st, p.cx), Via: p.cx.via, Parent: p.cx.parent, Feeds: -1, Conditional: p.cx.cond, Line: p.lineHere(),
		Stdin: p.a.input(in.output().stdin()),
	}
	for _, s := range args {
		c.Args = append(c.Args, p.a.word(s, ""))
	}
	for _, j := range in.from {
		if j >= 0 && j < idx && p.a.cmd(j).Feeds < 0 {
			p.a.cmd(j).Feeds = idx
		}
	}
	return idx, true
}

func (p *ps) lineHere() int {
	if p.cx.line > 0 {
		return p.cx.line
	}
	return 1 + strings.Count(p.src[:min(p.at, len(p.src))], "\n")
}

// path is a text as a path; patterns in it are read by effects.
func (p *ps) path(s string) string {
	s = windowsPath(strings.TrimPrefix(strings.TrimPrefix(s, "FileSystem::"), "Microsoft.PowerShell.Core\\FileSystem::"))
	if s == "~" || strings.HasPrefix(s, "~/") {
		s = p.a.get(p.st, "HOME") + s[1:]
	}
	return s
}

// psDrive tells a path of a drive that is no place for files: HKLM:, Env:, Cert:.
func psDrive(s string) bool {
	low := strings.ToLower(s)
	if strings.HasPrefix(low, "registry::") || strings.HasPrefix(low, "hkey_") {
		return true
	}
	name, _, found := strings.Cut(low, ":")
	switch name {
	case "hklm", "hkcu", "hkcr", "hku", "hkcc", "env", "function", "variable", "alias", "cert", "wsman":
		return found
	}
	return false
}

// effects records what command idx does to the files that values name.
func (p *ps) effects(idx int, op Op, paths []psVal, rec, frc bool, content psVal) {
	e := effector{p.a, idx, p.st, p.cx}
	for _, v := range paths {
		list := v.list
		if len(list) == 0 && !v.known {
			list = []string{p.a.unknownVar("", true)}
		}
		for _, s := range list {
			if psDrive(s) || s == "" || !p.a.step(1) {
				continue
			}
			raw := s
			s = p.path(s)
			if strings.ContainsAny(s, "*?[") {
				s = p.a.globbed(s)
			}
			w := p.a.word(s, "")
			w.Raw = p.a.plain(raw)
			c := Word{}
			if content.known && (op == Write || op == Append) {
				c = p.a.word(strings.Join(content.list, "\n")+"\n", "")
			}
			e.add(op, w, flags(rec, frc), func(f *Effect) { f.Content = c })
			if c.Text != "" && w.Known() {
				full := p.a.pathWord(p.st, w)
				p.a.remember(full, output{text: p.a.intern(c), known: true}, p.a.files[full.Text], op == Append)
			}
		}
	}
}

// psVerb tells a name that is made of one of PowerShell's verbs and a noun.
func psVerb(name string) bool {
	verb, noun, _ := strings.Cut(name, "-")
	if noun == "" || strings.Contains(noun, "-") {
		return false
	}
	return slices.Contains([]string{
		"add", "approve", "assert", "backup", "block", "checkpoint", "clear", "close", "compare", "complete", "compress", "confirm", "connect", "convert", "convertfrom", "convertto", "copy", "debug", "deny", "disable", "disconnect", "dismount", "edit", "enable",
		"enter", "exit", "expand", "export", "find", "foreach", "format", "get", "grant", "group", "hide", "import", "initialize", "install", "invoke", "join", "limit", "lock", "measure", "merge", "mount", "move", "new", "open", "optimize", "out", "ping", "pop",
		"protect", "publish", "push", "read", "receive", "redo", "register", "remove", "rename", "repair", "request", "reset", "resize", "resolve", "restart", "restore", "resume", "revoke", "save", "search", "select", "send", "set", "show", "skip", "sort", "split",
		"start", "step", "stop", "submit", "suspend", "switch", "sync", "tee", "test", "trace", "unblock", "undo", "uninstall", "unlock", "unprotect", "unpublish", "unregister", "update", "use", "wait", "watch", "where", "write",
	}, verb)
}
