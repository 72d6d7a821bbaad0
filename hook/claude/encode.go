package claude

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"agentguard/hook"
)

// maxReason bounds a reason in bytes: a longer one only buries the one act that
// is asked for. Client 2.1.332 itself cuts a PreToolUse reason of 200 kB.
const maxReason = 2 << 10

// maxContext bounds additional context; above about 10,000 characters the client
// writes it to a file and shows a preview.
const maxContext = 8 << 10

// answer is the object that the client reads on exit status 0. Field order is
// the order of the output and is part of the encoder's tests.
type answer struct {
	Continue      *bool     `json:"continue,omitempty"`
	StopReason    string    `json:"stopReason,omitempty"`
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event              hook.EventName  `json:"hookEventName"`
	PermissionDecision string          `json:"permissionDecision,omitempty"`
	PermissionReason   string          `json:"permissionDecisionReason,omitempty"`
	UpdatedInput       json.RawMessage `json:"updatedInput,omitempty"`
	AdditionalContext  string          `json:"additionalContext,omitempty"`
	Decision           *permission     `json:"decision,omitempty"`
}

type permission struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

// Encode writes the answer as client 2.1.332 honours it, observed for each
// shape: always for exit status 0, one object or nothing. In bypassPermissions
// mode an ask becomes a deny, because some client lines approve an ask there.
// What an event cannot express is left out, never put into another event's shape.
func (Client) Encode(ev hook.Event, out hook.Outcome) []byte {
	if ev.Name == hook.WorktreeCreate {
		if out.Text == "" {
			return nil
		}
		return []byte(out.Text + "\n")
	}
	a := answer{SystemMessage: strings.Join(out.Notices, "\n")}
	if out.Decision == hook.Ask && ev.PermissionMode == "bypassPermissions" {
		out.Decision = hook.Deny
	}
	reason := Reason(out)
	switch ev.Name {
	case hook.PreToolUse, hook.PreSkillShellCommand:
		a.Specific = gate(ev.Name, out, reason)
	case hook.PermissionRequest:
		a.Specific = permissionAnswer(out, reason)
	default:
		a.block(ev.Name, out, reason)
	}
	if out.Halt != "" && out.Decision == hook.Deny {
		no := false
		a.Continue, a.StopReason = &no, out.Halt
	}
	if a == (answer{}) {
		return nil
	}
	return marshal(a)
}

// Reason writes the text the agent gets: "[check-id] " first, then what was
// found, cut to 2 KiB on a rune.
func Reason(out hook.Outcome) string {
	if out.Decision < hook.Ask {
		return ""
	}
	text := strings.TrimSpace(out.Reason)
	if text == "" {
		text = "refused"
	}
	if out.Check != "" {
		text = "[" + out.Check + "] " + text
	}
	return cut(text, maxReason)
}

// gate encodes PreToolUse. A rewrite goes out without a decision: beside allow
// the client would skip the user's own deny and ask rules.
func gate(name hook.EventName, out hook.Outcome, reason string) *specific {
	s := specific{Event: name, AdditionalContext: contextText(out)}
	switch out.Decision {
	case hook.Deny, hook.Ask:
		s.PermissionDecision, s.PermissionReason = out.Decision.String(), reason
	default:
		if name == hook.PreToolUse {
			s.UpdatedInput = out.Rewrite
		}
	}
	if s.PermissionDecision == "" && s.UpdatedInput == nil && s.AdditionalContext == "" {
		return nil
	}
	return &s
}

// permissionAnswer encodes PermissionRequest. An ask is said by saying nothing:
// the person is being asked already.
func permissionAnswer(out hook.Outcome, reason string) *specific {
	switch out.Decision {
	case hook.Deny:
		return &specific{Event: hook.PermissionRequest, Decision: &permission{"deny", reason}}
	case hook.Allow:
		return &specific{Event: hook.PermissionRequest, Decision: &permission{Behavior: "allow"}}
	default:
		return nil
	}
}

// block encodes the events that know only decision:block and additional context.
func (a *answer) block(name hook.EventName, out hook.Outcome, reason string) {
	if out.Decision >= hook.Ask && name.CanRefuse() {
		a.Decision, a.Reason = "block", reason
	}
	text := contextText(out)
	if text == "" {
		return
	}
	switch name {
	default: // the event has no place for it
	case hook.UserPromptSubmit, hook.UserPromptExpansion, hook.SessionStart, hook.Setup,
		hook.SubagentStart, hook.PostToolUse, hook.PostToolUseFailure, hook.PostToolBatch:
		a.Specific = &specific{Event: name, AdditionalContext: text}
	case hook.Stop, hook.SubagentStop:
		// Context alone would send the model on working: it goes out only beside a block.
		if a.Decision != "" {
			a.Specific = &specific{Event: name, AdditionalContext: text}
		}
	}
}

func contextText(out hook.Outcome) string {
	return cut(strings.Join(out.Context, "\n"), maxContext)
}

// marshal writes one line without HTML escapes.
func marshal(a answer) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil // a rewrite that is no JSON: say nothing rather than something broken
	}
	return b.Bytes()
}

// cut shortens s to at most n bytes on a rune boundary.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	const mark = " …"
	n -= len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}
