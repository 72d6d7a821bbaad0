package shell

import "strings"

// drivePath writes a path on a drive of Windows as one of this machine is
// written: C:\Users\dev is /c:/Users/dev. A colon without a slash behind it
// counts, because a shell may have eaten the backslash.
func drivePath(p string) string {
	rest := strings.ReplaceAll(p[2:], `\`, "/")
	return "/" + strings.ToLower(p[:1]) + ":/" + strings.TrimLeft(rest, "/")
}

// lettered tells a path that starts with a drive's letter.
func lettered(p string) bool {
	return len(p) > 1 && alpha(p[0]) && p[0] != '_' && p[1] == ':'
}

// windowsPath writes a path as Windows programs read it in the form that this
// package has for paths.
func windowsPath(p string) string {
	switch {
	case lettered(p):
		return drivePath(p)
	case strings.HasPrefix(p, `\\?\`) || strings.HasPrefix(p, `\\.\`):
		return windowsPath(p[4:])
	}
	return strings.ReplaceAll(p, `\`, "/")
}

// windowsVar is what a variable of Windows holds; ok is false for one that is not
// known.
func (a *analyzer) windowsVar(name string, st *state) (value string, ok bool) {
	home := a.get(st, "HOME")
	switch strings.ToLower(name) {
	case "userprofile", "home", "homepath":
		return home, true
	case "appdata":
		return home + "/AppData/Roaming", true
	case "localappdata":
		return home + "/AppData/Local", true
	case "temp", "tmp":
		return "/tmp", true
	case "systemdrive", "homedrive":
		return "C:", true
	case "systemroot", "windir":
		return "/c:/Windows", true
	case "programfiles", "programw6432":
		return "/c:/Program Files", true
	case "programfiles(x86)":
		return "/c:/Program Files (x86)", true
	case "programdata", "allusersprofile":
		return "/c:/ProgramData", true
	case "public":
		return "/c:/Users/Public", true
	case "cd", "pwd":
		return a.dir(st), true
	}
	return "", false
}

// slashOptions splits the words of a Windows program into its options, lower case
// and without the slash, and its operands.
func slashOptions(args []Word) (opts string, rest []Word) {
	for _, w := range args {
		if t := w.Text; len(t) > 1 && len(t) < 16 && t[0] == '/' && alpha(t[1]) && !strings.Contains(t[1:], "/") {
			opts += " " + strings.ToLower(t[1:])
			continue
		}
		rest = append(rest, w)
	}
	return opts + " ", rest
}

func slashOption(opts string, names ...string) bool {
	for _, n := range names {
		if strings.Contains(opts, " "+n+" ") || strings.Contains(opts, " "+n+":") {
			return true
		}
	}
	return false
}

// windows records the file effects of programs and commands of Windows; ok is
// false for any other.
func (e effector) windows(name string, args []Word) bool {
	opts, rest := slashOptions(args)
	for i := range rest {
		rest[i] = e.winWord(rest[i])
	}
	switch name {
	case "del", "erase":
		e.all(Delete, rest, flags(slashOption(opts, "s"), true))
	case "rd":
		e.all(Delete, rest, flags(slashOption(opts, "s"), true))
	case "robocopy":
		if len(rest) < 2 || slashOption(opts, "l") {
			return true
		}
		e.add(Read, rest[0], recursive)
		e.add(Write, rest[1], recursive)
		if slashOption(opts, "mir", "purge") {
			e.add(Delete, rest[1], recursive, force)
		}
		if slashOption(opts, "mov", "move") {
			e.add(Move, rest[0], recursive)
		}
	case "xcopy":
		if len(rest) > 1 {
			e.add(Read, rest[0], recursive)
			e.add(Write, rest[1], recursive)
		}
	case "ren", "rename":
		if len(rest) > 1 {
			e.add(Move, rest[0])
		}
	case "move":
		if len(rest) > 1 {
			e.transfer(Opts{Rest: rest}, Write, Move, false)
		}
	case "copy":
		if len(rest) > 1 {
			e.transfer(Opts{Rest: rest}, Write, Read, false)
		}
	case "mklink":
		if len(rest) > 1 {
			e.add(Link, rest[0], content(rest[1]))
		}
	case "md", "mkdir":
		e.all(MakeDir, rest)
	case "type", "more":
		e.all(Read, rest)
	default:
		return false
	}
	return true
}

// winWord is a word as a path of Windows, with its patterns read.
func (e effector) winWord(w Word) Word {
	s := windowsPath(e.a.intern(w))
	if !strings.ContainsAny(s, "*?") {
		out := e.a.word(s, "")
		out.Raw = w.Raw
		return out
	}
	out := e.a.word(e.a.globbed(strings.ReplaceAll(s, "*.*", "*")), "")
	out.Raw = w.Raw
	return out
}
