package doctor

import (
	"fmt"
	"strings"

	"agentguard/settings"
)

// misplaced lists hooks that stand where the client does not look.
func (l *layer) misplaced() []Finding {
	var out []Finding
	_, hasHooks := l.doc.Root.Get("hooks")
	note := func(m settings.Member, what, fix string, mend func(*mending) error) {
		out = append(out, Finding{
			Kind: "settings-placement", Severity: Error, File: l.path, Line: l.line(m.KeyStart), Message: what, Fix: fix,
			Fixable: mend != nil, mend: mend,
		})
	}
	for _, m := range l.doc.Root.Members {
		switch {
		case m.Key == "hooks":
		case settings.KnownEvent(m.Key) && m.Value.Kind == settings.Array:
			note(m, fmt.Sprintf("%q stands at the top of the file. The client reads events only inside \"hooks\", so nothing here ever runs.", m.Key),
				"Move it into \"hooks\".", l.moveIntoHooks(m))
		case m.Value.Kind == settings.Object && holdsEvents(m.Value):
			mend := l.replaceKey(m, "hooks")
			if hasHooks {
				mend = nil
			}
			note(m, fmt.Sprintf("The hooks stand under %q. The client reads only \"hooks\", so nothing here ever runs.", m.Key),
				"Rename the key to \"hooks\".", mend)
		case m.Value.Kind == settings.Object:
			for _, inner := range m.Value.Members {
				if inner.Key == "hooks" && holdsEvents(inner.Value) {
					note(inner, fmt.Sprintf("\"hooks\" stands inside %q. The client reads it only at the top of the file, so nothing here ever runs.", m.Key),
						"Move it to the top of the file.", nil)
				}
			}
		}
	}
	return out
}

// holdsEvents reports whether an object looks like the value of "hooks".
func holdsEvents(n settings.Node) bool {
	for _, m := range n.Members {
		if settings.KnownEvent(m.Key) && m.Value.Kind == settings.Array {
			return true
		}
	}
	return false
}

// versionLenientRules is the first client line that keeps a file with a
// malformed permission rule, as far as observed.
var versionLenientRules = settings.Version{2, 1, 0}

func (l *layer) oldRules(p *Patient) []Finding {
	if !p.ClientVersion.Before(versionLenientRules) {
		return nil
	}
	var out []Finding
	for _, list := range []string{"allow", "deny", "ask"} {
		rules, _ := l.doc.Root.Get("permissions", list)
		for _, rule := range rules.Items {
			if rule.Kind == settings.String && balanced(rule.Text) {
				continue
			}
			out = append(out, Finding{
				Kind: "permission-rule-old-client", Severity: Warning, File: l.path, Line: l.line(rule.Start),
				Message: fmt.Sprintf("Client %s drops the whole file for a permission rule that it cannot read.", p.ClientVersion),
				Fix:     "Correct the rule, as Tool or Tool(pattern), or update the client.",
			})
		}
	}
	return out
}

func balanced(rule string) bool {
	open, end := strings.Count(rule, "("), strings.Count(rule, ")")
	return rule != "" && open == end && (open == 0 || strings.HasSuffix(rule, ")"))
}
