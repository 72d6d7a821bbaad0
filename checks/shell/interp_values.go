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
		for s := range strings.FieldsSeq(p.text(v)) {
			list = append(list, known(p.a.globbed(s)))
		}
	}
	return val{isList: true, list: list}
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
