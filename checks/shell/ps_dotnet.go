package shell

import "strings"

// typed reads [type], [type]::Member(…) and a cast.
func (p *ps) typed() psVal {
	name := strings.ToLower(strings.ReplaceAll(p.group('[', ']'), " ", ""))
	name = strings.TrimPrefix(name, "system.")
	if !strings.HasPrefix(p.src[p.at:], "::") {
		p.skip(false)
		if p.ended() || p.peek() == ',' {
			return psVal{fn: name, known: true}
		}
		v := p.value()
		v.fn = name
		return v
	}
	p.at += 2
	member := p.memberName()
	if p.peek() != '(' {
		return p.constant(name, member)
	}
	args := p.arguments()
	return p.static(name, member, args)
}

func (p *ps) memberName() string {
	if c := p.peek(); c == '\'' || c == '"' || c == '$' {
		return strings.ToLower(p.value().text())
	}
	w := p.word()
	p.at += len(w)
	return w
}

// arguments reads (a, b, c).
func (p *ps) arguments() []psVal {
	body := p.group('(', ')')
	in := &ps{a: p.a, src: body, st: p.st, cx: p.cx, vars: p.vars, funcs: p.funcs, alias: p.alias, depth: p.depth + 1}
	var out []psVal
	for p.depth < maxDepth && p.a.step(1) {
		in.skip(true)
		if in.at >= len(body) {
			break
		}
		before := in.at
		v := in.unary()
		for in.skip(true); in.peek() == '+'; in.skip(true) {
			in.at++
			in.skip(true)
			w := in.unary()
			v = psVal{list: []string{v.text() + w.text()}, known: v.known && w.known, from: append(v.from, w.from...)}
		}
		out = append(out, v)
		for in.at < len(body) && in.peek() != ',' {
			if in.at == before {
				in.at++
			}
			before = in.at
			in.unary()
			in.skip(true)
			if in.at == before {
				in.at++
			}
		}
		in.at++
	}
	return out
}

func (p *ps) constant(name, member string) psVal {
	switch name + "::" + member {
	case "environment::userprofile", "environment::home":
		return psText(p.a.get(p.st, "HOME"))
	case "io.path::directoryseparatorchar":
		return psText("/")
	case "environment::newline":
		return psText("\n")
	}
	return p.unknown(member)
}

// static performs a call of .NET that matters: files, processes, the network.
func (p *ps) static(name, member string, args []psVal) psVal {
	arg := func(i int) psVal {
		if i < len(args) {
			return args[i]
		}
		return psVal{}
	}
	typ := name[strings.LastIndexByte(name, '.')+1:]
	switch typ {
	case "file", "directory", "filesystem":
		return p.dotnetFile(typ, member, args)
	case "path":
		switch member {
		case "gettemppath":
			return psText("/tmp/")
		case "gettempfilename", "getrandomfilename":
			return psText("/tmp/tmp.powershell")
		case "combine", "join":
			v := arg(0)
			for _, w := range args[min(1, len(args)):] {
				v = psVal{list: []string{v.text() + "/" + w.text()}, known: v.known && w.known}
			}
			return v
		case "getfullpath":
			return arg(0)
		}
	case "environment":
		switch member {
		case "getenvironmentvariable":
			return p.lookup("env:" + strings.ToLower(arg(0).text()))
		case "getfolderpath":
			return psText(p.a.get(p.st, "HOME"))
		case "setenvironmentvariable":
			p.assign("env:"+strings.ToLower(arg(0).text()), arg(1))
			return psVal{known: true}
		}
	case "process":
		if member == "start" {
			words := append([]string{}, arg(0).list...)
			p.program(append(words, p.split(arg(1).text())...), psVal{})
		}
		return psVal{}
	case "encoding", "utf8", "unicode":
		return p.unknown(member)
	case "convert":
		if member == "frombase64string" {
			if s, ok := decodeUTF16(arg(0).text()); ok && arg(0).known {
				return psText(sanitize(s))
			}
		}
		return p.unknown(member)
	case "scriptblock":
		if member == "create" {
			return psVal{block: arg(0).text(), known: true}
		}
	case "webclient", "httpclient":
		return psVal{fn: "webclient", known: true}
	case "string":
		if member == "join" && len(args) > 1 {
			return psVal{list: []string{strings.Join(arg(1).list, arg(0).text())}, known: arg(1).known}
		}
	case "computer", "clipboard", "math", "guid", "datetime", "regex", "console", "int", "array":
		return p.unknown(member)
	}
	if member == "new" {
		return psVal{fn: typ, known: true, list: arg(0).list}
	}
	return p.unknown(member)
}

func (p *ps) dotnetFile(typ, member string, args []psVal) psVal {
	if len(args) == 0 {
		return psVal{}
	}
	idx, ok := p.emit("["+typ+"]::"+member, "", nil, psVal{})
	if !ok {
		return psVal{}
	}
	rec := len(args) > 1 && strings.EqualFold(args[1].text(), "true")
	path := args[:1]
	switch member {
	case "delete", "deletedirectory", "deletefile":
		p.effects(idx, Delete, path, rec || member == "deletedirectory", true, psVal{})
	case "writealltext", "writealllines", "writeallbytes", "create", "createtext", "openwrite", "writealltextasync":
		content := psVal{}
		if len(args) > 1 && strings.HasPrefix(member, "writeall") {
			content = args[1]
		}
		p.effects(idx, Write, path, false, false, content)
	case "appendalltext", "appendalllines", "appendtext":
		p.effects(idx, Append, path, false, false, args[len(args)-1])
	case "move", "movefile", "movedirectory", "replace":
		p.effects(idx, Move, path, false, false, psVal{})
		if len(args) > 1 {
			p.effects(idx, Write, args[1:2], false, false, psVal{})
		}
	case "copy":
		p.effects(idx, Read, path, false, false, psVal{})
		if len(args) > 1 {
			p.effects(idx, Write, args[1:2], false, false, psVal{})
		}
	case "createdirectory":
		p.effects(idx, MakeDir, path, false, false, psVal{})
	case "readalltext", "readalllines", "readallbytes", "openread", "opentext", "readlines":
		p.effects(idx, Read, path, false, false, psVal{})
		return p.unknown(member, idx)
	case "getfiles", "enumeratefiles", "getdirectories", "enumeratefilesystementries", "getfilesystementries":
		return psVal{list: []string{strings.TrimSuffix(p.path(args[0].text()), "/") + "/*"}}
	}
	return psVal{}
}

// members reads .Name, .Method(…), ::Name and [index] behind a value.
func (p *ps) members(v psVal) psVal {
	for p.at < len(p.src) && p.a.step(1) {
		switch {
		case p.src[p.at] == '[' && v.block == "":
			in := p.group('[', ']')
			if v.known && len(v.list) > 0 && in == "0" {
				v = psVal{list: v.list[:1], known: true}
			} else {
				v.known = false
			}
		case p.src[p.at] == '.' && p.at+1 < len(p.src) && alpha(p.src[p.at+1]) || strings.HasPrefix(p.src[p.at:], "?.") || strings.HasPrefix(p.src[p.at:], "::"):
			for p.src[p.at] == '.' || p.src[p.at] == '?' || p.src[p.at] == ':' {
				p.at++
			}
			name := p.word()
			p.at += len(name)
			if p.peek() == '(' {
				v = p.method(v, name, p.arguments())
			} else {
				v = p.property(v, name)
			}
		default:
			return v
		}
	}
	return v
}

func (p *ps) property(v psVal, name string) psVal {
	switch name {
	case "fullname", "path", "name", "providerpath", "pspath", "value", "basename", "directory", "directoryname", "definition", "source", "content", "line", "parent":
		return v
	case "length", "count", "lastwritetime", "creationtime", "extension", "psiscontainer", "exists", "id", "cpu", "statuscode", "isreadonly", "attributes":
		return psVal{}
	}
	return psVal{list: []string{p.a.unknownVar(name, true)}, from: v.from, fn: v.fn}
}

func (p *ps) method(v psVal, name string, args []psVal) psVal {
	switch name {
	case "delete":
		if v.fn == "webclient" {
			return psVal{}
		}
		if idx, ok := p.emit("delete", "Delete()", nil, psVal{}); ok {
			p.effects(idx, Delete, []psVal{v}, len(args) > 0 || strings.Contains(v.text(), "*"), true, psVal{})
		}
	case "downloadstring", "getstringasync", "downloaddata", "openread":
		if len(args) > 0 {
			if idx, ok := p.emit("curl", "DownloadString", []string{"-s", args[0].text()}, psVal{}); ok {
				return p.unknown("", idx)
			}
		}
	case "downloadfile":
		if len(args) > 1 {
			if idx, ok := p.emit("curl", "DownloadFile", []string{"-s", "-o", p.path(args[1].text()), args[0].text()}, psVal{}); ok {
				p.effects(idx, Write, args[1:2], false, false, psVal{})
			}
		}
	case "uploadstring", "uploadfile", "uploaddata":
		if len(args) > 1 {
			data := args[len(args)-1]
			flag := "-d"
			if name == "uploadfile" {
				flag = "-T"
			}
			if idx, ok := p.emit("curl", "Upload", []string{flag, data.text(), args[0].text()}, data); ok && name == "uploadfile" {
				p.effects(idx, Read, []psVal{data}, false, false, psVal{})
			}
		}
	case "moveto", "copyto":
		if idx, ok := p.emit(name, name+"()", nil, psVal{}); ok && len(args) > 0 {
			if name == "moveto" {
				p.effects(idx, Move, []psVal{v}, false, false, psVal{})
			}
			p.effects(idx, Write, args[:1], false, false, psVal{})
		}
	case "invoke", "invokereturnasis":
		if v.block != "" {
			return p.sub(v.block, false)
		}
	case "foreach":
		if len(args) > 0 && args[0].block != "" {
			p.eachOf(v, args[0].block)
		}
	case "where":
		return v
	case "tostring", "trim", "trimend", "trimstart", "tolower", "toupper", "substring":
		return v
	case "replace":
		if v.known && len(args) == 2 && args[0].known && args[1].known && args[0].text() != "" {
			return psText(strings.ReplaceAll(v.text(), args[0].text(), args[1].text()))
		}
	case "split":
		if v.known && len(args) == 1 && args[0].known && args[0].text() != "" {
			return psVal{list: strings.Split(v.text(), args[0].text()), known: true}
		}
	case "format":
		return v
	case "kill", "closemainwindow":
		return psVal{}
	}
	return psVal{list: []string{p.a.unknownVar(name, true)}, from: v.from, fn: v.fn}
}

// eachOf runs a block with $_ for the values of v.
func (p *ps) eachOf(v psVal, block string) psVal {
	old, had := p.vars["_"]
	p.vars["_"] = v
	p.vars["psitem"] = v
	out := p.sub(block, true)
	if had {
		p.vars["_"], p.vars["psitem"] = old, old
	} else {
		delete(p.vars, "_")
	}
	return out
}
