package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentguard/settings"
)

// settingsRead looks at what the client drops of each settings file.
func settingsRead() Probe {
	return Probe{
		ID: "settings-read", Title: "settings files are read by the client",
		Kinds: []string{
			"settings-invalid-json", "settings-schema", "settings-duplicate-key", "event-unknown", "settings-placement",
			"settings-encoding", "settings-unreadable", "permission-rule-old-client",
		},
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			for _, l := range p.read().layers {
				out = append(out, l.troubles(p)...)
			}
			return out
		},
	}
}

func (l *layer) troubles(p *Patient) []Finding {
	switch {
	case !l.exists:
		return nil
	case l.unreadable != "":
		return []Finding{{
			Kind: "settings-unreadable", Severity: Error, File: l.path,
			Message: "This settings file " + l.unreadable + ", so the client takes it as if it were not there.",
			Fix:     "Put a file in its place, or remove it if it is not wanted.",
		}}
	case isUTF16(l.raw):
		return []Finding{{
			Kind: "settings-encoding", Severity: Error, File: l.path, Fixable: true,
			Message: "This settings file is UTF-16; the client drops it whole: hooks, permissions and env in it do not count.",
			Fix:     "Save it as UTF-8 without a mark.",
			mend:    l.toUTF8(),
		}}
	case len(strings.TrimSpace(string(l.raw))) == 0:
		return []Finding{{
			Kind: "settings-unreadable", Severity: Error, File: l.path,
			Message: "This settings file is empty. The client takes it as no file; if there were hooks in it, they are gone.",
			Fix:     "Restore it from git or a backup, or remove it.",
		}}
	}
	var out []Finding
	if hasBOM(l.raw) {
		out = append(out, Finding{
			Kind: "settings-encoding", Severity: Warning, File: l.path, Fixable: true,
			Message: "This settings file begins with a byte order mark: older clients and the desktop app drop the whole file.",
			Fix:     "Save it as UTF-8 without the mark.",
			mend:    l.dropBOM(),
		})
	}
	if l.syntax != nil {
		return append(out, l.invalid(l.syntax.Line, l.syntax.Msg, nil))
	}
	if f, bad := l.notStrict(); bad {
		return append(out, f)
	}
	out = append(out, l.duplicates()...)
	out = append(out, l.schema()...)
	out = append(out, l.misplaced()...)
	return append(out, l.oldRules(p)...)
}

// invalid is the finding for a file that is no JSON.
func (l *layer) invalid(line int, what string, mend func(*mending) error) Finding {
	lost := "everything in it"
	if keys := l.topKeys(); len(keys) > 0 {
		lost = strings.Join(keys, ", ")
	}
	f := Finding{
		Kind: "settings-invalid-json", Severity: Error, File: l.path, Line: line, Fixable: mend != nil, mend: mend,
		Message: fmt.Sprintf("This is not JSON (%s). The client drops the whole file without a word: %s.", what, lost),
		Fix:     "Correct this line; start the client again and look whether the hooks fire.",
	}
	if mend != nil {
		f.Fix = "Take comments and commas before a closing bracket out; notes belong into a file beside it."
	}
	return f
}

func (l *layer) topKeys() []string {
	var keys []string
	for _, m := range l.doc.Root.Members {
		if !slices.Contains(keys, m.Key) && len(keys) < 8 {
			keys = append(keys, m.Key)
		}
	}
	return keys
}

// notStrict reports the first place where a strict reader stops. For a comma
// before a bracket that is the bracket.
func (l *layer) notStrict() (Finding, bool) {
	for _, problem := range l.doc.Problems {
		switch problem.Kind {
		case settings.Comment:
			return l.invalid(problem.Line, "a comment", l.toStrict()), true
		case settings.TrailingComma:
			at := problem.Offset
			for at < len(l.raw) && l.raw[at] != '}' && l.raw[at] != ']' {
				if l.raw[at] == '/' {
					break // a comment comes first, and stops the reader too
				}
				at++
			}
			return l.invalid(l.line(at), "a comma before a closing bracket", l.toStrict()), true
		case settings.DuplicateKey, settings.ByteOrderMark, settings.Empty:
		}
	}
	return Finding{}, false
}

// duplicates lists keys that stand twice where that loses something.
func (l *layer) duplicates() []Finding {
	var out []Finding
	object := func(n settings.Node, what string, severity Severity, mend func(key string) func(*mending) error) {
		seen := map[string]bool{}
		for _, m := range n.Members {
			if seen[m.Key] {
				f := Finding{
					Kind: "settings-duplicate-key", Severity: severity, File: l.path, Line: l.line(m.KeyStart),
					Message: fmt.Sprintf("The key %q stands twice %s. Only the last one counts, so what the first says never runs.", m.Key, what),
					Fix:     "Merge the two into one.",
				}
				if mend != nil {
					f.mend = mend(m.Key)
					f.Fixable = f.mend != nil
				}
				out = append(out, f)
			}
			seen[m.Key] = true
		}
	}
	root := l.doc.Root
	object(root, "in this file", Error, func(key string) func(*mending) error {
		if key == "hooks" {
			return l.mergeHooks()
		}
		return nil
	})
	for _, m := range root.Members {
		switch m.Key {
		case "hooks":
			object(m.Value, "in \"hooks\"", Error, func(string) func(*mending) error { return l.mergeHooks() })
			for _, event := range m.Value.Members {
				for _, group := range event.Value.Items {
					object(group, "in this group", Error, nil)
					list, _ := group.Get("hooks")
					for _, h := range list.Items {
						object(h, "in this handler", Error, nil)
					}
				}
			}
		case "permissions", "env":
			object(m.Value, "in "+m.Key, Warning, nil)
		}
	}
	return out
}

// schema lists what the client's schema refuses.
func (l *layer) schema() []Finding {
	var out []Finding
	for _, fault := range l.faults {
		if strings.Contains(fault.Message, "occurs again further down") || strings.Contains(fault.Message, "stands outside \"hooks\"") {
			continue // duplicates and misplaced have them
		}
		f := Finding{Kind: "settings-schema", Severity: Error, File: l.path, Line: fault.Line}
		what := strings.ToUpper(fault.Message[:1]) + fault.Message[1:]
		if strings.HasPrefix(fault.Message, "this handler stands directly under") {
			f.Line = l.eventLine(fault)
		}
		switch {
		case strings.Contains(fault.Message, "is no event"):
			f.Kind = "event-unknown"
			f.Message = what + " The rest of the file is kept."
			if key, near := l.keyAt(fault.Offset); near != "" {
				f.Fix, f.Fixable = fmt.Sprintf("Rename %q to %q.", key.Key, near), true
				f.mend = l.replaceKey(key, near)
			} else {
				f.Fix = "Use an event that the client knows; `agentguard doctor --explain event-unknown` lists them."
			}
		case fault.Effect == settings.DropsFile:
			f.Message = what + ". The client drops the whole file because of it: hooks, permissions and env in it do not count."
		case fault.Effect == settings.DropsEvent:
			f.Message = what + ". No hook of this event runs."
		case fault.Effect == settings.DropsEntry:
			f.Message = what + ". The client drops this entry; other clients and versions drop the whole file."
		default:
			f.Severity = Info
			f.Message = what + "."
		}
		if f.Kind == "settings-schema" {
			f.Fix = "Give it the form the client expects."
			if mend, words := l.schemaMend(fault); mend != nil {
				f.mend, f.Fix, f.Fixable = mend, words, true
			}
		}
		out = append(out, f)
	}
	return out
}

// eventLine is the line of the event that a fault belongs to: there the list
// begins whose form is wrong.
func (l *layer) eventLine(fault settings.Fault) int {
	hooks, _ := l.doc.Root.Get("hooks")
	for _, m := range hooks.Members {
		if m.Key == fault.Event && m.KeyStart < fault.Offset && fault.Offset < m.Value.End {
			return l.line(m.KeyStart)
		}
	}
	return fault.Line
}

// keyAt finds the event key at an offset and the name it probably means.
func (l *layer) keyAt(offset int) (settings.Member, string) {
	hooks, _ := l.doc.Root.Get("hooks")
	for _, m := range hooks.Members {
		if m.KeyStart == offset {
			return m, settings.Nearest(m.Key, settings.EventNames())
		}
	}
	return settings.Member{}, ""
}
