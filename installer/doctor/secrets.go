package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"agentguard/judge/redact"
	"agentguard/settings"
)

// trackedLocal finds personal settings in the repository.
func trackedLocal(ctx context.Context, p *Patient) []Finding {
	path := filepath.Join(p.ProjectDir, ".claude", "settings.local.json")
	if !exists(path) || p.gitTop(p.ProjectDir) == "" {
		return nil
	}
	if p.tracked(ctx, path) {
		return []Finding{{
			Kind: "local-settings-tracked", Severity: Warning, File: path, Fixable: true,
			Message: "The personal settings are tracked by git: everybody gets your permissions, environment and switches.",
			Fix:     "git rm --cached .claude/settings.local.json, and add it to .gitignore.",
			mend: func(m *mending) error {
				m.plan.Untrack = append(m.plan.Untrack, path)
				return ignoreLine(m, filepath.Join(p.ProjectDir, ".gitignore"), ".claude/settings.local.json")
			},
		}}
	}
	by := p.ignoredBy(ctx, path)
	if by != "" {
		return nil
	}
	return []Finding{{
		Kind: "local-settings-tracked", Severity: Info, File: path,
		Message: "Git does not ignore the personal settings: the next `git add -A` commits them.",
		Fix:     "Add .claude/settings.local.json to .gitignore.",
	}}
}

func ignoreLine(m *mending, path, line string) error {
	raw, err := readBounded(path)
	if err != nil {
		if exists(path) {
			return nil
		}
		m.create(path, []byte(line+"\n"), "local settings")
		return nil
	}
	for have := range strings.Lines(string(raw)) {
		if strings.TrimSpace(have) == line {
			return nil
		}
	}
	text := line + "\n"
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		text = "\n" + text
	}
	return m.edit(path, raw, settings.Edit{Start: len(raw), End: len(raw), Text: text})
}

// secrets finds keys and tokens in settings files. The value is never shown.
func secrets(ctx context.Context, p *Patient) []Finding {
	var out []Finding
	for _, l := range p.read().layers {
		if l.unreadable != "" || len(l.raw) == 0 {
			continue
		}
		severity := Info
		switch {
		case l.name == "project":
			severity = Error
		case l.name == "local" && p.tracked(ctx, l.path):
			severity = Error
		case l.name == "local" && p.gitTop(p.ProjectDir) == "":
			severity = Warning
		}
		for _, place := range secretStrings(l) {
			out = append(out, Finding{
				Kind: "secret-in-settings", Severity: severity, File: l.path, Line: l.line(place.offset),
				Message: fmt.Sprintf("A secret (%s) stands in this file%s: who reads the file, or the repository's history, has it.", place.kind, place.where),
				Fix:     "Take it out, rotate it, and give it by the environment or a helper instead.",
			})
		}
	}
	return out
}

type secretPlace struct {
	offset      int
	kind, where string
}

func secretStrings(l *layer) []secretPlace {
	var out []secretPlace
	var walk func(n settings.Node, key string)
	walk = func(n settings.Node, key string) {
		switch n.Kind {
		case settings.String:
			text := n.Text
			if key != "" {
				text = key + "=" + n.Text
			}
			clean, counts := redact.Text(text)
			if len(counts) > 0 && clean != text && !placeholderValue(n.Text) {
				place := secretPlace{offset: n.Start}
				for kind := range counts {
					place.kind = string(kind)
				}
				if key != "" {
					place.where = ", under " + key
				}
				out = append(out, place)
			}
		case settings.Object:
			for _, m := range n.Members {
				walk(m.Value, m.Key)
			}
		case settings.Array:
			for _, item := range n.Items {
				walk(item, "")
			}
		default:
		}
	}
	walk(l.doc.Root, "")
	return out
}

// placeholderValue tells a value that only names where the secret comes from.
func placeholderValue(v string) bool {
	lower := strings.ToLower(v)
	return strings.HasPrefix(v, "$") || strings.HasPrefix(v, "<") || lower == "changeme" || strings.HasPrefix(lower, "your") || strings.HasPrefix(lower, "op://") || v == "" || strings.Trim(lower, "x*.") == ""
}

// untrusted lists what a repository's own settings run.
func untrusted(p *Patient) []Finding {
	var out []Finding
	for _, l := range p.read().byName("project") {
		count := 0
		first := 0
		for _, e := range p.read().entries {
			if e.layer == l && !e.ours && e.Type == "command" {
				if count == 0 {
					first = e.line
				}
				count++
			}
		}
		if count > 0 {
			out = append(out, Finding{
				Kind: "untrusted-repo-hooks", Severity: Info, File: l.path, Line: first,
				Message: fmt.Sprintf("This repository brings %d hook commands of its own. Headless clients run them without asking.", count),
				Fix:     "Read them once before you start a client here.",
			})
		}
	}
	return out
}
