//go:build unix

package regular

import (
	"errors"
	"os"
	"syscall"
)

// LockFlags are the flags to open a lock file with, so that a pipe or a link in
// its place is neither waited for nor followed.
const LockFlags = syscall.O_RDONLY | syscall.O_CREAT | syscall.O_NONBLOCK | noFollow

const noFollow = syscall.O_NOFOLLOW

// openFD opens a regular file and returns its status. The kind is asked of what was
// opened, not of its name, so that nobody can exchange it in between.
func openFD(path string, flags int, perm uint32) (fd int, st syscall.Stat_t, err error) {
	for {
		fd, err = syscall.Open(path, flags|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, perm)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EMLINK), // a link; FreeBSD says EMLINK
		errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.EOPNOTSUPP), // a socket, a pipe without a reader
		errors.Is(err, syscall.EISDIR):
		return 0, st, failed(path, ErrKind)
	default:
		return 0, st, failed(path, err)
	}
	err = syscall.Fstat(fd, &st)
	if err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = ErrKind
	}
	if err != nil {
		_ = syscall.Close(fd)
		return 0, st, failed(path, err)
	}
	return fd, st, nil
}

func open(path string, flags int, perm uint32) (*os.File, error) {
	fd, _, err := openFD(path, flags, perm)
	if err != nil {
		return nil, err
	}
	// The flag is away while Go looks, so that it does not wait itself: what the kernel
	// makes up, as /proc/kmsg, calls itself regular and has nothing to read yet.
	_ = syscall.SetNonblock(fd, false)
	f := os.NewFile(uintptr(fd), path)
	_ = syscall.SetNonblock(fd, true)
	return f, nil
}

// read does without an os.File, which a small file's reading would mostly be
// spent on.
func read(path string, limit int64, t trust) ([]byte, error) {
	flags := syscall.O_RDONLY
	if t >= own {
		flags |= noFollow
	}
	fd, st, err := openFD(path, flags, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd) //nolint:errcheck // opened for reading
	switch {
	case t == private && (int(st.Uid) != os.Geteuid() || st.Mode&0o077 != 0):
		return nil, failed(path, ErrOwner)
	case st.Size > limit:
		return nil, failed(path, ErrSize)
	}
	b := make([]byte, 0, max(st.Size+1, 512))
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := syscall.Read(fd, b[len(b):cap(b)])
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return nil, failed(path, err)
		case n <= 0:
			return b, nil
		}
		b = b[:len(b)+n]
		if int64(len(b)) > limit {
			return nil, failed(path, ErrSize)
		}
	}
}
