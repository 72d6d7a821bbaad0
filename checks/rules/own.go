package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// CommandRules lists the ids of the rules that a policy may make exceptions
// from: those of dangerous-command.
func CommandRules() []string {
	var ids []string
	for _, fam := range families {
		for i := range fam {
			ids = append(ids, fam[i].ID)
		}
	}
	return ids
}

// Explained tells that a command is only an argument of one of our programs and
// will not run.
func Explained(c shell.Command) bool { return slices.ContainsFunc(c.Via, guardProgram) }

// Matches tells that an absolute path fits one of the policy's patterns, as
// those of protect do.
func Matches(ctx Context, p string, patterns ...string) bool {
	return newScan(ctx).matchesAny(p, patterns)
}

// KeyFile tells what protected-path would say of a write to an absolute path, for
// files with secrets and keys alone: Pass for any other.
func KeyFile(ctx Context, p string) (d hook.Decision, what string) {
	g := newScan(ctx).guardOf(p, shell.Write)
	if g.kind != guardSecret && g.kind != guardKey {
		return hook.Pass, ""
	}
	return g.Decision, g.what
}

// Written is text that a call would put into a file.
type Written struct {
	Path    string // absolute
	Text    string
	After   string // what the text replaces in the file; empty for a whole file or an appended one
	Command int    // index in Script.Commands, or -1 for a tool's own write
}

// ScratchRepo tells that command i of the script works in a repository that is
// nobody's work: one in a temp folder, or one that the same script makes.
func ScratchRepo(ctx Context, i int) bool {
	s := newScan(ctx)
	if i < 0 || i >= len(s.cmds) {
		return false
	}
	g := s.git(i)
	if g == nil {
		dir := s.cmds[i].Dir
		g = &gitCall{index: i, git: shell.Git{Dir: dir}}
		if known(dir) {
			g.dir = dir.Text
		}
	}
	return s.scratchRepo(g) || s.freshRepo(g)
}

// Writes lists the files that a call would write with the text that is known of
// them; Text is empty where none is.
func Writes(ctx Context) []Written {
	s := newScan(ctx)
	var out []Written
	if ctx.Tool == "apply_patch" {
		return s.patched()
	}
	for _, e := range s.edits() {
		p := s.abs(-1, e.path)
		switch {
		case e.deletes:
			out = append(out, Written{Path: p, Command: -1})
		case e.content != nil:
			out = append(out, Written{Path: p, Text: *e.content, Command: -1})
		case len(e.changes) > 0:
			for _, c := range e.changes {
				out = append(out, Written{Path: p, Text: c.new, After: c.old, Command: -1})
			}
		default:
			out = append(out, Written{Path: p, Text: s.cellSource(), Command: -1})
		}
	}
	for _, e := range ctx.Script.Effects {
		if e.Op == shell.Read || e.Op == shell.MakeDir || s.elsewhere(e.Command) != here || s.explained(e.Command) {
			continue
		}
		w := Written{Path: s.abs(e.Command, e.Path.Text), Command: e.Command}
		if len(e.Content.Parts) > 0 {
			w.Text = e.Content.Text
		}
		out = append(out, w)
	}
	return out
}

// cellSource is the new source of a notebook's cell.
func (s *scan) cellSource() string {
	var in toolInput
	if json.Unmarshal(s.ctx.Input, &in) != nil || in.NewSource == nil {
		return ""
	}
	return *in.NewSource
}

// patched reads the added lines of an apply_patch text, file by file.
func (s *scan) patched() []Written {
	var in toolInput
	if json.Unmarshal(s.ctx.Input, &in) != nil {
		return nil
	}
	var out []Written
	for _, text := range []string{rawText(in.Input), rawText(in.Patch), rawText(in.Command)} {
		for line := range strings.SplitSeq(text, "\n") {
			if p, ok := patchedFile(line); ok {
				out = append(out, Written{Path: s.abs(-1, p), Command: -1})
			} else if add, ok := strings.CutPrefix(line, "+"); ok && len(out) > 0 {
				out[len(out)-1].Text += add + "\n"
			}
		}
	}
	return out
}

func patchedFile(line string) (string, bool) {
	for _, head := range [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
		if p, ok := strings.CutPrefix(strings.TrimSpace(line), head); ok {
			return strings.TrimSpace(p), true
		}
	}
	return "", false
}
