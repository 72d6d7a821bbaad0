package settings_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings"
)

func TestParseListsWhatTheClientRefuses(t *testing.T) {
	tests := []struct {
		name, src string
		want      []settings.Problem
	}{
		{name: "plain", src: `{"a": [1, true, null, "x"]}`},
		{name: "line comment", src: "{\n  // é \"quoted\" {\n  \"a\": 1\n}\n", want: []settings.Problem{
			{Kind: settings.Comment, Offset: 4, Line: 2, Col: 3},
		}},
		{name: "comment ends the file", src: `{} // done`, want: []settings.Problem{
			{Kind: settings.Comment, Offset: 3, Line: 1, Col: 4},
		}},
		{name: "comment after a wide character", src: `{"é": 1} /* x */`, want: []settings.Problem{
			{Kind: settings.Comment, Offset: 10, Line: 1, Col: 10},
		}},
		{name: "slashes inside a string", src: `{"url": "http://x/*y*/"}`},
		{name: "trailing commas", src: "{\"a\": [1, ], \"b\": {\"c\": 2 ,},\r\n}", want: []settings.Problem{
			{Kind: settings.TrailingComma, Offset: 8, Line: 1, Col: 9},
			{Kind: settings.TrailingComma, Offset: 26, Line: 1, Col: 27},
			{Kind: settings.TrailingComma, Offset: 28, Line: 1, Col: 29},
		}},
		{name: "duplicate key", src: `{"a": 1, "b": 2, "\u0061": 3}`, want: []settings.Problem{
			{Kind: settings.DuplicateKey, Offset: 17, Line: 1, Col: 18},
		}},
		{name: "byte order mark", src: "\ufeff{}", want: []settings.Problem{
			{Kind: settings.ByteOrderMark, Offset: 0, Line: 1, Col: 1},
		}},
		{name: "empty", src: "", want: []settings.Problem{{Kind: settings.Empty, Line: 1, Col: 1}}},
		{name: "only a comment", src: "// soon\n", want: []settings.Problem{
			{Kind: settings.Comment, Line: 1, Col: 1},
			{Kind: settings.Empty, Offset: 8, Line: 2, Col: 1},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, err := settings.Parse([]byte(test.src))
			if err != nil {
				t.Fatal(err)
			}
			for i := range doc.Problems {
				if doc.Problems[i].Message == "" {
					t.Errorf("problem %d has no message", i)
				}
				doc.Problems[i].Message = ""
			}
			if diff := cmp.Diff(test.want, doc.Problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, src string
		line, col int
		msg       string
	}{
		{"truncated", "{\n  \"a\": [1,\n", 3, 1, "ends in the middle"},
		{"bare word", "{\"a\": yes}", 1, 7, "invalid literal: yes"},
		{"wide characters before it", `{"é": yes}`, 1, 7, "invalid literal: yes"},
		{"after a byte order mark", "\ufeff{\"a\": yes}", 1, 7, "invalid literal"},
		{"two values", "{}\n{}", 2, 1, "after top-level value"},
		{"open comment", "{} /* x", 1, 8, "ends in the middle"},
		{"utf-16", "\xff\xfe{\x00}\x00", 1, 1, "UTF-16"},
		{"huge", strings.Repeat(" ", settings.MaxSize+1), 1, 1, "bytes"},
		{"deep arrays", strings.Repeat("[", 600_000), 1, 501, "nested"},
		{"deep objects", strings.Repeat(`{"a":`, 100_000), 1, 2501, "nested"},
		{"deep behind a comment", "/* \" */" + strings.Repeat("[", 600_000), 1, 508, "nested"},
		{"long literal", "{\"a\": " + strings.Repeat("x", 5000), 1, 7, "invalid literal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := settings.Parse([]byte(test.src))
			var syntax *settings.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("err = %v, want a SyntaxError", err)
			}
			if syntax.Line != test.line || syntax.Col != test.col || !strings.Contains(syntax.Msg, test.msg) {
				t.Errorf("got %v, want %d:%d with %q", err, test.line, test.col, test.msg)
			}
			if len(syntax.Msg) > 200 {
				t.Errorf("message of %d bytes", len(syntax.Msg))
			}
		})
	}
}

func TestParseAcceptsTheDeepestAllowed(t *testing.T) {
	src := strings.Repeat("[", settings.MaxDepth) + strings.Repeat("]", settings.MaxDepth)
	if _, err := settings.Parse([]byte(src)); err != nil {
		t.Error(err)
	}
}

func TestNodeSpansAndValues(t *testing.T) {
	src := "\ufeff{ \"a\" : [1.5, -2, \"x\\n\"], \"b\": true, \"b\": false, \"n\": null }"
	doc, err := settings.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	bytesOf := func(n settings.Node) string { return string(doc.Source[n.Start:n.End]) }
	a, _ := doc.Root.Get("a")
	if got := bytesOf(a); got != `[1.5, -2, "x\n"]` {
		t.Errorf("span of a = %q", got)
	}
	if f, ok := a.Items[0].Float(); !ok || f != 1.5 {
		t.Errorf("Float = %v, %v", f, ok)
	}
	if _, ok := a.Items[0].Int(); ok {
		t.Error("1.5 passes as a whole number")
	}
	if i, ok := a.Items[1].Int(); !ok || i != -2 {
		t.Errorf("Int = %v, %v", i, ok)
	}
	if a.Items[2].Text != "x\n" {
		t.Errorf("Text = %q", a.Items[2].Text)
	}
	if b, ok := doc.Root.Get("b"); !ok || b.Bool {
		t.Error("the last of two equal keys must count")
	}
	if n, ok := doc.Root.Get("n"); !ok || n.Kind != settings.Null {
		t.Error("null is a value")
	}
	if _, ok := doc.Root.Get("a", "b"); ok {
		t.Error("a list has no keys")
	}
	m := doc.Root.Members[0]
	if got := string(doc.Source[m.KeyStart:m.KeyEnd]); got != `"a"` {
		t.Errorf("key span = %q", got)
	}
}

// A file may have as many problems as it has bytes; naming them must stay linear.
// At the worst of these, looking for each place from the start took minutes.
func TestParseManyProblems(t *testing.T) {
	for name, src := range map[string]string{
		"comments":      "[" + strings.Repeat("/**/", 250_000) + "]",
		"duplicates":    "{" + strings.Repeat(`"a":1,`, 150_000) + `"a":1}`,
		"comment lines": strings.Repeat("//\n", 300_000) + "{}",
		"faults":        `{"hooks":{"Stop":[` + strings.Repeat("0,", 300_000) + `0]}}`,
	} {
		start := time.Now()
		doc, err := settings.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(doc.Problems) + len(doc.Faults(settings.Version{})); n < 150_000 {
			t.Errorf("%s: %d problems", name, n)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "\ufeff{\"a\":[1,],}//x", "{\"a\":\"\\ud800\"}", "[[[", "/*", "nul", "{\"a\" /*\"*/ : 1}", "\"\\", "/", "[1,/**/,2]",
		`{"hooks":{"Stop":[{"matcher":1,"hooks":[{"type":"command","command":"x","timeout":"y","args":{}},{}]},{"type":"prompt"},null],"stop":[],"PreToolUse":{}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := settings.Parse(src)
		if err != nil {
			var syntax *settings.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Col < 1 || syntax.Offset > len(src) {
				t.Fatalf("error %#v", err)
			}
			return
		}
		checkSpans(t, doc.Root, 0, len(src))
		for _, version := range []settings.Version{{}, {2, 1, 197}, {2, 1, 332}} {
			for _, fault := range doc.Faults(version) {
				if fault.Effect == 0 || fault.Message == "" || fault.Line < 1 || fault.Col < 1 {
					t.Fatalf("fault %+v", fault)
				}
			}
		}
		for _, h := range doc.Handlers() {
			if h.Node.Start < h.Group.Start || h.Group.Start < h.List.Start || h.Node.End > h.Group.End || h.Group.End > h.List.End {
				t.Fatalf("handler outside its group: %+v", h)
			}
		}
		for _, p := range doc.Problems {
			if line, col := doc.Position(p.Offset); line != p.Line || col != p.Col {
				t.Fatalf("%d:%d, by itself %d:%d", p.Line, p.Col, line, col)
			}
			if p.Offset < 0 || p.Offset > len(src) {
				t.Fatalf("problem outside the source: %+v", p)
			}
			if p.Kind == settings.TrailingComma && src[p.Offset] != ',' {
				t.Fatalf("trailing comma at %q", src[p.Offset:])
			}
			if p.Kind == settings.Comment && src[p.Offset] != '/' {
				t.Fatalf("comment at %q", src[p.Offset:])
			}
		}
	})
}

func checkSpans(t *testing.T, n settings.Node, from, to int) {
	t.Helper()
	if n.Kind == settings.None {
		return
	}
	if n.Start < from || n.End > to || n.Start >= n.End {
		t.Fatalf("span %d..%d outside %d..%d", n.Start, n.End, from, to)
	}
	for _, m := range n.Members {
		if m.KeyStart <= n.Start || m.KeyEnd > m.Value.Start {
			t.Fatalf("key span %d..%d", m.KeyStart, m.KeyEnd)
		}
		checkSpans(t, m.Value, m.KeyEnd, n.End)
	}
	for _, item := range n.Items {
		checkSpans(t, item, n.Start+1, n.End)
	}
}
