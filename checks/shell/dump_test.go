package shell

import (
	"fmt"
	"strings"
)

// testEnv is the surroundings of most tests.
func testEnv() Env { return Env{Dir: "/r", Home: "/home/u"} }

// dump writes an analysis as one line for each command and effect.
func dump(s Script) string {
	var b strings.Builder
	for _, c := range s.Commands {
		if c.Carrier {
			b.WriteString("~ ")
		}
		b.WriteString(strings.Join(append([]string{c.Name}, texts(c.Args)...), " "))
		if len(c.Via) > 0 {
			fmt.Fprintf(&b, "  <%s>", strings.Join(c.Via, " > "))
		}
		if c.Dir.Text != "/r" {
			fmt.Fprintf(&b, " @%s", show(c.Dir))
		}
		if c.Unread {
			b.WriteString(" unread")
		}
		if c.Recursive {
			b.WriteString(" recursive")
		}
		b.WriteByte('\n')
	}
	for _, e := range s.Effects {
		fmt.Fprintf(&b, "%s %s", e.Op, show(e.Path))
		if e.Recursive {
			b.WriteString(" -r")
		}
		b.WriteByte('\n')
	}
	if s.Fallback != "" {
		fmt.Fprintf(&b, "fallback %s: %s\n", s.Fallback, strings.Join(s.Tokens, " "))
	}
	if s.Truncated != "" {
		fmt.Fprintf(&b, "truncated %s\n", s.Truncated)
	}
	return b.String()
}

func texts(words []Word) []string {
	var out []string
	for _, w := range words {
		out = append(out, show(w))
	}
	return out
}

// show writes a word with its unknown parts by name.
func show(w Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p.Kind {
		case Literal:
			b.WriteString(p.Text)
		case Glob:
			b.WriteString("«" + p.Text + "»")
		case Var:
			b.WriteString("«$" + p.Name + "»")
		case Output:
			fmt.Fprintf(&b, "«out%v»", p.From)
		}
	}
	if strings.ContainsAny(b.String(), " \n") || b.Len() == 0 {
		return fmt.Sprintf("%q", b.String())
	}
	return b.String()
}
