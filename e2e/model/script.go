// Package model is a scripted stand-in for the model's service: it plays a conversation to a real coding client over
// loopback and keeps every request, so that a test can read what really reached the model.
//
// It speaks the part of the Messages API that the client uses: streamed and plain answers, token counts, the list of
// models. Nothing here is a model: what is said was written in the test.
package model

import (
	"regexp"
	"slices"
	"time"
)

// Script is what the server plays. A request goes to the first lane that takes it; what no lane takes (titles,
// summaries and other side calls of the client) is answered with Fallback.
type Script struct {
	Lanes    []Lane
	Fallback string // "OK." when empty
}

// Lane is one conversation. When its turns are used up it answers with the script's fallback.
type Lane struct {
	Name  string
	When  Match
	Turns []Turn
	Loop  bool // start again with the first turn instead of falling back
}

// Match says which requests a lane takes. Every field that is set must match; the zero value takes each request that
// offers tools, which is the client's main conversation and its subagents.
type Match struct {
	Model     string // regular expressions, each searched in the text of that part
	System    string
	FirstUser string
	LastUser  string
	Any       string
	Offers    string // exact name of a tool that the request must offer
	Lacks     string // exact name of a tool that it must not offer
	NoTools   bool   // the request offers no tool at all
}

// Turn is one answer of the model.
type Turn struct {
	Blocks []Block
	Delay  time.Duration // waits before it answers, cut short when the server closes
	Before func()        // runs before the answer, for what happens outside the client meanwhile
	// Answer makes the blocks from the request that the turn answers, for what only the client knows: a path, an id.
	// It may wait.
	Answer     func(Request) []Block
	Status     int    // with Error: the HTTP status, 400 when zero
	Error      string // an API error of this type instead of an answer
	StopReason string // when empty it follows from the blocks
}

// Block is one content block: a text, or a tool call when Tool is set.
type Block struct {
	Text  string
	Tool  string
	ID    string // of the tool call; made up when empty
	Input map[string]any
}

// Say is a turn that ends with these texts, one block each.
func Say(texts ...string) Turn {
	var t Turn
	for _, s := range texts {
		t.Blocks = append(t.Blocks, Block{Text: s})
	}
	return t
}

// Use is a turn that calls one tool.
func Use(tool string, input map[string]any) Turn {
	return Turn{Blocks: []Block{{Tool: tool, Input: input}}}
}

// Bash is a turn that runs one shell command.
func Bash(command string) Turn { return Use("Bash", map[string]any{"command": command}) }

// Write is a turn that writes a file.
func Write(path, content string) Turn {
	return Use("Write", map[string]any{"file_path": path, "content": content})
}

// Structured is a turn that answers a call with an output schema.
func Structured(fields map[string]any) Turn { return Use(StructuredTool, fields) }

// StructuredTool is the tool that the client offers when its caller asked for an answer of a given shape.
const StructuredTool = "StructuredOutput"

// After returns the turn delayed by d.
func (t Turn) After(d time.Duration) Turn { t.Delay = d; return t }

// Saying returns the turn with a text in front.
func (t Turn) Saying(text string) Turn {
	t.Blocks = append([]Block{{Text: text}}, t.Blocks...)
	return t
}

func (m Match) takes(r *Request) bool {
	if m == (Match{}) {
		return len(r.Tools) > 0
	}
	if m.NoTools && len(r.Tools) > 0 {
		return false
	}
	if m.Offers != "" && !slices.Contains(r.Tools, m.Offers) || m.Lacks != "" && slices.Contains(r.Tools, m.Lacks) {
		return false
	}
	for _, p := range []struct{ pattern, text string }{
		{m.Model, r.Model}, {m.System, r.System}, {m.FirstUser, r.FirstUser}, {m.LastUser, r.LastUser}, {m.Any, r.text()},
	} {
		if p.pattern != "" && !regexp.MustCompile(p.pattern).MatchString(p.text) {
			return false
		}
	}
	return true
}

// check finds a pattern that does not compile before the client's first request does.
func (s Script) check() error {
	for _, l := range s.Lanes {
		for _, p := range []string{l.When.Model, l.When.System, l.When.FirstUser, l.When.LastUser, l.When.Any} {
			if _, err := regexp.Compile(p); err != nil {
				return err
			}
		}
	}
	return nil
}
