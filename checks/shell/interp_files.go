package shell

import "strings"

// effect records what the code does to the files named by paths.
func (p *interp) effect(op Op, paths []val, rec bool, text ...val) {
	if p.dry {
		return
	}
	e := effector{p.a, p.idx, p.st, p.cx}
	for _, v := range paths {
		if v.isList {
			p.effect(op, v.list, rec, text...)
			continue
		}
		w := p.a.word(p.text(v), "")
		c := Word{}
		if len(text) > 0 && (text[0].known || text[0].isList) {
			c = p.a.word(p.text(text[0]), "")
		}
		e.add(op, w, flags(rec, rec), content(c))
	}
}

// open is the opening of a file; the mode decides what it means.
func (p *interp) open(args []val, kw map[string]val) {
	if len(args) == 0 {
		return
	}
	mode := ""
	if len(args) > 1 {
		mode = args[1].s
	}
	if m, ok := kw["mode"]; ok {
		mode = m.s
	}
	if p.lang == "perl" {
		p.openPerl(args)
		return
	}
	switch {
	case strings.HasPrefix(p.text(args[0]), "|") && p.lang == "ruby":
		p.shell(known(strings.TrimPrefix(p.text(args[0]), "|")), "open")
	case strings.ContainsAny(mode, "wx"):
		p.effect(Write, args[:1], false)
	case strings.Contains(mode, "a"):
		p.effect(Append, args[:1], false)
	case strings.Contains(mode, "+") || strings.Contains(mode, "c"):
		p.effect(Modify, args[:1], false)
	default:
		p.effect(Read, args[:1], false)
	}
}

func (p *interp) openPerl(args []val) {
	// The handle is a bare name or a variable and may be missing here.
	var strs []string
	for _, v := range args {
		if v.known {
			strs = append(strs, v.s)
		}
	}
	if len(strs) == 0 {
		return
	}
	mode := strs[0]
	var file string
	if len(strs) > 1 {
		file = strs[1]
	} else {
		mode = strings.TrimSpace(mode)
		i := strings.IndexFunc(mode, func(r rune) bool { return !strings.ContainsRune("<>+|-", r) })
		if i < 0 {
			return
		}
		mode, file = mode[:i], strings.TrimSpace(mode[i:])
		if before, ok := strings.CutSuffix(file, "|"); ok {
			mode, file = "-|", before
		}
	}
	mode, _, _ = strings.Cut(mode, ":")
	switch strings.TrimSpace(mode) {
	case ">":
		p.effect(Write, []val{known(file)}, false)
	case ">>":
		p.effect(Append, []val{known(file)}, false)
	case "+<", "+>":
		p.effect(Modify, []val{known(file)}, false)
	case "|-", "-|", "|":
		p.shell(known(file), "open")
	default:
		p.effect(Read, []val{known(file)}, false)
	}
}

// files performs calls that delete, write, move or read files.
func (p *interp) files(name string, args []val, kw map[string]val) bool {
	if len(args) == 0 {
		if v, ok := kw["path"]; ok {
			args = []val{v}
		} else {
			return false
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	mod := strings.TrimSuffix(strings.TrimSuffix(name, last), ".")
	rest := args[1:]
	rec := kw["recursive"].fn == "true" || kw["recursive"].fn == "TRUE" || kw["recursive"].fn == "T" || kw["recursive"].fn == "True"
	switch last {
	case "rmtree", "remove_tree", "rm_rf", "rm_r", "rimraf", "rmSync", "removeSync", "emptyDirSync", "emptyDir", "remove_dir", "remove_entry", "remove_entry_secure", "rm_rf!", "removedirs", "rmtree!", "remove_recursive", "emptydir":
		if last == "rmSync" {
			p.effect(Delete, args[:1], rec)
			return true
		}
		p.effect(Delete, args, true)
		return true
	case "unlink", "unlinkSync", "rmdirSync", "rm_f", "rmdir", "safe_unlink", "rm!", "file.remove", "unlinkAsync":
		if p.lang == "js" || p.lang == "php" || p.lang == "r" {
			args = args[:1]
		}
		p.effect(Delete, args, rec)
		return true
	case "remove", "delete", "rm", "deleteSync", "del", "sync":
		switch mod {
		case "os", "fs", "fse", "shutil", "File", "FileUtils", "Dir", "Deno", "fsp", "Pathname", "fsPromises", "rimraf", "del", "file", "trash", "promises", "java.nio.file.Files", "Files", "":
			if mod == "" && (p.lang == "js" && last != "del" || p.lang == "py" || p.lang == "lua" || p.lang == "ruby" || p.lang == "perl" || p.lang == "php") || mod == "fs" && last == "sync" {
				return false
			}
			if mod == "rimraf" || mod == "del" || last == "del" {
				rec = true
			}
			if p.lang == "js" || p.lang == "py" {
				args = args[:1]
			}
			p.effect(Delete, args, rec)
			return true
		}
		return false
	case "removeTree", "Deno.removeSync":
		p.effect(Delete, args[:1], rec)
		return true
	case "rename", "renameSync", "move", "moveSync", "renames", "replace", "mv":
		if len(args) > 1 && (mod != "" || last == "rename" || last == "move") {
			p.effect(Move, args[:1], false)
			p.effect(Write, args[1:2], false)
			return true
		}
		return false
	case "copy", "copy2", "copyfile", "copytree", "copyFile", "copyFileSync", "cp", "cp_r", "cpSync", "copySync", "copyfileobj", "copy_file", "install":
		if len(args) > 1 {
			p.effect(Read, args[:1], strings.Contains(last, "tree"))
			p.effect(Write, args[1:2], strings.Contains(last, "tree") || last == "cp_r" || rec)
			return true
		}
		return false
	case "open", "fopen", "openSync", "createWriteStream", "createReadStream", "OpenFile", "sysopen", "new", "openFile", "open!":
		switch {
		case last == "open" && mod == "os" && p.lang == "py":
			op := Read
			for _, f := range rest {
				if strings.Contains(f.fn, "O_WRONLY") || strings.Contains(f.fn, "O_RDWR") || strings.Contains(f.fn, "O_CREAT") || strings.Contains(f.fn, "O_TRUNC") {
					op = Write
				}
			}
			p.effect(op, args[:1], false)
		case last == "createWriteStream":
			p.effect(Write, args[:1], false)
		case last == "createReadStream":
			p.effect(Read, args[:1], false)
		case last == "new" && mod != "File":
			return false
		default:
			p.open(args, kw)
		}
		return true
	case "writeFile", "writeFileSync", "file_put_contents", "writeTextFile", "writeTextFileSync", "outputFile", "outputFileSync", "outputJsonSync", "writeJsonSync", "writeJson", "binwrite", "write!", "writeLines", "save_file":
		p.effect(Write, args[:1], false, rest...)
		return true
	case "set_key", "unset_key": // python-dotenv
		p.effect(Modify, args[:1], false)
		return true
	case "write":
		switch mod {
		case "File", "IO", "Bun", "Pathname", "file":
			p.effect(Write, args[:1], false, rest...)
			return true
		}
		return false
	case "appendFile", "appendFileSync":
		p.effect(Append, args[:1], false, rest...)
		return true
	case "truncate", "truncateSync", "ftruncate":
		p.effect(Truncate, args[:1], false)
		return true
	case "touch":
		p.effect(Append, args, false)
		return true
	case "symlink", "symlinkSync", "link", "linkSync", "ln_s", "ln_sf", "ln", "make_symlink":
		if len(args) > 1 {
			p.effect(Link, args[1:2], false, args[0])
		}
		return true
	case "chmod", "chmodSync", "chown", "chownSync", "chmod_R", "chown_R", "lchown", "lchmod":
		if p.lang == "ruby" || p.lang == "perl" {
			p.effect(Mode, rest, strings.HasSuffix(last, "_R"), args[0])
		} else {
			p.effect(Mode, args[:1], false, rest...)
		}
		return true
	case "mkdir", "mkdirSync", "makedirs", "mkdir_p", "makedir", "make_path", "ensureDirSync", "mkpath":
		p.effect(MakeDir, args[:1], false)
		return true
	case "urlretrieve", "downloadFile", "download_file", "getstore":
		if len(args) > 1 {
			p.effect(Write, args[1:2], false)
		}
		return true
	case "readFileSync", "readFile", "file_get_contents", "readTextFile", "readTextFileSync", "readlines", "binread", "read", "readfile", "readLines", "load_file":
		if last == "read" && mod != "File" && mod != "IO" {
			return false
		}
		p.effect(Read, args[:1], false)
		return true
	case "chdir":
		if args[0].known {
			p.a.set(p.st, "PWD", p.a.path(p.a.dir(p.st), args[0].s))
		}
		return true
	case "array_map", "array_walk", "map", "filter", "starmap":
		// array_map("unlink", glob(…)), map(os.remove, glob.glob(…))
		if len(args) < 2 {
			return false
		}
		fn, over := args[0], args[1]
		if !fn.known && fn.fn == "" || last == "array_walk" {
			fn, over = args[1], args[0]
		}
		target := fn.fn
		if fn.known {
			target = fn.s
		}
		if target == "" {
			return false
		}
		p.call(target, nil, []val{p.element(over)}, nil)
		return true
	}
	return false
}
