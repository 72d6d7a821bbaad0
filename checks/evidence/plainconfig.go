package evidence

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
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
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return true
	}
	if err != nil || len(text) > 1<<20 || !plainConfig(text) {
		return false
	}
	cfg, ok := decodeConfig(text)
	if !ok {
		return false
	}
	add := func(section, sub string, options config.Options) {
		prefix := strings.ToLower(section) + "."
		if sub != "" {
			prefix += sub + "."
		}
		for _, o := range options {
			key := prefix + strings.ToLower(o.Key)
			s.values[key] = o.Value
			if local {
				s.filters.note(key, &s.err)
			}
		}
	}
	for _, section := range cfg.Sections {
		add(section.Name, "", section.Options)
		for _, sub := range section.Subsections {
			add(section.Name, sub.Name, sub.Options)
		}
	}
	return true
}

// decodeConfig guards the decoder, which gives up on some broken texts by panic.
func decodeConfig(text []byte) (cfg *config.Config, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	cfg = config.New()
	return cfg, config.NewDecoder(bytes.NewReader(text)).Decode(cfg) == nil
}

// plainConfig tells a text in which the sections that decide anything here hold
// simple values only, and which includes nothing.
func plainConfig(text []byte) bool {
	matters := true
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			name := strings.ToLower(line[1:])
			if i := strings.IndexAny(name, "] \t\"."); i >= 0 {
				name = name[:i]
			}
			switch name {
			case "include", "includeif":
				return false
			case "core", "extensions", "filter":
				// A header of one line, without the older dotted form.
				if !strings.HasSuffix(line, "]") || strings.ContainsAny(line, `\#;`) || strings.Contains(line, "[filter.") {
					return false
				}
				matters = true
			default:
				matters = false
			}
			continue
		}
		if strings.HasSuffix(line, `\`) {
			return false // goes on in the next line
		}
		_, value, ok := strings.Cut(line, "=")
		if matters && (!ok || strings.TrimSpace(value) == "" || strings.ContainsAny(value, "\"\\#;\t")) {
			return false
		}
	}
	return !bytes.Contains(text, []byte("\xef\xbb\xbf")) && !bytes.Contains(text, []byte{0})
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
