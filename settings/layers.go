package settings

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentguard/hook/regular"
)

// Source is where a settings layer comes from.
type Source string

// The sources, the one with the last word first.
const (
	SourceManaged Source = "managed"
	SourceFlag    Source = "flag" // --settings
	SourceLocal   Source = "local"
	SourceProject Source = "project"
	SourceUser    Source = "user"
	SourcePlugin  Source = "plugin"
	SourceSkill   Source = "skill"
	SourceAgent   Source = "agent"
)

// World is where and how the client would be started. Everything is given: the
// package looks up nothing by itself but the files named here.
type World struct {
	// Dir is the launch folder, Home the home folder, both absolute.
	Dir, Home string
	// ConfigDir is CLAUDE_CONFIG_DIR; empty means .claude in Home.
	ConfigDir string
	// Root stands before system paths: empty, but for tests.
	Root string
	// OS is as runtime.GOOS.
	OS string
	// Version is the client's, if known.
	Version Version
	// Getenv answers for the client's environment; nil is an empty one.
	Getenv func(string) string
	// Settings is the value of --settings: JSON, or the path of a file.
	Settings string
	// Sources is the value of --setting-sources; nil is all of them, an empty list
	// none.
	Sources []Source
	// Bare and Safe are --bare and --safe-mode.
	Bare, Safe bool
}

func (w World) env(name string) string {
	if w.Getenv == nil {
		return ""
	}
	return w.Getenv(name)
}

// UserDir is the person's folder of the client.
func (w World) UserDir() string {
	if w.ConfigDir != "" {
		return w.ConfigDir
	}
	return filepath.Join(w.Home, ".claude")
}

// ManagedDir is where the system keeps settings that a person cannot change.
func (w World) ManagedDir() string {
	switch w.OS {
	case "darwin":
		return filepath.Join(w.Root, "/Library/Application Support/ClaudeCode")
	case "windows":
		if w.Root != "" {
			return filepath.Join(w.Root, "Program Files", "ClaudeCode")
		}
		return `C:\Program Files\ClaudeCode`
	}
	return filepath.Join(w.Root, "/etc/claude-code")
}

// Layer is one source of settings as it is.
type Layer struct {
	Source Source
	// Path is the file; for a --settings value that is JSON it is "--settings".
	Path string
	// Name is the plugin, agent or skill.
	Name   string
	Exists bool
	Doc    Document
	// Dropped says why the client does not read the file at all, with its place
	// where there is one; empty when it does.
	Dropped         string
	Line, Col       int
	Faults          []Fault
	handlers        []Handler
	linesNotOffsets bool
	off             string
}

// NewLayer makes a layer of handlers that were read elsewhere, such as an
// agent's: their Node.Start is a line, not an offset. why says why none of them
// is in force, and is empty when they are.
func NewLayer(source Source, path, name string, handlers []Handler, why string) Layer {
	return Layer{
		Source: source, Path: path, Name: name, Exists: true, handlers: handlers, linesNotOffsets: true, off: why,
	}
}

// Layers reads every settings file that the client would look at, in the order
// of the sources. Files that do not exist are listed too, but for drop-ins and
// plugins.
func Layers(w World) []Layer {
	managed := w.ManagedDir()
	out := []Layer{w.file(SourceManaged, filepath.Join(managed, "managed-settings.json"))}
	drops, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Join(managed, "managed-settings.d")), "*.json"))
	for _, path := range drops { // Glob sorts
		if !strings.HasPrefix(filepath.Base(path), ".") {
			out = append(out, w.file(SourceManaged, path))
		}
	}
	if w.Settings != "" {
		out = append(out, w.flag())
	}
	user := filepath.Join(w.UserDir(), "settings.json")
	project := filepath.Join(w.Dir, ".claude", "settings.json")
	local := filepath.Join(w.Dir, ".claude", "settings.local.json")
	out = append(out, w.file(SourceLocal, local))
	if path := w.sharedLocal(); path != "" && path != local {
		if shared := w.file(SourceLocal, path); shared.Exists {
			out = append(out, shared)
		}
	}
	if project != user { // started in the home folder both are one file
		out = append(out, w.file(SourceProject, project))
	}
	out = append(out, w.file(SourceUser, user))
	return append(out, w.plugins(out)...)
}

// sharedLocal is the local settings file that the client reads besides that of
// the launch folder: the one at the top of the main checkout. Settings that are
// not local are never looked for there.
func (w World) sharedLocal() string {
	top := gitTop(w.Dir)
	if top == "" || !w.Version.sharesLocal() {
		return ""
	}
	if main := mainCheckout(top); main != "" {
		top = main
	}
	return filepath.Join(top, ".claude", "settings.local.json")
}

func escapeGlob(path string) string {
	return strings.NewReplacer("[", `\[`, "*", `\*`, "?", `\?`).Replace(path)
}

func (w World) file(source Source, path string) Layer {
	l := Layer{Source: source, Path: path}
	snap, err := ReadFile(path)
	l.Exists = snap.Exists
	if fileErr, ok := errors.AsType[*FileError](err); ok {
		l.Exists = true
		l.Dropped = fileErr.Msg
		if fileErr.Err != nil {
			l.Dropped += ": " + fileErr.Err.Error()
		}
		return l
	}
	return l.read(snap.Bytes, w.Version)
}

func (l Layer) read(src []byte, version Version) Layer {
	doc, err := Parse(src)
	l.Doc = doc
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		l.Dropped, l.Line, l.Col = syntax.Msg, syntax.Line, syntax.Col
		return l
	}
	l.Faults = doc.Faults(version)
	if fault, void := doc.Void(version); void && !(l.Source == SourceManaged && doc.Strict() && !gateEvent(fault.Event)) {
		l.Dropped, l.Line, l.Col = fault.Message, fault.Line, fault.Col
	}
	l.handlers = doc.Handlers()
	return l
}

// gateEvent tells the events whose bad entries void a whole file; in a managed
// file every other fault takes out only its own field.
func gateEvent(event string) bool { return event == "PreToolUse" || event == "PermissionRequest" }

func (w World) flag() Layer {
	if text := strings.TrimSpace(w.Settings); strings.HasPrefix(text, "{") {
		return Layer{Source: SourceFlag, Path: "--settings", Exists: true}.read([]byte(text), w.Version)
	}
	path := w.Settings
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Dir, path)
	}
	return w.file(SourceFlag, path)
}

// mainCheckout returns the main checkout of a linked git worktree, or "".
func mainCheckout(dir string) string {
	text, err := regular.Read(filepath.Join(dir, ".git"), MaxSize)
	if err != nil { // a folder, or no repository here
		return ""
	}
	git, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return ""
	}
	git = filepath.FromSlash(strings.TrimSpace(git))
	if !filepath.IsAbs(git) {
		git = filepath.Join(dir, git)
	}
	// A worktree's folder is <main>/.git/worktrees/<name>; a submodule's is not.
	if filepath.Base(filepath.Dir(git)) != "worktrees" {
		return ""
	}
	common := filepath.Dir(filepath.Dir(git))
	if filepath.Base(common) != ".git" { // a bare repository has no checkout
		return ""
	}
	return filepath.Dir(common)
}

// disabled looks for the value of disableAllHooks that counts: a managed one,
// else that of the most local layer that has it. by is its layer, at its place.
func disabled(layers []Layer) (by Layer, at string, off bool) {
	order := []Source{SourceManaged, SourceFlag, SourceLocal, SourceProject, SourceUser}
	for _, source := range order {
		for _, l := range layers {
			if l.Source != source || !l.counts() {
				continue
			}
			if n, ok := l.Doc.Root.Get("disableAllHooks"); ok && n.Kind == Bool {
				return l, l.place(n), n.Bool
			}
		}
	}
	return Layer{}, "", false
}

// place is file and line of a value.
func (l Layer) place(n Node) string {
	line, _ := l.Doc.Position(n.Start)
	return l.Path + ":" + strconv.Itoa(line)
}

// counts reports whether the client reads the layer.
func (l Layer) counts() bool {
	return l.Exists && l.Dropped == ""
}

// managedFlag returns the place of a managed switch that is on.
func managedFlag(layers []Layer, key string) (at string, on bool) {
	for _, l := range layers {
		if l.Source == SourceManaged && l.counts() {
			if n, ok := l.Doc.Root.Get(key); ok && n.Bool {
				return l.place(n), true
			}
		}
	}
	return "", false
}

// skipped says why a source is not asked at all in this world, or "".
func (w World) skipped(source Source) string {
	switch {
	case source == SourceManaged:
		return ""
	case w.Bare || truthy(w.env("CLAUDE_CODE_SIMPLE")):
		return "the client is started bare (--bare or CLAUDE_CODE_SIMPLE): only managed hooks run"
	case w.Safe || truthy(w.env("CLAUDE_CODE_SAFE_MODE")):
		return "the client is started in safe mode: only managed hooks run"
	}
	asked := source
	switch source {
	case SourceSkill, SourceAgent, SourcePlugin, SourceFlag:
		return "" // not governed by --setting-sources
	default:
	}
	if w.Sources != nil && !slices.Contains(w.Sources, asked) {
		return "--setting-sources leaves out " + string(source) + " settings"
	}
	return ""
}

func truthy(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// Folders are the launch folder and those above it up to the top of the
// repository; without a repository the launch folder alone. The client looks for
// agents and skills in all of them, for settings only in the first.
func (w World) Folders() []string {
	out := []string{w.Dir}
	top := gitTop(w.Dir)
	for dir := w.Dir; top != "" && dir != top; {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	return out
}
