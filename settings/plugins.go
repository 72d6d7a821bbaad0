package settings

import (
	"path/filepath"
	"slices"
	"strings"
)

// plugins lists the hook files of plugins that are installed and enabled.
// Whether one is enabled is folded from all layers: the more local value wins,
// and one that no layer names is off.
func (w World) plugins(layers []Layer) []Layer {
	enabled := map[string]bool{}
	for _, source := range []Source{SourceUser, SourceProject, SourceLocal, SourceFlag, SourceManaged} {
		for _, l := range layers {
			if l.Source != source || !l.counts() || w.skipped(source) != "" {
				continue
			}
			list, _ := l.Doc.Root.Get("enabledPlugins")
			for _, m := range list.Members {
				if m.Value.Kind == Bool {
					enabled[m.Key] = m.Value.Bool
				}
			}
		}
	}
	known := w.marketplaces(layers)
	var out []Layer
	for _, p := range w.installed() {
		if !enabled[p.name] || slices.ContainsFunc(out, func(l Layer) bool { return l.Name == p.name }) {
			continue
		}
		_, market, _ := strings.Cut(p.name, "@")
		for _, l := range w.pluginHooks(p) {
			if !known[market] {
				l.off = "the client does not load the plugin: its marketplace " + market + " is not known here"
			}
			out = append(out, l)
		}
	}
	return out
}

// marketplaces are the names that the client knows: those it recorded and those
// that a layer declares. A plugin of another one is not loaded (2.1.332).
func (w World) marketplaces(layers []Layer) map[string]bool {
	known := map[string]bool{}
	if snap, err := ReadFile(filepath.Join(w.UserDir(), "plugins", "known_marketplaces.json")); err == nil && snap.Exists {
		doc, _ := Parse(snap.Bytes)
		for _, m := range doc.Root.Members {
			known[m.Key] = true
		}
	}
	for _, l := range layers {
		if l.counts() {
			list, _ := l.Doc.Root.Get("extraKnownMarketplaces")
			for _, m := range list.Members {
				known[m.Key] = true
			}
		}
	}
	return known
}

type plugin struct{ name, dir string }

// installed reads the client's list of installed plugins: for each name one place
// or, in the second form of the file, several. A place that belongs to another
// project is left out.
func (w World) installed() []plugin {
	snap, err := ReadFile(filepath.Join(w.UserDir(), "plugins", "installed_plugins.json"))
	if err != nil || !snap.Exists {
		return nil
	}
	doc, err := Parse(snap.Bytes)
	if err != nil {
		return nil
	}
	list, _ := doc.Root.Get("plugins")
	var out []plugin
	for _, m := range list.Members {
		places := m.Value.Items
		if m.Value.Kind == Object {
			places = []Node{m.Value}
		}
		for _, place := range places {
			dir, _ := text(place, "installPath")
			project, bound := text(place, "projectPath")
			if dir == "" || bound && filepath.Clean(project) != filepath.Clean(w.Dir) {
				continue
			}
			out = append(out, plugin{m.Key, dir})
		}
	}
	return out
}

// pluginHooks reads hooks/hooks.json and what the manifest names besides.
func (w World) pluginHooks(p plugin) []Layer {
	usual := filepath.Join(p.dir, "hooks", "hooks.json")
	var out []Layer
	add := func(path string) {
		l := w.file(SourcePlugin, path)
		l.Name = p.name
		if l.Exists {
			out = append(out, l)
		}
	}
	add(usual)
	manifest := w.file(SourcePlugin, filepath.Join(p.dir, ".claude-plugin", "plugin.json"))
	hooks, ok := manifest.Doc.Root.Get("hooks")
	switch {
	case !ok:
	case hooks.Kind == String:
		if path := filepath.Join(p.dir, filepath.FromSlash(hooks.Text)); path != usual && inside(p.dir, path) {
			add(path)
		}
	case hooks.Kind == Object:
		manifest.Name = p.name
		out = append(out, manifest)
	}
	return out
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
