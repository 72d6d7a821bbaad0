package settings

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"agentguard/hook/regular"
)

// Snapshot is a file as it was read.
type Snapshot struct {
	// Path is the name asked for, Target the file behind all links.
	Path, Target string
	Exists       bool
	Bytes        []byte
	Mode         fs.FileMode
}

// FileError says why a file can be neither read nor replaced, in words for a person.
type FileError struct {
	Path, Msg string
	Err       error
}

// Error returns path, message and cause.
func (e *FileError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Path, e.Msg, e.Err)
	}
	return e.Path + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// ErrBusy is returned when another program kept writing the same file.
var ErrBusy = errors.New("the file keeps changing: another program writes it at the same moment; try again")

// ReadFile reads a file for editing. A missing file is no error; a link that
// leads nowhere, a folder or a file above MaxSize is.
func ReadFile(path string) (Snapshot, error) {
	snap := Snapshot{Path: path}
	target, err := resolve(path)
	if err != nil {
		return snap, err
	}
	snap.Target = target
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return snap, nil
	case err != nil:
		return snap, &FileError{Path: path, Msg: "cannot be read", Err: err}
	case info.IsDir():
		return snap, &FileError{Path: path, Msg: "is a folder, not a file"}
	}
	snap.Exists, snap.Mode = true, info.Mode().Perm()
	snap.Bytes, err = regular.Read(target, MaxSize)
	switch {
	case errors.Is(err, regular.ErrKind):
		return snap, &FileError{Path: path, Msg: "is not an ordinary file"}
	case errors.Is(err, regular.ErrSize):
		return snap, &FileError{Path: path, Msg: fmt.Sprintf("has more than %d bytes", MaxSize)}
	case err != nil:
		return snap, &FileError{Path: path, Msg: "cannot be read", Err: err}
	}
	return snap, nil
}

// resolve follows the links of a path whose last part may be missing.
func resolve(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", &FileError{Path: path, Msg: "cannot be read", Err: err}
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path)
		return "", &FileError{Path: path, Msg: "is a link to " + to + ", which does not exist"}
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	dir, err := resolve(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// Next is what a file shall hold.
type Next struct {
	Bytes  []byte
	Delete bool
}

// Writer replaces files. The zero value works, without a lock.
type Writer struct {
	// LockDir holds one lock file for each file written, so that two of our own
	// programs do not write at once. It is made if missing. It lies outside the
	// target's folder: a lock file in a repository would show up in its status.
	LockDir string
	// Mode is that of new files, before the umask; 0 means 0644. A file that
	// exists keeps its own.
	Mode fs.FileMode
	// Pause waits before another try, the first being 1. Nil sleeps 20 ms, then
	// twice as long each time.
	Pause func(try int)
}

// tries bounds how often an update starts again because the file changed under it.
const tries = 8

// emptyTries is how often an empty file is looked at again: a writer truncates
// first, and on a busy machine it may be stopped for a while before it writes.
const emptyTries = 3

// Update reads the file, asks change what it shall hold, and puts that in place:
// at every moment the old file or the new one is there, whole. Links are
// followed, mode and, where possible, owner stay. When another program writes
// between reading and replacing, or right after, change is asked again with the
// new bytes, so it must be written to find its work done. An error of change is
// returned when the file holds still, since a client writes without care and a
// half-written file looks broken. A file that is not to change is not written.
func (w Writer) Update(ctx context.Context, path string, change func(Snapshot) (Next, error)) error {
	unlock, err := w.Lock(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	var late *lateWrite
	for try := 1; try <= tries; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := w.once(path, try, &late, change)
		if done || err != nil {
			return err
		}
		w.pause(try)
	}
	return &FileError{Path: path, Msg: "not written", Err: ErrBusy}
}

// lateWrite is what another program wrote into the file that had just been
// replaced: it had opened it before and does not know. Its bytes must not be lost.
type lateWrite struct{ bytes, over []byte }

func (w Writer) once(path string, try int, late **lateWrite, change func(Snapshot) (Next, error)) (done bool, _ error) {
	snap, err := ReadFile(path)
	if err != nil {
		return false, err
	}
	if snap.Exists && len(snap.Bytes) == 0 && try <= emptyTries {
		return false, nil
	}
	base := snap
	if l := *late; l != nil && bytes.Equal(snap.Bytes, l.over) {
		base.Bytes = l.bytes
	}
	next, err := change(base)
	if err != nil {
		w.pause(try)
		again, readErr := ReadFile(path)
		if readErr == nil && try < tries && !same(snap, again) {
			return false, nil
		}
		return false, err
	}
	if next.Delete && !snap.Exists || !next.Delete && snap.Exists && bytes.Equal(next.Bytes, snap.Bytes) {
		return true, nil
	}
	if next.Delete {
		if again, err := ReadFile(path); err != nil || !same(snap, again) {
			return false, err
		}
		if err := os.Remove(snap.Target); err != nil {
			return false, &FileError{Path: path, Msg: "cannot be removed", Err: err}
		}
		return true, nil
	}
	return w.replace(snap, next.Bytes, late)
}

func (w Writer) replace(snap Snapshot, data []byte, late **lateWrite) (done bool, _ error) {
	if snap.Exists && snap.Mode&0o222 == 0 {
		return false, &FileError{Path: snap.Path, Msg: "is read-only; make it writable (chmod u+w) or change it yourself"}
	}
	temp, err := w.temp(snap, data)
	if err != nil {
		return false, err
	}
	defer os.Remove(temp) // gone already after a rename
	replaced := openReplaced(snap)
	defer replaced.Close()
	again, err := ReadFile(snap.Path)
	if err != nil {
		return false, err
	}
	if !same(snap, again) {
		return false, nil
	}
	if err := os.Rename(temp, snap.Target); err != nil {
		return false, &FileError{Path: snap.Path, Msg: "cannot be replaced", Err: err}
	}
	syncDir(filepath.Dir(snap.Target))
	if replaced != nil {
		w.pause(1)
		now, err := rereadAll(replaced)
		for again := 2; again <= emptyTries && err == nil && len(now) == 0; again++ {
			w.pause(again)
			now, err = rereadAll(replaced)
		}
		if err == nil && len(now) > 0 && !bytes.Equal(now, snap.Bytes) {
			*late = &lateWrite{bytes: now, over: data}
			return false, nil
		}
	}
	after, err := ReadFile(snap.Path)
	if err != nil {
		return false, err
	}
	return after.Exists && bytes.Equal(after.Bytes, data), nil
}

func rereadAll(file *os.File) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(file, 0, MaxSize+1))
}

func same(a, b Snapshot) bool {
	return a.Exists == b.Exists && a.Target == b.Target && bytes.Equal(a.Bytes, b.Bytes)
}

// temp writes the new bytes beside the target, on disk before it returns.
func (w Writer) temp(snap Snapshot, data []byte) (string, error) {
	fail := func(err error) (string, error) {
		return "", &FileError{Path: snap.Path, Msg: "cannot be written", Err: err}
	}
	dir, base := filepath.Split(snap.Target)
	prefix := "." + base + ".agentguard-"
	if w.LockDir != "" {
		removeLeftovers(dir, prefix)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fail(err)
	}
	mode := w.Mode
	if mode == 0 {
		mode = 0o644
	}
	var file *os.File
	var err error
	for i := range 100 {
		name := fmt.Sprintf("%s%s%d-%d.tmp", dir, prefix, os.Getpid(), i)
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return fail(err)
	}
	name := file.Name()
	_, err = file.Write(data)
	if err == nil && snap.Exists {
		err = keepOwner(file, snap.Target)
		if err == nil {
			err = file.Chmod(snap.Mode)
		}
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(name)
		return fail(err)
	}
	return name, nil
}

// removeLeftovers takes away what a killed run of ours left. Only the holder of
// the lock may: without it the file may be in use.
func removeLeftovers(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), ".tmp") && e.Type().IsRegular() {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func (w Writer) pause(try int) {
	if w.Pause != nil {
		w.Pause(try)
		return
	}
	time.Sleep(10 * time.Millisecond << try)
}

// lockWait bounds the wait for another of our own programs.
const lockWait = 10 * time.Second

// Lock keeps other programs of ours from writing path until unlock is called.
// Update takes the same lock by itself: hold it for another file than those that
// are updated meanwhile. Without a LockDir nothing is locked.
func (w Writer) Lock(ctx context.Context, path string) (unlock func(), _ error) {
	if w.LockDir == "" {
		return func() {}, nil
	}
	target, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if target, err = filepath.Abs(target); err != nil {
		return nil, &FileError{Path: path, Msg: "has no absolute path", Err: err}
	}
	if err := os.MkdirAll(w.LockDir, 0o700); err != nil {
		return nil, &FileError{Path: w.LockDir, Msg: "cannot hold locks", Err: err}
	}
	sum := sha256.Sum256([]byte(target))
	lock := flock.New(filepath.Join(w.LockDir, hex.EncodeToString(sum[:8])+".lock"), flock.SetFlag(regular.LockFlags))
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil || !ok {
		return nil, &FileError{Path: path, Msg: "is locked by another agentguard", Err: err}
	}
	return func() { _ = lock.Unlock() }, nil
}
