package doctor

import (
	"strings"

	"agentguard/checks/shell/outline"
)

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
