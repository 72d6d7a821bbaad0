package redact

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// The writer holds back at least keep bytes, more than any secret is long, and
// passes text on once it holds more than full.
const (
	keep = maxKey + 8<<10
	full = 3 * keep
)

// lead is how far before a value its name may stand, in bytes.
const lead = 2 * maxName

// Writer redacts what is written through it in pieces of any size, also where a
// secret is cut by the border of two pieces. Close passes on what it holds back.
type Writer struct {
	to     io.Writer
	held   []byte
	counts Counts
	err    error
}

// NewWriter returns a Writer that passes the redacted text on to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write takes all of p or fails with the error of the writer behind it.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	total := len(p)
	for len(p) > 0 {
		n := min(len(p), full+keep-len(w.held))
		w.held = append(w.held, p[:n]...)
		p = p[n:]
		if len(w.held) > full {
			if w.pass(border(string(w.held))); w.err != nil {
				return 0, w.err
			}
		}
	}
	return total, nil
}

// Close passes on the rest. It does not close the writer behind it.
func (w *Writer) Close() error {
	if w.err == nil {
		w.pass(len(w.held))
	}
	return w.err
}

// Counts tells what was taken out so far.
func (w *Writer) Counts() Counts { return w.counts }

func (w *Writer) pass(n int) {
	text, counts := Text(string(w.held[:n]))
	for kind, c := range counts {
		if w.counts == nil {
			w.counts = Counts{}
		}
		w.counts[kind] += c
	}
	w.held = append(w.held[:0], w.held[n:]...)
	if _, err := io.WriteString(w.to, text); err != nil {
		w.err = fmt.Errorf("passing on redacted text: %w", err)
	}
}

// border is where a text can be cut without cutting a secret or parting a value
// from its name: best behind a line, never inside of what find takes out.
func border(s string) int {
	cut := len(s) - keep
	for back := cut; back > cut-4<<10; back-- {
		if s[back-1] == '\n' {
			cut = back
			break
		}
	}
	spans := find(s)
	for _, f := range slices.Backward(spans) {
		if f.start < cut+lead && f.end > cut-1 {
			cut = f.start - lead
		}
	}
	for cut > 0 && cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if cut <= 0 {
		return len(s) // one secret from end to end
	}
	return cut
}
