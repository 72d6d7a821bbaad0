package doctor

import (
	"fmt"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

// dependencies finds programs that a script needs and the hook does not find.
func (p *Patient) dependencies(u *unit) []Finding {
	if u.prog == nil || u.command && len(u.entry.target.launches) == 1 || p.OS == "windows" {
		return nil
	}
	var out []Finding
	seen := map[string]bool{}
	for _, w := range p.facts(u).ways {
		for _, ev := range w.Events {
			if ev.Node.Kind != outline.Start || len(ev.Words) == 0 || ev.Node.Line == 0 || ev.Words[0] == "" {
				continue
			}
			words := peel(ev.Words)
			if len(words) == 0 {
				continue
			}
			name := words[0]
			if seen[name] || !outline.Known(name) || shellWord(name) || hasFunc(u.prog, name) || strings.ContainsAny(name, "/$`*?{}()\\ =\x01") || p.knownTool(name) {
				continue
			}
			seen[name] = true
			if lookPath(name, p.hookEnv(), p.ProjectDir) != "" || pathChanged(u) {
				continue
			}
			hidden := passesWithout(u, name) && p.refusing(u)
			if asksFor(u, name) && !hidden {
				continue
			}
			if u.command && launchedBy(u.entry.target, name) {
				continue // the command's own programs are told as targets
			}
			// What is only run fails where everybody sees it. What is asked for an answer
			// gives an empty one, and the guard passes.
			severity := Info
			if u.lang == "sh" && (ev.To == outline.Other && ev.Node.Out == outline.Same || hidden) {
				severity = Error
			}
			out = append(out, u.finding("dependency-missing", severity, ev.Node.Line,
				fmt.Sprintf("%s is not on the PATH of the hook. The script goes on without its output, and usually lets everything pass.", name),
				fmt.Sprintf("Install %s, or write the hook without it.", name)))
		}
	}
	return out
}

func launchedBy(t *target, name string) bool {
	return slices.ContainsFunc(t.launches, func(l *launch) bool { return l.word == name })
}

// asksFor reports whether a script looks for a program before it uses it.
func asksFor(u *unit, name string) bool {
	code := u.code()
	for _, form := range []string{"command -v " + name, "which " + name, "type " + name, "hash " + name, "command -V " + name, "type -p " + name, "type -P " + name, `which("` + name, "which('" + name, "-x \"$(command -v " + name} {
		if strings.Contains(code, form) {
			return true
		}
	}
	return false
}

// passesWithout reports whether a script ends with success when a program is
// missing.
func passesWithout(u *unit, name string) bool {
	for line := range strings.Lines(u.code()) {
		if i := strings.Index(line, "command -v "+name); i >= 0 && strings.Contains(line[i:], "|| exit 0") {
			return true
		}
	}
	return false
}

// pathChanged reports whether a script sets PATH, so that a look-up here proves
// nothing.
func pathChanged(u *unit) bool {
	code := u.code()
	return strings.Contains(code, "PATH=") || strings.Contains(code, `environ["PATH"]`) || strings.Contains(code, "nvm.sh") || strings.Contains(code, "env.PATH")
}
