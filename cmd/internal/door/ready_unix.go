//go:build unix

package door

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ready tells whether a read of r returns at once.
func ready(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}} //nolint:gosec // a descriptor is a small number
	n, err := unix.Poll(fds, 0)
	return n == 1 && err == nil
}
