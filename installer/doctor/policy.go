package doctor

import "context"

// Mistake is one place of a policy file that does not count because of it.
type Mistake struct {
	File    string // absolute
	Line    int    // from 1; 0 means the whole file
	Message string
}

// policies passes on what the reader of policies found: the hooks go on with the
// layers that are left, so that nobody notices that one is missing.
func policies() Probe {
	return Probe{
		ID: "policy", Title: "each policy file counts",
		Kinds: []string{"policy-broken"},
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			for _, m := range p.Policy {
				out = append(out, Finding{
					Kind: "policy-broken", Severity: Error, File: m.File, Line: m.Line,
					Message: "This policy file does not count: " + m.Message + ". Its last good copy holds, or the standard profile.",
					Fix:     "Correct that place; `agentguard check` tells whether more is wrong.",
				})
			}
			return out
		},
	}
}
