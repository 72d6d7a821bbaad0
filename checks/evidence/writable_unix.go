//go:build unix

package evidence

import "golang.org/x/sys/unix"

// writable tells why a file or folder cannot be written; nil where it can, also
// on a read-only file system.
func writable(path string) error { return unix.Access(path, unix.W_OK) }
