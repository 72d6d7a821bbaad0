package door

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestReadEvent: the writer may keep its end open, write in pieces, or write no
// event at all.
func TestReadEvent(t *testing.T) {
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
			got, err := readEvent(r)
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
		if got, err := readEvent(f); string(got) != large || err != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
	t.Run("too large", func(t *testing.T) {
		if _, err := readEvent(bytes.NewReader(make([]byte, maxStdin+1))); !errors.Is(err, errTooLarge) {
			t.Errorf("%v", err)
		}
	})
}
