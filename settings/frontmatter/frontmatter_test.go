package frontmatter_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings"
	"agentguard/settings/frontmatter"
)

var ours = settings.ObjectOf(
	settings.Entry("type", settings.TextOf("command")),
	settings.Entry("command", settings.TextOf(`a && "b" \ 'c' # d: {x} 日`)),
	settings.Entry("args", settings.ListOf()),
	settings.Entry("timeout", settings.IntOf(5)),
)

// files are agent files as people write them.
var files = []struct{ name, src string }{
	{"no hooks", "---\nname: reviewer\ndescription: \"Reviews: all of it\"\ntools: Read, Grep\n---\n\nYou review.\n"},
	{"comments and blank lines", "---\n# who\nname: reviewer # me\n\ndescription: x\n# the end\n\n---\nBody\n---\nmore: body\n"},
	{"CRLF", "---\r\nname: reviewer\r\ndescription: x\r\nhooks:\r\n  Stop:\r\n    - hooks:\r\n        - type: command\r\n          command: true\r\n---\r\nBody\r\n"},
	{"no final newline", "---\nname: reviewer\n---"},
	{"nothing in the block", "---\n---\n"},
	{"hooks empty", "---\nname: x\nhooks:\n---\n"},
	{"hooks of the same event", "---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: \"Bash\"\n      hooks:\n        - type: command\n          command: \"./check.sh\"\n          timeout: 3\ntools: Read\n---\nBody\n"},
	{"hooks of another event", "---\nname: x\nhooks:\n  PostToolUse:\n    - matcher: Edit|Write\n      hooks:\n        - type: command\n          command: './x.sh'\n# about the model\nmodel: opus\n---\n"},
	{"list not indented", "---\nhooks:\n  PreToolUse:\n  - matcher: Bash\n    hooks:\n    - type: command\n      command: x\n  Stop:\n  - hooks:\n    - type: command\n      command: y\n---\n"},
	{"four spaces", "---\nhooks:\n    PreToolUse:\n        - matcher: Bash\n          hooks:\n              - type: command\n                command: x\n---\n"},
	{"literal text", "---\nname: x\ndescription: |\n  Reviews.\n\n  hooks:\n    Stop: not ours\ntools: Read\n---\n"},
	{"folded command", "---\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: >-\n            a\n            b\nname: x\n---\n"},
	{"one-line foreign group", "---\nhooks:\n  PreToolUse:\n    - { matcher: Bash, hooks: [ { type: command, command: x } ] }\n---\n"},
	{"dash on a line of its own", "---\nhooks:\n  PreToolUse:\n    -\n      matcher: Bash\n      hooks:\n        -\n          type: command\n          command: x\n---\n"},
}

func handlers(f frontmatter.File) []string {
	var out []string
	for _, h := range f.Handlers() {
		out = append(out, fmt.Sprintf("%s|%s|%s|%v|%v", h.Event, h.Matcher, h.Command, h.HasArgs, h.Timeout))
	}
	return out
}

// looseFiles are those that only newer clients load.
var looseFiles = []struct{ name, src string }{
	{"colon in the description", "---\nname: x\ndescription: Use when: asked. Examples:\\n<example> [a]\ntools: [Bash]\n---\nBody\n"},
	{"colon, with hooks", "---\ndescription: a: b\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: \"x: y\"\nname: x\n---\n"},
	{"byte order mark", "\ufeff---\r\nname: x\r\ndescription: y\r\n---\r\nBody\r\n"},
	{"key twice", "---\ndescription: x\ndescription: y\n---\n"},
	{"specials", "---\ndescription: *a & %b @c `d` !e\nother: {x}\n---\n"},
}

func TestParseLoose(t *testing.T) {
	for _, file := range looseFiles {
		if _, err := frontmatter.Parse([]byte(file.src)); err == nil {
			t.Errorf("%s: the strict reading takes it", file.name)
		}
	}
	for _, src := range []string{
		"---\nhooks: {Stop: [{hooks: [{type: command, command: x}]}]}\ndescription: a: b\n---\n",
	} {
		f, err := frontmatter.ParseLoose([]byte(src))
		if err != nil || len(f.Handlers()) != 0 {
			t.Errorf("hooks in braces become text when the client helps itself: %v, %d", err, len(f.Handlers()))
		}
	}
	for name, src := range map[string]string{
		"nested colon": "---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo a: b\n---\n",
		"continuation": "---\ndescription: x\n  goes on: here\n---\n",
		"blank line":   "\n---\nname: x\n---\n",
	} {
		if _, err := frontmatter.ParseLoose([]byte(src)); err == nil {
			t.Errorf("%s: no client loads this", name)
		}
	}
}

func TestAddAndRemove(t *testing.T) {
	for _, file := range append(files, looseFiles...) {
		for _, event := range []string{"PreToolUse", "Stop"} {
			t.Run(file.name+"/"+event, func(t *testing.T) {
				f, err := frontmatter.ParseLoose([]byte(file.src))
				if err != nil {
					t.Fatal(err)
				}
				before := handlers(f)
				added, err := f.Add(event, "*", ours)
				if err != nil {
					t.Fatal(err)
				}
				want := event + "|*|" + `a && "b" \ 'c' # d: {x} 日` + "|true|5"
				got := handlers(added)
				var mine frontmatter.Handler
				n := 0
				for i, h := range added.Handlers() {
					if got[i] == want {
						mine, n = h, n+1
					}
				}
				if n != 1 || len(got) != len(before)+1 {
					t.Fatalf("handlers %q in\n%s", got, added.Source())
				}
				line := strings.Split(string(added.Source()), "\n")[mine.Line-1]
				if !strings.Contains(line, "- type:") {
					t.Errorf("line %d is %q", mine.Line, line)
				}
				// Every line that was there is there still, in order.
				rest := added.Source()
				for line := range bytes.Lines([]byte(file.src)) {
					if file.name == "hooks empty" || file.name == "no final newline" {
						break
					}
					_, after, ok := bytes.Cut(rest, line)
					if !ok {
						t.Fatalf("line %q is gone from\n%s", line, added.Source())
					}
					rest = after
				}
				back, err := added.Remove(mine)
				if err != nil {
					t.Fatal(err)
				}
				if file.name == "hooks empty" { // the key goes with what we put under it
					return
				}
				if diff := cmp.Diff(file.src, string(back.Source())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestAddLayout(t *testing.T) {
	f, err := frontmatter.Parse([]byte("---\r\nhooks:\r\n    Stop:\r\n    - hooks:\r\n        - type: command\r\n          command: y\r\nname: x\r\n---\r\nBody"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Add("PreToolUse", "*", settings.ObjectOf(settings.Entry("type", settings.TextOf("command"))))
	if err != nil {
		t.Fatal(err)
	}
	want := "---\r\nhooks:\r\n    Stop:\r\n    - hooks:\r\n        - type: command\r\n          command: y\r\n" +
		"    PreToolUse:\r\n        - matcher: \"*\"\r\n          hooks:\r\n              - type: \"command\"\r\nname: x\r\n---\r\nBody"
	if diff := cmp.Diff(want, string(got.Source())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSetText(t *testing.T) {
	f, err := frontmatter.Parse([]byte("---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: \"old\" # keep\n          timeout: 3\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.SetText(f.Handlers()[0], "command", "new \"x\"")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(f.Source()), `"old"`, `"new \"x\""`, 1)
	if diff := cmp.Diff(want, string(got.Source())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
		msg       string
	}{
		{"empty", "", 1, "does not begin"},
		{"blank line first", "\n---\nname: x\n---\n", 1, "does not begin"},
		{"byte order mark", "\ufeff---\nname: x\n---\n", 1, "does not begin"},
		{"no block", "# Reviewer\n", 1, "does not begin"},
		{"open block", "---\nname: x\n", 2, "no closing"},
		{"colon in the description", "---\nname: x\ndescription: Use when: always\n---\n", 3, "mapping"},
		{"a list", "---\n- a\n---\n", 2, "a list"},
		{"tab", "---\nhooks:\n\tStop: 1\n---\n", 3, ""},
		{"lone carriage return", "---\n0: 00\n1: 00\nhooks:\r\r 0:\n---", 4, "carriage return"},
		{"anchor", "---\n&a\n---\n", 2, "anchor"},
		{"brackets", "---\nx: " + strings.Repeat("[", 100_000) + "\n---\n", 1, "bytes"},
		{"fewer brackets", "---\nx: " + strings.Repeat("[", 10_000) + "\n---\n", 2, "deep"},
		{"dashes", "---\n" + strings.Repeat("- ", 10_000) + "\n---\n", 2, "deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := frontmatter.Parse([]byte(test.src))
			var syntax *settings.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("err = %v", err)
			}
			if syntax.Line != test.line || !strings.Contains(syntax.Msg, test.msg) {
				t.Errorf("got %v, want line %d and %q", err, test.line, test.msg)
			}
		})
	}
}

func TestAddRefusesWhatItCannotExtend(t *testing.T) {
	for name, src := range map[string]string{
		"braces":       "---\nhooks: {Stop: [{hooks: [{type: command, command: x}]}]}\n---\n",
		"text":         "---\nhooks: none\n---\n",
		"event braces": "---\nhooks:\n  PreToolUse: [{hooks: [{type: command, command: x}]}]\n---\n",
		"event text":   "---\nhooks:\n  PreToolUse: x\n---\n",
	} {
		f, err := frontmatter.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Add("PreToolUse", "*", ours); err == nil {
			t.Errorf("%s: became\n%s", name, got.Source())
		}
	}
}

func FuzzAddAndRemove(f *testing.F) {
	for _, file := range append(files, looseFiles...) {
		f.Add([]byte(file.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := frontmatter.ParseLoose(src)
		if err != nil {
			return
		}
		before := handlers(file)
		added, err := file.Add("PreToolUse", "*", ours)
		if err != nil {
			return
		}
		after := added.Handlers()
		if len(after) != len(before)+1 {
			t.Fatalf("%d entries became %d:\n%s", len(before), len(after), added.Source())
		}
		for _, h := range after {
			if h.Timeout == 5 && h.Matcher == "*" && h.HasArgs {
				back, err := added.Remove(h)
				if err != nil {
					t.Fatalf("%v in\n%s", err, added.Source())
				}
				if diff := cmp.Diff(before, handlers(back)); diff != "" {
					t.Fatalf("entries (-want +got):\n%s", diff)
				}
			}
		}
	})
}
