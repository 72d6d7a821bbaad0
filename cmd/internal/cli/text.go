package cli

import (
	"path/filepath"
	"strings"

	"github.com/fatih/color"

	"agentguard/hook"
)

// paint returns a colouring function for one stream: fatih/color's own switch
// looks at stdout alone, so it is set for each colour.
func paint(on bool, attrs ...color.Attribute) func(string) string {
	c := color.New(attrs...)
	if on {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return func(s string) string { return c.Sprint(s) }
}

// verdictLine is the first line of an explanation.
func verdictLine(colored bool, out hook.Outcome) string {
	attr := map[hook.Decision]color.Attribute{hook.Deny: color.FgRed, hook.Ask: color.FgYellow}[out.Decision]
	if attr == 0 {
		attr = color.FgGreen
	}
	line := paint(colored, attr, color.Bold)(out.Decision.String())
	if out.Check != "" {
		line += " by " + out.Check
	}
	if len(out.Rewrite) > 0 {
		line += ", rewritten to " + string(out.Rewrite)
	}
	return line + "\n"
}

// wrap breaks text into lines of about 90 columns, each after the first with the
// given prefix.
func wrap(text, prefix string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		if i > 0 {
			if width+len(word) > 90 {
				b.WriteString("\n" + prefix)
				width = 0
			} else {
				b.WriteByte(' ')
				width++
			}
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}

// tilde writes the home folder as ~.
func (a *app) tilde(text string) string {
	home := a.env.World().Home
	if home == "" || home == "/" {
		return text
	}
	return strings.ReplaceAll(text, home, "~")
}

// workingDir is the folder that a command speaks of when it is given none.
func workingDir() (string, error) { return filepath.Abs(".") }

// place shortens where a mode comes from: relative to the folder that is looked
// at, else with ~ for the home folder.
func (a *app) place(origin, dir string) string {
	if rel, ok := strings.CutPrefix(origin, dir+string(filepath.Separator)); ok {
		return rel
	}
	return a.tilde(origin)
}
