package installer

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"agentguard/settings"
)

// FuzzInstallAndStrip feeds settings files of any content: what is refused is
// left alone, what is accepted stays JSON with every foreign entry as it was, a
// second install changes nothing, and taking ours out leaves the same values.
func FuzzInstallAndStrip(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "\ufeff{\r\n}", `{"hooks":{}}`, `{"hooks":null}`, `{"hooks":{"Stop":[]}}`, `{"hooks":{"Stop":null},"hooks":{"Stop":[{"hooks":[]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}],"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"http","url":"y"}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/h/agentguard-hook","args":[],"agentguard":1}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"z","agentguard":1},{"type":"prompt","prompt":"q"}]}]}}`,
		"{\n\t\"model\" : \"opus\"\n}",
	} {
		f.Add([]byte(seed))
	}
	req := Request{
		Scope: User, Home: "/h", HookPath: "/h/bin/agentguard-hook",
		Events: []EventSpec{{Name: "PreToolUse", Matcher: "*", Timeout: 30, FailClosed: true}, {Name: "Stop", Timeout: 15}},
	}
	req.Client = req.client()
	own := req.owner(nil)
	f.Fuzz(func(t *testing.T, src []byte) {
		file := hooksFile{path: "settings.json", own: own, req: req}
		before := bytes.Clone(src)
		once, err := file.install(src, nil)
		if !bytes.Equal(src, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if _, ok := errors.AsType[*Refusal](err); !ok {
				t.Fatalf("no refusal: %v", err)
			}
			return
		}
		if !json.Valid(bytes.TrimPrefix(once, []byte("\ufeff"))) {
			t.Fatalf("no JSON: %q", once)
		}
		twice, err := file.install(once, nil)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("second install: %v\n%q\n%q", err, once, twice)
		}
		doc, err := settings.Parse(once)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range req.Events {
			n := 0
			for _, h := range doc.Handlers() {
				if h.Event == event.Name && !h.Shadowed && own.owned(h) {
					n++
				}
			}
			if n == 0 {
				t.Fatalf("%s has no entry: %q", event.Name, once)
			}
		}
		file.leaving = true
		bare, err := file.strip(once, src)
		if err != nil {
			t.Fatalf("strip: %v", err)
		}
		if doc, err = settings.Parse(bare); err != nil {
			t.Fatal(err)
		}
		for _, h := range doc.Handlers() {
			if own.owned(h) {
				t.Fatalf("left: %q", bare)
			}
		}
		again, err := file.install(bare, nil)
		if err != nil {
			t.Fatalf("install after strip: %v", err)
		}
		if bare2, err := file.strip(again, bare); err != nil || !bytes.Equal(bare, bare2) && len(bytes.TrimSpace(bare)) > 0 && !bytes.Contains(bare, []byte("null")) && !spaced(bare) {
			t.Fatalf("install and strip: %v\n%q\n%q", err, bare, bare2)
		}
	})
}

// spaced reports whether an empty list or object of the file holds blanks, which
// only a recorded undo brings back.
func spaced(src []byte) bool {
	for i, c := range src {
		if (c == ']' || c == '}') && i > 0 {
			j := i - 1
			for j > 0 && bytes.IndexByte([]byte(" \t\r\n"), src[j]) >= 0 {
				j--
			}
			if j < i-1 && (src[j] == '[' || src[j] == '{') {
				return true
			}
		}
	}
	return false
}
