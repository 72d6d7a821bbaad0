// Package hooktest is the conformance suite that every client's hook contract
// must pass.
package hooktest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/hook"
)

// Suite says what to run the conformance tests on.
type Suite struct {
	Client  hook.Client
	Samples string // folder of recorded stdin, one JSON file an event
	// HasAsk tells that the client can put a question to a person; otherwise an
	// ask must come out as a refusal.
	HasAsk bool
}

// Run checks that each recorded event decodes, each decision encodes to one JSON
// object or nothing, and nothing unknown is fatal.
func Run(t *testing.T, s Suite) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Samples, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples in %s: %v", s.Samples, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			ev := decodes(t, s.Client, raw)
			toleratesMore(t, s.Client, raw, ev)
			encodes(t, s, ev)
		})
	}
	t.Run("an unknown event passes", func(t *testing.T) {
		ev, err := s.Client.Decode([]byte(`{"hook_event_name":"SomethingNew","x":{"y":[1]}}`), noEnv)
		if err != nil || ev.Name != "SomethingNew" {
			t.Fatalf("Decode = %q, %v", ev.Name, err)
		}
		if got := ev.Name.FailsTo(); got != hook.Pass {
			t.Errorf("it fails to %v", got)
		}
	})
	t.Run("garbage is an error", func(t *testing.T) {
		for _, in := range []string{"", "null", "[]", `"x"`, "{", "{}", "\x00\xff", strings.Repeat("[", 100_000), `{"hook_event_name":7}`} {
			if _, err := s.Client.Decode([]byte(in), noEnv); err == nil {
				t.Errorf("Decode(%.20q) gave no error", in)
			}
		}
	})
}

func noEnv(string) string { return "" }

func decodes(t *testing.T, c hook.Client, raw []byte) hook.Event {
	t.Helper()
	ev, err := c.Decode(raw, noEnv)
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	if ev.Client != c.Name() || ev.Name == "" || ev.SessionID == "" || ev.CWD == "" {
		t.Errorf("incomplete event: client %q, name %q, session %q, cwd %q", ev.Client, ev.Name, ev.SessionID, ev.CWD)
	}
	if _, named := ev.Fields["tool_name"]; named && (ev.Tool == nil || ev.Tool.Name == "") {
		t.Error("the tool call is missing")
	}
	return ev
}

// toleratesMore adds an unknown field and changes one to an unexpected type: the
// event must still decode to the same name.
func toleratesMore(t *testing.T, c hook.Client, raw []byte, want hook.Event) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	fields["a_new_field"] = map[string]any{"deep": []int{1}}
	fields["permission_mode"] = 7
	changed, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := c.Decode(changed, noEnv)
	if err != nil || ev.Name != want.Name || ev.SessionID != want.SessionID {
		t.Errorf("with an unknown field and a changed type: %q, %q, %v", ev.Name, ev.SessionID, err)
	}
}

// outcomes are the answers that every encoder must be able to take.
func outcomes() []hook.Outcome {
	return []hook.Outcome{
		{},
		{Decision: hook.Allow},
		{Decision: hook.Ask, Check: "a-check", Reason: "look at <this> & that"},
		{Decision: hook.Deny, Check: "a-check", Reason: "no\nnever"},
		{Decision: hook.Deny, Check: "a-check", Reason: strings.Repeat("é", 100_000)},
		{Decision: hook.Deny},
		{Decision: hook.Deny, Check: "a-check", Reason: "stop", Halt: "the brake"},
		{Context: []string{"one", "two"}},
		{Notices: []string{"for the person"}},
		{Rewrite: json.RawMessage(`{"command":"ls"}`)},
		{Decision: hook.Deny, Check: "a-check", Reason: "no", Context: []string{"c"}, Notices: []string{"n"}, Rewrite: json.RawMessage(`{}`)},
	}
}

func encodes(t *testing.T, s Suite, ev hook.Event) {
	t.Helper()
	for _, out := range outcomes() {
		got := s.Client.Encode(ev, out)
		if len(bytes.TrimSpace(got)) == 0 {
			if out.Decision == hook.Deny && ev.Name.CanRefuse() {
				t.Errorf("a refusal of %s says nothing", ev.Name)
			}
			if out.Decision == hook.Ask && ev.Name == hook.PreToolUse {
				t.Error("a question at PreToolUse says nothing")
			}
			continue
		}
		if ev.Name == hook.WorktreeCreate {
			continue // the one answer that is plain text
		}
		dec := json.NewDecoder(bytes.NewReader(got))
		var object map[string]any
		if err := dec.Decode(&object); err != nil || object == nil {
			t.Fatalf("%s, %v: not one JSON object: %q", ev.Name, out.Decision, got)
		}
		if dec.More() {
			t.Fatalf("%s, %v: more than one value: %q", ev.Name, out.Decision, got)
		}
		if !ev.Name.CanRefuse() && bytes.Contains(got, []byte(`"block"`)) {
			t.Errorf("%s cannot refuse, yet: %s", ev.Name, got)
		}
		if len(got) > 24<<10 {
			t.Errorf("%d bytes of answer", len(got))
		}
		if out.Decision == hook.Ask && !s.HasAsk && bytes.Contains(got, []byte(`"ask"`)) {
			t.Errorf("the client has no ask: %s", got)
		}
	}
}
