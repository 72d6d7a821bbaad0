package settings_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"agentguard/settings"
)

func parse(t *testing.T, src string) settings.Document {
	t.Helper()
	doc, err := settings.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func apply(t *testing.T, doc settings.Document, edits []settings.Edit) settings.Document {
	t.Helper()
	next, err := doc.Apply(edits...)
	if err != nil {
		t.Fatalf("apply %+v: %v", edits, err)
	}
	return next
}

var value = settings.ObjectOf(
	settings.Entry("command", settings.TextOf(`a && b < "c"`)),
	settings.Entry("args", settings.ListOf()),
	settings.Entry("list", settings.ListOf(settings.IntOf(1), settings.IntOf(2))),
)

func TestAppendKeepsTheLayout(t *testing.T) {
	tests := []struct {
		name, src, want string
		path            []string
	}{
		{
			"two spaces", "{\n  \"l\": [\n    1\n  ]\n}\n",
			"{\n  \"l\": [\n    1,\n    {\n      \"command\": \"a && b < \\\"c\\\"\",\n      \"args\": [],\n      \"list\": [\n        1,\n        2\n      ]\n    }\n  ]\n}\n",
			[]string{"l"},
		},
		{
			"tabs and CRLF", "{\r\n\t\"l\": []\r\n}",
			"{\r\n\t\"l\": [\r\n\t\t{\r\n\t\t\t\"command\": \"a && b < \\\"c\\\"\",\r\n\t\t\t\"args\": [],\r\n\t\t\t\"list\": [\r\n\t\t\t\t1,\r\n\t\t\t\t2\r\n\t\t\t]\r\n\t\t}\r\n\t]\r\n}",
			[]string{"l"},
		},
		{
			"minified", `{"l":[1]}`,
			`{"l":[1,{"command":"a && b < \"c\"","args":[],"list":[1,2]}]}`,
			[]string{"l"},
		},
		{
			"one line with spaces", `{ "l": [ 1 ] }`,
			`{ "l": [ 1, {"command": "a && b < \"c\"", "args": [], "list": [1, 2]} ] }`,
			[]string{"l"},
		},
		{
			"a one-line list in a long file", "{\n    \"l\": [0,1]\n}",
			"{\n    \"l\": [0,1,{\"command\": \"a && b < \\\"c\\\"\", \"args\": [], \"list\": [1, 2]}]\n}",
			[]string{"l"},
		},
		{
			"comment behind the last item", "{\n  \"l\": [\n    1 // one\n  ]\n}",
			"{\n  \"l\": [\n    1, // one\n    {\n      \"command\": \"a && b < \\\"c\\\"\",\n      \"args\": [],\n      \"list\": [\n        1,\n        2\n      ]\n    }\n  ]\n}",
			[]string{"l"},
		},
		{
			"trailing comma", "{\n  \"l\": [\n    1,\n  ],\n}",
			"{\n  \"l\": [\n    1,\n    {\n      \"command\": \"a && b < \\\"c\\\"\",\n      \"args\": [],\n      \"list\": [\n        1,\n        2\n      ]\n    }\n  ],\n}",
			[]string{"l"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := parse(t, test.src)
			list, _ := doc.Root.Get(test.path...)
			next := apply(t, doc, doc.AppendItem(list, value))
			if got := string(next.Source); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestAppendMember(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty object", "{}\n", "{\n  \"k\": 1\n}\n"},
		{"bare", "{\"a\":2}", "{\"a\":2,\"k\":1}"},
		{"lines", "{\n   \"a\": 2\n}", "{\n   \"a\": 2,\n   \"k\": 1\n}"},
		{"no indent", "{\n\"a\": 2\n}", "{\n\"a\": 2,\n\"k\": 1\n}"},
		{"comment only", "{\n  // nothing yet\n}", "{\n  // nothing yet\n  \"k\": 1\n}"},
		{"byte order mark", "\ufeff{\n  \"a\": 2\n}", "\ufeff{\n  \"a\": 2,\n  \"k\": 1\n}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := parse(t, test.src)
			next := apply(t, doc, doc.AppendMember(doc.Root, "k", settings.IntOf(1)))
			if got := string(next.Source); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"first", "[\n  \"x\",\n  2\n]", "[\n  2\n]"},
		{"middle", "[\n  1,\n  \"x\",\n  2\n]", "[\n  1,\n  2\n]"},
		{"last", "[\n  1,\n  \"x\"\n]", "[\n  1\n]"},
		{"only", "[\n  \"x\"\n]", "[]"},
		{"only, with a comment", "[\n  // why\n  \"x\",\n]", "[\n  // why\n]"},
		{"last, comma behind a comment", "[\n  1 // one, two\n  , \"x\"\n]", "[\n  1 // one, two\n  \n]"},
		{"inline", `[1, "x", 2]`, `[1, 2]`},
		{"member", `{"a": 1, "k": "x", "b": 2}`, `{"a": 1, "b": 2}`},
		{"nested", `{"a": {"k": "x"}}`, `{"a": {}}`},
		{"comment before the next", "[\"x\", // about x, y\n 2]", "[ // about x, y\n 2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc := parse(t, test.src)
			n := findText(doc.Root, "x")
			edits, ok := doc.Remove(n)
			if !ok {
				t.Fatal("not found in its own document")
			}
			if got := string(apply(t, doc, edits).Source); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	doc := parse(t, `[1]`)
	if _, ok := doc.Remove(doc.Root); ok {
		t.Error("the root cannot be removed")
	}
}

func findText(n settings.Node, text string) settings.Node {
	if n.Kind == settings.String && n.Text == text {
		return n
	}
	for _, item := range n.Items {
		if found := findText(item, text); found.Kind != settings.None {
			return found
		}
	}
	for _, m := range n.Members {
		if found := findText(m.Value, text); found.Kind != settings.None {
			return found
		}
	}
	return settings.Node{}
}

func TestApplyRefusesWhatWouldBreakTheFile(t *testing.T) {
	doc := parse(t, `{"a": 1}`)
	for name, edits := range map[string][]settings.Edit{
		"overlap":    {{Start: 1, End: 4}, {Start: 3, End: 5}},
		"outside":    {{Start: 1, End: 99}},
		"backwards":  {{Start: 5, End: 1}},
		"broken":     {{Start: 0, End: 1}},
		"bad number": {doc.Replace(doc.Root.Members[0].Value, settings.Node{Kind: settings.Number, Text: "x"})},
	} {
		if _, err := doc.Apply(edits...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// containers lists every list and object of a tree.
func containers(n settings.Node) []settings.Node {
	var out []settings.Node
	if n.Kind == settings.Array || n.Kind == settings.Object {
		out = append(out, n)
	}
	for _, item := range n.Items {
		out = append(out, containers(item)...)
	}
	for _, m := range n.Members {
		out = append(out, containers(m.Value)...)
	}
	return out
}

func FuzzEditAndBack(f *testing.F) {
	for _, seed := range []string{
		"{}", "[]", "[1]", "{\"a\":[{}]}", "{\r\n\t\"a\": [ ]\r\n}\r\n", "[1,]", "{\"a\": 1 // x\n}", "[ // a\n]", "[1 /* , */ , 2]", "{\"a\":1,\"a\":[2 , 3]}", "{\"\":[0 ,0]}", "[1\n, 2\n, 3]",
	} {
		f.Add([]byte(seed), uint8(0), "key <&>")
	}
	f.Fuzz(func(t *testing.T, src []byte, pick uint8, text string) {
		doc, err := settings.Parse(src)
		if err != nil {
			return
		}
		all := containers(doc.Root)
		if len(all) == 0 {
			return
		}
		target := all[int(pick)%len(all)]
		if nestingOf(doc.Root, target.Start)+3 > settings.MaxDepth {
			return
		}
		value := settings.ListOf(settings.TextOf(text), settings.ObjectOf(settings.Entry(text, settings.IntOf(7))))
		var edits []settings.Edit
		if target.Kind == settings.Array {
			edits = doc.AppendItem(target, value)
		} else {
			edits = doc.AppendMember(target, text, value)
		}
		added, err := doc.Apply(edits...)
		if err != nil {
			t.Fatalf("append to %q: %v", src, err)
		}
		for _, e := range edits { // space and a comma at most may give way
			if len(bytes.Trim(src[e.Start:e.End], " \t\r\n")) > 0 {
				t.Fatalf("edit overwrites %q", src[e.Start:e.End])
			}
		}
		if doc.Strict() {
			body := bytes.TrimPrefix(added.Source, []byte("\ufeff"))
			if !json.Valid(body) {
				t.Fatalf("no strict JSON any more: %q", added.Source)
			}
		}
		grown := containers(added.Root)
		var mine settings.Node
		for _, n := range grown {
			if n.Start == target.Start {
				if n.Kind == settings.Array {
					mine = n.Items[len(n.Items)-1]
				} else {
					mine = n.Members[len(n.Members)-1].Value
				}
			}
		}
		back, ok := added.Remove(mine)
		if !ok {
			t.Fatal("what was added is not found")
		}
		undone, err := added.Apply(back...)
		if err != nil {
			t.Fatalf("remove again: %v", err)
		}
		if doc.Strict() && len(target.Items)+len(target.Members) > 0 && !bytes.Equal(undone.Source, src) {
			t.Fatalf("before %q\nafter  %q", src, undone.Source)
		}
		if len(undone.Problems) > len(doc.Problems) || len(containers(undone.Root)) != len(all) {
			t.Fatalf("content changed: %q became %q", src, undone.Source)
		}
	})
}

func nestingOf(n settings.Node, start int) int {
	depth := 0
	for _, c := range containers(n) {
		if c.Start <= start && start < c.End {
			depth++
		}
	}
	return depth
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a && b < c > d":   `"a && b < c > d"`,
		"\"\\/":            `"\"\\/"`,
		"\t\r\n\b\x00\x1f": `"\t\r\n\u0008\u0000\u001f"`,
		"日本 é \u2028":      "\"日本 é \u2028\"",
		"bad \xff":         "\"bad \ufffd\"",
	} {
		if got := settings.Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
