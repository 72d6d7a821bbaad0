package door

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"agentguard/hook"
	"agentguard/settings"
)

// mutatedSeed makes the same events every time.
const mutatedSeed = 20261130

// TestMutatedEvents: whatever became of an event on its way, the answer is one
// object or nothing and comes in time, and no gate's event passes in silence that
// could not be read.
func TestMutatedEvents(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	rnd := rand.New(rand.NewPCG(mutatedSeed, 1))
	bases := baseEvents(t)
	env := envOf(t.TempDir(), t.TempDir())
	all := Checks()
	passed := 0
	for i := range n {
		base := bases[i%len(bases)]
		event, how := mutate(rnd, base)
		var out bytes.Buffer
		began := time.Now()
		Call{Env: env, Stdin: bytes.NewReader(event), Stdout: &out, Stderr: io.Discard, Checks: all}.Run(t.Context())
		if took := time.Since(began); took > 10*stdinWait {
			t.Errorf("%s took %v: %.300q", how, took, event)
		}
		judgeAnswer(t, base, event, how, out.String())
		if out.Len() == 0 && isGate(base) {
			passed++
		}
	}
	t.Logf("%d of %d events of gates passed", passed, n)
}

// freshVar tells the test that it runs in a process of its own.
const freshVar = "AGENTGUARD_TEST_FRESH"

// TestMutatedEventsOnTheProgram runs a sample of them as the client does, with
// some that are larger than what is read.
func TestMutatedEventsOnTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if os.Getenv(freshVar) == "" {
		// Linux counts what a parent held to its child's memory.
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), freshVar+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	program := filepath.Join(t.TempDir(), "agentguard-hook")
	if out, err := exec.Command("go", "build", "-o", program, "agentguard/cmd/agentguard-hook").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rnd := rand.New(rand.NewPCG(mutatedSeed, 2))
	bases := baseEvents(t)
	home, dir := t.TempDir(), t.TempDir()
	for i := range 400 {
		base := bases[i%len(bases)]
		event, how := mutate(rnd, base)
		if i%100 == 0 {
			event, how = inflate(rnd, base), "inflate"
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, program)
		var out, stderr bytes.Buffer
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(event), &out, &stderr
		began := time.Now()
		err := cmd.Run()
		cancel()
		if err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v, stderr %q: %.300q", how, err, stderr.String(), event)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %v: %.300q", how, took, event)
		}
		if kb := maxMemory(cmd.ProcessState); kb > 100<<10 {
			t.Errorf("%s took %d kB: %.300q", how, kb, event)
		}
		judgeAnswer(t, base, event, how, out.String())
		if t.Failed() {
			return
		}
	}
}

// baseEvents are the recorded events, and gates' events of what must be refused.
func baseEvents(t *testing.T) []map[string]any {
	t.Helper()
	names, err := filepath.Glob("../../../hook/claude/testdata/events/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var list []map[string]any
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var event map[string]any
		if err := json.Unmarshal(raw, &event); err != nil {
			t.Fatal(err)
		}
		list = append(list, event)
		// Gates come up as often as all others together.
		gate := map[string]any{
			"session_id": "s", "transcript_path": "/home/dev/t.jsonl", "cwd": "/home/dev/proj", "permission_mode": "default",
			"hook_event_name": []string{"PreToolUse", "PermissionRequest", "PreSkillShellCommand"}[len(list)%3], "tool_use_id": "toolu_1",
			"tool_name": "Bash", "tool_input": map[string]any{"command": "git push --force origin main", "description": "x"},
		}
		if len(list)%4 == 1 {
			gate["hook_event_name"], gate["tool_name"] = "PreToolUse", "Write"
			gate["tool_input"] = map[string]any{"file_path": "/home/dev/proj/.env", "content": "KEY=1\n"}
		}
		list = append(list, gate)
	}
	return list
}

func isGate(event map[string]any) bool {
	name, _ := event["hook_event_name"].(string)
	return hook.EventName(name).FailsTo() != hook.Pass
}

// mutate spoils one thing or more about an event and says how.
func mutate(rnd *rand.Rand, base map[string]any) (event []byte, how string) {
	names := slices.Sorted(maps.Keys(mutations))
	how = names[rnd.IntN(len(names))]
	event = mutations[how](rnd, maps.Clone(base))
	if rnd.IntN(4) == 0 { // and something else on top
		more := []string{"flip bytes", "cut", "delete bytes", "insert bytes"}[rnd.IntN(4)]
		event, how = spoil(rnd, event, more), how+", "+more
	}
	return event, how
}

// odd are values of types that nobody expects at their place.
var odd = []any{nil, true, 7, -1e300, "", "x", []any{}, []any{"ls"}, map[string]any{}, map[string]any{"command": "ls"}, []any{map[string]any{"a": 1}}}

var mutations = map[string]func(rnd *rand.Rand, e map[string]any) []byte{
	"none":         func(_ *rand.Rand, e map[string]any) []byte { return encode(e) },
	"flip bytes":   func(rnd *rand.Rand, e map[string]any) []byte { return spoil(rnd, encode(e), "flip bytes") },
	"cut":          func(rnd *rand.Rand, e map[string]any) []byte { return spoil(rnd, encode(e), "cut") },
	"delete bytes": func(rnd *rand.Rand, e map[string]any) []byte { return spoil(rnd, encode(e), "delete bytes") },
	"insert bytes": func(rnd *rand.Rand, e map[string]any) []byte { return spoil(rnd, encode(e), "insert bytes") },
	"remove a member": func(rnd *rand.Rand, e map[string]any) []byte {
		delete(e, pick(rnd, e))
		return encode(e)
	},
	"another type": func(rnd *rand.Rand, e map[string]any) []byte {
		e[pick(rnd, e)] = odd[rnd.IntN(len(odd))]
		return encode(e)
	},
	"another type of input": func(rnd *rand.Rand, e map[string]any) []byte {
		if in, ok := e["tool_input"].(map[string]any); ok && len(in) > 0 {
			in = maps.Clone(in)
			in[pick(rnd, in)] = odd[rnd.IntN(len(odd))]
			e["tool_input"] = in
		}
		return encode(e)
	},
	"rename a member": func(rnd *rand.Rand, e map[string]any) []byte {
		key := pick(rnd, e)
		e[string(spoil(rnd, []byte(key), "flip bytes"))] = e[key]
		delete(e, key)
		return encode(e)
	},
	"a name nearly right": func(rnd *rand.Rand, e map[string]any) []byte {
		name, _ := e["hook_event_name"].(string)
		letters := []rune(name)
		at := rnd.IntN(len(letters))
		e["hook_event_name"] = []string{
			strings.ToLower(name), strings.ToUpper(name), strings.ToLower(name[:1]) + name[1:], snake(name), name + " ", "\u200b" + name,
			string(letters[:at]) + string(letters[at+1:]), string(letters[:at]) + string(letters[at]) + string(letters[at:]),
			string(letters[:at]) + "\u0435" + string(letters[at+1:]),
		}[rnd.IntN(9)]
		return encode(e)
	},
	"a member twice": func(rnd *rand.Rand, e map[string]any) []byte {
		key := pick(rnd, e)
		text := encode(map[string]any{key: odd[rnd.IntN(len(odd))]})
		raw := encode(e)
		if rnd.IntN(2) == 0 {
			return slices.Concat(text[:len(text)-1], []byte(","), raw[1:])
		}
		return slices.Concat(raw[:len(raw)-1], []byte(","), text[1:])
	},
	"wide": func(rnd *rand.Rand, e map[string]any) []byte {
		var b []byte
		order := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}[rnd.IntN(2)]
		if rnd.IntN(2) == 0 {
			b = order.AppendUint16(b, 0xfeff)
		}
		for _, u := range utf16.Encode([]rune(string(encode(e)))) {
			b = order.AppendUint16(b, u)
		}
		return b
	},
	"more behind": func(rnd *rand.Rand, e map[string]any) []byte {
		raw := encode(e)
		return append(raw, [][]byte{raw, []byte("x"), {0}, []byte("}"), []byte("\n{}"), []byte("null")}[rnd.IntN(6)]...)
	},
	"in front": func(rnd *rand.Rand, e map[string]any) []byte {
		return slices.Concat([][]byte{[]byte("\xef\xbb\xbf"), []byte("  \n"), []byte("x"), {0}, []byte("["), []byte("{}")}[rnd.IntN(6)], encode(e))
	},
	"deep": func(rnd *rand.Rand, e map[string]any) []byte {
		n := 1 + rnd.IntN(3000)
		e["tool_input"] = json.RawMessage(`{"command":"ls","hook_event_name":"Stop","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`)
		return encode(e)
	},
}

// spoil changes a few bytes, ends early, or takes some away or puts some in.
func spoil(rnd *rand.Rand, b []byte, how string) []byte {
	b = slices.Clone(b)
	if len(b) == 0 {
		return b
	}
	at := rnd.IntN(len(b))
	end := min(len(b), at+1+rnd.IntN(8))
	switch how {
	case "cut":
		return b[:at]
	case "delete bytes":
		return slices.Delete(b, at, end)
	case "insert bytes":
		return slices.Insert(b, at, []byte(`{}[]",:\` + "\x00\xff")[rnd.IntN(9)])
	default:
		for range 1 + rnd.IntN(4) {
			b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(8)
		}
		return b
	}
}

// inflate makes one text of an event larger than what is read, with the name of
// the event behind it.
func inflate(rnd *rand.Rand, base map[string]any) []byte {
	rest := maps.Clone(base)
	name := encode(map[string]any{"hook_event_name": rest["hook_event_name"]})
	delete(rest, "hook_event_name")
	rest["filler"] = strings.Repeat("x", maxStdin+rnd.IntN(2<<20))
	raw := encode(rest)
	return slices.Concat(raw[:len(raw)-1], []byte(","), name[1:])
}

func pick(rnd *rand.Rand, of map[string]any) string {
	return slices.Sorted(maps.Keys(of))[rnd.IntN(len(of))]
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// judgeAnswer holds the answer to what must be true of every one.
func judgeAnswer(t *testing.T, base map[string]any, event []byte, how, answer string) {
	t.Helper()
	var object map[string]any
	if answer != "" && json.Unmarshal([]byte(answer), &object) != nil {
		t.Errorf("%s: no object: %q on %.300q", how, answer, event)
	}
	if why := unreadable(event); isGate(base) && answer == "" && why != "" {
		t.Errorf("%s: a gate's event passed that cannot be read (%s): %.600q", how, why, event)
	}
	if !isGate(base) && strings.Contains(answer, `"decision":"block"`) && how != "none" && unreadable(event) != "" {
		t.Errorf("%s: refused what cannot be read: %q on %.300q", how, answer, event)
	}
}

// unreadable says why an event cannot be judged as a call: it is not what the
// client's contract says, word for word. Input that is no event at all, or the
// event of something that is no gate, is not meant.
func unreadable(event []byte) string {
	event = bytes.TrimPrefix(event, []byte("\xef\xbb\xbf"))
	if text := bytes.TrimSpace(bytes.ReplaceAll(event, []byte{0}, nil)); len(text) == 0 {
		return ""
	}
	var e map[string]json.RawMessage
	if err := json.Unmarshal(event, &e); err != nil {
		// A known event of another kind may be told even so, and then passes.
		for _, name := range settings.EventNames() {
			if hook.EventName(name).FailsTo() == hook.Pass && bytes.Contains(event, []byte(`"hook_event_name":"`+name+`"`)) {
				return ""
			}
		}
		if !bytes.Contains(event, []byte("tool_")) && !bytes.HasPrefix(bytes.TrimSpace(event), []byte("{")) {
			return "" // nothing says that it was an event
		}
		return "no JSON"
	}
	var name, tool, command string
	var input map[string]json.RawMessage
	named := json.Unmarshal(e["hook_event_name"], &name) == nil
	if !named && e["tool_name"] == nil && e["tool_input"] == nil {
		return "" // it says nothing of a call
	}
	if settings.KnownEvent(name) && hook.EventName(name).FailsTo() == hook.Pass {
		return ""
	}
	switch {
	case !settings.KnownEvent(name):
		return "no event"
	case json.Unmarshal(e["tool_name"], &tool) != nil || tool == "":
		return "no tool"
	case json.Unmarshal(e["tool_input"], &input) != nil || input == nil:
		return "no input"
	case tool == "Bash" && (json.Unmarshal(input["command"], &command) != nil || input["command"][0] != '"'):
		return "no command"
	}
	return ""
}
