//go:build !unix

package checks

import (
	"os/exec"
	"time"
)

// ownGroup bounds the wait; children of the command may live on. Not run on such
// a system yet.
func ownGroup(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }
