package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// slowStart finds launchers that look a package up at each call.
func (p *Patient) slowStart(e *entry) []Finding {
	for _, l := range e.target.launches {
		slow := ""
		if p.installedHere(l) {
			continue
		}
		switch filepath.Base(l.word) {
		case "npx", "bunx", "uvx", "pnpx":
			slow = l.word
		case "pnpm", "yarn":
			if len(l.args) > 0 && l.args[0] == "dlx" {
				slow = l.word + " dlx"
			}
		case "pipx", "npm":
			if len(l.args) > 0 && (l.args[0] == "run" && l.word == "pipx" || l.args[0] == "exec" || l.args[0] == "x") {
				slow = l.word + " " + l.args[0]
			}
		}
		if slow == "" {
			continue
		}
		return []Finding{e.finding("slow-start", Warning,
			slow+" looks the package up at each call: seconds in which the session waits, and nothing at all without network.",
			"Install the tool once and start it by its own path.")}
	}
	return nil
}

// installedHere tells an npx that finds its package in the project.
func (p *Patient) installedHere(l *launch) bool {
	for _, arg := range l.args {
		switch {
		case arg == "--no-install" || arg == "--no" || arg == "--offline":
			return true
		case strings.HasPrefix(arg, "-"):
		default:
			return exists(filepath.Join(p.ProjectDir, "node_modules", ".bin", arg))
		}
	}
	return false
}

// shared finds a path of one person in the file that everybody gets.
func (p *Patient) shared(ctx context.Context, e *entry) []Finding {
	if e.layer == nil || e.layer.name != "project" || e.ours && e.marked {
		return nil
	}
	text := strings.Join(append([]string{e.Command}, e.Args...), " ")
	path := personalPath(text, p.Home)
	if path == "" {
		return nil
	}
	severity := Info
	if p.tracked(ctx, e.layer.path) {
		severity = Warning
	}
	return []Finding{e.finding("machine-path-shared", severity,
		fmt.Sprintf("The team's settings name a path of one person (%s): on every other machine this hook does not start.", path),
		"Use $CLAUDE_PROJECT_DIR, a bare command, or move the entry to settings.local.json.")}
}

// personalPath returns the home folder that a text names, or "".
func personalPath(text, home string) string {
	if home != "" && home != "/" && strings.Contains(text, home+"/") {
		return home
	}
	for _, prefix := range []string{"/home/", "/Users/", `C:\Users\`, "C:/Users/", "/c/Users/"} {
		i := strings.Index(text, prefix)
		if i < 0 || i > 0 && isNameByte(text[i-1]) {
			continue
		}
		rest := text[i+len(prefix):]
		end := strings.IndexAny(rest, `/\ "'`)
		if end > 0 && !strings.HasPrefix(rest, "$") && rest[:end] != "linuxbrew" && rest[:end] != "Shared" {
			return text[i : i+len(prefix)+end]
		}
	}
	return ""
}
