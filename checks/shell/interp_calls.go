package shell

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
)

// constant is the value of a dotted name that is not called.
func (p *interp) constant(name string) val {
	switch name {
	case "process.env.HOME", "process.env.USERPROFILE":
		return known(p.a.get(p.st, "HOME"))
	case "os.sep", "path.sep", "File.SEPARATOR":
		return known("/")
	case "process.argv", "sys.argv", "ARGV", "Deno.args", "$argv":
		return p.arguments(name)
	case "Dir.home", "Dir.pwd", "Dir.getwd", "Dir.tmpdir":
		if v, ok := p.value(name, nil, nil); ok && !p.punct(0, "(") {
			return v
		}
	}
	if n, ok := strings.CutPrefix(name, "process.env."); ok && !strings.Contains(n, ".") {
		return p.variable(n)
	}
	return val{fn: name}
}

func (p *interp) variable(name string) val {
	s := p.a.get(p.st, name)
	for _, e := range p.cx.env {
		if e.Name == name {
			s = p.a.intern(e.Value)
		}
	}
	return known(s)
}

func (p *interp) arguments(name string) val {
	list := val{isList: true, fn: name}
	switch name {
	case "process.argv":
		list.list = append(list.list, known("node"))
	case "sys.argv", "$argv":
		list.list = append(list.list, known("-c"))
	}
	for _, s := range p.argv {
		list.list = append(list.list, known(s))
	}
	return list
}

// index is value[key].
func (p *interp) index(v val, name string, key []val) val {
	switch name {
	case "os.environ", "ENV", "process.env", "$_ENV", "$_SERVER", "$ENV":
		if len(key) > 0 && key[0].known {
			return p.variable(key[0].s)
		}
	case "Dir":
		if len(key) > 0 {
			return p.globbed(key)
		}
	case "sys.argv", "ARGV", "process.argv", "$argv", "$ARGV":
		v = p.arguments(strings.TrimPrefix(name, "$ARGV"))
	}
	if v.isList && len(key) == 1 && key[0].known {
		if n, err := strconv.Atoi(key[0].s); err == nil && n >= 0 && n < len(v.list) {
			return v.list[n]
		}
	}
	if v.known && len(key) == 0 { // s[::-1]
		return known(reverse(v.s))
	}
	if v.isList && len(v.list) > 0 {
		return p.element(v)
	}
	return p.unknown("")
}

// globbed turns the pattern characters of path strings into globs.
func (p *interp) globbed(paths []val) val {
	var list []val
	for _, v := range paths {
		if v.isList {
			list = append(list, p.globbed(v.list).list...)
			continue
		}
		for _, s := range strings.Fields(p.text(v)) {
			list = append(list, known(p.a.globbed(s)))
		}
	}
	return val{isList: true, list: list}
}

// member is value.name, called or not. The value is a path or text, mostly.
func (p *interp) member(v val, name string) val {
	var args []val
	var kw map[string]val
	called := false
	switch {
	case p.is("("):
		p.at++
		// A function that walks the elements binds them to its parameter first.
		switch name {
		case "forEach", "map", "each", "filter", "for_each", "then", "flatMap":
			p.bindParam(v)
		}
		args, kw = p.args(")")
		called = true
	case p.lang == "ruby" && (name == "each" || name == "map") && (p.is("{") || p.peek(0).text == "do"):
		p.at++
		p.bindParam(v)
		return v
	}
	if called {
		if r, ok := p.method(v, name, args, kw); ok {
			return r
		}
	}
	s := ""
	if v.known {
		s = v.s
	}
	if v.alt && (name == "resolve" || name == "absolute" || name == "expanduser") {
		return v
	}
	switch name {
	case "parent", "dirname":
		if v.known && !p.a.opaque(s) {
			return known(path.Dir(s))
		}
	case "name", "basename":
		return known(base(s))
	case "resolve", "absolute", "strip", "trim", "chomp", "to_s", "toString", "as_posix", "readlines", "then", "sort", "reverse", "filter", "map", "flatMap",
		"to_a", "each", "forEach", "freeze", "read", "close", "encode", "decode", "lower", "toLowerCase", "expanduser", "expand_path", "realpath", "path", "href", "pathname", "text", "sync":
		if name == "expanduser" {
			return known(expandHome(s, p.a.get(p.st, "HOME")))
		}
		if name == "reverse" && v.known && !hasPrivate(s) {
			return known(reverse(s))
		}
		return v
	case "join":
		if v.isList { // [..].join("")
			sep := ""
			if len(args) > 0 {
				sep = p.text(args[0])
			}
			return known(p.joinList(v.list, sep))
		}
		if v.known && len(args) == 1 && args[0].isList { // "".join([..])
			return known(p.joinList(args[0].list, s))
		}
		if v.known {
			for _, x := range args {
				v = p.joinPath(v, x)
			}
			return v
		}
	case "joinpath", "concat":
		for _, x := range args {
			if name == "concat" {
				v = p.add(v, x)
			} else {
				v = p.joinPath(v, x)
			}
		}
		return v
	case "replace", "gsub", "sub", "replaceAll":
		if v.known && len(args) == 2 && args[0].known && args[1].known && args[0].s != "" {
			return known(strings.ReplaceAll(s, args[0].s, args[1].s))
		}
		return v
	case "split":
		if v.known && !hasPrivate(s) {
			sep := " "
			if len(args) > 0 && args[0].known && args[0].s != "" {
				sep = args[0].s
			}
			var list []val
			for _, f := range strings.Split(s, sep) {
				if f != "" || sep != " " {
					list = append(list, known(f))
				}
			}
			return val{isList: true, list: list}
		}
	case "format":
		if v.known {
			for _, x := range args {
				s = strings.Replace(s, "{}", p.text(x), 1)
			}
			return known(s)
		}
	case "push", "append":
		return v
	}
	if v.known && called {
		return p.unknown("")
	}
	return val{fn: name}
}

func (p *interp) joinList(list []val, sep string) string {
	parts := make([]string, 0, len(list))
	for _, e := range list {
		parts = append(parts, p.text(e))
	}
	return strings.Join(parts, sep)
}

// bindParam binds the parameter of the function that follows to an element of
// v: (f) => …, f => …, function (f), |f|.
func (p *interp) bindParam(v val) {
	for i := 0; i < 4; i++ {
		t := p.peek(i)
		if t.kind == tokIdent && t.text != "function" && t.text != "async" {
			p.vars[t.text] = p.element(v)
			if p.lang == "ruby" {
				p.at += i + 1
			}
			return
		}
		if t.kind == tokLine {
			return
		}
	}
}

// method is a call on a value that is a path, text or list.
func (p *interp) method(v val, name string, args []val, kw map[string]val) (val, bool) {
	target := []val{v}
	switch name {
	case "unlink", "unlinkSync", "rmtree", "remove", "delete", "rmdir", "removeSync", "rm":
		if (v.known || v.alt) && (name == "unlink" || name == "rmdir" || name == "rmtree" || len(args) == 0 && p.lang != "py") {
			p.effect(Delete, target, name == "rmtree")
			return val{}, true
		}
	case "write_text", "write_bytes", "writeText":
		p.effect(Write, target, false, args...)
		return val{}, true
	case "touch":
		p.effect(Append, target, false)
		return val{}, true
	case "rename", "replace":
		if len(args) == 1 && p.lang != "js" {
			p.effect(Move, target, false)
			p.effect(Write, args, false)
			return args[0], true
		}
	case "symlink_to", "hardlink_to":
		p.effect(Link, target, false, args...)
		return val{}, true
	case "chmod":
		p.effect(Mode, target, false, args...)
		return val{}, true
	case "mkdir", "mkpath":
		p.effect(MakeDir, target, false)
		return val{}, true
	case "open":
		if v.known {
			p.open(append(target, args...), kw)
			return v, true
		}
	case "read_text", "read_bytes":
		p.effect(Read, target, false)
		return p.unknown(""), true
	case "glob", "rglob":
		if len(args) > 0 {
			pat := p.text(args[0])
			if name == "rglob" {
				pat = "**/" + pat
			}
			return p.globbed([]val{p.joinPath(v, known(pat))}), true
		}
	case "iterdir", "children", "each_child", "entries":
		return known(strings.TrimSuffix(p.text(v), "/") + "/" + p.a.glob("*")), true
	}
	// A method of a process module that was given another name, s.run([...]).
	if v.fn != "" {
		return p.call(v.fn+"."+name, nil, args, kw), true
	}
	return val{}, false
}

// call performs a call of a dotted name.
func (p *interp) call(name string, _ *val, args []val, kw map[string]val) val {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "builtins."), "Kernel.")
	name = strings.ReplaceAll(name, ".promises.", ".")
	if v, ok := p.value(name, args, kw); ok {
		return v
	}
	if p.dry {
		return p.unknown("")
	}
	if p.runs(name, args, kw) || p.files(name, args, kw) {
		return p.unknown(name)
	}
	return val{fn: name + "()", s: p.a.unknownVar(name, true)}
}

// value is a call that only makes a value.
func (p *interp) value(name string, args []val, _ map[string]val) (val, bool) {
	arg := func(i int) val {
		if i < len(args) {
			return args[i]
		}
		return val{}
	}
	home := func() val { return known(p.a.get(p.st, "HOME")) }
	switch name {
	case "os.path.expanduser", "path.expanduser", "File.expand_path", "Path.expanduser":
		return known(expandHome(p.text(arg(0)), p.a.get(p.st, "HOME"))), true
	case "Path.home", "pathlib.Path.home", "os.homedir", "homedir", "Dir.home", "os.userInfo", "System.user_home", "System.user_home!":
		return home(), true
	case "os.getcwd", "os.getcwdb", "process.cwd", "Dir.pwd", "Dir.getwd", "Path.cwd", "pathlib.Path.cwd", "getcwd", "Cwd.getcwd", "cwd", "Deno.cwd":
		return known(p.a.dir(p.st)), true
	case "os.path.join", "path.join", "path.resolve", "File.join", "posixpath.join", "joinpath", "join", "File.Spec.catfile", "Path.join", "path.posix.join":
		if p.lang == "perl" && name == "join" {
			if len(args) > 1 {
				return known(p.joinList(args[1:], p.text(args[0]))), true
			}
			return val{}, true
		}
		if len(args) == 0 {
			return val{}, true
		}
		v := args[0]
		for _, w := range args[1:] {
			v = p.joinPath(v, w)
		}
		return v, true
	case "Path", "pathlib.Path", "PurePath", "pathlib.PurePath", "pathlib.PosixPath", "Pathname", "Pathname.new", "str", "String", "bytes", "os.fspath", "Bun.file", "URL", "list", "sorted", "Array.from", "iter", "reversed", "set", "tuple",
		"os.path.abspath", "os.path.realpath", "os.path.normpath", "realpath", "fs.realpathSync", "escapeshellarg", "shlex.quote", "Shellwords.escape", "File.realpath", "path.normalize", "fileURLToPath", "Promise.all", "encodeURI", "File.absolute_path", "enumerate", "repr":
		if len(args) == 0 {
			return known("."), true
		}
		v := args[0]
		if strings.Contains(name, "Path") {
			for _, w := range args[1:] {
				v = p.joinPath(v, w)
			}
		}
		if len(args) > 1 && strings.Contains(name, "URL") {
			v = args[0]
		}
		return v, true
	case "os.path.dirname", "path.dirname", "File.dirname", "dirname":
		if v := arg(0); v.known && !p.a.opaque(v.s) {
			return known(path.Dir(v.s)), true
		}
		return p.unknown("dirname"), true
	case "os.path.basename", "path.basename", "File.basename", "basename":
		return known(base(p.text(arg(0)))), true
	case "glob.glob", "glob.iglob", "glob", "Dir.glob", "fg.sync", "globSync", "glob.sync", "fs.globSync", "globby.sync", "Path.wildcard", "Sys.glob", "bsd_glob", "File.Glob.bsd_glob", "fast-glob.sync", "globby":
		return p.globbed(args), true
	case "os.listdir", "os.scandir", "fs.readdirSync", "fs.readdir", "readdirSync", "Dir.children", "Dir.entries", "Dir.each_child", "scandir", "readdir", "File.ls!", "Deno.readDirSync", "list.files":
		if name == "os.scandir" || name == "scandir" && p.lang == "py" {
			return known(strings.TrimSuffix(p.text(arg(0)), "/") + "/" + p.a.glob("*")), true
		}
		return known(p.a.glob("*")), true
	case "os.walk", "walk", "os.fwalk":
		return val{isList: true, list: []val{known(strings.TrimSuffix(p.text(arg(0)), "/") + "/" + p.a.glob("**"))}}, true
	case "os.environ.get", "os.getenv", "getenv", "ENV.fetch", "Deno.env.get", "System.get_env", "Sys.getenv", "environ.get":
		if v := arg(0); v.known {
			if w, ok := p.a.lookup(p.st, v.s); !ok && len(args) > 1 && len(w.alts) > 0 {
				return args[1], true
			}
			return p.variable(v.s), true
		}
	case "tempfile.gettempdir", "os.tmpdir", "tmpdir", "Dir.tmpdir", "sys_get_temp_dir", "System.tmp_dir!", "tempdir":
		return known("/tmp"), true
	case "tempfile.mkdtemp", "tempfile.mkstemp", "fs.mkdtempSync", "Dir.mktmpdir", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "tempnam", "tempfile", "mkdtempSync", "mktemp":
		return known("/tmp/tmp.interp"), true
	case "base64.b64decode", "b64decode", "atob", "base64_decode", "Base64.decode64", "Base64.strict_decode64", "decode_base64", "MIME.Base64.decode_base64", "base64.standard_b64decode", "base64.urlsafe_b64decode":
		if v := arg(0); v.known && !hasPrivate(v.s) {
			if b, err := base64.StdEncoding.DecodeString(pad(strings.Map(dropSpace, v.s))); err == nil {
				return known(sanitize(string(b))), true
			}
		}
		return p.unknown("decoded"), true
	case "bytes.fromhex", "binascii.unhexlify", "hex2bin":
		if b, err := hex.DecodeString(p.text(arg(0))); err == nil {
			return known(sanitize(string(b))), true
		}
		return p.unknown("decoded"), true
	case "Buffer.from":
		if enc := p.text(arg(1)); len(args) > 1 && arg(0).known {
			if enc == "base64" {
				return p.value("atob", args[:1], nil)
			}
			if enc == "hex" {
				return p.value("hex2bin", args[:1], nil)
			}
		}
		return arg(0), true
	case "compile":
		return arg(0), true
	case "chr", "String.fromCharCode":
		var b strings.Builder
		for _, v := range args {
			if n, err := strconv.ParseInt(v.s, 0, 32); err == nil && n > 0 && n < 0x10000 {
				b.WriteRune(rune(n))
			}
		}
		return known(b.String()), true
	case "require", "__import__", "importlib.import_module", "import", "import_module":
		if v := arg(0); v.known {
			return val{fn: module(v.s)}, true
		}
	case "getattr":
		if len(args) > 1 && args[1].known {
			if args[0].fn != "" {
				return val{fn: args[0].fn + "." + args[1].s}, true
			}
			return val{fn: args[1].s}, true
		}
	case "shlex.split", "Shellwords.split":
		if v := arg(0); v.known {
			var list []val
			for _, w := range p.a.splitWords(v.s) {
				list = append(list, known(p.a.intern(w)))
			}
			return val{isList: true, list: list}, true
		}
	case "sprintf", "format", "util.format":
		if len(args) > 0 {
			return p.format(args[0], val{isList: true, list: args[1:]}), true
		}
	case "reverse", "scalar":
		if v := arg(0); v.known && !hasPrivate(v.s) {
			return known(reverse(v.s)), true
		}
	case "urllib.request.urlopen", "requests.get", "fetch", "urlopen", "https.get", "http.get", "LWP.Simple.get", "get", "open-uri.open", "URI.open", "Net.HTTP.get", "axios.get", "httpx.get":
		return val{fn: "network()", s: p.a.unknownOutput([]int{p.idx}, true)}, true
	}
	return val{}, false
}
