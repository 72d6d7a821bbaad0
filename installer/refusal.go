package installer

import (
	"fmt"
	"strings"
)

// Refusal says that a file was left alone, where it stands in the way, and how
// to go on. Nothing was written.
type Refusal struct {
	Path string
	// Line and Col are 0 when the whole file is meant.
	Line, Col int
	// Found is what was found, Why why it matters.
	Found, Why string
	// Ways are ways out, in the order to try them.
	Ways []string
}

// Error returns all of it, over several lines.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Path)
	if r.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", r.Line, r.Col)
	}
	b.WriteString(": " + r.Found)
	if r.Why != "" {
		b.WriteString("\n  why it matters: " + r.Why)
	}
	for _, way := range r.Ways {
		b.WriteString("\n  way out: " + way)
	}
	return b.String()
}
