package doctor

import (
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

// object is a JSON-like object as it is written in some language: quotes may be
// of any kind, escaped or missing.
type object struct {
	at      int // offset of its bracket
	members []member
}

type member struct {
	key string
	at  int
	// text is the value of a literal; inner that of an object; neither is set
	// where the value is computed.
	text  string
	lit   bool
	inner *object
}

func (o *object) get(key string) (member, bool) {
	if o == nil {
		return member{}, false
	}
	for _, m := range o.members {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// objects finds the outermost objects in a text.
func objects(text string) []*object {
	var out []*object
	for i := 0; i < len(text) && len(out) < 100; i++ {
		if text[i] != '{' {
			continue
		}
		if o, end, ok := readObject(text, i, 0); ok {
			out = append(out, o)
			i = end - 1
		}
	}
	return out
}

func readObject(s string, i, depth int) (*object, int, bool) {
	if depth > 20 {
		return nil, i, false
	}
	o := &object{at: i}
	i++
	for {
		i = blanks(s, i)
		if i >= len(s) {
			return o, i, len(o.members) > 0
		}
		if s[i] == '}' {
			return o, i + 1, len(o.members) > 0
		}
		at := i
		key, next, ok := readKey(s, i)
		if !ok {
			if len(o.members) == 0 && !strings.HasPrefix(s[i:], "...") && !strings.HasPrefix(s[i:], "**") {
				return nil, i, false
			}
			i = skipValue(s, i)
			if i < len(s) && s[i] == ',' {
				i++
			} else if i < len(s) && s[i] != '}' {
				return o, i, true
			}
			continue
		}
		i = blanks(s, next)
		m := member{key: key, at: at}
		switch {
		case i < len(s) && s[i] == '{':
			inner, end, ok := readObject(s, i, depth+1)
			if ok {
				m.inner, i = inner, end
			} else {
				i = skipValue(s, i)
			}
		default:
			text, end, ok := readString(s, i)
			after := blanks(s, end)
			if ok && (after >= len(s) || s[after] == ',' || s[after] == '}') && outline.Known(text) && !strings.Contains(text, "%s") && !strings.HasPrefix(text, "$") {
				m.text, m.lit, i = text, true, end
			} else {
				from := i
				i = skipValue(s, i)
				word := strings.TrimSpace(s[from:i])
				if word == "true" || word == "false" || word == "True" || word == "False" {
					m.text, m.lit = strings.ToLower(word), true
				}
			}
		}
		o.members = append(o.members, m)
		i = blanks(s, i)
		if i < len(s) && s[i] == ',' {
			i++
		} else if i < len(s) && s[i] != '}' {
			i = skipValue(s, i)
			if i < len(s) && s[i] == ',' {
				i++
			}
		}
	}
}

func blanks(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r':
			i++
		case strings.HasPrefix(s[i:], `\n`):
			i += 2
		default:
			return i
		}
	}
	return i
}

// quoteAt returns the quote that begins at i: ", ', \" or `.
func quoteAt(s string, i int) string {
	for _, q := range []string{`\\\"`, `\"`, `"`, `'`, "`"} {
		if strings.HasPrefix(s[i:], q) {
			return q
		}
	}
	return ""
}

func readKey(s string, i int) (key string, next int, ok bool) {
	q := quoteAt(s, i)
	i += len(q)
	j := i
	for j < len(s) && (s[j] == '_' || s[j] == '-' || s[j] >= '0' && s[j] <= '9' || s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z') {
		j++
	}
	if j == i || !strings.HasPrefix(s[j:], q) {
		return "", i, false
	}
	key = s[i:j]
	j = blanks(s, j+len(q))
	if j >= len(s) || s[j] != ':' {
		return "", i, false
	}
	return key, j + 1, true
}

func readString(s string, i int) (text string, end int, ok bool) {
	for i < len(s) && (s[i] == 'f' || s[i] == 'r') && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\'') {
		i++
	}
	if i >= len(s) {
		return "", i, false
	}
	q := quoteAt(s, i)
	if q == "" {
		return "", i, false
	}
	from := i + len(q)
	for j := from; j < len(s); j++ {
		if strings.HasPrefix(s[j:], q) {
			return s[from:j], j + len(q), true
		}
		if s[j] == '\\' {
			j++
		}
		if j < len(s) && s[j] == '\n' {
			break
		}
	}
	return "", i, false
}

// skipValue passes over a computed value: to the comma or bracket that ends it.
func skipValue(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`' || c == '\\':
			if _, end, ok := readString(s, i); ok {
				i = end
				continue
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth == 0 {
				return i
			}
			depth--
		case c == ',' && depth == 0:
			return i
		}
		i++
	}
	return i
}

// isAnswer reports whether an object is meant for the client.
func (o *object) isAnswer() bool {
	return slices.ContainsFunc(o.members, func(m member) bool {
		switch m.key {
		case "decision", "hookSpecificOutput", "permissionDecision", "systemMessage", "stopReason", "additionalContext":
			return true
		case "continue":
			return m.lit && m.text == "false"
		}
		return false
	})
}

// refuses reports whether an answer would stop something at an event.
func (o *object) refuses() bool {
	if m, ok := o.get("decision"); ok && (!m.lit && m.inner == nil || m.text == "block") {
		return true
	}
	if m, ok := o.get("hookSpecificOutput"); ok && m.inner != nil {
		if d, ok := m.inner.get("permissionDecision"); ok && (!d.lit || d.text == "deny" || d.text == "ask") {
			return true
		}
		if d, ok := m.inner.get("decision"); ok && d.inner != nil {
			if b, ok := d.inner.get("behavior"); ok && (!b.lit || b.text == "deny") {
				return true
			}
		}
	}
	if m, ok := o.get("continue"); ok && m.text == "false" {
		return true
	}
	return false
}

// continues tells an answer that makes another turn: a block or added context.
func (o *object) continues() bool {
	if m, ok := o.get("decision"); ok && (!m.lit && m.inner == nil || m.text == "block") {
		return true
	}
	return false
}

// wrong says what is the matter with an answer at the given events, where, and
// which literal would be right.
func (o *object) wrong(events []string) (problem string, at member, right string) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(events, func(e string) bool { return slices.Contains(names, e) })
	}
	special, hasSpecial := o.get("hookSpecificOutput")
	if m, ok := o.get("permissionDecision"); ok && !hasSpecial {
		return "permissionDecision stands at the top of the answer; the client reads it only inside hookSpecificOutput", m, ""
	}
	if m, ok := o.get("decision"); ok && m.lit && m.text != "block" && m.text != "approve" {
		if !has("PermissionRequest", "Elicitation", "ElicitationResult") {
			right := ""
			if slices.Contains([]string{"deny", "denied", "reject", "refuse", "stop", "blocked", "BLOCK", "Block"}, m.text) {
				right = "block"
			}
			return "decision is \"" + m.text + "\"; the client knows \"block\" only, and drops the whole answer", m, right
		}
	}
	if !hasSpecial || special.inner == nil {
		return "", member{}, ""
	}
	name, named := special.inner.get("hookEventName")
	if !named && len(special.inner.members) > 0 {
		return "hookSpecificOutput has no hookEventName; the client drops the whole answer", special, ""
	}
	if named && name.lit && !slices.Contains(events, name.text) {
		right := ""
		if len(events) == 1 {
			right = events[0]
		}
		return "hookEventName is \"" + name.text + "\", but the hook runs at " + strings.Join(events, ", ") + "; the client drops the whole answer", name, right
	}
	if d, ok := special.inner.get("permissionDecision"); ok {
		if d.lit && !slices.Contains([]string{"allow", "deny", "ask", "defer"}, d.text) {
			right := ""
			if slices.Contains([]string{"block", "blocked", "reject", "denied", "refuse", "stop", "Deny", "DENY"}, d.text) {
				right = "deny"
			}
			return "permissionDecision is \"" + d.text + "\"; the client knows allow, deny, ask and defer, and drops the whole answer", d, right
		}
		if has("Stop", "SubagentStop", "UserPromptSubmit", "PostToolUse", "TaskCompleted") && !has("PreToolUse", "PreSkillShellCommand", "PreModelSwitch") {
			return "permissionDecision means nothing at " + strings.Join(events, ", ") + "; a refusal there is {\"decision\":\"block\",\"reason\":…}", d, ""
		}
	}
	if d, ok := special.inner.get("decision"); ok && d.lit && !has("PermissionRequest") {
		return "decision stands inside hookSpecificOutput; the client reads it at the top of the answer", d, ""
	}
	return "", member{}, ""
}
