package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"agentguard/settings"
)

// agentFiles looks at the hooks in the frontmatter of agents.
func agentFiles() Probe {
	return Probe{
		ID: "agents", Title: "agent files load, and their hooks fire", Kinds: []string{"frontmatter-not-parsed", "frontmatter-schema"},
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			for _, a := range p.read().agents {
				if a.err != nil {
					out = append(out, a.notParsed()...)
					continue
				}
				out = append(out, a.schema()...)
			}
			return out
		},
	}
}

// notParsed tells why the client sees no agent in a file that has hooks, or that
// was surely meant as an agent.
func (a agentFile) notParsed() []Finding {
	f := Finding{Kind: "frontmatter-not-parsed", Severity: Error, File: a.path, Line: 1}
	body := bytes.TrimPrefix(a.raw, []byte("\ufeff"))
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	fence := bytes.HasPrefix(trimmed, []byte("---"))
	if !fence {
		return nil // a page beside the agents
	}
	cut := len(a.raw) - len(trimmed)
	if cut > 0 {
		what := "blank lines stand"
		if len(body) != len(a.raw) {
			what = "a byte order mark stands"
		}
		f.Message = fmt.Sprintf("Before the first --- %s: the client sees no agent in this file, and none of its hooks.", what)
		f.Fix = "Let the file begin with ---."
		raw, path := a.raw, a.path
		return []Finding{f.with(func(m *mending) error { return m.edit(path, raw, settings.Edit{End: cut}) })}
	}
	if syntax, ok := errors.AsType[*settings.SyntaxError](a.err); ok {
		f.Line = syntax.Line
	}
	if line, mend, ok := a.colon(); ok {
		f.Line = line
		f.Message = "A value with a colon in it stands without quotes: the YAML does not parse, the client sees no agent in this file, and none of its hooks."
		f.Fix = "Put the value in quotes."
		return []Finding{f.with(mend)}
	}
	f.Message = fmt.Sprintf("The block at the top does not parse (%s): the client sees no agent in this file, and none of its hooks.", a.err)
	f.Fix = "Correct this line."
	return []Finding{f}
}

// colon finds a top-level value that YAML reads as a mapping.
func (a agentFile) colon() (line int, mend func(*mending) error, ok bool) {
	offset := 0
	for n, text := range bytes.SplitAfter(a.raw, []byte("\n")) {
		content := strings.TrimRight(string(text), "\r\n")
		if n > 0 && strings.TrimSpace(content) == "---" {
			return 0, nil, false
		}
		key, value, found := strings.Cut(content, ": ")
		if found && key != "" && !strings.ContainsAny(key[:1], " \t-#") {
			v := strings.TrimSpace(value)
			plain := v != "" && !strings.ContainsAny(v[:1], `"'|>[{&*!`)
			if plain && (strings.Contains(v, ": ") || strings.HasSuffix(v, ":")) {
				from := offset + len(key) + 2
				to := offset + len(content)
				raw, path := a.raw, a.path
				quoted := quoteJSON(v)
				return n + 1, func(m *mending) error {
					return m.edit(path, raw, settings.Edit{Start: from, End: to, Text: quoted})
				}, true
			}
		}
		offset += len(text)
	}
	return 0, nil, false
}

// schema finds entries that load and never fire. Starts are lines here.
func (a agentFile) schema() []Finding {
	hooks, ok := a.file.Root().Get("hooks")
	if !ok {
		return nil
	}
	var out []Finding
	add := func(line int, what, fix string, mend func(*mending) error) {
		out = append(out, Finding{
			Kind: "frontmatter-schema", Severity: Error, File: a.path, Line: line, Fix: fix,
			Message: what + " The agent loads, and this hook never fires.",
		}.with(mend))
	}
	if hooks.Kind != settings.Object {
		if hooks.Kind != settings.Null {
			add(hooks.Start, "\"hooks\" is "+hooks.Kind.String()+", not an object with one key for each event.", "Write hooks: and below it the event, as in the settings.", nil)
		}
		return out
	}
	for _, event := range hooks.Members {
		if !settings.KnownEvent(event.Key) {
			f := Finding{
				Kind: "event-unknown", Severity: Error, File: a.path, Line: event.KeyStart,
				Message: fmt.Sprintf("%q is no event, so nothing here ever runs.", event.Key), Fix: "Use an event that the client knows.",
			}
			if near := settings.Nearest(event.Key, settings.EventNames()); near != "" {
				f.Fix = fmt.Sprintf("Rename it to %s.", near)
				f = f.with(a.replaceOnLine(event.KeyStart, event.Key, near))
			}
			out = append(out, f)
			continue
		}
		if event.Value.Kind != settings.Array {
			add(event.KeyStart, event.Key+" is "+event.Value.Kind.String()+", not a list of groups.", "Write a list: - hooks: and below it the handlers.", nil)
			continue
		}
		for _, group := range event.Value.Items {
			list, has := group.Get("hooks")
			_, flat := group.Get("type")
			_, command := group.Get("command")
			switch {
			case !has && (flat || command):
				add(group.Start, "This handler stands directly under "+event.Key+", without an inner \"hooks\" list.",
					"Put \"- hooks:\" around it.", a.wrap(group))
			case !has:
				add(group.Start, "This group has no \"hooks\" list.", "Add hooks: with the handlers.", nil)
			case list.Kind != settings.Array:
				add(list.Start, "\"hooks\" of this group is "+list.Kind.String()+", not a list.", "Write a list of handlers.", nil)
			default:
				for _, h := range list.Items {
					a.handler(h, add)
				}
			}
		}
	}
	return out
}

func (a agentFile) handler(h settings.Node, add func(line int, what, fix string, mend func(*mending) error)) {
	kind, has := h.Get("type")
	_, command := h.Get("command")
	switch {
	case !has && command:
		add(h.Start, "This handler has no \"type\".", "Add type: command.", nil)
	case has && kind.Text == "command" && !command:
		add(h.Start, "This handler has no \"command\".", "Add the command.", nil)
	}
}

func (a agentFile) replaceOnLine(line int, from, to string) func(*mending) error {
	start := 0
	for range line - 1 {
		i := bytes.IndexByte(a.raw[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	i := bytes.Index(a.raw[start:], []byte(from))
	if i < 0 {
		return nil
	}
	raw, path := a.raw, a.path
	return func(m *mending) error {
		return m.edit(path, raw, settings.Edit{Start: start + i, End: start + i + len(from), Text: to})
	}
}

// wrap puts a flat handler into a group: a line "- hooks:" with its matcher
// above, and its own lines further in.
func (a agentFile) wrap(group settings.Node) func(*mending) error {
	lines := bytes.SplitAfter(a.raw, []byte("\n"))
	first := group.Start - 1
	if first < 0 || first >= len(lines) {
		return nil
	}
	text := string(lines[first])
	indent := len(text) - len(strings.TrimLeft(text, " "))
	if !strings.HasPrefix(text[indent:], "- ") {
		return nil
	}
	last := first + 1
	for last < len(lines) {
		t := strings.TrimRight(string(lines[last]), "\r\n")
		if strings.TrimSpace(t) == "---" || len(t)-len(strings.TrimLeft(t, " ")) <= indent && strings.TrimSpace(t) != "" {
			break
		}
		last++
	}
	pad := strings.Repeat(" ", indent)
	var b strings.Builder
	head := "- hooks:\n"
	var body []string
	for i := first; i < last; i++ {
		t := string(lines[i])
		content := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(t, " "), "- "), " ")
		if strings.HasPrefix(content, "matcher:") {
			head = "- " + strings.TrimRight(content, "\r\n") + "\n" + pad + "  hooks:\n"
			continue
		}
		body = append(body, content)
	}
	b.WriteString(pad + head)
	for i, t := range body {
		lead := pad + "      "
		if i == 0 {
			lead = pad + "    - "
		}
		b.WriteString(lead + t)
	}
	from := 0
	for _, l := range lines[:first] {
		from += len(l)
	}
	to := from
	for _, l := range lines[first:last] {
		to += len(l)
	}
	raw, path, out := a.raw, a.path, b.String()
	return func(m *mending) error { return m.edit(path, raw, settings.Edit{Start: from, End: to, Text: out}) }
}
