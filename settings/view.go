package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Registered is one hook entry with its place and whether it is in force.
type Registered struct {
	Handler
	Source Source
	Path   string
	// Name is the plugin, agent or skill it belongs to.
	Name string
	Line int
	// Off says why the entry does not run; empty when it does.
	Off string
	// Seconds is the timeout that really applies: that of the more local entry
	// where equal ones run once. 0 is the client's default.
	Seconds float64
}

// InForce reports whether the entry runs.
func (r Registered) InForce() bool { return r.Off == "" }

// Unread is a file that looks like settings and is not read, with the reason.
type Unread struct{ Path, Why string }

// View is what the client makes of all layers.
type View struct {
	// Stopped says why the client does not start at all: it refuses to while a
	// managed file is broken. Empty when it does; then nothing else matters.
	Stopped string
	Layers  []Layer
	Entries []Registered
	Unread  []Unread
}

// Effective merges the layers as the client does. extra are layers read
// elsewhere: agents and skills.
func Effective(w World, extra ...Layer) View {
	layers := append(Layers(w), extra...)
	v := View{Layers: layers, Unread: w.unread()}
	offBy, offAt, off := disabled(w.asked(layers))
	onlyAt, only := managedFlag(layers, "allowManagedHooksOnly")
	for _, l := range layers {
		why := l.why()
		if l.Source == SourceManaged && why != "" && v.Stopped == "" {
			v.Stopped = l.Path + ": " + why
		}
		switch {
		case why != "":
		case w.skipped(l.Source) != "":
			why = w.skipped(l.Source)
		case only && l.Source != SourceManaged:
			why = "allowManagedHooksOnly in " + onlyAt
		case off && (l.Source != SourceManaged || offBy.Source == SourceManaged):
			why = "disableAllHooks in " + offAt
		}
		for _, h := range l.handlers {
			v.Entries = append(v.Entries, l.register(h, why))
		}
	}
	v.once()
	return v
}

// asked are the layers whose switches count in this world.
func (w World) asked(layers []Layer) []Layer {
	var out []Layer
	for _, l := range layers {
		if w.skipped(l.Source) == "" {
			out = append(out, l)
		}
	}
	return out
}

func (l Layer) why() string {
	switch {
	case l.Dropped != "" && l.Line > 0:
		return fmt.Sprintf("the client drops the whole file: %d:%d: %s", l.Line, l.Col, l.Dropped)
	case l.Dropped != "":
		return "the file " + l.Dropped
	}
	return l.off
}

func (l Layer) register(h Handler, why string) Registered {
	r := Registered{Handler: h, Source: l.Source, Path: l.Path, Name: l.Name, Line: h.Node.Start, Off: why, Seconds: h.Timeout}
	if !l.linesNotOffsets {
		r.Line, _ = l.Doc.Position(h.Node.Start)
	}
	switch {
	case r.Off != "":
	case h.Shadowed:
		r.Off = "its key occurs again further down in the file; only the last one counts"
	case !KnownEvent(h.Event):
		r.Off = strconv.Quote(h.Event) + " is no event of the client"
	case h.If != "" && !toolEvent(h.Event):
		r.Off = "\"if\" looks at a tool call; on this event it makes the entry never run"
	default:
		r.Off = l.fault(h)
	}
	return r
}

// fault finds the fault that takes an entry out, if any.
func (l Layer) fault(h Handler) string {
	for _, f := range l.Faults {
		inGroup := f.Offset >= h.Group.Start && f.Offset < h.Group.End
		inOther := false
		if inGroup {
			list, _ := h.Group.Get("hooks")
			for _, n := range list.Items {
				inOther = inOther || n.Start != h.Node.Start && f.Offset >= n.Start && f.Offset < n.End
			}
		}
		if f.Effect >= DropsEntry && inGroup && !inOther {
			return f.Message
		}
	}
	return ""
}

// toolEvent reports whether an event is about a tool call, so that "if" can match.
func toolEvent(event string) bool {
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand":
		return true
	}
	return false
}

// once marks entries that are one hook to the client: the same command for the
// same event runs once, in whichever layers it stands, and the more local entry
// gives the timeout. One more space makes another hook; so does a plugin's copy.
func (v *View) once() {
	rank := map[Source]int{SourceManaged: 0, SourceFlag: 1, SourceLocal: 2, SourceProject: 3, SourceUser: 4, SourcePlugin: 5, SourceSkill: 6, SourceAgent: 7}
	first := map[string]int{}
	for i := range v.Entries {
		e := &v.Entries[i]
		if !e.InForce() || e.Type != "command" || e.Source == SourcePlugin || e.Source == SourceAgent || e.Source == SourceSkill {
			continue
		}
		matcher := e.Matcher
		if IgnoresMatcher(e.Event) || matcher == "*" {
			matcher = ""
		}
		key := strings.Join([]string{e.Event, matcher, e.If, e.Shell, e.Command, strconv.FormatBool(e.HasArgs), strings.Join(e.Args, "\x00")}, "\x01")
		j, seen := first[key]
		if !seen {
			first[key] = i
			continue
		}
		kept := &v.Entries[j]
		if rank[e.Source] < rank[kept.Source] {
			kept, e = e, kept
			first[key] = i
		}
		e.Off = fmt.Sprintf("the same command stands in %s:%d; the client runs it once", kept.Path, kept.Line)
	}
}

// unread finds settings files that a person may think are read: those of folders
// above the launch folder, and those of the main checkout in a worktree.
func (w World) unread() []Unread {
	var out []Unread
	exists := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	if main := mainCheckout(w.Dir); main != "" {
		here := filepath.Join(w.Dir, ".claude", "settings.json")
		if there := filepath.Join(main, ".claude", "settings.json"); exists(there) && !exists(here) {
			out = append(out, Unread{there, "this worktree has no settings.json of its own: commit the file, or install for the user"})
		}
	}
	if top := gitTop(w.Dir); top != "" {
		for dir := w.Dir; dir != top; {
			dir = filepath.Dir(dir)
			for _, name := range []string{"settings.json", "settings.local.json"} {
				path := filepath.Join(dir, ".claude", name)
				if exists(path) && path != filepath.Join(w.UserDir(), "settings.json") && path != w.sharedLocal() {
					out = append(out, Unread{path, "the client reads settings in the folder it is started in, not above it"})
				}
			}
		}
	}
	return append(out, w.misnamed(exists)...)
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

// misnamed finds files of names that people expect to be read.
func (w World) misnamed(exists func(string) bool) []Unread {
	var out []Unread
	for _, path := range []string{
		filepath.Join(w.Dir, ".claude", "hooks.json"),
		filepath.Join(w.Dir, ".claude", "hooks", "hooks.json"),
		filepath.Join(w.Dir, ".claude.json"),
		filepath.Join(w.UserDir(), "hooks.json"),
		filepath.Join(w.UserDir(), "hooks", "hooks.json"),
		filepath.Join(w.UserDir(), "settings.local.json"),
	} {
		if !exists(path) || path == filepath.Join(w.Dir, ".claude", "settings.local.json") || path == filepath.Join(w.Home, ".claude.json") {
			continue
		}
		snap, err := ReadFile(path)
		if err != nil {
			continue
		}
		if doc, err := Parse(snap.Bytes); err == nil {
			if hooks, ok := doc.Root.Get("hooks"); ok && len(hooks.Members) > 0 {
				out = append(out, Unread{path, "the client does not read hooks from a file of this name; they belong into settings.json"})
			}
		}
	}
	return out
}
