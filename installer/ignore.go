package installer

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ignoreHeader begins the block that is added to an ignore file.
const ignoreHeader = "# agentguard: settings of one person, not for the repository"

// personalFiles are the files of one person inside a project, slash-separated.
func (r Request) personalFiles() []string {
	files := []string{".agentguard/policy.local.jsonc"}
	if r.Client.LocalFile != "" {
		files = append(files, r.Client.ProjectFolder+"/"+r.Client.LocalFile)
	}
	return files
}

// addIgnores appends lines for those of the files that no rule of the repository
// itself hides yet.
func addIgnores(src []byte, files []string) []byte {
	if len(files) == 0 {
		return src
	}
	newline := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	out := slices.Clone(src)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, newline...)
	}
	for _, line := range append([]string{ignoreHeader}, files...) {
		out = append(out, line+newline...)
	}
	return out
}

// stripIgnores takes out the blocks that addIgnores wrote: the header and the
// lines of ours that follow it at once.
func stripIgnores(src []byte, files []string) []byte {
	var out []byte
	ours := false
	for line := range bytes.Lines(src) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if text == ignoreHeader {
			ours = true
			continue
		}
		if ours && slices.Contains(files, text) {
			continue
		}
		ours = false
		out = append(out, line...)
	}
	return out
}

// gitTop returns the folder that holds .git, from dir upwards, or "".
func gitTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// excludeFile returns the ignore file that git keeps for this checkout only; in
// a linked worktree it is that of the main one. Empty when it cannot be told.
func excludeFile(top string) string {
	git := filepath.Join(top, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		text, err := os.ReadFile(git)
		if err != nil {
			return ""
		}
		to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
		if !ok {
			return ""
		}
		if git = filepath.FromSlash(strings.TrimSpace(to)); !filepath.IsAbs(git) {
			git = filepath.Join(top, git)
		}
		if common, err := os.ReadFile(filepath.Join(git, "commondir")); err == nil {
			dir := filepath.FromSlash(strings.TrimSpace(string(common)))
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(git, dir)
			}
			git = dir
		}
	}
	return filepath.Join(git, "info", "exclude")
}

// ignoredHere reports whether ignore files of the repository itself hide a file.
// The person's global ignore file does not count: a fresh clone has none of it.
// extra is one more file with the lowest rank, such as the checkout's exclude file.
func ignoredHere(top, file, extra string) bool {
	rel, err := filepath.Rel(top, file)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for n := 1; n <= len(parts); n++ {
		hidden := false
		sources := []struct {
			file string
			skip int
		}{{extra, 0}}
		for depth := range n {
			sources = append(sources, struct {
				file string
				skip int
			}{filepath.Join(top, filepath.Join(parts[:depth]...), ".gitignore"), depth})
		}
		for _, s := range sources {
			text, err := os.ReadFile(s.file)
			if err != nil || s.file == "" {
				continue
			}
			for line := range strings.Lines(string(text)) {
				if hit, negated := ignoreRule(line, parts[s.skip:n], n < len(parts)); hit {
					hidden = !negated
				}
			}
		}
		if hidden { // a hidden folder hides all in it, whatever else is said
			return true
		}
	}
	return false
}

// ignoreRule matches one line of an ignore file against a path below its folder.
func ignoreRule(line string, parts []string, isDir bool) (hit, negated bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return false, false
	}
	if line[0] == '!' {
		negated, line = true, line[1:]
	}
	line = strings.TrimPrefix(line, `\`)
	dirOnly := strings.HasSuffix(line, "/")
	line = strings.TrimSuffix(line, "/")
	if dirOnly && !isDir || line == "" {
		return false, false
	}
	if !strings.Contains(line, "/") {
		ok, _ := path.Match(line, parts[len(parts)-1])
		return ok, negated
	}
	return matchParts(strings.Split(strings.TrimPrefix(line, "/"), "/"), parts), negated
}

func matchParts(pattern, parts []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			if len(pattern) == 1 {
				return len(parts) > 0
			}
			for i := range parts {
				if matchParts(pattern[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], parts[0]); !ok {
			return false
		}
		pattern, parts = pattern[1:], parts[1:]
	}
	return len(parts) == 0
}
