package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentguard/settings"
)

// handlerFields looks at matchers, timeouts and the other fields of each entry.
func handlerFields() Probe {
	return Probe{
		ID: "handlers", Title: "each entry can fire, and its answer counts",
		Kinds: []string{
			"matcher-never-matches", "matcher-ignored", "timeout-unit", "async-decision", "http-fail-open", "prompt-hook-cost",
			"duplicate-install", "fork-storm", "tool-uncovered", "resume-compact", "updated-input-conflict",
		},
		Run: func(_ context.Context, p *Patient) []Finding {
			c := p.read()
			var out []Finding
			groups := map[int]bool{}
			for _, e := range c.entries {
				if key := e.Group.Start; e.layer != nil && !groups[key^len(e.file)<<20] {
					groups[key^len(e.file)<<20] = true
					out = append(out, e.matcherTroubles(p)...)
				} else if e.layer == nil && e.Node.Start == firstOf(e.Group) {
					out = append(out, e.matcherTroubles(p)...)
				}
				out = append(out, e.timeoutTroubles()...)
				out = append(out, e.modeTroubles(p)...)
			}
			out = append(out, duplicates(c)...)
			out = append(out, storms(c)...)
			out = append(out, uncovered(c)...)
			return append(out, rewriters(c)...)
		},
	}
}

func firstOf(group settings.Node) int {
	list, _ := group.Get("hooks")
	if len(list.Items) > 0 {
		return list.Items[0].Start
	}
	return -1
}

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

func (e *entry) matcherTroubles(p *Patient) []Finding {
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
		if near := nearest(strings.Trim(strings.ReplaceAll(e.Matcher, "(?i)", ""), "[](){}*+?^$."), values); near != "" {
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
	return nearest(name, values)
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

// longestTimeout is the client's own default, in seconds.
const longestTimeout = 600

func (e *entry) timeoutTroubles() []Finding {
	if e.Timeout <= longestTimeout {
		return nil
	}
	n, _ := e.Node.Get("timeout")
	f := Finding{
		Kind: "timeout-unit", Severity: Warning, File: e.file, Line: e.at(n),
		Message: fmt.Sprintf("timeout counts seconds: %v is %s. A hook that hangs holds the session for that long.", n.Text, span(e.Timeout)),
		Fix:     "Write seconds; most hooks need 5 to 60.",
	}
	if e.layer != nil {
		seconds := e.Timeout / 1000
		if e.Timeout < 1000 {
			seconds = longestTimeout
		}
		text := strconv.FormatFloat(max(seconds, 1), 'f', -1, 64)
		f.Fix = fmt.Sprintf("Write %s if milliseconds were meant.", text)
		f = f.with(e.layer.change(settings.Edit{Start: n.Start, End: n.End, Text: text}))
	}
	return []Finding{f}
}

func span(seconds float64) string {
	switch {
	case seconds >= 2*3600:
		return fmt.Sprintf("%.0f hours", seconds/3600)
	default:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	}
}

func (e *entry) modeTroubles(p *Patient) []Finding {
	var out []Finding
	gate := e.Event == "PreToolUse" || e.Event == "PermissionRequest" || e.Event == "UserPromptSubmit"
	switch e.Type {
	case "command":
		if n, is := asyncKey(e); is && slices.ContainsFunc(e.events(), blocking) && e.mayRefuse(p) {
			f := Finding{
				Kind: "async-decision", Severity: Error, File: e.file, Line: e.at(n),
				Message: fmt.Sprintf("This hook refuses at %s, but runs with \"async\": its answer is thrown away, and the call goes on.", e.Event),
				Fix:     "Take \"async\" out of entries that decide.",
			}
			if e.layer != nil {
				f = f.with(e.layer.remove(n))
			}
			out = append(out, f)
		}
	case "http":
		if gate && e.OnFailure != "block" {
			out = append(out, e.finding("http-fail-open", Warning,
				"An HTTP hook that nobody answers lets the call pass: a stopped server, a proxy or a timeout, and the guard is gone.",
				"Use a command hook for what must refuse, or add \"onFailure\": \"block\" (client 2.1.295 and later)."))
		}
	case "prompt", "agent":
		wide := e.Event == "PreToolUse" && readMatcher(e.Matcher).all || slices.Contains(e.events(), "Stop") || e.Event == "SubagentStop" || e.Event == "PostToolUse" && readMatcher(e.Matcher).all
		if wide {
			out = append(out, e.finding("prompt-hook-cost", Warning,
				fmt.Sprintf("A hook of type %q asks a model at every %s: each costs seconds and tokens, and a reply that is no JSON counts as an error, not as a refusal.", e.Type, e.Event),
				"Let a cheap command decide first, and ask a model only where that is in doubt."))
		}
	}
	if e.Event == "SessionStart" && e.HasMatcher && e.Type == "command" {
		m := readMatcher(e.Matcher)
		if m.matches("startup") && (!m.matches("resume") || !m.matches("compact")) {
			n, _ := e.Group.Get("matcher")
			out = append(out, Finding{
				Kind: "resume-compact", Severity: Info, File: e.file, Line: e.at(n),
				Message: "This hook runs at a fresh start only; after resume, clear or compact what it does is missing.",
				Fix:     "Take the matcher out if it should hold for every start.",
			})
		}
	}
	return out
}

func asyncKey(e *entry) (settings.Node, bool) {
	n, ok := e.Node.Get("async")
	return n, ok && n.Bool
}

// identity names what an entry runs, whatever its spelling: our program, a file
// with its arguments, or the text without quotes and blanks.
func (e *entry) identity() string {
	if e.ours {
		return "agentguard-hook"
	}
	if e.Type == "http" {
		return strings.TrimRight(e.URL, "/")
	}
	if e.Type != "command" || e.target == nil {
		return ""
	}
	if len(e.target.launches) == 1 {
		l := e.target.launches[0]
		switch {
		case l.file != "" && filepath.IsAbs(l.file):
			path := l.file
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			args := l.args
			if l.interp == "" && len(l.event.Words) > 0 {
				args = l.event.Words[1:]
			}
			return path + " " + strings.Join(args, " ")
		case l.code == "" && !strings.ContainsRune(l.word, '/') && !slices.Contains(utilities, l.word) && !shellWord(l.word):
			return l.word + " " + strings.Join(l.args, " ")
		}
	}
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "'", "", "${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR").Replace(e.Command)), " ")
}

// duplicates finds the same tool at the same event by two spellings. The client
// runs equal texts once.
func duplicates(c *chart) []Finding {
	var out []Finding
	for i, e := range c.entries {
		id := e.identity()
		if e.agent != "" || id == "" || id == " " {
			continue
		}
		for _, first := range c.entries[:i] {
			if first.agent != "" || first.Event != e.Event || first.identity() != id || first.If != e.If || !overlap(first, e) {
				continue
			}
			if first.Command == e.Command && first.HasArgs == e.HasArgs && slices.Equal(first.Args, e.Args) && first.URL == e.URL {
				continue
			}
			f := e.finding("duplicate-install", Warning,
				fmt.Sprintf("The same hook stands in %s:%d with another spelling: it runs twice at each %s.", first.file, first.line, e.Event),
				"Keep one of the two.")
			if e.layer != nil {
				f = f.with(e.layer.removeEntry(e.Handler))
			}
			out = append(out, f)
			break
		}
	}
	return out
}

// overlap reports whether both entries see one call.
func overlap(a, b *entry) bool {
	values := matcherValues(a.Event)
	if values == nil || settings.IgnoresMatcher(a.Event) || a.Matcher == b.Matcher {
		return true
	}
	ma, mb := readMatcher(a.Matcher), readMatcher(b.Matcher)
	return slices.ContainsFunc(values, func(v string) bool { return ma.matches(v) && mb.matches(v) })
}

// stormSize is the number of processes at one call that a session feels.
const stormSize = 10

func storms(c *chart) []Finding {
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		for _, tool := range []string{"Bash", "Edit", "Write", "Read"} {
			var seen []string
			var last *entry
			for _, e := range c.entries {
				if e.Event == event && e.agent == "" && readMatcher(e.Matcher).matches(tool) && !slices.Contains(seen, e.Command+e.URL) {
					seen = append(seen, e.Command+e.URL)
					last = e
				}
			}
			if len(seen) >= stormSize {
				return []Finding{last.finding("fork-storm", Warning,
					fmt.Sprintf("%d hooks start at every %s call at once.", len(seen), tool),
					"Put them behind one program that decides what to do.")}
			}
		}
	}
	return nil
}

// uncovered finds a rule on one of the tools that write files and not the other.
func uncovered(c *chart) []Finding {
	var out []Finding
	for _, e := range c.entries {
		if e.Event != "PreToolUse" || e.Type != "command" || e.ours {
			continue
		}
		m := readMatcher(e.Matcher)
		edit, write := m.matches("Edit"), m.matches("Write")
		if m.all || edit == write {
			continue
		}
		missing := "Write"
		if write {
			missing = "Edit"
		}
		covered := slices.ContainsFunc(c.entries, func(o *entry) bool {
			return o.Event == "PreToolUse" && readMatcher(o.Matcher).matches(missing) && o.identity() == e.identity()
		})
		if covered {
			continue
		}
		n, _ := e.Group.Get("matcher")
		out = append(out, Finding{
			Kind: "tool-uncovered", Severity: Info, File: e.file, Line: e.at(n),
			Message: fmt.Sprintf("This hook does not see %s, which writes the same files.", missing),
			Fix:     "Use Write|Edit|MultiEdit|NotebookEdit if the rule is about files.",
		})
	}
	return out
}

// rewriters finds two hooks that change the input of one tool.
func rewriters(c *chart) []Finding {
	var first *entry
	var out []Finding
	for _, e := range c.entries {
		if e.Event != "PreToolUse" || e.ours || e.target == nil || !slices.ContainsFunc(e.target.units, func(u *unit) bool { return strings.Contains(u.code(), "updatedInput") }) {
			continue
		}
		if first != nil && overlap(first, e) && first.identity() != e.identity() {
			out = append(out, e.finding("updated-input-conflict", Warning,
				fmt.Sprintf("This hook and %s:%d both rewrite the input of one tool. The one that ends last wins whole; the other's change is lost.", first.file, first.line),
				"Let one hook do both changes."))
		}
		first = e
	}
	return out
}
