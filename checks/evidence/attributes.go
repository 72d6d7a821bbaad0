package evidence

import (
	"os"
	"path/filepath"
	"strings"

	"agentguard/hook/regular"
)

// attrRule is one line of an attributes file that may put a filter on a path.
type attrRule struct {
	base string
	p    pattern
}

// filtered tells whether a filter or an encoding may apply to the path.
func (c *conversions) filtered(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := range c.filters {
		f := ignoreFile{base: c.filters[i].base}
		if f.matches(&c.glob, &c.filters[i].p, path, name) || c.glob.exhausted {
			return true
		}
	}
	return false
}

// readAttributes adds what one attributes file says. Later lines may take an
// attribute back; that is not followed, so more than needed is left to git.
func (c *conversions) readAttributes(base, text string) error {
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		line = strings.TrimLeft(strings.TrimRight(line, "\r"), " \t")
		if line == "" || line[0] == '#' {
			continue
		}
		filter := strings.Contains(line, "filter") || strings.Contains(line, "working-tree-encoding")
		c.ident = c.ident || strings.Contains(line, "ident")
		c.lineEnds = c.lineEnds || strings.Contains(line, "text") || strings.Contains(line, "eol") || strings.Contains(line, "crlf")
		if !filter {
			continue
		}
		name, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		if strings.HasPrefix(line, "[attr]") || strings.HasPrefix(line, `"`) {
			return errFallback // a macro, or a quoted pattern
		}
		if strings.HasSuffix(name, "/") {
			continue // attributes of folders never apply
		}
		if p, ok := parsePattern(name); ok {
			c.filters = append(c.filters, attrRule{base, p})
		}
	}
	return nil
}

// maxAttributes bounds what is read of one attributes file.
const maxAttributes = 1 << 20

// attributes collects every attributes file that can speak of this tree.
func (s *scanner) attributes(files []string) (conversions, error) {
	var c conversions
	read := func(base, path string) error {
		st, err := os.Lstat(path)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return errFallback
		}
		if !st.Mode().IsRegular() && base != "" || st.Size() > maxAttributes {
			return errFallback
		}
		text, err := regular.Read(path, maxAttributes)
		if err != nil {
			return errFallback
		}
		return c.readAttributes(base, string(text))
	}
	for _, f := range files {
		if err := read("", f); err != nil {
			return c, err
		}
	}
	for i := range s.idx.entries {
		e := &s.idx.entries[i]
		if !strings.HasSuffix(e.path, ".gitattributes") || (len(e.path) > 14 && e.path[len(e.path)-15] != '/') {
			continue
		}
		if e.state == gone || e.skipWorktree || e.mode&modeType == modeSymlink {
			return c, errFallback // git reads it from the index then
		}
		if err := read(strings.TrimSuffix(e.path, ".gitattributes"), filepath.Join(s.root, e.path)); err != nil {
			return c, err
		}
	}
	for _, p := range s.rules {
		if err := read(strings.TrimSuffix(p, ".gitattributes"), filepath.Join(s.root, p)); err != nil {
			return c, err
		}
	}
	return c, nil
}
