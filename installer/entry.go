package installer

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/settings"
)

const (
	// program is the base name of the hook program.
	program = "agentguard-hook"
	// ownerKey marks a handler as ours. Clients accept unknown keys there. Its
	// value is the generation of the text, so that it can be upgraded.
	ownerKey = "agentguard"
	// generation grows when the written form changes; then the text before goes
	// into shellTexts.
	generation = 1
)

// The team entry. It must run under dash, with no CLAUDE_PROJECT_DIR (other
// clients read the same file), with a home folder that has spaces, and it must
// not print anything by itself but the one line at the start of a session. exec
// hands stdin, stdout and the exit status over to the program.
const (
	findProgram = `command -v agentguard-hook >/dev/null 2>&1 && exec agentguard-hook; ` +
		`for d in "$HOME/.local/bin" "$HOME/bin" "$HOME/go/bin" /usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin; ` +
		`do [ -f "$d/agentguard-hook" ] && [ -x "$d/agentguard-hook" ] && exec "$d/agentguard-hook"; done; case "$(cat)" in `
	tellAtStart = `*'"hook_event_name":"SessionStart"'*) echo '{"systemMessage":"agentguard guards this repository, ` +
		`but its program agentguard-hook is not on this machine, so nothing is checked here. How to get it: .agentguard/README.md"}';; `
	tellRequired = `*'"hook_event_name":"SessionStart"'*) echo '{"systemMessage":"This repository requires agentguard, ` +
		`and its program agentguard-hook is not on this machine: tool calls are refused until it is. ` +
		`How to get it: .agentguard/README.md"}';; `
	denyTools = `*'"hook_event_name":"PreToolUse"'*) echo '{"decision":"block",` +
		`"reason":"[guard-status] This repository requires agentguard, and its program agentguard-hook is not on this machine. ` +
		`Ask the user to install it: .agentguard/README.md",` +
		`"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
		`"permissionDecisionReason":"[guard-status] This repository requires agentguard, and its program agentguard-hook ` +
		`is not on this machine. Ask the user to install it: .agentguard/README.md"}}';; `
	endCase = `esac`
)

// usualDirs are the folders that the team entry looks into besides PATH.
func usualDirs(home string) []string {
	return []string{
		filepath.Join(home, ".local", "bin"), filepath.Join(home, "bin"), filepath.Join(home, "go", "bin"),
		"/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin",
	}
}

// teamCommand is the shell text of the committed entry.
func teamCommand(require bool) string {
	if require {
		return findProgram + tellRequired + denyTools + endCase
	}
	return findProgram + tellAtStart + endCase
}

// shellTexts lists every shell text ever written into a settings or agent file,
// the present ones first. Nothing may be taken out of it: entries in the field
// are recognised by it.
func shellTexts() []string {
	return []string{teamCommand(false), teamCommand(true)}
}

// requireTexts are those of the texts that refuse tool calls without the program.
func requireTexts() []string { return []string{teamCommand(true)} }

// required reports whether the project's settings hold one of them.
func (r Request) required() bool {
	if r.Scope != Project {
		return false
	}
	snap, err := settings.ReadFile(r.SettingsPath())
	if err != nil {
		return false
	}
	doc, err := settings.Parse(snap.Bytes)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(doc.Handlers(), func(h settings.Handler) bool { return slices.Contains(requireTexts(), h.Command) })
}

// owner tells our entries from all others.
type owner struct {
	// paths are program paths that we write or wrote.
	paths []string
	texts []string
}

func (r Request) owner(records []record) owner {
	o := owner{texts: shellTexts()}
	add := func(p string) {
		if p != "" {
			o.paths = append(o.paths, p)
		}
	}
	add(r.HookPath)
	for _, rec := range records {
		add(rec.Program)
	}
	for _, dir := range usualDirs(r.Home) {
		add(filepath.Join(dir, program))
	}
	return o
}

// newer reports whether a handler was written by a newer agentguard than this
// one. It is left alone: an old program must not take back what a new one did.
func newer(h settings.Handler) bool {
	n, _ := h.Node.Get(ownerKey)
	made, ok := n.Int()
	return ok && made > generation
}

// marked reports whether a handler carries the owner key.
func marked(h settings.Handler) bool {
	n, ok := h.Node.Get(ownerKey)
	return ok && n.Kind == settings.Number
}

// written reports whether a handler's command is a text that we wrote, so that
// another can take its place. An exec form counts under a path of ours, and under
// any path of the program's name where the owner key stands beside it.
func (o owner) written(h settings.Handler) bool {
	if h.Type != "command" { // the client allows few keys in these: only the mark tells ours
		return marked(h)
	}
	if !h.HasArgs {
		if slices.Contains(o.texts, h.Command) {
			return true
		}
		return slices.ContainsFunc(o.paths, func(p string) bool { return h.Command == shellQuote(p) })
	}
	return len(h.Args) == 0 && o.program(h.Command, h)
}

func (o owner) program(command string, h settings.Handler) bool {
	if slices.Contains(o.paths, command) {
		return true
	}
	command = strings.ReplaceAll(command, `\`, "/")
	return marked(h) && strings.TrimSuffix(path.Base(command), ".exe") == program
}

// owned reports whether a handler is ours, edited by hand or not.
func (o owner) owned(h settings.Handler) bool { return marked(h) || o.written(h) }

// command returns the command and whether it is the exec form.
func (r Request) command() (text string, exec bool) {
	switch {
	case r.Scope == Project:
		return teamCommand(r.Require), false
	case r.Client.ShellOnly:
		return shellQuote(r.HookPath), false
	}
	return r.HookPath, true
}

// shellQuote leaves a plain path alone and puts any other in single quotes.
func shellQuote(s string) string {
	plain := strings.IndexFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-+@", c))
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// failClosed reports whether the entry asks the client to block on failure.
func (r Request) failClosed(e EventSpec) bool {
	return e.FailClosed && !r.Client.NoOnFailure && r.Version.KnowsOnFailure()
}

// handler is the entry for an event, as it is written.
func (r Request) handler(e EventSpec) settings.Node {
	members := slices.Clone(e.Handler.Members)
	if e.Handler.Kind == settings.None {
		text, exec := r.command()
		members = []settings.Member{
			settings.Entry("type", settings.TextOf("command")),
			settings.Entry("command", settings.TextOf(text)),
		}
		if exec {
			members = append(members, settings.Entry("args", settings.ListOf()))
		}
	}
	if e.Timeout > 0 {
		members = append(members, settings.Entry("timeout", settings.IntOf(e.Timeout)))
	}
	if r.failClosed(e) {
		members = append(members, settings.Entry("onFailure", settings.TextOf("block")))
	}
	if !r.Client.NoOwnerKey {
		members = append(members, settings.Entry(ownerKey, settings.IntOf(generation)))
	}
	return settings.ObjectOf(members...)
}

// outdated compares an entry with the one of today. It lists the keys whose value
// is another, and reports other when the two are of different forms, so that one
// has to be written anew. Timeout, onFailure and the owner key are not compared:
// those a person may have changed.
func outdated(have, want settings.Node) (keys []string, other bool) {
	own := []string{"timeout", "onFailure", ownerKey}
	for _, m := range want.Members {
		if slices.Contains(own, m.Key) {
			continue
		}
		now, ok := have.Get(m.Key)
		switch {
		case !ok:
			return nil, true
		case settings.Text(now) == settings.Text(m.Value):
		case m.Key == "type":
			return nil, true
		default:
			keys = append(keys, m.Key)
		}
	}
	_, wantArgs := want.Get("args")
	_, haveArgs := have.Get("args")
	return keys, haveArgs && !wantArgs
}

// group is the entry for an event with the group around it: never a foreign
// group, so that removing ours leaves the others as they were.
func (r Request) group(e EventSpec) settings.Node {
	var members []settings.Member
	if e.Matcher != "" {
		members = append(members, settings.Entry("matcher", settings.TextOf(e.Matcher)))
	}
	return settings.ObjectOf(append(members, settings.Entry("hooks", settings.ListOf(r.handler(e))))...)
}
