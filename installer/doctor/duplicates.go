package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/settings"
)

// identity names what an entry runs, whatever its spelling: our program, a file
// with its arguments, or the text without quotes and blanks.
func (e *entry) identity() string {
	if e.ours {
		return "agentguard-hook"
	}
	if e.Type == "http" {
		return strings.TrimRight(e.URL, "/")
	}
	if e.Type != "command" || e.target == nil {
		return ""
	}
	if len(e.target.launches) == 1 {
		l := e.target.launches[0]
		switch {
		case l.file != "" && filepath.IsAbs(l.file):
			path := l.file
			if target, err := filepath.EvalSymlinks(path); err == nil {
				path = target
			}
			args := l.args
			if l.interp == "" && len(l.event.Words) > 0 {
				args = l.event.Words[1:]
			}
			return path + " " + strings.Join(args, " ")
		case l.code == "" && !strings.ContainsRune(l.word, '/') && !slices.Contains(utilities, l.word) && !shellWord(l.word):
			return l.word + " " + strings.Join(l.args, " ")
		}
	}
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "'", "", "${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR").Replace(e.Command)), " ")
}

// duplicates finds the same tool at the same event by two spellings. The client
// runs equal texts once.
func duplicates(c *chart) []Finding {
	var out []Finding
	// A plugin's entry comes first: what stands in the settings is the one to drop.
	entries := slices.Concat(c.plugins, c.entries)
	for i, e := range entries {
		id := e.identity()
		if i < len(c.plugins) || e.agent != "" || id == "" || id == " " {
			continue
		}
		for _, first := range entries[:i] {
			if first.agent != "" || first.Event != e.Event || first.identity() != id || first.If != e.If || !overlap(first, e) {
				continue
			}
			if first.Command == e.Command && first.HasArgs == e.HasArgs && slices.Equal(first.Args, e.Args) && first.URL == e.URL {
				continue
			}
			fix := "Keep one of the two."
			if e.ours {
				fix = "Keep one of the two: `agentguard uninstall` with the scope of the other takes all of its entries out."
			}
			f := e.finding("duplicate-install", Warning,
				fmt.Sprintf("The same hook stands in %s:%d with another spelling: it runs twice at each %s.", first.file, first.line, e.Event),
				fix)
			if e.layer != nil {
				f = f.with(e.layer.removeEntry(e.Handler))
			}
			out = append(out, f)
			break
		}
	}
	return out
}

// overlap reports whether both entries see one call.
func overlap(a, b *entry) bool {
	values := matcherValues(a.Event)
	if values == nil || settings.IgnoresMatcher(a.Event) || a.Matcher == b.Matcher {
		return true
	}
	ma, mb := readMatcher(a.Matcher), readMatcher(b.Matcher)
	return slices.ContainsFunc(values, func(v string) bool { return ma.matches(v) && mb.matches(v) })
}

// stormSize is the number of processes at one call that a session feels.
const stormSize = 10

func storms(c *chart) []Finding {
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		for _, tool := range []string{"Bash", "Edit", "Write", "Read"} {
			var seen []string
			var last *entry
			for _, e := range c.entries {
				if e.Event == event && e.agent == "" && readMatcher(e.Matcher).matches(tool) && !slices.Contains(seen, e.Command+e.URL) {
					seen = append(seen, e.Command+e.URL)
					last = e
				}
			}
			if len(seen) >= stormSize {
				return []Finding{last.finding("fork-storm", Warning,
					fmt.Sprintf("%d hooks start at every %s call at once.", len(seen), tool),
					"Put them behind one program that decides what to do.")}
			}
		}
	}
	return nil
}

// uncovered finds a rule on one of the tools that write files and not the other.
func uncovered(c *chart, goos string) []Finding {
	var out []Finding
	for _, e := range c.entries {
		if e.Event != "PreToolUse" || e.Type != "command" || e.ours {
			continue
		}
		m := readMatcher(e.Matcher)
		if goos == "windows" && m.matches("Bash") && !m.matches("PowerShell") {
			n, _ := e.Group.Get("matcher")
			out = append(out, Finding{
				Kind: "tool-uncovered", Severity: Info, File: e.file, Line: e.at(n),
				Message: "This hook sees Bash and not PowerShell, which runs the same commands on Windows.",
				Fix:     "Use Bash|PowerShell.",
			})
		}
		edit, write := m.matches("Edit"), m.matches("Write")
		if m.all || edit == write {
			continue
		}
		missing := "Write"
		if write {
			missing = "Edit"
		}
		covered := slices.ContainsFunc(c.entries, func(o *entry) bool {
			return o.Event == "PreToolUse" && readMatcher(o.Matcher).matches(missing) && o.identity() == e.identity()
		})
		if covered {
			continue
		}
		n, _ := e.Group.Get("matcher")
		out = append(out, Finding{
			Kind: "tool-uncovered", Severity: Info, File: e.file, Line: e.at(n),
			Message: fmt.Sprintf("This hook does not see %s, which writes the same files.", missing),
			Fix:     "Use Write|Edit|MultiEdit|NotebookEdit if the rule is about files.",
		})
	}
	return out
}

// rewriters finds two hooks that change the input of one tool.
func rewriters(c *chart) []Finding {
	var first *entry
	var out []Finding
	for _, e := range c.entries {
		if e.Event != "PreToolUse" || e.ours || e.target == nil || !slices.ContainsFunc(e.target.units, func(u *unit) bool { return strings.Contains(u.code(), "updatedInput") }) {
			continue
		}
		if first != nil && overlap(first, e) && first.identity() != e.identity() {
			out = append(out, e.finding("updated-input-conflict", Warning,
				fmt.Sprintf("This hook and %s:%d both rewrite the input of one tool. The one that ends last wins whole; the other's change is lost.", first.file, first.line),
				"Let one hook do both changes."))
		}
		first = e
	}
	return out
}
