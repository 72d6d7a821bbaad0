package claude

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"

	"agentguard/hook"
	"agentguard/settings"
)

// EventName finds the event that input which cannot be decoded was about, so that
// the failure can go in the event's own direction. Where several are named, or
// none, it errs towards a gate. It returns "" for text that is no part of an event.
func EventName(stdin []byte) hook.EventName {
	text := stdin
	if bytes.IndexByte(text, 0) >= 0 {
		text = bytes.ReplaceAll(text, []byte{0}, nil) // UTF-16, most often
	}
	var own hook.EventName // the event's, and not a name that some call is about
	var place nesting
	seen := 0
	for at := range nameKeys(text) {
		name, ok := nameAt(text[at:])
		if !ok {
			continue
		}
		gate, ok := nearGate(name)
		switch seen++; {
		case ok:
			return gate
		case seen == maxNames:
			return hook.PreToolUse
		case own == "" && place.depthAt(text, at) <= 1:
			own = hook.EventName(name)
		}
	}
	switch {
	case settings.KnownEvent(string(own)):
		return own
	case bytes.Contains(text, []byte(`tool_input`)), bytes.Contains(text, []byte(`tool_name`)), beginsObject(text):
		return hook.PreToolUse
	}
	return own
}

const nameKey = `"hook_event_name"`

// nameKeys are the places behind each key of an event's name.
func nameKeys(text []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(nameKey))
			if i < 0 {
				return
			}
			at += i + len(nameKey)
			if !yield(at) {
				return
			}
		}
	}
}

// nameAt is the text that follows a key.
func nameAt(b []byte) (name string, ok bool) {
	value := bytes.TrimLeft(b, " \t\r\n:")
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	end := bytes.IndexByte(value[1:], '"')
	if end < 0 || end > maxName {
		return "", false
	}
	if json.Unmarshal(value[:end+2], &name) != nil {
		name = string(value[1 : end+1])
	}
	return name, true
}

// nesting follows how deep a text is nested, from one place to a later one.
type nesting struct {
	at, depth         int
	inString, escaped bool
}

// depthAt is the depth at a place; each byte is looked at once.
func (n *nesting) depthAt(text []byte, end int) int {
	for ; n.at < end; n.at++ {
		switch ch := text[n.at]; {
		case n.escaped:
			n.escaped = false
		case n.inString && ch == '\\':
			n.escaped = true
		case ch == '"':
			n.inString = !n.inString
		case n.inString:
		case ch == '{' || ch == '[':
			n.depth++
		case ch == '}' || ch == ']':
			n.depth--
		}
	}
	return n.depth
}

// beginsObject tells the beginning of a JSON object, whatever became of its end.
func beginsObject(b []byte) bool {
	for _, mark := range [...]string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		b = bytes.TrimPrefix(b, []byte(mark))
	}
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == '{'
}

// Bounds of the names that are compared: their length in bytes, and how many of
// one input.
const (
	maxName  = 128
	maxNames = 64
)

// maxTypos is how many letters a name may be away from a gate's and still be meant
// for it. No other event of the client is as near to a gate's name.
const maxTypos = 2

// nearGate returns the gate that an event's name says or nearly says: in other
// case or spelling, with a letter too many, or with one that only looks alike.
func nearGate(name string) (hook.EventName, bool) {
	if settings.KnownEvent(name) {
		return hook.EventName(name), isGate(hook.EventName(name))
	}
	if len(name) > maxName {
		return "", false
	}
	best, away := hook.EventName(""), maxTypos+1
	for _, known := range settings.EventNames() {
		d := distance(name, known)
		if d < away || d == away && isGate(hook.EventName(known)) {
			best, away = hook.EventName(known), d
		}
	}
	return best, away <= maxTypos && isGate(best)
}

// distance counts the letters that must be changed, added or taken away to get
// from a name to a known one, case and all but letters and digits set apart. A
// letter beyond ASCII stands for any: there is one that looks like it.
func distance(name, known string) int {
	a, b := letters(name), letters(known)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y && x < utf8.RuneSelf {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

func letters(name string) []rune {
	var out []rune
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= utf8.RuneSelf {
			out = append(out, r)
		}
	}
	return out
}
