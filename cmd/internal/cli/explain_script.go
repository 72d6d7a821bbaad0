package cli

import (
	"slices"
	"strings"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/checks/shell"
)

// explainedScript is what a command would do, as the checks see it.
type explainedScript struct {
	Commands []explainedCommand `json:"commands"`
	Effects  []explainedEffect  `json:"effects"`
	Fallback string             `json:"fallback,omitempty"` // why the text could not be parsed
	Cut      string             `json:"cut,omitempty"`      // the limit that was met
}

type explainedCommand struct {
	Text string   `json:"text"`
	Via  []string `json:"via,omitempty"`
	Dir  string   `json:"dir,omitempty"`
}

type explainedEffect struct {
	Op   string `json:"op"`
	Path string `json:"path"`
}

// scriptOf returns nil where the event is no shell command.
func scriptOf(in *checks.Input) *explainedScript {
	if _, ok := in.ShellCommand(); !ok {
		return nil
	}
	s := in.Script()
	out := &explainedScript{Commands: []explainedCommand{}, Effects: []explainedEffect{}, Fallback: s.Fallback, Cut: s.Truncated}
	for _, c := range s.Commands {
		if c.Carrier {
			continue // what it carries is listed, with it as the way
		}
		out.Commands = append(out.Commands, explainedCommand{Text: commandLine(c), Via: c.Via, Dir: plain(c.Dir)})
	}
	for _, e := range s.Effects {
		if e.Op == shell.Read {
			continue
		}
		x := explainedEffect{Op: string(e.Op), Path: plain(e.Path)}
		if !slices.Contains(out.Effects, x) {
			out.Effects = append(out.Effects, x)
		}
	}
	return out
}

// commandLine writes a command as it was resolved; what is not known is "…".
func commandLine(c shell.Command) string {
	words := []string{c.Name}
	if c.Name == "" {
		words[0] = plain(c.Program)
	}
	for _, w := range c.Args {
		text := plain(w)
		if text == "" || strings.ContainsAny(text, " \t\n'\"") {
			text = "'" + strings.ReplaceAll(text, "\n", "⏎") + "'"
		}
		words = append(words, text)
	}
	line := strings.Join(words, " ")
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + " …"
	}
	return line
}

func plain(w shell.Word) string {
	return strings.ReplaceAll(w.Text, string(shell.Unknown), "…")
}

// maxListed bounds what explain lists of a script.
const maxListed = 30

// explainScript prints what the command would do.
func (a *app) explainScript(in *checks.Input) {
	s := scriptOf(in)
	if s == nil {
		return
	}
	for i, c := range s.Commands {
		if i == maxListed {
			a.printf("  … and %d commands more\n", len(s.Commands)-i)
			break
		}
		a.printf("  runs    %s", c.Text)
		if len(c.Via) > 0 {
			a.printf("  (through %s)", strings.Join(c.Via, ", "))
		}
		a.printf("\n")
	}
	for i, e := range s.Effects {
		if i == maxListed {
			a.printf("  … and %d files more\n", len(s.Effects)-i)
			break
		}
		a.printf("  %-7s %s\n", e.Op, a.tilde(e.Path))
	}
	if s.Fallback != "" {
		a.printf("  the text could not be parsed (%s): its words were searched one by one\n", s.Fallback)
	}
	if s.Cut != "" {
		a.printf("  the script is larger than what is followed (%s)\n", s.Cut)
	}
}

// explainPass prints a check that lets the call go.
func (a *app) explainPass(f engine.Found) {
	if len(f.Finding.Rewrite) > 0 {
		a.printf("  %-28s rewritten (%s), rule %s\n", f.Check.ID, f.Mode, f.Finding.Rule)
		for _, line := range f.Finding.Context {
			a.printf("%s%s\n", indent, wrap(line, indent))
		}
		return
	}
	a.printf("  %-28s nothing found\n", f.Check.ID)
	if f.Finding.Note != "" {
		a.printf("%s%s\n", indent, wrap(f.Finding.Note, indent))
	}
}
