package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/cmd/internal/door"
	"agentguard/cmd/internal/replay"
)

// stopper ends a replay at the n-th line that it prints.
type stopper struct {
	strings.Builder
	n    int
	stop func()
}

// Write keeps what is printed.
func (s *stopper) Write(p []byte) (int, error) {
	if s.n--; s.n == 0 {
		s.stop()
	}
	return s.Builder.Write(p)
}

// TestReplayIsStopped: what was found so far is printed, and going on from there
// counts nothing twice and leaves nothing out.
func TestReplayIsStopped(t *testing.T) {
	home := t.TempDir()
	sessions := filepath.Join(home, "sessions")
	if err := os.MkdirAll(sessions, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		var lines strings.Builder
		fmt.Fprintf(&lines, `{"type":"user","sessionId":"s%d","cwd":"/w","message":{"content":"go"}}`+"\n", i)
		for n := range 4 {
			id := fmt.Sprintf("t%d-%d", i, n)
			fmt.Fprintf(&lines, `{"type":"assistant","sessionId":"s%d","cwd":"/w","message":{"content":[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"rm -rf ~"}}]}}`+"\n", i, id)
			fmt.Fprintf(&lines, `{"type":"user","sessionId":"s%d","cwd":"/w","message":{"content":[{"type":"tool_result","tool_use_id":"%s","content":""}]}}`+"\n", i, id)
		}
		if err := os.WriteFile(filepath.Join(sessions, fmt.Sprintf("s%d.jsonl", i)), []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := door.Env{Now: time.Now, GOOS: "linux", Getenv: func(name string) (string, bool) { return home, name == "HOME" }}
	run := func(resume bool, stopAt int) replaySummary {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		out := &stopper{n: stopAt, stop: cancel}
		a := &app{Streams: Streams{Out: out, Err: &strings.Builder{}}, env: env}
		if err := a.replay(ctx, replayOptions{Files: []string{sessions}, JSON: true, Judge: "offline", Resume: resume}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var last struct{ Summary replaySummary }
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		return last.Summary
	}
	whole := run(false, -1)
	if whole.Calls != 24 || whole.Refused.Findings != 24 || whole.Partial {
		t.Fatalf("%+v", whole)
	}
	for _, at := range []int{1, 6, 8, 23} {
		part := run(false, at)
		if !part.Partial || part.Calls >= whole.Calls {
			t.Errorf("stopped at line %d: %+v", at, part)
		}
		if diff := cmp.Diff(whole, run(true, -1)); diff != "" {
			t.Errorf("after a stop at line %d:\n%s", at, diff)
		}
	}
}

// TestReplayPage: the page names every member of the JSON form.
func TestReplayPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/replay.md")
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	var look func(reflect.Type)
	look = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() {
			return
		}
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !strings.Contains(string(page), "`"+name+"`") {
				missing = append(missing, typ.Name()+"."+name)
			}
			look(f.Type)
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[drawn](), reflect.TypeFor[replaySummary](), reflect.TypeFor[replay.ReadRun](), reflect.TypeFor[runsSummary]()} {
		look(typ)
	}
	if len(missing) > 0 {
		t.Errorf("docs/replay.md does not name %v", missing)
	}
	for _, f := range (&app{}).replayCommand().Flags {
		if name := f.Names()[0]; !strings.Contains(string(page), "`--"+name) {
			t.Errorf("docs/replay.md does not name --%s", name)
		}
	}
}
