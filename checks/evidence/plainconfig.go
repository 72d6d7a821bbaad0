package evidence

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"agentguard/hook/regular"
)

// plainSettings reads the configuration without starting git, where that is
// surely the same: a git that is built to look in the usual places, files
// without includes, and plain values in the sections that we read.
func (r *Repo) plainSettings() (*settings, bool) {
	if runtime.GOOS != "linux" || (r.git.path != "/usr/bin/git" && r.git.path != "/bin/git") {
		return nil, false
	}
	for _, name := range [...]string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if _, ok := r.getenv(name); ok {
			return nil, false
		}
	}
	s := &settings{values: map[string]string{}}
	var files []string
	if v, ok := r.getenv("GIT_CONFIG_NOSYSTEM"); !ok {
		files = append(files, "/etc/gitconfig")
	} else if v != "1" && v != "true" {
		return nil, false
	}
	home, hasHome := r.getenv("HOME")
	xdg, ok := r.getenv("XDG_CONFIG_HOME")
	if (!ok || xdg == "") && hasHome {
		xdg = filepath.Join(home, ".config")
	}
	if xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if hasHome {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	for _, path := range files {
		if !s.addFile(path, false) {
			return nil, false
		}
	}
	return s, s.addFile(filepath.Join(r.commonDir, "config"), true) && s.err == nil
}

// addFile adds one file's values; false when only git can read it.
func (s *settings) addFile(path string, local bool) bool {
	text, err := regular.Read(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return err == nil && s.addText(string(text), local)
}

// addText reads the plain part of git's configuration form: the sections that
// decide anything here, with one-line headers and values without quotes, escapes
// and comments. Other sections are passed over. It gives up, and leaves the file
// to git, wherever a line might mean something else.
func (s *settings) addText(text string, local bool) bool {
	if strings.HasPrefix(text, "\xef\xbb\xbf") || strings.ContainsAny(text, "\x00\r") {
		return false
	}
	prefix := "" // of the keys of the section we are in; empty in one that does not matter
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if strings.HasSuffix(line, `\`) {
			return false // goes on in the next line
		}
		if line[0] == '[' {
			var ok bool
			if prefix, ok = plainHeader(line); !ok {
				return false
			}
			continue
		}
		if prefix == "" {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimRight(key, " \t"), strings.TrimLeft(value, " \t")
		if !ok || value == "" || strings.ContainsAny(value, "\"\\#;\t") || strings.Contains(value, "  ") || strings.Trim(key, plainKey) != "" {
			return false
		}
		name := prefix + strings.ToLower(key)
		s.values[name] = value
		if local {
			s.filters.note(name, &s.err)
		}
	}
	return true
}

const plainKey = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// plainHeader reads a section's line and returns the start of its keys, empty
// for a section that does not matter; false when only git can tell.
func plainHeader(line string) (prefix string, ok bool) {
	inner, ok := strings.CutSuffix(line[1:], "]")
	if !ok {
		return "", false // a key or comment may follow on the line
	}
	name, sub, hasSub := strings.Cut(inner, " ")
	name = strings.ToLower(name)
	if strings.Trim(name, plainKey) != "" { // also the older [section.sub]
		return "", false
	}
	if hasSub {
		sub = strings.TrimLeft(sub, " \t")
		if len(sub) < 2 || sub[0] != '"' || sub[len(sub)-1] != '"' || strings.ContainsAny(sub[1:len(sub)-1], "\"\\]") {
			return "", false
		}
		sub = sub[1 : len(sub)-1]
	}
	switch name {
	case "include", "includeif":
		return "", false
	case "core", "extensions", "filter":
		prefix = name + "."
		if hasSub {
			prefix += sub + "."
		}
	}
	return prefix, true
}

// plainRepo tells that the configuration makes the repository what discover took
// it for: a working tree beside its git folder, SHA-1, no extension that moves
// things.
func (s *settings) plainRepo() bool {
	for key, v := range s.values {
		switch {
		case key == "core.worktree", key == "core.bare" && s.on(key, false), key == "core.repositoryformatversion" && v != "0" && v != "1":
			return false
		case strings.HasPrefix(key, "extensions.") && key != "extensions.partialclone" && key != "extensions.noop":
			return false
		}
	}
	return true
}
