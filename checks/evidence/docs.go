package evidence

import (
	"path"
	"strings"
)

// DocMatcher tells which paths are documentation: changing only those does not
// make a test run stale. The zero value is the default.
type DocMatcher struct {
	// Also and Never are patterns of path.Match on the whole path or its last
	// name; a pattern that ends in "/" names a folder. Never wins.
	Also, Never []string
}

// defaultDocs are extensions and names that no program reads.
var (
	docExts  = [...]string{".md", ".markdown", ".rst", ".adoc", ".asciidoc", ".org"}
	docNames = [...]string{"license", "licence", "copying", "notice", "authors", "contributors", "changelog", "changes", "history", "news", "readme", "codeowners", "maintainers", "todo"}
	// Under these, a text file is a test's or a program's input.
	dataDirs = [...]string{"testdata", "fixtures", "__fixtures__", "__snapshots__", "snapshots", "templates", "content", "posts", "prompts", "migrations"}
)

// Match tells whether the slash path, relative to the root, is documentation.
func (d DocMatcher) Match(p string) bool {
	p = path.Clean(p)
	if matchAny(d.Never, p) {
		return false
	}
	if matchAny(d.Also, p) {
		return true
	}
	dirs := strings.Split(path.Dir(p), "/")
	for _, dir := range dirs {
		for _, data := range dataDirs {
			if dir == data {
				return false
			}
		}
	}
	base := strings.ToLower(path.Base(p))
	ext := path.Ext(base)
	for _, e := range docExts {
		if ext == e {
			return true
		}
	}
	if ext == "" || ext == ".txt" {
		stem := strings.TrimSuffix(base, ext)
		for _, n := range docNames {
			if stem == n || strings.HasPrefix(stem, n+"-") {
				return true
			}
		}
	}
	// In the documents' own folder everything counts but code that is run.
	if dirs[0] == "docs" || dirs[0] == "doc" {
		switch ext {
		case ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".rb", ".sh", ".java", ".c", ".cpp", ".cs", ".php", ".toml", ".json", ".yml", ".yaml":
			return false
		}
		return true
	}
	return false
}

// All tells whether every path is documentation; false for none at all.
func (d DocMatcher) All(blobs []PathBlob) bool {
	for _, b := range blobs {
		if !d.Match(b.Path) {
			return false
		}
	}
	return len(blobs) > 0
}

func matchAny(patterns []string, p string) bool {
	for _, pat := range patterns {
		if dir, ok := strings.CutSuffix(pat, "/"); ok {
			dir = strings.TrimPrefix(dir, "/")
			if p == dir || strings.HasPrefix(p, dir+"/") || strings.Contains(p, "/"+dir+"/") {
				return true
			}
			continue
		}
		if ok, err := path.Match(pat, p); ok && err == nil {
			return true
		}
		if ok, err := path.Match(pat, path.Base(p)); ok && err == nil {
			return true
		}
	}
	return false
}
