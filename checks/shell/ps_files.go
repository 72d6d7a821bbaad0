package shell

import "strings"

// files performs the commands about files, and about the other drives of
// PowerShell.
func (c *psCall) files() psVal {
	switch c.name {
	case "remove-item", "clear-item":
		b := c.bind("recurse force path= literalpath= lp= pspath= filter= include= exclude= whatif confirm stream= credential=")
		paths := c.paths(b, -2)
		idx, ok := c.record()
		if !ok || b.has("whatif", "wi") {
			return psVal{}
		}
		c.effects(idx, Delete, narrowed(b, paths), b.has("recurse"), b.has("force"), psVal{})
	case "clear-content":
		b := c.bind("path= literalpath= force filter= include= exclude= whatif")
		if idx, ok := c.record(); ok && !b.has("whatif", "wi") {
			c.effects(idx, Truncate, narrowed(b, c.paths(b, -2)), false, false, psVal{})
		}
	case "set-content", "add-content", "out-file", "tee-object", "export-csv", "export-clixml", "set-item":
		c.writes()
	case "copy-item", "move-item":
		b := c.bind("path= destination= literalpath= recurse force container passthru filter= include= exclude= whatif fromsession= tosession= credential=")
		from := c.paths(b, 0)
		at := 1
		if _, named := b.value(-1, "path", "literalpath"); named || len(b.pos) < 2 && c.fed {
			at = 0
		}
		to, given := b.value(at, "destination")
		idx, ok := c.record()
		if !ok || b.has("whatif", "wi") {
			return psVal{}
		}
		op := Read
		if c.name == "move-item" {
			op = Move
		}
		c.effects(idx, op, narrowed(b, from), b.has("recurse") || op == Move, b.has("force"), psVal{})
		if given {
			c.copied(idx, from, to, b.has("recurse"))
		}
	case "rename-item":
		b := c.bind("path= newname= literalpath= force passthru whatif")
		if idx, ok := c.record(); ok && !b.has("whatif", "wi") {
			c.effects(idx, Move, c.paths(b, 0), false, b.has("force"), psVal{})
		}
	case "new-item", "new-directory":
		c.makes()
	case "get-content":
		b := c.bind("path= literalpath= raw tail= totalcount= first= head= last= encoding= delimiter= wait readcount= asbytestream filter= include= exclude=")
		idx, ok := c.record()
		if !ok {
			return psVal{}
		}
		paths := c.paths(b, 0)
		c.effects(idx, Read, paths, false, false, psVal{})
		if len(paths) == 1 && len(paths[0].list) == 1 {
			if out, ok := c.a.written(c.a.path(c.a.dir(c.st), c.path(paths[0].list[0]))); ok && out.known {
				return psVal{list: []string{out.text}, known: !out.approx, from: []int{idx}, fn: "text"}
			}
		}
		v := c.unknown("", idx)
		v.fn = "text"
		return v
	case "get-childitem", "get-item":
		return c.lists()
	case "expand-archive":
		b := c.bind("path= destinationpath= literalpath= force passthru")
		if idx, ok := c.record(); ok {
			to, given := b.value(1, "destinationpath")
			if !given {
				to = psText(".")
			}
			c.effects(idx, Read, c.paths(b, 0), false, false, psVal{})
			c.effects(idx, Write, []psVal{to}, true, b.has("force"), psVal{})
		}
	case "compress-archive":
		b := c.bind("path= destinationpath= literalpath= force update compressionlevel=")
		if idx, ok := c.record(); ok {
			if to, given := b.value(1, "destinationpath"); given {
				c.effects(idx, Write, []psVal{to}, false, b.has("force"), psVal{})
			}
			c.effects(idx, Read, c.paths(b, 0), true, false, psVal{})
		}
	default: // properties: of the registry, mostly
		c.record()
	}
	return psVal{}
}

// paths are the paths that a call names: by parameter, by position (at -2: all
// positions), or through the pipe.
func (c *psCall) paths(b psBound, at int) []psVal {
	if v, ok := b.value(-1, "path", "literalpath", "lp", "pspath", "filepath"); ok {
		return []psVal{v}
	}
	switch {
	case at == -2 && len(b.pos) > 0:
		return b.pos
	case at >= 0 && at < len(b.pos) && !(c.fed && len(b.pos) == at+1 && (c.name == "copy-item" || c.name == "move-item")):
		return b.pos[at : at+1]
	case c.fed:
		return []psVal{c.in}
	}
	return nil
}

// narrowed puts -Include and -Filter behind the paths.
func narrowed(b psBound, paths []psVal) []psVal {
	names, ok := b.value(-1, "filter", "include")
	if !ok {
		return paths
	}
	var out []psVal
	for _, v := range paths {
		w := v
		w.list = nil
		for _, s := range v.list {
			for _, n := range names.list {
				w.list = append(w.list, strings.TrimSuffix(strings.TrimRight(s, "*"), "/")+"/**/"+n)
			}
		}
		out = append(out, w)
	}
	return out
}

// writes performs Set-Content and its like.
func (c *psCall) writes() {
	b := c.bind("path= value= literalpath= filepath= inputobject= encoding= append nonewline noclobber force passthru width= variable= notypeinformation delimiter= whatif")
	idx, ok := c.record()
	if !ok || b.has("whatif", "wi") {
		return
	}
	op := Write
	if c.name == "add-content" || b.has("append") {
		op = Append
	}
	content := c.in
	if v, given := b.value(1, "value", "inputobject"); given {
		content = v
	}
	if c.name == "export-csv" || c.name == "export-clixml" || !c.fed && len(content.list) == 0 {
		content.known = false
	}
	if psDrive(strings.Join(firstList(c.paths(b, 0)), "")) {
		if v := firstList(c.paths(b, 0)); len(v) > 0 && strings.HasPrefix(strings.ToLower(v[0]), "env:") {
			c.assign(strings.ToLower(strings.ReplaceAll(v[0], `\`, "")), content)
		}
		return
	}
	paths := c.paths(b, 0)
	if len(paths) == 1 && c.fed && len(b.pos) == 0 && !b.has("path", "literalpath", "filepath") {
		return
	}
	c.effects(idx, op, paths, false, b.has("force"), content)
}

func firstList(list []psVal) []string {
	if len(list) == 0 {
		return nil
	}
	return list[0].list
}

// copied records where copies land: at the target itself, or in it where it is a
// folder.
func (c *psCall) copied(idx int, from []psVal, to psVal, rec bool) {
	c.effects(idx, Write, []psVal{to}, rec, false, psVal{})
	target := windowsPath(to.text())
	if strings.Contains(base(target), ".") && !strings.HasSuffix(target, "/") && base(target) != "." && base(target) != ".." {
		return
	}
	for _, v := range from {
		for _, s := range v.list {
			if name := base(windowsPath(s)); name != "" && name != "." && !strings.ContainsAny(name, "*?") {
				c.effects(idx, Write, []psVal{{list: []string{strings.TrimSuffix(target, "/") + "/" + name}, known: to.known}}, rec, false, psVal{})
			}
		}
	}
}

// makes performs New-Item and mkdir.
func (c *psCall) makes() {
	b := c.bind("path= name= itemtype= type= value= target= force credential= whatif")
	idx, ok := c.record()
	if !ok || b.has("whatif", "wi") {
		return
	}
	dir, _ := b.value(0, "path")
	paths := []psVal{dir}
	if name, given := b.value(-1, "name"); given {
		full := name.text()
		if dir.text() != "" {
			full = strings.TrimSuffix(windowsPath(dir.text()), "/") + "/" + full
		}
		paths = []psVal{{list: []string{full}, known: dir.known && name.known}}
	}
	kind, _ := b.value(-1, "itemtype", "type")
	content, given := b.value(-1, "value", "target")
	switch k := strings.ToLower(kind.text()); {
	case c.name == "new-directory" || k == "directory":
		c.effects(idx, MakeDir, paths, false, false, psVal{})
	case k == "symboliclink" || k == "junction" || k == "hardlink":
		for _, v := range paths {
			for _, s := range v.list {
				effector{c.a, idx, c.st, c.cx}.add(Link, c.a.word(c.path(s), s), content1(c, content))
			}
		}
	default:
		op := Append
		if b.has("force") || given {
			op = Write
		}
		if !given {
			content = psText("")
		}
		c.effects(idx, op, paths, false, b.has("force"), content)
	}
}

func content1(c *psCall, v psVal) func(*Effect) { return content(c.a.word(c.path(v.text()), "")) }

// lists is what Get-ChildItem finds: as patterns, because what stands in a folder
// is not known here.
func (c *psCall) lists() psVal {
	b := c.bind("recurse path= literalpath= filter= include= exclude= name directory file hidden force depth= attributes= readonly system")
	idx, _ := c.record()
	roots := c.paths(b, -2)
	if len(roots) > 1 && c.name == "get-childitem" {
		if _, named := b.value(-1, "filter"); !named && len(b.pos) == 2 {
			b.named["filter"] = b.pos[1] // the second position
			roots = roots[:1]
		}
	}
	if len(roots) == 0 {
		roots = []psVal{psText(".")}
	}
	if c.name == "get-item" {
		out := psVal{from: []int{idx}}
		for _, v := range roots {
			out.list = append(out.list, v.list...)
		}
		return out
	}
	names := []string{"*"}
	if v, ok := b.value(-1, "filter", "include"); ok {
		names = v.list
	}
	out := psVal{from: []int{idx}, fn: "found"}
	for _, v := range roots {
		if len(v.list) > 0 {
			if psDrive(v.list[0]) {
				return c.unknown("", idx)
			}
		}
		for _, s := range v.list {
			s = strings.TrimSuffix(c.path(s), "/")
			if strings.ContainsAny(base(s), "*?") && names[0] == "*" {
				out.list = append(out.list, s)
				continue
			}
			s = strings.TrimSuffix(s, "/*")
			for _, n := range names {
				if b.has("recurse") && n != "*" {
					n = "**/" + n
				}
				out.list = append(out.list, s+"/"+n)
			}
		}
	}
	return out
}
