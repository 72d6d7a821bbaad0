package doctor

import (
	"context"
)

// commandLines looks at each command as text: does it start something here?
func commandText() Probe {
	return Probe{
		ID: "commands", Title: "each command starts a program that is there",
		Kinds: []string{
			"hook-target-missing", "path-differs", "placeholder-unquoted", "placeholder-wrong", "relative-command", "hook-not-executable",
			"hook-crlf", "exec-form-shell-syntax", "windows-backslash-path", "non-ascii-path", "dependency-missing", "slow-start",
			"machine-path-shared",
		},
		Run: func(ctx context.Context, p *Patient) []Finding {
			var out []Finding
			for _, e := range p.read().entries {
				if e.Type != "command" || e.Command == "" {
					continue
				}
				found := p.lookAt(e)
				out = append(out, found...)
				if len(found) == 0 {
					out = append(out, p.shared(ctx, e)...)
				}
			}
			return out
		},
	}
}

// at makes a finding at an entry's command.
func (e *entry) finding(kind string, severity Severity, message, fix string) Finding {
	return Finding{Kind: kind, Severity: severity, File: e.file, Line: e.line, Message: message, Fix: fix}
}

// commandEdit makes a mend that replaces the command's text.
func (e *entry) commandEdit(text string) func(*mending) error {
	n, ok := e.Node.Get("command")
	if !ok || e.layer == nil || text == e.Command {
		return nil
	}
	return e.layer.replaceText(n, text)
}

func (f Finding) with(mend func(*mending) error) Finding {
	f.mend, f.Fixable = mend, mend != nil
	return f
}

func (p *Patient) lookAt(e *entry) []Finding {
	if e.HasArgs {
		if f, bad := p.execForm(e); bad {
			return []Finding{f}
		}
	} else if f, bad := p.placeholder(e); bad {
		return []Finding{f}
	}
	if p.OS == "windows" {
		if f, bad := windowsPath(e); bad {
			return []Finding{f}
		}
	}
	var out []Finding
	for _, l := range e.target.launches {
		out = append(out, p.launchTroubles(e, l)...)
	}
	return append(out, p.slowStart(e)...)
}
