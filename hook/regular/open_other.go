//go:build !unix

package regular

import (
	"io"
	"os"
)

// LockFlags are the flags to open a lock file with.
const LockFlags = os.O_RDONLY | os.O_CREATE

// noFollow is no flag of the system here: the kind is asked before a file is
// opened.
const noFollow = 1 << 30

func open(path string, flags int, perm uint32) (*os.File, error) {
	look := os.Stat
	if flags&noFollow != 0 {
		look = os.Lstat
	}
	info, err := look(path)
	switch {
	case os.IsNotExist(err) && flags&os.O_CREATE != 0:
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, failed(path, ErrKind)
	}
	f, err := os.OpenFile(path, flags&^noFollow, os.FileMode(perm))
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close() //nolint:errcheck // nothing was written
		return nil, failed(path, ErrKind)
	}
	return f, nil
}

func read(path string, limit int64, t trust) ([]byte, error) {
	flags := os.O_RDONLY
	if t >= own {
		flags |= noFollow
	}
	f, err := open(path, flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	if info, err := f.Stat(); err == nil && info.Size() > limit {
		return nil, failed(path, ErrSize)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = failed(path, ErrSize)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}
