package backend

import (
	"os/exec"
	"runtime"
	"syscall"
)

// ownGroup puts the process into a group of its own, and has the kernel end it
// when the hook itself is killed before it could do so.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// startAndWait keeps the goroutine on its thread: the kernel takes the end of
// the thread that started the process for the end of its parent.
func startAndWait(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.Run()
}
