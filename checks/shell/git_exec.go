package shell

import (
	"slices"
	"strings"
)

// git follows what a git command runs beside its own work: aliases, settings
// and variables that name programs, and subcommands that take commands.
func (a *analyzer) git(idx int, st *state, cx ctx) output {
	g, ok := ParseGit(*a.cmd(idx))
	if !ok {
		return output{from: []int{idx}}
	}
	for _, c := range g.Configs {
		if gitRuns(c.Name, c.Value.Text) {
			a.gitText(idx, "git "+c.Name, c.Value, st, cx)
		}
	}
	for _, e := range a.cmd(idx).Env {
		if gitEnvRuns(e.Name) {
			a.gitText(idx, "git "+e.Name, e.Value, st, cx)
		}
	}
	if g.Sub == "" || gitBuiltin(g.Sub) {
		a.gitSub(idx, g, st, cx)
		if g.Sub == "rev-parse" {
			return a.gitDirOutput(idx, g)
		}
		return output{from: []int{idx}}
	}
	if text, ok := a.gitAlias(g, st, cx); ok && !cx.calling("git alias "+g.Sub) && len(cx.calls) < maxDepth {
		return a.runAlias(idx, g, text, st, cx)
	}
	return output{from: []int{idx}}
}

// gitDirOutput is what rev-parse prints about git's own folder: where it lies
// is not known, but its name is.
func (a *analyzer) gitDirOutput(idx int, g Git) output {
	out := output{from: []int{idx}}
	if len(g.Args) == 0 {
		return out
	}
	tail := ""
	switch last := g.Args[len(g.Args)-1]; {
	case last.Text == "--git-dir" || last.Text == "--absolute-git-dir" || last.Text == "--git-common-dir":
	case len(g.Args) > 1 && g.Args[len(g.Args)-2].Text == "--git-path":
		tail = "/" + a.intern(last)
	default:
		return out
	}
	return output{text: a.unknownOutput(out.from, true) + "/.git" + tail + "\n", known: true, approx: true, from: out.from}
}

// gitText follows a value as the shell text that git would run.
func (a *analyzer) gitText(idx int, via string, w Word, st *state, cx ctx) {
	cx.env = nil
	a.nested(idx, via, strings.TrimPrefix(a.intern(w), "!"), st.fork(), cx)
	a.cmd(idx).Carrier = false
}

func (a *analyzer) gitAlias(g Git, st *state, cx ctx) (string, bool) {
	if w, ok := g.Config("alias." + g.Sub); ok {
		return a.intern(w), true
	}
	if v, ok := st.vars["git alias."+g.Sub]; ok && len(v.alts) > 0 {
		return v.alts[0], true
	}
	if a.env.GitAlias != nil && !cx.world && g.Dir.Known() {
		if s, ok := a.env.GitAlias(g.Dir.Text, g.Sub); ok {
			return sanitize(s), true
		}
	}
	return "", false
}

func (a *analyzer) runAlias(idx int, g Git, text string, st *state, cx ctx) output {
	via := "git alias " + g.Sub
	cx.calls = append(slices.Clip(cx.calls), via)
	in := st.fork()
	a.set(in, "PWD", a.intern(g.Dir))
	if script, ok := strings.CutPrefix(strings.TrimSpace(text), "!"); ok {
		for _, w := range g.Args {
			script += " " + shellQuoteMarks(a.intern(w))
		}
		return a.nested(idx, via, script, in, cx)
	}
	words := []Word{Lit("git")}
	for _, c := range g.Configs {
		words = append(words, Lit("-c"), a.word(c.Name+"="+a.intern(c.Value), ""))
	}
	if !g.GitDir.Zero() {
		words = append(words, a.word("--git-dir="+a.intern(g.GitDir), ""))
	}
	if !g.WorkTree.Zero() {
		words = append(words, a.word("--work-tree="+a.intern(g.WorkTree), ""))
	}
	words = append(words, a.splitWords(text)...)
	words = append(words, g.Args...)
	cx.nofunc = true
	return a.inner(idx, via, words, in, cx)
}

// shellQuoteMarks quotes a value and leaves what is not known outside, so that
// a pattern stays one.
func shellQuoteMarks(s string) string {
	if hasPrivate(s) {
		return "\"" + strings.NewReplacer("\"", "\\\"", "$", "\\$", "`", "\\`", "\\", "\\\\").Replace(s) + "\""
	}
	return shellQuote(s)
}

// gitRuns tells the settings whose value git runs.
func gitRuns(name, value string) bool {
	switch name {
	case "core.pager", "core.editor", "sequence.editor", "core.sshcommand", "core.askpass", "core.gitproxy", "core.alternaterefscommand",
		"diff.external", "gpg.program", "interactive.difffilter", "uploadpack.packobjectshook", "gpg.ssh.defaultkeycommand", "web.browser",
		"sendemail.tocmd", "sendemail.cccmd", "sendemail.headercmd", "sendemail.sendmailcmd":
		return true
	case "core.fsmonitor":
		return !isBool(value)
	case "credential.helper":
		return runsHelper(value)
	}
	section, rest, _ := strings.Cut(name, ".")
	key := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "pager":
		return !isBool(value)
	case "diff":
		return key == "textconv" || key == "command"
	case "filter":
		return key == "clean" || key == "smudge" || key == "process"
	case "merge":
		return key == "driver"
	case "mergetool", "difftool", "browser", "man":
		return key == "cmd"
	case "credential":
		return key == "helper" && runsHelper(value)
	case "gpg":
		return key == "program" || key == "defaultkeycommand"
	case "remote":
		return key == "uploadpack" || key == "receivepack"
	case "trailer":
		return key == "command" || key == "cmd"
	case "submodule":
		return key == "update" && strings.HasPrefix(value, "!")
	case "tar":
		return key == "command"
	}
	return false
}

func isBool(s string) bool {
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "0", "1":
		return true
	}
	return false
}

func runsHelper(v string) bool { return strings.HasPrefix(v, "!") || strings.HasPrefix(v, "/") }

func gitEnvRuns(name string) bool {
	switch name {
	case "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "PAGER", "EDITOR", "VISUAL", "GIT_EXTERNAL_DIFF",
		"GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND":
		return true
	}
	return false
}

// gitSub follows subcommands that run commands or write files beside the
// repository.
func (a *analyzer) gitSub(idx int, g Git, st *state, cx ctx) {
	run := func(via string, w Word) { a.gitText(idx, via, w, st, cx) }
	e := effector{a, idx, st.fork(), cx}
	a.set(e.st, "PWD", a.intern(g.Dir))
	switch g.Sub {
	case "config":
		a.gitConfig(g, st)
	case "bisect":
		if len(g.Args) > 1 && g.Args[0].Text == "run" {
			cx.nofunc = true
			a.inner(idx, "git bisect run", g.Args[1:], e.st, cx)
			a.cmd(idx).Carrier = false
		}
	case "rebase":
		o := Options(g.Args, OptSpec{Short: "x:is:X:mqvfnC:kpr::S::", Long: "exec= onto= strategy= strategy-option= interactive autosquash autostash abort continue skip root keep-base rebase-merges=? whitespace= empty= gpg-sign=?"})
		for _, w := range o.Values("x", "exec") {
			run("git rebase -x", w)
		}
	case "submodule":
		for i, w := range g.Args {
			if w.Text == "foreach" {
				rest := g.Args[i+1:]
				for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
					rest = rest[1:]
				}
				run("git submodule foreach", a.word(a.joinWords(rest), ""))
				break
			}
		}
	case "filter-branch":
		o := Options(g.Args, OptSpec{Short: "d:f", Long: "setup= subdirectory-filter= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter= prune-empty original= force state-branch="})
		for _, w := range o.Values("setup", "env-filter", "tree-filter", "index-filter", "parent-filter", "msg-filter", "commit-filter", "tag-name-filter") {
			run("git filter-branch", w)
		}
	case "difftool", "mergetool":
		o := Options(g.Args, OptSpec{Short: "x:t:dgy", Long: "extcmd= tool= dir-diff gui no-prompt prompt"})
		for _, w := range o.Values("x", "extcmd") {
			run("git difftool -x", w)
		}
	case "grep":
		o := Options(g.Args, OptSpec{Short: "O::e:f:A:B:C:m:", Long: "open-files-in-pager=? file= threads= max-depth="})
		for _, w := range o.Values("O", "open-files-in-pager") {
			run("git grep -O", w)
		}
	case "fetch", "pull", "clone", "ls-remote", "fetch-pack", "push", "archive":
		o := Options(g.Args, OptSpec{Short: "u:o:b:c:j:", Long: "upload-pack= receive-pack= exec= output= remote= branch= origin= config= depth= template= reference= separate-git-dir="})
		for _, w := range o.Values("c", "config") {
			if k, v, ok := w.Cut("="); ok && g.Sub == "clone" && gitRuns(strings.ToLower(k), v.Text) {
				run("git "+strings.ToLower(k), v)
			}
		}
		for _, w := range o.Values("upload-pack", "receive-pack", "exec") {
			run("git "+g.Sub+" --upload-pack", w)
		}
		if g.Sub == "clone" || g.Sub == "ls-remote" {
			for _, w := range o.Values("u") {
				run("git "+g.Sub+" -u", w)
			}
		}
		if g.Sub == "archive" {
			e.all(Write, o.Values("o", "output"))
		}
		for _, w := range o.Rest {
			if strings.HasPrefix(w.Text, "ext::") {
				// In such an address "% " is a blank inside a word.
				words := strings.Fields(strings.ReplaceAll(e.a.intern(w.CutPrefix(5)), "% ", "\x00"))
				for i := range words {
					if s := strings.ReplaceAll(words[i], "\x00", " "); s != words[i] {
						words[i] = shellQuote(s)
					}
				}
				run("git ext::", e.a.word(strings.Join(words, " "), ""))
			}
		}
	case "apply":
		e.gitApply(g.Args)
	case "bundle":
		if len(g.Args) > 1 && g.Args[0].Text == "create" {
			o := Options(g.Args[1:], OptSpec{Short: "q", Long: "quiet progress version="})
			e.all(Write, o.Rest[:min(1, len(o.Rest))])
		}
	case "diff", "log", "show", "format-patch", "diff-tree", "whatchanged", "diff-index", "diff-files":
		for _, w := range g.Args {
			if strings.HasPrefix(w.Text, "--output=") {
				e.add(Write, w.CutPrefix(len("--output=")))
			}
		}
	case "for-each-repo":
		o := Options(g.Args, OptSpec{Stop: true, Long: "config= keep-going"})
		if len(o.Rest) > 0 {
			cx.nofunc = true
			a.inner(idx, "git for-each-repo", append([]Word{Lit("git")}, o.Rest...), st, cx)
		}
	}
}

// gitConfig remembers an alias that the script itself sets.
func (a *analyzer) gitConfig(g Git, st *state) {
	o := Options(g.Args, OptSpec{Short: "f:ezl", Long: "global local system worktree file= add unset unset-all get get-all list edit replace-all type= default="})
	rest := o.Rest
	if len(rest) > 0 && rest[0].Text == "set" {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return
	}
	if name := configName(rest[0].Text); strings.HasPrefix(name, "alias.") {
		a.set(st, "git "+name, a.intern(rest[1]))
	}
}
