package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings"
)

func TestFaults(t *testing.T) {
	const (
		old     = "2.1.197"
		current = "2.1.332"
	)
	ok := `{"hooks":[{"type":"command","command":"true"}]}`
	tests := []struct {
		name, src, version string
		effect             settings.Effect // 0: no fault
		line, col          int
		message            string
	}{
		{name: "healthy", src: `{"model":"opus","hooks":{"Stop":[` + ok + `],"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"http","url":"http://127.0.0.1","timeout":0.5,"onFailure":"block"}]}]}}`},
		{name: "unknown keys are fine", src: `{"own":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","agentguard":1}]}]}}`},
		{name: "not an object", src: `[]`, effect: settings.DropsFile, line: 1, col: 1, message: "a list"},
		{name: "model", src: "{\n \"model\": 3}", effect: settings.DropsFile, line: 2, col: 11, message: "model is a number"},
		{name: "permissions.allow", src: `{"permissions":{"allow":"Bash"}}`, effect: settings.DropsFile, line: 1, col: 25, message: "permissions.allow"},
		{name: "hooks is a list, new client", src: `{"hooks":[]}`, version: current, effect: settings.DropsEvent, line: 1, col: 10, message: "must be an object"},
		{name: "model null", src: `{"model":null}`, effect: settings.DropsFile, line: 1, col: 10, message: "model is null"},
		{name: "status line text", src: `{"statusLine":"x"}`, version: current, effect: settings.DropsFile, line: 1, col: 15, message: "statusLine"},
		{name: "numbers in env are fine", src: `{"env":{"A":1},"permissions":{"allow":[1],"deny":["Bash("]}}`},
		{name: "event null", src: `{"hooks":{"PreToolUse":null}}`},
		{name: "gate is an object", src: `{"hooks":{"PreToolUse":{}}}`, version: current, effect: settings.DropsFile, line: 1, col: 24, message: "list of groups"},
		{name: "matcher null", src: `{"hooks":{"PreToolUse":[{"matcher":null,"hooks":[]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 36, message: "matcher is null"},
		{name: "args text", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","args":"y"}]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 74, message: "args is a string"},
		{name: "args number", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","args":["a",1]}]}]}}`, version: current, effect: settings.DropsEntry, line: 1, col: 73, message: "args holds a number"},
		{name: "async text", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","async":"yes"}]}]}}`, version: current, effect: settings.DropsEntry, line: 1, col: 69, message: "async is a string"},
		{name: "shell word", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","shell":"zsh"}]}]}}`, version: current, effect: settings.DropsEntry, line: 1, col: 69, message: "powershell"},
		{name: "if number", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","if":3}]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 72, message: "if is a number"},
		{name: "timeout null", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","timeout":null}]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 77, message: "timeout is null"},
		{name: "headers number", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"http://h","headers":{"A":1}}]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 82, message: "headers holds"},
		{name: "url words", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"not a url"}]}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 56, message: "no URL"},
		{name: "empty words are fine", src: `{"hooks":{"PreToolUse":[{"own":1,"hooks":[{"type":"command","command":"","if":"","timeout":1e9,"agentguard":null}]}]}}`},
		{name: "hooks is a list", src: `{"hooks":[]}`, effect: settings.DropsFile, line: 1, col: 10, message: "must be an object"},
		{name: "hooks is null", src: `{"hooks":null}`, effect: settings.KeepsEntry, line: 1, col: 10, message: "null"},
		{name: "hooks twice", src: `{"hooks":{},"hooks":{}}`, effect: settings.DropsEvent, line: 1, col: 2, message: "last one counts"},
		{name: "event outside hooks", src: `{"Stop":[` + ok + `]}`, effect: settings.DropsEvent, line: 1, col: 2, message: "outside"},
		{name: "event twice", src: `{"hooks":{"Stop":[` + ok + `],"Stop":[]}}`, effect: settings.DropsEvent, line: 1, col: 11, message: "last one counts"},
		{name: "event misspelled", src: `{"hooks":{"PreTooluse":[]}}`, effect: settings.DropsEvent, line: 1, col: 11, message: "PreToolUse?"},
		{name: "event with on", src: `{"hooks":{"onStop":[]}}`, effect: settings.DropsEvent, line: 1, col: 11, message: "Stop?"},
		{name: "event is an object", src: `{"hooks":{"Stop":{}}}`, effect: settings.DropsEvent, line: 1, col: 18, message: "list of groups"},
		{name: "flat handler, new client", src: `{"hooks":{"Stop":[{"type":"command","command":"x"}]}}`, version: current, effect: settings.DropsEntry, line: 1, col: 19, message: "group"},
		{name: "flat handler, old client", src: `{"hooks":{"Stop":[{"type":"command","command":"x"}]}}`, version: old, effect: settings.DropsFile, line: 1, col: 19, message: "group"},
		{name: "flat handler at a gate", src: `{"hooks":{"PreToolUse":[{"type":"command","command":"x"}]}}`, version: current, effect: settings.DropsFile, line: 1, col: 25, message: "group"},
		{name: "matcher list", src: `{"hooks":{"PreToolUse":[{"matcher":["Bash"],"hooks":[]}]}}`, effect: settings.DropsFile, line: 1, col: 36, message: "matcher is a list"},
		{name: "timeout text", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}`, effect: settings.DropsFile, line: 1, col: 71, message: "timeout is a string"},
		{name: "timeout zero", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":0}]}]}}`, version: current, effect: settings.DropsEntry, line: 1, col: 71, message: "more than 0"},
		{name: "no command", src: `{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}`, effect: settings.DropsFile, line: 1, col: 29, message: `no "command"`},
		{name: "wrong type", src: `{"hooks":{"Stop":[{"hooks":[{"type":"shell","command":"x"}]}]}}`, effect: settings.DropsFile, line: 1, col: 37, message: `"shell"`},
		{name: "onFailure word", src: `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","onFailure":"deny"}]}]}}`, effect: settings.DropsFile, line: 1, col: 79, message: "onFailure"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := parse(t, test.src)
			faults := doc.Faults(settings.ParseVersion(test.version))
			if test.effect == 0 {
				if len(faults) > 0 {
					t.Fatalf("faults in a healthy file: %+v", faults)
				}
				return
			}
			if len(faults) != 1 {
				t.Fatalf("got %d faults: %+v", len(faults), faults)
			}
			f := faults[0]
			if f.Effect != test.effect || f.Line != test.line || f.Col != test.col || !strings.Contains(f.Message, test.message) {
				t.Errorf("got %+v", f)
			}
			_, void := doc.Void(settings.ParseVersion(test.version))
			if void != (test.effect == settings.DropsFile) {
				t.Errorf("Void = %v", void)
			}
		})
	}
}

func TestVoidNamesACommentFirst(t *testing.T) {
	doc := parse(t, "{\n  // mine\n  \"hooks\": {}\n}")
	f, void := doc.Void(settings.Version{})
	if !void || f.Line != 2 || f.Col != 3 {
		t.Errorf("got %+v, %v", f, void)
	}
}

func TestHandlers(t *testing.T) {
	doc := parse(t, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"old"}]}]},
"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a","args":[],"timeout":7.5,"async":true},3]},"x"],"Stop":7}}`)
	got := doc.Handlers()
	for i := range got {
		got[i].Node, got[i].Group, got[i].List = settings.Node{}, settings.Node{}, settings.Node{}
	}
	want := []settings.Handler{
		{Event: "Stop", Type: "command", Command: "old", Shadowed: true},
		{Event: "PreToolUse", Matcher: "Bash", HasMatcher: true, Type: "command", Command: "a", HasArgs: true, Timeout: 7.5, Async: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEventNamesAreThirtyFour(t *testing.T) {
	names := settings.EventNames()
	slices.Sort(names)
	if len(slices.Compact(names)) != 34 {
		t.Errorf("%d different names", len(names))
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string]string{
		"2.1.332 (Claude Code)\n": "2.1.332", "v2.0.0-beta.1": "2.0.0", "": "unknown", "two": "unknown", "2.1": "unknown",
	} {
		if got := settings.ParseVersion(text).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	a, b := settings.Version{2, 1, 99}, settings.Version{2, 1, 100}
	if !a.Before(b) || b.Before(a) || !b.AtLeast(a) || a.AtLeast(b) {
		t.Error("order by number, not by text")
	}
	if (settings.Version{}).Before(a) || (settings.Version{}).AtLeast(a) {
		t.Error("an unknown version is neither older nor newer")
	}
}
