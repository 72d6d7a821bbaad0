package doctor

import (
	"path/filepath"
	"strings"

	"agentguard/settings"
)

// takePlugins reads the hooks of the plugins that are installed and enabled.
// They are the plugin's own to mend, so they only count as the other half of a
// double.
func (c *chart) takePlugins(p *Patient) {
	enabled := map[string]bool{}
	for _, l := range c.layers {
		list, _ := l.doc.Root.Get("enabledPlugins")
		for _, m := range list.Members {
			enabled[m.Key] = m.Value.Kind == settings.Bool && m.Value.Bool
		}
	}
	raw, err := readBounded(filepath.Join(p.ConfigDir, "plugins", "installed_plugins.json"))
	if err != nil {
		return
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		return
	}
	installed, _ := doc.Root.Get("plugins")
	for _, m := range installed.Members {
		if !enabled[m.Key] {
			continue
		}
		// One record, or in newer files a list of them.
		for _, record := range append(m.Value.Items, m.Value) {
			if path, ok := record.Get("installPath"); ok && filepath.IsAbs(path.Text) {
				c.takePlugin(p, path.Text)
			}
		}
	}
}

func (c *chart) takePlugin(p *Patient, root string) {
	l := &layer{name: "plugin", path: filepath.Join(root, "hooks", "hooks.json")}
	l.load(p.ClientVersion)
	if !l.exists || l.void || l.unreadable != "" {
		return
	}
	for _, h := range l.doc.Handlers() {
		if h.Shadowed || !settings.KnownEvent(h.Event) {
			continue
		}
		for _, name := range []string{"${CLAUDE_PLUGIN_ROOT}", "$CLAUDE_PLUGIN_ROOT"} {
			h.Command = strings.ReplaceAll(h.Command, name, root)
			for i := range h.Args {
				h.Args[i] = strings.ReplaceAll(h.Args[i], name, root)
			}
		}
		e := &entry{Handler: h, layer: l, file: l.path}
		e.at = func(n settings.Node) int { return l.line(n.Start) }
		e.line = e.at(h.Node)
		if n, ok := h.Node.Get("command"); ok {
			e.line = e.at(n)
		}
		e.ours = e.Type == "command" && startsUs(h)
		e.target = p.resolve(e)
		c.plugins = append(c.plugins, e)
	}
}
