//go:build linux || darwin || freebsd || netbsd || openbsd

package evidence

import (
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// canScan tells whether this system has our own reader.
const canScan = true

// fileStat is what git compares of a file's status.
type fileStat struct {
	mode         uint32
	exec         bool
	mtime, ctime uint32
	uid, gid     uint32
	ino          uint32
	size         int64
}

// kind is kindUnknown for a file that is not there.
func (s fileStat) kind() nameKind {
	switch s.mode & unix.S_IFMT {
	case 0:
		return kindUnknown
	case unix.S_IFREG:
		return kindFile
	case unix.S_IFDIR:
		return kindDir
	case unix.S_IFLNK:
		return kindLink
	default:
		return kindOther
	}
}

// dirHandle is an open folder. Names below it are looked up from it, so that no
// link in the path is followed.
type dirHandle struct {
	fd   int
	path string
}

// openFolder opens root/rel. Nil without an error: it is not there, or no folder.
func openFolder(root, rel string) (*dirHandle, error) {
	path := root
	if rel != "" {
		path = root + "/" + strings.TrimSuffix(rel, "/")
	}
	for {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		switch {
		case err == nil:
			return &dirHandle{fd, path}, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
			return nil, nil
		}
		return nil, errFallback
	}
}

func (d *dirHandle) close() { _ = unix.Close(d.fd) }

// stat looks a name up; a missing one has kindUnknown.
func (d *dirHandle) stat(name string) (fileStat, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		switch {
		case err == nil:
			return toStat(&st), nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
			return fileStat{}, nil
		}
		return fileStat{}, errFallback
	}
}

func (d *dirHandle) readFile(name string, limit int64) ([]byte, error) {
	fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// openFlags opens a file for reading without following a link or waiting for a
// pipe's other end.
const openFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK

// lstat is the status of root/path.
func lstat(root, path string) (fileStat, error) {
	var st unix.Stat_t
	for {
		err := unix.Lstat(root+"/"+path, &st)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fileStat{}, errFallback
		}
		return toStat(&st), nil
	}
}

// device is the file system that a path lies on.
func device(path string) (uint64, bool) {
	var st unix.Stat_t
	err := unix.Stat(path, &st)
	return uint64(st.Dev), err == nil //nolint:unconvert // of another type on other systems
}

// ours tells that git would not call the repository foreign.
func ours(paths ...string) bool {
	for _, p := range paths {
		var st unix.Stat_t
		if unix.Lstat(p, &st) != nil || int(st.Uid) != os.Geteuid() {
			return false
		}
	}
	return true
}
