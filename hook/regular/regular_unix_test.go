//go:build unix

package regular_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"agentguard/hook/regular"
)

// TestOddFiles opens what is no regular file in every way there is: each answers
// at once, says why, and leaves the target of a link alone.
func TestOddFiles(t *testing.T) {
	dir, err := os.MkdirTemp("", "odd") //nolint:usetesting // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("written pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	both, err := os.OpenFile(at("written pipe"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	listener, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Mkdir(at("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link to a pipe": "pipe", "link to a file": "file", "link to nothing": "none", "device": os.DevNull} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	closed := func(f *os.File, err error) error {
		if err == nil {
			_ = f.Close()
		}
		return err
	}
	read := func(f func(string, int64) ([]byte, error)) func(string) error {
		return func(path string) error { _, err := f(path, 10); return err }
	}
	for _, way := range []struct {
		name string
		do   func(path string) error
		own  bool
	}{
		{"Read", read(regular.Read), false},
		{"ReadOwn", read(regular.ReadOwn), true},
		{"ReadPrivate", read(regular.ReadPrivate), true},
		{"Open", func(p string) error { return closed(regular.Open(p)) }, false},
		{"OpenOwn", func(p string) error { return closed(regular.OpenOwn(p)) }, true},
		{"Append", func(p string) error { return closed(regular.Append(p)) }, true},
	} {
		for _, name := range []string{"pipe", "written pipe", "socket", "folder", "device", "link to a pipe"} {
			if err := within(t, func() error { return way.do(at(name)) }); !errors.Is(err, regular.ErrKind) {
				t.Errorf("%s of a %s: %v", way.name, name, err)
			}
		}
		for _, name := range []string{"link to a file", "link to nothing"} {
			err := within(t, func() error { return way.do(at(name)) })
			if own := errors.Is(err, regular.ErrKind); own != way.own {
				t.Errorf("%s of a %s: %v", way.name, name, err)
			}
		}
	}
	if _, err := os.Lstat(at("none")); err == nil {
		t.Error("the target of a link was made")
	}
	for _, name := range []string{"pipe", "socket", "link to a pipe", "link to nothing"} {
		err := within(t, func() error {
			l := flock.New(at(name), flock.SetFlag(regular.LockFlags))
			_, err := l.TryLock()
			return errors.Join(err, l.Unlock())
		})
		if err == nil && name != "pipe" {
			t.Errorf("a lock on a %s", name)
		}
	}
	for _, name := range []string{"pipe", "socket", "device", "link to a file", "link to nothing"} {
		if err := within(t, func() error { return regular.Replace(at(name), []byte("new")) }); err != nil {
			t.Errorf("Replace of a %s: %v", name, err)
		}
		if got, err := regular.ReadOwn(at(name), 10); err != nil || string(got) != "new" {
			t.Errorf("after Replace of a %s: %q, %v", name, got, err)
		}
	}
	if got, err := regular.Read(at("file"), 10); err != nil || string(got) != "text" {
		t.Errorf("the target of a replaced link: %q, %v", got, err)
	}
}

// TestReadPrivate: what others can read or write, or what is somebody else's, is
// not read.
func TestReadPrivate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]error{0o600: nil, 0o400: nil, 0o644: regular.ErrOwner, 0o620: regular.ErrOwner, 0o602: regular.ErrOwner, 0o666: regular.ErrOwner} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := regular.ReadPrivate(name, 10); !errors.Is(err, want) {
			t.Errorf("mode %o: %v, want %v", mode, err, want)
		}
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(name, 65534, -1); err != nil {
		t.Skip("only root gives files away")
	}
	if _, err := regular.ReadPrivate(name, 10); !errors.Is(err, regular.ErrOwner) {
		t.Errorf("another user's: %v", err)
	}
}

// TestNothingToRead: a file of the kernel that calls itself regular and has
// nothing to say yet is not waited for.
func TestNothingToRead(t *testing.T) {
	const kmsg = "/proc/kmsg"
	if f, err := os.OpenFile(kmsg, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		t.Skip(err)
	} else {
		_ = f.Close()
	}
	_ = within(t, func() error { _, err := regular.Read(kmsg, 1<<20); return err })
	_ = within(t, func() error {
		f, err := regular.Open(kmsg)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
}

func within(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(2 * time.Second):
		t.Fatal("it hangs")
		return nil
	}
}
