package backendtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Seen is what a fake program was started with.
type Seen struct {
	Stdin string
	Args  []string
	Env   map[string]string
	CWD   string
	// Files are the names in the folder it started in.
	Files []string
	PID   string
	// Child is the process id of the child that a hanging program starts.
	Child string
}

// Program writes a shell script that behaves as told and records how it was
// started. around turns the model's words into what the real program prints. It
// returns the script's path and a reader of the record.
func Program(t *testing.T, b Behaviour, around func(answer string) string) (path string, seen func() Seen) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("fake programs are shell scripts")
	}
	dir := t.TempDir()
	path = filepath.Join(dir, "fake program")
	if b.Absent {
		return path, func() Seen { return Seen{} }
	}
	if b.Raw != nil {
		write(t, filepath.Join(dir, "out"), *b.Raw)
	} else {
		write(t, filepath.Join(dir, "out"), around(b.Answer))
	}
	write(t, filepath.Join(dir, "says"), b.Says)
	var s strings.Builder
	fmt.Fprintf(&s, "#!/bin/sh\nrecord='%s'\n", dir)
	s.WriteString(`env >"$record/env"; pwd >"$record/cwd"; ls -A >"$record/files"; echo $$ >"$record/pid"
: >"$record/args"; last=
for a in "$@"; do printf '%s\0' "$a" >>"$record/args"; [ "$last" = -o ] && answer=$a; last=$a; done
`)
	if b.Hangs {
		s.WriteString("sleep 300 & echo $! >\"$record/child\"\nsleep 300\n")
	} else {
		s.WriteString("cat >\"$record/stdin\"\n")
	}
	if b.Delay > 0 {
		fmt.Fprintf(&s, "sleep %.2f\n", b.Delay.Seconds())
	}
	s.WriteString("cat \"$record/says\" >&2\n[ -n \"$answer\" ] && cat \"$record/out\" >\"$answer\"\ncat \"$record/out\"\n")
	if b.Fails {
		s.WriteString("exit 3\n")
	}
	s.WriteString("exit 0\n")
	write(t, path, s.String())
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() Seen { return record(t, dir) }
}

func record(t *testing.T, dir string) Seen {
	t.Helper()
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		return string(raw)
	}
	s := Seen{
		Stdin: read("stdin"),
		Args:  strings.Split(strings.TrimSuffix(read("args"), "\x00"), "\x00"),
		Env:   map[string]string{},
		CWD:   strings.TrimSpace(read("cwd")),
		Files: strings.Fields(read("files")),
		PID:   strings.TrimSpace(read("pid")),
		Child: strings.TrimSpace(read("child")),
	}
	for line := range strings.Lines(read("env")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		s.Env[name] = value
	}
	return s
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
