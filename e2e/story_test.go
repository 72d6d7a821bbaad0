package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"agentguard/e2e/client"
	"agentguard/e2e/model"
)

// step is one turn of the scripted model and what its next request must (hears) and must not (misses) tell it, both
// regular expressions. The last step must end the session: a request after it fails the story.
type step struct {
	does   model.Turn
	hears  string
	misses string
}

// story is one repository with a home folder, and sessions of the real client in it.
type story struct {
	t      *testing.T
	home   string
	repo   string
	remote string // bare repository behind origin
	client client.Client
	env    map[string]string
	mode   string       // permission mode, bypassPermissions when empty
	args   []string     // more options of the client
	sub    []model.Turn // what a subagent does whose task begins with "SUB"
	judge  []model.Turn // answers of the model where it is asked for a verdict

	server *model.Server
	result client.Result
}

// newStory makes a small Go module with a pushed commit. It skips the test on a machine without the client.
func newStory(t *testing.T) *story {
	t.Helper()
	c := realClient(t)
	dir := outsideTemp(t)
	s := &story{
		t: t, client: c, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "my repo"), remote: filepath.Join(dir, "remote.git"),
		env: map[string]string{
			"GOCACHE": goEnv(t, "GOCACHE"), "GOPATH": filepath.Join(dir, "gopath"), "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": "",
		},
	}
	for _, d := range []string{s.repo, filepath.Join(s.home, ".local", "bin")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(filepath.Join(s.home, ".gitconfig"),
		"[user]\n\tname = e2e\n\temail = e2e@example.invalid\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n")
	s.write("go.mod", "module greet\n\ngo 1.26\n")
	s.write("greet.go", "package greet\n\nfunc Hello() string { return \"hello\" }\n")
	s.write("greet_test.go", "package greet\n\nimport \"testing\"\n\nfunc TestHello(t *testing.T) {\n\tif Hello() == \"\" {\n\t\tt.Fatal(\"empty\")\n\t}\n}\n")
	s.sh("git init -q . && git add . && git commit -q -m first && git init -q --bare " + s.remote +
		" && git remote add origin " + s.remote + " && git push -q -u origin main")
	return s
}

// install puts the programs where a person's install.sh puts them.
func (s *story) install() {
	s.t.Helper()
	for _, p := range programs(s.t) {
		link(s.t, p, filepath.Join(s.home, ".local", "bin", filepath.Base(p)))
	}
}

// guarded makes a story in which the guards are set up the way the README says.
func guarded(t *testing.T) *story {
	t.Helper()
	s := newStory(t)
	s.install()
	s.sh("agentguard init --yes")
	return s
}

// play runs one session, turn by turn, and checks what each turn's result told the model.
func (s *story) play(prompt string, steps ...step) {
	s.t.Helper()
	turns := make([]model.Turn, len(steps))
	for i, st := range steps {
		turns[i] = st.does
	}
	s.start(model.Script{Lanes: []model.Lane{
		{Name: "judge", When: model.Match{Offers: model.StructuredTool}, Turns: s.judge, Loop: true},
		{Name: "sub", When: model.Match{FirstUser: `(?m)^SUB`}, Turns: s.sub},
		{Name: "main", Turns: turns},
	}})
	var err error
	s.result, err = s.client.Run(s.t.Context(), client.Run{
		Home: s.home, Dir: s.repo, Path: s.path(), ModelURL: s.server.URL(), Prompt: prompt, Env: s.env, Mode: s.mode, Args: s.args,
	})
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.told())
	}
	main := s.server.Lane("main")
	for i, st := range steps {
		if i+1 >= len(main) {
			if i+1 < len(steps) {
				s.t.Fatalf("the session ended after turn %d of %d\n%s", i+1, len(steps), s.told())
			}
			break
		}
		next := main[i+1].New
		if st.hears != "" && !regexp.MustCompile(st.hears).MatchString(next) {
			s.t.Errorf("after turn %d the model does not hear %q:\n%s", i+1, st.hears, next)
		}
		if st.misses != "" && regexp.MustCompile(st.misses).MatchString(next) {
			s.t.Errorf("after turn %d the model hears %q:\n%s", i+1, st.misses, next)
		}
	}
	if len(main) > len(steps) {
		s.t.Errorf("the session went on after its last turn; the model heard:\n%s", main[len(steps)].New)
	}
	s.quietHooks()
}

// quietHooks checks the rule that holds in every session: a hook prints one JSON object or nothing, and exits 0.
func (s *story) quietHooks() {
	s.t.Helper()
	for _, h := range s.result.Hooks {
		out := strings.TrimSpace(h.Stdout)
		if h.Status != 0 || h.Outcome != "success" || out != "" && !oneObject(out) {
			s.t.Errorf("hook on %s: outcome %s, status %d, stdout %q, stderr %q", h.Event, h.Outcome, h.Status, h.Stdout, h.Stderr)
		}
	}
}

// blocks counts the Stop hooks that kept the session going.
func (s *story) blocks() int {
	n := 0
	for _, h := range s.result.Of("Stop") {
		if strings.Contains(h.Stdout, `"block"`) {
			n++
		}
	}
	return n
}

func (s *story) start(script model.Script) {
	s.t.Helper()
	srv, err := model.Start(s.t.Context(), script)
	if err != nil {
		s.t.Fatal(err)
	}
	s.server = srv
	s.t.Cleanup(func() { _ = srv.Close() })
}

func (s *story) path() string {
	return filepath.Join(s.home, ".local", "bin") + string(os.PathListSeparator) + toolPath(s.t)
}

// sh runs a command line in the repository with the environment of the session's user, and returns what it printed.
func (s *story) sh(command string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	env := map[string]string{"HOME": s.home, "PATH": s.path(), "LANG": "C.UTF-8", "TERM": "dumb", "TMPDIR": os.TempDir()}
	maps.Copy(env, s.env)
	for _, k := range slices.Sorted(maps.Keys(env)) {
		cmd.Env = append(cmd.Env, k+"="+env[k])
	}
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.repo, &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: %v\n%s%s", command, err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String())
}

// write makes a file; a relative path is one in the repository.
func (s *story) write(path, content string) {
	s.t.Helper()
	path = s.abs(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// read returns a file's content, empty where there is none.
func (s *story) read(path string) string {
	s.t.Helper()
	raw, err := os.ReadFile(s.abs(path))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(raw)
}

func (s *story) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.repo, path)
}

// told is the session as the model saw it, for a failing test's output.
func (s *story) told() string {
	var b strings.Builder
	for i, r := range s.server.Requests() {
		fmt.Fprintf(&b, "request %d, lane %q, turn %d: %.600s\n", i+1, r.Lane, r.Turn, r.New)
	}
	for _, h := range s.result.Hooks {
		fmt.Fprintf(&b, "hook on %s: %s %.300s%.300s\n", h.Event, h.Outcome, h.Stdout, h.Stderr)
	}
	return b.String()
}

// judgeWith puts the client on PATH as a judge and names it in the policy as the only one.
func (s *story) judgeWith(name string) {
	s.t.Helper()
	if err := os.Symlink(s.client.Path, filepath.Join(s.home, ".local", "bin", name)); err != nil {
		s.t.Fatal(err)
	}
	s.write(filepath.Join(s.home, ".config", "agentguard", "policy.jsonc"), `{"version": 1, "judge": {"order": ["`+name+`"]}}`)
}

// tree is the repository's content by path, git's own folder left out.
func (s *story) tree() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, f := range filesBelow(s.t, s.repo) {
		if !strings.HasPrefix(f, ".git/") {
			out[f] = s.read(f)
		}
	}
	return out
}

// deafJudge puts a client on PATH that does not hear the switches by which a judge's call keeps hooks off.
func (s *story) deafJudge() {
	s.t.Helper()
	path := filepath.Join(s.home, ".local", "bin", "claude")
	if err := os.Remove(path); err != nil {
		s.t.Fatal(err)
	}
	put(s.t, path, `#!/bin/sh
n=$#
while [ "$n" -gt 0 ]; do
  arg=$1; shift; n=$((n - 1))
  case $arg in
  --settings | --setting-sources) shift; n=$((n - 1)) ;;
  --bare | --safe-mode) ;;
  *) set -- "$@" "$arg" ;;
  esac
done
exec "`+s.client.Path+`" "$@"
`)
}

// record is a line of agentguard's log.
type record struct {
	Kind     string `json:"kind"`
	Session  string `json:"session"`
	Event    string `json:"event"`
	Decision string `json:"decision"`
	Check    string `json:"check"`
	Note     string `json:"note"`
}

// records reads the log of the story's person.
func (s *story) records() []record {
	s.t.Helper()
	dir := filepath.Join(s.home, ".local", "state", "agentguard", "log")
	var out []record
	for _, f := range filesBelow(s.t, dir) {
		for line := range strings.Lines(s.read(filepath.Join(dir, f))) {
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				s.t.Fatalf("%s: %v in %q", f, err, line)
			}
			out = append(out, r)
		}
	}
	return out
}

// await waits until agentguard's log holds a text, for at most half a minute: how soon the client notices a changed
// file depends on the machine's load. It may be called while a session runs.
func (s *story) await(text string) {
	pattern := filepath.Join(s.home, ".local", "state", "agentguard", "log", "*.jsonl")
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		logs, err := filepath.Glob(pattern)
		for _, log := range logs {
			raw, readErr := os.ReadFile(log)
			if err == nil && readErr == nil && bytes.Contains(raw, []byte(text)) {
				time.Sleep(time.Second) // what the client does with the answer
				return
			}
		}
	}
}
