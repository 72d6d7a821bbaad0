package checks

import (
	"bytes"
	"context"
	"os/exec"
)

// maxRunOutput bounds what is kept of a run's output: its end.
const maxRunOutput = 64 << 10

// runShell runs a command of a trusted policy in dir and returns the end of its
// output and whether it failed. When ctx ends, the whole process group does.
func runShell(ctx context.Context, dir, command string) (output string, failed bool) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = dir
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	ownGroup(cmd)
	err := cmd.Run()
	return out.String(), err != nil
}

// tail keeps the last bytes that were written to it.
type tail struct{ buf bytes.Buffer }

// Write keeps p and forgets what is too old.
func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p)
	if over := t.buf.Len() - maxRunOutput; over > 0 {
		t.buf.Next(over)
	}
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string { return t.buf.String() }
