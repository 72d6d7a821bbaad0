package doctor

import (
	"bytes"
	"path/filepath"
	"strings"

	"agentguard/checks/shell/outline"
)

// addUnits reads the code that a launch runs.
func (p *Patient) addUnits(t *target, e *entry, l *launch, file string, line, depth int) {
	if len(t.units) >= maxUnits || depth > maxScriptDepth {
		return
	}
	if l.code != "" && l.lang != "" && outline.Known(l.code) {
		u := &unit{entry: e, file: file, fixed: line, lang: l.lang, text: l.code, launch: l, depth: depth}
		p.addUnit(t, u)
		return
	}
	if l.code != "" || l.file == "" || !outline.Known(l.file) {
		return
	}
	raw, err := readBounded(l.file)
	if err != nil || bytes.IndexByte(raw[:min(len(raw), 512)], 0) >= 0 {
		return
	}
	u := &unit{entry: e, file: l.file, lang: l.lang, text: string(raw), launch: l, depth: depth}
	if l.interp == "" {
		u.lang = langOf(l.file, u.text)
	}
	p.addUnit(t, u)
}

func (p *Patient) addUnit(t *target, u *unit) {
	for _, other := range t.units {
		if other.file == u.file && other.text == u.text {
			return
		}
	}
	switch u.lang {
	case "sh":
		u.prog = outline.Shell(u.text)
	case "python":
		u.prog = outline.Python(u.text)
	case "node":
		u.prog = outline.JavaScript(u.text)
	}
	t.units = append(t.units, u)
	if u.prog == nil {
		return
	}
	dir := p.ProjectDir
	p.follow(t, u, dir)
}

// shebang returns the interpreter's words of a script's first line.
func shebang(text string) []string {
	first, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(strings.TrimPrefix(first, "\ufeff"), "#!")
	if !ok {
		return nil
	}
	return strings.Fields(strings.TrimRight(rest, "\r"))
}

// langOf tells a script's language from its first line or its name.
func langOf(path, text string) string {
	words := shebang(text)
	if len(words) > 0 && filepath.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) > 0 {
		name := filepath.Base(words[0])
		switch {
		case isShell(name):
			return "sh"
		case isPython(name):
			return "python"
		case name == "node" || name == "bun" || name == "deno" || name == "tsx":
			return "node"
		}
		return ""
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".sh", ".bash", ".zsh", "":
		return "sh"
	case ".py":
		return "python"
	case ".js", ".mjs", ".cjs", ".ts":
		return "node"
	}
	return ""
}
