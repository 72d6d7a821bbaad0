package shell

import "strings"

// effector records the file effects of one command.
type effector struct {
	a   *analyzer
	idx int
	st  *state
	cx  ctx
}

func (e effector) add(op Op, w Word, more ...func(*Effect)) {
	if w.Text == "" || w.Text == "-" {
		return
	}
	f := Effect{Op: op, Path: e.a.pathWord(e.st, w), Command: e.idx, Slash: strings.HasSuffix(w.Text, "/")}
	for _, m := range more {
		m(&f)
	}
	e.a.effect(f)
}

func (e effector) all(op Op, words []Word, more ...func(*Effect)) {
	for _, w := range words {
		e.add(op, w, more...)
	}
}

func recursive(f *Effect) { f.Recursive = true }

func force(f *Effect) { f.Force = true }

func content(w Word) func(*Effect) { return func(f *Effect) { f.Content = w } }

func flags(rec, frc bool) func(*Effect) {
	return func(f *Effect) { f.Recursive, f.Force = rec, frc }
}

// program records what a program that is no wrapper does to files.
func (a *analyzer) program(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	e := effector{a, idx, st, cx}
	name := c.Name
	if len(name) > 1 && name[0] == 'g' && coreutil(name[1:]) {
		name = name[1:]
	}
	args := c.Args
	e.consoles(name, args)
	e.helpers(name, args)
	if slashed(args) && e.windows(name, args) || name == "robocopy" && e.windows(name, args) {
		return
	}
	if e.deletes(name, args) || e.copies(name, args) || e.writes(name, args) || e.modes(name, args) ||
		e.edits(name, args) || e.archives(name, args) || e.network(name, args) {
		return
	}
	e.reads(name, args)
}

// slashed tells words among which an option of a Windows program stands: /s, /q.
func slashed(args []Word) bool {
	for _, w := range args {
		if len(w.Text) == 2 && w.Text[0] == '/' && alpha(w.Text[1]) && w.Text[1] != '_' {
			return true
		}
	}
	return false
}

// helpers follows the pager or editor that a program is told to start.
func (e effector) helpers(name string, args []Word) {
	switch name {
	case "man":
		o := Options(args, OptSpec{Short: "P:M:S:s:kfaKlw", Long: "pager="})
		for _, w := range o.Values("P", "pager") {
			e.run("man -P", w)
		}
	case "less", "more", "psql", "mysql", "systemctl", "journalctl", "crontab", "visudo", "vipw", "sudoedit", "gh", "kubectl", "aws", "bat", "fc", "ssh", "ssh-add":
	default:
		return
	}
	for _, v := range e.a.cmd(e.idx).Env {
		switch v.Name {
		case "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "GH_PAGER", "GH_EDITOR", "KUBE_EDITOR", "AWS_PAGER", "SYSTEMD_PAGER", "SYSTEMD_EDITOR", "PSQL_PAGER", "PSQL_EDITOR", "LESSOPEN", "LESSCLOSE", "SSH_ASKPASS", "FCEDIT":
			if !v.Value.Zero() {
				e.run(v.Name, e.a.word(strings.TrimLeft(e.a.intern(v.Value), "|-"), ""))
			}
		}
	}
}

// coreutil are names that macOS carries with a g in front.
func coreutil(name string) bool {
	switch name {
	case "rm", "cp", "mv", "ln", "dd", "sed", "tar", "chmod", "chown", "rmdir", "unlink", "shred", "truncate", "touch", "mkdir", "install", "tee", "sort", "cat", "head", "tail", "awk", "split":
		return true
	}
	return false
}

func (e effector) deletes(name string, args []Word) bool {
	switch name {
	case "rm", "srm", "grm", "del-cli", "del", "rimraf", "trash-rm":
		o := Options(args, OptSpec{Short: "dfiIrRvPWxs", Long: "force recursive dir interactive=? verbose one-file-system preserve-root=? no-preserve-root help version glob"})
		if o.Has("help", "version") {
			return true
		}
		rec, frc := o.Has("r", "R", "recursive"), o.Has("f", "force")
		if name == "rimraf" || name == "del-cli" || name == "del" {
			rec, frc = true, true
		}
		e.all(Delete, o.Rest, flags(rec, frc))
	case "rmdir":
		o := Options(args, OptSpec{Short: "pv", Long: "parents ignore-fail-on-non-empty verbose help version"})
		if !o.Has("help", "version") {
			e.all(Delete, o.Rest)
		}
	case "unlink":
		e.all(Delete, operands(args))
	case "shred":
		o := Options(args, OptSpec{Short: "fn:s:uvxz", Long: "force iterations= random-source= size= remove=? verbose exact zero help version"})
		if o.Has("help", "version") {
			return true
		}
		op := Truncate
		if o.Has("u", "remove") {
			op = Delete
		}
		e.all(op, o.Rest, flags(false, true))
	case "cmake":
		return e.cmakeTool(args)
	case "trash", "trash-put", "gio":
		o := Options(args, OptSpec{Short: "rfvF"})
		if name == "gio" {
			if len(o.Rest) == 0 || o.Rest[0].Text != "trash" && o.Rest[0].Text != "remove" {
				return true
			}
			o.Rest = o.Rest[1:]
		}
		e.all(Move, o.Rest)
	default:
		return false
	}
	return true
}

// cmakeTool is cmake -E, which deletes and copies as the tools of a system do.
func (e effector) cmakeTool(args []Word) bool {
	if len(args) < 2 || args[0].Text != "-E" {
		return false
	}
	o := Options(args[2:], OptSpec{Short: "rfR"})
	switch rec := o.Has("r", "R"); args[1].Text {
	case "rm", "remove":
		e.all(Delete, o.Rest, flags(rec, true))
	case "remove_directory":
		e.all(Delete, o.Rest, flags(true, true))
	case "copy", "copy_if_different", "copy_directory":
		e.transfer(o, Write, Read, args[1].Text == "copy_directory")
	case "rename":
		e.transfer(o, Write, Move, false)
	case "touch":
		e.all(Append, o.Rest)
	case "make_directory":
		e.all(MakeDir, o.Rest)
	}
	return true
}

func (e effector) writes(name string, args []Word) bool {
	switch name {
	case "tee":
		o := Options(args, OptSpec{Short: "aip", Long: "append ignore-interrupts output-error=? help version"})
		op := Write
		if o.Has("a", "append") {
			op = Append
		}
		text := Word{}
		if e.cx.stdin.known && !e.cx.stdin.approx {
			text = e.a.word(e.cx.stdin.text, "")
		}
		e.all(op, o.Rest, content(text))
		for _, w := range o.Rest {
			if e.cx.stdin.known {
				e.a.remember(e.a.pathWord(e.st, w), output{text: e.cx.stdin.text, known: true, approx: e.cx.stdin.approx || op == Append, from: e.cx.stdin.from}, output{}, false)
			}
		}
	case "dd":
		for _, w := range args {
			k, v, _ := w.Cut("=")
			switch k {
			case "of":
				e.add(Write, v)
			case "if":
				e.add(Read, v)
			}
		}
	case "truncate":
		o := Options(args, OptSpec{Short: "cor:s:", Long: "no-create io-blocks reference= size= help version"})
		e.all(Truncate, o.Rest)
	case "touch":
		o := Options(args, OptSpec{Short: "acd:fhmr:t:A:", Long: "no-create date= no-dereference reference= time= help version"})
		if !o.Has("c", "no-create") {
			e.all(Append, o.Rest)
		}
	case "mkdir":
		o := Options(args, OptSpec{Short: "m:pvZ", Long: "mode= parents verbose context=? help version"})
		e.all(MakeDir, o.Rest)
	case "mkfifo", "mknod", "fallocate", "mkfile":
		o := Options(args, OptSpec{Short: "m:l:o:nzcdp"})
		e.all(Write, o.Rest[:min(1, len(o.Rest))])
	case "sponge":
		o := Options(args, OptSpec{Short: "a"})
		op := Write
		if o.Has("a") {
			op = Append
		}
		e.all(op, o.Rest)
	case "sort":
		o := Options(args, OptSpec{Short: "bdfgiMhnRrVcCmo:S:st:T:uzk:", Long: "output= key= field-separator= parallel= buffer-size= temporary-directory= reverse unique numeric-sort compress-program= files0-from="})
		for _, w := range o.Values("o", "output") {
			e.add(Write, w)
		}
		if w, ok := o.Value("compress-program"); ok {
			e.run("sort", w)
		}
		e.all(Read, o.Rest)
	case "uniq":
		ops := operands(args)
		e.all(Read, ops[:min(1, len(ops))])
		if len(ops) > 1 {
			e.add(Write, ops[1])
		}
	case "split", "csplit":
		ops := Options(args, OptSpec{Short: "a:b:C:dl:n:x", Long: "filter= bytes= lines= number="})
		if w, ok := ops.Value("filter"); ok {
			e.run("split --filter", w)
		}
		if len(ops.Rest) > 1 {
			e.add(Write, ops.Rest[1])
		}
	case "gcc", "cc", "clang", "g++", "clang++", "ld", "pandoc", "dot", "protoc", "esbuild", "rustc", "convert", "magick", "openssl-req", "tcpdump-w", "age-keygen":
		o := Options(args, OptSpec{Short: "o:I:L:l:D:f:t:c", Long: "output= outfile="})
		for _, w := range o.Values("o", "output", "outfile") {
			e.add(Write, w)
		}
	case "xxd":
		ops := Options(args, OptSpec{Short: "abc:Ceg:il:o:prR:s:uv"}).Rest
		e.all(Read, ops[:min(1, len(ops))])
		if len(ops) > 1 {
			e.add(Write, ops[1])
		}
	case "openssl":
		o := Options(args, OptSpec{Single: true, Long: "in= out= inkey= key= keyout= CAfile= signature= kfile= pass= passin= passout= config= subj= days= newkey= iter="})
		for _, w := range o.Values("out", "keyout") {
			e.add(Write, w)
		}
		for _, w := range o.Values("in", "inkey", "key") {
			e.add(Read, w)
		}
	case "gpg", "gpg2", "age", "sops":
		o := Options(args, OptSpec{Short: "o:r:u:i:acdesbR:", Long: "output= recipient= local-user= identity= batch yes in-place"})
		for _, w := range o.Values("o", "output") {
			e.add(Write, w)
		}
		e.all(Read, o.Rest)
	case "ssh-keygen":
		o := Options(args, OptSpec{Short: "t:b:C:f:N:P:qylpFRHm:", Stop: false})
		if w, ok := o.Value("f"); ok && !o.Has("y", "l", "F") {
			e.add(Write, w)
			e.add(Write, e.a.word(e.a.intern(w)+".pub", w.Raw))
		}
	case "mktemp":
	default:
		return false
	}
	return true
}

// run follows shell text that an option of an ordinary program holds. The
// program keeps its own weight.
func (e effector) run(via string, w Word) {
	was := e.a.cmd(e.idx).Carrier
	e.a.nested(e.idx, via, e.a.intern(w), e.st.fork(), e.cx)
	e.a.cmd(e.idx).Carrier = was
}
