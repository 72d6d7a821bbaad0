package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"agentguard/hook/regular"
	"agentguard/hook/throwaway"
	"agentguard/judge"
)

// Guard variables: an inner hook of ours that sees one of them returns at once.
// The second is the name that older judge hooks look for.
const (
	ActiveEnv    = "AGENTGUARD_JUDGE_ACTIVE"
	OldActiveEnv = "STOP_HOOK_LLM_JUDGE_ACTIVE"
)

// ChecksEnv names the checks that are asked, separated by spaces.
const ChecksEnv = "AGENTGUARD_JUDGE_CHECKS"

const (
	maxOutput = judge.MaxReply
	maxStderr = 4 << 10
	// drain is how long output of a process that has ended is still read: a
	// grandchild may hold the pipe open for ever.
	drain = 300 * time.Millisecond
)

// process is one program to run to its end.
type process struct {
	command []string
	stdin   string
	env     map[string]string
	// files are written beside the empty folder that the program starts in. Where
	// there are any, {dir} in command becomes the folder they lie in and {cwd} the
	// empty one.
	files map[string]string
	read  string // a file of that folder whose content is wanted, if it exists
}

// output is what a process left.
type output struct {
	stdout []byte
	file   []byte // content of process.read
	exit   int
}

// run starts the process and waits for its end or the end of ctx, and kills its
// whole group then. A non-zero exit status is no error here; not starting, too
// much output and a killed process are.
func (h Host) run(ctx context.Context, p process, checks []string) (output, error) {
	if err := ctx.Err(); err != nil {
		return output{}, err
	}
	dir, remove, err := throwaway.Dir(h.TempDir)
	if err != nil {
		return output{}, fmt.Errorf("making a folder for the judge: %w", err)
	}
	defer remove()
	cwd := filepath.Join(dir, "empty")
	if err := os.Mkdir(cwd, 0o700); err != nil {
		return output{}, fmt.Errorf("making a folder for the judge: %w", err)
	}
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return output{}, fmt.Errorf("writing for the judge: %w", err)
		}
	}
	args := append([]string{}, p.command...)
	if p.files != nil {
		names := strings.NewReplacer("{dir}", dir, "{cwd}", cwd)
		for i, a := range args {
			args[i] = names.Replace(a)
		}
	}
	program, err := h.lookPath(args[0])
	if err != nil {
		return output{}, fmt.Errorf("finding %s: %w", args[0], err)
	}
	stdout, stderr := &capped{max: maxOutput}, &capped{max: maxStderr}
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir = cwd
	cmd.Env = h.childEnv(p.env, cmd.Dir, checks)
	cmd.Stdin = strings.NewReader(p.stdin)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = drain
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	stdout.full = func() { _ = killGroup(cmd) }
	err = startAndWait(cmd)
	if cmd.Process != nil {
		_ = killGroup(cmd) // what the program started and left behind
	}
	out := output{stdout: stdout.buf.Bytes(), exit: -1}
	if cmd.ProcessState != nil {
		out.exit = cmd.ProcessState.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		return output{}, fmt.Errorf("%s gave no answer in time: %w", filepath.Base(program), ctx.Err())
	case stdout.over:
		return output{}, fmt.Errorf("%s wrote more than %d bytes", filepath.Base(program), maxOutput)
	case out.exit < 0:
		return output{}, fmt.Errorf("running %s: %w", filepath.Base(program), err)
	case out.exit != 0:
		return out, exitError(filepath.Base(program), out, stderr.buf.String())
	}
	if p.read != "" {
		out.file = readSome(filepath.Join(dir, p.read))
	}
	return out, nil
}

// exitError says how a program failed, with the first line it complained with.
func exitError(program string, out output, stderr string) error {
	said := strings.TrimSpace(stderr)
	if said == "" {
		said = strings.TrimSpace(string(out.stdout))
	}
	said, _, _ = strings.Cut(said, "\n")
	if said == "" {
		return fmt.Errorf("%s ended with status %d", program, out.exit)
	}
	return fmt.Errorf("%s ended with status %d: %s", program, out.exit, judge.Safe(said, 200))
}

func readSome(path string) []byte {
	f, err := regular.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	// One byte too many is kept, so that the reader sees that it is too long.
	text, err := io.ReadAll(io.LimitReader(f, maxOutput+1))
	if err != nil {
		return nil
	}
	return text
}

func (h Host) lookPath(name string) (string, error) {
	// The program starts in another folder, where a relative path would not lead.
	if strings.ContainsRune(filepath.ToSlash(name), '/') && !filepath.IsAbs(name) {
		abs, err := filepath.Abs(filepath.Join(h.Dir, name))
		if err != nil {
			return "", err
		}
		name = abs
	}
	if h.LookPath != nil {
		return h.LookPath(name)
	}
	return exec.LookPath(name)
}

// sessionEnv are the marks of the session that the hook runs in. An inner client
// must not take itself for a part of it.
var sessionEnv = [...]string{
	"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT",
	"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "AI_AGENT", "PWD", "OLDPWD",
	// A file that a shell runs first may print on stdout.
	"BASH_ENV", "ENV",
}

// childEnv is the environment of a judge's process.
func (h Host) childEnv(more map[string]string, cwd string, checks []string) []string {
	var out []string
	for _, kv := range h.Environ {
		name, _, _ := strings.Cut(kv, "=")
		drop := name == ActiveEnv || name == OldActiveEnv || name == ChecksEnv
		for _, s := range sessionEnv {
			drop = drop || name == s
		}
		if _, ours := more[name]; !drop && !ours {
			out = append(out, kv)
		}
	}
	for name, value := range more {
		out = append(out, name+"="+value)
	}
	return append(out, "PWD="+cwd, ActiveEnv+"=1", OldActiveEnv+"=1", ChecksEnv+"="+strings.Join(checks, " "))
}

// capped keeps the first max bytes and tells when there were more.
type capped struct {
	buf  bytes.Buffer
	max  int
	over bool
	full func()
}

func (c *capped) Write(p []byte) (int, error) {
	if room := c.max - c.buf.Len(); len(p) > room {
		c.buf.Write(p[:room])
		if !c.over && c.full != nil {
			c.full()
		}
		c.over = true
		return len(p), nil
	}
	return c.buf.Write(p)
}

var errNoProcess = errors.New("not started")
