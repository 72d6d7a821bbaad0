package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentguard/judge/redact"
)

// MaxReply is how much of a backend's answer is read at all, in bytes.
const MaxReply = 256 << 10

// maxReason bounds the reason that a judge gives, in bytes.
const maxReason = 500

// Normalise turns one check's answer into a verdict. A required field that is
// missing, null or no boolean, another field that is neither boolean nor null,
// and anything that is no JSON object are Fail; a field that may be left out
// counts as false then. Fields that the Spec does not name are ignored.
func Normalise(spec Spec, answer json.RawMessage) Verdict {
	v := Verdict{Check: spec.Check, Result: Fail}
	members, err := object(answer)
	if err != nil {
		v.Errors = []string{err.Error()}
		return v
	}
	fields := make(map[string]bool, len(spec.Fields))
	for _, f := range spec.Fields {
		value, err := boolean(members[f.Name], f.Required)
		if err != nil {
			v.Errors = []string{fmt.Sprintf("field %s: %v", f.Name, err)}
			return v
		}
		fields[f.Name] = value
	}
	v.Fields = fields
	var reason string
	if json.Unmarshal(members["reason"], &reason) == nil {
		v.Reason = Safe(reason, maxReason)
	}
	v.Result = Allowed
	if spec.Block != nil && spec.Block(fields) {
		v.Result = Violation
	}
	return v
}

// ParseReply reads what a model wrote: one JSON object with a member for each
// check, alone or as the only content of a code fence. For a single check the
// object of its fields may stand alone. Text around it, a second value and
// repeated members are errors.
func ParseReply(specs []Spec, text []byte) (map[string]json.RawMessage, error) {
	if len(text) > MaxReply {
		return nil, fmt.Errorf("answer of more than %d bytes", MaxReply)
	}
	members, err := object(unfence(text))
	if err != nil {
		return nil, err
	}
	answers := make(map[string]json.RawMessage, len(specs))
	for _, s := range specs {
		if a, ok := members[s.Check]; ok {
			answers[s.Check] = a
		}
	}
	if len(answers) == 0 && len(specs) == 1 && holdsField(specs[0], members) {
		whole, err := json.Marshal(members)
		if err != nil {
			return nil, fmt.Errorf("reading answer: %w", err)
		}
		answers[specs[0].Check] = whole
	}
	if len(answers) == 0 {
		return nil, errors.New("answer names none of the checks asked")
	}
	return answers, nil
}

func holdsField(spec Spec, members map[string]json.RawMessage) bool {
	for _, f := range spec.Fields {
		if _, ok := members[f.Name]; ok {
			return true
		}
	}
	return false
}

func boolean(raw json.RawMessage, required bool) (bool, error) {
	switch s := string(bytes.TrimSpace(raw)); {
	case s == "true":
		return true, nil
	case s == "false":
		return false, nil
	case s != "" && s != "null":
		return false, errors.New("not a boolean")
	case required:
		return false, errors.New("missing")
	default:
		return false, nil
	}
}

// object reads one JSON object with nothing behind it. A member that stands
// twice is an error: which of the two was meant cannot be told.
func object(raw []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil || t != json.Delim('{') {
		return nil, errors.New("answer is not a JSON object")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return nil, errors.New("answer is not valid JSON")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errors.New("answer is not valid JSON")
		}
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("answer names %q twice", Safe(name, 60))
		}
		members[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, errors.New("answer is not valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the answer's JSON object")
	}
	return members, nil
}

// unfence takes the content of a text that is one code fence and nothing else:
// models write JSON that way even when told not to.
func unfence(text []byte) []byte {
	s := strings.TrimSpace(string(text))
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") {
		return []byte(s)
	}
	_, body, ok := strings.Cut(s, "\n")
	body = strings.TrimSpace(strings.TrimSuffix(body, "```"))
	if !ok || strings.Contains(body, "```") {
		return []byte(s)
	}
	return []byte(body)
}

// Safe makes text of another program fit for a log or a message: secrets out,
// then at most n bytes. The other order could leave the first half of a secret,
// which nothing recognises.
func Safe(s string, n int) string { return Clip(redacted(Clip(s, MaxReply)), n) }

func redacted(s string) string {
	s, _ = redact.Text(s)
	return s
}

// Clip cuts s to at most n bytes, on a rune, and marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "…"
	cut := max(n-len(mark), 0)
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + mark
}
