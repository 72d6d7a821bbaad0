package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces Source[Start:End] by Text and touches nothing else.
type Edit struct {
	Start, End int
	Text       string
}

// ErrOverlap is returned for edits that touch the same bytes.
var ErrOverlap = errors.New("edits overlap")

// Apply returns the document with the edits made. Bytes outside their spans stay
// as they are, and the result is parsed again: an edit that would break the file
// is an error, and so is one outside the source or two over the same bytes. The
// receiver is not changed.
func (d Document) Apply(edits ...Edit) (Document, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var out []byte
	done := 0
	for _, e := range edits {
		if e.Start < done {
			return d, fmt.Errorf("%w at byte %d", ErrOverlap, e.Start)
		}
		if e.End < e.Start || e.End > len(d.Source) {
			return d, fmt.Errorf("edit of bytes %d to %d is outside the file", e.Start, e.End)
		}
		out = append(out, d.Source[done:e.Start]...)
		out = append(out, e.Text...)
		done = e.End
	}
	out = append(out, d.Source[done:]...)
	return Parse(out)
}

// AppendItem returns the edits that put value at the end of list, laid out as
// the list and the file already are.
func (d Document) AppendItem(list, value Node) []Edit {
	return d.insert(list, itemSpans(list), func(s style) string { return s.text(value) })
}

// AppendMember returns the edits that put key and value at the end of object. It
// does not look whether the key is there already.
func (d Document) AppendMember(object Node, key string, value Node) []Edit {
	return d.insert(object, memberSpans(object), func(s style) string {
		return quote(key) + s.colon + s.text(value)
	})
}

// Replace returns the edit that puts value in the place of n, laid out for that
// place.
func (d Document) Replace(n, value Node) Edit {
	s := d.style()
	s.multi = d.multiLine()
	s.indent = d.lineIndent(n.Start)
	return Edit{Start: n.Start, End: n.End, Text: s.text(value)}
}

// Remove returns the edits that take one value out: an item of a list, or a
// member of an object together with its key. Space and the comma that belong to
// it go too; comments stay. It reports false when n is not part of d, or is its root.
func (d Document) Remove(n Node) ([]Edit, bool) {
	parent, index, ok := parentOf(d.Root, n)
	if !ok {
		return nil, false
	}
	spans := itemSpans(parent)
	if parent.Kind == Object {
		spans = memberSpans(parent)
	}
	me := spans[index]
	switch {
	case len(spans) == 1:
		inside := d.Source[parent.Start+1 : parent.End-1]
		if !hasComment(inside, me.start-parent.Start-1, me.end-parent.Start-1) {
			return []Edit{{Start: parent.Start + 1, End: parent.End - 1}}, true
		}
		return d.cut(me, d.comma(me.end, parent.End-1)), true
	case index == 0:
		next := spans[1]
		if comma := d.comma(me.end, next.start); onlySpace(d.Source[comma+1 : next.start]) {
			return []Edit{{Start: me.start, End: next.start}}, true
		}
		return d.cut(me, d.comma(me.end, next.start)), true
	default:
		before := spans[index-1].end
		if between := d.Source[before:me.start]; onlySpace(bytes.Replace(between, []byte(","), nil, 1)) {
			return []Edit{{Start: before, End: me.end}}, true
		}
		return d.cut(me, d.comma(before, me.start)), true
	}
}

// cut removes a span with the space before it, and one comma if there is one.
func (d Document) cut(s span, comma int) []Edit {
	from := s.start
	for from > 0 && isSpace(d.Source[from-1]) {
		from--
	}
	switch {
	case comma < 0:
		return []Edit{{Start: from, End: s.end}}
	case comma+1 == from:
		return []Edit{{Start: comma, End: s.end}}
	case comma == s.end:
		return []Edit{{Start: from, End: comma + 1}}
	}
	return []Edit{{Start: comma, End: comma + 1}, {Start: from, End: s.end}}
}

type span struct{ start, end int }

func itemSpans(list Node) []span {
	spans := make([]span, len(list.Items))
	for i, item := range list.Items {
		spans[i] = span{item.Start, item.End}
	}
	return spans
}

func memberSpans(object Node) []span {
	spans := make([]span, len(object.Members))
	for i, m := range object.Members {
		spans[i] = span{m.KeyStart, m.Value.End}
	}
	return spans
}

func parentOf(root, n Node) (parent Node, index int, ok bool) {
	for i, item := range root.Items {
		if item.Start == n.Start && item.End == n.End {
			return root, i, true
		}
		if item.Start <= n.Start && n.End <= item.End {
			return parentOf(item, n)
		}
	}
	for i, m := range root.Members {
		if m.Value.Start == n.Start && m.Value.End == n.End {
			return root, i, true
		}
		if m.Value.Start <= n.Start && n.End <= m.Value.End {
			return parentOf(m.Value, n)
		}
	}
	return Node{}, 0, false
}

// insert adds one element at the end of a container.
func (d Document) insert(container Node, spans []span, text func(style) string) []Edit {
	s := d.style()
	if len(spans) == 0 {
		return []Edit{d.fill(container, s, text)}
	}
	last := spans[len(spans)-1]
	before := container.Start + 1
	if len(spans) > 1 {
		before = spans[len(spans)-2].end
	}
	if !bytes.ContainsRune(d.Source[before:last.start], '\n') {
		s.multi = false
		return []Edit{{Start: last.end, End: last.end, Text: d.inlineComma(spans) + text(s)}}
	}
	s.multi = true
	s.indent = d.lineIndent(last.start)
	// A comment behind the last element stays on its line, and a trailing comma
	// serves the new element.
	end := last.end
	edits := []Edit{{Start: end, End: end, Text: ","}}
	if comma := d.comma(last.end, container.End-1); comma >= 0 {
		end, edits = comma+1, nil
	}
	end = d.afterLineComment(end, container.End-1)
	if len(edits) == 1 && edits[0].Start == end {
		return []Edit{{Start: end, End: end, Text: "," + s.newline + s.indent + text(s)}}
	}
	return append(edits, Edit{Start: end, End: end, Text: s.newline + s.indent + text(s)})
}

// fill puts the first element into an empty container.
func (d Document) fill(container Node, s style, text func(style) string) Edit {
	end := container.End - 1
	start := end
	for start > container.Start+1 && isSpace(d.Source[start-1]) {
		start--
	}
	s.multi = d.multiLine()
	if !s.multi {
		return Edit{Start: start, End: end, Text: text(s)}
	}
	outer := d.lineIndent(container.Start)
	s.indent = outer + s.unit
	return Edit{Start: start, End: end, Text: s.newline + s.indent + text(s) + s.newline + outer}
}

// inlineComma is how the elements of a one-line container are separated.
func (d Document) inlineComma(spans []span) string {
	if len(spans) > 1 {
		between := d.Source[spans[len(spans)-2].end:spans[len(spans)-1].start]
		if !bytes.ContainsAny(between, "/\r\n") {
			return string(between)
		}
	}
	if strings.HasSuffix(d.style().colon, " ") {
		return ", "
	}
	return ","
}

// comma returns the offset of the first comma from start to end, or -1. Between
// two elements only comments can hold another.
func (d Document) comma(start, end int) int {
	for i := start; i < end; i++ {
		switch {
		case d.Source[i] == ',':
			return i
		case bytes.HasPrefix(d.Source[i:end], []byte("//")):
			next := bytes.IndexByte(d.Source[i:end], '\n')
			if next < 0 {
				return -1
			}
			i += next
		case bytes.HasPrefix(d.Source[i:end], []byte("/*")):
			next := bytes.Index(d.Source[i+2:end], []byte("*/"))
			if next < 0 {
				return -1
			}
			i += next + 3
		}
	}
	return -1
}

// afterLineComment moves start behind a comment that ends the same line.
func (d Document) afterLineComment(start, end int) int {
	line := d.Source[start:end]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	trimmed := bytes.TrimLeft(line, " \t")
	if !bytes.HasPrefix(trimmed, []byte("//")) {
		return start
	}
	return start + len(bytes.TrimRight(line, "\r"))
}

// hasComment reports whether b holds anything but space and commas outside the
// given span.
func hasComment(b []byte, start, end int) bool {
	return !onlySpace(bytes.ReplaceAll(b[:start], []byte(","), nil)) ||
		!onlySpace(bytes.ReplaceAll(b[end:], []byte(","), nil))
}

func onlySpace(b []byte) bool {
	for _, c := range b {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// lineIndent is the space that the line of offset begins with.
func (d Document) lineIndent(offset int) string {
	start := bytes.LastIndexByte(d.Source[:offset], '\n') + 1
	end := start
	for end < offset && (d.Source[end] == ' ' || d.Source[end] == '\t') {
		end++
	}
	return string(d.Source[start:end])
}

// multiLine reports whether new containers should take several lines: the file
// does so, or has nothing yet that could show a preference.
func (d Document) multiLine() bool {
	return len(d.Root.Members)+len(d.Root.Items) == 0 ||
		bytes.ContainsRune(d.Source[d.Root.Start:d.Root.End], '\n')
}
