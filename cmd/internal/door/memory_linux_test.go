package door

import (
	"os"
	"syscall"
)

// maxMemory is the most memory that a process held, in kB.
func maxMemory(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss
	}
	return 0
}
