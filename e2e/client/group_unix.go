//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the client in a process group of its own and lets a timeout end all of it: hooks and shells that the
// client started would outlive it otherwise.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
