// Package settings reads the settings files of coding agents as they are
// written, edits them byte by byte, and tells which layer says what.
//
// Reading is tolerant: comments and trailing commas parse and are listed, since
// people write them and the client then drops the whole file without a word.
// Writing is strict: only the bytes of an edit change, and what is written is
// JSON that the client accepts. The package reads no clock, environment or home
// folder of its own.
package settings

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind int

// The kinds of JSON values. The zero Node is of kind None: no value at all.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the word that messages use for k, with its article.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "a list"
	case Object:
		return "an object"
	case None:
	}
	return "nothing"
}

// Node is one value of a document. Source[Start:End] are its bytes, without
// surrounding space or comments.
type Node struct {
	Kind       Kind
	Start, End int
	// Members are an object's entries in the order of the file. Keys that occur
	// twice are kept twice.
	Members []Member
	// Items are an array's elements.
	Items []Node
	// Text is the decoded value of a string and the literal of a number.
	Text string
	// Bool is the value of a boolean.
	Bool bool
}

// Member is one key of an object with its value.
type Member struct {
	Key string
	// KeyStart is the offset of the key's opening quote, KeyEnd the offset after
	// its closing quote.
	KeyStart, KeyEnd int
	Value            Node
}

// Get follows object keys downwards. Of equal keys the last counts, as it does
// for the client. It reports false when a key is missing or its parent is no
// object.
func (n Node) Get(keys ...string) (Node, bool) {
	for _, key := range keys {
		found := false
		for i := len(n.Members) - 1; i >= 0 && !found; i-- {
			if n.Members[i].Key == key {
				n, found = n.Members[i].Value, true
			}
		}
		if !found {
			return Node{}, false
		}
	}
	return n, true
}

// Float returns a number's value. It reports false for every other kind and for
// a number that float64 cannot hold.
func (n Node) Float() (float64, bool) {
	if n.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, err == nil
}

// Int returns a whole number's value. It reports false for every other kind and
// for a number with a fraction, also for one written as 1.0 or 1e3.
func (n Node) Int() (int, bool) {
	if n.Kind != Number {
		return 0, false
	}
	i, err := strconv.Atoi(n.Text)
	return i, err == nil
}

// ProblemKind says what a strict reader finds wrong.
type ProblemKind int

// The problems of a document that a tolerant reader can live with.
const (
	// Comment and TrailingComma make the client drop the whole file.
	Comment ProblemKind = iota + 1
	TrailingComma
	// DuplicateKey is accepted by the client, which keeps only the last one.
	DuplicateKey
	// ByteOrderMark is accepted by current clients and refused by older ones.
	ByteOrderMark
	// Empty is a file without any value. The client counts it as no file.
	Empty
)

// Problem is one thing that a strict JSON reader refuses or silently resolves.
type Problem struct {
	Kind ProblemKind
	// Offset is where it begins in the source; Line and Col say the same as
	// Position does.
	Offset, Line, Col int
	// Message names it in plain words.
	Message string
}

// Fatal reports whether the client drops the whole file because of p.
func (p Problem) Fatal() bool { return p.Kind == Comment || p.Kind == TrailingComma }

// Document is a parsed file: its bytes, its root value, and what a strict reader
// would say about it.
type Document struct {
	Source   []byte
	Root     Node
	Problems []Problem
}

// Strict reports whether the client reads the document at all: nothing in it is
// more than JSON.
func (d Document) Strict() bool {
	for _, p := range d.Problems {
		if p.Fatal() {
			return false
		}
	}
	return true
}

// Position turns a byte offset into a line and a column, both from 1. Columns
// count characters (code points), not bytes; a byte order mark counts as
// nothing. Offsets outside the source are moved to its ends.
func (d Document) Position(offset int) (line, col int) { return position(d.Source, offset) }

// locator gives positions of offsets that only grow, in one pass over the source:
// a file may have as many problems as it has bytes.
type locator struct {
	src               []byte
	offset, line, col int
}

func newLocator(src []byte) *locator {
	l := &locator{src: src, line: 1, col: 1}
	if bytes.HasPrefix(src, byteOrderMark) {
		l.offset = len(byteOrderMark)
	}
	return l
}

func (l *locator) position(offset int) (line, col int) {
	offset = min(offset, len(l.src))
	if offset > l.offset {
		passed := l.src[l.offset:offset]
		if n := bytes.Count(passed, []byte("\n")); n > 0 {
			l.line += n
			l.col = 1
			passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
		}
		l.col += utf8.RuneCount(passed)
		l.offset = offset
	}
	return l.line, l.col
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func position(src []byte, offset int) (line, col int) {
	offset = min(max(offset, 0), len(src))
	line = 1 + bytes.Count(src[:offset], []byte("\n"))
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	if start == 0 && offset >= len(byteOrderMark) && bytes.HasPrefix(src, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return line, 1 + utf8.RuneCount(src[start:offset])
}
