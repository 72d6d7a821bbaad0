package checks

import (
	"context"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"agentguard/checks/rules"
	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// matcher holds one call to the conditions of own rules.
type matcher struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one check's run
	in     *Input
	rc     rules.Context
	script shell.Script
	writes []rules.Written
	inner  bool // asked by an exception: exceptions from exceptions do not exist
}

func (in *Input) matcher(ctx context.Context) *matcher {
	rc := in.plainContext(ctx)
	return &matcher{ctx: ctx, in: in, rc: rc, script: rc.Script, writes: rules.Writes(rc)}
}

// command tells whether every condition of a rule holds for command i.
func (m *matcher) command(r policy.OwnRule, i int) bool {
	if !inRange(m.script, i) || rules.Explained(m.script.Commands[i]) {
		return false
	}
	c := m.script.Commands[i]
	name, words := c.Name, c.Args
	if g, ok := shell.ParseGit(c); ok {
		name, words = "git", append([]shell.Word{shell.Lit(g.Sub)}, g.Args...)
	}
	switch {
	case r.Program != "" && (name == "" || !anyGlob(strings.ToLower(r.Program), name)),
		!follows(words, strings.Fields(r.Subcommand)),
		!m.flags(r.Flags, words, name),
		!argsFit(r.Args, words):
		return false
	}
	return m.touches(r, i) && m.branch(r, i)
}

// follows tells that the wanted words lead the operands. An option between them
// may take the word behind it as its value.
func follows(words []shell.Word, want []string) bool {
	value := false
	for _, w := range words {
		if len(want) == 0 {
			return true
		}
		switch {
		case strings.HasPrefix(w.Text, "-"):
			value = !strings.Contains(w.Text, "=")
		case anyGlob(want[0], w.Text):
			want, value = want[1:], false
		case value:
			value = false
		default:
			return false
		}
	}
	return len(want) == 0
}

// flags tells that each wanted option is given, alone, with a value or in a
// cluster of short ones. Git takes long options cut short.
func (*matcher) flags(want []string, words []shell.Word, program string) bool {
	for _, alternatives := range want {
		given, text := false, false
		for _, w := range words {
			if w.Text == "--" {
				break
			}
			if text {
				text = false
				continue
			}
			text = program == "git" && takesText(w.Text)
			for flag := range strings.SplitSeq(alternatives, "|") {
				given = given || hasFlag(w.Text, flag, program == "git")
			}
		}
		if !given {
			return false
		}
	}
	return true
}

// takesText tells git's options whose value may look like an option.
func takesText(word string) bool {
	switch word {
	case "--message", "--file", "--author", "--date", "--grep", "-F":
		return true
	default:
		return isShortFlags(word) && strings.HasSuffix(word, "m")
	}
}

func hasFlag(word, flag string, cut bool) bool {
	name, _, _ := strings.Cut(word, "=")
	switch {
	case name == flag:
		return true
	case len(flag) == 2 && isShortFlags(name):
		return strings.Contains(name[1:], flag[1:])
	default:
		return cut && len(name) > 4 && strings.HasPrefix(flag, "--") && strings.HasPrefix(flag, name)
	}
}

func argsFit(want []string, words []shell.Word) bool {
	for _, pattern := range want {
		if !slices.ContainsFunc(words, func(w shell.Word) bool { return anyGlob(pattern, w.Text) }) {
			return false
		}
	}
	return true
}

// touches tells that command i writes, or where the rule names a program reads
// or names, a file that the rule's path and content fit.
func (m *matcher) touches(r policy.OwnRule, i int) bool {
	if r.Path == "" && r.Content == "" {
		return true
	}
	for _, w := range m.writes {
		if w.Command == i && m.written(r, w) {
			return true
		}
	}
	if r.Content != "" {
		return false
	}
	for _, e := range m.script.Effects {
		if e.Command == i && m.path(r.Path, e.Path.Text) {
			return true
		}
	}
	dir := first(m.script.Commands[i].Dir.Text, m.rc.CWD)
	for _, a := range m.script.Commands[i].Args {
		p := a.Text
		if strings.HasPrefix(p, "-") || p == "" {
			continue
		}
		if !path.IsAbs(p) {
			p = path.Join(dir, p)
		}
		if m.path(r.Path, p) {
			return true
		}
	}
	return false
}

func (m *matcher) written(r policy.OwnRule, w rules.Written) bool {
	if r.Path != "" && !m.path(r.Path, w.Path) {
		return false
	}
	return r.Content == "" || contentMatches(r.Content, w.Text)
}

func (m *matcher) path(pattern, p string) bool {
	return p != "" && rules.Matches(m.rc, path.Clean(p), pattern)
}

// contentMatches holds text to a pattern that decoding has checked already.
func contentMatches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err == nil && text != "" && re.MatchString(text)
}

// branch tells that the branch a command concerns fits: what a push goes to,
// else what is checked out where the command runs. Nothing known is no match.
func (m *matcher) branch(r policy.OwnRule, i int) bool {
	if r.Branch == "" {
		return true
	}
	dir := m.rc.CWD
	if inRange(m.script, i) {
		c := m.script.Commands[i]
		dir = first(c.Dir.Text, dir)
		if g, ok := shell.ParseGit(c); ok {
			dir = first(g.Dir.Text, dir)
			if targets := pushTargets(g); len(targets) > 0 {
				return slices.ContainsFunc(targets, func(t string) bool { return anyGlob(r.Branch, t) })
			}
		}
	}
	repo, ok := m.rc.State.Repo(dir)
	if !ok {
		return false
	}
	name, ok := repo.Branch()
	return ok && name != "" && anyGlob(r.Branch, name)
}

// pushTargets lists the branches that a push names; none where it goes to the
// checked-out branch's own.
func pushTargets(g shell.Git) []string {
	if g.Sub != "push" {
		return nil
	}
	var targets []string
	for n, w := range operands(g.Args) {
		t := strings.TrimPrefix(w, "+")
		if n == 0 || t == "HEAD" || t == "@" {
			continue
		}
		if _, dst, ok := strings.Cut(t, ":"); ok {
			t = dst
		}
		targets = append(targets, strings.TrimPrefix(t, "refs/heads/"))
	}
	return targets
}

// operands are the words of a push that are no options and no options' values.
func operands(words []shell.Word) []string {
	var out []string
	skip := false
	for _, w := range words {
		switch {
		case skip:
			skip = false
		case w.Text == "-o" || w.Text == "--push-option" || w.Text == "--repo" || w.Text == "--receive-pack" || w.Text == "--exec":
			skip = true
		case !strings.HasPrefix(w.Text, "-"):
			out = append(out, w.Text)
		}
	}
	return out
}

// inputHas tells that each glob fits a text somewhere in the tool's input.
func (m *matcher) inputHas(want []string) bool {
	if len(want) == 0 {
		return true
	}
	var v any
	if json.Unmarshal(m.in.Event.Tool.Input, &v) != nil {
		return false
	}
	var texts []string
	collectTexts(v, &texts)
	for _, pattern := range want {
		if !slices.ContainsFunc(texts, func(t string) bool { return anyGlob(pattern, t) }) {
			return false
		}
	}
	return true
}

func collectTexts(v any, to *[]string) {
	switch v := v.(type) {
	case string:
		*to = append(*to, v)
	case []any:
		for _, x := range v {
			collectTexts(x, to)
		}
	case map[string]any:
		for _, x := range v {
			collectTexts(x, to)
		}
	}
}

// toolPath is the file that a tool names.
func (m *matcher) toolPath() string {
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
		Path         string `json:"path"`
	}
	if json.Unmarshal(m.in.Event.Tool.Input, &in) != nil {
		return ""
	}
	p := first(in.FilePath, first(in.NotebookPath, in.Path))
	if p != "" && !path.IsAbs(p) {
		p = path.Join(m.rc.CWD, p)
	}
	return p
}

// anyGlob matches one of several globs, separated by |.
func anyGlob(pattern, s string) bool {
	for one := range strings.SplitSeq(pattern, "|") {
		if glob(one, s) {
			return true
		}
	}
	return false
}

// glob matches a pattern in which * stands for any text, slashes included, and ?
// for one byte.
func glob(pattern, s string) bool {
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// exemptions answers the rules' question for exceptions; nil without any.
func (in *Input) exemptions(ctx context.Context) func(rule string, command int) bool {
	if len(in.Policy.Exceptions) == 0 || in.Event.Name != hook.PreToolUse && in.Event.Name != hook.PreSkillShellCommand {
		return nil
	}
	m := in.matcher(ctx)
	return m.exempted
}
