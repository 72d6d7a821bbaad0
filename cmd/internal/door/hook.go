package door

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"agentguard/checks"
	"agentguard/checks/audit"
	"agentguard/checks/engine"
	"agentguard/hook"
	"agentguard/hook/claude"
	"agentguard/hook/clients"
	"agentguard/hook/throwaway"
	"agentguard/judge/redact"
	"agentguard/settings"
	"agentguard/settings/policy"
)

// Call is one run of the hook program.
type Call struct {
	Env    Env
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Client string // of --client; empty means to find out
	Checks []checks.Check
}

// Run answers one event: it prints one JSON object or nothing and always ends
// well. A failure that no check can be blamed for goes in the event's direction
// as well.
func (c Call) Run(ctx context.Context) {
	engine.Deepen()
	var ev hook.Event
	client, ok := clients.Named(firstWord(c.Client, "claude"))
	if !ok {
		client = claude.Client{}
	}
	in := stdin{r: c.Stdin}
	defer func() {
		if r := recover(); r != nil {
			c.debug("panic: %v\n%s", r, debug.Stack())
			c.answer(client, ev, failure(ev.Name, "it broke"))
		}
		throwaway.Close()
		if w := c.Env.World(); w.Scratch() != "" {
			throwaway.Sweep(w.Scratch(), w.Now)
		}
		in.drain()
	}()
	raw, readErr := in.event()
	ev, err := client.Decode(raw, c.Env.Get)
	if readErr != nil {
		err = readErr
		if !settings.KnownEvent(string(ev.Name)) {
			ev.Name = claude.EventName(raw)
		}
	}
	if ev.CWD == "" {
		ev.CWD = c.Env.Dir
	}
	if ev.ProjectDir == "" {
		ev.ProjectDir = ev.CWD
	}
	if err != nil {
		c.unread(client, ev, err)
		return
	}
	if note := c.standsAside(ev); note != "" {
		rec := engine.Record(ev, c.Env.Now())
		rec.Note = note
		c.append(rec)
		return
	}
	out, records := c.decide(ctx, client, ev)
	if known, ok := secretsOf(ev, out, records); ok {
		out = speakable(out, known)
		for i := range records {
			records[i].Hide(known)
		}
	}
	c.append(records...)
	c.answer(client, ev, out)
}

// unread answers an event that could not be understood.
func (c Call) unread(client clients.Client, ev hook.Event, why error) {
	c.debug("undecodable event: %v", why)
	out := failure(ev.Name, why.Error())
	rec := engine.Record(ev, c.Env.Now())
	rec.Client, rec.Note = client.Name(), "undecodable: "+why.Error()
	if aside := c.standsAside(ev); aside != "" {
		out, rec.Note = hook.Outcome{}, aside+"; "+rec.Note
	}
	rec.Decision, rec.Check = out.Decision, out.Check
	c.append(rec)
	c.answer(client, ev, out)
}

// standsAside tells why nothing is checked: the person switched the guards off,
// or this is the client that a judge started. In that inner client the gates on
// actions stay.
func (c Call) standsAside(ev hook.Event) string {
	if why := c.off(ev); why != "" {
		return "off: " + why
	}
	inner := on(c.Env.Get(JudgeVar)) || on(c.Env.Get(OldJudgeVar))
	if inner && ev.Name != hook.PreToolUse && ev.Name != hook.PermissionRequest {
		return "recursion: inside a judge"
	}
	return ""
}

// off tells which switch turned the guards off. A policy may forbid both, so it
// is read where one of them is set.
func (c Call) off(ev hook.Event) string {
	why := WhyOff(c.Env)
	if why != "" && c.Policy(c.Env.World(), ev.ProjectDir, ev.CWD).OffForbidden {
		return ""
	}
	return why
}

func on(value string) bool { return value != "" && value != "0" && value != "false" }

// decide runs the checks and loop control.
func (c Call) decide(ctx context.Context, client clients.Client, ev hook.Event) (hook.Outcome, []audit.Record) {
	in := c.Input(client, ev)
	result := engine.Run(ctx, in, c.Checks, c.Env.Now)
	if ev.Name.IsStop() && refuses(result) {
		withSession(in.World.State, ev.SessionID, func(s *session) {
			s.Turn = result.Limit(s.Turn, engine.Stopping{
				Event: ev, Message: in.Message(), Calls: len(in.History().Current().Calls), MaxBlocks: in.Policy.Stop.MaxBlocks,
			})
		})
	}
	out := result.Answer()
	out.Notices = append(out.Notices, tellOnce(in, append(c.brokenLayers(in), c.unchecked(in, result)...))...)
	if ev.Name == hook.SessionStart {
		c.housekeeping(in)
	}
	result.Outcome = out
	return out, result.Records(in, in.World.Now)
}

// Input builds what the checks see of an event.
func (c Call) Input(client clients.Client, ev hook.Event) *checks.Input {
	w := c.Env.World()
	w.History, w.Subagent = client.History, client.Subagent
	p := c.Policy(w, ev.ProjectDir, ev.CWD)
	w.Judge = Judge(c.Env, w, p)
	return &checks.Input{Event: ev, Policy: p, World: w}
}

// Policy loads what holds for a call: the policy of the client's project folder
// and, where the session has moved into a folder with a policy of its own, the
// stricter of both.
func (c Call) Policy(w checks.World, project, cwd string) *policy.Effective {
	known := checks.Known(c.Checks)
	root := policy.Root(firstWord(project, cwd))
	p := policy.Load(policy.PathsFor(root, w.Config, w.State, w.GOOS), known)
	if other := policy.Root(cwd); cwd != "" && other != root && policy.HasPolicy(other) {
		p = policy.Stricter(p, policy.Load(policy.PathsFor(other, w.Config, w.State, w.GOOS), known))
	}
	return p
}

func refuses(r engine.Result) bool {
	return slices.ContainsFunc(r.Findings, func(f engine.Found) bool {
		return f.Mode == policy.Enforce && f.Check.Guard && f.Finding.Decision >= hook.Ask
	})
}

// brokenLayers says of each policy layer that does not count why it does not.
func (c Call) brokenLayers(in *checks.Input) []string {
	var lines []string
	for _, p := range in.Policy.Problems {
		lines = append(lines, fmt.Sprintf("agentguard: the %s policy does not count: %s", p.Layer, shorten(in.World.Home, p.Error())))
	}
	return lines
}

// unchecked says why a stop was let go on facts that could not be had. A gate says
// so itself, since it asks.
func (c Call) unchecked(in *checks.Input, r engine.Result) []string {
	t, trouble := in.Trouble()
	if !trouble || !slices.ContainsFunc(r.Findings, func(f engine.Found) bool { return f.Finding.Unsure && f.Mode >= policy.Warn }) {
		return nil
	}
	return []string{shorten(in.World.Home, fmt.Sprintf(uncheckedLead+"%s. What mends it: %s.", t.What, t.Mend))}
}

const uncheckedLead = "agentguard: not all that this message says could be checked: "

// sameNews tells two lines that say the same to a person. Of several facts that
// could not be had the one that is named is the first that was asked for, which
// differs from call to call.
func sameNews(a, b string) bool {
	return a == b || strings.HasPrefix(a, uncheckedLead) && strings.HasPrefix(b, uncheckedLead)
}

// tellOnce returns those of the lines that the person was not told in this
// session, and remembers them.
func tellOnce(in *checks.Input, lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	for i := range lines {
		lines[i], _ = redact.Text(lines[i]) // they are remembered as well
	}
	var fresh []string
	withSession(in.World.State, in.Event.SessionID, func(s *session) {
		for _, line := range lines {
			if !slices.ContainsFunc(s.Told, func(told string) bool { return sameNews(told, line) }) {
				s.Told = append(s.Told, line)
				fresh = append(fresh, line)
			}
		}
	})
	if len(fresh) > 3 {
		fresh = append(fresh[:3], fmt.Sprintf("agentguard: and %d more; run `agentguard check`", len(fresh)-3))
	}
	return fresh
}

// housekeeping is what is done once a session.
func (c Call) housekeeping(in *checks.Input) {
	w := in.World
	if w.DryRun {
		return
	}
	throwaway.Sweep(os.TempDir(), w.Now) // what a judge was given
	pruneState(w)
	if err := audit.Prune(audit.Dir(w.State), w.Now, in.Policy.LogDays); err != nil {
		c.debug("%v", err)
	}
	paths := policy.PathsFor("", w.Config, w.State, w.GOOS)
	if err := policy.KeepGood(paths.LastGood, in.Policy); err != nil {
		c.debug("keeping the policy: %v", err)
	}
}

// failure is the answer to an event that could not be read or broke the program.
func failure(name hook.EventName, why string) hook.Outcome {
	out := hook.Outcome{Decision: name.FailsTo(), Check: "agentguard"}
	if out.Decision == hook.Pass {
		return hook.Outcome{}
	}
	out.Reason = "the guard could not read this call (" + why + ") and cannot tell whether it is safe. Ask the user to decide, and to run `agentguard doctor`."
	if name == hook.PermissionRequest {
		// The person is being asked already and should know.
		out.Notices = []string{"agentguard: this request could not be read (" + why + "), so nothing was checked"}
	}
	return out
}

func (c Call) append(records ...audit.Record) {
	if err := audit.Append(audit.Dir(c.Env.World().State), c.Env.Now(), records...); err != nil {
		c.debug("%v", err)
	}
}

// answer prints an outcome in one call. Stdout may be closed: that is not ours to
// report.
func (c Call) answer(client clients.Client, ev hook.Event, out hook.Outcome) {
	if answer := client.Encode(ev, out); len(answer) > 0 {
		_, _ = c.Stdout.Write(answer) //nolint:errcheck // nobody is left to tell
	}
}

func (c Call) debug(format string, args ...any) {
	if on(c.Env.Get(DebugVar)) {
		text, _ := redact.Text(fmt.Sprintf(format, args...))
		_, _ = fmt.Fprintf(c.Stderr, "agentguard-hook: %s\n", text) //nolint:errcheck // a trace
	}
}

func firstWord(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// shorten writes the home folder as ~, since messages get pasted in public.
func shorten(home, text string) string {
	if home == "" || home == string(filepath.Separator) {
		return text
	}
	return strings.ReplaceAll(text, home, "~")
}
