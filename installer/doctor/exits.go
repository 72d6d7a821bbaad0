package doctor

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"agentguard/checks/shell/outline"
)

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
				"The status of the guard is thrown away here: its refusal (status 2) becomes another status, and the call goes on.",
				"Take the tail away, so that the guard's status is the command's.")
			if u.command && e.layer != nil {
				if cut := cutTail(e.Command); !outline.Shell(cut).Broken {
					f = f.with(e.commandEdit(cut))
				}
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
		// An exit of its own with another status than 2 loses the refusal as well.
		changed := w.Explicit && w.Status > 0 && w.Status != 2 && ev.Outcome == outline.False
		if w.From == i || w.Status < 0 && w.From < 0 || w.Explicit && w.Status != 0 && !changed || ev.Background {
			continue
		}
		if w.From >= 0 && w.From != i && ev.Outcome != outline.False && !lostBehind(w, i) {
			continue
		}
		if w.Status > 0 && !changed {
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
	for i := range len(command) {
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
