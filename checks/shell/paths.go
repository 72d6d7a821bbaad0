package shell

import "strings"

// path joins an inner value with the folder it is relative to and cleans it. It
// touches no disk and follows no link. Dots behind something unknown stay,
// because the unknown part may hold slashes of its own.
func (a *analyzer) path(dir, p string) string {
	if p == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(p, "/proc/self/"); ok { // other names of the same folders
		head, tail, _ := strings.Cut(rest, "/")
		switch head {
		case "cwd":
			p = "./" + tail
		case "root":
			p = "/" + tail
		}
	}
	if drive(p) {
		p = drivePath(p)
	}
	if p[0] != '/' && !a.opaqueFirst(p) {
		if dir == "" {
			dir = a.unknownVar("PWD", false)
		}
		p = dir + "/" + p
	}
	return a.clean(p)
}

// opaqueFirst tells a path whose beginning is not known, so that it may be
// absolute or not.
func (a *analyzer) opaqueFirst(p string) bool {
	if p[0] != privateByte {
		return false
	}
	for _, r := range p {
		return isPrivate(r) && a.part(r).Kind != Glob
	}
	return false
}

// drive tells an absolute path of Windows.
func drive(p string) bool {
	return len(p) > 2 && alpha(p[0]) && p[0] != '_' && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
}

func (a *analyzer) clean(p string) string {
	rooted := strings.HasPrefix(p, "/")
	if !strings.Contains(p, "//") && !strings.Contains(p, "/.") && !strings.HasSuffix(p, "/") && p[0] != '.' {
		return p
	}
	var out []string
	for el := range strings.SplitSeq(p, "/") {
		switch el {
		case "", ".":
		case "..":
			n := len(out)
			switch {
			case n > 0 && out[n-1] != ".." && !a.opaque(out[n-1]):
				out = out[:n-1]
			case n > 0 || !rooted:
				out = append(out, el)
			}
		default:
			out = append(out, el)
		}
	}
	s := strings.Join(out, "/")
	if rooted {
		s = "/" + s
	}
	if s == "" {
		return "."
	}
	return s
}

// pathWord is path for words.
func (a *analyzer) pathWord(st *state, w Word) Word {
	out := a.word(a.path(a.dir(st), a.intern(w)), "")
	out.Raw = w.Raw
	// Where the word came from is told by all of its parts: the joined and
	// cleaned text does not keep them apart.
	if from := w.From(); len(from) > 0 {
		for i := range out.Parts {
			if len(out.Parts[i].From) == 0 {
				out.Parts[i].From = from
			}
		}
	}
	return out
}
