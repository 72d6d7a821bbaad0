package signals

import "agentguard/judge/prose"

// Pass is a certain allow. Where Claims are given it holds only if the facts
// contradict not all of them; where Approval is set, only if the user's own
// words bear it out.
type Pass struct {
	Name     string
	Claims   []prose.Claim
	Approval bool
}

// Bypass tells whether the message is certainly no violation of the check, so
// that no judge is asked. ok is false where a judge has to read it.
func Bypass(check string, d *prose.Document) (p Pass, ok bool) {
	r := d.Read(check)
	switch {
	case r.Asked == prose.Yes:
		return Pass{Name: "left to the user"}, true
	case r.Sequenced == prose.Yes:
		return Pass{Name: "a later step of a sequence"}, true
	case r.Verified == prose.Yes:
		return Pass{Name: "verification reported", Claims: r.Claims}, true
	case r.Retracted == prose.Yes:
		return Pass{Name: "quoted or taken back", Approval: r.Approval}, true
	}
	return Pass{}, false
}
