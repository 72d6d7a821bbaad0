// Package replay runs today's checks over sessions of the past, as far as the
// sessions themselves tell what was. It prints nothing and changes nothing.
package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"agentguard/hook/claude"
)

// File is one session file: a session, a later part of one, or a subagent's.
type File struct {
	Path     string
	Size     int64
	Session  string // the client's id of the session; of the file's name where no line tells
	Subagent bool
	Agent    string // id of the subagent, where one is told
	// Project is the folder that the client was started in and Home the home
	// folder of its machine, both as the session tells it and in slashes.
	Project, Home string
	Windows       bool

	key   string // what its family has in common
	began time.Time
	whole bool   // it starts where the conversation does
	why   string // why it is not read; empty for one that is
}

// Reasons not to read a file.
const (
	notRead = "no session of Claude Code"
	isCodex = "a session of Codex; only those of Claude Code are read"
)

// Unread is a file that holds no session that can be read.
type Unread struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// Family is one session with its subagents and parts, the eldest first. What one
// of them ran counts for the others.
type Family struct{ Files []*File }

// Find lists the session files among names, folders searched through, and looks
// into the head of each. home is this person's home folder, which tells nothing
// of a session that lies elsewhere. total is the size of what will be read.
func Find(names []string, home string) (families []Family, unread []Unread, total int64, err error) {
	var files []*File
	for _, name := range names {
		list, err := walk(name)
		if err != nil {
			return nil, nil, 0, err
		}
		files = append(files, list...)
	}
	byID := map[string]int{}
	for _, f := range files {
		if err := f.look(home); err != nil {
			f.why = err.Error()
		}
		if f.why != "" {
			unread = append(unread, Unread{f.Path, f.why})
			continue
		}
		total += f.Size
		at, known := byID[f.key]
		if !known {
			at = len(families)
			byID[f.key] = at
			families = append(families, Family{})
		}
		families[at].Files = append(families[at].Files, f)
	}
	for _, fam := range families {
		fam.settle()
	}
	return families, unread, total, nil
}

// walk lists the files below one name; a file that is named itself may be called
// anything.
func walk(name string) (files []*File, err error) {
	root := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		root = real
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == root {
				return err
			}
			return nil // a folder that cannot be read holds nothing for us
		}
		if d.IsDir() || (path != root && !strings.HasSuffix(path, ".jsonl")) {
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil //nolint:nilerr // it vanished
		}
		files = append(files, &File{Path: name + strings.TrimPrefix(path, root), Size: info.Size()})
		return nil
	})
	return files, err
}

// settle puts the eldest file first and gives the others what it knows. Only the
// eldest shows how the session began, and a subagent's file never does.
func (fam Family) settle() {
	slices.SortStableFunc(fam.Files, func(a, b *File) int {
		if a.Subagent != b.Subagent {
			if a.Subagent {
				return 1
			}
			return -1
		}
		return a.began.Compare(b.began)
	})
	eldest := fam.Files[0]
	if eldest.Subagent {
		eldest.whole = false
	}
	for _, f := range fam.Files[1:] {
		f.whole = eldest.whole
		if eldest.Project != "" {
			f.Project, f.Home, f.Windows = eldest.Project, eldest.Home, eldest.Windows
		}
	}
}

// agents lists the ids of the subagents whose own files are here.
func (fam Family) agents() map[string]bool {
	ids := map[string]bool{}
	for _, f := range fam.Files {
		if f.Subagent && f.Agent != "" {
			ids[f.Agent] = true
		}
	}
	return ids
}

// maxHead is how much of a file's beginning is looked at.
const maxHead = 512 << 10

// look reads the head of the file: which client wrote it, where, and whether the
// conversation begins here.
func (f *File) look(home string) error {
	r, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // opened for reading
	name := strings.TrimSuffix(filepath.Base(f.Path), ".jsonl")
	f.Session, f.key = name, f.Path
	if dir := filepath.Dir(f.Path); filepath.Base(dir) == "subagents" {
		f.Subagent = true
		f.Session = filepath.Base(filepath.Dir(dir))
		f.key = f.Session
	}
	if agent, ok := strings.CutPrefix(name, "agent-"); ok {
		f.Agent = agent
	}
	in := bufio.NewReaderSize(io.LimitReader(r, maxHead), 64<<10)
	var head bytes.Buffer
	seen := map[string]bool{}
	f.why = notRead
	for {
		line, err := in.ReadBytes('\n')
		head.Write(line)
		if f.headLine(line, seen) || err != nil {
			break
		}
	}
	if f.why == "" {
		f.Home = homeOf(f.Project, head.Bytes(), home)
	}
	return nil
}

// headLine takes one line of the head and tells whether all is known now.
func (f *File) headLine(line []byte, seen map[string]bool) (done bool) {
	p, ok := claude.LinePlace(line)
	if !ok {
		return false
	}
	switch kind := gjson.GetBytes(line, "type").Str; kind {
	case "session_meta", "response_item", "event_msg", "turn_context":
		f.why = isCodex
		return true
	case "user", "assistant":
		if !gjson.GetBytes(line, "message").IsObject() {
			return false
		}
		f.why = ""
		if p.Session != "" && (!f.Subagent || p.Sidechain) {
			f.Session, f.key = p.Session, p.Session
		}
		f.Subagent = f.Subagent || p.Sidechain && p.Agent != ""
		f.Agent = cmp.Or(p.Agent, f.Agent)
		f.began = p.Time
		f.whole = !p.Summary && (p.Parent == "" || seen[p.Parent])
		f.place(p.CWD)
		return true
	case "":
		return false
	default:
		// The client's own notes come before the conversation.
		if p.Session != "" || kind == "summary" || kind == "file-history-snapshot" {
			f.why = ""
		}
		seen[p.ID] = true
		return false
	}
}

// place takes the first folder that the session names as its project.
func (f *File) place(cwd string) {
	if f.Project == "" && cwd != "" {
		f.Windows = isDrive(cwd)
		f.Project = slashes(cwd)
	}
}
