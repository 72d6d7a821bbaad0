//go:build unix

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// oddKinds are what can stand where the hook looks for a file.
var oddKinds = []struct {
	name string
	make func(path string) error
}{
	{"pipe", func(p string) error { return syscall.Mkfifo(p, 0o600) }},
	{"link to a pipe", func(p string) error {
		return errors.Join(syscall.Mkfifo(p+".pipe", 0o600), os.Symlink(p+".pipe", p))
	}},
	{"socket", socket},
	{"folder", func(p string) error { return os.Mkdir(p, 0o700) }},
	{"200 MB", func(p string) error {
		return errors.Join(os.WriteFile(p, nil, 0o600), os.Truncate(p, 200<<20))
	}},
	{"unreadable", func(p string) error { return os.WriteFile(p, []byte("x"), 0) }},
}

// socket leaves a socket that nobody listens on. Its path may be too long to bind.
func socket(path string) error {
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(short) }()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "s")})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	return errors.Join(l.Close(), os.Rename(filepath.Join(short, "s"), path))
}

// oddEvents are asked of each odd file. What they must answer is asked once before,
// while every file is in order.
var oddEvents = []struct {
	name   string
	more   map[string]any
	says   string // in order; "" stands for nothing
	commit bool
}{
	{"PreToolUse", bash("ls -la src"), "", false},
	{"PreToolUse", bash("git push --force origin main"), "[dangerous-command]", false},
	{"PreToolUse", bash("git commit -qam next"), "[unverified-commit]", true},
	{"PostToolUse", map[string]any{
		"tool_name": "Bash", "tool_use_id": "toolu_3", "tool_input": map[string]any{"command": "go test ./..."},
		"tool_response": map[string]any{"stdout": "ok  \tapp\t0.01s", "stderr": ""},
	}, "", false},
	{"UserPromptSubmit", map[string]any{"prompt": "go on"}, "branch main", false},
	{"SessionStart", map[string]any{"source": "startup"}, "guards refuse", false},
	{"Stop", map[string]any{"stop_hook_active": false, "last_assistant_message": "I'll commit this now."}, "[commit-before-verification]", false},
}

func bash(command string) map[string]any {
	return map[string]any{"tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": map[string]any{"command": command}}
}

// TestOddFiles puts what is no readable file in the place of each file that the
// hook opens. The agent can do that at any moment, so none may take the answer away
// or change what a gate says.
func TestOddFiles(t *testing.T) {
	const side = 3 // by side, each with a repository of its own
	for part := range side {
		t.Run(fmt.Sprint("part ", part+1), func(t *testing.T) {
			t.Parallel()
			oddFiles(t, part, side)
		})
	}
}

// oddFiles takes one part of the files.
func oddFiles(t *testing.T, part, parts int) {
	t.Helper()
	o := newOdd(t)
	for i, e := range oddEvents {
		got := o.ask(i)
		if !strings.Contains(got, e.says) || e.says == "" && got != "" {
			t.Fatalf("in order, %s %v is answered with %q", e.name, e.more, got)
		}
		o.want = append(o.want, got)
	}
	defer func() { t.Logf("the slowest answer took %v", *o.slowest) }()
	for i, file := range o.files() {
		if i%parts != part {
			continue
		}
		for _, kind := range oddKinds {
			if testing.Short() && kind.name != "pipe" {
				continue
			}
			t.Run(strings.TrimPrefix(file, o.dir)+"/"+kind.name, func(t *testing.T) {
				o.with(t, file, kind.name, kind.make)
			})
		}
	}
}

// odd is a guarded repository with all that the hook ever opens.
type odd struct {
	testing.TB
	dir, home, repo, hook string
	env                   []string
	want                  []string // what each event is answered with, while every file is in order
	slowest               *time.Duration
}

func newOdd(t *testing.T) *odd {
	t.Helper()
	dir := t.TempDir()
	o := &odd{TB: t, dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo"), slowest: new(time.Duration)}
	bin := filepath.Join(o.home, ".local", "bin")
	o.hook = filepath.Join(bin, "agentguard-hook")
	for _, d := range []string{bin, filepath.Join(o.repo, "src"), filepath.Join(o.home, ".config", "agentguard")} {
		mkdir(t, d)
	}
	for _, p := range programs(t) {
		link(t, p, filepath.Join(bin, filepath.Base(p)))
	}
	o.env = []string{
		"HOME=" + o.home, "PATH=" + bin + string(os.PathListSeparator) + toolPath(t), "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + o.repo,
		"GIT_CONFIG_NOSYSTEM=1", "TMPDIR=" + dir,
	}
	put(t, filepath.Join(o.home, ".gitconfig"), "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n")
	put(t, filepath.Join(o.repo, "go.mod"), "module app\n\ngo 1.26\n")
	put(t, filepath.Join(o.repo, "a.go"), "package app\n")
	put(t, filepath.Join(o.repo, ".gitignore"), "build/\n")
	put(t, filepath.Join(o.repo, ".gitattributes"), "*.bin -text\n")
	put(t, filepath.Join(o.home, ".config", "agentguard", "policy.jsonc"), "{\"version\": 1}\n")
	put(t, o.transcript(), `{"type":"user","uuid":"u","message":{"role":"user","content":"work"}}`+"\n")
	o.sh("git init -q --bare ../origin.git && git init -q && git remote add origin ../origin.git")
	o.sh("agentguard init --yes && printf '{\"version\": 1}\n' > .agentguard/policy.local.jsonc")
	o.sh("git add -A && git commit -qm first && git push -qu origin main && git pack-refs --all && git commit -q --allow-empty -m second")
	o.sh("echo '// more' >> a.go && agentguard trust < /dev/null || true")
	return o
}

func (o *odd) transcript() string { return filepath.Join(o.dir, "transcript.jsonl") }

func (o *odd) sh(script string) {
	o.Helper()
	cmd := exec.CommandContext(o.Context(), "sh", "-c", script)
	cmd.Dir, cmd.Env = o.repo, o.env
	if raw, err := cmd.CombinedOutput(); err != nil {
		o.Fatalf("%s: %v\n%s", script, err, raw)
	}
}

// files lists what the hook has opened by now and what else it looks for.
func (o *odd) files() []string {
	o.Helper()
	state := filepath.Join(".local", "state", "agentguard")
	seen := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(o.home, state), func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != filepath.Join(o.home, state) {
			seen[path] = true // a folder as well: something else may stand in its place
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	for _, name := range []string{
		filepath.Join(state, "off.json"), filepath.Join(".config", "agentguard", "policy.jsonc"), ".gitconfig", filepath.Join(".claude", "settings.json"),
	} {
		seen[filepath.Join(o.home, name)] = true
	}
	for _, name := range []string{
		"HEAD", "index", "config", "config.worktree", "packed-refs", "refs/heads/main", "refs/remotes/origin/main", "refs/remotes/origin/HEAD", "commondir",
		"info/exclude", "info/attributes", "objects/info/alternates", "MERGE_HEAD", "shallow", "HEAD.lock",
	} {
		seen[filepath.Join(o.repo, ".git", name)] = true
	}
	for _, name := range []string{
		".agentguard/policy.jsonc", ".agentguard/policy.local.jsonc", ".gitignore", ".gitattributes", ".gitmodules", ".claude/settings.json", ".claude/settings.local.json", "src",
	} {
		seen[filepath.Join(o.repo, name)] = true
	}
	seen[o.transcript()] = true
	return slices.Sorted(maps.Keys(seen))
}

// with asks every event while something odd stands in a file's place.
func (o *odd) with(t *testing.T, file, kind string, put func(string) error) {
	t.Helper()
	aside := file + ".aside"
	_, err := os.Lstat(file)
	was := err == nil
	if was {
		if err := os.Rename(file, aside); err != nil {
			t.Fatal(err)
		}
	} else {
		mkdir(t, filepath.Dir(file))
	}
	defer func() {
		err := errors.Join(os.RemoveAll(file), os.RemoveAll(file+".pipe"))
		if was {
			err = errors.Join(err, os.Rename(aside, file))
		}
		if err != nil {
			t.Fatal(err)
		}
	}()
	for i := range oddEvents {
		_ = os.RemoveAll(file) // the answer before may have put it in order
		_ = os.RemoveAll(file + ".pipe")
		if err := put(file); err != nil {
			t.Fatal(err)
		}
		one := *o
		one.TB = t
		got := one.ask(i)
		// A commit is asked about where what it rests on cannot be had. A conversation that
		// is too long to be searched speaks against no recorded run, and at the end of a
		// turn one that cannot be read lets go.
		long := file == o.transcript() && kind == "200 MB"
		if d, usual := decision(got), decision(o.want[i]); d != usual && !(oddEvents[i].commit && (d == "ask" || long)) && !(oddEvents[i].name == "Stop" && file == o.transcript()) {
			t.Errorf("%s %v is answered with %q, in order with %q", oddEvents[i].name, oddEvents[i].more, got, o.want[i])
		}
	}
}

// decision is what an answer says about the call.
func decision(answer string) string {
	var a struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	if answer != "" && json.Unmarshal([]byte(answer), &a) != nil {
		return "no JSON"
	}
	return a.Specific.Decision
}

// ask runs the hook on an event and returns its answer, which must come in time
// and be one object or nothing.
func (o *odd) ask(i int) string {
	o.Helper()
	all := map[string]any{
		"session_id": "odd", "transcript_path": o.transcript(), "cwd": o.repo, "prompt_id": fmt.Sprint(time.Now().UnixNano()),
		"permission_mode": "default", "hook_event_name": oddEvents[i].name,
	}
	maps.Copy(all, oddEvents[i].more)
	raw, err := json.Marshal(all)
	if err != nil {
		o.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.hook)
	var out, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = o.repo, o.env, bytes.NewReader(raw), &out, &stderr
	began := time.Now()
	err = cmd.Run()
	took := time.Since(began)
	if err != nil || stderr.Len() > 0 || out.Len() > 0 && !oneObject(out.String()) {
		o.Errorf("%s: %v, stdout %q, stderr %q", raw, err, out.String(), stderr.String())
	}
	*o.slowest = max(*o.slowest, took)
	// Where the hook waits for something it is for many seconds, on a busy machine as
	// well; what it does itself shows in the time of the processor.
	work := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if took > 20*time.Second || work > 10*time.Second {
		o.Errorf("%s took %v, %v of the processor, answered %q", raw, took, work, out.String())
	}
	return out.String()
}
