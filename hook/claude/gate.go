package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"agentguard/hook"
)

// isGate tells the events whose answer lets an action go ahead or not.
func isGate(name hook.EventName) bool { return name.FailsTo() != hook.Pass }

// understood tells why a gate's event cannot be judged; nil where it can. What the
// client really sends is strict: one object in UTF-8, no member twice, a tool's
// name, an object as its input, and text where the known tools take text. What is
// not so was not written by the client, or means something else to it than to us,
// and must not pass for a call that was looked at. one is the event's object.
func (m members) understood(one []byte, ev *hook.Event) error {
	if !utf8.Valid(one) {
		return errors.New("the input is not UTF-8")
	}
	if err := eachOnce(one); err != nil {
		return err
	}
	switch {
	case ev.Tool == nil:
		return errors.New("tool_name is missing or no text")
	case kindOf(ev.Tool.Input) != '{':
		return errors.New("tool_input is missing or no object")
	}
	if cwd, ok := m["cwd"]; ok && kindOf(cwd) != '"' {
		return errors.New("cwd is no text")
	}
	if err := eachOnce(ev.Tool.Input); err != nil {
		return fmt.Errorf("tool_input: %w", err)
	}
	name, err := knownTool(ev.Tool.Name)
	if err != nil {
		return err
	}
	ev.Tool.Name = name
	return inputFits(ev)
}

// kindOf is the first byte of a JSON value, which tells its type; 0 where there is
// none.
func kindOf(value json.RawMessage) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

// tools are those whose input decides about a refusal, with the member that must
// be there and those that are text where they are there.
var tools = [...]struct {
	name, needs string
	texts       []string
}{
	{"Bash", "command", nil},
	{"PowerShell", "command", nil},
	{"Shell", "", []string{"command"}},
	{"Monitor", "", []string{"command"}},
	{"Write", "file_path", []string{"content"}},
	{"Edit", "file_path", []string{"old_string", "new_string"}},
	{"MultiEdit", "file_path", nil},
	{"NotebookEdit", "notebook_path", []string{"new_source"}},
}

// knownTool returns the client's spelling of a tool that another agent writes in
// other case. A name that only looks like one of them is an error; every other
// name is that of a tool that we do not know.
func knownTool(name string) (string, error) {
	for i := range tools {
		if name == tools[i].name {
			return name, nil
		}
	}
	for i := range tools {
		known := tools[i].name
		if strings.EqualFold(name, known) && known != "Shell" && known != "Monitor" {
			return known, nil
		}
		if !strings.EqualFold(name, known) && distance(name, known) == 0 {
			return name, fmt.Errorf("the tool's name is nearly %s", known)
		}
	}
	return name, nil
}

// inputFits tells whether the members of a known tool's input are what we read.
func inputFits(ev *hook.Event) error {
	needs, texts := "", []string(nil)
	for i := range tools {
		if tools[i].name == ev.Tool.Name {
			needs, texts = tools[i].needs, tools[i].texts
		}
	}
	if ev.Name == hook.PreSkillShellCommand {
		needs = "command"
	}
	var bad string
	found := needs == ""
	eachMember(ev.Tool.Input, func(key []byte, kind byte) bool {
		wanted := string(key) == needs
		found = found || wanted
		for _, t := range texts {
			wanted = wanted || string(key) == t
		}
		if wanted && kind != '"' {
			bad = string(key)
		}
		return bad == ""
	})
	switch {
	case bad != "":
		return fmt.Errorf("%s of tool_input is no text", bad)
	case !found:
		return fmt.Errorf("%s of tool_input is missing", needs)
	}
	// No program and no file can be given a NUL in its name.
	for _, name := range []string{"command", "file_path", "notebook_path"} {
		if (name == needs || name == "command" && len(texts) > 0) && bytes.Contains(ev.Tool.Input, []byte(`\u0000`)) &&
			strings.ContainsRune(gjson.GetBytes(ev.Tool.Input, name).Str, 0) {
			return fmt.Errorf("%s of tool_input has a NUL in it", name)
		}
	}
	return nil
}

// eachMember gives the key and the first byte of the value of each member of a
// valid JSON object, until each returns false. A key with an escape is decoded.
func eachMember(object []byte, each func(key []byte, kind byte) bool) {
	depth := 0
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			start := i
			for i++; i < len(object) && object[i] != '"'; i++ {
				if object[i] == '\\' {
					i++
				}
			}
			if depth != 1 || i >= len(object) {
				continue
			}
			at := skipSpace(object, i+1)
			if at >= len(object) || object[at] != ':' {
				continue
			}
			at = skipSpace(object, at+1)
			key := object[start+1 : i]
			if bytes.IndexByte(key, '\\') >= 0 {
				var plain string
				if json.Unmarshal(object[start:i+1], &plain) == nil {
					key = []byte(plain)
				}
			}
			if at < len(object) && !each(key, object[at]) {
				return
			}
			i = at - 1
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// maxMembers bounds the members of an object that are compared.
const maxMembers = 4096

// eachOnce tells an object that has a member twice, in any case: which of the two
// counts is not the same for every reader.
func eachOnce(object []byte) (err error) {
	var few [24][]byte
	seen := few[:0]
	var many map[string]bool
	eachMember(object, func(k []byte, _ byte) bool {
		again := false
		switch {
		case len(many) == maxMembers:
			err = fmt.Errorf("more than %d members", maxMembers)
		case many != nil || len(seen) == len(few):
			if many == nil {
				many = make(map[string]bool, 4*len(few))
				for _, s := range seen {
					many[strings.ToLower(string(s))] = true
				}
			}
			low := strings.ToLower(string(k))
			again = many[low]
			many[low] = true
		default:
			for _, s := range seen {
				again = again || bytes.EqualFold(s, k)
			}
			seen = append(seen, k)
		}
		if again {
			err = errors.New("a member is there twice") // its name may be anything
		}
		return err == nil
	})
	return err
}
