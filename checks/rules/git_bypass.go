package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var bypassRules = []Rule{
	{
		ID: "git-no-verify", Family: "git-hooks",
		Title: "skipping the project's hooks",
		Safe:  "Run it without the bypass and mend what the hook reports, or ask the person.",
		Hits: []Case{
			{Run: "git commit --no-verify -m wip"},
			{Run: "git commit -n -m wip"},
			{Run: "git commit -anm wip"},
			{Run: "git commit --no-veri -m wip"},
			{Run: "git push --no-verify"},
			{Run: "git merge --no-verify feature/login"},
			{Run: "git -c alias.ci='commit --no-verify' ci -m x"},
			{Run: "HUSKY=0 git commit -m x"},
			{Run: "SKIP=flake8 git commit -m x"},
			{Run: "export LEFTHOOK=0; git commit -m x"},
			{Run: "env HUSKY_SKIP_HOOKS=1 git push"},
			{Run: "git rebase --no-verify main", Tree: Feature},
		},
		Misses: []Case{
			{Run: "git push -n origin main"},
			{Run: "git merge -n feature/login"},
			{Run: "git merge --no-ff --no-edit feature/login"},
			{Run: "git commit -am 'fix: off by one'"},
			{Run: "git commit -m 'explain --no-verify'"},
			{Run: "git commit -m -n"},
			{Run: "git commit -F notes.txt"},
			{Run: "git log -n 5"},
			{Run: "SKIP=1 npm test"},
			{Run: "git pull --no-edit"},
			{Run: "git commit --no-edit --amend"},
			{Run: "PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x"},
		},
		programs: []string{"git"},
		git:      skipsHooks,
		subs:     []string{"commit", "push", "merge", "rebase", "am", "cherry-pick", "pull", "revert"},
	},
	{
		ID: "git-hooks-path", Family: "git-hooks",
		Title: "pointing git's hooks elsewhere",
		Safe:  "Leave core.hooksPath alone, or ask the person.",
		Hits: []Case{
			{Run: "git -c core.hooksPath=/dev/null commit -m x", Want: hook.Deny},
			{Run: "git -c CORE.HOOKSPATH=/dev/null commit -m x", Want: hook.Deny},
			{Run: "git config core.hooksPath /tmp/empty", Want: hook.Deny},
			{Run: "git config --global core.hooksPath /dev/null", Want: hook.Deny},
			{Run: "git config set core.hooksPath ''"},
			{Run: "git config --unset core.hooksPath"},
			{Run: "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x", Want: hook.Deny},
			{Run: "git config core.hooksPath .githooks"},
			{Run: "git config alias.ci 'commit --no-verify'"},
			{Run: "git config --remove-section core"},
		},
		Misses: []Case{
			{Run: "git config --get core.hooksPath"},
			{Run: "git config core.hooksPath"},
			{Run: "git config user.name dev"},
			{Run: "git config --list"},
			{Run: "git config --get-all core.hooksPath"},
		},
		programs: []string{"git"},
		call:     hooksPath,
	},
	{
		ID: "git-config-runs", Family: "git-hooks",
		Title: "git settings that make git run a program or fetch from elsewhere",
		Safe:  "Leave git's settings alone, or let the person set it.",
		Hits: []Case{
			{Run: "git config core.fsmonitor /tmp/x.sh"},
			{Run: "git config --global core.sshCommand 'sh /tmp/x'"},
			{Run: "git config core.pager 'rm -rf ~'"},
			{Run: "git config alias.x '!rm -rf ~'"},
			{Run: "git config --global url.https://example.com/.insteadOf https://github.com/"},
			{Run: "git config --global credential.helper store"},
			{Run: "git config filter.x.smudge 'sh /tmp/x'"},
		},
		Misses: []Case{
			{Run: "git config core.pager less"},
			{Run: "git config --global core.editor 'code --wait'"},
			{Run: "git config alias.lg 'log --graph'"},
			{Run: "git config alias.root '!git rev-parse --show-toplevel'"},
			{Run: "git config --get core.sshCommand"},
			{Run: "git config core.fsmonitor true"},
			{Run: "git config --global credential.helper osxkeychain"},
			{Run: "git config core.autocrlf input"},
			{Run: "git config --unset core.pager"},
			{Run: "git config --global pull.rebase true"},
		},
		programs: []string{"git"},
		git: func(s *scan, g *gitCall) verdict {
			key, value, ok := g.setting()
			if !ok || value == "" {
				return verdict{}
			}
			word := path.Base(strings.Trim(strings.Fields(value + " x")[0], `"'`))
			const fact = "makes git run a program at later commands."
			switch {
			case strings.HasPrefix(key, "alias.") && strings.HasPrefix(value, "!"):
				for _, d := range dangerous {
					if strings.Contains(value, d) {
						return ask("makes an alias that hides a dangerous command.")
					}
				}
			case key == "core.pager" || strings.HasPrefix(key, "pager."):
				if !oneOf(word, "less", "more", "cat", "bat", "delta", "most", "diff-so-fancy", "true", "false", "x") {
					return ask(fact)
				}
			case oneOf(key, "core.editor", "sequence.editor"):
				if !oneOf(word, "vim", "vi", "nvim", "nano", "emacs", "code", "subl", "true", "cat", "hx", "micro", "cursor", "zed", "idea", ":") {
					return ask(fact)
				}
			case key == "core.fsmonitor" && !oneOf(value, "true", "false", "1", "0"), oneOf(key, "core.sshcommand", "core.askpass", "core.gitproxy", "diff.external", "gpg.program", "core.attributesfile", "include.path", "init.templatedir", "uploadpack.packobjectshook"),
				strings.HasPrefix(key, "filter.") && !containsAny(value, "git-lfs", "git-crypt"), strings.HasSuffix(key, ".textconv"), strings.HasPrefix(key, "includeif."):
				return ask(fact)
			case strings.HasPrefix(key, "url.") && strings.HasSuffix(key, "insteadof") && !strings.Contains(key, "github.com") && !strings.Contains(key, "gitlab.com"):
				return ask("makes git fetch and push somewhere else.")
			case key == "credential.helper" && !oneOf(word, "osxkeychain", "manager", "manager-core", "cache", "libsecret", "wincred", "x"):
				return ask("changes where git keeps or sends logins.")
			}
			return verdict{}
		},
		subs: []string{"config"},
	},
	{
		ID: "git-hook-files", Family: "git-hooks",
		Title: "disabling hook files",
		Safe:  "Leave the hooks in place and mend what they report.",
		Hits: []Case{
			{Run: "mv .git/hooks .git/hooks.off", Want: hook.Deny},
			{Run: "chmod -x .git/hooks/pre-commit", Want: hook.Deny},
			{Run: "rm .git/hooks/pre-commit", Want: hook.Deny},
			{Run: "rm -rf .husky"},
			{Run: "chmod 644 .husky/pre-commit"},
			{Run: "pre-commit uninstall"},
			{Run: "npx lefthook uninstall"},
			{Run: "mv .githooks/pre-push /tmp/"},
			{Run: ": > .husky/pre-commit"},
			{Run: "echo 'exit 0' > .githooks/pre-push"},
			{Run: "cat > .husky/pre-commit <<'E'\n#!/bin/sh\ntrue\nE"},
		},
		Misses: []Case{
			{Run: "ls -la .git/hooks"},
			{Run: "cat .husky/pre-commit"},
			{Run: "chmod +x .husky/pre-commit"},
			{Run: "pre-commit run --all-files"},
			{Run: "pre-commit install"},
			{Run: "npx husky init"},
			{Run: "echo 'npx lint-staged' > .husky/pre-commit"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if oneOf(c.Name, "pre-commit", "lefthook", "husky", "overcommit") && len(c.Args) > 0 && (c.Args[0].Text == "uninstall" || hasWord(c.Args, "--uninstall")) {
				return ask("removes the project's git hooks.")
			}
			return verdict{}
		},
		effect: func(s *scan, e shell.Effect) verdict {
			if e.Op != shell.Delete && e.Op != shell.Move && e.Op != shell.Mode && e.Op != shell.Truncate && !(e.Op == shell.Write && (s.leavesNothing(e) || doesNothing(e.Content))) {
				return verdict{}
			}
			p := s.resolve(e.Path.Text, false)
			rest, inGit := s.insideGit(p)
			inGit = inGit && within(rest, "hooks")
			own := containsAny(p+"/", "/.husky/", "/.githooks/", "/.git-hooks/")
			if !inGit && !own || strings.HasSuffix(p, ".sample") || s.placeOf(p) == tempPlace {
				return verdict{}
			}
			if e.Op == shell.Mode && e.Command >= 0 && e.Command < len(s.cmds) && !dropsExec(&s.cmds[e.Command]) {
				return verdict{}
			}
			if inGit {
				return deny("disables git hooks of this repository.")
			}
			return ask("disables git hooks that the project keeps in " + clip(path.Base(path.Dir(p+"/x")), 40) + ".")
		},
	},
}

// doesNothing tells the text of a script that always succeeds.
func doesNothing(text shell.Word) bool {
	if len(text.Parts) == 0 || !known(text) {
		return false
	}
	for line := range strings.SplitSeq(text.Text, "\n") {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !oneOf(line, "", "exit 0", "exit", "true", ":", "set -e") {
			return false
		}
	}
	return true
}

// dropsExec tells that a chmod takes the right to execute away.
func dropsExec(c *shell.Command) bool {
	if c.Name != "chmod" {
		return false
	}
	for _, a := range c.Args {
		t := a.Text
		if i := strings.IndexByte(t, '-'); i >= 0 && i < 4 && strings.Trim(t[i+1:], "rwxst") == "" && strings.Contains(t[i:], "x") {
			return true
		}
		if strings.Contains(t, "=") && !strings.Contains(t, "x") && !strings.Contains(t, "/") {
			return true
		}
		if len(t) >= 3 && len(t) <= 4 && strings.Trim(t, "01234567") == "" {
			return (t[len(t)-3]-'0')&1 == 0
		}
	}
	return false
}

var bypassVars = []struct{ name, value string }{
	{"HUSKY", "0"},
	{"HUSKY_SKIP_HOOKS", ""},
	{"HUSKY_SKIP_INSTALL", ""},
	{"SKIP", ""},
	{"LEFTHOOK", "0"},
	{"LEFTHOOK", "false"},
	{"LEFTHOOK_EXCLUDE", ""},
	{"OVERCOMMIT_DISABLE", ""},
	{"NO_VERIFY", ""},
	{"SKIP_HOOKS", ""},
	{"GIT_SKIP_HOOKS", ""},
	{"SKIP_SIMPLE_GIT_HOOKS", ""},
	{"YORKIE_SKIP", ""},
}

func skipsHooks(s *scan, g *gitCall) verdict {
	const fact = "skips the checks that hooks make before this step."
	for _, a := range s.cmds[g.index].Env {
		for _, b := range bypassVars {
			if a.Name == b.name && (b.value == "" && a.Value.Text != "" || b.value != "" && a.Value.Text == b.value) {
				return ask("with " + a.Name + " " + fact)
			}
		}
	}
	sp := shell.OptSpec{Long: "no-verify verify no-edit no-verify-signatures no-gpg-sign no-stat no-status no-signoff no-ff no-commit no-post-rewrite no-rebase"}
	switch g.sub {
	case "commit":
		sp.Short = "anveosqpizm:F:C:c:t:S::u::"
		sp.Long += " message= file= reuse-message= reedit-message= fixup= squash= template= author= date= cleanup= trailer= pathspec-from-file= all amend patch signoff only include dry-run interactive allow-empty allow-empty-message no-allow-empty gpg-sign=? untracked-files=? quiet verbose edit"
	case "push":
		sp = pushSpec
	case "merge", "pull":
		sp.Short = "m:F:s:X:S::nqve"
		sp.Long += " message= file= strategy= strategy-option= into-name= cleanup= squash ff-only edit"
	case "rebase", "am", "cherry-pick", "revert":
		sp.Short = "im:x:X:s:S::nqve"
		sp.Long += " onto= exec= strategy= strategy-option= mainline= interactive"
	}
	o := shell.Options(g.args, sp)
	if o.Has("no-verify") || g.sub == "commit" && o.Has("n") || g.sub == "am" && o.Has("n") {
		return ask(fact)
	}
	for _, x := range o.List {
		if len(x.Name) >= 6 && abbreviates(x.Name, "no-verify") {
			return ask(fact)
		}
	}
	return verdict{}
}

func hooksPath(s *scan, i int) verdict {
	g := s.git(i)
	if g == nil {
		return verdict{}
	}
	if v, ok := g.config("core.hookspath"); ok {
		return s.hooksPathTo(g, v)
	}
	if g.sub != "config" {
		return verdict{}
	}
	if o := shell.Options(g.args, configSpec); len(o.Rest) > 0 {
		section := o.Rest[len(o.Rest)-1].Text
		if strings.EqualFold(section, "core") && (o.Has("remove-section") || o.Rest[0].Text == "remove-section") {
			return ask("removes git's core settings of this repository, the hooks' place with them.")
		}
	}
	key, value, set := g.setting()
	unset := false
	if !set {
		if key, unset = g.unsets(); !unset {
			return verdict{}
		}
	}
	switch {
	case strings.HasPrefix(key, "alias.") && containsAny(value, "--no-verify", "core.hooksPath", "--force", "reset --hard"):
		return ask("makes an alias that hides a dangerous option.")
	case key != "core.hookspath":
		return verdict{}
	case unset || value == "":
		if r, ok := s.gitRepo(g); ok {
			if now, ok := r.Config("core.hooksPath"); ok && (now == "" || now == "/dev/null") {
				return verdict{} // it is not set, or set to where no hooks are
			}
		}
		return ask("turns off the hooks that core.hooksPath names.")
	}
	return s.hooksPathTo(g, value)
}

var configSpec = shell.OptSpec{Short: "f:zle", Long: "global system local worktree file= blob= get get-all get-regexp get-urlmatch list unset unset-all add replace-all type= default= bool int path show-origin show-scope name-only null rename-section remove-section edit fixed-value comment= all includes no-includes value= url= regexp"}

// setting is what a git config command sets; the key in lower case.
func (g *gitCall) setting() (key, value string, ok bool) {
	o := shell.Options(g.args, configSpec)
	words := o.Rest
	if o.Has("get", "get-all", "get-regexp", "get-urlmatch", "list", "l", "unset", "unset-all", "edit", "e") {
		return "", "", false
	}
	if len(words) > 0 && words[0].Text == "set" {
		words = words[1:]
	}
	if len(words) < 2 || oneOf(words[0].Text, "get", "list", "edit", "unset", "remove-section", "rename-section") {
		return "", "", false
	}
	return strings.ToLower(words[0].Text), words[1].Text, true
}

// unsets is the key that a git config command removes.
func (g *gitCall) unsets() (key string, ok bool) {
	o := shell.Options(g.args, configSpec)
	words := o.Rest
	if len(words) > 1 && words[0].Text == "unset" {
		return strings.ToLower(words[1].Text), true
	}
	if len(words) > 0 && o.Has("unset", "unset-all") {
		return strings.ToLower(words[0].Text), true
	}
	return "", false
}

// hooksPathTo judges a new hooks folder: one inside the project may be the
// project's own, anything else turns the hooks off.
func (s *scan) hooksPathTo(g *gitCall, to string) verdict {
	if to != "" && !path.IsAbs(to) && !strings.HasPrefix(to, "..") && !strings.HasPrefix(to, "~") && g.sub == "config" {
		return ask("changes which hooks git runs.")
	}
	if g.sub == "config" && to == "" {
		return ask("turns off the hooks that core.hooksPath names.")
	}
	return deny("points git at other hooks than this repository's.")
}
