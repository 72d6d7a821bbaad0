//go:build unix && !linux

package backend

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func startAndWait(cmd *exec.Cmd) error { return cmd.Run() }
