//go:build unix

package throwaway

import (
	"errors"
	"syscall"
)

// alive tells that a process is there, whosever it is.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
