package doctor

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

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
		return nil // an agent file's entry is for its author to take out
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
