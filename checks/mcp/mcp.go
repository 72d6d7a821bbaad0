// Package mcp reads calls of MCP servers' tools: what each would do, told as the
// shell command or the file edit that does the same, so that the rules about
// those hold for it too.
//
// Servers are known by their tools' names and fields, not by the name that a
// person gave them in the settings. What no table knows is read by the shape of
// its input. Nothing here judges, and nothing is run.
package mcp

import (
	"encoding/json"
	"slices"
	"strings"
)

// Call is what one call of a tool would do.
type Call struct {
	Server, Tool string // of mcp__<server>__<tool>
	// Script is shell text that does the same; empty where there is none.
	Script string
	// Files are written on this machine.
	Files []File
	// Sent are files that the call writes into a repository somewhere else.
	Sent []File
	// Act says in one sentence without a subject what a tool does that no table
	// knows ("deletes something …"); empty for nothing worth a question.
	Act string
}

// File is one file that a call writes.
type File struct {
	Path    string
	Text    string
	Whole   bool // Text is all of it; else it is added or what is in Changes
	Changes []Change
}

// Change is one replacement of text in a file.
type Change struct {
	Old, New string
	All      bool
}

// Is tells the name of an MCP tool.
func Is(tool string) bool { return strings.HasPrefix(tool, "mcp__") }

// Read reads a call. An input that is no object gives an empty Call.
func Read(tool string, input json.RawMessage) Call {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if !ok {
		return Call{}
	}
	server, name, ok := strings.Cut(rest, "__")
	if !ok {
		server, name = "", rest
	}
	c := Call{Server: server, Tool: name}
	f := fieldsOf(input)
	words := nameWords(name)
	if talks(server, words) {
		return c
	}
	t := toolCall{server: strings.ToLower(server), name: strings.ToLower(name), words: words, in: f}
	switch {
	case t.commands(&c), t.forge(&c), t.git(&c), t.data(&c), t.cluster(&c), t.files(&c):
	default:
		c.Act = t.act()
	}
	return c
}

// toolCall is a call as the tables look at it.
type toolCall struct {
	server, name string   // lower case
	words        []string // of the tool's name, lower case
	in           fields
}

// talks tells servers whose inputs are words for people, models and browsers: a
// path or a verb in them is text.
func talks(server string, words []string) bool {
	for _, s := range nameWords(server) {
		switch s {
		case "playwright", "puppeteer", "browser", "browsermcp", "chrome", "devtools", "selenium", "memory", "thinking", "sequentialthinking", "context7", "fetch", "search", "figma", "time", "weather", "ide":
			return true
		}
	}
	return len(words) > 0 && words[0] == "browser"
}

// says tells that one of the words stands in the tool's name.
func (t toolCall) says(list ...string) bool {
	for _, w := range t.words {
		if slices.Contains(list, w) {
			return true
		}
	}
	return false
}

// at tells that the server or the tool is named after one of the programs.
func (t toolCall) at(list ...string) bool {
	for _, w := range append(nameWords(t.server), t.words...) {
		if slices.Contains(list, w) {
			return true
		}
	}
	return false
}

// nameWords splits create_or_updateFile into create, or, update, file.
func nameWords(name string) []string {
	var out []string
	from := 0
	add := func(to int) {
		if w := strings.ToLower(strings.Trim(name[from:to], "_-. ")); w != "" {
			out = append(out, w)
		}
		from = to
	}
	for i := 1; i < len(name); i++ {
		c, before := name[i], name[i-1]
		if c == '_' || c == '-' || c == '.' || c >= 'A' && c <= 'Z' && (before < 'A' || before > 'Z') {
			add(i)
		}
	}
	add(len(name))
	return out
}
