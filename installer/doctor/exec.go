package doctor

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Process is a program to run.
type Process struct {
	Path string
	Args []string
	Env  []string
	Dir  string
	// Stdin is written first; with Hold the pipe then stays open, as some clients
	// leave it.
	Stdin string
	Hold  bool
	// Limit ends the program and all it started.
	Limit time.Duration
}

// Output is how a program ended.
type Output struct {
	Stdout, Stderr string // cut at maxOutput
	// Exit is the status, -1 when it did not end by itself or never began.
	Exit int
	// Late is set when the limit was passed, Err when it could not be started.
	Late bool
	Err  error
}

// maxOutput is what is kept of a program's output, in bytes.
const maxOutput = 64 << 10

// bounded keeps the head of what is written and swallows the rest.
type bounded struct{ b bytes.Buffer }

func (w *bounded) Write(data []byte) (int, error) {
	if room := maxOutput - w.b.Len(); room > 0 {
		w.b.Write(data[:min(room, len(data))])
	}
	return len(data), nil
}

// start runs a program in a process group of its own.
func start(ctx context.Context, run Process) Output {
	if run.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, run.Limit)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, run.Path, run.Args...)
	cmd.Env, cmd.Dir = run.Env, run.Dir
	cmd.WaitDelay = 500 * time.Millisecond
	ownGroup(cmd)
	var stdout, stderr bounded
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var held io.WriteCloser
	if run.Hold {
		pipe, err := cmd.StdinPipe()
		if err != nil {
			return Output{Exit: -1, Err: err}
		}
		held = pipe
	} else {
		cmd.Stdin = strings.NewReader(run.Stdin)
	}
	if err := cmd.Start(); err != nil {
		return Output{Exit: -1, Err: err}
	}
	if held != nil {
		_, _ = io.WriteString(held, run.Stdin) // a program that does not read it is judged by what it says
	}
	err := cmd.Wait()
	out := Output{Stdout: stdout.b.String(), Stderr: stderr.b.String(), Exit: cmd.ProcessState.ExitCode()}
	if held != nil {
		_ = held.Close()
	}
	if ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		out.Late = true
	}
	return out
}
