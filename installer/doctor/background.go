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

// redirect puts the redirections before the & that ends the statement on a line,
// or on one of the lines it goes on to.
func (u *unit) redirect(line int) func(*mending) error {
	if u.fixed > 0 {
		return u.redirectIn(line, u.entry.Command)
	}
	lines := strings.Split(u.text, "\n")
	for n := max(line, 1); n <= len(lines) && n < line+50; n++ {
		if mend := u.redirectIn(n, lines[n-1]); mend != nil {
			return mend
		}
	}
	return nil
}

func (u *unit) redirectIn(line int, text string) func(*mending) error {
	for i := len(text) - 1; i > 0; i-- {
		last := i+1 == len(text)
		if text[i] != '&' || strings.IndexByte("&>", text[i-1]) >= 0 || !last && strings.IndexByte("&>", text[i+1]) >= 0 {
			continue
		}
		head := strings.TrimRight(text[:i], " ")
		return u.replaceIn(line, text[:i]+text[i:], head+" </dev/null >/dev/null 2>&1 "+text[i:])
	}
	return nil
}
