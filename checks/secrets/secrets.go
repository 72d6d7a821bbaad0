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

// Bounds of one scan, in bytes.
const (
	MaxFile  = 1 << 20
	MaxTotal = 20 << 20
)

// Builtin finds what the built-in kinds know in a file.
func Builtin(f File) []Finding {
	var out []Finding
	for _, s := range redact.Spans(f.Text) {
		level, ok := Judge(f.Text, s)
		if !ok {
			continue
		}
		if found, ok := f.finding(s.Start, string(s.Kind), level); ok {
			out = append(out, found)
		}
	}
	return out
}

// finding places a value that begins at offset, unless its line or file says that
// it may stand there.
func (f File) finding(offset int, kind string, level Level) (Finding, bool) {
	start := strings.LastIndexByte(f.Text[:offset], '\n') + 1
	end := len(f.Text)
	if n := strings.IndexByte(f.Text[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	if Allowed(f.Text[start:end]) {
		return Finding{}, false
	}
	line := max(f.First, 1) + strings.Count(f.Text[:offset], "\n")
	return Place(Finding{Path: f.Path, Line: line, Commit: f.Commit, Kind: kind, Level: level})
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
