package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"agentguard/settings"
)

// quoteJSON writes a string as JSON without touching &, < and >.
func quoteJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimRight(b.String(), "\n")
}

// change makes a mend of fixed edits to the file.
func (l *layer) change(edits ...settings.Edit) func(*mending) error {
	return func(m *mending) error { return m.edit(l.path, l.raw, edits...) }
}

func (l *layer) toUTF8() func(*mending) error {
	raw := l.raw[2:]
	big := bytes.HasPrefix(l.raw, []byte("\xfe\xff"))
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		u := uint16(raw[i]) | uint16(raw[i+1])<<8
		if big {
			u = uint16(raw[i])<<8 | uint16(raw[i+1])
		}
		units = append(units, u)
	}
	return l.change(settings.Edit{End: len(l.raw), Text: string(utf16.Decode(units))})
}

func (l *layer) dropBOM() func(*mending) error {
	return l.change(settings.Edit{End: 3})
}

// toStrict takes out comments and trailing commas.
func (l *layer) toStrict() func(*mending) error {
	var edits []settings.Edit
	for _, problem := range l.doc.Problems {
		switch problem.Kind {
		case settings.TrailingComma:
			edits = append(edits, settings.Edit{Start: problem.Offset, End: problem.Offset + 1})
		case settings.Comment:
			start, end := problem.Offset, l.commentEnd(problem.Offset)
			// A line with nothing but the comment goes whole.
			lineStart := bytes.LastIndexByte(l.raw[:start], '\n') + 1
			lineEnd := end
			for lineEnd < len(l.raw) && (l.raw[lineEnd] == ' ' || l.raw[lineEnd] == '\t' || l.raw[lineEnd] == '\r') {
				lineEnd++
			}
			alone := len(bytes.TrimSpace(l.raw[lineStart:start])) == 0
			if alone && lineEnd < len(l.raw) && l.raw[lineEnd] == '\n' {
				start, end = lineStart, lineEnd+1
			} else if !alone {
				for start > lineStart && (l.raw[start-1] == ' ' || l.raw[start-1] == '\t') {
					start--
				}
			}
			edits = append(edits, settings.Edit{Start: start, End: end})
		case settings.DuplicateKey, settings.ByteOrderMark, settings.Empty:
		}
	}
	return l.change(edits...)
}

func (l *layer) commentEnd(start int) int {
	rest := l.raw[start:]
	if bytes.HasPrefix(rest, []byte("/*")) {
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			return start + 2 + i + 2
		}
		return len(l.raw)
	}
	before, _, ok := bytes.Cut(rest, []byte{'\n'})
	if !ok {
		return len(l.raw)
	}
	return start + len(bytes.TrimRight(before, "\r"))
}

func (l *layer) replaceKey(m settings.Member, name string) func(*mending) error {
	return l.change(settings.Edit{Start: m.KeyStart, End: m.KeyEnd, Text: quoteJSON(name)})
}

func (l *layer) replaceText(n settings.Node, text string) func(*mending) error {
	return l.change(settings.Edit{Start: n.Start, End: n.End, Text: quoteJSON(text)})
}

// remove takes a value out, with its key.
func (l *layer) remove(n settings.Node) func(*mending) error {
	edits, ok := l.doc.Remove(n)
	if !ok {
		return nil
	}
	return l.change(edits...)
}

// removeEntry takes a handler out, and its group when nothing else is in it.
func (l *layer) removeEntry(h settings.Handler) func(*mending) error {
	n := h.Node
	if list, _ := h.Group.Get("hooks"); len(list.Items) == 1 {
		n = h.Group
	}
	return l.remove(n)
}

// rewrite makes a mend of a step that is repeated until it finds nothing to do;
// the step returns the edits of one change. The whole file becomes one edit.
func (l *layer) rewrite(step func(settings.Document) []settings.Edit) func(*mending) error {
	return func(m *mending) error {
		doc := l.doc
		for range 100 {
			edits := step(doc)
			if len(edits) == 0 {
				break
			}
			next, err := doc.Apply(edits...)
			if err != nil {
				return fmt.Errorf("rewriting: %w", err)
			}
			doc = next
		}
		return m.edit(l.path, l.raw, settings.Edit{End: len(l.raw), Text: string(doc.Source)})
	}
}

// mergeHooks brings what stands under keys that occur twice into one place.
func (l *layer) mergeHooks() func(*mending) error {
	return l.rewrite(func(doc settings.Document) []settings.Edit {
		if first, second, ok := twice(doc.Root, "hooks"); ok {
			return mergeObjects(doc, first.Value, second.Value)
		}
		hooks, _ := doc.Root.Get("hooks")
		for _, m := range hooks.Members {
			if first, second, ok := twice(hooks, m.Key); ok {
				return mergeLists(doc, first.Value, second.Value)
			}
		}
		return nil
	})
}

// twice returns the first and the second member of a key.
func twice(object settings.Node, key string) (first, second settings.Member, ok bool) {
	n := 0
	for _, m := range object.Members {
		if m.Key != key {
			continue
		}
		if n++; n == 1 {
			first = m
		} else {
			return first, m, true
		}
	}
	return first, second, false
}

// mergeObjects moves one member of the second object, or removes it when empty.
func mergeObjects(doc settings.Document, first, second settings.Node) []settings.Edit {
	if second.Kind != settings.Object || first.Kind != settings.Object || len(second.Members) == 0 {
		edits, _ := doc.Remove(second)
		return edits
	}
	m := second.Members[0]
	remove, ok := doc.Remove(m.Value)
	if !ok {
		return nil
	}
	if list, has := first.Get(m.Key); has && list.Kind == settings.Array && m.Value.Kind == settings.Array {
		for i := range m.Value.Items {
			remove = append(remove, doc.AppendItem(list, m.Value.Items[i])...)
			if i == 0 && len(m.Value.Items) > 1 {
				// One at a time: two insertions at one place would change their order.
				only, _ := doc.Remove(m.Value.Items[0])
				return append(only, doc.AppendItem(list, m.Value.Items[0])...)
			}
		}
		return remove
	}
	return append(remove, doc.AppendMember(first, m.Key, m.Value)...)
}

func mergeLists(doc settings.Document, first, second settings.Node) []settings.Edit {
	if first.Kind != settings.Array || second.Kind != settings.Array || len(second.Items) == 0 {
		edits, _ := doc.Remove(second)
		return edits
	}
	edits, _ := doc.Remove(second.Items[0])
	return append(edits, doc.AppendItem(first, second.Items[0])...)
}

// moveIntoHooks moves a top-level event into "hooks".
func (l *layer) moveIntoHooks(m settings.Member) func(*mending) error {
	key := m.Key
	return l.rewrite(func(doc settings.Document) []settings.Edit {
		event, ok := doc.Root.Get(key)
		if !ok {
			return nil
		}
		hooks, has := doc.Root.Get("hooks")
		if !has {
			return doc.AppendMember(doc.Root, "hooks", settings.ObjectOf())
		}
		edits, ok := doc.Remove(event)
		if !ok {
			return nil
		}
		if list, has := hooks.Get(key); has && list.Kind == settings.Array {
			for _, item := range event.Items[:min(1, len(event.Items))] {
				if len(event.Items) > 1 {
					edits, _ = doc.Remove(item)
				}
				edits = append(edits, doc.AppendItem(list, item)...)
			}
			return edits
		}
		return append(edits, doc.AppendMember(hooks, key, event)...)
	})
}

// schemaMend returns the mend for a fault that has a mechanical one.
func (l *layer) schemaMend(fault settings.Fault) (mend func(*mending) error, words string) {
	hooks, _ := l.doc.Root.Get("hooks")
	n, parent := find(l.doc.Root, fault.Offset)
	src := func(n settings.Node) string { return string(l.raw[n.Start:n.End]) }
	replace := func(text, words string) (func(*mending) error, string) {
		return l.change(settings.Edit{Start: n.Start, End: n.End, Text: text}), words
	}
	_ = hooks
	switch msg := fault.Message; {
	case strings.HasPrefix(msg, "this handler stands directly under"):
		return replace(`{ "hooks": [ `+src(n)+` ] }`, "Put it into a group: {\"hooks\": [ … ]}.")
	case strings.HasPrefix(msg, "timeout is a string"):
		if f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(n.Text), "s"), 64); err == nil && f > 0 {
			return replace(strconv.FormatFloat(f, 'f', -1, 64), "Write the seconds without quotes.")
		}
		return l.remove(n), "Write a number of seconds, or leave it out."
	case strings.HasPrefix(msg, "timeout is"):
		return l.remove(n), "Write a number of seconds above 0, or leave it out."
	case strings.HasPrefix(msg, "matcher is a list"):
		var names []string
		for _, item := range n.Items {
			if item.Kind != settings.String {
				return nil, ""
			}
			names = append(names, item.Text)
		}
		return replace(quoteJSON(strings.Join(names, "|")), "Join the names with |.")
	case strings.HasPrefix(msg, "matcher is"):
		return nil, ""
	case strings.HasPrefix(msg, "disableAllHooks is a string"):
		if n.Text == "true" || n.Text == "false" {
			return replace(n.Text, "Write it without quotes.")
		}
	case strings.HasPrefix(msg, "permissions.") && n.Kind == settings.String:
		return replace("["+src(n)+"]", "Make it a list.")
	case strings.HasPrefix(msg, "this handler has no \"type\""):
		for _, kind := range [][2]string{{"command", "command"}, {"url", "http"}} {
			if _, ok := n.Get(kind[0]); ok && len(n.Members) > 0 {
				at := n.Members[0].KeyStart
				return l.change(settings.Edit{Start: at, End: at, Text: `"type": ` + quoteJSON(kind[1]) + `, `}),
					"Add \"type\": " + quoteJSON(kind[1]) + "."
			}
		}
	case strings.HasPrefix(msg, "type ") && parent.Kind == settings.Object:
		near := settings.Nearest(n.Text, []string{"command", "http", "mcp_tool", "prompt", "agent"})
		if near == "" {
			if _, ok := parent.Get("command"); ok {
				near = "command"
			}
		}
		if near != "" {
			return replace(quoteJSON(near), "Write \"type\": "+quoteJSON(near)+".")
		}
	case strings.Contains(msg, "must be a list of groups") && n.Kind == settings.Object:
		if _, group := n.Get("hooks"); group {
			return replace("["+src(n)+"]", "Make it a list of groups.")
		}
		if _, handler := n.Get("type"); handler {
			return replace(`[ { "hooks": [ `+src(n)+` ] } ]`, "Make it a list of groups.")
		}
	case strings.HasPrefix(msg, "\"hooks\" of this group is") && n.Kind == settings.Object:
		return replace("["+src(n)+"]", "Make it a list.")
	case strings.HasPrefix(msg, "args is a string"):
		return replace("["+src(n)+"]", "Make it a list.")
	}
	return nil, ""
}

// find returns the innermost value that begins at an offset, and what it is in.
func find(n settings.Node, offset int) (found, parent settings.Node) {
	var walk func(n, up settings.Node)
	walk = func(n, up settings.Node) {
		if n.Start == offset {
			found, parent = n, up
		}
		if offset < n.Start || offset >= n.End {
			return
		}
		for _, m := range n.Members {
			walk(m.Value, n)
		}
		for _, item := range n.Items {
			walk(item, n)
		}
	}
	walk(n, settings.Node{})
	return found, parent
}
