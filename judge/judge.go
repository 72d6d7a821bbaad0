// Package judge asks what a text means: questions of yes-or-no fields, the
// backends that answer them, and the verdict that follows.
//
// It writes no log, reads no disk and has no clock of its own; whoever asks
// records the verdict. A judge may only confirm or withdraw a block: a backend
// that fails, in whatever way, never blocks anything.
package judge

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Spec is what is asked about a text for one check.
type Spec struct {
	Check  string
	Fields []Field
	// Block is the formula: it gets every field of Fields and tells a violation.
	Block func(fields map[string]bool) bool
	// Formula is Block in words, for people: "new_proposal AND NOT …".
	Formula string
	// Version counts the changes of Guide; it is part of Verdict.PromptVersion.
	Version string
	// Guide explains the check to a model: what is a proposal here, what is not.
	Guide string
}

// Field is one yes-or-no question of a Spec.
type Field struct {
	Name    string
	Meaning string
	// Required makes a missing or null answer a failure; otherwise it is false.
	// A value that is neither boolean nor null is a failure in any case.
	Required bool
}

// Question is one text with everything that is asked about it. Several checks
// that hit the same text share one question and so one call.
type Question struct {
	Specs []Spec
	Text  string   // already redacted, at most MaxText bytes
	Facts []string // what the repository shows, in plain words
}

// MaxText is how much of a message goes to a judge, in bytes, cut on a rune.
const MaxText = 4000

// Reply is what a backend said, by check, not yet normalised.
type Reply struct {
	Answers map[string]json.RawMessage
	Raw     string
	CostUSD float64
}

// ErrUnsure is what a backend returns that works but cannot tell. The next
// backend is asked, and it does not count as a failure of this one.
var ErrUnsure = errors.New("not sure")

// Offline is the name of the backend that reads the text itself: it needs no
// process, and whatever time the others take some is kept for it.
const Offline = "offline"

// Backend answers questions. An error means no answer: unsure, slow, dead,
// missing, not parseable. Ask returns when ctx ends and leaves no process behind.
type Backend interface {
	Name() string
	Ask(ctx context.Context, q Question) (Reply, error)
}

// Result is the outcome for one check.
type Result string

// The results. Fail means that nothing usable was said; it never blocks.
const (
	Violation Result = "violation"
	Allowed   Result = "allow"
	Fail      Result = "fail"
)

// Verdict is the judge's word on one check.
type Verdict struct {
	Check         string          `json:"check"`
	Result        Result          `json:"result"`
	Fields        map[string]bool `json:"fields,omitempty"`
	Reason        string          `json:"reason,omitempty"`
	Backend       string          `json:"backend,omitempty"`
	Raw           string          `json:"raw,omitempty"`
	PromptVersion string          `json:"prompt_version,omitempty"`
	Elapsed       time.Duration   `json:"-"`
	CostUSD       float64         `json:"cost_usd,omitempty"`
	Cached        bool            `json:"cached,omitempty"`
	Errors        []string        `json:"errors,omitempty"` // what each backend that gave no answer said, in order
}
