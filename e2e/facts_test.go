package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// factWorld is a guarded repository with a session that worked in it. What it records is what the hooks recorded.
type factWorld struct {
	t                      *testing.T
	dir, home, repo, state string
	path                   string // PATH of the programs
	transcript             string
	session                session
	prompts                int
}

func newFactWorld(t *testing.T) *factWorld {
	t.Helper()
	dir := t.TempDir()
	w := &factWorld{
		t: t, dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo"), transcript: filepath.Join(dir, "session.jsonl"),
		path: strings.Join([]string{"/usr/local/bin", "/usr/bin", "/bin"}, string(os.PathListSeparator)),
	}
	w.state = filepath.Join(w.home, ".local", "state", "agentguard")
	mkdir(t, filepath.Join(w.home, ".local", "bin"))
	for _, p := range programs(t) {
		link(t, p, filepath.Join(w.home, ".local", "bin", filepath.Base(p)))
	}
	w.write(filepath.Join(w.home, ".gitconfig"), "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n")
	w.write("go.mod", "module x\n\ngo 1.26\n")
	w.write("a.go", "package x\n")
	w.git("init", "-q")
	w.git("init", "-q", "--bare", filepath.Join(dir, "remote.git"))
	w.git("remote", "add", "origin", filepath.Join(dir, "remote.git"))
	w.tool("init", "--yes")
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	w.git("push", "-qu", "origin", "main")
	w.session = session{begin: time.Now().Add(-time.Hour), repo: w.repo}
	w.session.user("Please make it longer.", false)
	w.edit("package x // longer\n")
	return w
}

func (w *factWorld) write(name, text string) {
	w.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.repo, name)
	}
	mkdir(w.t, filepath.Dir(name))
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *factWorld) remove(name string) {
	w.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.repo, name)
	}
	if err := os.RemoveAll(name); err != nil {
		w.t.Fatal(err)
	}
}

func (w *factWorld) git(args ...string) {
	w.t.Helper()
	if out, status := w.run(nil, "/bin/sh", append([]string{"-c", `exec git "$@"`, "git"}, args...)...); status != 0 {
		w.t.Fatalf("git %v: %s", args, out)
	}
}

// run starts a program in the repository with the world's environment.
func (w *factWorld) run(stdin []byte, program string, args ...string) (out string, status int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdin = w.repo, bytes.NewReader(stdin)
	cmd.Env = []string{"PATH=" + w.path, "HOME=" + w.home, "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + w.repo, "GIT_CONFIG_NOSYSTEM=1"}
	raw, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return string(raw), cmd.ProcessState.ExitCode()
}

func (w *factWorld) tool(args ...string) (out string, status int) {
	w.t.Helper()
	return w.run(nil, filepath.Join(w.home, ".local", "bin", "agentguard"), args...)
}

// given is what the hook answers: a letter for the decision and all that it says.
type given struct {
	letter byte
	text   string
}

// hook sends one event. The letter is p for a pass, t for one of which the person is told something, a for ask, d for
// deny, b for a stop that is refused.
func (w *factWorld) hook(event string, more map[string]any) given {
	w.t.Helper()
	w.prompts++
	fields := map[string]any{
		"session_id": "s", "prompt_id": fmt.Sprint(w.prompts), "transcript_path": w.transcript, "cwd": w.repo,
		"permission_mode": "default", "hook_event_name": event,
	}
	maps.Copy(fields, more)
	raw, err := json.Marshal(fields)
	if err != nil {
		w.t.Fatal(err)
	}
	out, status := w.run(raw, filepath.Join(w.home, ".local", "bin", "agentguard-hook"))
	if status != 0 {
		w.t.Fatalf("%s: the hook ended with status %d", event, status)
	}
	var answer struct {
		Decision, SystemMessage string
		HookSpecificOutput      struct{ PermissionDecision string }
	}
	if out != "" && json.Unmarshal([]byte(out), &answer) != nil {
		w.t.Fatalf("%s: stdout is not one object: %s", event, out)
	}
	switch answer.Decision + answer.HookSpecificOutput.PermissionDecision {
	case "ask":
		return given{'a', out}
	case "deny":
		return given{'d', out}
	case "block":
		return given{'b', out}
	}
	if answer.SystemMessage != "" {
		return given{'t', out}
	}
	return given{'p', out}
}

// did writes calls of the agent into the session file.
func (w *factWorld) did(call toolCall) {
	w.session.calls([]toolCall{call})
	w.write(w.transcript, w.session.out.String())
}

func (w *factWorld) edit(text string) {
	w.write("a.go", text)
	w.did(toolCall{Tool: "Edit", Input: map[string]any{"file_path": "a.go"}, OK: true, Output: "The file was updated."})
}

// tests runs nothing: the session file and the hooks are told how a run ended.
func (w *factWorld) tests(pass bool) {
	const command = "go test ./..."
	call := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_use_id": fmt.Sprintf("toolu_%d", w.session.n)}
	event, output := "PostToolUse", "ok  \tx\t0.01s"
	if pass {
		call["tool_response"] = map[string]any{"stdout": output, "stderr": ""}
	} else {
		event, output = "PostToolUseFailure", "--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s\nFAIL"
		call["error"] = "Exit code 1\n" + output
	}
	w.did(toolCall{Tool: "Bash", Input: map[string]any{"command": command}, OK: pass, Output: output})
	w.hook(event, call)
}

// forgotten makes the client one that keeps no session file: only the record is left.
func (w *factWorld) forgotten() {
	w.remove(w.transcript)
	w.transcript = filepath.Join(w.dir, "never-written.jsonl")
}

func (w *factWorld) stop(text string) given {
	if st, err := os.Stat(w.transcript); err == nil && st.Mode().IsRegular() {
		w.session.says(text)
		w.write(w.transcript, w.session.out.String())
	}
	return w.hook("Stop", map[string]any{"stop_hook_active": false, "last_assistant_message": text})
}

func (w *factWorld) bash(command string) given {
	return w.hook("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_use_id": "toolu_ship"})
}

const (
	claim  = "All tests pass, I'll commit this now."
	commit = "git commit -qam two"
)

// worked are the sessions in which the facts are taken away, in the order of the letters below.
var worked = []struct {
	name string
	do   func(w *factWorld)
}{
	{"passed", func(w *factWorld) { w.tests(true) }},
	{"passed, no session file", func(w *factWorld) { w.tests(true); w.forgotten() }},
	{"failed", func(w *factWorld) { w.tests(false) }},
	{"failed, no session file", func(w *factWorld) { w.tests(false); w.forgotten() }},
	{"changed since", func(w *factWorld) { w.tests(true); w.edit("package x // longer still\n") }},
	{"changed since, no session file", func(w *factWorld) { w.tests(true); w.edit("package x // longer still\n"); w.forgotten() }},
	{"never ran", func(*factWorld) {}},
}

// committed is the session whose push is asked about: the commit was made from a tree that had passed.
func committed(w *factWorld) {
	w.tests(true)
	w.bash(commit)
	w.git("commit", "-qam", "two")
	w.hook("PostToolUse", map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": commit}, "tool_use_id": "toolu_ship", "tool_response": map[string]any{"stdout": "", "stderr": ""},
	})
}

// fakeGit is the first git on PATH.
func (w *factWorld) fakeGit(script string) {
	put(w.t, filepath.Join(w.dir, "fake", "git"), "#!/bin/sh\n"+script+"\n")
	w.path = filepath.Join(w.dir, "fake") + string(os.PathListSeparator) + w.path
}

func (w *factWorld) ledger() string {
	place, err := filepath.EvalSymlinks(filepath.Join(w.repo, ".git"))
	if err != nil {
		w.t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(w.state, "ledger", hex.EncodeToString(sum[:12])+".jsonl")
}

// foreign gives the repository to another user, so that git refuses it; where we may not, git says so all the same.
func (w *factWorld) foreign() {
	if os.Geteuid() != 0 {
		w.fakeGit("echo \"fatal: detected dubious ownership in repository at '" + w.repo + "'\" >&2; exit 128")
		return
	}
	err := filepath.WalkDir(w.repo, func(p string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(p, 12345, 12345))
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// taken are the sources of facts, each cut off in turn, with what is answered then: one letter for each session of
// worked, at a stop and at a commit, and one for the push. A fact that is known still counts; a stop lets go and a gate
// asks where it is not.
var taken = []struct {
	name           string
	take           func(w *factWorld)
	stops, commits string
	push           byte
	kind           string // of the doctor's error; empty: all is well
	says           string // what every word about it names
	slow           bool
}{
	{name: "nothing", take: func(*factWorld) {}, stops: "ppbbbbb", commits: "ppddddd", push: 'p'},
	{
		name: "git is missing", take: func(w *factWorld) { w.path = filepath.Join(w.dir, "nothing") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "git-missing", says: "on the PATH",
	},
	{
		name: "git refuses", take: (*factWorld).foreign,
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-refused", says: "git config --global --add safe.directory ",
	},
	{
		name: "git is killed", take: func(w *factWorld) { w.fakeGit("kill -9 $$") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "git-fails", says: "git was killed",
	},
	{
		// What it started holds its output open when it is killed.
		name: "git is slow", take: func(w *factWorld) { w.fakeGit("sleep 30") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "git-fails", says: "git did not answer in time", slow: true,
	},
	{
		name: "git cannot be started", take: func(w *factWorld) {
			w.fakeGit("exit 0")
			if err := os.Chmod(filepath.Join(w.dir, "fake", "git"), 0o644); err != nil {
				w.t.Fatal(err)
			}
		},
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "git-missing", says: "cannot be started",
	},
	{
		name: "the ledger is a folder", take: func(w *factWorld) { w.remove(w.ledger()); mkdir(w.t, w.ledger()) },
		stops: "ttbtttt", commits: "padaaaa", push: 'p', kind: "record-broken", says: ".jsonl",
	},
	{
		name: "the ledger is garbage", take: func(w *factWorld) { w.write(w.ledger(), "\x00\x01 nothing of ours\n{\n") },
		stops: "ttbtttt", commits: "padaaaa", push: 'p', kind: "record-broken", says: ".jsonl",
	},
	{
		name: "the state folder is a file", take: func(w *factWorld) { w.remove(w.state); w.write(w.state, "") },
		stops: "ttbtttt", commits: "padaaaa", push: 'p', kind: "record-broken", says: "runs cannot be recorded",
	},
	{
		name: "the session file is a folder", take: func(w *factWorld) { w.remove(w.transcript); mkdir(w.t, w.transcript) },
		stops: "ppbbbbb", commits: "ddddddd", push: 'p',
	},
	{name: "the index is locked", take: func(w *factWorld) { w.write(".git/index.lock", "") }, stops: "ppbbbbb", commits: "ppddddd", push: 'p'},
	{
		name: "the index is corrupt", take: func(w *factWorld) { w.write(".git/index", "DIRC"+strings.Repeat(" garbage", 8)) },
		stops: "ttttttt", commits: "aaaaaaa", push: 'p', kind: "repository-broken", says: "git cannot read the index",
	},
	{
		name: "HEAD is corrupt", take: func(w *factWorld) { w.write(".git/HEAD", "garbage\n") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-broken", says: "for a repository",
	},
	{
		name: "HEAD has no commit", take: func(w *factWorld) { w.write(".git/refs/heads/main", strings.Repeat("1", 40)+"\n") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-broken", says: "git cannot read this repository",
	},
	{
		name: "objects are missing", take: func(w *factWorld) { w.remove(".git/objects"); mkdir(w.t, filepath.Join(w.repo, ".git/objects")) },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-broken", says: "git cannot read this repository",
	},
	{
		name: "the objects' folder is gone", take: func(w *factWorld) { w.remove(".git/objects") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-broken", says: "for a repository",
	},
	{
		name: ".git leads nowhere", take: func(w *factWorld) { w.remove(".git"); w.write(".git", "gitdir: "+w.dir+"/not-mounted\n") },
		stops: "ttttttt", commits: "aaaaaaa", push: 'a', kind: "repository-broken", says: "for a repository",
	},
	// Without any repository the conversation alone speaks, and a gate has nothing to guard.
	{name: "there is no repository", take: func(w *factWorld) { w.remove(".git") }, stops: "pbbbbbb", commits: "ppppppp", push: 'p'},
}

// TestFactsCutOff takes each source of facts away and asks both programs what rests on it.
func TestFactsCutOff(t *testing.T) {
	for _, cut := range taken {
		t.Run(cut.name, func(t *testing.T) {
			if cut.slow && testing.Short() {
				t.Skip("waits for a git that does not answer")
			}
			// says holds for what the person or the agent is told of it.
			says := func(t *testing.T, about, text string) {
				t.Helper()
				if !strings.Contains(text, cut.says) {
					t.Errorf("%s does not name %q: %s", about, cut.says, text)
				}
			}
			expect := func(t *testing.T, about string, got given, want byte) {
				t.Helper()
				if got.letter != want {
					t.Errorf("%s: %c, want %c: %s", about, got.letter, want, got.text)
				}
				if want == 't' || want == 'a' {
					says(t, about, got.text)
				}
			}
			for i, s := range worked {
				if (cut.slow || testing.Short()) && i%4 != 1 {
					continue // two sessions say most of it
				}
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					w := newFactWorld(t)
					s.do(w)
					cut.take(w)
					expect(t, "a stop that claims nothing", w.stop("The function is longer now."), 'p')
					expect(t, "a harmless call", w.bash("ls -l"), 'p')
					began := time.Now()
					expect(t, "the stop", w.stop(claim), cut.stops[i])
					if took := time.Since(began); took > 30*time.Second {
						t.Errorf("the stop took %v", took)
					}
					expect(t, "the commit", w.bash(commit), cut.commits[i])
					if i == 0 {
						// Said once, where it can be remembered.
						want := cut.stops[i]
						if want == 't' && cut.name != "the state folder is a file" {
							want = 'p'
						}
						expect(t, "the same stop again", w.stop(claim), want)
						w.toolsSay(cut.kind, says)
					}
				})
			}
			t.Run("committed", func(t *testing.T) {
				t.Parallel()
				w := newFactWorld(t)
				committed(w)
				cut.take(w)
				began := time.Now()
				expect(t, "the push", w.bash("git push origin main"), cut.push)
				if took := time.Since(began); took > 30*time.Second {
					t.Errorf("the push took %v", took)
				}
				prompt := w.hook("UserPromptSubmit", map[string]any{"prompt": "go on"})
				expect(t, "the prompt", prompt, 'p')
				if cut.kind != "" && cut.kind != "record-broken" && !strings.Contains(prompt.text, "cannot be told") {
					t.Errorf("the agent is not told what is unknown: %q", prompt.text)
				}
			})
		})
	}
}

// toolsSay asks the commands for people: none of them says that all is well.
func (w *factWorld) toolsSay(kind string, says func(t *testing.T, about, text string)) {
	t := w.t
	t.Helper()
	status := map[string]int{"evidence": 0, "evidence --json": 0, "status": 0, "doctor": 0}
	if kind != "" {
		status = map[string]int{"evidence": 1, "evidence --json": 1, "status": 0, "doctor": 2}
	}
	for command, want := range status {
		out, got := w.tool(strings.Fields(command)...)
		if got != want {
			t.Errorf("%s ends with %d, want %d: %s", command, got, want, out)
		}
		if strings.HasSuffix(command, "--json") && !json.Valid([]byte(out)) {
			t.Errorf("%s prints no JSON: %s", command, out)
		}
		if kind == "" {
			continue
		}
		says(t, command, strings.Join(strings.Fields(out), " "))
		switch command {
		case "evidence", "status":
			if !strings.Contains(out, "mend") {
				t.Errorf("%s names no mend: %s", command, out)
			}
		case "doctor":
			if !strings.Contains(out, "error   "+kind) || strings.Contains(out, " 0 errors") {
				t.Errorf("the doctor does not name %s as an error: %s", kind, out)
			}
		}
	}
}

// What our own reader tells for certain is told although git refuses the repository: the branch and the tree's ids, and
// so that the tests passed on this very tree.
func TestRefusedRepositoryStillHasATree(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	w := newFactWorld(t)
	w.tests(true)
	before, _ := w.tool("evidence", "--json")
	w.foreign()
	after, _ := w.tool("evidence", "--json")
	var was, is struct {
		Tree, Tracked_Tree, Head, Branch, Standing string //nolint:revive // as the JSON spells it
		Dirty                                      *bool
	}
	if err := errors.Join(json.Unmarshal([]byte(before), &was), json.Unmarshal([]byte(after), &is)); err != nil {
		t.Fatal(err)
	}
	if was.Dirty == nil || is.Dirty != nil {
		t.Errorf("dirty was %v and is %v; git alone can tell", was.Dirty, is.Dirty)
	}
	was.Dirty = nil
	if was != is || is.Standing != "supported" {
		t.Errorf("told %+v, before %+v", is, was)
	}
}
