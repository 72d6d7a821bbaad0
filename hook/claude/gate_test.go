package claude_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"agentguard/hook"
	"agentguard/hook/claude"
	"agentguard/settings"
)

// call is a PreToolUse event of a tool with an input as it stands.
func call(tool, input string) string {
	return `{"session_id":"s","cwd":"/repo","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":` + tool + `,"tool_input":` + input + `,"tool_use_id":"t"}`
}

const ls = `{"command":"ls"}`

// TestGateCannotBeUnderstood: an event of a gate that the client would not have
// written is an error that names the gate.
func TestGateCannotBeUnderstood(t *testing.T) {
	good := call(`"Bash"`, ls)
	gate := func(name string) string { return strings.Replace(good, "PreToolUse", name, 1) }
	cases := map[string]string{
		"no tool":                    `{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}`,
		"no input":                   `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`,
		"neither":                    `{"hook_event_name":"PreToolUse"}`,
		"a tool without a name":      call(`""`, ls),
		"a number for a tool":        call(`7`, ls),
		"a list for a tool":          call(`["Bash"]`, ls),
		"null for a tool":            call(`null`, ls),
		"text for an input":          call(`"Bash"`, `"ls"`),
		"a list for an input":        call(`"Bash"`, `["ls"]`),
		"null for an input":          call(`"Bash"`, `null`),
		"no command":                 call(`"Bash"`, `{}`),
		"a list for a command":       call(`"Bash"`, `{"command":["ls"]}`),
		"a number for a command":     call(`"Bash"`, `{"command":5}`),
		"null for a command":         call(`"Bash"`, `{"command":null}`),
		"an object for a command":    call(`"PowerShell"`, `{"command":{"x":1}}`),
		"a command in other case":    call(`"Bash"`, `{"Command":"ls"}`),
		"a NUL in a command":         call(`"Bash"`, `{"command":"ls \u0000 rm"}`),
		"a NUL in a path":            call(`"Write"`, `{"file_path":"/a\u0000b","content":""}`),
		"a list for a monitor":       call(`"Monitor"`, `{"command":["ls"]}`),
		"a list for a path":          call(`"Write"`, `{"file_path":["/a"],"content":""}`),
		"no path":                    call(`"Edit"`, `{"old_string":"a","new_string":"b"}`),
		"a number for content":       call(`"Write"`, `{"file_path":"/a","content":5}`),
		"no path of a notebook":      call(`"NotebookEdit"`, `{"new_source":"x"}`),
		"two commands":               call(`"Bash"`, `{"command":"ls","command":"rm -rf ~"}`),
		"two commands, by case":      call(`"Bash"`, `{"command":"ls","COMMAND":"rm -rf ~"}`),
		"two commands, by an escape": call(`"Bash"`, `{"command":"ls","comm\u0061nd":"rm -rf ~"}`),
		"two paths of an unknown":    call(`"mcp__x__y"`, `{"path":"a","Path":"b"}`),
		"two inputs":                 strings.Replace(good, `"tool_use_id"`, `"tool_input":{},"tool_use_id"`, 1),
		"two tools":                  strings.Replace(good, `"tool_use_id"`, `"tool_name":"Read","tool_use_id"`, 1),
		"two of many":                strings.Replace(good, `"tool_use_id"`, many(60)+`"k7":1,"tool_use_id"`, 1),
		"two events, a gate last":    strings.Replace(good, `"session_id"`, `"hook_event_name":"Stop","session_id"`, 1),
		"two events, a gate first":   strings.Replace(good, `"tool_use_id"`, `"hook_event_name":"Stop","tool_use_id"`, 1),
		"a folder that is a number":  strings.Replace(good, `"/repo"`, `5`, 1),
		"bytes behind":               good + "x",
		"a brace behind":             good + "}",
		"a second object behind":     good + "\n" + good,
		"NUL behind":                 good + "\x00",
		"an empty object in front":   "{}" + good,
		"another event in front":     `{"hook_event_name":"Stop"}` + "\n" + good,
		"NUL inside":                 strings.Replace(good, "ls", "l\x00s", 1),
		"no UTF-8":                   strings.Replace(good, "ls", "ls \xff", 1),
		"UTF-16":                     wide(good, binary.LittleEndian, false),
		"UTF-16, big end first":      wide(good, binary.BigEndian, false),
		"UTF-16 with a mark":         wide(good, binary.LittleEndian, true),
		"half of it":                 good[:len(good)/2],
		"cut before the event":       good[:20],
		"deep":                       call(`"X"`, `{"a":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`),
		"deep, with another name":    call(`"X"`, `{"hook_event_name":"Stop","a":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`),
		"an event that is a number":  strings.Replace(good, `"PreToolUse"`, `5`, 1),
		"no event":                   `{"tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"lower case":                 gate("pretooluse"),
		"camel case":                 gate("preToolUse"),
		"snake case":                 gate("pre_tool_use"),
		"kebab case":                 gate("pre-tool-use"),
		"a space":                    gate("PreToolUse "),
		"a letter too few":           gate("PreToolUs"),
		"a letter too many":          gate("PreTooolUse"),
		"two letters changed":        gate("PreToilUsa"),
		"a letter that looks alike":  gate("PreToolUs\u0435"),
		"all letters wide":           gate("\uff30\uff52\uff45\uff34\uff4f\uff4f\uff4c\uff35\uff53\uff45"),
		"an invisible letter":        gate("Pre\u200bToolUse"),
		"by an escape":               gate(`Pr\u0435ToolUse`),
		"another client's":           gate("beforeShellExecution"),
		"a tool nearly named":        call(`"Bash "`, ls),
		"a tool that looks alike":    call("\"B\u0430sh\"", ls),
	}
	for name, in := range cases {
		t.Run(name, func(t *testing.T) {
			ev, err := claude.Client{}.Decode([]byte(in), noEnv)
			if err == nil || ev.Name != hook.PreToolUse {
				t.Errorf("%q, %v", ev.Name, err)
			}
		})
	}
	for near, want := range map[string]hook.EventName{
		"permissionRequest": hook.PermissionRequest, "permission_request": hook.PermissionRequest, "PreSkillShellComand": hook.PreSkillShellCommand,
	} {
		if ev, err := (claude.Client{}).Decode([]byte(gate(near)), noEnv); err == nil || ev.Name != want {
			t.Errorf("%s: %q, %v", near, ev.Name, err)
		}
	}
	if ev, err := (claude.Client{}).Decode([]byte(strings.Replace(good[:150], `"default"`, `"bypassPermissions"`, 1)), noEnv); err == nil || ev.PermissionMode != "bypassPermissions" {
		t.Errorf("the mode of half an event: %q, %v", ev.PermissionMode, err)
	}
}

// TestUnusualButUnderstood: what real clients send, and what is no gate's, decodes
// as ever.
func TestUnusualButUnderstood(t *testing.T) {
	good := call(`"Bash"`, ls)
	for name, in := range map[string]string{
		"white space around":         "\n " + good + " \r\n\t",
		"a byte order mark":          "\xef\xbb\xbf" + good,
		"a tool that nobody knows":   call(`"mcp__git__status"`, `{"command":["a","b"],"x":{"command":5}}`),
		"an empty input":             call(`"ListAgents"`, `{}`),
		"a reading tool":             call(`"Read"`, `{"file_path":"/a","limit":5}`),
		"an empty command":           call(`"Bash"`, `{"command":""}`),
		"an escaped NUL in a script": call(`"Bash"`, `{"command":"printf '\\u0000' | xxd"}`),
		"a NUL in content":           call(`"Write"`, `{"file_path":"/a","content":"a\u0000b"}`),
		"keys inside of values":      call(`"Bash"`, `{"command":"echo '{\"command\":1,\"command\":2}'","x":{"command":1}}`),
		"half a pair":                call(`"Bash"`, `{"command":"echo \ud800"}`),
		"many members":               strings.Replace(good, `"tool_use_id"`, many(60)+`"tool_use_id"`, 1),
		"a newer client":             strings.Replace(good, `"default"`, `{"mode":"default"}`, 1),
		"no folder":                  strings.Replace(good, `"cwd":"/repo",`, ``, 1),
		"another event":              `{"hook_event_name":"SomethingNew","tool_name":"X","tool_input":{}}`,
		"another event, after":       `{"hook_event_name":"ToolDone","tool_name":"Bash","tool_input":{},"tool_response":{}}`,
		"nearly no gate's":           `{"hook_event_name":"postToolUse","tool_name":"Bash","tool_input":{},"tool_response":{}}`,
		"another's, a member twice":  `{"hook_event_name":"Stop","a":1,"a":2}`,
		"another's, more behind":     `{"hook_event_name":"Stop"} x`,
		"another's, without a tool":  `{"hook_event_name":"PostToolUse"}`,
		"denied":                     strings.Replace(good, "PreToolUse", "PermissionDenied", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if ev, err := (claude.Client{}).Decode([]byte(in), noEnv); err != nil {
				t.Errorf("%q, %v", ev.Name, err)
			}
		})
	}
	ev, err := claude.Client{}.Decode([]byte(call(`"bash"`, ls)), noEnv)
	if err != nil || ev.Tool.Name != "Bash" {
		t.Errorf("a tool that another agent writes in lower case: %+v, %v", ev.Tool, err)
	}
	for _, in := range []string{"", "hello", "null", "{}", `{"hook_event_name":7}`, `{"hook_event_name":"Stop"`} {
		if ev, err := (claude.Client{}).Decode([]byte(in), noEnv); err == nil || ev.Name.FailsTo() != hook.Pass {
			t.Errorf("%q: %q, %v", in, ev.Name, err)
		}
	}
}

// TestNoEventIsNearAGate: no name of the client's is taken for a gate's because of
// its letters.
func TestNoEventIsNearAGate(t *testing.T) {
	for _, name := range settings.EventNames() {
		in := fmt.Sprintf(`{"hook_event_name":%q,"tool_name":"X","tool_input":{"command":"x"}}`, name)
		ev, err := claude.Client{}.Decode([]byte(in), noEnv)
		if err != nil || string(ev.Name) != name {
			t.Errorf("%s: %q, %v", name, ev.Name, err)
		}
	}
}

func noEnv(string) string { return "" }

// many returns n members with a comma behind each.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":0,`, i)
	}
	return b.String()
}

// wide encodes a text in UTF-16.
func wide(text string, order binary.AppendByteOrder, mark bool) string {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// TestUnreadableInTime: what it takes to say that an event cannot be read follows
// its size, whatever it is made of.
func TestUnreadableInTime(t *testing.T) {
	for name, piece := range map[string]string{
		"names": `"hook_event_name":"Nothing","x":{`, "quotes": `"`, "keys": `"a":1,`, "brackets": `[`, "escapes": `\"`, "NULs": "\x00",
	} {
		in := `{"hook_event_name":"PreToolUse","tool_name":"X","tool_input":{` + strings.Repeat(piece, 4<<20/len(piece))
		began := time.Now()
		if _, err := (claude.Client{}).Decode([]byte(in), noEnv); err == nil {
			t.Errorf("%s: no error", name)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
