package frontmatter

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"agentguard/settings"
)

// Remove takes one entry out, with its group, its event and the hooks key where
// it was the only one in them.
func (f File) Remove(h Handler) (File, error) {
	next, err := f.remove(h)
	if err == nil && !f.foreignSame(next, -1) {
		return f, failure(h.Line, 1, "the entry cannot be taken out without touching another")
	}
	return next, err
}

func (f File) remove(h Handler) (File, error) {
	list, _ := h.Group.Get("hooks")
	from := h.Node.Start
	switch {
	case h.Node.End < 0 || list.End < 0 || h.Group.End < 0 || h.List.End < 0:
		return f, failure(from, 1, "the entry is written in braces on one line and cannot be taken out line by line")
	case len(list.Items) > 1:
	case len(h.List.Items) > 1:
		from = h.Group.Start
	default:
		hooks, _ := f.root.Get("hooks")
		from = keyLine(hooks, h.Event)
		if len(hooks.Members) == 1 {
			from = keyLine(f.root, "hooks")
		}
	}
	to := f.end(from)
	if len(list.Items) > 1 && from == h.Group.Start {
		return f, failure(from, 1, "the entry begins in the line of its group and cannot be taken out line by line")
	}
	return f.replace(from, to, nil)
}

func keyLine(object settings.Node, key string) int {
	for _, m := range slices.Backward(object.Members) {
		if m.Key == key {
			return m.KeyStart
		}
	}
	return 0
}

// Add appends an entry in a group of its own, laid out as the block is.
func (f File) Add(event, matcher string, handler settings.Node) (File, error) {
	next, err := f.add(event, matcher, handler)
	if err == nil && !f.foreignSame(next, 1) {
		return f, failure(2, 1, "an entry cannot be added to this layout without touching another")
	}
	return next, err
}

// foreignSame reports whether next has all but the one entry that was added
// (grow 1) or removed (grow -1), in the same order. Layouts are many; this look at
// the result is what the line edits are trusted for.
func (f File) foreignSame(next File, grow int) bool {
	more, less := describe(next), describe(f)
	if grow < 0 {
		more, less = less, more
	}
	if len(more) != len(less)+1 {
		return false
	}
	if !slices.Equal(others(f), others(next)) {
		return false
	}
	i := 0
	for i < len(less) && more[i] == less[i] {
		i++
	}
	return slices.Equal(more[i+1:], less[i:])
}

func describe(f File) []string {
	var out []string
	for _, h := range f.Handlers() {
		out = append(out, h.Event+"\x00"+h.Matcher+"\x00"+settings.Text(h.Node))
	}
	return out
}

// others are the top-level keys but for hooks, with their values.
func others(f File) []string {
	var out []string
	for _, m := range f.root.Members {
		if m.Key != "hooks" {
			out = append(out, m.Key+"\x00"+settings.Text(m.Value))
		}
	}
	return out
}

func (f File) add(event, matcher string, handler settings.Node) (File, error) {
	step := f.step()
	hooks, ok := f.root.Get("hooks")
	at := keyLine(f.root, "hooks")
	if !ok {
		lines := append([]string{"hooks:", step + event + ":"}, group(step+step, step, matcher, handler)...)
		return f.replace(f.last+1, f.last+1, lines)
	}
	if hooks.Kind != settings.Object || len(hooks.Members) == 0 {
		if hooks.Kind != settings.Null && hooks.Kind != settings.Object {
			return f, failure(at, 1, "hooks is "+hooks.Kind.String()+"; it must have one key for each event")
		}
		if !bare(f.lines[at-1], "hooks") {
			return f, failure(at, 1, "hooks is written on one line; write it as \"hooks:\" with the events below, or remove it")
		}
		lines := append([]string{"hooks:", step + event + ":"}, group(step+step, step, matcher, handler)...)
		return f.replace(at, at+1, lines)
	}
	if hooks.End < 0 {
		return f, failure(at, 1, "hooks is written in braces; write one event per line, then entries can be added")
	}
	eventIndent := strings.Repeat(" ", f.indent(hooks.Members[0].KeyStart))
	list, ok := hooks.Get(event)
	if !ok {
		lines := append([]string{eventIndent + event + ":"}, group(eventIndent+step, step, matcher, handler)...)
		end := f.end(at)
		return f.replace(end, end, lines)
	}
	line := keyLine(hooks, event)
	if list.Kind != settings.Array || list.End < 0 || len(list.Items) == 0 {
		return f, failure(line, 1, event+" is not written as a list of lines; write it so, then entries can be added")
	}
	dash := strings.Repeat(" ", f.indent(list.Items[0].Start))
	end := f.end(line)
	return f.replace(end, end, group(dash, step, matcher, handler))
}

// bare reports whether a line holds only the key, or the key with an empty value.
func bare(line []byte, key string) bool {
	text := string(bytes.TrimSpace(line))
	for _, empty := range []string{":", ": {}", ": null", ": ~"} {
		if text == key+empty {
			return true
		}
	}
	return false
}

// SetText replaces the one-line value of a handler's key, and nothing else.
func (f File) SetText(h Handler, key, value string) (File, error) {
	for _, m := range h.Node.Members {
		if m.Key != key || m.Value.Kind != settings.String {
			continue
		}
		line := f.lines[m.KeyStart-1]
		at := bytes.Index(line, []byte(key+":"))
		next := m.KeyStart + 1
		oneLine := next > f.last || f.end(m.KeyStart) == next || bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- "))
		if at < 0 || !oneLine {
			break
		}
		eol := len(bytes.TrimRight(line, "\r\n"))
		return f.replace(m.KeyStart, next, []string{string(line[:at]) + key + ": " + settings.Quote(value) + trailing(line[at:eol])})
	}
	return f, failure(h.Line, 1, "the entry's "+key+" is not on one line and cannot be replaced")
}

// trailing keeps a comment behind a quoted value.
func trailing(rest []byte) string {
	if i := bytes.LastIndex(rest, []byte("\" #")); i >= 0 {
		return string(rest[i+1:])
	}
	return ""
}

// step is the indentation of one level: that of the first nested key, or two.
func (f File) step() string {
	for n := f.first + 1; n <= f.last; n++ {
		if f.content(n) && f.indent(n) > 0 && !bytes.HasPrefix(bytes.TrimLeft(f.lines[n-1], " "), []byte("- ")) {
			if i := f.indent(n); i == 2 || i == 4 || i == 3 || i == 8 {
				return strings.Repeat(" ", i)
			}
			break
		}
	}
	return "  "
}

// group writes an entry in its group as lines of YAML. Strings are quoted as in
// JSON, which YAML reads the same way.
func group(dash, step, matcher string, handler settings.Node) []string {
	var lines []string
	first := dash + "- "
	inner := dash + "  "
	if matcher != "" {
		lines = append(lines, first+"matcher: "+settings.Quote(matcher))
		first = inner
	}
	lines = append(lines, first+"hooks:")
	first = inner + step + "- "
	for _, m := range handler.Members {
		lines = append(lines, first+m.Key+": "+settings.Text(m.Value))
		first = inner + step + "  "
	}
	return lines
}

// replace puts lines in the place of [from, to), numbered from 1, and reads the
// result again.
func (f File) replace(from, to int, lines []string) (File, error) {
	newline := "\n"
	if bytes.HasSuffix(f.lines[0], []byte("\r\n")) {
		newline = "\r\n"
	}
	var out []byte
	if f.loose && bytes.HasPrefix(f.source, []byte("\ufeff")) {
		out = append(out, "\ufeff"...)
	}
	for _, line := range f.lines[:from-1] {
		out = append(out, line...)
	}
	for _, line := range lines {
		out = append(out, line+newline...)
	}
	for _, line := range f.lines[to-1:] {
		out = append(out, line...)
	}
	if !utf8.Valid(out) && utf8.Valid(f.source) {
		return f, failure(from, 1, "the result would not be text")
	}
	return parseFile(out, f.loose)
}
