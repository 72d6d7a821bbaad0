package shell

import "strings"

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
	if remote(dst) {
		return
	}
	e.add(Write, dst, flags(rec, false))
	if t := strings.TrimRight(dst.Text, "/"); t == "." || strings.HasSuffix(dst.Text, "/") {
		for _, w := range words[:len(words)-1] {
			if remote(w) { // host:dir/name lands in the folder under its name
				_, p, _ := strings.Cut(e.a.intern(w), ":")
				e.add(Write, e.a.word(strings.TrimSuffix(e.a.intern(dst), "/")+"/"+base(strings.TrimRight(p, "/")), w.Raw), flags(rec, false))
			}
		}
	}
}
