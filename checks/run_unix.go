//go:build unix

package checks

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup gives the command a process group of its own, which is killed whole
// when its time is over.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
}
