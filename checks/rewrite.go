package checks

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agentguard/checks/rules"
	"agentguard/checks/shell"
	"agentguard/hook"
)

// rewrite returns a safer form of the call to send instead of a refusal, where
// there is one. In bypass mode nobody looks at what runs, and beside other hits
// one change does not make the call safe: both keep the refusal.
func (in *Input) rewrite(rc rules.Context, hits []rules.Hit) (Finding, bool) {
	if _, ok := in.ShellCommand(); !ok || in.Event.Name != hook.PreToolUse || in.Event.PermissionMode == "bypassPermissions" || len(hits) > 1 {
		return Finding{}, false
	}
	if len(hits) == 1 && hits[0].Rewrite != "" && (in.Policy.Rewrite.Lease == nil || *in.Policy.Rewrite.Lease) && in.onlyLeases(hits[0].Rewrite) {
		return in.rewritten(hits[0].Rewrite, hits[0].Rule.ID,
			"agentguard changed this command before it ran: --force became --force-with-lease, which does the same but stops when somebody pushed meanwhile. If it stops, fetch and look at the new commits first.")
	}
	if in.Policy.Rewrite.Preview && (len(hits) == 0 || hits[0].Decision == hook.Ask) {
		if list, names, ok := in.preview(rc); ok {
			return in.rewritten(list, "preview",
				"agentguard changed this command before it ran: nothing was deleted, it lists the files in git that `rm -rf` of "+names+" would have removed. To go on, use `git rm -r "+names+"`, which git can undo, or ask the user.")
		}
	}
	return Finding{}, false
}

// rewritten is the call with another command.
func (in *Input) rewritten(command, rule, told string) (Finding, bool) {
	var input map[string]json.RawMessage
	if json.Unmarshal(in.Event.Tool.Input, &input) != nil {
		return Finding{}, false
	}
	text, err := json.Marshal(command)
	if err != nil {
		return Finding{}, false
	}
	input["command"] = text
	whole, err := json.Marshal(input)
	if err != nil {
		return Finding{}, false
	}
	return Finding{Rule: rule, Rewrite: whole, Context: []string{told}, Subject: oneLine(command)}, true
}

// onlyLeases tells that a new script does what the old one does, but for one
// option of one push. The text was changed without a parser; this looks with one.
func (in *Input) onlyLeases(text string) bool {
	before, after := in.Script(), shell.Analyze(text, in.shellEnv())
	if in.Event.Tool.Name == "PowerShell" {
		after = shell.AnalyzePowerShell(text, in.shellEnv())
	}
	if before.Fallback != "" || after.Fallback != "" || len(before.Commands) != len(after.Commands) || len(before.Effects) != len(after.Effects) {
		return false
	}
	changed := 0
	for i := range before.Commands {
		a, b := before.Commands[i], after.Commands[i]
		if a.Name != b.Name || len(a.Args) != len(b.Args) {
			return false
		}
		for j := range a.Args {
			was, is := a.Args[j].Text, b.Args[j].Text
			if was == is {
				continue
			}
			g, ok := shell.ParseGit(b)
			if !ok || g.Sub != "push" || is != "--force-with-lease" || was != "--force" && was != "-f" {
				return false
			}
			changed++
		}
	}
	return changed == 1
}

// preview returns a command that lists the tracked files which a single rm -r
// would delete. Anything more than that one rm has no preview.
func (in *Input) preview(rc rules.Context) (list, names string, ok bool) {
	s := in.Script()
	if s.Fallback != "" || s.Truncated != "" || len(s.Commands) != 1 || len(s.Commands[0].Via) > 0 || s.Commands[0].Name != "rm" {
		return "", "", false
	}
	c := s.Commands[0]
	if len(c.Redirs) > 0 || !slices.ContainsFunc(s.Effects, func(e shell.Effect) bool { return e.Op == shell.Delete && e.Recursive }) {
		return "", "", false
	}
	dir := first(c.Dir.Text, rc.CWD)
	repo, known := rc.State.Repo(dir)
	if !known {
		return "", "", false
	}
	var words []string
	ended := false
	for _, w := range c.Args {
		if !ended && strings.HasPrefix(w.Text, "-") {
			ended = w.Text == "--"
			continue
		}
		p := w.Text
		if !path.IsAbs(p) {
			p = path.Join(dir, p)
		}
		state, known := repo.Path(path.Clean(p))
		if !w.Known() || !known || !state.Tracked || state.Untracked {
			return "", "", false
		}
		words = append(words, shellQuote(w.Text))
	}
	if len(words) == 0 {
		return "", "", false
	}
	names = strings.Join(words, " ")
	return "git ls-files -- " + names, names, true
}

// shellQuote writes a word as the shell has to read it.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
