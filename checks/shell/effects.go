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
func force(f *Effect)     { f.Force = true }

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
	if e.deletes(name, args) || e.copies(name, args) || e.writes(name, args) || e.modes(name, args) ||
		e.edits(name, args) || e.archives(name, args) || e.network(name, args) {
		return
	}
	e.reads(name, args)
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

func (e effector) copies(name string, args []Word) bool {
	switch name {
	case "cp", "copy", "gcp":
		o := Options(args, OptSpec{Short: "abdfHiLlnPpRrsS:t:TuvxZcX", Long: "archive attributes-only backup=? copy-contents debug force interactive link dereference no-clobber no-dereference preserve=? no-preserve= parents recursive reflink=? remove-destination sparse= strip-trailing-slashes symbolic-link suffix= target-directory= no-target-directory update=? verbose one-file-system context=? help version"})
		if o.Has("help", "version") {
			return true
		}
		op := Write
		if o.Has("n", "no-clobber") {
			op = Append // never changes what is there
		}
		rec := o.Has("r", "R", "a", "recursive", "archive")
		e.transfer(o, op, Read, rec)
	case "mv", "move":
		o := Options(args, OptSpec{Short: "bfinS:t:TuvZ", Long: "backup=? debug force interactive no-clobber no-copy exchange strip-trailing-slashes suffix= target-directory= no-target-directory update=? verbose context help version"})
		if o.Has("help", "version") {
			return true
		}
		e.transfer(o, Write, Move, false)
	case "install":
		o := Options(args, OptSpec{Short: "bcCdDg:m:o:psS:t:TvZ", Long: "backup=? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= target-directory= no-target-directory verbose context=? help version"})
		if o.Has("d", "directory") {
			e.all(MakeDir, o.Rest)
			return true
		}
		e.transfer(o, Write, Read, false)
	case "ln", "link", "symlink":
		o := Options(args, OptSpec{Short: "bdfFiLnPrsS:t:Tvhw", Long: "backup=? directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose help version"})
		e.links(o)
	case "rsync":
		e.rsync(args)
	case "scp", "sftp", "rcp":
		o := Options(args, OptSpec{Short: "346ABCOpqRrsTvc:D:F:i:J:l:o:P:S:X:"})
		e.sshOptions(o)
		e.remoteCopy(o.Rest, o.Has("r"))
	case "ditto":
		e.transfer(Options(args, OptSpec{Short: "cxkvV"}), Write, Read, true)
	default:
		return false
	}
	return true
}

// transfer records a copy or move of several sources to one target.
func (e effector) transfer(o Opts, op, source Op, rec bool) {
	words := o.Rest
	target, dir := o.Value("t", "target-directory")
	if !dir {
		if len(words) < 2 {
			return
		}
		target, words = words[len(words)-1], words[:len(words)-1]
	}
	e.all(source, words, flags(rec, o.Has("f", "force")))
	exact := o.Has("T", "no-target-directory")
	t := target.Text
	inside := dir || len(words) > 1 || strings.HasSuffix(t, "/") || t == "." || t == ".." || strings.HasSuffix(t, "/.") || strings.HasSuffix(t, "/..")
	if !inside || exact {
		e.add(op, target, flags(rec, o.Has("f", "force")))
	}
	if len(words) == 1 && !inside { // a script that is moved is still the same script
		if out, ok := e.a.written(e.a.pathWord(e.st, words[0]).Text); ok {
			e.a.remember(e.a.pathWord(e.st, target), out, output{}, false)
		}
	}
	// A target that may be a folder receives the source's name.
	if exact || !inside && strings.Contains(base(t), ".") || strings.HasPrefix(t, "/dev/") {
		return
	}
	for _, w := range words {
		b := base(e.a.intern(w))
		if b == "." || b == ".." || b == "" {
			e.add(op, target, flags(rec, false))
			continue
		}
		full := strings.TrimSuffix(e.a.intern(target), "/") + "/" + b
		e.add(op, e.a.word(full, target.Raw), flags(rec, o.Has("f", "force")))
	}
}

func (e effector) links(o Opts) {
	words := o.Rest
	target, dir := o.Value("t", "target-directory")
	switch {
	case dir:
	case len(words) == 1:
		e.add(Link, Lit(words[0].Base()), content(words[0]))
		return
	case len(words) >= 2:
		target, words = words[len(words)-1], words[:len(words)-1]
		dir = len(words) > 1 || strings.HasSuffix(target.Text, "/") || target.Text == "."
	default:
		return
	}
	for _, w := range words {
		name := target
		if dir {
			name = e.a.word(strings.TrimSuffix(e.a.intern(target), "/")+"/"+base(e.a.intern(w)), target.Raw)
		}
		e.add(Link, name, content(w), flags(false, o.Has("f", "force")))
	}
}

func (e effector) rsync(args []Word) {
	o := Options(args, OptSpec{
		Short: "vqcaRrbuldLKkHpEAXogDtOJSxWnmIPzhi0@:e:f:FT:B:M:6:4",
		Long: "verbose quiet checksum archive relative recursive backup backup-dir= suffix= update inplace append dirs links copy-links perms chmod= owner group times dry-run " +
			"whole-file rsh= rsync-path= existing ignore-existing remove-source-files del delete delete-before delete-during delete-delay delete-after delete-excluded force max-delete= max-size= min-size= partial partial-dir= exclude= exclude-from= include= include-from= files-from= filter= progress stats human-readable info= compress bwlimit= port= password-file= log-file= temp-dir= compare-dest= copy-dest= link-dest= timeout= contimeout= list-only no-perms no-owner no-group mkpath",
	})
	if o.Has("n", "dry-run", "list-only") {
		return
	}
	for _, k := range []string{"e", "rsh"} {
		if v, ok := o.Value(k); ok && v.Text != "ssh" {
			e.a.nested(e.idx, "rsync -e", e.a.intern(v), e.st.fork(), e.cx)
			e.a.cmd(e.idx).Carrier = false
		}
	}
	e.remoteCopy(o.Rest, true)
	if len(o.Rest) > 1 {
		dst := o.Rest[len(o.Rest)-1]
		for _, k := range o.List {
			if (strings.HasPrefix(k.Name, "del") || k.Name == "force") && !remote(dst) {
				e.add(Delete, dst, recursive, force)
				break
			}
		}
		if o.Has("remove-source-files") {
			e.all(Move, o.Rest[:len(o.Rest)-1])
		}
	}
}

// sshOptions follows the settings of ssh that run commands on this machine.
func (e effector) sshOptions(o Opts) {
	for _, w := range o.Values("o") {
		k, v, ok := w.Cut("=")
		if !ok {
			k, v, _ = w.Cut(" ")
		}
		switch strings.ToLower(k) {
		case "proxycommand", "localcommand", "knownhostscommand":
			e.run("ssh -o", v)
		}
	}
	for _, w := range o.Values("S") {
		if strings.Contains(w.Text, " ") {
			e.run("scp -S", w)
		}
	}
}

func remote(w Word) bool {
	head, _, ok := strings.Cut(w.Text, ":")
	return ok && !strings.Contains(head, "/") && !drive(w.Text)
}

func (e effector) remoteCopy(words []Word, rec bool) {
	if len(words) < 2 {
		return
	}
	dst := words[len(words)-1]
	for _, w := range words[:len(words)-1] {
		if !remote(w) {
			e.add(Read, w, flags(rec, false))
		}
	}
	if !remote(dst) {
		e.add(Write, dst, flags(rec, false))
	}
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
	case "gcc", "cc", "clang", "g++", "clang++", "ld", "pandoc", "dot", "protoc", "esbuild", "rustc", "convert", "magick", "openssl-req", "tcpdump-w":
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

func (e effector) modes(name string, args []Word) bool {
	switch name {
	case "chmod":
		var rest []Word
		mode, has, rec, ref := Word{}, false, false, false
		for i, w := range args {
			t := w.Text
			switch {
			case t == "--":
				rest = append(rest, args[i+1:]...)
			case strings.HasPrefix(t, "--ref"):
				ref = true
				continue
			case strings.HasPrefix(t, "--"):
				rec = rec || strings.HasPrefix(t, "--rec")
				continue
			case len(t) > 1 && t[0] == '-' && strings.Trim(t[1:], "RfvcHLPhEN") == "":
				rec = rec || strings.Contains(t, "R")
				continue
			case !has && !ref:
				mode, has = w, true
				continue
			default:
				rest = append(rest, w)
				continue
			}
			break
		}
		e.all(Mode, rest, content(mode), flags(rec, false))
	case "chown", "chgrp", "chcon":
		o := Options(args, OptSpec{Short: "cfvhRHLPt:u:r:", Long: "changes silent quiet verbose dereference no-dereference from= no-preserve-root preserve-root reference= recursive"})
		rest := o.Rest
		owner := Word{}
		if !o.Has("reference") && !o.Has("t") && len(rest) > 0 {
			owner, rest = rest[0], rest[1:]
		}
		e.all(Mode, rest, content(owner), flags(o.Has("R", "recursive"), false))
	case "chattr", "chflags":
		rec := false
		mode := Word{}
		var rest []Word
		for _, w := range args {
			t := w.Text
			switch {
			case t == "-R":
				rec = true
			case t == "-V" || t == "-f" || t == "-h":
			case mode.Zero() && (name == "chflags" || strings.IndexAny(t, "+-=") == 0):
				mode = w
			default:
				rest = append(rest, w)
			}
		}
		e.all(Mode, rest, content(mode), flags(rec, false))
	case "setfacl", "xattr", "setfattr", "chsh":
		o := Options(args, OptSpec{Short: "bkdRLPm:x:M:X:sn:v:cwr", Long: "modify= remove= set= recursive remove-all restore="})
		e.all(Mode, o.Rest, flags(o.Has("R", "recursive", "r"), false))
	default:
		return false
	}
	return true
}
