package shell

import (
	"path"
	"strings"
)

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
			for f := range strings.SplitSeq(s, sep) {
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
	for i := range 4 {
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
