package redact_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge/redact"
)

// FuzzText holds that reading a result again changes nothing, and that a secret
// put anywhere into any text is gone, plain and encoded.
func FuzzText(f *testing.F) {
	for i, p := range places {
		before, after, _ := strings.Cut(p, "%s")
		f.Add(before, after, uint64(i))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for i, s := range seeds(r) {
		f.Add(s.text, " and ", uint64(i))
		f.Add("<redacted:", ">", uint64(i))
		f.Add("<redacted:"+string(s.kind)+">", "", uint64(i))
	}
	for i, n := range named(r) {
		before, after, _ := strings.Cut(n.form, "%s")
		f.Add(before, n.value+after, uint64(i))
	}
	f.Fuzz(func(t *testing.T, before, after string, n uint64) {
		if len(before)+len(after) > 8<<10 {
			return
		}
		all := seeds(rand.New(rand.NewPCG(n, n)))
		s := all[n%uint64(len(all))]
		// A blank on both sides: what continues a word is another word.
		for _, form := range []string{s.text, base64.StdEncoding.EncodeToString([]byte(s.text)), percentAll(s.text), url.QueryEscape(s.text)} {
			in := before + " " + form + " " + after
			out, counts := redact.Text(in)
			if gone := core(form); strings.Contains(out, gone) && !strings.Contains(before+after, gone) {
				t.Errorf("%s survives in %q: %q", s.kind, in, out)
			}
			if counts.Total() == 0 {
				t.Errorf("nothing counted in %q", in)
			}
			if again, c := redact.Text(out); again != out || c != nil {
				t.Errorf("not idempotent: %q, then %q", out, again)
			}
		}
		out, _ := redact.Text(before)
		if again, c := redact.Text(out); again != out || c != nil {
			t.Errorf("not idempotent: %q, then %q", out, again)
		}
	})
}

// FuzzWriter holds that pieces of any size give what the whole text gives.
func FuzzWriter(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 14))
	for i, s := range seeds(r) {
		f.Add("a "+s.text+" b", i)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		want, _ := redact.Text(text)
		size = 1 + size&0x3f
		var out strings.Builder
		w := redact.NewWriter(&out)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := io.WriteString(w, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("pieces of %d: %q, want %q", size, out.String(), want)
		}
	})
}

func TestWriterAnyPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 3 {
		for _, s := range seeds(r) {
			in := "first line\nKEY=" + s.text + "\nlast line of it\n"
			want, counts := redact.Text(in)
			for _, size := range []int{1, 7, len(in)} {
				var out strings.Builder
				w := redact.NewWriter(&out)
				for chunk := range strings.SplitSeq(pieces(in, size), "\x01") {
					if _, err := w.Write([]byte(chunk)); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, out.String()); d != "" {
					t.Errorf("pieces of %d (-want +got):\n%s", size, d)
				}
				if d := cmp.Diff(counts, w.Counts()); d != "" {
					t.Errorf("counts (-want +got):\n%s", d)
				}
			}
		}
	}
}

// pieces puts a mark behind every n bytes.
func pieces(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\x01")
		s = s[n:]
	}
	return b.String() + s
}

// TestWriterLongText writes megabytes with a secret at every possible distance
// from the places where the writer cuts.
func TestWriterLongText(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	fillers := map[string]func(n int) string{
		"lines":   func(n int) string { return strings.Repeat("some words of a log line, 12 of 40\n", n/35+1)[:n] },
		"no line": func(n int) string { return strings.Repeat("words ", n/6+1)[:n] },
		"no word": func(n int) string { return strings.Repeat("x.", n/2+1)[:n] },
		"base64": func(n int) string {
			return strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=\n", n/45+1)[:n]
		},
	}
	for name, fill := range fillers {
		t.Run(name, func(t *testing.T) {
			var in strings.Builder
			var secrets []string
			for in.Len() < 600<<10 {
				for _, s := range seeds(r) {
					in.WriteString(fill(r.IntN(9000)) + " token=" + s.text + " \n")
					secrets = append(secrets, core(s.text))
				}
				pw := "s3cr3t" + core(seeds(r)[6].text)[4:16]
				in.WriteString(fill(r.IntN(3000)) + " password=" + pw + "\n")
				secrets = append(secrets, pw)
			}
			var out bytes.Buffer
			w := redact.NewWriter(&out)
			for rest := []byte(in.String()); len(rest) > 0; {
				n := min(len(rest), 1+r.IntN(50_000))
				if _, err := w.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			for _, s := range secrets {
				if strings.Contains(got, s) {
					t.Errorf("%.12s… survives", s)
				}
			}
			if w.Counts().Total() < len(secrets) {
				t.Errorf("%d of %d counted", w.Counts().Total(), len(secrets))
			}
		})
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriterPassesErrorsOn(t *testing.T) {
	w := redact.NewWriter(broken{})
	if _, err := w.Write([]byte("held back")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil || w.Close() == nil {
		t.Error("no error")
	}
	if _, err := w.Write(make([]byte, 1<<20)); err == nil {
		t.Error("no error")
	}
}

// TestHostile holds the time to be linear: each would take minutes otherwise.
func TestHostile(t *testing.T) {
	for name, unit := range map[string]string{
		"dashes": "-----", "begins": "-----BEGIN PRIVATE KEY-----\n", "ends": "-----END PRIVATE KEY-----\n", "names": "password=", "colons": "://:", "at": "@tcp(",
		"base64": "QUJD", "percent": "%25", "jwt": "eyJhbGciOiJIUzI1NiJ9.", "dots": "SG.", "quotes": `password="`, "bearer": "Bearer ", "placeholder": "<redacted:", "backslash": `\\`, "url": "http://a:b@",
		"key lines": "-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY\n",
	} {
		t.Run(name, func(t *testing.T) {
			redact.Text(strings.Repeat(unit, 1<<20/len(unit)))
		})
	}
}
