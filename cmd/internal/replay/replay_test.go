package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/checks"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// writer makes a session file from short lines:
//
//	user TEXT            the user speaks
//	cd PATH              the session stands in another folder from here on
//	branch NAME          what is checked out from here on; "-" is no repository
//	run CMD => OUTPUT    a Bash call that ended well
//	fail CMD => OUTPUT   one that ended with status 1
//	edit PATH            an Edit call; edit PATH < BEFORE tells what the file held
//	new PATH < CONTENT   a Write call that made a file
//	agent ID KIND        a Task call whose subagent has this id
//	in ID run CMD => …   what the session's file repeats of a subagent's work
//	say TEXT             the assistant's words
//	stop                 the user interrupts
//	wait                 an hour goes by
type writer struct {
	session, agent, cwd, branch string
	prefix                      string // of the calls' ids
	bare                        bool   // lines say nothing of their place
	at                          time.Time
	n                           int
	last                        string
	out                         []string
}

func (w *writer) write(lines ...string) string {
	for _, line := range lines {
		verb, rest, _ := strings.Cut(line, " ")
		switch verb {
		case "cd":
			w.cwd = rest
		case "branch":
			w.branch = strings.TrimPrefix(rest, "-")
		case "wait":
			w.at = w.at.Add(time.Hour)
		case "user":
			w.line("user", map[string]any{"role": "user", "content": rest}, nil)
		case "stop":
			w.line("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "[Request interrupted by user]"}}}, nil)
		case "say":
			w.line("assistant", map[string]any{"id": fmt.Sprint("m", w.n), "content": []any{map[string]any{"type": "text", "text": rest}}}, nil)
		case "in":
			id, rest, _ := strings.Cut(rest, " ")
			inner := writer{prefix: w.prefix + "in-" + id, n: w.n, bare: true}
			for text := range strings.Lines(inner.write(rest)) {
				w.line("progress", nil, map[string]any{"data": map[string]any{"type": "agent_progress", "agentId": id, "message": json.RawMessage(text)}, "parentToolUseID": w.last})
			}
		default:
			w.call(verb, rest)
		}
	}
	return strings.Join(w.out, "\n") + "\n"
}

func (w *writer) call(verb, rest string) {
	command, output, _ := strings.Cut(rest, " => ")
	tool, input, result, failed := "Bash", map[string]any{"command": command}, any(nil), false
	switch verb {
	case "run":
	case "fail":
		failed, output = true, "Exit code 1\n"+output
	case "edit":
		p, before, told := strings.Cut(rest, " < ")
		tool, input = "Edit", map[string]any{"file_path": p, "old_string": "a", "new_string": "b"}
		if told {
			result = map[string]any{"filePath": p, "originalFile": before}
		}
	case "new":
		p, content, _ := strings.Cut(rest, " < ")
		tool, input = "Write", map[string]any{"file_path": p, "content": content}
		result = map[string]any{"type": "create", "filePath": p, "originalFile": nil}
	case "agent":
		id, kind, _ := strings.Cut(rest, " ")
		tool, input, output = "Task", map[string]any{"subagent_type": kind, "prompt": "work"}, "done"
		result = map[string]any{"agentId": id}
	default:
		panic("no such line: " + verb + " " + rest)
	}
	id := fmt.Sprint(w.prefix, "t", w.n)
	w.last = id
	w.line("assistant", map[string]any{"id": "m" + id, "content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}}, nil)
	w.line("user", map[string]any{"content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}}}, map[string]any{"toolUseResult": result})
}

func (w *writer) line(kind string, message map[string]any, more map[string]any) {
	w.n++
	if w.at.IsZero() {
		w.at = time.Date(2026, 2, 1, 8, 0, 0, 0, time.UTC)
	}
	w.at = w.at.Add(time.Second)
	o := map[string]any{"type": kind, "uuid": fmt.Sprint(w.prefix, w.session, "u", w.n)}
	if message != nil {
		o["message"] = message
	}
	if !w.bare {
		o["sessionId"], o["cwd"], o["gitBranch"], o["timestamp"] = w.session, w.cwd, w.branch, w.at.Format(time.RFC3339)
		o["parentUuid"] = nil
		if w.agent != "" {
			o["agentId"], o["isSidechain"] = w.agent, true
		}
	}
	for k, v := range more {
		if v != nil {
			o[k] = v
		}
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	w.out = append(w.out, string(b))
}

// onMac is a session on another machine's folder /Users/ana/shop.
func onMac(lines ...string) string {
	w := writer{session: "s1", cwd: "/Users/ana/shop", branch: "main"}
	return w.write(lines...)
}

// folder writes session files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcome is what a replay of a folder came to.
type outcome struct {
	findings []Finding
	details  []Detail
	gates    Gates
	counts   Counts
	unread   []Unread
	runs     []ReadRun
}

// judged replays a folder with the standard policy of nowhere; set changes the judge.
func judged(t *testing.T, dir string, set func(*Judge)) outcome {
	t.Helper()
	families, unread, _, err := Find([]string{dir}, "/home/me")
	if err != nil {
		t.Fatal(err)
	}
	out := outcome{unread: unread}
	known := checks.Known(checks.All())
	p := policy.Merge(nil, known, true, nil)
	j := &Judge{World: checks.World{Home: "/home/me", Config: "/home/me/.config", State: "/home/me/.local/state", GOOS: "linux", Now: time.Now()}, Checks: checks.All(), Policy: p, Elsewhere: p, Clock: time.Now}
	j.Emit = func(f Finding, detail func() Detail) {
		out.findings = append(out.findings, f)
		out.details = append(out.details, detail())
	}
	if set != nil {
		set(j)
	}
	r := NewReader(j.Policy.Verify, func(int) {})
	done := func(f *File, c Counts, err error) {
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		out.counts.Add(c)
		out.gates.Add(j.Take().Gates)
	}
	for _, fam := range families {
		r.Judge(t.Context(), fam, j, func(*File) bool { return false }, done)
	}
	again := NewReader(j.Policy.Verify, func(int) {})
	for _, fam := range families {
		again.Runs(t.Context(), fam, &Runs{Judge: j, Emit: func(r ReadRun) { out.runs = append(out.runs, r) }}, func(*File, Counts, error) {})
	}
	return out
}

// said is a finding in a few words: "ask git-reset-hard open".
func (o outcome) said(check string) []string {
	var out []string
	for _, f := range o.findings {
		if f.Check != check {
			continue
		}
		text := f.Decision.String() + " " + f.Rule
		if f.Open {
			text += " open"
		}
		out = append(out, text)
	}
	return out
}

// TestTheSessionsOwnFolder: paths of the machine that the session ran on are read
// as they were meant there: the project is its project, ~ its home folder.
func TestTheSessionsOwnFolder(t *testing.T) {
	for _, c := range []struct {
		name, cwd, check string
		lines            []string
		want             []string
	}{
		{"a built folder of the project by its full path", "/Users/ana/shop", "dangerous-command", []string{"run rm -rf /Users/ana/shop/node_modules"}, nil},
		{"a file of the project", "/Users/ana/shop", "dangerous-command", []string{"run rm /Users/ana/shop/src/a.go"}, nil},
		{"the project from a folder in it", "/Users/ana/shop", "dangerous-command", []string{"cd /Users/ana/shop/web", "run rm -rf ../node_modules"}, nil},
		{"a project outside any home folder", "/srv/app", "dangerous-command", []string{"run rm /srv/app/src/a.go"}, nil},
		{"a folder above the project", "/Users/ana/shop", "dangerous-command", []string{"run rm -rf /Users/ana"}, []string{"deny rm-home"}},
		{"home by its sign", "/Users/ana/code/shop", "dangerous-command", []string{"run rm -rf ~/Documents"}, []string{"deny rm-home"}},
		{"home by its variable", "/home/ana/shop", "dangerous-command", []string{"run rm -rf $HOME"}, []string{"deny rm-home"}},
		{"this person's home is not the session's", "/Users/ana/shop", "dangerous-command", []string{"run rm -rf /home/me/x"}, []string{"deny rm-system"}},
		{"a shell's start file there", "/Users/ana/shop", "protected-path", []string{"run echo x >> /Users/ana/.zshrc"}, []string{"ask path-system"}},
		{"a tool writes into the project", "/Users/ana/shop", "protected-path", []string{"new /Users/ana/shop/a.go < package a"}, nil},
		{"a drive", `C:\Users\Ana\shop`, "dangerous-command", []string{`run rm -rf "C:\Users\Ana\shop\node_modules" C:/Users/Ana/shop/dist /c/Users/Ana/shop/build`}, nil},
		{"home on a drive", `C:\Users\Ana\shop`, "dangerous-command", []string{`run rm -rf "C:\Users\Ana"`}, []string{"deny rm-home"}},
		{"a tool on a drive", `C:\Users\Ana\shop`, "protected-path", []string{`edit C:\Users\Ana\.ssh\config`}, []string{"deny path-key"}},
		{"the guard's own policy there", "/Users/ana/shop", "guard-tamper", []string{"run rm /Users/ana/.config/agentguard/policy.jsonc"}, []string{"deny tamper-policy"}},
		{"the policy of this machine is no guard of that one", "/Users/ana/shop", "guard-tamper", []string{"run rm /home/me/.config/agentguard/policy.jsonc"}, nil},
		{"no folder at all", "", "dangerous-command", []string{"run rm -rf ~"}, []string{"deny rm-home"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := writer{session: "s1", cwd: c.cwd, branch: "main"}
			got := judged(t, folder(t, map[string]string{"a.jsonl": w.write(append([]string{"user clean up"}, c.lines...)...)}), nil)
			if diff := cmp.Diff(c.want, got.said(c.check)); diff != "" {
				t.Errorf("%s\n%+v", diff, got.findings)
			}
			for _, f := range got.findings {
				if f.Project == "" || f.CWD == "" {
					t.Errorf("a finding without its folder: %+v", f)
				}
			}
		})
	}
}

// TestNothingOfThisMachine: what lies at the session's paths on this machine says
// nothing of the session, unless its folder is the one that is asked about.
func TestNothingOfThisMachine(t *testing.T) {
	project := folder(t, map[string]string{
		"run.sh": "#!/bin/sh\nrm -rf ~\n", "real/.env": "A=1", ".env": "A=1",
		".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\trepositoryformatversion = 0\n[alias]\n\tnuke = !rm -rf ~\n", ".git/objects/x": "", ".git/refs/x": "",
	})
	if err := os.Symlink("real/.env", filepath.Join(project, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	w := writer{session: "s1", cwd: project, branch: "main"}
	dir := folder(t, map[string]string{"a.jsonl": w.write("user go", "run sh run.sh", "run echo x > notes.txt", "run cp .env.example .env", "run git nuke")})
	all := func(o outcome) []string { return slices.Concat(o.said("dangerous-command"), o.said("protected-path")) }
	if got := all(judged(t, dir, nil)); !slices.Equal(got, []string{"deny path-secret open"}) {
		t.Errorf("from elsewhere: %v", got)
	}
	here := func(j *Judge) { j.Here = project }
	if got := all(judged(t, dir, here)); !slices.Equal(got, []string{"deny rm-home", "deny path-secret", "deny path-secret"}) {
		t.Errorf("from the folder itself: %v", got)
	}
}

// TestOpen: a refusal that rests on what nobody knows any more is told apart from
// one that stands in any case.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name, line, check string
		want              []string
	}{
		{"lost work, if there was any", "run git checkout -- .", "dangerous-command", []string{"ask git-checkout-paths open"}},
		{"a folder that git may hold", "run rm -rf src/old", "dangerous-command", []string{"ask rm-work open"}},
		{"others' commits in any case", "run git push --force origin main", "dangerous-command", []string{"deny git-push-force"}},
		{"the home folder in any case", "run rm -rf ~", "dangerous-command", []string{"deny rm-home"}},
		{"a file of the home folder, there or not", "run rm ~/notes.txt", "dangerous-command", []string{"ask rm-home"}},
		{"a template over what may be there", "run cp .env.example .env", "protected-path", []string{"deny path-secret open"}},
		{"settings that the session does not show", "edit /Users/ana/shop/.claude/settings.json", "guard-tamper", []string{"ask tamper-settings open"}},
		{"settings that it shows", `edit /Users/ana/shop/.claude/settings.json < {"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`, "guard-tamper", []string{"ask tamper-settings"}},
		{"harmless settings that it shows", `edit /Users/ana/shop/.claude/settings.json < {"model":"a"}`, "guard-tamper", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judged(t, folder(t, map[string]string{"a.jsonl": onMac("user go", c.line)}), nil)
			if diff := cmp.Diff(c.want, got.said(c.check)); diff != "" {
				t.Errorf("%s\n%+v", diff, got.findings)
			}
		})
	}
}

// TestClosing: a turn that the user broke off, or whose words came before its last
// call, has no closing message.
func TestClosing(t *testing.T) {
	base := []string{"user go", "fail go test ./... => --- FAIL: TestA\nFAIL\tx\t0.1s\nFAIL"}
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"the last words", []string{"say All tests pass."}, 1},
		{"words before a call", []string{"say All tests pass.", "run ls"}, 0},
		{"words that the user cut off", []string{"say All tests pass.", "stop"}, 0},
		{"words of an earlier turn", []string{"say All tests pass.", "user and now?", "say Nothing."}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judged(t, folder(t, map[string]string{"a.jsonl": onMac(append(base, c.lines...)...)}), nil)
			if n := len(got.said("false-claim")); n != c.want {
				t.Errorf("%d closing messages were refused, not %d: %+v", n, c.want, got.findings)
			}
		})
	}
}

// TestCopies: a session that repeats another one is judged once where they agree.
func TestCopies(t *testing.T) {
	old := onMac("user go", "run rm -rf ~", "run go test ./... => ok  \tx\t0.1s", "say Done.")
	resumed := strings.ReplaceAll(old, `"sessionId":"s1"`, `"sessionId":"s2"`)
	w := writer{session: "s2", cwd: "/Users/ana/shop", branch: "main", prefix: "x"}
	got := judged(t, folder(t, map[string]string{"a.jsonl": old, "b.jsonl": resumed + w.write("user more", "run rm -rf ~/x")}), nil)
	if diff := cmp.Diff(Counts{Sessions: 2, Turns: 2, Calls: 3, Copied: 2}, got.counts); diff != "" {
		t.Error(diff)
	}
	if n := len(got.said("dangerous-command")); n != 2 {
		t.Errorf("%d findings, not 2", n)
	}
	if len(got.runs) != 1 {
		t.Errorf("%d runs, not 1", len(got.runs))
	}
	// The same session in two folders is no second run of its calls either.
	twice := judged(t, folder(t, map[string]string{"a/s1.jsonl": onMac("user go", code, red, save), "b/s1.jsonl": onMac("user go", code, red, save)}), nil)
	if len(twice.details) != 1 || len(twice.details[0].Runs) != 1 || twice.details[0].Runs[0].CallsAgo != 1 {
		t.Errorf("%+v", twice.details)
	}
}

// TestFindingSays: a finding names its place, and its text holds no secret.
func TestFindingSays(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	got := judged(t, folder(t, map[string]string{"a.jsonl": onMac("user go", "run TOKEN="+token+" rm -rf ~")}), nil)
	if len(got.findings) == 0 {
		t.Fatal("nothing was found")
	}
	f := got.findings[0]
	at := time.Date(2026, 2, 1, 8, 0, 2, 0, time.UTC)
	want := Finding{
		Session: "s1", File: f.File, Turn: 1, Event: hook.PreToolUse, Check: "dangerous-command", Rule: "rm-home", Decision: hook.Deny, Mode: "enforce",
		Enforced: true, Subject: f.Subject, Reason: f.Reason, Time: &at, ToolUseID: "t1", CWD: "/Users/ana/shop", Project: "/Users/ana/shop",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	b, err := json.Marshal([]any{f, got.details[0]})
	if err != nil || strings.Contains(string(b), token) || !strings.Contains(f.Subject, "rm -rf ~") {
		t.Errorf("%s", b)
	}
}

// TestRuns: a listing shows how each run was read beside its own status.
func TestRuns(t *testing.T) {
	got := judged(t, folder(t, map[string]string{"a.jsonl": onMac(
		"user go",
		"run go test ./... => ok  \tx\t0.1s",
		"fail go test ./... => --- FAIL: TestA\nFAIL\tx\t0.1s\nFAIL",
		"run go test ./... | tail -1 => ok  \tx\t0.1s",
		"in none run ls",
		"run echo go test",
	)}), nil)
	var lines []string
	for _, r := range got.runs {
		status := "?"
		if r.Status != nil {
			status = fmt.Sprint(*r.Status)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %v", r.Command, status, r.Outcome, r.Misread))
	}
	want := []string{"go test ./... 0 passed false", "go test ./... 1 failed false", "go test ./... ? passed false"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// TestCancelled: a reading that is broken off tells of no file that it is done.
func TestCancelled(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": onMac("user go", "run ls", "say Done.")})
	families, _, _, err := Find([]string{dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	NewReader(policy.Verify{}, func(int) {}).Runs(ctx, families[0], &Runs{}, func(f *File, _ Counts, _ error) { t.Errorf("%s is done", f.Path) })
}
