package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Run is one session of the client, without a terminal.
type Run struct {
	Home     string            // home folder of the session; nothing of the caller's account is seen
	Dir      string            // project folder
	Path     string            // PATH of the session
	ModelURL string            // address of the scripted model
	Prompt   string            // what the person asks for
	Mode     string            // permission mode, bypassPermissions when empty
	Args     []string          // more options
	Env      map[string]string // more variables
	Timeout  time.Duration     // of the whole session, two minutes when zero
}

// Run plays the session to its end and reads what it printed. A session that ends with a status other than 0 is a
// result, not an error; errors are a client that could not be started, one that ran into the timeout, and output that
// is not the client's stream.
func (c Client) Run(ctx context.Context, r Run) (Result, error) {
	if r.Timeout == 0 {
		r.Timeout = 2 * time.Minute
	}
	if r.Mode == "" {
		r.Mode = "bypassPermissions"
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	args := slices.Concat([]string{
		"-p", r.Prompt, "--permission-mode", r.Mode,
		"--output-format", "stream-json", "--verbose", "--include-hook-events",
	}, r.Args)
	cmd := exec.CommandContext(ctx, c.Path, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.environment(), &out, &errs
	cmd.WaitDelay = 5 * time.Second
	ownGroup(cmd)
	began := time.Now()
	err := cmd.Run()
	res := Result{Stderr: errs.String(), Took: time.Since(began)}
	if ctx.Err() != nil {
		return res, fmt.Errorf("running the client: no end after %v: %s", res.Took.Round(time.Second), tail(out.String()+errs.String()))
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		res.Status = exit.ExitCode()
	case err != nil:
		return res, fmt.Errorf("running the client: %w", err)
	}
	if err := res.read(out.Bytes()); err != nil {
		return res, fmt.Errorf("%w: status %d, %s", err, res.Status, tail(errs.String()))
	}
	return res, nil
}

// environment is the whole environment of the session, as a list of assignments. IS_SANDBOX lets bypassPermissions
// run as root, as in CI; the other switches keep the client from asking anybody but our server.
func (r Run) environment() []string {
	env := map[string]string{
		"HOME": r.Home, "PATH": r.Path, "LANG": "C.UTF-8", "TERM": "dumb", "TMPDIR": os.TempDir(),
		"ANTHROPIC_BASE_URL": r.ModelURL, "ANTHROPIC_API_KEY": "not-a-key", "IS_SANDBOX": "1",
		"DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
	}
	maps.Copy(env, r.Env)
	var out []string
	for k, v := range env {
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out
}

func tail(s string) string {
	const keep = 2000
	s = strings.TrimSpace(s)
	return s[max(0, len(s)-keep):]
}
