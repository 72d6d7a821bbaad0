package doctor

import (
	"context"
	"fmt"
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
