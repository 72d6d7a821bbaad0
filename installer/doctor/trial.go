package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"time"
)

// entryLimit bounds one run of an entry.
const entryLimit = 8 * time.Second

// heldLimit is how long an entry may take with stdin held open; our program
// gives up after two seconds.
const heldLimit = 4 * time.Second

// bench is one folder for state, in which a command line is run.
type bench struct {
	p     *Patient
	line  commandLine
	state string
}

// run starts the command line as the client does.
func (b bench) run(ctx context.Context, payload map[string]any, hold bool, extra ...string) Output {
	data, err := json.Marshal(payload)
	if err != nil {
		return Output{Err: err, Exit: -1}
	}
	e := b.line.first
	path, args := "/bin/sh", []string{"-c", e.Command}
	if e.HasArgs {
		expand := func(s string) string {
			s = strings.ReplaceAll(s, "${CLAUDE_PROJECT_DIR}", b.p.ProjectDir)
			return s
		}
		path, args = expand(e.Command), nil
		for _, arg := range e.Args {
			args = append(args, expand(arg))
		}
		if !strings.ContainsRune(path, '/') {
			if found := lookPath(path, b.p.Environ, b.p.ProjectDir); found != "" {
				path = found
			}
		}
	}
	limit := entryLimit
	if hold {
		limit = heldLimit
	}
	env := b.p.clientEnv(append([]string{"XDG_STATE_HOME=" + b.state, "AGENTGUARD_DOCTOR=1"}, extra...)...)
	return b.p.Start(ctx, Process{
		Path: path, Args: args, Env: env, Dir: b.p.ProjectDir, Stdin: string(data) + "\n", Hold: hold, Limit: limit,
	})
}

func (b bench) payload(event string, more map[string]any) map[string]any {
	out := map[string]any{
		"session_id": probeSession, "hook_event_name": event, "cwd": b.p.ProjectDir, "permission_mode": "default",
		"transcript_path": filepath.Join(b.state, "no-transcript.jsonl"), "prompt_id": probeSession,
	}
	maps.Copy(out, more)
	return out
}

func (b bench) bash(command string) map[string]any {
	return b.payload("PreToolUse", map[string]any{
		"tool_name": "Bash", "tool_use_id": probeSession, "tool_input": map[string]any{"command": command, "description": "doctor"},
	})
}

// gate is our entry that sees Bash calls, if any.
func (b bench) gate() *entry {
	for _, e := range b.line.entries {
		if e.Event == "PreToolUse" && matches(e.Matcher, "Bash") && e.If == "" {
			return e
		}
	}
	return nil
}

// answer is what the client reads from stdout.
type answer struct {
	empty  bool
	object map[string]any
}

func (a answer) text(keys ...string) string {
	m := a.object
	for i, key := range keys {
		if i == len(keys)-1 {
			s, _ := m[key].(string)
			return s
		}
		m, _ = m[key].(map[string]any)
	}
	return ""
}

// refuses tells an answer that stops a call or a stop.
func (a answer) refuses() bool {
	switch a.text("hookSpecificOutput", "permissionDecision") {
	case "deny", "ask", "defer":
		return true
	}
	return a.text("decision") == "block"
}

// readAnswer reads stdout as the client does: one object with space around it,
// or nothing; anything else is plain text.
func readAnswer(stdout string) (answer, bool) {
	text := strings.TrimSpace(strings.TrimPrefix(stdout, "\ufeff"))
	if text == "" {
		return answer{empty: true}, true
	}
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return answer{}, false
	}
	return answer{object: object}, true
}

// trouble is the finding for a run that went wrong in itself, at an entry.
func (b bench) trouble(ctx context.Context, e *entry, out Output, payload map[string]any) *Finding {
	f := &Finding{Severity: Error, File: e.file, Line: e.line}
	_, clean := readAnswer(out.Stdout)
	switch {
	case out.Err != nil:
		f.Kind = "hook-target-missing"
		f.Message = fmt.Sprintf("Our entry could not be started (%v), so nothing is checked.", reason(out.Err))
		f.Fix = "Run `agentguard init` again; it writes the present path."
	case out.Late:
		f.Kind = "stdin-never-closes"
		f.Message = fmt.Sprintf("Our entry did not end within %s.", entryLimit)
		f.Fix = "Look what the command starts besides our program."
	case !clean:
		f.Kind = "stdout-mixed"
		f.Message = fmt.Sprintf("Our entry printed more than one JSON object (it begins with %s). The client takes that for plain text, and a refusal is lost.", snippet(out.Stdout))
		f.Fix = "Take whatever prints it out of the command, or send it to stderr."
		if quiet := b.run(ctx, payload, false, "HOME="+b.state, "BASH_ENV=", "ENV="); quiet.Err == nil {
			if _, cleanNow := readAnswer(quiet.Stdout); cleanNow && !e.HasArgs {
				f.Kind = "stdout-noise-rc"
				f.Fix = "A start-up file of the shell prints it. Guard the print with `case $- in *i*)`, or start the program directly."
			}
		}
	case out.Exit == 2:
		f.Kind = "guard-blocks-all"
		f.Message = "Our entry ended with status 2, which the client takes for a refusal" + said(out.Stderr) + "."
		f.Fix = "Run `agentguard init` again; if it stays, report it with the output of AGENTGUARD_DEBUG=1."
	case out.Exit == 127 || out.Exit == 126:
		f.Kind = "hook-target-missing"
		f.Message = "Our entry names a program that cannot be started" + said(out.Stderr) + ": nothing is checked."
		f.Fix = "Run the installer (install.sh), then `agentguard init`, which writes the present path."
	case out.Exit != 0:
		f.Kind = "guard-not-live"
		f.Message = fmt.Sprintf("Our entry ended with status %d, so the client goes on as if there were no guard%s.", out.Exit, said(out.Stderr))
		f.Fix = "Run `agentguard init` again, or the installer if the program is gone."
	default:
		return nil
	}
	return f
}

func reason(err error) string {
	if pe, ok := err.(*fs.PathError); ok { //nolint:errorlint // only to shorten the text
		return pe.Err.Error()
	}
	return err.Error()
}

func said(stderr string) string {
	if line := snippet(stderr); line != `""` {
		return " (it said " + line + ")"
	}
	return ""
}

// snippet quotes the first line of a text.
func snippet(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > 80 {
		line = line[:80] + "…"
	}
	return fmt.Sprintf("%q", line)
}

// logged returns what the trial's own log holds.
func (b bench) logged() string {
	names, _ := filepath.Glob(filepath.Join(b.state, "agentguard", "log", "*.jsonl"))
	var all strings.Builder
	for _, name := range names {
		data, err := readBounded(name)
		if err == nil {
			all.Write(data)
		}
	}
	return all.String()
}

// matches is the client's rule: nothing or * is every tool; words, blanks,
// commas and | are compared exactly; anything else is searched as an expression.
func matches(matcher, tool string) bool {
	m := readMatcher(matcher)
	return m.matches(tool)
}
