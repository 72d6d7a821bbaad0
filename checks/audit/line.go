package audit

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// line writes a record as json.Marshal does, byte for byte. Nearly every record is
// flat, and the study of all types that a record may hold took encoding/json a
// tenth of the whole call, so only what is set goes through it.
func (r *Record) line() ([]byte, error) {
	l := line{b: make([]byte, 0, 512)}
	l.marshaler("time", r.Time)
	l.text("kind", r.Kind)
	l.optional("client", r.Client)
	l.optional("session", r.Session)
	l.optional("prompt", r.Prompt)
	l.text("event", string(r.Event))
	l.optional("tool", r.Tool)
	l.optional("tool_use_id", r.ToolUseID)
	l.optional("agent", r.Agent)
	l.optional("project", r.Project)
	l.optional("subject", r.Subject)
	l.text("decision", r.Decision.String())
	l.optional("check", r.Check)
	l.optional("reason", r.Reason)
	l.optional("note", r.Note)
	if len(r.Findings) > 0 {
		l.value("findings", r.Findings)
	}
	if len(r.Failures) > 0 {
		l.value("failures", r.Failures)
	}
	if len(r.Secrets) > 0 {
		l.value("secrets", r.Secrets)
	}
	l.number("ms", r.MS)
	if r.Judge != nil {
		l.value("judge", r.Judge)
	}
	return append(l.b, '}', '\n'), l.err
}

// line is a JSON object in the making, and the first error on the way.
type line struct {
	b   []byte
	err error
}

func (l *line) name(name string) {
	sep := byte(',')
	if len(l.b) == 0 {
		sep = '{'
	}
	l.b = append(l.b, sep, '"')
	l.b = append(l.b, name...)
	l.b = append(l.b, '"', ':')
}

func (l *line) value(name string, v any) {
	raw, err := json.Marshal(v)
	if l.err == nil {
		l.err = err
	}
	l.name(name)
	l.b = append(l.b, raw...)
}

// marshaler writes what encodes itself.
func (l *line) marshaler(name string, v json.Marshaler) {
	raw, err := v.MarshalJSON()
	if l.err == nil {
		l.err = err
	}
	l.name(name)
	l.b = append(l.b, raw...)
}

func (l *line) number(name string, f float64) {
	// Outside of these encoding/json writes an exponent.
	if size := math.Abs(f); size != 0 && !(size >= 1e-6 && size < 1e21) {
		l.value(name, f)
		return
	}
	l.name(name)
	l.b = strconv.AppendFloat(l.b, f, 'f', -1, 64)
}

func (l *line) optional(name, s string) {
	if s != "" {
		l.text(name, s)
	}
}

func (l *line) text(name, s string) {
	if strings.ContainsFunc(s, escaped) {
		l.value(name, s)
		return
	}
	l.name(name)
	l.b = append(l.b, '"')
	l.b = append(l.b, s...)
	l.b = append(l.b, '"')
}

// escaped tells what encoding/json may write in another form.
func escaped(c rune) bool {
	return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&'
}
