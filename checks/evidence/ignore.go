package evidence

import "strings"

// pattern is one line of an ignore file.
type pattern struct {
	text     string
	literal  int  // length of the start without wildcards
	negative bool // "!x" takes an exclusion back
	dirOnly  bool
	nameOnly bool // no slash: the last name alone is compared
	suffix   bool // "*x" with x literal
}

// ignoreFile is the patterns of one file, with the folder they hold for.
type ignoreFile struct {
	base     string // "" or "dir/sub/"
	patterns []pattern
	fold     bool
}

// ignores is a chain of ignore files; the innermost speaks first.
type ignores struct {
	file  *ignoreFile
	outer *ignores
}

// parsePattern reads one line; false for one that says nothing.
func parsePattern(line string) (pattern, bool) {
	if line == "" || line[0] == '#' {
		return pattern{}, false
	}
	line = trimSpaces(strings.TrimSuffix(line, "\r"))
	var p pattern
	if strings.HasPrefix(line, "!") {
		p.negative = true
		line = line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.dirOnly = true
		line = line[:len(line)-1]
	}
	p.text = line
	p.nameOnly = !strings.Contains(line, "/")
	p.literal = literalLength(line)
	p.suffix = strings.HasPrefix(line, "*") && literalLength(line[1:]) == len(line)-1
	return p, true
}

func literalLength(s string) int {
	if i := strings.IndexAny(s, `*?[\`); i >= 0 {
		return i
	}
	return len(s)
}

// trimSpaces drops unescaped spaces at the end.
func trimSpaces(s string) string {
	last := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if last < 0 {
				last = i
			}
		case '\\':
			i++
			if i >= len(s) {
				return s
			}
			last = -1
		default:
			last = -1
		}
	}
	if last >= 0 {
		return s[:last]
	}
	return s
}

// maxIgnoreFile bounds what is read of one file; git's own limit is larger, so
// a longer one is left to git.
const maxIgnoreFile = 4 << 20

func parseIgnore(base, text string, fold bool) *ignoreFile {
	f := &ignoreFile{base: base, fold: fold}
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if p, ok := parsePattern(line); ok {
			f.patterns = append(f.patterns, p)
		}
	}
	return f
}

// excluded tells whether the path, whose folders are not excluded, is.
func (ig *ignores) excluded(g *glob, path string, isDir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for ; ig != nil; ig = ig.outer {
		f := ig.file
		for i := len(f.patterns) - 1; i >= 0; i-- {
			p := &f.patterns[i]
			if p.dirOnly && !isDir {
				continue
			}
			if f.matches(g, p, path, name) {
				return !p.negative
			}
		}
	}
	return false
}

func (f *ignoreFile) matches(g *glob, p *pattern, path, name string) bool {
	g.fold = f.fold
	if p.nameOnly {
		switch {
		case p.literal == len(p.text):
			return f.equal(p.text, name)
		case p.suffix:
			tail := p.text[1:]
			return len(name) >= len(tail) && f.equal(tail, name[len(name)-len(tail):])
		}
		g.pathname = false
		return g.match(p.text, name)
	}
	text, literal := p.text, p.literal
	if text[0] == '/' {
		text, literal = text[1:], max(literal-1, 0)
	}
	if !strings.HasPrefix(path, f.base) {
		return false
	}
	rest := path[len(f.base):]
	if literal > 0 {
		if literal > len(rest) || !f.equal(text[:literal], rest[:literal]) {
			return false
		}
		text, rest = text[literal:], rest[literal:]
		if text == "" && rest == "" {
			return true
		}
	}
	g.pathname = true
	return g.match(text, rest)
}

func (f *ignoreFile) equal(a, b string) bool {
	if f.fold {
		return strings.EqualFold(a, b)
	}
	return a == b
}
