package shell

import (
	"maps"
	"slices"
	"strings"
)

// actsBare tells the functions that are worth reading when they are called
// without parentheses.
func actsBare(name string) bool {
	switch name {
	case "system", "exec", "unlink", "rmdir", "rmtree", "remove_tree", "open", "rename", "glob", "eval", "do", "mkdir", "chmod", "spawn", "shell_exec", "passthru", "join", "symlink", "link", "truncate", "sh", "require", "popen", "run", "copy", "move", "utime", "chdir", "$", "Bun.$", "zx.$":
		return true
	}
	return strings.HasPrefix(name, "FileUtils.") || strings.HasPrefix(name, "File.") || strings.HasPrefix(name, "Dir.") || strings.HasPrefix(name, "IO.") ||
		strings.HasPrefix(name, "Open3.") || strings.HasPrefix(name, "os.") || strings.HasPrefix(name, "io.") || strings.HasPrefix(name, "System.") || strings.HasPrefix(name, "Process.") || strings.HasPrefix(name, "File.Path.") || strings.HasPrefix(name, "Pathname.")
}

// shell follows text that the code hands to a shell.
func (p *interp) shell(v val, _ string) {
	if p.dry {
		return
	}
	was := p.a.cmd(p.idx).Carrier
	in := p.cx
	in.stdin = stdin{}
	if v.alt {
		for _, e := range v.list {
			p.shell(e, "")
		}
		return
	}
	if v.isList {
		p.exec(v.list)
		return
	}
	text := p.text(v)
	if p.a.startsOpaque(text) {
		p.a.cmd(p.idx).Unread = true
	}
	p.a.nested(p.idx, p.via, text, p.st.fork(), in)
	p.a.cmd(p.idx).Carrier = was
}

// exec follows an argument list that the code runs without a shell.
func (p *interp) exec(list []val) {
	if p.dry || len(list) == 0 {
		return
	}
	var words []Word
	for _, v := range list {
		if v.isList {
			for _, e := range v.list {
				words = append(words, p.a.word(p.text(e), ""))
			}
			continue
		}
		words = append(words, p.a.word(p.text(v), ""))
	}
	in := p.cx
	in.stdin = stdin{}
	in.nofunc = true
	was := p.a.cmd(p.idx).Carrier
	p.a.inner(p.idx, p.via, words, p.st.fork(), in)
	p.a.cmd(p.idx).Carrier = was
}

// runs performs calls that start programs or evaluate code.
func (p *interp) runs(name string, args []val, kw map[string]val) bool {
	if len(args) == 0 {
		if v, ok := kw["args"]; ok && strings.Contains(strings.ToLower(name), "popen") {
			args = []val{v}
		} else if v, ok := kw["cmd"]; ok {
			args = []val{v}
		} else {
			return false
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	first := args[0]
	if dir, ok := kw["cwd"]; ok && (dir.known || dir.s != "") {
		outer := p.st
		p.st = outer.fork()
		p.a.set(p.st, "PWD", p.a.path(p.a.dir(outer), p.text(dir)))
		defer func() { p.st = outer }()
	}
	switch last {
	case "eval", "execfile", "instance_eval", "class_eval", "runInNewContext", "runInThisContext", "Function", "assert", "loadstring", "load", "Code.eval_string", "eval_string":
		if last == "load" && p.lang != "lua" || last == "assert" && p.lang != "php" {
			return false
		}
		p.eval(args[len(args)-1])
		return true
	case "exec":
		if p.lang == "py" && name == "exec" {
			p.eval(first)
			return true
		}
		if p.lang == "js" && name != "exec" && !strings.Contains(name, "child_process") && !strings.Contains(name, "cp.") && !strings.Contains(name, "shell") && !strings.Contains(name, "execa") {
			return false // regex.exec
		}
		if p.lang == "ruby" || p.lang == "perl" {
			p.systemList(args)
			return true
		}
		p.shell(first, name)
		return true
	case "system":
		if p.lang == "perl" || p.lang == "ruby" {
			p.systemList(args)
			return true
		}
		p.shell(first, name)
		return true
	case "popen", "popen2", "popen3", "getoutput", "getstatusoutput", "execSync", "shell_exec", "passthru", "proc_open", "execute", "execCommand", "command", "execaCommand", "execaCommandSync", "capture", "create_subprocess_shell", "capture2", "capture2e", "capture3", "pipeline":
		if last == "execute" && p.lang != "lua" || last == "command" && p.lang != "js" {
			return false
		}
		if len(args) > 1 && (p.lang == "ruby") && !first.isList {
			p.systemList(args)
			return true
		}
		p.shell(first, name)
		return true
	case "run", "call", "check_call", "check_output", "Popen", "Run":
		if p.lang == "js" && last == "run" {
			if v, ok := kw["cmd"]; ok {
				p.exec(v.list)
				return true
			}
			return false
		}
		if first.isList {
			p.exec(first.list)
			return true
		}
		if strings.Contains(name, "subprocess") || kw["shell"].fn == "True" || last == "Popen" || last == "check_output" || last == "check_call" || p.lang == "julia" {
			p.shell(first, name)
			return true
		}
		return false
	case "spawn", "spawnSync", "execFile", "execFileSync", "execa", "execaSync", "fork", "Command", "cmd", "create_subprocess_exec", "pcntl_exec", "spawn_sync":
		if last == "fork" && p.lang != "js" || last == "Command" && !strings.Contains(name, "Deno") || last == "cmd" && p.lang != "elixir" {
			return false
		}
		if v, ok := kw["args"]; ok {
			args = append([]val{first}, v)
		}
		if kw["shell"].fn == "true" && !first.isList {
			p.shell(p.concat(first, p.concat(known(" "), val{isList: true, list: args[1:]})), name)
			return true
		}
		if len(args) == 1 && first.known && strings.Contains(first.s, " ") {
			p.shell(first, name)
			return true
		}
		p.exec(args)
		return true
	case "system2":
		p.exec(args)
		return true
	case "$":
		p.shell(first, name)
		return true
	}
	if strings.HasPrefix(name, "os.exec") || strings.HasPrefix(name, "os.spawn") || strings.HasPrefix(name, "os.posix_spawn") {
		if strings.HasPrefix(name, "os.spawn") {
			args = args[1:]
		}
		if len(args) > 1 {
			if args[1].isList {
				p.exec(args[1].list)
			} else {
				p.exec(args[1:])
			}
		}
		return true
	}
	if i := strings.LastIndex("."+name, ".git."); i >= 0 && gitBuiltin(strings.ReplaceAll(last, "_", "-")) {
		// GitPython and simple-git: repo.git.reset("--hard")
		p.exec(append([]val{known("git"), known(strings.ReplaceAll(last, "_", "-"))}, append(args, switches(kw)...)...))
		return true
	}
	if last == "push" && p.lang == "py" && strings.Contains(name, "remote") { // repo.remotes.origin.push("main", force=True)
		p.exec(append([]val{known("git"), known("push"), known("origin")}, append(args, switches(kw)...)...))
		return true
	}
	if rest, ok := strings.CutPrefix(name, "sh."); ok && p.lang == "py" { // sh.git.push("-f")
		list := []val{}
		for w := range strings.SplitSeq(rest, ".") {
			list = append(list, known(w))
		}
		p.exec(append(list, args...))
		return true
	}
	if strings.HasPrefix(name, "sh.") || strings.HasPrefix(name, "shelljs.") || strings.HasPrefix(name, "shell.") || strings.HasPrefix(name, "plumbum.") {
		if last == "exec" {
			p.shell(first, name)
		} else {
			p.exec(append([]val{known(last)}, args...))
		}
		return true
	}
	return false
}

// switches are the options that a library makes of keywords: force=True.
func switches(kw map[string]val) []val {
	var out []val
	for _, k := range slices.Sorted(maps.Keys(kw)) {
		if kw[k].fn == "True" {
			out = append(out, known("--"+strings.ReplaceAll(k, "_", "-")))
		}
	}
	return out
}

// systemList is system and exec of Perl and Ruby: one argument is shell text,
// several are a list.
func (p *interp) systemList(args []val) {
	if len(args) == 1 && !args[0].isList {
		p.shell(args[0], "system")
		return
	}
	p.exec(args)
}

// eval walks code in a string.
func (p *interp) eval(v val) {
	if v.isList || p.dry {
		return
	}
	s := p.text(v)
	if p.a.startsOpaque(s) {
		p.a.cmd(p.idx).Unread = true
		return
	}
	if p.depth > maxInterpDepth-20 || !p.a.step(1+len(s)/64) {
		return
	}
	sub := &interp{a: p.a, idx: p.idx, lang: p.lang, via: p.via, st: p.st, cx: p.cx, vars: p.vars, alias: p.alias, argv: p.argv, depth: p.depth + 15}
	sub.toks = lex(p.lang, s)
	sub.run()
}
