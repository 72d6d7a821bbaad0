package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/hook/regular"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if _, err := regular.Read(name, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	for _, c := range []struct {
		name, content string
		limit         int64
		err           error
	}{
		{"empty", "", 10, nil},
		{"up to the limit", "0123456789", 10, nil},
		{"over the limit", "0123456789x", 10, regular.ErrSize},
		{"larger than one buffer", strings.Repeat("x", 100_000), 1 << 20, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(name, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			for how, read := range map[string]func(string, int64) ([]byte, error){"Read": regular.Read, "ReadOwn": regular.ReadOwn, "ReadPrivate": regular.ReadPrivate} {
				got, err := read(name, c.limit)
				if !errors.Is(err, c.err) || err == nil && string(got) != c.content {
					t.Errorf("%s: %d bytes, %v", how, len(got), err)
				}
			}
		})
	}
}

func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	for _, text := range []string{"one\n", "torn"} {
		f, err := regular.Append(name)
		if err != nil {
			t.Fatal(err)
		}
		if regular.TornEnd(f) {
			t.Errorf("torn before %q", text)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if got, want := regular.TornEnd(f), text == "torn"; got != want {
			t.Errorf("torn after %q: %v", text, got)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "one\ntorn" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "state")
	for _, text := range []string{"first", "second"} {
		if err := regular.Replace(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := regular.ReadOwn(name, 10); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := regular.Replace(filepath.Join(dir, "folder"), nil); err == nil {
		t.Error("a folder was replaced")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
