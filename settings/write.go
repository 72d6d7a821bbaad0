package settings

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// style is how a file writes its JSON.
type style struct {
	newline, unit, indent, colon string
	multi                        bool
}

func (d Document) style() style {
	s := style{newline: "\n", unit: "  ", colon: ": "}
	if i := bytes.IndexByte(d.Source, '\n'); i > 0 && d.Source[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if len(d.Root.Members) == 0 {
		return s
	}
	first := d.Root.Members[0]
	if between := d.Source[first.KeyEnd:first.Value.Start]; !bytes.ContainsAny(between, "/\r\n") {
		s.colon = string(between)
	}
	if !bytes.ContainsRune(d.Source[d.Root.Start:first.KeyStart], '\n') {
		return s
	}
	outer, inner := d.lineIndent(d.Root.Start), d.lineIndent(first.KeyStart)
	if unit, ok := strings.CutPrefix(inner, outer); ok {
		s.unit = unit // also none: some files are not indented at all
	}
	return s
}

// text writes a value in the style.
func (s style) text(n Node) string {
	var b strings.Builder
	s.write(&b, n)
	return b.String()
}

func (s style) write(b *strings.Builder, n Node) {
	inner := s
	inner.indent += s.unit
	separate := func(i int) {
		switch {
		case s.multi && i == 0:
			b.WriteString(s.newline + inner.indent)
		case s.multi:
			b.WriteString("," + s.newline + inner.indent)
		case i > 0 && strings.HasSuffix(s.colon, " "):
			b.WriteString(", ")
		case i > 0:
			b.WriteString(",")
		}
	}
	end := func(n int) {
		if s.multi && n > 0 {
			b.WriteString(s.newline + s.indent)
		}
	}
	switch n.Kind {
	case Object:
		b.WriteByte('{')
		for i, m := range n.Members {
			separate(i)
			b.WriteString(quote(m.Key) + s.colon)
			inner.write(b, m.Value)
		}
		end(len(n.Members))
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			separate(i)
			inner.write(b, item)
		}
		end(len(n.Items))
		b.WriteByte(']')
	case String:
		b.WriteString(quote(n.Text))
	case Number:
		b.WriteString(n.Text)
	case Bool:
		b.WriteString(strconv.FormatBool(n.Bool))
	default:
		b.WriteString("null")
	}
}

// quote writes a JSON string. Unlike encoding/json it leaves <, > and & alone:
// people read these files, and "&&" is in half of all hook commands.
func quote(text string) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(text)+2)
	b = append(b, '"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			if r < ' ' {
				b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
				continue
			}
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, '"'))
}

// TextOf returns a string value.
func TextOf(s string) Node { return Node{Kind: String, Text: s} }

// IntOf returns a number value.
func IntOf(i int) Node { return Node{Kind: Number, Text: strconv.Itoa(i)} }

// ListOf returns a list of the items.
func ListOf(items ...Node) Node { return Node{Kind: Array, Items: items} }

// ObjectOf returns an object with the members in the given order.
func ObjectOf(members ...Member) Node { return Node{Kind: Object, Members: members} }

// Entry returns one member of an object to be written.
func Entry(key string, value Node) Member { return Member{Key: key, Value: value} }

// Quote returns s as a JSON string. It escapes what JSON demands and nothing else.
func Quote(s string) string { return quote(s) }

// Text returns n as JSON on one line.
func Text(n Node) string { return style{colon: ": "}.text(n) }
