package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Bounds of a document, checked before the parser sees a byte: it recurses, and
// a stack overflow ends a Go program with status 2, which clients take for a
// block (0.6 MB of "[" did so when measured).
const (
	MaxSize  = 1 << 20 // bytes
	MaxDepth = 500     // objects and arrays inside each other
)

// SyntaxError says where a file stops being JSON, comments and trailing commas
// allowed. Line and Col are as in Document.Position.
type SyntaxError struct {
	Offset, Line, Col int
	Msg               string
}

// Error returns line, column and message; callers put the file name in front.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Parse reads JSON, tolerating comments, trailing commas, a byte order mark and
// duplicate keys, each listed in Problems. Empty input, or input of space and
// comments only, gives a root of kind None. Every failure is a *SyntaxError. The
// document keeps src: do not change it afterwards.
func Parse(src []byte) (Document, error) {
	doc := Document{Source: src}
	if len(src) > MaxSize {
		return doc, syntaxError(src, 0, fmt.Sprintf("the file has %d bytes; more than %d are not read", len(src), MaxSize))
	}
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return doc, syntaxError(src, 0, "the file is UTF-16; save it as UTF-8")
	}
	base := 0
	if bytes.HasPrefix(src, byteOrderMark) {
		base = len(byteOrderMark)
		doc.add(ByteOrderMark, 0, "byte order mark at the start: older clients cannot read the file")
	}
	scan := scanExtras(src[base:])
	if scan.tooDeep >= 0 {
		return doc, syntaxError(src, base+scan.tooDeep, fmt.Sprintf("values are nested more than %d deep", MaxDepth))
	}
	if scan.empty {
		for _, offset := range scan.comments {
			doc.add(Comment, base+offset, "comment: JSON has none, so the client drops the whole file")
		}
		doc.add(Empty, len(src), "the file holds no value")
		doc.place()
		return doc, nil
	}

	// The grammar wants a line break after a line comment; the end of the file
	// is one. The copy keeps hujson's aliases away from the caller's spare capacity.
	text := append(bytes.Clone(src[base:]), '\n')
	value, err := hujson.Parse(text)
	if err != nil {
		return doc, parserError(src, base, err)
	}
	b := builder{doc: &doc, base: base}
	doc.Root = b.node(value)
	for _, offset := range scan.comments {
		doc.add(Comment, base+offset, "comment: JSON has none, so the client drops the whole file")
	}
	doc.place()
	return doc, nil
}

func (d *Document) add(kind ProblemKind, offset int, message string) {
	d.Problems = append(d.Problems, Problem{Kind: kind, Offset: offset, Message: message})
}

func syntaxError(src []byte, offset int, msg string) *SyntaxError {
	line, col := position(src, offset)
	return &SyntaxError{Offset: offset, Line: line, Col: col, Msg: msg}
}

// parserError reads the place out of hujson's text, which is its only form of it.
func parserError(src []byte, base int, err error) *SyntaxError {
	msg := strings.TrimPrefix(err.Error(), "hujson: ")
	offset := base
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		place, text, _ := strings.Cut(rest, ": ")
		lineText, colText, _ := strings.Cut(place, ", column ")
		line, errLine := strconv.Atoi(lineText)
		col, errCol := strconv.Atoi(colText)
		if errLine == nil && errCol == nil {
			msg = text
			for ; line > 1; line-- {
				next := bytes.IndexByte(src[offset:], '\n')
				if next < 0 {
					break
				}
				offset += next + 1
			}
			offset = min(offset+col-1, len(src))
		}
	}
	if strings.HasSuffix(msg, "unexpected EOF") {
		msg = "the file ends in the middle of a value"
		offset = len(src)
	}
	// An invalid literal is quoted whole, however long it is.
	const limit = 120
	if len(msg) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(msg[cut]) {
			cut--
		}
		msg = msg[:cut] + "…"
	}
	return syntaxError(src, offset, msg)
}

// extras is what one pass over the bytes finds without building anything.
type extras struct {
	comments []int
	tooDeep  int // offset, or -1
	empty    bool
}

// scanExtras finds comments, measures nesting and tells an empty file. It steps
// over strings as the parser does; where the text is no JSON the parser stops at
// or before the place where the two could differ.
func scanExtras(b []byte) extras {
	found := extras{tooDeep: -1, empty: true}
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n':
			continue
		case '/':
			var end int
			if bytes.HasPrefix(b[i:], []byte("//")) {
				end = bytes.IndexByte(b[i:], '\n')
			} else if bytes.HasPrefix(b[i:], []byte("/*")) {
				if end = bytes.Index(b[i+2:], []byte("*/")); end >= 0 {
					end += 3
				} else {
					found.empty = false // unterminated: let the parser say so
				}
			} else {
				found.empty = false
				continue
			}
			found.comments = append(found.comments, i)
			if end < 0 {
				return found
			}
			i += end
			continue
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				found.tooDeep = i
				return found
			}
		case '}', ']':
			depth--
		}
		found.empty = false
	}
	return found
}

// builder turns the parser's tree into ours and lists what only the tree knows.
type builder struct {
	doc  *Document
	base int
}

func (b builder) node(v hujson.Value) Node {
	n := Node{Start: b.base + v.StartOffset, End: b.base + v.EndOffset}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		seen := make(map[string]bool, len(value.Members))
		for _, m := range value.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			member := Member{
				Key:      name.String(),
				KeyStart: b.base + m.Name.StartOffset,
				KeyEnd:   b.base + m.Name.EndOffset,
				Value:    b.node(m.Value),
			}
			if seen[member.Key] {
				b.doc.add(DuplicateKey, member.KeyStart,
					fmt.Sprintf("the key %s occurs twice here; only the last one counts", strconv.Quote(member.Key)))
			}
			seen[member.Key] = true
			n.Members = append(n.Members, member)
		}
		if last := len(value.Members) - 1; last >= 0 {
			b.trailing(value.Members[last].Value)
		}
	case *hujson.Array:
		n.Kind = Array
		for _, e := range value.Elements {
			n.Items = append(n.Items, b.node(e))
		}
		if last := len(value.Elements) - 1; last >= 0 {
			b.trailing(value.Elements[last])
		}
	case hujson.Literal:
		b.literal(&n, value)
	}
	return n
}

// trailing lists a comma after the last value: hujson marks it by text after
// that value which is empty but not nil.
func (b builder) trailing(last hujson.Value) {
	if last.AfterExtra != nil {
		b.doc.add(TrailingComma, b.base+last.EndOffset+len(last.AfterExtra),
			"comma after the last entry: JSON has none there, so the client drops the whole file")
	}
}

func (builder) literal(n *Node, value hujson.Literal) {
	switch value.Kind() {
	case '"':
		n.Kind, n.Text = String, value.String()
	case '0':
		n.Kind, n.Text = Number, string(value)
	case 't', 'f':
		n.Kind, n.Bool = Bool, value.Bool()
	default:
		n.Kind = Null
	}
}

// place sorts the problems and gives them their positions.
func (d *Document) place() {
	slices.SortStableFunc(d.Problems, func(a, b Problem) int { return a.Offset - b.Offset })
	at := newLocator(d.Source)
	for i := range d.Problems {
		d.Problems[i].Line, d.Problems[i].Col = at.position(d.Problems[i].Offset)
	}
}
