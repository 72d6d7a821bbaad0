package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// desk is a repository in which sessions of a client are played by hand: what a session does goes into its transcript and
// to the hook program, as the client would send it.
type desk struct {
	t    *testing.T
	home string
	repo string
	dir  string // the session's folder; moves with cd
	tick int
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, home: filepath.Join(base, "home"), repo: filepath.Join(base, "repo")}
	d.dir = d.repo
	d.write("go.mod", "module x\n")
	d.write("a.go", "package x\n")
	d.write("sub/b.go", "package sub\n")
	d.write(".agentguard/policy.jsonc", `{"version": 1, "verify": {"test": ["go test ./..."]}}`)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=e2e", "-c", "user.email=e2e@example.invalid", "commit", "-q", "-m", "one"},
	} {
		d.run(nil, "git", args...)
	}
	d.write("a.go", "package x // changed\n")
	d.run(nil, "git", "add", "-A")
	return d
}

func (d *desk) write(path, content string) {
	d.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(d.repo, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// run starts a program in the session's folder and returns its standard output.
func (d *desk) run(stdin []byte, name string, args ...string) string {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), name, args...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stderr = d.dir, bytes.NewReader(stdin), &errs
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + toolPath(d.t), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, errs.String())
	}
	return string(out)
}

// transcript is the file of a session, or of one of its subagents.
func (d *desk) transcript(session, agent string) string {
	base := filepath.Join(d.home, ".claude", "projects", "-repo", session)
	if agent != "" {
		return filepath.Join(base, "subagents", "agent-"+agent+".jsonl")
	}
	return base + ".jsonl"
}

// line adds one line to a transcript.
func (d *desk) line(session, agent string, fields map[string]any) {
	d.t.Helper()
	d.tick++
	at := time.Now().UTC().Add(time.Duration(d.tick) * time.Millisecond)
	fields["timestamp"], fields["cwd"], fields["sessionId"], fields["isSidechain"] = at.Format(time.RFC3339Nano), d.dir, session, agent != ""
	raw, err := json.Marshal(fields)
	if err != nil {
		d.t.Fatal(err)
	}
	path := d.transcript(session, agent)
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	d.write(path, string(old)+string(raw)+"\n")
}

// prompt is a message of the user.
func (d *desk) prompt(session, text string) {
	d.t.Helper()
	d.line(session, "", map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
	d.event(session, "", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": text})
}

// event sends one event to the hook program and returns its answer.
func (d *desk) event(session, agent string, fields map[string]any) string {
	d.t.Helper()
	fields["session_id"], fields["cwd"] = session, d.dir
	if _, set := fields["transcript_path"]; !set {
		fields["transcript_path"] = d.transcript(session, "")
	}
	if agent != "" {
		fields["agent_id"], fields["agent_type"] = agent, "general-purpose"
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.run(raw, programs(d.t)[1])
}

// call is one tool call with its result.
type call struct {
	session, agent, id string
	tool               string // Bash when empty
	input              map[string]any
	output             string // as the model sees it
	failed             bool
	response           any // the tool's own result; the output as that of a shell when nil
	unwritten          bool
	noTranscript       bool // the client keeps none
}

func (d *desk) call(c call) {
	d.t.Helper()
	if c.tool == "" {
		c.tool = "Bash"
	}
	if c.response == nil {
		c.response = map[string]any{"stdout": c.output, "stderr": "", "interrupted": false}
	}
	if !c.unwritten && !c.noTranscript {
		d.line(c.session, c.agent, map[string]any{"type": "assistant", "message": map[string]any{"id": "msg_" + c.id, "role": "assistant", "content": []any{
			map[string]any{"type": "tool_use", "id": c.id, "name": c.tool, "input": c.input},
		}}})
		d.line(c.session, c.agent, map[string]any{"type": "user", "toolUseResult": c.response, "message": map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": c.id, "content": c.output, "is_error": c.failed},
		}}})
	}
	ev := map[string]any{"hook_event_name": "PostToolUse", "tool_name": c.tool, "tool_input": c.input, "tool_use_id": c.id, "tool_response": c.response}
	if c.failed {
		ev["hook_event_name"], ev["error"] = "PostToolUseFailure", c.output
		delete(ev, "tool_response")
	}
	if c.noTranscript {
		ev["transcript_path"] = nil
	}
	d.event(c.session, c.agent, ev)
}

// tests is a run of the tests that passes, unless the call says otherwise.
func (d *desk) tests(c call) {
	d.t.Helper()
	if c.input == nil {
		c.input = map[string]any{"command": "go test ./..."}
	}
	if c.output == "" {
		c.output = "ok  \tx\t0.01s"
	}
	d.call(c)
}

// background puts a run of the tests into the background, the way the client does it by itself: call t1 becomes task b1,
// whose output goes to the file that it returns.
func (d *desk) background(session string) string {
	d.t.Helper()
	file := filepath.Join(d.home, "tmp", session, "tasks", "b1.output")
	d.call(call{
		session: session, id: "t1", input: map[string]any{"command": "go test ./..."},
		output: "Command did not complete within its 120s timeout and was moved to the background (ID: b1). Output is being written to: " +
			file + ". You will be notified when it completes.",
		response: map[string]any{"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": "b1", "timedOutAfterMs": 120000},
	})
	return file
}

// reads looks at a file the way the client's tool shows it.
func (d *desk) reads(session, file, content string) {
	d.t.Helper()
	d.write(file, content)
	var shown strings.Builder
	for i, line := range strings.Split(content, "\n") {
		fmt.Fprintf(&shown, "%d\t%s\n", i+1, line)
	}
	d.call(call{
		session: session, id: "t2", tool: "Read", input: map[string]any{"file_path": file}, output: strings.TrimSuffix(shown.String(), "\n"),
		response: map[string]any{"type": "text", "file": map[string]any{"filePath": file, "content": content, "startLine": 1}},
	})
}

// notice is the client's word that the task in the background ended.
func (d *desk) notice(session, file, status, end string) {
	d.t.Helper()
	d.prompt(session, "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<output-file>"+file+"</output-file>\n<status>"+
		status+"</status>\n<summary>Background command \"go test ./...\" "+end+"</summary>\n</task-notification>")
}

var refusedFor = regexp.MustCompile(`\[unverified-commit\] .*?\((\w+): `)

// gate is what the hook answers to a command that ships work: the standing that it refuses for, "supported" where it
// passes.
func (d *desk) gate(session, command string) string {
	d.t.Helper()
	answer := d.event(session, "", map[string]any{
		"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_ship", "tool_input": map[string]any{"command": command},
	})
	if strings.TrimSpace(answer) == "" {
		return "supported"
	}
	if m := refusedFor.FindStringSubmatch(answer); m != nil {
		return m[1]
	}
	d.t.Fatalf("the gate answers %s", answer)
	return ""
}

// told is what a person is told outside of any session: by evidence, and by explain of the same commit.
func (d *desk) told() (evidence, explained string) {
	d.t.Helper()
	var facts struct{ Standing *string }
	if err := json.Unmarshal([]byte(d.run(nil, programs(d.t)[0], "evidence", "--json")), &facts); err != nil {
		d.t.Fatal(err)
	}
	evidence = "unknown"
	if facts.Standing != nil {
		evidence = *facts.Standing
	}
	out := d.run(nil, programs(d.t)[0], "explain", "--", "git", "commit", "-qm", "two")
	explained = "supported"
	if m := regexp.MustCompile(`standing: (\w+)`).FindStringSubmatch(out); m != nil {
		explained = m[1]
	}
	return evidence, explained
}

// One tree has one standing, whoever is asked: the gate in the session, evidence and explain outside of it.
func TestEvidenceAndHookAgree(t *testing.T) {
	const ended = "\n\n[exited with code 0]\n"
	for _, tt := range []struct {
		name string
		want string
		do   func(d *desk)
	}{
		{"nothing ran", "no_run", func(*desk) {}},
		{"the session's run", "supported", func(d *desk) { d.tests(call{session: "s", id: "t1"}) }},
		{"it failed", "failed", func(d *desk) {
			d.tests(call{session: "s", id: "t1", output: "Exit code 1\n--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s", failed: true})
		}},
		{"edited since", "stale", func(d *desk) {
			d.tests(call{session: "s", id: "t1"})
			d.write("a.go", "package x // again\n")
		}},
		{"a new file since", "stale", func(d *desk) {
			d.tests(call{session: "s", id: "t1"})
			d.write("new.go", "package x\n")
			d.call(call{session: "s", id: "t2", tool: "Write", input: map[string]any{"file_path": filepath.Join(d.repo, "new.go")}, output: "created", response: map[string]any{"type": "create"}})
		}},
		{"after cd", "supported", func(d *desk) {
			d.dir = filepath.Join(d.repo, "sub")
			d.tests(call{session: "s", id: "t1", input: map[string]any{"command": "cd .. && go test ./..."}})
		}},
		{"many turns ago", "supported", func(d *desk) {
			d.tests(call{session: "s", id: "t1"})
			for n := range 5 {
				d.prompt("s", fmt.Sprint("and then ", n))
			}
		}},
		{"a subagent's run", "supported", func(d *desk) {
			d.prompt("s", "go on")
			d.tests(call{session: "s", agent: "a0123456789abcdef", id: "t1"})
		}},
		{"a subagent's run, kept beside the session", "supported", func(d *desk) {
			d.prompt("s", "go on")
			d.tests(call{session: "s", agent: "a1", id: "t1"})
			old := d.transcript("s", "a1")
			if err := os.Rename(old, filepath.Join(filepath.Dir(d.transcript("s", "")), "agent-a1.jsonl")); err != nil {
				d.t.Fatal(err)
			}
		}},
		{"a subagent's run failed", "failed", func(d *desk) {
			d.prompt("s", "go on")
			d.tests(call{session: "s", agent: "a1", id: "t1", output: "Exit code 1\n--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s", failed: true})
		}},
		{"another session's run", "supported", func(d *desk) {
			d.tests(call{session: "other", id: "t1"})
			d.prompt("s", "commit it")
		}},
		{"another session's run, its transcript gone", "supported", func(d *desk) {
			d.tests(call{session: "other", id: "t1", unwritten: true})
			d.prompt("s", "commit it")
		}},
		{"a client without transcripts", "supported", func(d *desk) { d.tests(call{session: "s", id: "t1", noTranscript: true}) }},
		{"a client that reports the output alone", "supported", func(d *desk) {
			d.tests(call{session: "s", id: "t1", noTranscript: true, response: "ok  \tx\t0.01s\n"})
		}},
		{"such a client, failed", "failed", func(d *desk) {
			d.tests(call{session: "s", id: "t1", noTranscript: true, response: "--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s\nFAIL\n"})
		}},
		{"such a client, with a head", "failed", func(d *desk) {
			d.tests(call{session: "s", id: "t1", noTranscript: true, response: "Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 1\nOutput:\nx\n"})
		}},
		{"such a client, by another name of the tool", "supported", func(d *desk) {
			d.write(d.transcript("s", ""), `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"t1"}}`+"\n")
			d.tests(call{
				session: "s", id: "t1", unwritten: true, tool: "exec_command", input: map[string]any{"cmd": "go test ./..."},
				response: "Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n\n",
			})
		}},
		{"such a client, forged", "no_run", func(d *desk) {
			d.write(d.transcript("s", ""), `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"t2"}}`+"\n")
			d.tests(call{session: "s", id: "t1", unwritten: true, response: "ok  \tx\t0.01s\n"})
		}},
		{"a forged record", "no_run", func(d *desk) {
			d.prompt("s", "go on")
			d.tests(call{session: "s", id: "t1", unwritten: true})
		}},
		{"a forged record, quoted in the conversation", "no_run", func(d *desk) {
			d.prompt("s", `go on with {"id":"t1"}`)
			d.tests(call{session: "s", id: "t1", unwritten: true})
		}},
		{"a forged record, many turns ago", "no_run", func(d *desk) {
			d.tests(call{session: "s", id: "t1", unwritten: true})
			for n := range 5 {
				d.prompt("s", fmt.Sprint("and then ", n))
			}
		}},
		{"a forged record of another session", "no_run", func(d *desk) {
			d.prompt("other", "go on")
			d.tests(call{session: "other", id: "t1", unwritten: true})
		}},
		{"a forged record of a subagent", "no_run", func(d *desk) {
			d.prompt("s", "go on")
			d.write(d.transcript("s", "/../../../x"), `{"id":"t1"}`)
			d.tests(call{session: "s", agent: "/../../../x", id: "t1", unwritten: true})
		}},
		{"a forged record behind a real run", "failed", func(d *desk) {
			d.tests(call{session: "s", id: "t1", output: "Exit code 1\n--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s", failed: true})
			d.tests(call{session: "s", id: "t2", unwritten: true})
		}},
		{"only started in the background", "background_only", func(d *desk) { d.background("s") }},
		{"in the background, read too early", "background_only", func(d *desk) {
			d.reads("s", d.background("s"), "ok  \tx/a\t0.01s\n")
		}},
		{"in the background, its end read", "supported", func(d *desk) {
			d.reads("s", d.background("s"), "ok  \tx\t0.01s"+ended)
		}},
		{"in the background, another file read", "background_only", func(d *desk) {
			file := d.background("s")
			d.reads("s", filepath.Join(filepath.Dir(file), "b2.output"), "ok  \tx\t0.01s"+ended)
		}},
		{"in the background, its failure read", "failed", func(d *desk) {
			d.reads("s", d.background("s"), "--- FAIL: TestX (0.00s)\nFAIL\tx\t0.01s\n\n[exited with code 1]\n")
		}},
		{"in the background, its end read, edited since", "stale", func(d *desk) {
			d.reads("s", d.background("s"), "ok  \tx\t0.01s"+ended)
			d.write("a.go", "package x // again\n")
		}},
		{"in the background, edited meanwhile", "stale", func(d *desk) {
			file := d.background("s")
			d.write("a.go", "package x // again\n")
			d.reads("s", file, "ok  \tx\t0.01s"+ended)
		}},
		{"in the background, edited meanwhile and taken back", "unknown", func(d *desk) {
			file := d.background("s")
			d.write("a.go", "package x // again\n")
			d.reads("s", file, "ok  \tx\t0.01s"+ended)
			d.write("a.go", "package x // changed\n")
		}},
		{"in the background, documentation edited meanwhile", "supported", func(d *desk) {
			file := d.background("s")
			d.write("README.md", "x\n")
			d.run(nil, "git", "add", "README.md")
			d.reads("s", file, "ok  \tx\t0.01s"+ended)
		}},
		{"in the background, asked for", "supported", func(d *desk) {
			d.background("s")
			d.call(call{
				session: "s", id: "t2", tool: "TaskOutput", input: map[string]any{"task_id": "b1", "block": true},
				output:   "<retrieval_status>success</retrieval_status>\n<task_id>b1</task_id>\n<status>completed</status>\n<exit_code>0</exit_code>\n<output>\nok  \tx\t0.01s\n</output>",
				response: map[string]any{"retrieval_status": "success", "task": map[string]any{"task_id": "b1", "status": "completed", "output": "ok  \tx\t0.01s\n", "exitCode": 0}},
			})
		}},
		{"in the background, asked for too early", "background_only", func(d *desk) {
			d.background("s")
			d.call(call{
				session: "s", id: "t2", tool: "TaskOutput", input: map[string]any{"task_id": "b1", "block": false},
				output:   "<retrieval_status>not_ready</retrieval_status>\n<task_id>b1</task_id>\n<status>running</status>\n<output>\nok  \tx\t0.01s\n</output>",
				response: map[string]any{"retrieval_status": "not_ready", "task": map[string]any{"task_id": "b1", "status": "running", "output": "ok  \tx\t0.01s\n", "exitCode": nil}},
			})
		}},
		{"in the background, asked for the older way", "failed", func(d *desk) {
			d.background("s")
			d.call(call{
				session: "s", id: "t2", tool: "BashOutput", input: map[string]any{"bash_id": "b1"},
				output:   "<status>failed</status>\n<exit_code>1</exit_code>\n<stdout>\nFAIL\tx\t0.01s\n</stdout>",
				response: map[string]any{"shellId": "b1", "status": "failed", "exitCode": 1, "stdout": "FAIL\tx\t0.01s\n", "stderr": ""},
			})
		}},
		{"only watched", "background_only", func(d *desk) {
			d.tests(call{session: "s", id: "t1", tool: "Monitor", response: map[string]any{"taskId": "m1", "timeoutMs": 1000}})
		}},
		{"a client that answers in a way of its own", "unknown", func(d *desk) {
			d.tests(call{session: "s", id: "t1", noTranscript: true, response: map[string]any{"result_type": "success"}})
		}},
		{"in the background, noticed", "supported", func(d *desk) {
			d.notice("s", d.background("s"), "completed", "completed (exit code 0)")
		}},
		{"in the background, its failure noticed", "failed", func(d *desk) {
			d.notice("s", d.background("s"), "failed", "failed with exit code 1")
		}},
		{"in the background, its stop noticed", "background_only", func(d *desk) {
			d.notice("s", d.background("s"), "killed", "was stopped")
		}},
		{"in the background, many turns ago", "supported", func(d *desk) {
			d.reads("s", d.background("s"), "ok  \tx\t0.01s"+ended)
			for n := range 5 {
				d.prompt("s", fmt.Sprint("and then ", n))
			}
		}},
		{"in the background of another session", "supported", func(d *desk) {
			d.reads("other", d.background("other"), "ok  \tx\t0.01s"+ended)
			d.prompt("s", "commit it")
		}},
		{"its log read later", "supported", func(d *desk) {
			d.tests(call{session: "s", id: "t1", input: map[string]any{"command": "go test ./... > out.log 2>&1 || true"}, output: " "})
			d.call(call{session: "s", id: "t2", input: map[string]any{"command": "tail -5 out.log"}, output: "ok  \tx\t0.01s"})
		}},
		{"its log read many turns ago", "supported", func(d *desk) {
			d.tests(call{session: "s", id: "t1", input: map[string]any{"command": "go test ./... > out.log 2>&1 || true"}, output: " "})
			d.call(call{session: "s", id: "t2", input: map[string]any{"command": "tail -5 out.log"}, output: "ok  \tx\t0.01s"})
			for n := range 5 {
				d.prompt("s", fmt.Sprint("and then ", n))
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			tt.do(d)
			gate := d.gate("s", "git commit -qm two")
			evidence, explained := d.told()
			if gate != tt.want || evidence != tt.want || explained != tt.want {
				t.Errorf("the gate says %s, evidence %s, explain %s, want %s", gate, evidence, explained, tt.want)
			}
		})
	}
}

// What holds of the tree holds of the commit that has it.
func TestForgedRecordsSpeakForNoCommit(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		forged     bool
	}{{"a real run", "supported", false}, {"a forged record", "no_run", true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.run(nil, "git", "init", "-q", "--bare", "../remote.git")
			d.run(nil, "git", "remote", "add", "origin", "../remote.git")
			d.prompt("s", "go on")
			d.tests(call{session: "s", id: "t1", unwritten: tt.forged})
			d.run(nil, "git", "-c", "user.name=e2e", "-c", "user.email=e2e@example.invalid", "commit", "-q", "-m", "two")
			if got := d.gate("s", "git push origin main"); got != tt.want {
				t.Errorf("the gate says %s, want %s", got, tt.want)
			}
			if out := d.run(nil, programs(t)[0], "evidence", "--commits", "1"); !regexp.MustCompile(`commit +[0-9a-f]+ ` + tt.want + ` `).MatchString(out) {
				t.Errorf("evidence says\n%s, want %s", out, tt.want)
			}
		})
	}
}
