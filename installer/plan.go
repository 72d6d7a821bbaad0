package installer

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"agentguard/settings"
)

// FileKind is what a changed file is to us.
type FileKind string

// The kinds of files that a plan can touch.
const (
	SettingsFile FileKind = "settings"
	AgentFile    FileKind = "agent"
	TemplateFile FileKind = "template"
	PolicyFile   FileKind = "policy"
	IgnoreFile   FileKind = "ignore"
	ReadmeFile   FileKind = "readme"
)

// Change is one file as it is and as it shall be.
type Change struct {
	Kind FileKind
	Path string
	// Existed is false for a file to be made, Delete true for one to be removed.
	Existed, Delete bool
	Before, After   []byte
	// Mode is that of a new file, before the umask.
	Mode fs.FileMode
	// Why is one line for the person.
	Why string

	// make computes the change from the bytes that are there, for the case that
	// another program wrote since the plan was made.
	make func(settings.Snapshot) (settings.Next, error)
	// base is the file without anything of ours, for the install record.
	base func(settings.Snapshot) (settings.Next, error)
}

// Plan is what an install or an uninstall would do. The zero Plan does nothing.
type Plan struct {
	Changes []Change
	// Notes are for the person: what was left alone, what to know, what comes next.
	Notes []string

	req    Request
	undo   bool
	record record
}

// Empty reports whether nothing would change.
func (p Plan) Empty() bool { return len(p.Changes) == 0 }

// Diff returns the changes as unified diffs. Paths are shown relative to the
// project folder, or with ~ for the home folder.
func (p Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		name := p.Show(c.Path)
		from, to := name, name
		if !c.Existed {
			from = "/dev/null"
		}
		if c.Delete {
			to = "/dev/null"
		}
		text := diff.Diff(from, c.Before, to, c.After)
		// The first line only repeats the names.
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			b.Write(rest)
		}
	}
	return b.String()
}

// Show shortens a path for a person.
func (p Plan) Show(path string) string {
	under := func(dir string) (string, bool) {
		if dir == "" {
			return "", false
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return "", false
		}
		return filepath.ToSlash(rel), true
	}
	if rel, ok := under(p.req.ProjectDir); ok && p.req.Scope != User {
		return rel
	}
	if rel, ok := under(p.req.Home); ok {
		return "~/" + rel
	}
	return path
}
