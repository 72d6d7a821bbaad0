package doctor

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentguard/settings"
	"agentguard/settings/frontmatter"
)

// layer is one settings file of the client, as it is on disk.
type layer struct {
	name string // managed, user, project, local
	path string
	// exists is true when something of that name is there, a broken link too.
	exists bool
	// unreadable says why nothing can be read there.
	unreadable string
	raw        []byte
	doc        settings.Document
	syntax     *settings.SyntaxError
	// faults are the places the client takes amiss; void is set when the whole
	// file counts for nothing.
	faults []settings.Fault
	void   bool
}

// line returns the line of an offset.
func (l *layer) line(offset int) int {
	n, _ := l.doc.Position(offset)
	return n
}

// entry is one hook entry that the client would keep.
type entry struct {
	settings.Handler
	// layer is nil for an entry of an agent file.
	layer *layer
	agent string
	file  string
	// line is that of the command, or of the handler where it has none; at gives
	// the lines of other keys.
	line int
	at   func(n settings.Node) int
	// ours tells an entry that starts our program; marked one that our installer
	// wrote.
	ours, marked bool

	target *target
}

// events returns the events that the entry really fires at: a Stop in an agent
// file fires as SubagentStop too.
func (e *entry) events() []string {
	if e.agent != "" && e.Event == "Stop" {
		return []string{"Stop", "SubagentStop"}
	}
	return []string{e.Event}
}

type variable struct {
	name, value string
	layer       *layer
	line        int
}

// chart is what the client would make of the files, read once.
type chart struct {
	layers  []*layer
	entries []*entry
	agents  []agentFile
	// plugins are entries of enabled plugins; see takePlugins.
	plugins []*entry
	// env are the variables of the settings' env blocks, strongest last.
	env []variable
}

type agentFile struct {
	path string
	raw  []byte
	file frontmatter.File
	err  error
}

// Bounds of what is read, so that an odd folder cannot hold the doctor up.
const (
	maxAgents = 200
	maxFile   = 1 << 20 // bytes
)

func (p *Patient) draw() *chart {
	c := &chart{}
	version := p.ClientVersion
	add := func(name, path string) {
		l := &layer{name: name, path: path}
		l.load(version)
		c.layers = append(c.layers, l)
	}
	managed := p.managedDir()
	add("managed", filepath.Join(managed, "managed-settings.json"))
	drops, _ := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json"))
	for _, path := range drops {
		add("managed", path)
	}
	user := filepath.Join(p.ConfigDir, "settings.json")
	add("user", user)
	project := filepath.Join(p.ProjectDir, ".claude", "settings.json")
	if project != user { // started in the home folder, both are one file
		add("project", project)
	}
	add("local", filepath.Join(p.ProjectDir, ".claude", "settings.local.json"))
	for _, l := range c.layers {
		c.take(p, l)
	}
	c.takeAgents(p)
	c.takePlugins(p)
	return c
}

// managedDir is where the system keeps settings that a person cannot change.
func (p *Patient) managedDir() string {
	switch {
	case p.ManagedDir != "":
		return p.ManagedDir
	case p.OS == "darwin":
		return "/Library/Application Support/ClaudeCode"
	case p.OS == "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

func (l *layer) load(version settings.Version) {
	info, err := os.Lstat(l.path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) {
		return
	}
	l.exists = true
	switch {
	case err != nil:
		l.unreadable = "cannot be looked at: " + err.Error()
		return
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(l.path)
		if info, err = os.Stat(l.path); err != nil {
			l.unreadable = "is a link to " + to + ", which is not there"
			return
		}
	}
	switch {
	case info.IsDir():
		l.unreadable = "is a folder, not a file"
		return
	case !info.Mode().IsRegular():
		l.unreadable = "is no ordinary file"
		return
	case info.Mode().Perm()&0o444 == 0:
		l.unreadable = "may be read by nobody (mode " + info.Mode().Perm().String() + ")"
		return
	case info.Size() > maxFile:
		l.unreadable = "is larger than 1 MiB"
		return
	}
	if l.raw, err = os.ReadFile(l.path); err != nil {
		l.unreadable = "cannot be read: " + err.Error()
		return
	}
	doc, err := settings.Parse(l.raw)
	l.doc = doc
	if err != nil {
		l.void = true
		if !errors.As(err, &l.syntax) {
			l.unreadable = err.Error()
		}
		return
	}
	l.faults = doc.Faults(version)
	l.void = !doc.Strict() || slices.ContainsFunc(l.faults, func(f settings.Fault) bool { return f.Effect == settings.DropsFile })
}

// take keeps what the client keeps of a file.
func (c *chart) take(p *Patient, l *layer) {
	if l.void || l.unreadable != "" {
		return
	}
	block, _ := l.doc.Root.Get("env")
	for _, m := range block.Members {
		if m.Value.Kind == settings.String {
			c.env = append(c.env, variable{m.Key, m.Value.Text, l, l.line(m.KeyStart)})
		}
	}
	for _, h := range l.doc.Handlers() {
		if h.Shadowed || !settings.KnownEvent(h.Event) || l.drops(h) {
			continue
		}
		e := &entry{Handler: h, layer: l, file: l.path}
		e.at = func(n settings.Node) int { return l.line(n.Start) }
		c.add(p, e)
	}
}

// drops tells an entry that a fault of its own takes out.
func (l *layer) drops(h settings.Handler) bool {
	return slices.ContainsFunc(l.faults, func(f settings.Fault) bool {
		return f.Effect >= settings.DropsEntry && f.Offset >= h.Group.Start && f.Offset < h.Group.End &&
			(f.Offset >= h.Node.Start && f.Offset < h.Node.End || f.Offset == h.Group.Start)
	})
}

func (c *chart) add(p *Patient, e *entry) {
	e.line = e.at(e.Node)
	for _, key := range []string{"command", "url", "prompt"} {
		if n, ok := e.Node.Get(key); ok {
			e.line = e.at(n)
			break
		}
	}
	_, e.marked = e.Node.Get("agentguard")
	e.ours = e.Type == "command" && (e.marked || startsUs(e.Handler))
	e.target = p.resolve(e)
	c.entries = append(c.entries, e)
}

// startsUs reports whether a command names our hook program as a word of its own.
func startsUs(h settings.Handler) bool {
	const program = "agentguard-hook"
	for text := h.Command; ; {
		i := strings.Index(text, program)
		if i < 0 {
			return false
		}
		end := i + len(program)
		before := i == 0 || strings.IndexByte(" \t\n;&|({/\\\"'`=", text[i-1]) >= 0
		rest := strings.TrimPrefix(text[end:], ".exe")
		after := rest == "" || strings.IndexByte(" \t\n;&|)}\"'`<>", rest[0]) >= 0
		if before && after {
			return true
		}
		text = text[end:]
	}
}

func (c *chart) takeAgents(p *Patient) {
	for _, dir := range []string{filepath.Join(p.ProjectDir, ".claude", "agents"), filepath.Join(p.ConfigDir, "agents")} {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.md"))
		nested, _ := filepath.Glob(filepath.Join(dir, "*", "*.md"))
		paths = append(paths, nested...)
		for _, path := range paths[:min(len(paths), maxAgents)] {
			raw, err := readBounded(path)
			if err != nil {
				continue
			}
			a := agentFile{path: path, raw: raw}
			a.file, a.err = frontmatter.Parse(raw)
			c.agents = append(c.agents, a)
			if a.err != nil {
				continue
			}
			for _, h := range a.file.Handlers() {
				if !settings.KnownEvent(h.Event) || h.Type == "" {
					continue
				}
				c.add(p, &entry{Handler: h.Handler, agent: path, file: path, at: func(n settings.Node) int { return n.Start }})
			}
		}
	}
}

// readBounded reads an ordinary file of at most maxFile bytes.
func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(path)
}

// askVersion finds the client's version out: as given, else as the client on
// PATH says.
func (p *Patient) askVersion(ctx context.Context) {
	if p.ClientVersion.Known() {
		return
	}
	path := lookPath("claude", p.Environ, p.ProjectDir)
	if path == "" {
		return
	}
	out := p.Start(ctx, Process{
		Path: path, Args: []string{"--version"}, Env: p.Environ, Dir: p.ProjectDir, Limit: 4 * time.Second,
	})
	p.ClientVersion = settings.ParseVersion(out.Stdout)
}

// blocking tells the events at which a hook can refuse something.
func blocking(event string) bool {
	switch event {
	case "PreToolUse", "PermissionRequest", "UserPromptSubmit", "UserPromptExpansion", "PreSkillShellCommand", "Stop", "SubagentStop",
		"TaskCreated", "TaskCompleted", "TeammateIdle", "PreCompact", "ConfigChange", "PreModelSwitch", "PostToolBatch":
		return true
	}
	return false
}

// byName returns the layers of a name.
func (c *chart) byName(name string) []*layer {
	var out []*layer
	for _, l := range c.layers {
		if l.name == name {
			out = append(out, l)
		}
	}
	return out
}

func hasBOM(b []byte) bool { return bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) }

func isUTF16(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))
}
