package shell

import "strings"

func (e effector) edits(name string, args []Word) bool {
	switch name {
	case "sed":
		e.sed(args)
	case "ed", "red":
		o := Options(args, OptSpec{Short: "p:sGHEr"})
		if e.cx.stdin.known {
			e.edScript(e.cx.stdin.text, o.Rest)
		} else {
			e.all(Modify, o.Rest)
		}
	case "ex", "vi", "vim", "nvim", "view", "gvim", "mvim":
		var scripts []string
		var rest []Word
		for _, w := range args {
			if strings.HasPrefix(w.Text, "+") {
				scripts = append(scripts, e.a.intern(w.CutPrefix(1)))
			} else {
				rest = append(rest, w)
			}
		}
		o := Options(rest, OptSpec{Short: "c:u:i:nesSR:T:w:W:bdlNqrvyEXzo::O::p::", Long: "cmd= headless clean noplugin not-a-term"})
		scripts = append(scripts, e.a.internAll(o.Values("c", "cmd"))...)
		if e.cx.stdin.known {
			scripts = append(scripts, e.cx.stdin.text)
		}
		for _, s := range scripts {
			e.edScript(s, o.Rest)
		}
	case "emacs", "emacsclient":
		o := Options(args, OptSpec{Short: "Q", Long: "batch eval= load= execute="})
		for _, w := range o.Values("eval", "execute") {
			if _, rest, ok := strings.Cut(w.Text, "shell-command \""); ok {
				rest, _, _ = strings.Cut(rest, "\"")
				e.run("emacs --eval", Lit(rest))
			}
			for _, fn := range []string{"delete-file \"", "delete-directory \""} {
				if _, rest, ok := strings.Cut(w.Text, fn); ok {
					rest, _, _ = strings.Cut(rest, "\"")
					e.add(Delete, Lit(expandHome(rest, e.a.env.Home)), recursive)
				}
			}
		}
		e.all(Modify, o.Rest)
	case "patch":
		e.patch(args)
	case "apply_patch", "applypatch":
		text := e.a.joinWords(args)
		if e.cx.stdin.known {
			text += "\n" + e.cx.stdin.text
		}
		e.applyPatch(text)
	case "yq", "jq", "gojq", "dasel", "crudini", "toml", "xmlstarlet", "rustfmt-i", "sd", "sad", "fastmod", "codemod":
		in := Options(args, OptSpec{Short: "iPrejncsaIo:", Long: "in-place inplace arg= argjson= set del merge get"})
		rest := in.Rest
		if name == "crudini" {
			if in.Has("set", "del", "merge") {
				e.all(Modify, rest[:min(1, len(rest))])
			}
			return true
		}
		if name == "sd" {
			e.all(Modify, rest[min(2, len(rest)):])
			return true
		}
		if in.Has("i", "in-place", "inplace") {
			e.all(Modify, rest[min(1, len(rest)):])
			return true
		}
		e.all(Read, rest[min(1, len(rest)):])
	case "rename", "prename":
		o := Options(args, OptSpec{Short: "vnfe:s"})
		rest := o.Rest
		if !o.Has("e") {
			rest = rest[min(1, len(rest)):]
		}
		if !o.Has("n") {
			e.all(Move, rest)
		}
	case "dos2unix", "unix2dos", "gofmt", "shfmt", "goimports":
		o := Options(args, OptSpec{Short: "wlidsn"})
		if strings.Contains(name, "2") || o.Has("w") {
			e.all(Modify, o.Rest)
		}
	default:
		return false
	}
	return true
}

func expandHome(p, home string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		return home + p[1:]
	}
	return p
}

func (e effector) sed(args []Word) {
	o := Options(args, OptSpec{Short: "ne:f:Ei::l:rsuzab", Long: "quiet silent debug expression= file= in-place=? line-length= null-data posix regexp-extended separate sandbox unbuffered follow-symlinks help version"})
	if o.Has("help", "version") {
		return
	}
	rest := o.Rest
	inPlace := o.Has("i", "in-place")
	if inPlace && len(rest) > 0 && rest[0].Text == "" { // BSD: -i ''
		rest = rest[1:]
	}
	scripts := o.Values("e", "expression")
	if len(scripts) == 0 && !o.Has("f", "file") && len(rest) > 0 {
		scripts, rest = rest[:1], rest[1:]
	}
	op := Read
	if inPlace {
		op = Modify
	}
	e.all(op, rest)
	for _, s := range scripts {
		e.sedScript(s)
	}
}

// sedScript finds the commands of sed that write a file or run a program.
func (e effector) sedScript(w Word) {
	text := e.a.intern(w)
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' || r == '{' || r == '}' }) {
		cmd := strings.TrimLeft(line, " \t0123456789,$!~+")
		for strings.HasPrefix(cmd, "/") { // an address
			_, after, ok := strings.Cut(cmd[1:], "/")
			if !ok {
				break
			}
			cmd = strings.TrimLeft(after, " \t0123456789,$!I")
		}
		if cmd == "" {
			continue
		}
		switch cmd[0] {
		case 'w', 'W':
			if len(cmd) > 2 && cmd[1] == ' ' {
				e.add(Write, e.a.word(strings.TrimSpace(cmd[2:]), ""))
			}
		case 'r', 'R':
			if len(cmd) > 2 && cmd[1] == ' ' {
				e.add(Read, e.a.word(strings.TrimSpace(cmd[2:]), ""))
			}
		case 'e':
			if len(cmd) > 2 && cmd[1] == ' ' {
				e.run("sed e", e.a.word(cmd[2:], ""))
			}
		case 's':
			if len(cmd) < 4 {
				continue
			}
			f := strings.Split(cmd[2:], cmd[1:2])
			if len(f) < 3 {
				continue
			}
			fl := f[len(f)-1]
			if head, file, ok := strings.Cut(fl, "w "); ok && strings.Trim(head, "gpIiMme0123456789") == "" {
				e.add(Write, e.a.word(strings.TrimSpace(file), ""))
			}
			if strings.Contains(fl, "e") && strings.Trim(fl, "gpIiMme0123456789") == "" {
				e.run("sed s///e", e.a.word(f[1], ""))
			}
		}
	}
}

// edScript finds in the commands of ed, ex and vim what they write and run.
func (e effector) edScript(text string, files []Word) {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '|' && !strings.Contains(text, "!") }) {
		line = strings.TrimLeft(line, " \t:%0123456789,$.")
		switch {
		case strings.HasPrefix(line, "!"):
			e.run("ed !", e.a.word(line[1:], ""))
		case strings.HasPrefix(line, "r !"), strings.HasPrefix(line, "w !"):
			e.run("ed !", e.a.word(line[3:], ""))
		case strings.HasPrefix(line, "silent !"), strings.HasPrefix(line, "silent! !"):
			_, rest, _ := strings.Cut(line[6:], " !")
			e.run("vim !", e.a.word(strings.TrimPrefix(rest, "!"), ""))
		case strings.HasPrefix(line, "call delete("), strings.HasPrefix(line, "call system("), strings.HasPrefix(line, "call writefile("):
			e.vimCall(line)
		case line == "w" || line == "wq" || line == "x" || line == "wa" || line == "wqa" || line == "xa" || line == "update" || line == "w!" || line == "wq!" || line == "x!" || line == "ZZ" || strings.HasPrefix(line, "wq"):
			e.all(Modify, files)
		case strings.HasPrefix(line, "w ") || strings.HasPrefix(line, "w! ") || strings.HasPrefix(line, "W ") ||
			strings.HasPrefix(line, "write ") || strings.HasPrefix(line, "saveas ") || strings.HasPrefix(line, "sav "):
			_, path, _ := strings.Cut(line, " ")
			e.add(Write, e.a.word(expandHome(strings.TrimSpace(strings.TrimPrefix(path, ">>")), e.a.env.Home), ""))
		case strings.HasPrefix(line, "r ") || strings.HasPrefix(line, "e "):
			e.add(Read, e.a.word(strings.TrimSpace(line[2:]), ""))
		}
	}
}

func (e effector) vimCall(line string) {
	line = strings.TrimPrefix(line, "call ")
	name, rest, _ := strings.Cut(line, "(")
	var strs []string
	for i := 0; i < len(rest); i++ {
		if rest[i] == '"' || rest[i] == '\'' {
			j := strings.IndexByte(rest[i+1:], rest[i])
			if j < 0 {
				break
			}
			strs = append(strs, rest[i+1:i+1+j])
			i += j + 1
		}
	}
	if len(strs) == 0 {
		return
	}
	switch name {
	case "delete":
		e.add(Delete, e.a.word(expandHome(strs[0], e.a.env.Home), ""), recursive)
	case "system":
		e.run("vim system", e.a.word(strs[0], ""))
	case "writefile":
		e.add(Write, e.a.word(strs[len(strs)-1], ""))
	}
}

// gitApply records the files that a patch in the script names; a patch from
// elsewhere is not known.
func (e effector) gitApply(args []Word) {
	o := Options(args, OptSpec{Short: "Rp:C:v3N", Long: "reverse check cached index stat numstat summary 3way directory= exclude= include= whitespace="})
	if o.Has("check", "stat", "numstat", "summary", "cached") {
		return
	}
	text := ""
	if e.cx.stdin.known && len(o.Rest) == 0 {
		text = e.cx.stdin.text
	}
	for _, w := range o.Rest {
		if out, ok := e.a.written(e.a.pathWord(e.st, w).Text); ok && out.known {
			text += "\n" + out.text
		}
	}
	dir := ""
	if d, ok := o.Value("directory"); ok {
		dir = e.a.intern(d) + "/"
	}
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "+++ b/"); ok && e.a.step(1) {
			rest, _, _ = strings.Cut(rest, "\t")
			e.add(Modify, e.a.word(dir+strings.TrimSpace(rest), ""))
		}
	}
}

func (e effector) patch(args []Word) {
	o := Options(args, OptSpec{Short: "bcd:D:eEfF:g:i:lnNo:p:r:RstTuvV:x:Y:z:Z", Long: "input= output= directory= strip= dry-run reverse forward batch force backup reject-file= posix"})
	if o.Has("dry-run") {
		return
	}
	st := e.st.fork()
	if d, ok := o.Value("d", "directory"); ok {
		e.a.set(st, "PWD", e.a.path(e.a.dir(st), e.a.intern(d)))
	}
	in := effector{e.a, e.idx, st, e.cx}
	if w, ok := o.Value("o", "output"); ok {
		in.add(Write, w)
		return
	}
	if len(o.Rest) > 0 {
		in.add(Modify, o.Rest[0])
		return
	}
	if !e.cx.stdin.known {
		in.add(Modify, Lit("."), recursive)
		return
	}
	for line := range strings.SplitSeq(e.cx.stdin.text, "\n") {
		if rest, ok := strings.CutPrefix(line, "+++ "); ok {
			rest, _, _ = strings.Cut(rest, "\t")
			if !o.Has("p") || o.Has("p") && !strings.HasPrefix(optText(o, "p"), "0") {
				rest = strings.TrimPrefix(strings.TrimPrefix(rest, "b/"), "a/")
			}
			in.add(Modify, e.a.word(strings.TrimSpace(rest), ""))
		}
	}
}

func optText(o Opts, name string) string {
	w, _ := o.Value(name)
	return w.Text
}

// applyPatch reads the patch envelope that some agents use.
func (e effector) applyPatch(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "*** ")
		if !ok {
			continue
		}
		kind, file, ok := strings.Cut(rest, ": ")
		if !ok {
			continue
		}
		w := e.a.word(strings.TrimSpace(file), "")
		switch kind {
		case "Update File":
			e.add(Modify, w)
		case "Add File", "Move to":
			e.add(Write, w)
		case "Delete File":
			e.add(Delete, w)
		}
	}
}
