package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/settings"
)

// places looks for hooks in files that the client does not read from here.
func places() Probe {
	return Probe{
		ID: "places", Title: "hooks stand where the client looks",
		Kinds: []string{
			"settings-wrong-file", "settings-not-at-launch-dir", "settings-missing-in-worktree", "untrusted-repo-hooks",
			"local-settings-tracked", "secret-in-settings", "git-hooks-path",
		},
		Deadline: 15e9,
		Run: func(ctx context.Context, p *Patient) []Finding {
			out := wrongFiles(p)
			out = append(out, above(p)...)
			out = append(out, worktrees(ctx, p)...)
			out = append(out, trackedLocal(ctx, p)...)
			out = append(out, secrets(ctx, p)...)
			out = append(out, hooksPath(ctx, p)...)
			return append(out, untrusted(p)...)
		},
	}
}

// wrongFiles finds files with hooks that only look like settings.
func wrongFiles(p *Patient) []Finding {
	project := filepath.Join(p.ProjectDir, ".claude")
	defaultUser := filepath.Join(p.Home, ".claude")
	var candidates [][2]string // file, where it belongs
	for _, dir := range slices.Compact([]string{project, p.ConfigDir}) {
		right := filepath.Join(dir, "settings.json")
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			name := entry.Name()
			lower := strings.ToLower(name)
			switch {
			case name == "settings.json" || name == "settings.local.json" && dir == project:
			case slices.Contains([]string{
				"hooks.json", "hook.json", "setting.json", "settings.jsonc", "settings.json5", "config.json", "claude.json", "settings.local.json",
				"settings.json", "claude_settings.json", "hooks.jsonc", "hooks.local.json", "local.settings.json", "setting.local.json", "settings.hooks.json",
				"settings-local.json", "user-settings.json", "project-settings.json", "settings.project.json", "managed-settings.json", "settings.json.txt",
			}, lower):
				candidates = append(candidates, [2]string{filepath.Join(dir, name), right})
			}
		}
		for _, name := range []string{"hooks/hooks.json", "hooks/settings.json", "hooks/hooks.jsonc", "settings/settings.json", "settings/hooks.json", "config/settings.json"} {
			if !exists(filepath.Join(dir, ".claude-plugin", "plugin.json")) {
				candidates = append(candidates, [2]string{filepath.Join(dir, filepath.FromSlash(name)), right})
			}
		}
	}
	for _, name := range []string{".claude.json", "claude.json", ".claude-settings.json", ".claude/.claude.json"} {
		candidates = append(candidates, [2]string{filepath.Join(p.ProjectDir, filepath.FromSlash(name)), filepath.Join(project, "settings.json")})
	}
	candidates = append(candidates, [2]string{filepath.Join(p.Home, ".claude.json"), filepath.Join(p.ConfigDir, "settings.json")})
	if p.ConfigDir != defaultUser && p.ProjectDir != p.Home {
		candidates = append(candidates, [2]string{filepath.Join(defaultUser, "settings.json"), filepath.Join(p.ConfigDir, "settings.json")})
	}
	var out []Finding
	seen := map[string]bool{}
	for _, c := range candidates {
		if seen[c[0]] {
			continue
		}
		seen[c[0]] = true
		if f, bad := p.wrongFile(c[0], c[1]); bad {
			out = append(out, f)
		}
	}
	return out
}

func (p *Patient) wrongFile(path, right string) (Finding, bool) {
	raw, err := readBounded(path)
	if err != nil {
		return Finding{}, false
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		return Finding{}, false
	}
	hooks, ok := doc.Root.Get("hooks")
	if !ok && holdsEvents(doc.Root) {
		hooks, ok = doc.Root, true
	}
	if !ok || hooks.Kind != settings.Object || !holdsEvents(hooks) {
		return Finding{}, false
	}
	return Finding{
		Kind: "settings-wrong-file", Severity: Error, File: path, Fixable: true,
		Message: "There are hooks in this file, but the client does not read it: none of them runs.",
		Fix:     fmt.Sprintf("Move them into %s.", p.show(right)),
		mend:    p.moveHooks(path, raw, doc, hooks, right),
	}, true
}

// moveHooks adds the hooks of a file to the right one. The wrong file stays, so
// that nothing is lost; only its name tells.
func (p *Patient) moveHooks(path string, _ []byte, doc settings.Document, hooks settings.Node, right string) func(*mending) error {
	return func(m *mending) error {
		text := string(doc.Source[hooks.Start:hooks.End])
		raw, err := readBounded(right)
		if err != nil {
			if exists(right) {
				return errOverlap
			}
			m.create(right, []byte("{\n  \"hooks\": "+text+"\n}\n"), "from "+filepath.Base(path))
			return nil
		}
		into, err := settings.Parse(raw)
		if err != nil || !into.Strict() {
			return errOverlap // the right file has troubles of its own
		}
		target, has := into.Root.Get("hooks")
		if !has {
			return m.edit(right, raw, into.AppendMember(into.Root, "hooks", hooks)...)
		}
		var edits []settings.Edit
		for _, event := range hooks.Members {
			list, known := target.Get(event.Key)
			if known {
				for _, item := range event.Value.Items[:min(1, len(event.Value.Items))] {
					edits = append(edits, into.AppendItem(list, item)...)
				}
				continue
			}
			if len(edits) == 0 {
				edits = append(edits, into.AppendMember(target, event.Key, event.Value)...)
			}
		}
		return m.edit(right, raw, edits...)
	}
}
