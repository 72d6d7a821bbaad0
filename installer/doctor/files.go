package doctor

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/judge/redact"
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
			out = append(out, trackedLocal(p)...)
			out = append(out, secrets(p)...)
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
			case name == "settings.json" || name == "settings.local.json" && dir == project && project != p.ConfigDir:
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

// above finds settings at a folder above, which the client does not look for.
func above(p *Patient) []Finding {
	top := p.gitTop(p.ProjectDir)
	severity := Error
	if top == "" {
		top, severity = "/", Info
	}
	if exists(filepath.Join(p.ProjectDir, ".claude", "settings.json")) {
		return nil
	}
	var out []Finding
	for dir := p.ProjectDir; dir != top && filepath.Dir(dir) != dir; {
		dir = filepath.Dir(dir)
		if dir == p.Home {
			break
		}
		for _, name := range []string{"settings.json", "settings.local.json"} {
			path := filepath.Join(dir, ".claude", name)
			if path == filepath.Join(p.ConfigDir, name) || !holdsHooks(path) {
				continue
			}
			out = append(out, Finding{
				Kind: "settings-not-at-launch-dir", Severity: severity, File: path,
				Message: fmt.Sprintf("These hooks do not run for a client started in %s: it reads settings only in the folder where it starts, and does not look above.", p.show(p.ProjectDir)),
				Fix:     fmt.Sprintf("Start the client in %s, or set the guards up for yourself: agentguard init --scope user.", p.show(dir)),
			})
		}
	}
	return out
}

func holdsHooks(path string) bool {
	raw, err := readBounded(path)
	if err != nil {
		return false
	}
	doc, err := settings.Parse(raw)
	if err != nil {
		return bytes.Contains(raw, []byte(`"hooks"`))
	}
	hooks, ok := doc.Root.Get("hooks")
	return ok && len(hooks.Members) > 0
}

// worktrees finds checkouts in which the project's settings are missing.
func worktrees(ctx context.Context, p *Patient) []Finding {
	top := p.gitTop(p.ProjectDir)
	if top == "" {
		return nil
	}
	out := git(ctx, p.Start, p.Environ, top, "worktree", "list", "--porcelain")
	if out.Err != nil || out.Exit != 0 {
		return nil
	}
	var trees []string
	scan := bufio.NewScanner(strings.NewReader(out.Stdout))
	current, skip := "", false
	flush := func() {
		if current != "" && !skip && exists(current) {
			trees = append(trees, current)
		}
		current, skip = "", false
	}
	for scan.Scan() {
		line := scan.Text()
		switch {
		case strings.HasPrefix(line, "worktree "):
			flush()
			current = strings.TrimPrefix(line, "worktree ")
		case line == "bare", strings.HasPrefix(line, "prunable"):
			skip = true
		}
	}
	flush()
	if len(trees) < 2 {
		return nil
	}
	rel, err := filepath.Rel(realPath(top), realPath(p.ProjectDir))
	if err != nil || !filepath.IsLocal(rel) {
		rel = "."
	}
	have, missing := "", []string{}
	for _, tree := range trees {
		path := filepath.Join(tree, rel, ".claude", "settings.json")
		if holdsHooks(path) {
			if have == "" {
				have = path
			}
			continue
		}
		if !exists(path) {
			missing = append(missing, tree)
		}
	}
	if have == "" || len(missing) == 0 {
		return nil
	}
	// The name that the person uses, not the one behind links.
	if mine := filepath.Join(p.ProjectDir, ".claude", "settings.json"); realPath(mine) == realPath(have) {
		have = mine
	} else if rest, err := filepath.Rel(realPath(top), have); err == nil && filepath.IsLocal(rest) {
		have = filepath.Join(top, rest)
	} else if rest, err := filepath.Rel(realPath(filepath.Dir(top)), have); err == nil && filepath.IsLocal(rest) {
		have = filepath.Join(filepath.Dir(top), rest)
	}
	why := "they were made from a commit without it"
	if !p.tracked(have) {
		why = "git does not track it"
		if by := p.ignoredBy(have); by != "" {
			why = "git ignores it (" + by + ")"
		}
	}
	var names []string
	for _, tree := range missing {
		names = append(names, p.show(tree))
	}
	return []Finding{{
		Kind: "settings-missing-in-worktree", Severity: Error, File: have,
		Message: fmt.Sprintf("These hooks do not run in the worktree %s: the file is missing there, since %s.", strings.Join(names, ", "), why),
		Fix:     "Commit the file and bring the worktree up to date, or set the guards up for yourself: agentguard init --scope user.",
	}}
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// trackedLocal finds personal settings in the repository.
func trackedLocal(p *Patient) []Finding {
	path := filepath.Join(p.ProjectDir, ".claude", "settings.local.json")
	if !exists(path) || p.gitTop(p.ProjectDir) == "" {
		return nil
	}
	if p.tracked(path) {
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
	by := p.ignoredBy(path)
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
func secrets(p *Patient) []Finding {
	var out []Finding
	for _, l := range p.read().layers {
		if l.unreadable != "" || len(l.raw) == 0 {
			continue
		}
		severity := Info
		switch {
		case l.name == "project":
			severity = Error
		case l.name == "local" && (p.tracked(l.path)):
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

// hooksPath finds an absolute core.hooksPath that leads out of the repository.
func hooksPath(ctx context.Context, p *Patient) []Finding {
	top := p.gitTop(p.ProjectDir)
	if top == "" {
		return nil
	}
	out := git(ctx, p.Start, p.Environ, top, "config", "--show-origin", "--get", "core.hooksPath")
	if out.Err != nil || out.Exit != 0 {
		return nil
	}
	origin, path, ok := strings.Cut(strings.TrimSpace(out.Stdout), "\t")
	if !ok || !filepath.IsAbs(path) || exists(path) {
		return nil
	}
	file := strings.TrimPrefix(origin, "file:")
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	return []Finding{{
		Kind: "git-hooks-path", Severity: Warning, File: file,
		Message: fmt.Sprintf("core.hooksPath is %s, which is not there: no git hook runs in this repository.", p.show(path)),
		Fix:     "git config --unset core.hooksPath, or set it to the folder that is meant.",
	}}
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
