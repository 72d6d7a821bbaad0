// Package regular opens files that somebody else may have put there. Where a
// file is expected an agent can leave a pipe, a socket, a device, a folder or a
// link to one, and opening or reading those may wait for ever. Here only regular
// files open, nothing is waited for, and no more is read than the caller allows.
package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrKind tells that what stands at a path is no regular file, or, where a file
// of ours is expected, that it is a link.
var ErrKind = errors.New("not a regular file")

// ErrSize tells a file that has more bytes than may be read of it.
var ErrSize = errors.New("too large")

// Read returns the content of a file, links followed. A file of more than limit
// bytes is an error and is not read; content that has no size, as in /proc, is
// read up to the limit.
func Read(path string, limit int64) ([]byte, error) { return read(path, limit, anybodys) }

// ReadOwn is Read for a file of ours, which nobody has a reason to replace by a
// link: one in its place is an error.
func ReadOwn(path string, limit int64) ([]byte, error) { return read(path, limit, own) }

// ReadPrivate is ReadOwn for a file that switches something off: it must belong to
// this user, and nobody else may be able to read or write it. Where the system
// keeps no such rights it is ReadOwn.
func ReadPrivate(path string, limit int64) ([]byte, error) { return read(path, limit, private) }

// trust says what must be true of a file beside its kind.
type trust int

const (
	anybodys trust = iota
	own
	private
)

// ErrOwner tells a file that is not this user's alone.
var ErrOwner = errors.New("not this user's private file")

// Open opens a file for reading, links followed. How much of it is read is the
// caller's to bound.
func Open(path string) (*os.File, error) { return open(path, os.O_RDONLY, 0) }

// OpenOwn is Open for a file of ours, as ReadOwn is Read.
func OpenOwn(path string) (*os.File, error) { return open(path, os.O_RDONLY|noFollow, 0) }

// Append opens a file of ours to read and to append, made with mode 0600 where it
// is missing. A link in its place is an error.
func Append(path string) (*os.File, error) {
	return open(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
}

// TornEnd tells a file of lines whose last line has no end: its writer died. The
// next line must not be glued to it.
func TornEnd(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return err == nil && last[0] != '\n'
}

// Replace writes a small file of ours whole or not at all, with mode 0600. What
// stood in its place, a link or a pipe as well, is gone then; a folder is an error.
func Replace(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the first error is the one to tell
	}
	return err
}

func failed(path string, err error) error {
	return &fs.PathError{Op: "open", Path: path, Err: err}
}
