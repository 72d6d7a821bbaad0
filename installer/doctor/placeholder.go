package doctor

import (
	"fmt"
	"strings"

	"agentguard/settings"
)

// execForm finds what only a shell would understand.
func (p *Patient) execForm(e *entry) (Finding, bool) {
	command := e.Command
	for _, word := range append([]string{command}, e.Args...) {
		if strings.Contains(strings.ReplaceAll(word, "${CLAUDE_PROJECT_DIR}", ""), "CLAUDE_PROJECT_DIR") {
			fixed := strings.NewReplacer("%CLAUDE_PROJECT_DIR%", "${CLAUDE_PROJECT_DIR}").Replace(word)
			if i := strings.Index(fixed, "$CLAUDE_PROJECT_DIR"); i >= 0 {
				fixed = strings.ReplaceAll(fixed, "$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}")
			}
			f := e.finding("placeholder-wrong", Error,
				fmt.Sprintf("The exec form replaces only ${CLAUDE_PROJECT_DIR}, with the braces; %q stays as it is and is not found.", word),
				"Write ${CLAUDE_PROJECT_DIR}.")
			if word == command {
				f = f.with(e.commandEdit(fixed))
			}
			return f, true
		}
	}
	operators := strings.ContainsAny(command, "|&;<>`") || strings.Contains(command, "$(") || strings.HasPrefix(command, "~") ||
		strings.Contains(command, "$HOME") || strings.HasPrefix(command, `"`) || strings.HasPrefix(command, "'")
	if strings.ContainsRune(command, ' ') && !operators {
		full := p.placeholders(command)
		operators = !exists(full) && lookPath(full, p.Environ, p.ProjectDir) == ""
	}
	if !operators {
		return Finding{}, false
	}
	f := e.finding("exec-form-shell-syntax", Error,
		"With \"args\" no shell reads the command: the whole text is taken as the name of a program, which does not exist, and the call goes on.",
		"Take \"args\" out, so that a shell runs the command, or name the program alone and put the rest into \"args\".")
	if args, ok := e.Node.Get("args"); ok && len(e.Args) == 0 && e.layer != nil {
		f = f.with(e.layer.remove(args))
	}
	return f, true
}

// placeholder finds a project variable that the shell does not expand as meant.
func (p *Patient) placeholder(e *entry) (Finding, bool) {
	command := e.Command
	if strings.Contains(command, "%CLAUDE_PROJECT_DIR%") {
		fixed := strings.ReplaceAll(command, "%CLAUDE_PROJECT_DIR%", "$CLAUDE_PROJECT_DIR")
		return e.finding("placeholder-wrong", Error,
			"%CLAUDE_PROJECT_DIR% is expanded by cmd only. Hooks run in sh, which looks for a file of that name and finds none.",
			"Write \"$CLAUDE_PROJECT_DIR\".").with(e.commandEdit(quotePlaceholder(fixed))), true
	}
	if name := misspelt(command); name != "" {
		return e.finding("placeholder-wrong", Error,
			fmt.Sprintf("$%s is no variable of the client: it is empty in a hook, and the path starts at the root.", name),
			"Write \"$CLAUDE_PROJECT_DIR\".").with(e.commandEdit(strings.ReplaceAll(command, name, "CLAUDE_PROJECT_DIR"))), true
	}
	for _, v := range varUses(command) {
		if v.name != "CLAUDE_PROJECT_DIR" {
			continue
		}
		if v.single {
			// In single quotes inside sh -c '…' the inner shell expands it.
			if v.nested {
				continue
			}
			return e.finding("placeholder-wrong", Error,
				"The project folder's variable stands in single quotes, where the shell does not expand it; the file is not found.",
				"Use double quotes.").with(e.commandEdit(swapQuotes(command, v.at))), true
		}
		if v.quoted || v.safe {
			continue
		}
		severity := Info
		message := "$CLAUDE_PROJECT_DIR stands without quotes: in a folder with a space in its path the command does not start."
		if strings.ContainsAny(p.ProjectDir, " \t*?[") {
			severity = Error
			message = "$CLAUDE_PROJECT_DIR stands without quotes, and this folder's path has a space: the shell cuts it there, and the hook never starts."
		}
		return e.finding("placeholder-unquoted", severity, message,
			"Put it in double quotes, or use the exec form (\"command\" with \"args\").").with(e.commandEdit(quotePlaceholder(command))), severity == Error
	}
	return Finding{}, false
}

// varUse is one use of a variable in a command.
type varUse struct {
	name           string
	at             int
	quoted, single bool
	// nested is set inside the single-quoted code of an inner shell, safe where no
	// splitting takes place (an assignment).
	nested, safe bool
}

// varUses finds variables with the quotes they stand in.
func varUses(s string) []varUse {
	var out []varUse
	quote := byte(0)
	inner := byte(0)
	nested := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
			before := strings.TrimRight(s[:i], " \t")
			nested = strings.HasSuffix(before, "-c") || strings.HasSuffix(before, "-lc") || strings.HasSuffix(before, "-ic") || strings.HasSuffix(before, "-ec") || strings.HasSuffix(before, "eval")
			inner = 0
			continue
		case c == quote && quote != 0:
			quote = 0
			continue
		case quote == '\'' && nested && (c == '"'):
			if inner == 0 {
				inner = c
			} else {
				inner = 0
			}
			continue
		}
		if c != '$' || i+1 >= len(s) {
			continue
		}
		j := i + 1
		if s[j] == '{' {
			j++
		}
		k := j
		for k < len(s) && (s[k] == '_' || s[k] >= '0' && s[k] <= '9' || s[k] >= 'a' && s[k] <= 'z' || s[k] >= 'A' && s[k] <= 'Z') {
			k++
		}
		if k == j {
			continue
		}
		v := varUse{name: s[j:k], at: i, quoted: quote == '"', single: quote == '\''}
		if quote == '\'' && nested {
			v.nested, v.single, v.quoted = true, false, inner != 0
		}
		if i > 0 && s[i-1] == '=' && quote == 0 {
			v.safe = true
		}
		out = append(out, v)
	}
	return out
}

// misspelt finds a variable that was surely meant to be the project's.
func misspelt(command string) string {
	for _, v := range varUses(command) {
		switch v.name {
		case "CLAUDE_PROJECT_DIR":
			continue
		case "CLAUDE_PROJECT", "CLAUDE_PROJECT_ROOT", "CLAUDE_PROJECT_PATH", "CLAUDE_PROJECT_FOLDER", "CLAUDE_PROJECT_DIRECTORY",
			"CLAUDE_WORKSPACE", "CLAUDE_WORKSPACE_DIR", "CLAUDE_ROOT", "CLAUDE_DIR", "CLAUDE_PROJ_DIR", "CLAUDE_PROJECTS_DIR", "PROJECT_DIR", "CLAUDE_CWD":
			if !strings.Contains(command, v.name+"=") {
				return v.name
			}
			continue
		}
		if strings.HasPrefix(strings.ToUpper(v.name), "CLAUDE") && settings.Nearest(v.name, []string{"CLAUDE_PROJECT_DIR"}) != "" {
			return v.name
		}
	}
	return ""
}

// quotePlaceholder puts the first unquoted use, and the word it stands in, into
// double quotes.
func quotePlaceholder(command string) string {
	for range 10 {
		at := -1
		for _, v := range varUses(command) {
			if v.name == "CLAUDE_PROJECT_DIR" && !v.quoted && !v.single && !v.nested && !v.safe {
				at = v.at
				break
			}
		}
		if at < 0 {
			return command
		}
		end := at
		for end < len(command) && strings.IndexByte(" \t;&|<>()\"'", command[end]) < 0 {
			end++
		}
		command = command[:at] + `"` + command[at:end] + `"` + command[end:]
	}
	return command
}

func swapQuotes(command string, at int) string {
	from := strings.LastIndexByte(command[:at], '\'')
	to := strings.IndexByte(command[at:], '\'')
	if from < 0 || to < 0 {
		return command
	}
	to += at
	return command[:from] + `"` + command[from+1:to] + `"` + command[to+1:]
}
