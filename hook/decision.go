package hook

import (
	"encoding/json"
	"slices"
)

// Decision is what is said about an event, ordered so that the larger one wins.
type Decision int

// The decisions, weakest first. Claude Code's own "defer" stands between Ask and
// Deny; we never say it.
const (
	Pass  Decision = iota // say nothing
	Allow                 // approve; only PermissionRequest ever uses it
	Ask                   // let a person decide
	Deny                  // refuse
)

// String returns the word used in logs, messages and tests.
func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	default:
		return "pass"
	}
}

// MarshalText writes the decision's word.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a decision's word; an unknown one is Pass.
func (d *Decision) UnmarshalText(b []byte) error {
	*d = Pass
	for _, k := range []Decision{Allow, Ask, Deny} {
		if k.String() == string(b) {
			*d = k
		}
	}
	return nil
}

// Outcome is the whole answer to one event, before a client's encoder writes it.
type Outcome struct {
	Decision Decision
	Check    string // id of the check that decided; empty when nothing did
	Reason   string // addressed to the agent, without the "[check] " prefix
	Context  []string
	Notices  []string        // lines for the person
	Rewrite  json.RawMessage // the tool input to use instead; never beside Ask or Deny
	Halt     string          // when set, a denied call also ends the turn, with this as the stop reason
	Text     string          // WorktreeCreate alone: the plain text to print
}

// Strictest merges answers: the strictest decision wins with its check and
// reason (the first of equal ones), contexts and notices add up, and a rewrite
// survives only when nothing is asked or denied. It is commutative in the
// decision, associative, and never weaker than any of its inputs.
func Strictest(outs ...Outcome) Outcome {
	var merged Outcome
	for _, o := range outs {
		if o.Decision > merged.Decision {
			merged.Decision, merged.Check, merged.Reason = o.Decision, o.Check, o.Reason
		}
		if merged.Halt == "" {
			merged.Halt = o.Halt
		}
		if merged.Rewrite == nil {
			merged.Rewrite = slices.Clone(o.Rewrite)
		}
		if merged.Text == "" {
			merged.Text = o.Text
		}
		merged.Context = append(merged.Context, o.Context...)
		merged.Notices = append(merged.Notices, o.Notices...)
	}
	if merged.Decision >= Ask {
		merged.Rewrite = nil
	}
	return merged
}
