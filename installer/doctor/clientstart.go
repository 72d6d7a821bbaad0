package doctor

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

func withoutHooks(name string) string {
	if name == "codex" {
		return "codex exec --disable hooks"
	}
	return `claude -p --settings '{"disableAllHooks":true}' --setting-sources ''`
}

// clientStart reports whether an event starts a session of an agent client.
func clientStart(ev outline.Event) (name string, asks bool) {
	if ev.Node.Kind != outline.Start {
		return "", false
	}
	words := peel(ev.Words)
	if len(words) > 1 && (words[0] == "npx" || words[0] == "bunx" || words[0] == "pnpx") {
		words = words[1:]
		for len(words) > 0 && strings.HasPrefix(words[0], "-") {
			words = words[1:]
		}
	}
	for len(words) > 1 && (words[0] == "xargs" || words[0] == "sudo") {
		words = words[1:]
		for len(words) > 0 && strings.HasPrefix(words[0], "-") {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return "", false
	}
	args := words[1:]
	first := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			first = a
			break
		}
	}
	switch filepath.Base(words[0]) {
	case "claude", "claude-code":
		if slices.Contains([]string{"mcp", "config", "doctor", "update", "install", "migrate-installer", "setup-token", "plugin", "agents", "auth"}, first) && !hasPrint(args) ||
			slices.ContainsFunc(args, func(a string) bool { return a == "--version" || a == "-v" || a == "--help" || a == "-h" }) {
			return "", false
		}
		return "claude", true
	case "codex":
		return "codex", first == "exec" || first == "e" || first == "review"
	case "gemini", "qwen", "cursor-agent", "copilot", "opencode", "droid":
		return filepath.Base(words[0]), first == "run" || hasPrint(args) || slices.Contains(args, "--prompt")
	}
	return "", false
}

func hasPrint(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "-p" || a == "--print" || len(a) > 1 && a[0] == '-' && a[1] != '-' && len(a) <= 4 && strings.Contains(a, "p")
	})
}

// hooksOffIn reports whether the child is started without the hooks of the
// entry's layer.
func (p *Patient) hooksOffIn(e *entry, ev outline.Event, name string) bool {
	args := ev.Words
	value := func(flag string) (string, bool) {
		for i, a := range args {
			if rest, ok := strings.CutPrefix(a, flag+"="); ok {
				return rest, true
			}
			if a == flag && i+1 < len(args) {
				return args[i+1], true
			}
		}
		return "", false
	}
	off := func(v string) bool { return v != "" && v != "0" && v != "false" }
	switch name {
	case "codex":
		if v, ok := value("--disable"); ok && v == "hooks" {
			return true
		}
		for _, a := range args {
			if strings.ReplaceAll(a, " ", "") == "features.hooks=false" {
				return true
			}
		}
		return false
	case "claude":
	default:
		return false
	}
	for _, flag := range []string{"--bare", "--safe-mode", "--restricted"} {
		if slices.Contains(args, flag) {
			return true
		}
	}
	if v, ok := ev.Env["CLAUDE_CODE_SIMPLE"]; ok && off(v) {
		return true
	}
	if v, ok := ev.Env["CLAUDE_CODE_SAFE_MODE"]; ok && off(v) {
		return true
	}
	if v, ok := value("--settings"); ok {
		flat := strings.NewReplacer(" ", "", `\`, "", "'", `"`, "\n", "").Replace(v)
		if strings.Contains(flat, `"disableAllHooks":true`) || strings.Contains(flat, `"disableAllHooks":True`) {
			return true
		}
		if outline.Known(v) && !strings.HasPrefix(strings.TrimSpace(v), "{") {
			if raw, err := readBounded(p.inside(v)); err == nil && strings.Contains(strings.ReplaceAll(string(raw), " ", ""), `"disableAllHooks":true`) {
				return true
			}
		}
		if !outline.Known(v) {
			return strings.Contains(flat, "disableAllHooks")
		}
	}
	if v, ok := value("--setting-sources"); ok {
		sources := strings.Split(v, ",")
		layer := "project"
		if e.layer != nil {
			layer = e.layer.name
		}
		return !slices.Contains(sources, layer)
	}
	return false
}

// elsewhere reports whether the child starts in a folder where the entry's
// layer is not read.
func (p *Patient) elsewhere(e *entry, ev outline.Event) bool {
	if ev.Dir == "" || e.layer != nil && e.layer.name != "project" && e.layer.name != "local" || e.agent != "" {
		return false
	}
	dir := strings.ToLower(ev.Dir)
	if strings.Contains(dir, "mktemp") || strings.Contains(dir, "tempfile") || strings.Contains(dir, "tmpdir") {
		return true
	}
	if outline.Known(ev.Dir) && !strings.ContainsAny(ev.Dir, "$`(") {
		return filepath.IsAbs(ev.Dir) && ev.Dir != p.ProjectDir && !exists(filepath.Join(ev.Dir, ".claude", "settings.json"))
	}
	return strings.Contains(dir, "tmp")
}

// guarded reports whether the hook, started again inside that child, would not
// come to the same start: it is followed once more with the variables that the
// child passes on.
func (p *Patient) guarded(u *unit, ev outline.Event) bool {
	own := map[string]string{}
	for name, value := range ev.Env {
		if name == "PATH" || name == "HOME" {
			continue
		}
		own[name] = value
	}
	if len(own) == 0 {
		return false
	}
	again := func(vars map[string]string, with *unit) bool {
		extra := p.clientVars()
		maps.Copy(extra, vars)
		if !with.command {
			extra["0"] = with.file
		}
		for _, w := range with.prog.Follow(p.included(extra)) {
			for _, other := range w.Events {
				if _, asks := clientStart(other); asks && (with != u || other.Node == ev.Node) {
					return true
				}
				if with != u && other.Node.Kind == outline.Start && startsUnit(u, other) {
					return true
				}
			}
		}
		return false
	}
	if !again(own, u) {
		return true
	}
	// The test may stand in what started this script.
	for _, outer := range u.entry.target.units {
		if outer == u || outer.prog == nil || outer.depth >= u.depth {
			continue
		}
		if !again(own, outer) {
			return true
		}
	}
	return false
}

func startsUnit(u *unit, ev outline.Event) bool {
	return u.launch != nil && u.launch.event.Node == ev.Node
}

// locked reports whether a way takes a lock, or makes a folder as one, before
// the start and gives up without it.
func locked(w outline.Way, i int) bool {
	for _, ev := range w.Events[:i] {
		if ev.Node.Kind != outline.Start || len(ev.Words) == 0 {
			continue
		}
		switch filepath.Base(ev.Words[0]) {
		case "flock":
			if slices.ContainsFunc(ev.Words, func(a string) bool { return a == "--nonblock" || strings.HasPrefix(a, "-") && strings.Contains(a, "n") }) {
				return true
			}
		case "mkdir":
			if ev.Outcome == outline.True && !slices.Contains(ev.Words, "-p") {
				return true
			}
		}
	}
	return false
}
