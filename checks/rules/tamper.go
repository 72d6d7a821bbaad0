package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

// Tamper runs the rules of guard-tamper: the guard's own files, settings
// entries, programs, records and switches. Reading, backing up and adding what
// has nothing to do with the guard never match.
func Tamper(ctx Context) []Hit {
	return newScan(ctx).run([][]Rule{tamperRules})
}

// own says which part of the guard a file is.
type own int

const (
	notOwn own = iota
	ownSettings
	ownPolicy
	ownRecord
	ownProgram
	ownFrontmatter
)

// guardNames are the base names of our programs.
func guardProgram(base string) bool {
	return oneOf(strings.TrimSuffix(strings.ToLower(base), ".exe"), "agentguard", "agentguard-hook")
}

// ownOf tells which part of the guard an absolute path is. Names fold case
// everywhere: a variant is asked about like the file itself.
func (s *scan) ownOf(p string) own {
	low := strings.ToLower(p)
	home := strings.ToLower(s.ctx.Home)
	base := path.Base(low)
	stateHome := strings.ToLower(cmpOr(s.ctx.StateHome, s.ctx.Home+"/.local/state"))
	configHome := strings.ToLower(cmpOr(s.ctx.ConfigHome, s.ctx.Home+"/.config"))
	switch {
	case hasSuffixAny(low, "/.claude/settings.json", "/.claude/settings.local.json", "/.codex/hooks.json", "/.codex/config.toml", "/.gemini/settings.json", "/.cursor/hooks.json"),
		containsAny(low, "/claude-code/managed-settings", "/claudecode/managed-settings", "/.claude/hooks.json"),
		strings.Contains(low, "/.claude/plugins/") && base == "hooks.json":
		return ownSettings
	case inMemory(strings.TrimPrefix(low, home+"/")):
		return notOwn
	case within(low, stateHome+"/agentguard"), within(low, home+"/.claude/projects"), within(low, home+"/.codex/sessions"), strings.Contains(low, "/.local/state/agentguard"):
		return ownRecord
	case strings.Contains(low+"/", "/.agentguard/"), within(low, configHome+"/agentguard"), within(low, "/etc/agentguard"):
		return ownPolicy
	case guardProgram(base) && s.kind(p) != Folder && !hasSuffixAny(low, "/cmd/"+base):
		return ownProgram
	case strings.HasSuffix(base, ".md") && containsAny(low, "/.claude/agents/", "/.claude/skills/", "/.claude/commands/"):
		return ownFrontmatter
	}
	return notOwn
}

// holds tells that a folder holds files of the guard, so that deleting or
// moving it takes them away.
func (s *scan) holds(dir string, kind own) bool {
	if dir == "/" {
		return false // the removal rules say enough about it
	}
	stateHome := cmpOr(s.ctx.StateHome, s.ctx.Home+"/.local/state")
	configHome := cmpOr(s.ctx.ConfigHome, s.ctx.Home+"/.config")
	var files []string
	switch kind {
	case ownSettings:
		files = []string{s.ctx.ProjectDir + "/.claude/settings.json", s.ctx.Home + "/.claude/settings.json", s.ctx.Home + "/.codex/hooks.json"}
		if strings.EqualFold(path.Base(dir), ".claude") && s.holdsEntries(dir) {
			return true
		}
	case ownPolicy:
		files = []string{s.ctx.ProjectDir + "/.agentguard/policy.jsonc", configHome + "/agentguard/policy.jsonc"}
	case ownRecord:
		files = []string{stateHome + "/agentguard/log", s.ctx.Home + "/.claude/projects/x"}
	case notOwn, ownProgram, ownFrontmatter:
		return false
	}
	for _, f := range files {
		if within(f, dir) && dir != s.ctx.Home && dir != s.ctx.ProjectDir && !within(s.ctx.ProjectDir, dir) {
			return true
		}
	}
	return false
}

// holdsEntries tells a client's folder whose settings start the guard, or of
// which that cannot be told.
func (s *scan) holdsEntries(dir string) bool {
	for _, name := range []string{"settings.json", "settings.local.json", "hooks.json"} {
		switch f := dir + "/" + name; s.kind(f) {
		case Missing:
		case File:
			if text := s.content(f); text == "" || strings.Contains(text, "agentguard") {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// tamperFiles is the strictest answer about one part over the whole call.
func (s *scan) tamperFiles(kind own) verdict {
	worst := verdict{}
	for _, e := range s.edits() {
		p := s.resolve(s.abs(-1, e.path), !e.deletes)
		if p != "" && s.ownOf(p) == kind {
			worst = worst.or(s.tamperByTool(p, e, kind))
		}
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op == shell.Read || e.Op == shell.MakeDir || s.elsewhere(e.Command) != here {
			continue
		}
		worst = worst.or(s.tamperEffect(e, kind).at(e.Command))
	}
	for i := range s.cmds {
		worst = worst.or(s.gitTampers(i, kind).at(i))
	}
	return worst
}

func (s *scan) tamperEffect(e shell.Effect, kind own) verdict {
	if kind == ownProgram && !known(e.Path) {
		for _, j := range s.origins(e.Path) {
			c := &s.cmds[j]
			if oneOf(c.Name, "command", "which", "type", "whereis", "readlink", "realpath", "") && namesGuard(c) {
				return deny("changes the guard's own program.")
			}
		}
	}
	p := s.abs(e.Command, e.Path.Text)
	if p == "" {
		p = "/" + strings.TrimLeft(e.Path.Text, "/")
	}
	removes := e.Op == shell.Delete || e.Op == shell.Move
	follow := !removes && e.Op != shell.Link
	dir := stripGlob(p)
	if (removes || e.Op == shell.Link) && s.holds(s.resolve(dir, false), kind) {
		return deny("takes away a folder that holds the guard's own files.")
	}
	target := s.resolve(p, follow)
	if e.Recursive && e.Op == shell.Write && s.holds(target, kind) && s.kind(target) == Folder {
		return ask("copies over a folder that holds the guard's own files.")
	}
	if s.ownOf(target) != kind {
		return verdict{}
	}
	name := clip(path.Base(target), 40)
	switch kind {
	case ownSettings:
		if e.Op == shell.Mode {
			if e.Command >= 0 && e.Command < len(s.cmds) && hidesFile(&s.cmds[e.Command]) {
				return deny("makes " + name + " unreadable, so that the hooks are off.")
			}
			return ask("changes the rights of " + name + ", which switches the hooks on.")
		}
		if content, ok := knownContent(e); ok && follow {
			return s.settingsChange(target, content)
		}
		if s.kind(target) == Missing && !removes {
			return ask("writes " + name + " with content that is not known before it runs.")
		}
		return deny("changes " + name + ", which switches the hooks on.")
	case ownPolicy:
		switch {
		case removes, e.Op == shell.Truncate, e.Op == shell.Link, e.Op == shell.Write && s.kind(target) != Missing:
			return deny("replaces or removes the guard's policy.")
		case e.Op == shell.Mode:
			return verdict{}
		}
		return ask("changes the guard's policy.")
	case ownRecord:
		if e.Op == shell.Mode {
			return ask("changes the rights of the guard's records.")
		}
		return deny("changes the guard's records or a transcript, which are evidence.")
	case ownProgram:
		return deny("changes the guard's own program.")
	case ownFrontmatter:
		return s.frontmatterEffect(target, e)
	case notOwn:
	}
	return verdict{}
}

// hidesFile tells that a chmod takes the owner's right to read.
func hidesFile(c *shell.Command) bool {
	for _, a := range c.Args {
		t := a.Text
		if len(t) >= 1 && len(t) <= 4 && strings.Trim(t, "01234567") == "" {
			return len(t) < 3 || (t[len(t)-3]-'0')&4 == 0
		}
		if hasPrefixAny(t, "-r", "a-r", "u-r", "a-rw", "ugo-r", "a=,", "u=,") || t == "a=" || t == "=" {
			return true
		}
	}
	return false
}

// knownContent is the whole text that an effect writes, where it is known.
func knownContent(e shell.Effect) (string, bool) {
	if e.Op != shell.Write || len(e.Content.Parts) == 0 || !known(e.Content) {
		return "", false
	}
	return e.Content.Text, true
}

func namesGuard(c *shell.Command) bool {
	for _, a := range c.Args {
		if guardProgram(path.Base(a.Text)) {
			return true
		}
	}
	return false
}

// gitTampers finds git commands that overwrite or drop the guard's files.
func (s *scan) gitTampers(i int, kind own) verdict {
	g := s.git(i)
	if g == nil || !oneOf(g.sub, "checkout", "restore", "rm", "mv", "stash", "update-index") {
		return verdict{}
	}
	if g.sub == "update-index" && !hasWord(g.args, "--assume-unchanged", "--skip-worktree", "--force-remove", "--remove") || g.sub == "stash" && (len(g.args) < 2 || oneOf(g.args[0].Text, "list", "show", "pop", "apply", "drop", "branch", "clear", "create", "store")) {
		return verdict{}
	}
	o := shell.Options(g.args, switchSpec)
	if g.sub == "restore" && o.Has("S") || g.sub == "rm" && hasWord(g.args, "--cached") {
		return verdict{}
	}
	for _, w := range o.Rest {
		p := s.resolve(s.abs(i, w.Text), true)
		if p == "" || s.ownOf(p) != kind && !(s.holds(p, kind) && (oneOf(g.sub, "rm", "mv", "stash") || oneOf(g.sub, "checkout", "restore") && len(o.Rest) > 1)) {
			continue
		}
		if r, ok := s.gitRepo(g); ok && oneOf(g.sub, "checkout", "restore") && len(o.Rest) == 1 {
			if st, ok := r.Path(p); ok && !st.Modified && s.untouched(i) {
				continue
			}
		}
		return ask("replaces or removes a file of the guard.")
	}
	return verdict{}
}

// tamperByTool judges a file tool's write by comparing the content before and
// after.
func (s *scan) tamperByTool(p string, e edit, kind own) verdict {
	before := s.content(p)
	after, ok := e.after(before)
	switch kind {
	case ownSettings:
		if e.deletes {
			return deny("removes the hook settings.")
		}
		if !ok {
			return ask("changes the hook settings in a way that is not known.")
		}
		return s.settingsChange(p, after)
	case ownPolicy:
		if e.deletes || ok && e.content != nil && before != "" && after != before {
			return deny("replaces or removes the guard's policy.")
		}
		if ok && after == before {
			return verdict{}
		}
		return ask("changes the guard's policy.")
	case ownRecord:
		return deny("changes the guard's records or a transcript, which are evidence.")
	case ownProgram:
		return deny("changes the guard's own program.")
	case ownFrontmatter:
		if !ok && !e.deletes {
			return ask("changes an agent file in a way that is not known.")
		}
		return frontmatterChange(before, after)
	case notOwn:
	}
	return verdict{}
}
