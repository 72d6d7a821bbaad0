package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// maxOutput bounds what one git call may answer. Beyond it the fact is unknown.
const maxOutput = 64 << 20

// quietConfig keeps a repository from running code through git: whatever it
// configures is overruled on the command line.
var quietConfig = []string{
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.sshCommand=false",
	"-c", "core.pager=cat",
	"-c", "core.splitIndex=false",
	"-c", "core.untrackedCache=false",
	"-c", "log.showSignature=false",
	"-c", "protocol.allow=never",
	"-c", "submodule.recurse=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
}

// passedOn are the variables of the caller that change what git would say to
// the caller's own git commands, and that no repository can set.
var passedOn = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "SUDO_UID",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"SystemRoot", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
}

// program is an installed git with a clean environment.
type program struct {
	path     string
	env      []string
	patience *Patience
}

// newProgram finds git. A path entry that is not absolute is skipped: it would
// let the current folder bring its own git.
func newProgram(path string, get func(string) (string, bool)) program {
	p := program{path: path}
	for _, name := range passedOn {
		if v, ok := get(name); ok {
			p.env = append(p.env, name+"="+v)
		}
	}
	p.env = append(p.env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_ASKPASS=false", "SSH_ASKPASS=false",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_LITERAL_PATHSPECS=1", "GIT_ATTR_NOSYSTEM=0")
	if p.path == "" {
		path, _ := get("PATH")
		for _, dir := range filepath.SplitList(path) {
			name := filepath.Join(dir, "git")
			if runtime.GOOS == "windows" {
				name += ".exe"
			}
			if st, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && !st.IsDir() {
				p.path = name
				break
			}
		}
	}
	return p
}

// gitError is a git call that ended badly.
type gitError struct {
	args   []string
	code   int
	stderr string
}

func (e *gitError) Error() string {
	return fmt.Sprintf("git %s: exit %d: %s", strings.Join(e.args, " "), e.code, strings.TrimSpace(e.stderr))
}

// Is tells what the failure comes to: ErrKilled, ErrRefused or ErrBroken.
func (e *gitError) Is(target error) bool {
	switch target {
	case ErrKilled:
		return e.code < 0
	case ErrRefused:
		return e.says("dubious ownership", "unsafe repository")
	case ErrBroken:
		return e.code == 128 && e.says(signsOfDamage...)
	}
	return false
}

func (e *gitError) says(oneOf ...string) bool {
	return slices.ContainsFunc(oneOf, func(words string) bool { return strings.Contains(e.stderr, words) })
}

// signsOfDamage are the words of git for a repository that lacks what must be
// there. A name that simply does not exist is none.
var signsOfDamage = []string{
	"index file", "bad index", "bad signature", "unordered stage entries", "unknown index entry",
	"bad object", "bad tree object", "unable to read", "loose object", "is corrupt", "packfile", "missing blob", "missing tree",
	"not a git repository", "failed to resolve HEAD", "failed to resolve 'HEAD'", "Failed to resolve HEAD", "invalid object",
}

// run calls git in dir. env is added to the clean environment.
func (p program) run(ctx context.Context, dir string, env []string, stdin []byte, args ...string) ([]byte, error) {
	if p.path == "" {
		return nil, ErrNoGit
	}
	ctx, end := p.patience.begin(ctx)
	defer end()
	all := append(append([]string{"--no-pager"}, quietConfig...), args...)
	cmd := exec.CommandContext(ctx, p.path, all...)
	cmd.Dir = dir
	cmd.Env = append(append([]string{}, p.env...), env...)
	// A filter that git started may hold the pipe open; a busy machine must not be
	// taken for that.
	cmd.WaitDelay = 3 * time.Second
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, errOut capped
	out.max, errOut.max = maxOutput, 4<<10
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := wait(ctx, cmd)
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("git %s: %w", args[0], ErrSlow)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit):
		return out.buf, &gitError{args, exit.ExitCode(), string(errOut.buf)}
	case err != nil:
		return nil, fmt.Errorf("%w: starting it: %w", ErrNoGit, err)
	case out.full:
		return nil, fmt.Errorf("git %s: too much output: %w", args[0], ErrUnknown)
	}
	return out.buf, nil
}

// wait runs the command. One whose time is over is killed and left: what it
// started may hold its output open for long.
func wait(ctx context.Context, cmd *exec.Cmd) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Run() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(killTime):
		return ctx.Err()
	}
}

// killTime is enough for a killed process to be gone.
const killTime = 100 * time.Millisecond

// capped keeps the first max bytes and swallows the rest, so that the writer
// never blocks.
type capped struct {
	buf  []byte
	max  int
	full bool
}

func (c *capped) Write(b []byte) (int, error) {
	if room := c.max - len(c.buf); len(b) > room {
		c.full = true
		c.buf = append(c.buf, b[:room]...)
	} else {
		c.buf = append(c.buf, b...)
	}
	return len(b), nil
}

// exitCode returns the exit status of a git call, or -1 for another failure.
func exitCode(err error) int {
	if g, ok := errors.AsType[*gitError](err); ok {
		return g.code
	}
	return -1
}

// records splits the NUL-ended output of a -z call.
func records(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
