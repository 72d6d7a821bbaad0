package evidence

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"agentguard/hook/regular"
)

// settings is the repository's configuration as git reads it, last value first.
type settings struct {
	values  map[string]string
	filters repoFilters
	err     error // of the filters
}

// readSettings asks git: only it knows every layer, include and condition.
func (r *Repo) readSettings(ctx context.Context) (*settings, error) {
	out, err := r.run(ctx, "config", "--list", "--show-scope", "-z")
	if err != nil {
		return nil, err
	}
	s := &settings{values: map[string]string{}}
	fields := records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, ok := strings.Cut(fields[i+1], "\n")
		if !ok {
			value = "true" // a key without "=" is true
		}
		// What we put on the command line ourselves says nothing of the repository.
		if fields[i] != "command" {
			s.values[key] = value
		}
		if fields[i] == "local" || fields[i] == "worktree" {
			s.filters.note(key, &s.err)
		}
	}
	return s, nil
}

// on reads a boolean; what git would refuse counts as set.
func (s *settings) on(key string, otherwise bool) bool {
	v, ok := s.values[key]
	if !ok {
		return otherwise
	}
	switch strings.ToLower(v) {
	case "false", "no", "off", "0", "":
		return false
	}
	return true
}

// file resolves a configured path; ok is false for one that only git can.
func (r *Repo) file(value string) (string, bool) {
	switch {
	case strings.HasPrefix(value, "~/"):
		home, ok := r.getenv("HOME")
		return filepath.Join(home, value[2:]), ok
	case strings.HasPrefix(value, "~"), strings.HasPrefix(value, "%("), strings.HasPrefix(value, ":("):
		return "", false
	case !filepath.IsAbs(value):
		return filepath.Join(r.root, value), true
	}
	return value, true
}

// userFile is the path of a user's git file: the configured one, else the
// default in the user's configuration folder. Empty: there is none.
func (r *Repo) userFile(s *settings, key, name string) (string, error) {
	if v, ok := s.values[key]; ok {
		if v == "" {
			return "", nil
		}
		path, ok := r.file(v)
		if !ok {
			return "", errFallback
		}
		return path, nil
	}
	if xdg, ok := r.getenv("XDG_CONFIG_HOME"); ok && xdg != "" {
		return filepath.Join(xdg, "git", name), nil
	}
	if home, ok := r.getenv("HOME"); ok && home != "" {
		return filepath.Join(home, ".config", "git", name), nil
	}
	return "", nil
}

// treeConfig decides how files are compared; errFallback where the
// configuration asks for what only git does.
func (r *Repo) treeConfig(s *settings) (treeConfig, error) {
	c := treeConfig{
		fileMode:    s.on("core.filemode", true),
		symlinks:    s.on("core.symlinks", true),
		trustCtime:  s.on("core.trustctime", true),
		minimalStat: strings.EqualFold(s.values["core.checkstat"], "minimal"),
	}
	if s.on("core.ignorecase", false) || s.on("core.precomposeunicode", false) || s.on("core.sparsecheckout", false) ||
		s.on("core.ignorestat", false) || s.on("core.safecrlf", false) && s.values["core.safecrlf"] != "warn" {
		return c, errFallback
	}
	global, err := r.userFile(s, "core.excludesfile", "ignore")
	if err != nil {
		return c, err
	}
	// The last of the chain speaks last: info/exclude before the user's file.
	for _, path := range []string{global, filepath.Join(r.commonDir, "info", "exclude")} {
		if path == "" {
			continue
		}
		text, err := regular.Read(path, maxIgnoreFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return c, errFallback
		}
		if f := parseIgnore("", string(text), false); len(f.patterns) > 0 {
			c.outer = &ignores{f, c.outer}
		}
	}
	return c, nil
}

// attributeFiles are those outside the tree. System files are looked for where
// git is usually built to find them; one too many only leaves more to git.
func (r *Repo) attributeFiles(s *settings) ([]string, error) {
	files := []string{filepath.Join(r.commonDir, "info", "attributes"), "/etc/gitattributes"}
	if prog, err := filepath.EvalSymlinks(r.git.path); err == nil {
		files = append(files, filepath.Join(filepath.Dir(filepath.Dir(prog)), "etc", "gitattributes"))
	}
	user, err := r.userFile(s, "core.attributesfile", "attributes")
	if user != "" {
		files = append(files, user)
	}
	return files, err
}
