package shell

import (
	"slices"
	"strings"
)

// psCall is one call of a command of PowerShell.
type psCall struct {
	*ps
	name string
	raw  string
	args []psArg
	in   psVal
	fed  bool
}

// psCmdlet is the full name of a command that has a short one.
func psCmdlet(name string) string {
	switch name {
	case "rm", "ri", "del", "rd", "erase", "rmdir":
		return "remove-item"
	case "cp", "copy", "cpi":
		return "copy-item"
	case "mv", "move", "mi":
		return "move-item"
	case "ren", "rni":
		return "rename-item"
	case "ls", "dir", "gci":
		return "get-childitem"
	case "cat", "type", "gc":
		return "get-content"
	case "gi":
		return "get-item"
	case "sc":
		return "set-content"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "cli":
		return "clear-item"
	case "clp":
		return "clear-itemproperty"
	case "rp":
		return "remove-itemproperty"
	case "sp":
		return "set-itemproperty"
	case "si":
		return "set-item"
	case "ni":
		return "new-item"
	case "md", "mkdir":
		return "new-directory"
	case "echo", "write":
		return "write-output"
	case "cd", "chdir", "sl":
		return "set-location"
	case "pushd":
		return "push-location"
	case "popd":
		return "pop-location"
	case "iex":
		return "invoke-expression"
	case "icm":
		return "invoke-command"
	case "iwr", "curl", "wget":
		return "invoke-webrequest"
	case "irm":
		return "invoke-restmethod"
	case "saps", "start":
		return "start-process"
	case "sajb":
		return "start-job"
	case "spps", "kill":
		return "stop-process"
	case "ps", "gps":
		return "get-process"
	case "sasv":
		return "start-service"
	case "spsv":
		return "stop-service"
	case "foreach", "%":
		return "foreach-object"
	case "where", "?":
		return "where-object"
	case "select", "sort", "group", "measure":
		return name + "-object"
	case "tee":
		return "tee-object"
	case "sal", "nal":
		return "set-alias"
	case "sv", "nv", "set":
		return "set-variable"
	case "ipmo":
		return "import-module"
	}
	return name
}

// bind sorts the arguments by a spec in the form of OptSpec.Long, the parameters
// that an unclear abbreviation means first.
func (c *psCall) bind(spec string) psBound {
	out := psBound{named: map[string]psVal{}}
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if arg.param == "" {
			out.pos = append(out.pos, arg.val)
			continue
		}
		name, value := psParam(arg.param, spec)
		switch {
		case name == "":
			if arg.param == "rf" || arg.param == "fr" { // rm -rf, as people write it
				out.named["recurse"], out.named["force"] = psText("true"), psText("true")
			}
		case len(arg.val.list) > 0 || arg.val.block != "":
			out.named[name] = arg.val
		case value && i+1 < len(c.args) && c.args[i+1].param == "":
			i++
			out.named[name] = c.args[i].val
		default:
			out.named[name] = psText("true")
		}
	}
	return out
}

// psParam is the parameter of the spec that a name abbreviates.
func psParam(short, spec string) (name string, value bool) {
	const common = " erroraction= ea= errorvariable= ev= warningaction= wa= informationaction= infa= outvariable= ov= outbuffer= ob= pipelinevariable= pv= progressaction= verbose debug whatif wi confirm cf"
	for one := range strings.FieldsSeq(spec + common) {
		if bare := strings.TrimRight(one, "="); strings.HasPrefix(bare, short) {
			return bare, bare != one
		}
	}
	return "", false
}

// psBound is a call's arguments by their parameters.
type psBound struct {
	pos   []psVal
	named map[string]psVal
}

func (b psBound) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		v, ok := b.named[n]
		return ok && !strings.EqualFold(v.text(), "false")
	})
}

// value is the value of the first named parameter that was given, else the
// positional one; at is -1 for none.
func (b psBound) value(at int, names ...string) (psVal, bool) {
	for _, n := range names {
		if v, ok := b.named[n]; ok {
			return v, true
		}
	}
	if at >= 0 && at < len(b.pos) {
		return b.pos[at], true
	}
	return psVal{}, false
}

// record emits the call under its name with its words.
func (c *psCall) record() (int, bool) {
	idx, ok := c.emit(c.name, c.raw, nil, c.in)
	if ok {
		c.a.cmd(idx).Args = c.words(c.args)
	}
	return idx, ok
}

// run performs a command that is known; ok is false for any other.
func (c *psCall) run() (psVal, bool) {
	switch c.name {
	case "remove-item", "clear-item", "clear-content", "set-content", "add-content", "out-file", "tee-object", "copy-item", "move-item", "rename-item", "new-item", "new-directory", "get-content", "get-childitem", "get-item",
		"export-csv", "export-clixml", "set-item", "expand-archive", "compress-archive", "set-itemproperty", "new-itemproperty", "remove-itemproperty", "clear-itemproperty", "rename-itemproperty":
		return c.files(), true
	case "invoke-expression", "invoke-command", "start-process", "start-job", "start-threadjob", "measure-command", "foreach-object", "where-object", "invoke-webrequest", "invoke-restmethod", "start-bitstransfer", "stop-process", "get-process", "invoke-sqlcmd":
		return c.acts(), true
	case "set-location", "push-location", "pop-location", "set-alias", "new-alias", "set-variable", "new-variable", "write-output", "join-path", "resolve-path", "convert-path", "split-path", "get-location", "new-object", "new-temporaryfile", "select-object", "sort-object",
		"get-unique", "out-string", "convertto-json", "convertto-csv", "convertto-securestring", "get-variable", "write-host", "write-verbose", "write-debug", "write-warning", "write-error", "write-information", "write-progress", "out-null", "out-host", "test-path", "get-date", "get-random", "get-command":
		return c.values(), true
	}
	return psVal{}, false
}

// values performs commands that only change or make values.
func (c *psCall) values() psVal {
	switch c.name {
	case "set-location", "push-location":
		b := c.bind("path= literalpath= passthru stackname=")
		if c.name == "push-location" {
			c.st.dirs = append(slices.Clip(c.st.dirs), c.a.dir(c.st))
		}
		if v, ok := b.value(0, "path", "literalpath"); ok && len(v.list) == 1 {
			if psDrive(v.list[0]) {
				c.a.setDir(c.st, c.a.unknownVar("PWD", false))
			} else if to := c.path(v.list[0]); to != "" {
				c.a.setDir(c.st, c.a.path(c.a.dir(c.st), to))
			}
		}
	case "pop-location":
		if n := len(c.st.dirs); n > 0 {
			c.a.setDir(c.st, c.st.dirs[n-1])
			c.st.dirs = c.st.dirs[:n-1]
		} else {
			c.a.setDir(c.st, c.a.unknownVar("PWD", false))
		}
	case "set-alias", "new-alias":
		b := c.bind("name= value= force scope= option= description= passthru")
		name, _ := b.value(0, "name")
		to, ok := b.value(1, "value")
		if ok && c.alias == nil {
			c.alias = map[string]string{}
		}
		if ok && len(c.alias) < 200 {
			c.alias[strings.ToLower(name.text())] = to.text()
		}
	case "set-variable", "new-variable":
		b := c.bind("name= value= scope= option= force passthru")
		name, ok := b.value(0, "name")
		if v, given := b.value(1, "value"); ok && given {
			c.assign(psName(name.text()), v)
		}
	case "get-variable":
		if v, ok := c.bind("name= valueonly").value(0, "name"); ok {
			return c.lookup(psName(v.text()))
		}
	case "write-output":
		out := psVal{known: true}
		for _, v := range c.bind("inputobject= noenumerate").pos {
			out.list = append(out.list, v.list...)
			out.known = out.known && v.known
			out.from = append(out.from, v.from...)
		}
		return out
	case "join-path":
		b := c.bind("path= childpath= additionalchildpath= resolve")
		dir, _ := b.value(0, "path")
		parts := b.pos[min(1, len(b.pos)):]
		if child, ok := b.named["childpath"]; ok {
			parts = append([]psVal{child}, b.pos...)
		}
		text, known := dir.text(), dir.known
		for _, v := range parts {
			text = strings.TrimRight(text, `/\`) + "/" + strings.TrimLeft(v.text(), `/\`)
			known = known && v.known
		}
		return psVal{list: []string{text}, known: known, from: dir.from}
	case "resolve-path", "convert-path":
		if v, ok := c.bind("path= literalpath= relative").value(0, "path", "literalpath"); ok {
			return v
		}
		return c.in
	case "split-path":
		v, ok := c.bind("parent leaf path= literalpath= qualifier noqualifier").value(0, "path", "literalpath")
		if !ok {
			v = c.in
		}
		if p := windowsPath(v.text()); v.known && strings.Contains(strings.Trim(p, "/"), "/") {
			return psText(p[:strings.LastIndexByte(strings.TrimRight(p, "/"), '/')])
		}
		return c.unknown("", v.from...)
	case "get-location":
		return psText(c.a.dir(c.st))
	case "new-temporaryfile":
		return psText("/tmp/tmp.powershell")
	case "new-object":
		v, _ := c.bind("typename= argumentlist= comobject= property=").value(0, "typename")
		name := strings.ToLower(v.text())
		return psVal{fn: name[strings.LastIndexByte(name, '.')+1:], known: true}
	case "select-object", "sort-object", "get-unique", "out-string":
		return c.in
	case "convertto-json", "convertto-csv", "convertto-securestring":
		v := c.in
		if x, ok := c.bind("inputobject= depth= compress asarray string= key= asplaintext force").value(0, "inputobject", "string"); ok {
			v = x
		}
		return psVal{list: v.list, from: v.from, known: v.known}
	case "get-random", "get-date", "get-command":
		return c.unknown(c.name)
	}
	return psVal{known: c.name != "test-path"}
}

// acts performs commands that run other things.
func (c *psCall) acts() psVal {
	switch c.name {
	case "invoke-expression":
		v, ok := c.bind("command=").value(0, "command")
		if !ok {
			v = c.in
		}
		idx, fine := c.emit(c.name, c.raw, nil, v)
		if !fine {
			return psVal{}
		}
		c.a.cmd(idx).Args = c.words(c.args)
		text := strings.Join(v.list, "\n")
		if !v.known || len(v.from) > 0 && c.a.startsOpaque(text) {
			c.a.cmd(idx).Unread = true
		}
		if text == "" || c.depth > maxDepth {
			return psVal{}
		}
		c.a.cmd(idx).Carrier = v.known
		in := c.cx
		c.cx = c.cx.carry("iex", idx)
		out := c.sub(text, false)
		c.cx = in
		return out
	case "invoke-command":
		b := c.bind("scriptblock= computername= cn= session= argumentlist= filepath= hostname= asjob credential=")
		v, _ := b.value(0, "scriptblock")
		if v.block == "" {
			for _, x := range b.pos {
				if x.block != "" {
					v = x
				}
			}
		}
		if !b.has("computername", "cn", "session", "hostname") {
			return c.sub(v.block, false)
		}
		idx, ok := c.record()
		if !ok {
			return psVal{}
		}
		c.a.cmd(idx).Carrier = true
		st, cx := c.st, c.cx
		c.st = st.fork()
		c.a.elsewhere(c.st)
		c.cx = cx.carry("ssh", idx)
		c.cx.world = true
		out := c.sub(v.block, false)
		c.st, c.cx = st, cx
		return out
	case "start-job", "start-threadjob", "measure-command":
		for _, v := range c.bind("scriptblock= expression= argumentlist= name= filepath=").pos {
			if v.block != "" {
				return c.sub(v.block, true)
			}
		}
		if v, ok := c.bind("scriptblock= expression=").value(-1, "scriptblock", "expression"); ok {
			return c.sub(v.block, true)
		}
	case "start-process":
		b := c.bind("filepath= argumentlist= args= workingdirectory= verb= nonewwindow wait passthru windowstyle= redirectstandardoutput= redirectstandarderror= redirectstandardinput= credential=")
		file, ok := b.value(0, "filepath")
		if !ok {
			return psVal{}
		}
		words := []string{file.text()}
		if list, given := b.value(1, "argumentlist", "args"); given {
			for _, s := range list.list {
				words = append(words, c.split(s)...)
			}
		}
		return c.program(words, psVal{})
	case "foreach-object":
		out := psVal{known: true}
		b := c.bind("process= begin= end= membername= parallel= throttlelimit= inputobject=")
		blocks := b.pos
		for _, n := range []string{"begin", "process", "parallel", "end"} {
			if v, ok := b.named[n]; ok {
				blocks = append(blocks, v)
			}
		}
		for _, v := range blocks {
			if v.block != "" {
				w := c.eachOf(c.in, v.block)
				out.list, out.known, out.from = append(out.list, w.list...), out.known && w.known, append(out.from, w.from...)
			} else if member := strings.ToLower(v.text()); member != "" {
				return c.method(c.in, member, nil)
			}
		}
		return out
	case "where-object":
		return c.where()
	case "invoke-webrequest", "invoke-restmethod":
		return c.web()
	case "start-bitstransfer":
		b := c.bind("source= destination= asynchronous displayname=")
		src, _ := b.value(0, "source")
		dst, _ := b.value(1, "destination")
		if idx, ok := c.emit("curl", c.raw, []string{"-o", c.path(dst.text()), src.text()}, psVal{}); ok {
			c.effects(idx, Write, []psVal{dst}, false, false, psVal{})
		}
	case "get-process":
		b := c.bind("name= id= includeusername computername=")
		idx, _ := c.record()
		v, ok := b.value(0, "name")
		if !ok {
			v = c.unknown("", idx)
		}
		v.fn, v.from = "process", []int{idx}
		return v
	case "stop-process":
		b := c.bind("name= id= inputobject= force passthru whatif")
		if b.has("whatif", "wi") {
			return psVal{}
		}
		if v, ok := b.value(-1, "name"); ok {
			c.emit("pkill", c.raw, v.list, psVal{})
		} else if v, ok := b.value(0, "id"); ok {
			c.emit("kill", c.raw, v.list, psVal{})
		} else if c.in.fn == "process" && c.in.known {
			c.emit("pkill", c.raw, c.in.list, psVal{})
		}
	case "invoke-sqlcmd":
		b := c.bind("query= serverinstance= database= inputfile= connectionstring= username= password=")
		args := []string{}
		for _, pair := range [][2]string{{"query", "-Q"}, {"serverinstance", "-S"}, {"database", "-d"}, {"inputfile", "-i"}} {
			if v, ok := b.value(-1, pair[0]); ok {
				args = append(args, pair[1], v.text())
			}
		}
		if len(b.pos) > 0 {
			args = append(args, "-Q", b.pos[0].text())
		}
		c.emit("sqlcmd", c.raw, args, psVal{})
	}
	return psVal{}
}

// where narrows what a search found. A simple condition on the name is a pattern;
// what is left of any other is not known.
func (c *psCall) where() psVal {
	cond := ""
	for _, a := range c.args {
		if a.val.block != "" {
			cond = a.val.block
		} else {
			cond += " " + a.raw
		}
	}
	if c.in.fn == "process" || c.in.fn == "text" {
		return psVal{list: c.in.list, from: c.in.from, fn: c.in.fn}
	}
	pattern := nameCondition(cond)
	out := psVal{from: c.in.from, fn: c.in.fn}
	for _, s := range c.in.list {
		dir, last := "", s
		if i := strings.LastIndexAny(s, `/\`); i >= 0 {
			dir, last = s[:i+1], s[i+1:]
		}
		switch {
		case last != "*": // narrowed already
			out.list = append(out.list, s)
		default:
			for _, p := range pattern {
				out.list = append(out.list, dir+p)
			}
		}
	}
	return out
}

// nameCondition reads { $_.Name -like '*.tmp' } and its like as patterns; of any
// other condition it is only known that it leaves a part.
func nameCondition(cond string) []string {
	low := strings.ToLower(cond)
	if strings.Contains(low, "-not") || strings.Contains(low, "!") || strings.Contains(low, "-and") || strings.Contains(low, "-or") {
		return []string{"*…*"}
	}
	before := ""
	switch {
	case strings.Contains(low, ".extension") || strings.HasPrefix(strings.TrimSpace(low), "extension "):
		before = "*"
	case strings.Contains(low, ".name") || strings.Contains(low, ".basename") || strings.Contains(low, ".fullname") || strings.HasPrefix(strings.TrimSpace(low), "name "):
	default:
		return []string{"*…*"}
	}
	for _, op := range []string{"-eq ", "-like ", "-in "} {
		_, rest, ok := strings.Cut(low, op)
		if !ok {
			continue
		}
		var out []string
		for {
			i := strings.IndexAny(rest, `'"`)
			if i < 0 {
				break
			}
			j := strings.IndexByte(rest[i+1:], rest[i])
			if j < 0 {
				break
			}
			name := rest[i+1 : i+1+j]
			out = append(out, before+name[strings.LastIndexAny(name, `/\`)+1:])
			rest = rest[i+j+2:]
		}
		if len(out) > 0 {
			return out
		}
	}
	return []string{"*…*"}
}

// web is a request; curl's words say what it does.
func (c *psCall) web() psVal {
	b := c.bind("uri= method= body= headers= outfile= infile= contenttype= form= credential= useragent= websession= sessionvariable= timeoutsec= usebasicparsing skipcertificatecheck authentication= token= proxy= custommethod= maximumredirection=")
	args := []string{"-s"}
	if v, ok := b.value(-1, "method", "custommethod"); ok {
		args = append(args, "-X", v.text())
	}
	if v, ok := b.value(-1, "body", "form"); ok {
		args = append(args, "-d", v.text())
	}
	out, toFile := b.value(-1, "outfile")
	if toFile {
		args = append(args, "-o", c.path(out.text()))
	}
	if v, ok := b.value(-1, "infile"); ok {
		args = append(args, "-T", c.path(v.text()))
	}
	if v, ok := b.value(0, "uri"); ok {
		args = append(args, v.text())
	}
	idx, ok := c.emit("curl", c.raw, args, c.in)
	if !ok {
		return psVal{}
	}
	effector{c.a, idx, c.st, c.cx}.curl(c.a.cmd(idx).Args)
	return c.unknown("", idx)
}
