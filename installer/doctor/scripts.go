package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"agentguard/checks/shell/outline"
	"agentguard/settings"
)

// scripts looks into the code behind each entry.
func scripts() Probe {
	return Probe{
		ID: "scripts", Title: "the code of each hook can say no, and be heard",
		Kinds: []string{
			"decision-shape", "stdout-mixed", "exit-code-one", "exit-code-swallowed", "dependency-missing", "background-holds-stdout",
			"stop-loop-unguarded", "subagentstop-loop", "subagent-transcript-parent", "ask-unattended", "transcript-lag",
		},
		Deadline: 20e9,
		Run: func(_ context.Context, p *Patient) []Finding {
			c := p.read()
			var out []Finding
			done := map[string]bool{}
			for _, e := range c.entries {
				if e.target == nil || e.ours {
					continue
				}
				out = append(out, p.swallowed(e)...)
				for _, u := range e.target.units {
					key := fmt.Sprintf("%s\x00%d\x00%s\x00%v", u.file, u.fixed, u.text, u.fixed > 0)
					if done[key] {
						continue
					}
					done[key] = true
					out = append(out, p.shapes(u, c.eventsOf(u))...)
					out = append(out, p.mixed(u)...)
					out = append(out, p.exitOne(u, c.eventsOf(u))...)
					out = append(out, p.dependencies(u)...)
					out = append(out, p.background(u)...)
					out = append(out, p.stopLoop(u, c.eventsOf(u))...)
					out = append(out, p.subagents(u, c.eventsOf(u))...)
				}
			}
			return out
		},
	}
}

func (u *unit) finding(kind string, severity Severity, line int, message, fix string) Finding {
	return Finding{Kind: kind, Severity: severity, File: u.file, Line: u.line(line), Message: message, Fix: fix}
}

// replaceIn makes a mend that changes one text of the unit: in the script, or in
// the command of the settings file.
func (u *unit) replaceIn(line int, from, to string) func(*mending) error {
	if u.fixed > 0 {
		n, ok := u.entry.Node.Get("command")
		if !ok || u.entry.layer == nil || u.entry.HasArgs || strings.Count(u.entry.Command, from) != 1 {
			return nil
		}
		return u.entry.layer.replaceText(n, strings.Replace(u.entry.Command, from, to, 1))
	}
	start := 0
	for range line - 1 {
		i := strings.IndexByte(u.text[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	end := strings.IndexByte(u.text[start:], '\n')
	if end < 0 {
		end = len(u.text) - start
	}
	if strings.Count(u.text[start:start+end], from) != 1 {
		return nil
	}
	at := start + strings.Index(u.text[start:start+end], from)
	raw := []byte(u.text)
	return func(m *mending) error {
		return m.edit(u.file, raw, settings.Edit{Start: at, End: at + len(from), Text: to})
	}
}

// shapes finds answers that the client does not take.
func (p *Patient) shapes(u *unit, events []string) []Finding {
	if !slices.ContainsFunc(events, func(e string) bool { return blocking(e) || e == "PostToolUse" }) {
		return nil
	}
	var out []Finding
	for _, a := range p.facts(u).answers {
		problem, at, right := a.o.wrong(events)
		if problem == "" {
			continue
		}
		line := a.lineIn(at.at)
		f := u.finding("decision-shape", Error, line, "The client does not take this answer: "+problem+". The call goes on.",
			"Answer as the event's table says; `agentguard doctor --explain decision-shape` shows the forms.")
		if right != "" {
			f.Fix = fmt.Sprintf("Write %q.", right)
			for _, q := range []string{`\"`, `"`, `'`} {
				if mend := u.replaceIn(line, q+at.text+q, q+right+q); mend != nil {
					f = f.with(mend)
					break
				}
			}
		}
		out = append(out, f)
	}
	if len(out) > 1 && u.fixed > 0 {
		out = out[:1]
	}
	return out
}

// mixed finds text that reaches stdout on the same way as an answer.
func (p *Patient) mixed(u *unit) []Finding {
	if u.launch != nil && u.launch.event.Node != nil && u.launch.event.To != outline.Stdout {
		return nil
	}
	noise := map[int]bool{}
	for _, w := range p.facts(u).ways {
		var lines []int
		answers := 0
		answered := false
		for _, ev := range w.Events {
			switch p.classify(u.entry.target, ev) {
			case plain:
				lines = append(lines, ev.Node.Line)
				if text, ok := outText(ev); ok && answerText(text) {
					answered = true
				}
			case json_:
				answers++
				text, _ := outText(ev)
				answered = answered || answerText(text) || strings.Contains(text, outline.Unknown)
				if answers > 1 {
					lines = append(lines, ev.Node.Line)
				}
			case unclear:
				answered = answered || p.startsAnswer(u.entry.target, ev)
			case nothing:
			}
		}
		if answered {
			for _, line := range lines {
				noise[line] = true
			}
		}
	}
	var out []Finding
	for _, line := range sortedKeys(noise) {
		if line == 0 {
			continue // in a file that is sourced: reported there
		}
		out = append(out, u.finding("stdout-mixed", Error, line,
			"This line prints to stdout on the way to an answer. The client takes the whole output for plain text then: the answer is lost, and the call goes on.",
			"Send it to stderr (>&2), or take it out."))
		if u.fixed > 0 {
			break
		}
	}
	return out
}

func sortedKeys(m map[int]bool) []int {
	var out []int
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// answerText reports whether a text holds an answer for the client.
func answerText(text string) bool {
	return slices.ContainsFunc(objects(text), (*object).isAnswer)
}

// startsAnswer reports whether a program that is started prints an answer.
func (p *Patient) startsAnswer(t *target, ev outline.Event) bool {
	for _, u := range t.units {
		if u.launch == nil || u.launch.event.Node != ev.Node {
			continue
		}
		return len(p.facts(u).answers) > 0
	}
	return false
}

// exitOne finds refusals by a status that does not refuse.
func (p *Patient) exitOne(u *unit, events []string) []Finding {
	if !slices.ContainsFunc(events, blocking) || u.depth > 1 {
		return nil
	}
	for _, other := range u.entry.target.units {
		if f := p.facts(other); len(f.twos) > 0 || slices.ContainsFunc(f.answers, func(a placed) bool { return a.o.isAnswer() }) {
			return nil
		}
	}
	var out []Finding
	seen := map[int]bool{}
	for _, w := range p.facts(u).ways {
		if !w.Explicit || w.Status < 1 || w.Status == 2 || seen[w.Line] || w.Line == 0 {
			continue
		}
		text := ""
		for _, ev := range w.Events {
			if ev.Node.Kind == outline.Say && ev.To != outline.Other {
				text = ev.Text
			}
		}
		if text == "" || !deniesText(text) {
			continue
		}
		seen[w.Line] = true
		f := u.finding("exit-code-one", Error, w.Line,
			fmt.Sprintf("The hook says %s and ends with status %d. Only status 2 refuses: the client shows the text, and the call goes on.", snippet(strings.ReplaceAll(text, outline.Unknown, "…")), w.Status),
			"End with status 2.")
		for _, form := range [][2]string{{"exit %d", "exit 2"}, {"sys.exit(%d)", "sys.exit(2)"}, {"process.exit(%d)", "process.exit(2)"}, {"exit(%d)", "exit(2)"}, {"SystemExit(%d)", "SystemExit(2)"}, {"return %d", "return 2"}} {
			if mend := u.replaceIn(w.Line, fmt.Sprintf(form[0], w.Status), form[1]); mend != nil {
				f = f.with(mend)
				break
			}
		}
		out = append(out, f)
	}
	return out
}

var denying = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)block|den(y|ied)|refus|forbid|not allowed|disallow|prohibit|reject|not permitted|protected|dangerous|unsafe|violat|` +
		`do not|don't|must not|never|stop|abort|policy|guard|keep (working|going)|not finished|not done|first|fail|red\b|cannot|can't|no\b|closed`)
})

var complaining = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\W*(warn(ing)?|note|info|hint|tip|reminder)\b|not found|no such|could not|unable to|usage:|not installed|command not found|please install|is required but|requires |cannot read (the )?(input|stdin|config)|invalid json|no input|missing (dependency|argument)|could not parse|failed to (parse|read|load)|internal error|traceback`)
})

// deniesText tells a refusal from the report of a hook's own trouble.
func deniesText(text string) bool {
	return denying().MatchString(text) && !complaining().MatchString(text)
}

// swallowed finds commands that throw a refusing status away.
func (p *Patient) swallowed(e *entry) []Finding {
	if !slices.ContainsFunc(e.events(), blocking) {
		return nil
	}
	var out []Finding
	for _, u := range e.target.units {
		if u.prog == nil {
			continue
		}
		out = append(out, p.caught(u)...)
		if u.lang != "sh" || strings.Contains(u.code(), "$?") || strings.Contains(u.code(), "PIPESTATUS") {
			continue // the status is looked at
		}
		for _, w := range p.facts(u).ways {
			line := p.swallowedOn(e, u, w)
			if line < 0 {
				continue
			}
			f := u.finding("exit-code-swallowed", Error, line,
				"The status of the guard is thrown away here: its refusal (status 2) becomes 0, and the call goes on.",
				"Take the tail away, so that the guard's status is the command's.")
			if u.command && e.layer != nil {
				f = f.with(e.commandEdit(cutTail(e.Command)))
			}
			out = append(out, f)
			break
		}
	}
	return out
}

// caught finds a handler that turns a refusing exit into success: a trap on EXIT,
// or an except that takes SystemExit too.
func (p *Patient) caught(u *unit) []Finding {
	if len(p.facts(u).twos) == 0 {
		return nil
	}
	line := 0
	code := u.code()
	switch u.lang {
	case "sh":
		for i, text := range strings.Split(code, "\n") {
			fields := strings.Fields(text)
			if len(fields) > 2 && fields[0] == "trap" && strings.Contains(text, "exit 0") && (fields[len(fields)-1] == "EXIT" || fields[len(fields)-1] == "0") {
				line = i + 1
			}
		}
	case "python":
		line = exceptLine(code)
	}
	if line == 0 {
		return nil
	}
	return []Finding{u.finding("exit-code-swallowed", Error, line,
		"This takes every end of the hook, the refusing status 2 included, and ends with success: the call goes on.",
		"Let the refusal pass: catch Exception only, or end with the status that was.")}
}

// exceptLine finds a bare except (or one of SystemExit) around an exit with 2
// that does not pass it on; 0 when there is none.
func exceptLine(code string) int {
	lines := strings.Split(code, "\n")
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	body := func(from, depth int) string {
		var b strings.Builder
		for _, l := range lines[from:] {
			if strings.TrimSpace(l) != "" && indent(l) <= depth {
				break
			}
			b.WriteString(l + "\n")
		}
		return b.String()
	}
	quits := func(text string) bool {
		return strings.Contains(text, "exit(2)") || strings.Contains(text, "SystemExit(2)")
	}
	callsQuitting := func(text string) bool {
		for i, l := range lines {
			rest, ok := strings.CutPrefix(strings.TrimSpace(l), "def ")
			if !ok {
				continue
			}
			name, _, _ := strings.Cut(rest, "(")
			if strings.Contains(text, name+"(") && quits(body(i+1, indent(l))) {
				return true
			}
		}
		return false
	}
	for i, l := range lines {
		head := strings.TrimSpace(l)
		if head != "except:" && !strings.HasPrefix(head, "except BaseException") && !strings.HasPrefix(head, "except SystemExit") {
			continue
		}
		handler := body(i+1, indent(l))
		if strings.Contains(handler, "raise") || strings.Contains(handler, ".code") || quits(handler) {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if strings.TrimSpace(lines[j]) == "try:" && indent(lines[j]) == indent(l) {
				if tried := body(j+1, indent(l)); quits(tried) || callsQuitting(tried) {
					return i + 1
				}
				break
			}
		}
	}
	return 0
}

// swallowedOn returns the line of a guard whose refusal the way loses, or -1.
func (p *Patient) swallowedOn(e *entry, u *unit, w outline.Way) int {
	for i, ev := range w.Events {
		if ev.Node.Kind != outline.Start || ev.Outcome == outline.True || ev.Node.Line == 0 {
			continue
		}
		if w.From == i || w.Status < 0 && w.From < 0 || w.Explicit && w.Status != 0 || ev.Background {
			continue
		}
		if w.From >= 0 && w.From != i && ev.Outcome != outline.False && !lostBehind(w, i) {
			continue
		}
		if w.Status > 0 {
			continue
		}
		if !p.refusesByStatus(e, u, ev) {
			continue
		}
		return ev.Node.Line
	}
	return -1
}

// lostBehind reports whether a Start that failed is followed by another whose
// status counts.
func lostBehind(w outline.Way, i int) bool { return w.From > i }

// refusesByStatus reports whether a started program refuses by its status alone.
func (p *Patient) refusesByStatus(e *entry, from *unit, ev outline.Event) bool {
	for _, u := range e.target.units {
		if u.launch == nil || u.launch.event.Node != ev.Node || u == from {
			continue
		}
		if u.prog == nil {
			return e.Event == "PreToolUse" && guardName(u.launch)
		}
		f := p.facts(u)
		speaks := slices.ContainsFunc(f.answers, func(a placed) bool { return a.o.refuses() })
		return len(f.twos) > 0 && !speaks
	}
	l := readLaunch(ev.Words)
	if l == nil || l.code != "" || shellWord(l.word) || slices.Contains(utilities, filepath.Base(l.word)) {
		return false
	}
	if l.file != "" && canRead(p, l) {
		return false // a unit, looked at above
	}
	return e.Event == "PreToolUse" && guardName(l) && from.command
}

func canRead(p *Patient, l *launch) bool {
	p.place(l, p.ProjectDir)
	raw, err := readBounded(l.file)
	return err == nil && !strings.Contains(string(raw[:min(512, len(raw))]), "\x00") && langOf(l.file, string(raw)) != ""
}

// cutTail takes away what stands behind the guard.
func cutTail(command string) string {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(command[i:], "||"), c == '|', c == ';':
			if head := strings.TrimSpace(command[:i]); head != "" && !strings.Contains(head, "&&") {
				return head
			}
		}
	}
	return command
}

// dependencies finds programs that a script needs and the hook does not find.
func (p *Patient) dependencies(u *unit) []Finding {
	if u.prog == nil || u.command && len(u.entry.target.launches) == 1 || p.OS == "windows" {
		return nil
	}
	var out []Finding
	seen := map[string]bool{}
	for _, w := range p.facts(u).ways {
		for _, ev := range w.Events {
			if ev.Node.Kind != outline.Start || len(ev.Words) == 0 || ev.Node.Line == 0 || ev.Words[0] == "" {
				continue
			}
			words := peel(ev.Words)
			if len(words) == 0 {
				continue
			}
			name := words[0]
			if seen[name] || !outline.Known(name) || shellWord(name) || hasFunc(u.prog, name) || strings.ContainsAny(name, "/$`*?{}()\\ =\x01") || p.knownTool(name) {
				continue
			}
			seen[name] = true
			if lookPath(name, p.hookEnv(), p.ProjectDir) != "" || pathChanged(u) {
				continue
			}
			hidden := passesWithout(u, name) && p.refusing(u)
			if asksFor(u, name) && !hidden {
				continue
			}
			if u.command && launchedBy(u.entry.target, name) {
				continue // the command's own programs are told as targets
			}
			// What is only run fails where everybody sees it. What is asked for an answer
			// gives an empty one, and the guard passes.
			severity := Info
			if u.lang == "sh" && (ev.To == outline.Other && ev.Node.Out == outline.Same || hidden) {
				severity = Error
			}
			out = append(out, u.finding("dependency-missing", severity, ev.Node.Line,
				fmt.Sprintf("%s is not on the PATH of the hook. The script goes on without its output, and usually lets everything pass.", name),
				fmt.Sprintf("Install %s, or write the hook without it.", name)))
		}
	}
	return out
}

func launchedBy(t *target, name string) bool {
	return slices.ContainsFunc(t.launches, func(l *launch) bool { return l.word == name })
}

// asksFor reports whether a script looks for a program before it uses it.
func asksFor(u *unit, name string) bool {
	code := u.code()
	for _, form := range []string{"command -v " + name, "which " + name, "type " + name, "hash " + name, "command -V " + name, "type -p " + name, "type -P " + name, `which("` + name, "which('" + name, "-x \"$(command -v " + name} {
		if strings.Contains(code, form) {
			return true
		}
	}
	return false
}

// passesWithout reports whether a script ends with success when a program is
// missing.
func passesWithout(u *unit, name string) bool {
	for line := range strings.Lines(u.code()) {
		if i := strings.Index(line, "command -v "+name); i >= 0 && strings.Contains(line[i:], "|| exit 0") {
			return true
		}
	}
	return false
}

// pathChanged reports whether a script sets PATH, so that a look-up here proves
// nothing.
func pathChanged(u *unit) bool {
	code := u.code()
	return strings.Contains(code, "PATH=") || strings.Contains(code, `environ["PATH"]`) || strings.Contains(code, "nvm.sh") || strings.Contains(code, "env.PATH")
}

// background finds children that keep the hook's stdout open.
func (p *Patient) background(u *unit) []Finding {
	if u.prog == nil || u.entry.Async {
		return nil
	}
	var out []Finding
	seen := map[int]bool{}
	code := u.code()
	waits := waitsFor(u.lang, code)
	for _, w := range p.facts(u).ways {
		for _, ev := range w.Events {
			held := ev.Background && ev.To == outline.Stdout && (ev.Node.Kind == outline.Start || ev.Node.Kind == outline.Say && false)
			if !held || seen[ev.Node.Line] || waits || ev.Node.Line == 0 {
				continue
			}
			line := ev.Node.Line
			if u.lang == "sh" {
				line = statementLine(u.prog, ev.Node)
			}
			if seen[line] {
				continue
			}
			seen[ev.Node.Line], seen[line] = true, true
			f := u.finding("background-holds-stdout", Warning, line,
				"A child that is left behind keeps the hook's stdout open: the client waits for it, past the timeout too.",
				"Redirect all three streams: </dev/null >/dev/null 2>&1.")
			if u.lang == "sh" {
				f = f.with(u.redirect(line))
			}
			out = append(out, f)
		}
	}
	return out
}

// statementLine is the line of the background statement around a node.
func statementLine(p *outline.Program, inner *outline.Node) int {
	found := inner.Line
	p.Walk(func(n *outline.Node) {
		if !n.Background || n.Line == 0 {
			return
		}
		sub := outline.Program{Body: []*outline.Node{n}}
		sub.Walk(func(m *outline.Node) {
			if m == inner {
				found = n.Line
			}
		})
	})
	return found
}

func waitsFor(lang, code string) bool {
	switch lang {
	case "sh":
		for _, f := range strings.FieldsFunc(code, func(c rune) bool { return c == '\n' || c == ';' || c == '&' || c == '{' || c == '}' }) {
			if f = strings.TrimSpace(f); f == "wait" || strings.HasPrefix(f, "wait ") {
				return true
			}
		}
	case "python":
		return strings.Contains(code, ".wait(") || strings.Contains(code, ".communicate(")
	}
	return false
}

// redirect puts the redirections before the & of a line.
func (u *unit) redirect(line int) func(*mending) error {
	text := u.entry.Command
	if u.fixed == 0 {
		lines := strings.Split(u.text, "\n")
		if line < 1 || line > len(lines) {
			return nil
		}
		text = lines[line-1]
	}
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == '&' && text[i-1] != '&' && text[i-1] != '>' && (i+1 == len(text) || text[i+1] != '&' && text[i+1] != '>') {
			tail := text[i:]
			return u.replaceIn(line, strings.TrimRight(text[:i], " ")+text[len(strings.TrimRight(text[:i], " ")):i]+tail,
				strings.TrimRight(text[:i], " ")+" </dev/null >/dev/null 2>&1 "+tail)
		}
	}
	return func(*mending) error { return errOverlap }
}

// stopLoop finds gates at a stop that never let go.
func (p *Patient) stopLoop(u *unit, events []string) []Finding {
	stop := slices.ContainsFunc(events, func(e string) bool { return e == "Stop" || e == "SubagentStop" })
	if !stop || u.launch != nil && u.launch.event.Node != nil && u.depth > 1 && u.launch.event.To != outline.Stdout {
		return nil
	}
	f := p.facts(u)
	line := 0
	if len(f.twos) > 0 {
		line = f.twos[0]
	}
	for _, a := range f.answers {
		at := a.lineIn(a.o.at)
		if a.o.continues() && (line == 0 || at < line) {
			line = at
		}
	}
	if line == 0 || p.letsGo(u) {
		return nil
	}
	kind, where := "stop-loop-unguarded", "stop"
	if !slices.Contains(events, "Stop") && always(f) {
		kind, where = "subagentstop-loop", "subagent's end"
	}
	return []Finding{u.finding(kind, Error, line,
		fmt.Sprintf("This refuses a %s and never reads stop_hook_active: while the reason holds, the agent says the same again and again, until the client overrides it with an empty result.", where),
		"Pass when stop_hook_active is true: case $in in *'\"stop_hook_active\":true'*) exit 0 ;; esac")}
}

// always reports whether no way lets go.
func always(f *facts) bool {
	for _, w := range f.ways {
		if w.Status != 2 && len(f.answers) == 0 {
			return false
		}
	}
	return len(f.ways) > 0
}

// letsGo reports whether the code behind an entry reads the flag, or counts on
// its own.
func (p *Patient) letsGo(u *unit) bool {
	for _, other := range u.entry.target.units {
		code := other.code()
		if strings.Contains(code, "stop_hook_active") || strings.Contains(code, "stopHookActive") {
			return true
		}
		// A counter of its own, kept by session: it is read, compared and written.
		counts := strings.Contains(code, "-ge ") || strings.Contains(code, "-gt ") || strings.Contains(code, "-lt ") || strings.Contains(code, ">=") || strings.Contains(code, "((")
		if (strings.Contains(code, "session_id") || strings.Contains(code, "prompt_id")) && counts {
			return true
		}
		for _, w := range p.facts(other).ways {
			for _, ev := range w.Events {
				if ev.Node.Kind == outline.Start && len(ev.Words) > 0 && filepath.Base(ev.Words[0]) == "agentguard-hook" {
					return true
				}
			}
		}
	}
	return sourcesFlag(p, u)
}

// sourcesFlag looks for the flag in files that are sourced.
func sourcesFlag(p *Patient, u *unit) bool {
	found := false
	u.prog.Walk(func(n *outline.Node) {
		if n.Kind != outline.Include || found || len(n.Words) == 0 {
			return
		}
		outside := p.outside(map[string]string{"0": u.file})
		name := n.Words[0](func(v string) string { return outside.Var(v) })
		if !outline.Known(name) {
			return
		}
		if raw, err := readBounded(name); err == nil && strings.Contains(outline.Code("sh", string(raw)), "stop_hook_active") {
			found = true
		}
	})
	return found
}

// subagents finds hooks that read the wrong transcript.
func (p *Patient) subagents(u *unit, events []string) []Finding {
	code := u.code()
	var out []Finding
	if len(events) == 1 && events[0] == "SubagentStop" && strings.Contains(code, "transcript_path") && !strings.Contains(strings.ReplaceAll(code, "agent_transcript_path", ""), "agent_transcript") &&
		!strings.Contains(code, "agent_transcript_path") {
		out = append(out, u.finding("subagent-transcript-parent", Warning, lineWith(code, "transcript_path"),
			"At SubagentStop transcript_path is the main session's file, so this reads the wrong conversation.",
			"Use agent_transcript_path."))
	}
	if slices.Contains(events, "Stop") && strings.Contains(code, "transcript_path") && !strings.Contains(code, "last_assistant_message") {
		out = append(out, u.finding("transcript-lag", Info, lineWith(code, "transcript_path"),
			"The transcript may not hold the last message yet when the hook runs.",
			"Take last_assistant_message from the input, and the file for history only."))
	}
	for _, a := range p.facts(u).answers {
		if m, ok := a.o.get("hookSpecificOutput"); ok && m.inner != nil {
			if d, ok := m.inner.get("permissionDecision"); ok && d.text == "ask" && !strings.Contains(code, "permission_mode") {
				out = append(out, u.finding("ask-unattended", Info, a.lineIn(d.at),
					"This hook asks. Without a person there (headless) that is a refusal, and in bypass mode some clients approve it.",
					"Choose deny or allow by permission_mode of the input where it matters."))
				break
			}
		}
	}
	return out
}

func lineWith(code, word string) int {
	i := strings.Index(code, word)
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(code[:i], "\n")
}
