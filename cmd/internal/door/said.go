package door

import (
	"encoding/json"
	"slices"

	"agentguard/checks/audit"
	"agentguard/hook"
	"agentguard/judge/redact"
)

// secretsOf finds the secrets of an event, where anything is to be said or kept of
// it that may quote it; ok is false for the usual call, of which nothing is.
func secretsOf(ev hook.Event, out hook.Outcome, records []audit.Record) (known redact.Values, ok bool) {
	said := out.Reason != "" || out.Halt != "" || len(out.Context)+len(out.Notices) > 0
	kept := slices.ContainsFunc(records, func(r audit.Record) bool {
		return r.Reason != "" || r.Note != "" || r.Judge != nil || len(r.Findings)+len(r.Failures) > 0
	})
	if !said && !kept {
		return known, false
	}
	var texts []string
	for _, raw := range ev.Fields {
		var value any
		if json.Unmarshal(raw, &value) == nil {
			texts = textsIn(texts, value)
		}
	}
	return redact.Learn(texts...), true
}

// textsIn adds the texts of a JSON value, keys included.
func textsIn(texts []string, value any) []string {
	switch v := value.(type) {
	case string:
		texts = append(texts, v)
	case []any:
		for _, e := range v {
			texts = textsIn(texts, e)
		}
	case map[string]any:
		for key, e := range v {
			texts = textsIn(append(texts, key), e)
		}
	}
	return texts
}

// speakable takes the secrets out of all that an answer says. What a call is
// rewritten to stays as it is: it runs.
func speakable(out hook.Outcome, known redact.Values) hook.Outcome {
	out.Reason, _ = known.Text(out.Reason)
	out.Halt, _ = known.Text(out.Halt)
	out.Context, out.Notices = slices.Clone(out.Context), slices.Clone(out.Notices)
	for _, lines := range [][]string{out.Context, out.Notices} {
		for i := range lines {
			lines[i], _ = known.Text(lines[i])
		}
	}
	return out
}
