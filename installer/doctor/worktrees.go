package doctor

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"agentguard/settings"
)

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
	if !p.tracked(ctx, have) {
		why = "git does not track it"
		if by := p.ignoredBy(ctx, have); by != "" {
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
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
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
