//go:build unix

package backend

import (
	"os/exec"
	"syscall"
)

// killGroup ends the process and everything it started in its group.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return errNoProcess
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
