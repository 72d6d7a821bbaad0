package frontmatter

import (
	"encoding/json"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/hook/regular"
	"agentguard/settings"
)

// maxFiles bounds how many agents and skills of one folder are read.
const maxFiles = 500

// Layers reads the hooks of agents and skills that the client would load, for
// settings.Effective. Files without hooks are left out, and so are those that the
// client does not load. An agent of a project that the person has not trusted is
// listed with that reason; a skill's hooks act from its loading on.
func Layers(w settings.World) []settings.Layer {
	var out []settings.Layer
	trusted := trustedFolder(w)
	for _, dir := range w.Folders() {
		why := ""
		if !trusted {
			why = "the folder is not trusted: the client skips hooks of its agents until its trust question was answered with yes"
		}
		out = append(out, read(w, filepath.Join(dir, ".claude", "agents"), settings.SourceAgent, why)...)
	}
	out = append(out, read(w, filepath.Join(w.UserDir(), "agents"), settings.SourceAgent, "")...)
	for _, dir := range append(w.Folders(), "") {
		folder := filepath.Join(dir, ".claude", "skills")
		if dir == "" {
			folder = filepath.Join(w.UserDir(), "skills")
		}
		out = append(out, read(w, folder, settings.SourceSkill, "")...)
	}
	// Started in the home folder, the person's files would come twice.
	var once []settings.Layer
	for _, l := range out {
		if !slices.ContainsFunc(once, func(o settings.Layer) bool { return o.Path == l.Path }) {
			once = append(once, l)
		}
	}
	return once
}

func read(w settings.World, dir string, source settings.Source, why string) []settings.Layer {
	var out []settings.Layer
	n := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // a folder that cannot be read holds no agents for the client either
		}
		if n++; n > maxFiles {
			return fs.SkipAll
		}
		wanted := strings.HasSuffix(d.Name(), ".md")
		if source == settings.SourceSkill {
			wanted = d.Name() == "SKILL.md"
		}
		if !wanted {
			return nil
		}
		snap, err := settings.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		f, err := parseFile(snap.Bytes, w.Version.LooseFrontmatter())
		if err != nil {
			return nil //nolint:nilerr // no agent to the client; the doctor names it
		}
		var handlers []settings.Handler
		for _, h := range f.Handlers() {
			handlers = append(handlers, h.Handler)
		}
		if len(handlers) > 0 {
			name := f.Text("name")
			if name == "" {
				name = strings.TrimSuffix(filepath.Base(path), ".md")
			}
			out = append(out, settings.NewLayer(source, path, name, handlers, why))
		}
		return nil
	})
	return out
}

// maxClientState bounds the client's own state file, which holds histories and
// grows to megabytes.
const maxClientState = 64 << 20 // bytes

// trustedFolder reports whether the person answered the client's trust question
// for the launch folder or one above it in the same repository.
func trustedFolder(w settings.World) bool {
	path := filepath.Join(w.Home, ".claude.json")
	if w.ConfigDir != "" {
		path = filepath.Join(w.ConfigDir, ".claude.json")
	}
	file, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var state struct {
		Projects map[string]struct {
			Trusted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	if json.NewDecoder(io.LimitReader(file, maxClientState)).Decode(&state) != nil {
		return false
	}
	return slices.ContainsFunc(w.Folders(), func(dir string) bool {
		return state.Projects[dir].Trusted || state.Projects[filepath.ToSlash(dir)].Trusted
	})
}
