package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
	"agentguard/settings"
)

// commandLines looks at each command as text: does it start something here?
func commandText() Probe {
	return Probe{
		ID: "commands", Title: "each command starts a program that is there",
		Kinds: []string{
			"hook-target-missing", "path-differs", "placeholder-unquoted", "placeholder-wrong", "relative-command", "hook-not-executable",
			"hook-crlf", "exec-form-shell-syntax", "windows-backslash-path", "non-ascii-path", "dependency-missing", "slow-start",
			"machine-path-shared",
		},
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			for _, e := range p.read().entries {
				if e.Type != "command" || e.Command == "" {
					continue
				}
				found := p.lookAt(e)
				out = append(out, found...)
				if len(found) == 0 {
					out = append(out, p.shared(e)...)
				}
			}
			return out
		},
	}
}

// at makes a finding at an entry's command.
func (e *entry) finding(kind string, severity Severity, message, fix string) Finding {
	return Finding{Kind: kind, Severity: severity, File: e.file, Line: e.line, Message: message, Fix: fix}
}

// commandEdit makes a mend that replaces the command's text.
func (e *entry) commandEdit(text string) func(*mending) error {
	n, ok := e.Node.Get("command")
	if !ok || e.layer == nil || text == e.Command {
		return nil
	}
	return e.layer.replaceText(n, text)
}

func (f Finding) with(mend func(*mending) error) Finding {
	f.mend, f.Fixable = mend, mend != nil
	return f
}

func (p *Patient) lookAt(e *entry) []Finding {
	if e.HasArgs {
		if f, bad := p.execForm(e); bad {
			return []Finding{f}
		}
	} else if f, bad := p.placeholder(e); bad {
		return []Finding{f}
	}
	if p.OS == "windows" {
		if f, bad := windowsPath(e); bad {
			return []Finding{f}
		}
	}
	var out []Finding
	for _, l := range e.target.launches {
		out = append(out, p.launchTroubles(e, l)...)
	}
	return append(out, p.slowStart(e)...)
}

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
		if strings.HasPrefix(strings.ToUpper(v.name), "CLAUDE") && distance(strings.ToUpper(v.name), "CLAUDE_PROJECT_DIR") <= 3 {
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

// windowsPath finds backslashes that Git Bash eats, and letters that a legacy
// code page reads wrong.
func windowsPath(e *entry) (Finding, bool) {
	words := append([]string{e.Command}, e.Args...)
	if !e.HasArgs && backslashPath(e.Command) {
		return e.finding("windows-backslash-path", Error,
			"Hooks run in Git Bash, which takes a backslash as an escape: the path loses them, and nothing starts.",
			"Use forward slashes, or the exec form with a real .exe.").with(e.commandEdit(forward(e.Command))), true
	}
	for i, w := range words {
		if i == 0 && e.layer != nil {
			if n, ok := e.Node.Get("command"); ok {
				w = string(e.layer.raw[n.Start:n.End]) // \u escapes are safe
			}
		}
		if strings.IndexFunc(w, func(c rune) bool { return c >= 0x80 }) >= 0 {
			f := e.finding("non-ascii-path", Warning,
				"The path has letters outside ASCII. Where Windows reads the settings with a legacy code page, the file is not found.",
				"Write these letters as \\uXXXX in the JSON, or move the program to a plain path.")
			if n, ok := e.Node.Get("command"); ok && e.layer != nil && i == 0 {
				f = f.with(e.layer.change(settings.Edit{Start: n.Start, End: n.End, Text: asciiJSON(e.Command)}))
			}
			return f, true
		}
	}
	return Finding{}, false
}

// backslashPath reports an unquoted, or double-quoted but unescaped, Windows path.
func backslashPath(s string) bool {
	single := false
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '\'':
			single = !single
		case s[i] == '\\' && !single:
			next := s[i+1]
			if next == '\\' {
				i++
				continue
			}
			if next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || next == '.' || next == '_' || next >= '0' && next <= '9' {
				return true
			}
		}
	}
	return false
}

func forward(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `\\`, "/"), `\`, "/") }

func asciiJSON(s string) string {
	var b strings.Builder
	for _, c := range quoteJSON(s) {
		switch {
		case c < 0x80:
			b.WriteRune(c)
		case c > 0xffff:
			c -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(c>>10), 0xdc00+(c&0x3ff))
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

// launchTroubles looks at one program that a command starts.
func (p *Patient) launchTroubles(e *entry, l *launch) []Finding {
	if p.foreignPath(l.word) || p.foreignPath(l.file) {
		return nil
	}
	program := l.word
	if l.interp != "" || !strings.ContainsRune(program, '/') {
		if f, bad := p.programMissing(e, l, program); bad {
			return []Finding{f}
		}
	}
	if l.file == "" || l.code != "" || !outline.Known(l.file) {
		return nil
	}
	file := l.file
	if !filepath.IsAbs(file) {
		return nil // in a folder that the text does not tell
	}
	if l.interp == "" && l.file == l.word && !strings.ContainsRune(l.word, '/') {
		return nil
	}
	var out []Finding
	if !exists(file) {
		if l.guarded || p.commandCreates(e, file) {
			return nil
		}
		return append(out, p.missing(e, l))
	}
	if f, bad := p.relative(e, l); bad {
		out = append(out, f)
	}
	if l.interp == "" && p.OS != "windows" && !executable(file) {
		f := Finding{
			Kind: "hook-not-executable", Severity: Error, File: file,
			Message: fmt.Sprintf("%s starts this file, which is not executable: status 126, and the call goes on unguarded.", p.show(e.file)),
			Fix:     fmt.Sprintf("chmod +x %s, or start it through its interpreter.", p.show(file)),
		}
		return append(out, f.with(chmodX(file)))
	}
	if f, bad := p.crlf(l, file); bad {
		return append(out, f)
	}
	if f, bad := p.shebangMissing(l, file); bad {
		out = append(out, f)
	}
	return out
}

// commandCreates tells a file that an earlier part of the command makes.
func (p *Patient) commandCreates(e *entry, file string) bool {
	return strings.Contains(e.Command, "mktemp") || strings.Contains(e.Command, "> "+filepath.Base(file))
}

// programMissing looks a bare program up as the hook would.
func (p *Patient) programMissing(e *entry, l *launch, program string) (Finding, bool) {
	name := filepath.Base(program)
	if !outline.Known(program) || program == "" || shellWord(program) || l.guarded || strings.ContainsAny(program, "$`*") {
		return Finding{}, false
	}
	if strings.ContainsRune(program, '/') {
		if filepath.IsAbs(program) && !exists(program) && l.interp != "" {
			return p.missingProgram(e, program), true
		}
		return Finding{}, false
	}
	if p.OS == "windows" || p.knownTool(program) || p.OS != runtime.GOOS && slices.Contains(systemTools, name) {
		return Finding{}, false
	}
	if path := lookPath(program, p.hookEnv(), p.ProjectDir); path != "" {
		if strings.Contains(path, "WindowsApps") {
			return e.finding("dependency-missing", Error, program+" is the Store stub, which starts nothing.", "Install "+program+"."), true
		}
		return Finding{}, false
	}
	for _, dir := range userFolders(p.Home) {
		if executable(filepath.Join(dir, name)) {
			return e.finding("path-differs", Error,
				fmt.Sprintf("%s is not on the PATH that hooks get here; it lies in %s. Clients started from a desktop or a service do not find it, and the call goes on.", name, p.show(dir)),
				"Write the absolute path, or put that folder on the PATH of the client.").
				with(e.commandEdit(strings.Replace(e.Command, name, filepath.Join(dir, name), 1))), true
		}
	}
	return p.missingProgram(e, program), true
}

func (p *Patient) missingProgram(e *entry, program string) Finding {
	return e.finding("hook-target-missing", Error,
		fmt.Sprintf("%s is not there: %s", p.show(program), whatHappens(e, "")),
		"Install it, write the path where it is, or remove this entry.").with(p.removal(e))
}

// hookEnv is the environment that decides about PATH.
func (p *Patient) hookEnv() []string {
	env := slices.Clone(p.Environ)
	if p.chart == nil {
		return env
	}
	for _, v := range p.chart.env {
		if v.name == "PATH" {
			env = append(env, "PATH="+v.value)
		}
	}
	return env
}

// userFolders are where a person's programs lie off the system's PATH.
func userFolders(home string) []string {
	out := usualFolders(home)
	for _, dir := range []string{".bun/bin", ".deno/bin", ".cargo/bin", ".volta/bin", ".npm-global/bin", ".pyenv/shims", ".asdf/shims", ".local/share/mise/shims", ".nodenv/shims", ".rbenv/shims"} {
		out = append(out, filepath.Join(home, dir))
	}
	nvm, _ := filepath.Glob(filepath.Join(home, ".nvm", "versions", "node", "*", "bin"))
	return append(out, nvm...)
}

// knownTool tells the utilities that every system has.
func (p *Patient) knownTool(name string) bool { return slices.Contains(utilities, name) }

var utilities = strings.Fields(`[ awk basename cat chmod cmp comm cp cut date dd df diff dirname du echo egrep env expr false fgrep find
grep head hostname id kill ln ls mkdir mkfifo mktemp mv nl nohup od paste printf ps pwd readlink realpath rm rmdir sed seq sh sleep
sort split stat stty sync tail tee test touch tr true tsort tty uname uniq wc which whoami xargs yes bash install link sha256sum md5sum
cksum base64 tput clear logger column rev tac timeout nice time env getent locale iconv file less more man pgrep pkill killall top
uptime w who users groups login su chown chgrp umask gzip gunzip zcat tar logname nproc sum fold fmt join look strings bc dc ed ex vi`)

// systemTools are programs that one system brings: they cannot be looked up on
// another.
var systemTools = []string{"osascript", "afplay", "say", "open", "pbcopy", "launchctl", "defaults", "powershell", "powershell.exe", "cmd", "cmd.exe", "notify-send", "paplay", "xdg-open"}

// shellWord tells words that the shell itself knows.
func shellWord(name string) bool {
	return slices.Contains(shellWords, name)
}

var shellWords = strings.Fields(`. : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs
disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill
let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time
times trap true type typeset ulimit umask unalias unset until wait while { }`)

// missing is the finding for a script or program that is not there.
func (p *Patient) missing(e *entry, l *launch) Finding {
	f := e.finding("hook-target-missing", Error,
		fmt.Sprintf("%s is not there: %s", p.show(l.file), whatHappens(e, l.interp)),
		"Point the command to the file that is there, or remove this entry.")
	if other := p.moved(e, l); other != "" {
		f.Fix = fmt.Sprintf("The program lies in %s now; point the command there, or run `agentguard init`.", p.show(other))
		if fixed := strings.ReplaceAll(e.Command, l.file, other); fixed != e.Command {
			return f.with(e.commandEdit(fixed))
		}
	}
	return f.with(p.removal(e))
}

// removal takes a dead entry out of a settings file.
func (p *Patient) removal(e *entry) func(*mending) error {
	if e.layer == nil {
		return func(*mending) error { return errOverlap }
	}
	return e.layer.removeEntry(e.Handler)
}

// moved finds a program of the same name in a sibling version folder or a usual
// place.
func (p *Patient) moved(e *entry, l *launch) string {
	if l.interp != "" {
		return ""
	}
	name := filepath.Base(l.file)
	if e.ours && p.HookPath != "" && name == filepath.Base(p.HookPath) && exists(p.HookPath) {
		return p.HookPath
	}
	siblings, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(l.file)), "*", name))
	for _, path := range slices.Backward(siblings) {
		if executable(path) {
			return path
		}
	}
	if path := lookPath(name, p.Environ, p.ProjectDir); path != "" {
		return path
	}
	return ""
}

// whatHappens says what the client does when a start fails.
func whatHappens(e *entry, interp string) string {
	switch {
	case !slices.ContainsFunc(e.events(), blocking):
		return "the hook does nothing."
	case e.OnFailure == "block" && e.Event == "PreToolUse":
		return "every call is refused (onFailure is block)."
	case isShell(interp) || isPython(interp):
		return fmt.Sprintf("%s ends with status 2 then, so every call is refused.", interp)
	}
	return "the start fails, and the client goes on as if there were no guard."
}

func chmodX(path string) func(*mending) error {
	return func(m *mending) error {
		info, err := statMode(path)
		if err != nil {
			return fmt.Errorf("looking at %s: %w", path, err)
		}
		m.plan.Modes = append(m.plan.Modes, ModeChange{path, info, info | 0o111&(info>>2|0o100)})
		return nil
	}
}

// relative finds a path that depends on the folder the session stands in.
func (p *Patient) relative(e *entry, l *launch) (Finding, bool) {
	if e.HasArgs && filepath.IsAbs(p.placeholders(e.Command)) && l.interp == "" {
		return Finding{}, false
	}
	if asks := gitTopIn(e.Command); asks != "" && !e.HasArgs {
		return e.finding("relative-command", Warning,
			"The path is asked of git in the folder the session stands in: in a submodule or another checkout it is another one, and the hook is not found.",
			"Begin the path with \"$CLAUDE_PROJECT_DIR\"/.").
			with(e.commandEdit(strings.ReplaceAll(e.Command, asks, "$CLAUDE_PROJECT_DIR"))), true
	}
	raw := l.raw(e)
	if raw == "" || l.event.Dir != "" {
		return Finding{}, false
	}
	return e.finding("relative-command", Warning,
		fmt.Sprintf("%s is looked for in the folder the session stands in, which moves with cd; there the hook is not found.", raw),
		"Begin the path with \"$CLAUDE_PROJECT_DIR\"/.").
		with(e.commandEdit(strings.Replace(e.Command, raw, `"$CLAUDE_PROJECT_DIR"/`+strings.TrimPrefix(raw, "./"), 1))), true
}

// gitTopIn returns the text by which a command asks git for its folder.
func gitTopIn(command string) string {
	for _, form := range []string{"$(git rev-parse --show-toplevel 2>/dev/null)", "$(git rev-parse --show-toplevel)", "`git rev-parse --show-toplevel`"} {
		if strings.Contains(command, form) {
			return form
		}
	}
	return ""
}

// raw returns the launch's file as written when that is relative.
func (l *launch) raw(e *entry) string {
	candidates := l.event.Words
	if e.HasArgs {
		candidates = append([]string{e.Command}, e.Args...)
	}
	for _, w := range candidates {
		if !outline.Known(w) || filepath.IsAbs(w) || w == "" {
			continue
		}
		if strings.HasSuffix(l.file, "/"+strings.TrimPrefix(w, "./")) && (strings.ContainsRune(w, '/') || l.interp != "") && w != l.interp {
			return w
		}
	}
	return ""
}

// crlf finds Windows line ends in a script that a shell reads, or that its first
// line starts.
func (p *Patient) crlf(l *launch, file string) (Finding, bool) {
	raw, err := readBounded(file)
	if err != nil {
		return Finding{}, false
	}
	text := string(raw)
	first, _, _ := strings.Cut(text, "\n")
	shell := isShell(l.interp) || l.interp == "" && (langOf(file, text) == "sh" || strings.HasPrefix(text, "#!"))
	if !shell || !strings.Contains(text, "\r\n") {
		return Finding{}, false
	}
	line := 1
	if !strings.HasSuffix(first, "\r") {
		if l.interp == "" && langOf(file, text) != "sh" {
			return Finding{}, false // a Python or Node script reads them
		}
		line = 1 + strings.Count(text[:strings.Index(text, "\r\n")], "\n")
	}
	message := "The script has Windows line ends. The system looks for an interpreter with a carriage return in its name, finds none (127), and the call goes on."
	if l.interp != "" {
		message = "The script has Windows line ends. The shell takes the carriage return as part of each word; its `exit` fails with status 2, so every call is refused."
	}
	return Finding{
		Kind: "hook-crlf", Severity: Error, File: file, Line: line, Message: message, Fixable: true,
		Fix: "Save it with Unix line ends, and add `*.sh text eol=lf` to .gitattributes.",
		mend: func(m *mending) error {
			var edits []settings.Edit
			for i := range raw {
				if raw[i] == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
					edits = append(edits, settings.Edit{Start: i, End: i + 1})
				}
			}
			return m.edit(file, raw, edits...)
		},
	}, true
}

// shebangMissing finds a first line that names no interpreter of this machine.
func (p *Patient) shebangMissing(l *launch, file string) (Finding, bool) {
	if l.interp != "" || p.OS == "windows" {
		return Finding{}, false
	}
	raw, err := readBounded(file)
	if err != nil {
		return Finding{}, false
	}
	words := shebang(string(raw))
	if len(words) == 0 {
		return Finding{}, false
	}
	missing := ""
	if filepath.Base(words[0]) == "env" {
		rest := words[1:]
		for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
			rest = rest[1:]
		}
		if len(rest) > 0 && lookPath(rest[0], p.hookEnv(), p.ProjectDir) == "" && !p.knownTool(rest[0]) {
			missing = rest[0]
		}
	} else if !exists(words[0]) {
		missing = words[0]
	}
	if missing == "" {
		return Finding{}, false
	}
	return Finding{
		Kind: "dependency-missing", Severity: Error, File: file, Line: 1,
		Message: fmt.Sprintf("The first line asks for %s, which is not here: the script does not start (127), and the call goes on.", missing),
		Fix:     "Install it, or name an interpreter that is here.",
	}, true
}

// slowStart finds launchers that look a package up at each call.
func (p *Patient) slowStart(e *entry) []Finding {
	for _, l := range e.target.launches {
		slow := ""
		if p.installedHere(l) {
			continue
		}
		switch filepath.Base(l.word) {
		case "npx", "bunx", "uvx", "pnpx":
			slow = l.word
		case "pnpm", "yarn":
			if len(l.args) > 0 && l.args[0] == "dlx" {
				slow = l.word + " dlx"
			}
		case "pipx", "npm":
			if len(l.args) > 0 && (l.args[0] == "run" && l.word == "pipx" || l.args[0] == "exec" || l.args[0] == "x") {
				slow = l.word + " " + l.args[0]
			}
		}
		if slow == "" {
			continue
		}
		return []Finding{e.finding("slow-start", Warning,
			slow+" looks the package up at each call: seconds in which the session waits, and nothing at all without network.",
			"Install the tool once and start it by its own path.")}
	}
	return nil
}

// installedHere tells an npx that finds its package in the project.
func (p *Patient) installedHere(l *launch) bool {
	for _, arg := range l.args {
		switch {
		case arg == "--no-install" || arg == "--no" || arg == "--offline":
			return true
		case strings.HasPrefix(arg, "-"):
		default:
			return exists(filepath.Join(p.ProjectDir, "node_modules", ".bin", arg))
		}
	}
	return false
}

// shared finds a path of one person in the file that everybody gets.
func (p *Patient) shared(e *entry) []Finding {
	if e.layer == nil || e.layer.name != "project" || e.ours && e.marked {
		return nil
	}
	text := strings.Join(append([]string{e.Command}, e.Args...), " ")
	path := personalPath(text, p.Home)
	if path == "" {
		return nil
	}
	severity := Info
	if p.tracked(e.layer.path) {
		severity = Warning
	}
	return []Finding{e.finding("machine-path-shared", severity,
		fmt.Sprintf("The team's settings name a path of one person (%s): on every other machine this hook does not start.", path),
		"Use $CLAUDE_PROJECT_DIR, a bare command, or move the entry to settings.local.json.")}
}

// personalPath returns the home folder that a text names, or "".
func personalPath(text, home string) string {
	if home != "" && home != "/" && strings.Contains(text, home+"/") {
		return home
	}
	for _, prefix := range []string{"/home/", "/Users/", `C:\Users\`, "C:/Users/", "/c/Users/"} {
		i := strings.Index(text, prefix)
		if i < 0 || i > 0 && isNameByte(text[i-1]) {
			continue
		}
		rest := text[i+len(prefix):]
		end := strings.IndexAny(rest, `/\ "'`)
		if end > 0 && !strings.HasPrefix(rest, "$") && rest[:end] != "linuxbrew" && rest[:end] != "Shared" {
			return text[i : i+len(prefix)+end]
		}
	}
	return ""
}
