package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentguard/settings"
)

// toolNames are the tools of the client, those of earlier versions included.
var toolNames = strings.Fields(`Bash Edit Write Read Agent Task MultiEdit NotebookEdit NotebookRead Grep Glob LS WebFetch WebSearch
TodoWrite TodoRead BashOutput KillBash KillShell Skill SlashCommand ExitPlanMode EnterPlanMode AskUserQuestion ListAgents
ReportFindings ScheduleWakeup ToolSearch Workflow Monitor PowerShell LSP TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop
ListMcpResources ReadMcpResource ListMcpResourcesTool ReadMcpResourceTool StructuredOutput EnterWorktree ExitWorktree SendMessage
TeamCreate TeamDelete CronCreate CronDelete CronList RemoteTrigger SendUserMessage PushNotification Config Brief`)

// matcherValues are what the matcher of an event is compared with.
func matcherValues(event string) []string {
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		return toolNames
	case "SessionStart":
		return []string{"startup", "resume", "clear", "compact", "fork"}
	case "SessionEnd":
		return []string{"clear", "resume", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other"}
	case "PreCompact", "PostCompact":
		return []string{"manual", "auto"}
	case "Setup":
		return []string{"init", "maintenance"}
	case "ConfigChange":
		return []string{"user_settings", "project_settings", "local_settings", "policy_settings", "skills"}
	case "InstructionsLoaded":
		return []string{"session_start", "nested_traversal", "path_glob_match", "include", "compact"}
	}
	return nil
}

// toolAliases are what other clients call the tools.
var toolAliases = map[string]string{
	"shell": "Bash", "run_shell_command": "Bash", "exec_command": "Bash", "local_shell": "Bash", "terminal": "Bash", "execute": "Bash",
	"sh": "Bash", "command": "Bash", "bashtool": "Bash", "write_file": "Write", "create_file": "Write", "writefile": "Write", "filewrite": "Write",
	"create": "Write", "replace": "Edit", "edit_file": "Edit", "str_replace": "Edit", "str_replace_editor": "Edit", "apply_patch": "Edit",
	"fileedit": "Edit", "update": "Edit", "read_file": "Read", "fileread": "Read", "search": "Grep", "fetch": "WebFetch", "web_fetch": "WebFetch",
	"subagent": "Agent", "notebook": "NotebookEdit",
}

func (e *entry) matcherTroubles() []Finding {
	if !e.HasMatcher || strings.TrimSpace(e.Matcher) == "" {
		return nil
	}
	n, _ := e.Group.Get("matcher")
	f := Finding{Kind: "matcher-never-matches", Severity: Error, File: e.file, Line: e.at(n)}
	replace := func(text string) func(*mending) error {
		if e.layer == nil || text == e.Matcher {
			return nil
		}
		return e.layer.replaceText(n, text)
	}
	if settings.IgnoresMatcher(e.Event) {
		if e.Matcher == "*" || e.Matcher == ".*" {
			return nil
		}
		f.Kind, f.Severity = "matcher-ignored", Info
		f.Message = fmt.Sprintf("%s takes no matcher: the hook runs every time, whatever %q says.", e.Event, e.Matcher)
		f.Fix = "Take the matcher out; test inside the hook what it should depend on."
		f = f.with(replaceOrRemove(e, n))
		return []Finding{f}
	}
	values := matcherValues(e.Event)
	if values == nil {
		return nil
	}
	m := readMatcher(e.Matcher)
	tools := len(values) == len(toolNames)
	if name, rule, ok := ruleSyntax(e.Matcher); ok && tools {
		f.Message = fmt.Sprintf("%q is the syntax of a permission rule. As a matcher it is an expression that fits no tool, so this hook never runs.", e.Matcher)
		f.Fix = fmt.Sprintf("Write %q as the matcher, and %q into the handler's \"if\".", name, rule)
		if e.layer != nil {
			f = f.with(ruleToIf(e, n, name, rule))
		}
		return []Finding{f}
	}
	if m.broken {
		f.Message = fmt.Sprintf("%q is no valid expression: it fits nothing, and the client does not say so.", e.Matcher)
		f.Fix = "Correct it, as in Bash|Write."
		if near := settings.Nearest(strings.Trim(strings.ReplaceAll(e.Matcher, "(?i)", ""), "[](){}*+?^$."), values); near != "" {
			f.Fix = fmt.Sprintf("Write %q.", near)
			f = f.with(replace(near))
		}
		return []Finding{f}
	}
	if m.all || m.odd {
		return nil
	}
	if m.re != nil {
		if strings.Contains(e.Matcher, "mcp__") || slices.ContainsFunc(values, m.matches) || tools && m.matches("mcp__server__tool") {
			return nil
		}
		f.Message = fmt.Sprintf("The expression %q fits no %s, so this hook never runs. Case counts.", e.Matcher, what(tools))
		f.Fix = "Write the names exactly, as in Bash|Write."
		if fixed := fixCase(e.Matcher, values); fixed != e.Matcher {
			f.Fix = fmt.Sprintf("Write %q.", fixed)
			f = f.with(replace(fixed))
		}
		return []Finding{f}
	}
	return e.listTroubles(f, m, values, tools, replace)
}

func replaceOrRemove(e *entry, n settings.Node) func(*mending) error {
	if e.layer == nil {
		return nil
	}
	return e.layer.remove(n)
}

func what(tools bool) string {
	if tools {
		return "tool"
	}
	return "value of this event"
}

// listTroubles looks at a list of exact names.
func (e *entry) listTroubles(f Finding, m matcher, values []string, tools bool, replace func(string) func(*mending) error) []Finding {
	fixed := e.Matcher
	var dead []string
	alive, sure := 0, true
	for _, name := range m.names {
		if slices.Contains(values, name) || tools && strings.HasPrefix(name, "mcp__") && strings.Count(name, "__") >= 2 {
			alive++
			continue
		}
		near := likely(name, values, tools)
		if tools && strings.HasPrefix(name, "mcp__") {
			near = name + "__.*"
		}
		if near == "" {
			sure = false
		}
		dead = append(dead, name)
		if near != "" {
			fixed = replaceName(fixed, name, near)
		}
	}
	switch {
	case len(dead) == 0:
		return nil
	case alive > 0 && !anyCase(dead, values):
		return nil // a tool of another version beside one that is there
	case alive > 0:
		f.Severity = Warning
		f.Message = fmt.Sprintf("%s in the matcher %q fits no %s: names are compared exactly, and case counts.", quoteAll(dead), e.Matcher, what(tools))
	default:
		f.Message = fmt.Sprintf("The matcher %q fits no %s, so this hook never runs: names are compared exactly, and case counts.", e.Matcher, what(tools))
	}
	f.Fix = "Write the names as the client does, as in Bash|Write."
	if fixed != e.Matcher && sure {
		f.Fix = fmt.Sprintf("Write %q.", fixed)
		f = f.with(replace(fixed))
	}
	return []Finding{f}
}

func anyCase(names, values []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(n, v) })
	})
}

func quoteAll(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return strings.Join(out, ", ")
}

// likely finds the name that a dead one means.
func likely(name string, values []string, tools bool) string {
	for _, v := range values {
		if strings.EqualFold(v, name) {
			return v
		}
	}
	if alias, ok := toolAliases[strings.ToLower(name)]; ok && tools {
		return alias
	}
	if len(name) >= 3 {
		for _, v := range values {
			if strings.HasPrefix(strings.ToLower(v), strings.ToLower(name)) || strings.HasPrefix(strings.ToLower(name), strings.ToLower(v)) && len(v) >= 3 {
				return v
			}
		}
	}
	return settings.Nearest(name, values)
}

// replaceName changes one name of a list and leaves the rest as written.
func replaceName(list, from, to string) string {
	i := 0
	for {
		k := strings.Index(list[i:], from)
		if k < 0 {
			return list
		}
		k += i
		end := k + len(from)
		edge := func(c byte) bool { return c == '|' || c == ',' || c == ' ' }
		if (k == 0 || edge(list[k-1])) && (end == len(list) || edge(list[end])) {
			return list[:k] + to + list[end:]
		}
		i = end
	}
}

// ruleSyntax cuts "Bash(git *)" into its tool and the rule as written. A pair of
// empty brackets is an expression and matches.
func ruleSyntax(matcher string) (name, rule string, ok bool) {
	matcher = strings.TrimSpace(matcher)
	i := strings.IndexByte(matcher, '(')
	if i <= 0 || !strings.HasSuffix(matcher, ")") {
		return "", "", false
	}
	name = matcher[:i]
	inner := matcher[i+1 : len(matcher)-1]
	if near := likely(name, toolNames, true); near != "" {
		name = near
	}
	if !slices.Contains(toolNames, name) || inner == "" || strings.HasPrefix(inner, "?") {
		return "", "", false
	}
	// An expression that fits the tool as well is no mistake.
	if readMatcher(matcher).matches(name) {
		return "", "", false
	}
	return name, name + "(" + inner + ")", true
}

func ruleToIf(e *entry, n settings.Node, name, rule string) func(*mending) error {
	list, _ := e.Group.Get("hooks")
	edits := []settings.Edit{{Start: n.Start, End: n.End, Text: quoteJSON(name)}}
	for _, h := range list.Items {
		if _, has := h.Get("if"); has || h.Kind != settings.Object {
			continue
		}
		edits = append(edits, e.layer.doc.AppendMember(h, "if", settings.TextOf(rule))...)
	}
	return e.layer.change(edits...)
}

// fixCase writes the names in an expression as the client does.
func fixCase(text string, values []string) string {
	for _, v := range values {
		if len(v) < 3 {
			continue
		}
		for i := 0; i+len(v) <= len(text); i++ {
			if strings.EqualFold(text[i:i+len(v)], v) && (i == 0 || !isNameByte(text[i-1])) && (i+len(v) == len(text) || !isLetter(text[i+len(v)])) {
				text = text[:i] + v + text[i+len(v):]
			}
		}
	}
	return text
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
