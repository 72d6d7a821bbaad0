package door

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestStdin: the writer may keep its end open, write in pieces, or write no
// event at all.
func TestStdin(t *testing.T) {
	large := `{"content":"` + strings.Repeat("x", 300<<10) + `"}`
	cases := []struct {
		name   string
		pieces []string
		close  bool
		want   string
		fails  bool
	}{
		{"at once", []string{`{"a":1}`}, true, `{"a":1}`, false},
		{"with the pipe left open", []string{`{"a":1}` + "\n"}, false, `{"a":1}` + "\n", false},
		{"in pieces", []string{`{"a":`, `{"b}":"\"}"`, `}}`}, false, `{"a":{"b}":"\"}"}}`, false},
		{"larger than a pipe holds", []string{large}, false, large, false},
		{"nothing", nil, true, "", false},
		{"half an object", []string{`{"a":`}, true, `{"a":`, false},
		{"half an object with the pipe left open", []string{`{"a":`}, false, `{"a":`, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() //nolint:errcheck // a test's own pipe
			defer w.Close() //nolint:errcheck // as above
			go func() {
				for i, p := range c.pieces {
					if i > 0 {
						time.Sleep(20 * time.Millisecond)
					}
					_, _ = io.WriteString(w, p) //nolint:errcheck // the reader tells
				}
				if c.close {
					_ = w.Close() //nolint:errcheck // as above
				}
			}()
			in := stdin{r: r}
			got, err := in.event()
			if string(got) != c.want || (err != nil) != c.fails {
				t.Errorf("%d bytes %.40q, %v", len(got), got, err)
			}
		})
	}
	t.Run("a file", func(t *testing.T) {
		name := t.TempDir() + "/event.json"
		if err := os.WriteFile(name, []byte(large), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // opened for reading
		in := stdin{r: f}
		if got, err := in.event(); string(got) != large || err != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
	t.Run("too large", func(t *testing.T) {
		in := stdin{r: bytes.NewReader(make([]byte, maxStdin+1))}
		if _, err := in.event(); !errors.Is(err, errTooLarge) {
			t.Errorf("%v", err)
		}
	})
}

// TestOutline: of an event that is too large the form is kept, so that its name is
// found behind a long text, before it, and between a great many short ones.
func TestOutline(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes within the hook's own time limit, which the race detector does not keep")
	}
	const name = `"hook_event_name":"PreToolUse"`
	long := strings.Repeat(`x\"\\\u00e9`, maxStdin/8)
	for what, event := range map[string]string{
		"behind": `{"tool_input":{"command":"` + long + `"},` + name + `}`,
		"before": `{` + name + `,"tool_input":{"command":"` + long + `"}}`,
		"among":  `{"a":"` + long + `",` + name + `,"b":"` + long + `"}`,
		"no end": `{"a":"` + long + `",` + name + `,"b":"` + long,
	} {
		in := stdin{r: strings.NewReader(event)}
		got, err := in.event()
		if !errors.Is(err, errTooLarge) || len(got) > maxOutline || !bytes.Contains(got, []byte(name)) {
			t.Errorf("%s: %d bytes %.200q, %v", what, len(got), got, err)
		}
		if json.Valid(got) == (what == "no end") {
			t.Errorf("%s: the outline of a whole event must be whole: %.300q", what, got)
		}
	}
	in := stdin{r: strings.NewReader("{" + strings.Repeat(`"k":[1,2],`, maxStdin/8))}
	if got, err := in.event(); !errors.Is(err, errTooLarge) || len(got) > maxOutline {
		t.Errorf("many members: %d bytes, %v", len(got), err)
	}
}

// TestNobodyGetsEPIPE: whatever the writer has to say is read to its end, so that
// no client sees an error of its own.
func TestNobodyGetsEPIPE(t *testing.T) {
	const event = `{"hook_event_name":"Stop","session_id":"s"}`
	filler := strings.Repeat("x", 20<<20)
	for name, text := range map[string]string{
		"an event of 20 MB":         `{"hook_event_name":"PreToolUse","tool_input":{"command":"` + filler + `"}}`,
		"20 MB behind an event":     event + filler,
		"20 MB that are no event":   filler,
		"20 MB of half an event":    `{"a":"` + filler,
		"an event":                  event,
		"events, one after another": strings.Repeat(event+"\n", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := io.WriteString(w, text)
				done <- errors.Join(err, w.Close())
			}()
			began := time.Now()
			Call{Env: envOf(t.TempDir(), t.TempDir()), Stdin: r, Stdout: io.Discard, Stderr: io.Discard}.Run(t.Context())
			if took := time.Since(began); took > 10*stdinWait { // the machine may be busy
				t.Errorf("it took %v", took)
			}
			_ = r.Close() //nolint:errcheck // the end of the reading program
			if err := <-done; err != nil {
				t.Errorf("the writer: %v", err)
			}
		})
	}
}

// TestBehindTheEvent: what is there behind the object belongs to the input.
func TestBehindTheEvent(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // a test's own pipe
	defer w.Close() //nolint:errcheck // as above
	const text = `{"a":1} {"b":2}` + "\n"
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	in := stdin{r: r}
	if got, err := in.event(); string(got) != text || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
