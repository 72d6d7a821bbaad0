// Package redact takes secrets out of a text before it reaches a model, a log
// or a message. It scans by hand, in time linear to the text, compiles nothing
// and keeps nothing: a value that was found is counted by its kind and gone.
package redact

import "strings"

// Kind names what a secret is for. It stands in the placeholder and in counts.
type Kind string

// Counts tells how many secrets of each kind were taken out.
type Counts map[Kind]int

// Total is the number of secrets of all kinds.
func (c Counts) Total() int {
	n := 0
	for _, v := range c {
		n += v
	}
	return n
}

// add counts one secret and makes the map when it is the first.
func (c *Counts) add(k Kind) {
	if *c == nil {
		*c = Counts{}
	}
	(*c)[k]++
}

// maxPasses bounds how often a text is read again after something was found.
const maxPasses = 8

// Text returns s with every secret replaced by "<redacted:KIND>", and what was
// replaced. Counts is nil when nothing was. Text of its own result is that
// result. It errs towards taking too much: a dummy goes like the real one.
func Text(s string) (string, Counts) {
	var counts Counts
	for range maxPasses {
		// A replacement moves word borders, which can bring out what a longer word
		// hid; so read until nothing is found. Without a find there is one pass.
		out, n := pass(s, &counts)
		if n == 0 {
			break
		}
		s = out
	}
	return s, counts
}

// span is a secret at s[start:end].
type span struct {
	start, end int
	kind       Kind
}

func pass(s string, counts *Counts) (string, int) {
	spans := find(s)
	if len(spans) == 0 {
		return s, 0
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range spans {
		b.WriteString(s[at:f.start])
		b.WriteString(placeholder(f.kind))
		counts.add(f.kind)
		at = f.end
	}
	b.WriteString(s[at:])
	return b.String(), len(spans)
}

const placeholderStart = "<redacted:"

// placeholderAt is the length of a placeholder of ours at s[i], or 0. One with a
// kind that we do not know is text like any other: a secret may stand in it.
func placeholderAt(s string, i int) int {
	if s[i] != '<' || !strings.HasPrefix(s[i:], placeholderStart) {
		return 0
	}
	start := i + len(placeholderStart)
	n := strings.IndexByte(s[start:min(len(s), start+40)], '>')
	if n < 0 || !known(Kind(s[start:start+n])) {
		return 0
	}
	return start + n + 1 - i
}

// known tells whether a kind is one that we give.
func known(k Kind) bool {
	for _, other := range otherKinds {
		if k == other {
			return true
		}
	}
	for i := range tokens {
		if tokens[i].kind == k {
			return true
		}
	}
	return false
}

// otherKinds are the kinds that no prefix tells.
var otherKinds = [...]Kind{
	privateKeyKind, passwordKind, secretKind, authorizationKind, connectionKind, urlKind,
	"aws-secret-key", "aws-session-token", "azure-key", "basic-auth", "discord-token", "jwt", "sendgrid-key", "telegram-token", "twilio-key",
}

// withoutPlaceholders is what is left of a value that was redacted in part.
func withoutPlaceholders(v string) string {
	if !strings.Contains(v, placeholderStart) {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if n := placeholderAt(v, i); n > 0 {
			i += n - 1
			continue
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

func placeholder(k Kind) string { return placeholderStart + string(k) + ">" }
