package doctor

import (
	"fmt"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

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
