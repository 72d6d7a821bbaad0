package rules

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// settingsChange compares a client's settings file before and after.
func (s *scan) settingsChange(p, after string) verdict {
	before := s.content(p)
	if before == "" && s.kind(p) != File {
		// A case variant is the same file on many disks.
		before = s.content(path.Join(path.Dir(path.Dir(p)), strings.ToLower(path.Base(path.Dir(p))), strings.ToLower(path.Base(p))))
	}
	if before == after {
		return verdict{}
	}
	if !strings.HasSuffix(strings.ToLower(p), ".json") {
		return ask("changes " + clip(path.Base(p), 40) + ", which can switch hooks off.")
	}
	var old, now map[string]any
	if err := strictJSON(after, &now); err != nil {
		return deny("makes the settings invalid JSON; the client then drops the whole file, hooks included.")
	}
	_ = strictJSON(before, &old)
	return compareSettings(old, now)
}

// content is the text of a file; "" where there is none or it cannot be read.
func (s *scan) content(p string) string {
	if s.ctx.State == nil {
		return ""
	}
	b, err := s.ctx.State.ReadFile(p)
	if err != nil {
		return ""
	}
	return string(b)
}

// strictJSON reads what the client reads: no comments, no trailing commas, one
// object.
func strictJSON(text string, into *map[string]any) error {
	text = strings.TrimPrefix(text, "\ufeff")
	dec := json.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return errTrailing
	}
	return nil
}

var errTrailing = &json.SyntaxError{}

// compareSettings judges what a new version of the settings takes away or
// opens.
func compareSettings(old, now map[string]any) verdict {
	if truthy(now["disableAllHooks"]) && !truthy(old["disableAllHooks"]) {
		return deny("switches all hooks off.")
	}
	if plugins, ok := now["enabledPlugins"].(map[string]any); ok {
		for name, on := range plugins {
			if strings.Contains(name, "agentguard") && !truthy(on) {
				return deny("switches the guard's plugin off.")
			}
		}
	}
	if was, ok := old["enabledPlugins"].(map[string]any); ok {
		is, _ := now["enabledPlugins"].(map[string]any)
		for name, on := range was {
			if strings.Contains(name, "agentguard") && truthy(on) && !truthy(is[name]) {
				return deny("switches the guard's plugin off.")
			}
		}
	}
	if v := compareHooks(old["hooks"], now["hooks"]); v.decision != 0 {
		return v
	}
	if v := compareEnv(old["env"], now["env"]); v.decision != 0 {
		return v
	}
	return comparePermissions(old, now)
}

func truthy(v any) bool { return v != nil && v != false }

// handler is one hook handler in comparable form.
type handler struct {
	event, matcher, body string
	ours, gate           bool
}

// handlers flattens the hooks object. What has another shape gives none, as the
// client reads it.
func handlers(hooks any) []handler {
	events, _ := hooks.(map[string]any)
	var out []handler
	for event, v := range events {
		groups, _ := v.([]any)
		for _, g := range groups {
			group, _ := g.(map[string]any)
			matcher, _ := group["matcher"].(string)
			if matcher == "*" {
				matcher = ""
			}
			list, _ := group["hooks"].([]any)
			for _, h := range list {
				body, err := json.Marshal(h) // maps marshal in key order
				if err != nil {
					continue
				}
				out = append(out, handler{
					event: event, matcher: matcher, body: string(body),
					ours: bytes.Contains(body, []byte("agentguard")), gate: event == "PreToolUse" || event == "PermissionRequest",
				})
			}
		}
	}
	return out
}

func compareHooks(old, now any) verdict {
	was, is := handlers(old), handlers(now)
	worst := verdict{}
	for _, h := range was {
		if slices.Contains(is, h) {
			continue
		}
		if h.ours {
			return deny("removes or changes a hook of the guard.")
		}
		worst = worst.or(ask("removes or changes the hook of " + clip(h.event, 30) + "."))
	}
	if old != nil && now == nil && len(was) > 0 {
		return deny("removes all hooks.")
	}
	for _, h := range is {
		if !slices.Contains(was, h) && h.gate && !h.ours {
			worst = worst.or(ask("adds a hook that decides about tool calls."))
		}
	}
	return worst
}

func compareEnv(old, now any) verdict {
	was, _ := old.(map[string]any)
	is, _ := now.(map[string]any)
	worst := verdict{}
	for name, value := range is {
		if was[name] == value {
			continue
		}
		switch {
		case ownSwitch(name), oneOf(name, "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CONFIG_DIR"):
			return deny("sets " + clip(name, 40) + ", which switches the guard off for every command.")
		case oneOf(name, "HOME", "PATH", "BASH_ENV", "ENV", "NODE_OPTIONS", "PYTHONSTARTUP", "SHELL", "USERPROFILE") || hasPrefixAny(name, "XDG_", "LD_", "DYLD_", "GIT_"):
			worst = worst.or(deny("sets " + clip(name, 40) + ", which changes what the guard and git really run or read."))
		}
	}
	return worst
}

// ownSwitch tells variables that the guard obeys.
func ownSwitch(name string) bool {
	return strings.HasPrefix(name, "AGENTGUARD_") && name != "AGENTGUARD_DEBUG" || name == "STOP_HOOK_LLM_JUDGE_ACTIVE"
}

// comparePermissions asks about anything that lets more pass than before.
func comparePermissions(old, now map[string]any) verdict {
	was, _ := old["permissions"].(map[string]any)
	is, _ := now["permissions"].(map[string]any)
	for _, list := range []string{"allow", "additionalDirectories"} {
		for _, rule := range added(was[list], is[list]) {
			return ask("adds " + clip(rule, 60) + " to permissions." + list + ".")
		}
	}
	for _, list := range []string{"deny", "ask"} {
		for _, rule := range added(is[list], was[list]) {
			return ask("removes " + clip(rule, 60) + " from permissions." + list + ".")
		}
	}
	if mode, _ := is["defaultMode"].(string); mode != "" && mode != "default" && mode != "plan" && is["defaultMode"] != was["defaultMode"] {
		return ask("sets the permission mode to " + clip(mode, 30) + ".")
	}
	if was["disableBypassPermissionsMode"] != nil && is["disableBypassPermissionsMode"] == nil {
		return ask("allows the mode without permissions again.")
	}
	for _, key := range []string{"enableAllProjectMcpServers", "skipDangerousModePermissionPrompt", "allowManagedHooksOnly", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper"} {
		if truthy(now[key]) && !equalJSON(now[key], old[key]) {
			return ask("sets " + key + ".")
		}
	}
	if old["sandbox"] != nil && !equalJSON(now["sandbox"], old["sandbox"]) {
		return ask("changes the sandbox.")
	}
	return verdict{}
}

func equalJSON(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// added lists the strings of now that are not in old.
func added(old, now any) []string {
	was, _ := old.([]any)
	is, _ := now.([]any)
	var out []string
	for _, v := range is {
		if text, ok := v.(string); ok && !slices.Contains(was, v) {
			out = append(out, text)
		}
	}
	return out
}
