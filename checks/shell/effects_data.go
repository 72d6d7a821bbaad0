package shell

import "strings"

func (e effector) archives(name string, args []Word) bool {
	switch name {
	case "tar", "bsdtar", "gtar":
		e.tar(args)
	case "unzip":
		o := Options(args, OptSpec{Short: "d:x:P:lptTzvZnouCjKLMVWXaUq"})
		if o.Has("l", "p", "t", "v", "Z", "z") {
			e.all(Read, o.Rest[:min(1, len(o.Rest))])
			return true
		}
		dir := Lit(".")
		if d, ok := o.Value("d"); ok {
			dir = d
		}
		e.extract(dir, o.Rest[min(1, len(o.Rest)):])
	case "zip", "7z", "7za", "rar":
		o := Options(args, OptSpec{Short: "rqmjx:i:d9eyuT", Long: "unzip-command= password="})
		rest := o.Rest
		if name != "zip" {
			rest = rest[min(1, len(rest)):]
		}
		if len(rest) > 0 {
			e.add(Write, rest[0])
			e.all(Read, rest[1:], recursive)
			if name == "zip" && o.Has("m") {
				e.all(Move, rest[1:])
			}
		}
		if w, ok := o.Value("unzip-command"); ok {
			e.run("zip", w)
		}
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "compress", "lzma":
		o := Options(args, OptSpec{Short: "cdfklLnNqrS:tvVT:0123456789o:", Long: "stdout to-stdout keep list test rm"})
		if o.Has("c", "stdout", "to-stdout", "l", "t", "list", "test") {
			e.all(Read, o.Rest)
		} else {
			e.all(Modify, o.Rest)
		}
	case "cpio":
		o := Options(args, OptSpec{Short: "iopdmuvD:F:O:I:H:E:", Long: "extract create pass-through directory= file="})
		if o.Has("i", "extract") {
			dir := Lit(".")
			if d, ok := o.Value("D", "directory"); ok {
				dir = d
			}
			e.add(Write, dir, recursive)
		}
		for _, w := range o.Values("O") {
			e.add(Write, w)
		}
	default:
		return false
	}
	return true
}

// extract records the unpacking of all of an archive, or of named members.
func (e effector) extract(dir Word, members []Word) {
	if len(members) == 0 {
		e.add(Write, dir, recursive)
		return
	}
	for _, m := range members {
		e.add(Write, e.a.word(strings.TrimSuffix(e.a.intern(dir), "/")+"/"+e.a.intern(m), m.Raw), recursive)
	}
}

func (e effector) tar(args []Word) {
	if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && args[0].Known() && len(args[0].Text) < 32 { // tar xzf FILE
		// Old bundles take their values from the following words in order.
		bundle := args[0].Text
		args = append([]Word{}, args[1:]...)
		var list []Word
		for _, r := range bundle {
			one := Lit("-" + string(r))
			list = append(list, one)
			if strings.ContainsRune("fCbTXgKHNVFLI", r) && len(args) > 0 {
				list = append(list, args[0])
				args = args[1:]
			}
		}
		args = append(list, args...)
	}
	o := Options(args, OptSpec{
		Short: "AcdrtuxZzjJavpPmkUwhlOoSWiBMRf:C:b:T:X:g:K:H:N:V:F:L:I:n",
		Long: "create extract get list append update delete diff file= directory= files-from= exclude= exclude-from= strip-components= transform= xform= to-command= checkpoint=? checkpoint-action= use-compress-program= " +
			"gzip bzip2 xz zstd verbose keep-old-files overwrite unlink-first remove-files absolute-names dereference to-stdout same-owner no-same-owner preserve-permissions one-top-level=? wildcards info-script= new-volume-script= rsh-command= recursive-unlink owner= group= mode= sort= mtime=",
	})
	for _, w := range o.Values("to-command", "use-compress-program", "I", "F", "info-script", "new-volume-script", "rsh-command") {
		e.run("tar", w)
	}
	for _, w := range o.Values("checkpoint-action") {
		if k, v, ok := w.Cut("="); ok && k == "exec" {
			e.run("tar", v)
		}
	}
	file, _ := o.Value("f", "file")
	dir := Lit(".")
	if d, ok := o.Value("C", "directory"); ok {
		dir = d
	}
	switch {
	case o.Has("x", "extract", "get"):
		e.add(Read, file)
		if o.Has("O", "to-stdout") {
			return
		}
		if d, ok := o.Value("one-top-level"); ok {
			dir = d
		}
		e.extract(dir, o.Rest)
	case o.Has("c", "r", "u", "create", "append", "update"):
		op := Write
		if !o.Has("c", "create") {
			op = Modify
		}
		e.add(op, file)
		for _, w := range o.Rest {
			e.add(Read, e.a.word(e.a.path(e.a.path(e.a.dir(e.st), e.a.intern(dir)), e.a.intern(w)), w.Raw), recursive)
			if o.Has("remove-files") {
				e.add(Delete, w, recursive, force)
			}
		}
	case o.Has("delete"):
		e.add(Modify, file)
	}
}

func (e effector) network(name string, args []Word) bool {
	switch name {
	case "curl":
		e.curl(args)
	case "wget":
		o := Options(args, OptSpec{
			Short: "O:P:o:a:i:qcNSTt:U:e:B:Q:w:l:A:R:D:I:X:bdvrkKpmHLnhVFxEY:",
			Long:  "output-document= directory-prefix= output-file= append-output= input-file= quiet continue post-file= post-data= body-file= body-data= header= method= user-agent= no-check-certificate tries= timeout= execute= use-askpass= save-cookies= load-cookies= recursive spider",
		})
		if w, ok := o.Value("O", "output-document"); ok {
			e.add(Write, w)
		} else if !o.Has("spider", "help", "version", "V", "h") {
			dir := ""
			if d, ok := o.Value("P", "directory-prefix"); ok {
				dir = e.a.intern(d) + "/"
			}
			for _, u := range o.Rest {
				e.add(Write, e.a.word(dir+urlName(e.a.intern(u)), u.Raw))
			}
		}
		for _, w := range o.Values("o", "output-file", "save-cookies") {
			e.add(Write, w)
		}
		for _, w := range o.Values("a", "append-output") {
			e.add(Append, w)
		}
		for _, w := range o.Values("post-file", "body-file", "i", "input-file") {
			e.add(Read, w)
		}
		for _, w := range o.Values("use-askpass") {
			e.run("wget", w)
		}
	case "aria2c", "axel", "http", "https", "xh":
		o := Options(args, OptSpec{Short: "o:d:x:s:n:j:i:a:A:hbv", Long: "out= dir= output= download"})
		for _, w := range o.Values("o", "out", "output") {
			if d, ok := o.Value("d", "dir"); ok {
				w = e.a.word(e.a.intern(d)+"/"+e.a.intern(w), w.Raw)
			}
			e.add(Write, w)
		}
		for _, w := range o.Rest {
			if i := strings.IndexByte(w.Text, '@'); i >= 0 && (name[0] == 'h' || name == "xh") && !strings.Contains(w.Text, "://") {
				e.add(Read, w.CutPrefix(i+1))
			}
		}
	case "nc", "ncat", "netcat", "socat", "telnet":
		o := Options(args, OptSpec{Short: "e:c:lp:uvnzw:q:s:kdX:x:i:", Long: "exec= sh-exec= lua-exec="})
		for _, w := range o.Values("e", "c", "exec", "sh-exec") {
			e.run(name+" -e", w)
		}
		if name == "socat" {
			for _, w := range args {
				for _, p := range []string{"EXEC:", "SYSTEM:"} {
					if strings.HasPrefix(strings.ToUpper(w.Text), p) {
						t := e.a.intern(w.CutPrefix(len(p)))
						t, _, _ = strings.Cut(t, ",")
						e.run("socat", e.a.word(strings.Trim(t, "'\""), ""))
					}
				}
			}
		}
	default:
		return false
	}
	return true
}

func urlName(u string) string {
	u, _, _ = strings.Cut(u, "?")
	u, _, _ = strings.Cut(u, "#")
	if i := strings.Index(u, "://"); i >= 0 {
		u = u[i+3:]
	}
	if i := strings.LastIndexByte(u, '/'); i >= 0 && i+1 < len(u) {
		return u[i+1:]
	}
	return "index.html"
}

func (e effector) curl(args []Word) {
	o := Options(args, OptSpec{
		Short: "#:0123464aA:b:Bc:C:d:D:e:E:fF:gGhH:iIjJkK:lLm:MnNo:OpP:qQ:r:RsSt:T:u:U:vVw:x:X:y:Y:z:Z",
		Long: "output= output-dir= remote-name remote-name-all data= data-raw= data-binary= data-ascii= data-urlencode= json= form= form-string= upload-file= config= header= request= user= user-agent= url= " +
			"cookie= cookie-jar= dump-header= trace= trace-ascii= stderr= cert= key= cacert= capath= proxy= proxy-user= referer= max-time= connect-timeout= retry= retry-delay= retry-max-time= range= limit-rate= write-out= resolve= interface= netrc-file= unix-socket= continue-at= " +
			"silent show-error fail fail-with-body location insecure compressed include head verbose get globoff parallel create-dirs netrc no-buffer tlsv1.2 http1.1 http2 ipv4 ipv6 progress-bar",
	})
	dir := ""
	if d, ok := o.Value("output-dir"); ok {
		dir = e.a.intern(d) + "/"
	}
	for _, w := range o.Values("o", "output") {
		if dir != "" && !strings.HasPrefix(w.Text, "/") {
			w = e.a.word(dir+e.a.intern(w), w.Raw)
		}
		e.add(Write, w)
	}
	if o.Has("O", "remote-name", "remote-name-all") {
		for _, u := range append(o.Values("url"), o.Rest...) {
			e.add(Write, e.a.word(dir+urlName(e.a.intern(u)), u.Raw))
		}
	}
	for _, w := range o.Values("c", "cookie-jar", "D", "dump-header", "trace", "trace-ascii", "stderr") {
		e.add(Write, w)
	}
	for _, w := range o.Values("d", "data", "data-binary", "data-ascii", "json") {
		if strings.HasPrefix(w.Text, "@") {
			e.add(Read, w.CutPrefix(1))
		}
	}
	for _, w := range o.Values("H", "header") {
		if strings.HasPrefix(w.Text, "@") {
			e.add(Read, w.CutPrefix(1))
		}
	}
	for _, w := range o.Values("data-urlencode", "F", "form") {
		if i := strings.IndexAny(w.Text, "@<"); i >= 0 {
			f := w.CutPrefix(i + 1)
			if j := strings.IndexByte(f.Text, ';'); j >= 0 && f.Known() {
				f = Lit(f.Text[:j])
			}
			e.add(Read, f)
		}
	}
	for _, w := range o.Values("T", "upload-file", "K", "config", "netrc-file") {
		e.add(Read, w)
	}
	for _, u := range append(o.Values("url"), o.Rest...) {
		if p, ok := strings.CutPrefix(u.Text, "file://"); ok {
			e.add(Read, u.CutPrefix(len(u.Text)-len(p)))
		}
	}
}

// reads records the files that a program shows or takes in.
func (e effector) reads(name string, args []Word) {
	var spec OptSpec
	switch name {
	case "cat", "tac", "less", "more", "bat", "batcat", "nl", "rev", "strings", "od", "hexdump", "base64", "base32", "wc", "md5sum", "sha1sum", "sha256sum",
		"shasum", "md5", "cksum", "pbcopy", "diff", "cmp", "comm", "paste", "join", "fold", "expand", "column", "most", "view", "zcat", "bzcat", "xzcat", "gzcat", "source", "qrencode", "lpr", "mail", "uuencode":
		if name != "cat" && name != "diff" && name != "base64" && name != "wc" {
			spec = OptSpec{Short: "A:w:i:s:"}
		}
		if name == "paste" {
			spec = OptSpec{Short: "d:sz"}
		}
	case "head", "tail":
		spec = OptSpec{Short: "n:c:qvzfFs:", Long: "lines= bytes= quiet verbose follow=? pid= sleep-interval="}
	case "cut":
		spec = OptSpec{Short: "b:c:d:f:nsz", Long: "bytes= characters= delimiter= fields= output-delimiter="}
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep":
		spec = OptSpec{Short: "A:B:C:e:f:m:g:t:T:j:d:D:", Long: "regexp= file= include= exclude= exclude-dir= glob= type= color=? context= after-context= before-context= max-count="}
		o := Options(args, spec)
		rest := o.Rest
		if !o.Has("e", "f", "regexp", "file") {
			rest = rest[min(1, len(rest)):]
		}
		e.all(Read, rest, flags(o.Has("r", "R", "recursive") || name == "rg" || name == "ag", false))
		return
	default:
		return
	}
	o := Options(args, spec)
	e.all(Read, o.Rest)
}
