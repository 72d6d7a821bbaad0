// Package secrets finds credentials in text that is about to be committed,
// pushed or written, and tells a real one from a placeholder. A value is never
// kept, returned or put into an error: findings name the file, line and kind.
//
// What it knows by itself are kinds that can hardly be anything else. The wide
// set of rules runs in the program agentguard, which speaks Request and Response.
package secrets

import (
	"slices"
	"strings"

	"agentguard/judge/redact"
)

// File is a piece of text with the place that it goes to.
type File struct {
	Path string `json:"path"` // relative to the repository, with slashes
	// First is the number of the text's first line; 0 means 1.
	First  int    `json:"first,omitempty"`
	Commit string `json:"commit,omitempty"` // short id, of an outgoing commit
	Text   string `json:"text"`
	// Binary tells content that is no text: only the built-in kinds are meant.
	Binary bool `json:"-"`
	// Enough is how many finds of the wide set are enough to know; 0 means all.
	Enough int `json:"enough,omitempty"`
}

// Level says how sure a finding is.
type Level string

// The levels. A possible one looks like a secret; a person must tell.
const (
	Certain  Level = "certain"
	Possible Level = "possible"
)

// Finding is one secret, without its value.
type Finding struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Commit string `json:"commit,omitempty"`
	Kind   string `json:"kind"` // "github-token", "private-key"
	Level  Level  `json:"level"`
}

// MaxTotal bounds one scan, in bytes. What is beyond it is not looked at, and the
// caller must say so.
const MaxTotal = 20 << 20

// Builtin finds what the built-in kinds know in a file.
func Builtin(f File) []Finding {
	var out []Finding
	lines := Lines{Text: f.Text}
	for _, s := range redact.Spans(f.Text) {
		level, ok := Judge(f.Text, s)
		if !ok {
			continue
		}
		line, allowed := lines.At(s.Start)
		if allowed {
			continue
		}
		found, ok := Place(Finding{Path: f.Path, Line: max(f.First, 1) + line, Commit: f.Commit, Kind: string(s.Kind), Level: level})
		if ok {
			out = append(out, found)
		}
	}
	return out
}

// Lines tells of places in a text which line they are in. Asked from the front to
// the end it looks at each byte once.
type Lines struct {
	Text       string
	line       int // of start
	start, end int // of the line that was asked for last
	allowed    bool
}

// At returns the index of the line of a place, and whether that line carries the
// comment which lets its value stand.
func (l *Lines) At(offset int) (line int, allowed bool) {
	if offset < l.start {
		*l = Lines{Text: l.Text}
	}
	if offset < l.end || l.end > 0 && offset == l.end {
		return l.line, l.allowed
	}
	l.line += strings.Count(l.Text[l.start:offset], "\n")
	l.start = l.start + strings.LastIndexByte(l.Text[l.start:offset], '\n') + 1
	l.end = len(l.Text)
	if n := strings.IndexByte(l.Text[offset:], '\n'); n >= 0 {
		l.end = offset + n
	}
	l.allowed = Allowed(l.Text[l.start:l.end])
	return l.line, l.allowed
}

// Place weighs a finding by its file: in tests, samples and documentation a
// certain one may be made up, and a possible one nearly always is.
func Place(f Finding) (Finding, bool) {
	if Sample(f.Path) {
		if f.Level == Possible {
			return Finding{}, false
		}
		f.Level = Possible
	}
	return f, true
}

// Allowed tells a line that carries the comment which lets its value stand.
func Allowed(line string) bool {
	return strings.Contains(line, "agentguard:allow-secret") || strings.Contains(line, "gitleaks:allow")
}

// Sample tells a file that shows what values look like: tests, fixtures,
// templates, documentation.
func Sample(path string) bool {
	lower := strings.ToLower(path)
	parts := strings.Split(lower, "/")
	base := parts[len(parts)-1]
	for _, dir := range parts[:len(parts)-1] {
		switch dir {
		case "test", "tests", "testdata", "__tests__", "spec", "specs", "fixtures", "__fixtures__", "testing", "e2e", "mocks", "__mocks__", "examples", "example", "samples", "docs", "doc":
			return true
		}
	}
	for _, word := range [...]string{".example", ".sample", ".template", ".dist", ".tmpl", "_test.", ".test.", ".spec.", "test_", "_spec."} {
		if strings.Contains(base, word) {
			return true
		}
	}
	return strings.HasSuffix(base, ".md") || strings.HasSuffix(base, ".rst") || strings.HasSuffix(base, ".adoc")
}

// Merge joins findings of several readers: one for each line of a file, the surer
// one first.
func Merge(lists ...[]Finding) []Finding {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Finding) int {
		switch {
		case a.Level != b.Level:
			return strings.Compare(string(a.Level), string(b.Level)) // "certain" before "possible"
		case a.Path != b.Path:
			return strings.Compare(a.Path, b.Path)
		default:
			return a.Line - b.Line
		}
	})
	type place struct {
		path string
		line int
	}
	seen := map[place]bool{}
	var out []Finding
	for _, f := range all {
		at := place{f.Path, f.Line}
		if !seen[at] {
			seen[at] = true
			out = append(out, f)
		}
	}
	return out
}
