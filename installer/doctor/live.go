package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ownEntries runs each command line of ours as the client would, with payloads
// whose right answer is known.
func ownEntries() Probe {
	return Probe{
		ID: "own-entries", Title: "our entries refuse what they must and let pass what they must",
		Kinds: []string{
			"guard-not-live", "guard-blocks-all", "stdout-mixed", "stdout-noise-rc", "stop-loop-unguarded", "recursion-llm-cli",
			"stdin-never-closes", "hook-target-missing", "not-proven", "proven",
		},
		Deadline: 60 * time.Second,
		Run: func(ctx context.Context, p *Patient) []Finding {
			var out []Finding
			for _, line := range p.read().commandLines() {
				out = append(out, p.examine(ctx, line)...)
			}
			return out
		},
	}
}

// commandLine is one distinct way in which our program is started, with the
// entries that use it.
type commandLine struct {
	first   *entry
	entries []*entry
}

func (l commandLine) at(event string) *entry {
	for _, e := range l.entries {
		if slices.Contains(e.events(), event) {
			return e
		}
	}
	return nil
}

func (c *chart) commandLines() []commandLine {
	var out []commandLine
	for _, e := range c.ours() {
		i := slices.IndexFunc(out, func(l commandLine) bool {
			return l.first.Command == e.Command && l.first.HasArgs == e.HasArgs && slices.Equal(l.first.Args, e.Args)
		})
		if i < 0 {
			out = append(out, commandLine{first: e})
			i = len(out) - 1
		}
		out[i].entries = append(out[i].entries, e)
	}
	return out
}

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

// examine runs one command line and says what is wrong, or what is proven.
func (p *Patient) examine(ctx context.Context, line commandLine) []Finding {
	if p.OS == "windows" {
		return nil
	}
	state, err := os.MkdirTemp("", "agentguard-doctor-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(state)
	b := bench{p: p, line: line, state: state}
	// What the person trusted holds in the trial too; everything else begins anew.
	if p.StateDir != "" {
		if trust := filepath.Join(p.StateDir, "trust"); exists(trust) {
			if err := os.CopyFS(filepath.Join(state, "agentguard", "trust"), os.DirFS(trust)); err != nil {
				return nil
			}
		}
	}
	var out []Finding
	proven := 0
	for _, trial := range []func(context.Context) (*Finding, bool){b.mustBlock, b.mustPass, b.stopActive, b.insideJudge, b.heldOpen} {
		f, done := trial(ctx)
		if f != nil {
			out = append(out, *f)
			if f.Severity == Error {
				return out
			}
		}
		if done && f == nil {
			proven++
		}
	}
	e := line.first
	switch {
	case len(out) > 0:
	case p.hooksOff():
		// Told by the probes of the switches: what works here does not run there.
	case line.at("PreToolUse") == nil || proven == 0:
		out = append(out, Finding{
			Kind: "not-proven", Severity: Info, File: e.file, Line: e.line,
			Message: "Our entry is present, not proven: there is no event here at which a refusal could be tried.",
			Fix:     "Nothing has to be done.",
		})
	default:
		out = append(out, Finding{
			Kind: "proven", Severity: OK, File: e.file, Line: e.line,
			Message: fmt.Sprintf("%s: our entry was run and refused `rm -rf /`, let `ls` pass, and ended by itself (%d trials).", p.show(e.file), proven),
		})
	}
	return out
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
	for k, v := range more {
		out[k] = v
	}
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

func (b bench) mustBlock(ctx context.Context) (*Finding, bool) {
	e := b.gate()
	if e == nil {
		return nil, false
	}
	payload := b.bash("rm -rf /")
	out := b.run(ctx, payload, false)
	if f := b.trouble(ctx, e, out, payload); f != nil {
		return f, true
	}
	a, _ := readAnswer(out.Stdout)
	if a.refuses() {
		return nil, true
	}
	f := &Finding{Kind: "guard-not-live", Severity: Error, File: e.file, Line: e.line}
	switch note := b.logged(); {
	case strings.Contains(note, "dangerous-command"):
		f.Severity = Info
		f.Message = "Our entry saw `rm -rf /` and only recorded it, as the policy says (observe or warn)."
		f.Fix = "Nothing has to be done; `agentguard status` shows the modes."
	case strings.Contains(note, "AGENTGUARD_OFF"):
		return nil, false // told by the probe of the switch
	case note != "":
		f.Message = "Our entry ran and did not refuse `rm -rf /`: the policy has dangerous-command off."
		f.Severity, f.Fix = Warning, "Look at `agentguard status`; take the check's \"off\" out of the policy if it is not meant."
	default:
		f.Message = "Our entry did not refuse `rm -rf /` and left no record: the program behind it did not run."
		f.Fix = "Run the installer (install.sh), then `agentguard init`."
		if b.p.ourProgram(e) == "" {
			f.Message = "agentguard-hook is not on this machine, neither on PATH nor in the usual folders: nothing is checked."
			f.Kind = "hook-target-missing"
		}
	}
	return f, true
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

func (b bench) mustPass(ctx context.Context) (*Finding, bool) {
	e := b.gate()
	if e == nil {
		return nil, false
	}
	payload := b.bash("ls")
	out := b.run(ctx, payload, false)
	if f := b.trouble(ctx, e, out, payload); f != nil {
		return f, true
	}
	if a, _ := readAnswer(out.Stdout); a.refuses() {
		return &Finding{
			Kind: "guard-blocks-all", Severity: Error, File: e.file, Line: e.line,
			Message: "Our entry refuses `ls`, so probably every call.", Fix: "Look at the reason with `agentguard explain -- ls`.",
		}, true
	}
	return nil, true
}

func (b bench) stopActive(ctx context.Context) (*Finding, bool) {
	e := b.line.at("Stop")
	if e == nil {
		return nil, false
	}
	payload := b.payload("Stop", map[string]any{"stop_hook_active": true, "last_assistant_message": "Hello."})
	out := b.run(ctx, payload, false)
	if f := b.trouble(ctx, e, out, payload); f != nil {
		return f, true
	}
	if a, _ := readAnswer(out.Stdout); a.refuses() {
		return &Finding{
			Kind: "stop-loop-unguarded", Severity: Error, File: e.file, Line: e.line,
			Message: "Our entry refuses a stop that a hook already refused once, although nothing was said.",
			Fix:     "Update agentguard; until then AGENTGUARD_OFF=1 lets the session end.",
		}, true
	}
	return nil, true
}

func (b bench) insideJudge(ctx context.Context) (*Finding, bool) {
	e := b.line.at("Stop")
	if e == nil {
		return nil, false
	}
	payload := b.payload("Stop", map[string]any{"stop_hook_active": false, "last_assistant_message": "All tests pass."})
	out := b.run(ctx, payload, false, "AGENTGUARD_JUDGE_ACTIVE=1")
	if f := b.trouble(ctx, e, out, payload); f != nil {
		return f, true
	}
	if a, _ := readAnswer(out.Stdout); !a.empty && a.refuses() {
		return &Finding{
			Kind: "recursion-llm-cli", Severity: Error, File: e.file, Line: e.line,
			Message: "Our entry acts inside its own judge (AGENTGUARD_JUDGE_ACTIVE=1): a judge's client would be judged again, without end.",
			Fix:     "The command drops the variable; start the program directly, or update agentguard.",
		}, true
	}
	return nil, true
}

func (b bench) heldOpen(ctx context.Context) (*Finding, bool) {
	e := b.gate()
	if e == nil {
		return nil, false
	}
	out := b.run(ctx, b.bash("ls"), true)
	if !out.Late {
		return nil, true
	}
	return &Finding{
		Kind: "stdin-never-closes", Severity: Warning, File: e.file, Line: e.line,
		Message: "Our entry waits for the end of stdin. Some clients keep it open, and then a process stays for each call.",
		Fix:     "Start the program directly (run `agentguard init` again), without a wrapper that reads stdin.",
	}, true
}

// matches is the client's rule: nothing or * is every tool; words, blanks,
// commas and | are compared exactly; anything else is searched as an expression.
func matches(matcher, tool string) bool {
	m := readMatcher(matcher)
	return m.matches(tool)
}
