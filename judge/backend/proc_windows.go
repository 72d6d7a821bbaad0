package backend

import (
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup puts the process into a group of its own. This file has been built,
// never run: there was no Windows machine.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func startAndWait(cmd *exec.Cmd) error { return cmd.Run() }

// killGroup ends the process with its children through the system's own tool,
// and at least the process itself where that fails.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return errNoProcess
	}
	if cmd.ProcessState == nil {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	}
	return cmd.Process.Kill()
}
