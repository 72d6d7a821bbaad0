package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// fillsFromTemplate tells cp -n .env.example .env, and a copy of a template or of
// the person's own settings where there are none yet, as a fresh worktree needs
// it: nothing can be lost, and nothing is written that was not here before.
func (s *scan) fillsFromTemplate(e shell.Effect) bool {
	if e.Op != shell.Write && e.Op != shell.Append && e.Op != shell.Link || e.Command < 0 || e.Command >= len(s.cmds) {
		return false
	}
	c := &s.cmds[e.Command]
	if !oneOf(c.Name, "cp", "install", "ln", "rsync", "copy-item") {
		return false
	}
	o := shell.Options(c.Args, shell.OptSpec{Short: "t:S:m:o:g:nfriavpuLPHdRs", Long: "no-clobber update=? force recursive archive mode= owner= group= symbolic target-directory="})
	if len(o.Rest) < 2 {
		return false
	}
	fresh := s.kind(s.abs(e.Command, e.Path.Text)) == Missing
	for _, w := range o.Rest[:len(o.Rest)-1] {
		switch base := path.Base(w.Text); {
		case isTemplate(base) && (fresh || c.Name == "cp" && o.Has("n", "no-clobber")):
		case settingsName(base) && fresh:
		default:
			return false
		}
	}
	return true
}

// settingsName tells names of local settings: .env, .env.local.
func settingsName(base string) bool {
	return base == ".env" || strings.HasPrefix(base, ".env.") || base == ".envrc"
}

// newSettings is the verdict on local settings that are not there yet, in the
// project or another repository: plain values lose nothing and tell nothing. What
// is not known of the text is a question.
func (s *scan) newSettings(p string, v verdict, text string, whole bool) verdict {
	base := path.Base(p)
	if v.decision == hook.Pass || !localSettings(base) || base != strings.ToLower(base) || s.kind(p) != Missing && !(base == ".envrc" && s.trackedClean(p)) {
		return v
	}
	if _, ok := s.repo(path.Dir(p)); !ok && !within(p, s.ctx.ProjectDir) || path.Dir(p) == s.ctx.Home {
		return v
	}
	switch {
	case whole && plainSettings(text) && base == ".env":
		v.decision = min(v.decision, hook.Ask)
		v.fact = "makes .env, which every later run of the project reads."
	case whole && plainSettings(text):
		return verdict{}
	case whole:
		v.fact = "writes " + clip(base, 60) + " with what looks like a secret."
	default:
		v.decision = min(v.decision, hook.Ask)
		v.fact = "writes " + clip(base, 60) + ", and its text is not known: it may hold secrets."
	}
	return v
}

// localSettings tells names of settings for this machine alone, as opposed to those
// of what runs elsewhere, for other people.
func localSettings(base string) bool {
	for _, word := range strings.FieldsFunc(base, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		if !oneOf(word, "env", "envrc", "local", "development", "dev", "test", "testing", "e2e", "docker", "worktree") {
			return false
		}
	}
	return settingsName(base)
}

// trackedClean tells a file that git holds as it is.
func (s *scan) trackedClean(p string) bool {
	r, ok := s.repo(path.Dir(p))
	if !ok {
		return false
	}
	st, ok := r.Path(p)
	return ok && st.Tracked && !st.Modified
}

// plainSettings tells a text of settings in which no value looks like a secret.
func plainSettings(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			name, value = "", line
		}
		value = strings.Trim(value, " '\"")
		if secretSetting(name) && !placeholder(value) || looksSecret(value) {
			return false
		}
	}
	return true
}

// secretSetting tells a name that says that its value is secret.
func secretSetting(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ' ' })
	return containsWord(words, "key", "apikey", "token", "secret", "password", "passwd", "pass", "pwd", "private", "credential", "credentials", "dsn", "webhook", "salt", "pat", "jwt", "auth") &&
		!containsWord(words, "public", "publishable", "path", "file", "url", "host", "domain", "type", "enabled", "ttl", "timeout")
}

func placeholder(value string) bool {
	low := strings.ToLower(value)
	return len(value) < 4 || strings.Trim(low, low[:1]) == "" || strings.ContainsAny(value, "<>${") || containsAny(low, "change", "your", "example", "placeholder", "xxx", "dummy", "todo", "test", "local", "fake", "sample", "none", "secret", "password", "true", "false")
}

// looksSecret tells a value by its form: a key's prefix, a login in an address, a
// long run of mixed letters and digits.
func looksSecret(value string) bool {
	if hasPrefixAny(value, "sk-", "sk_", "rk_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AKIA", "ASIA", "AIza", "xox", "eyJ", "-----BEGIN", "npm_", "hf_", "SG.", "dop_v1_", "shpat_") {
		return true
	}
	if _, rest, ok := strings.Cut(value, "://"); ok {
		login, host, found := strings.Cut(rest, "@")
		_, password, _ := strings.Cut(login, ":")
		return found && password != "" && !placeholder(password) && !hasPrefixAny(host, "localhost", "127.0.0.1", "db", "postgres", "mysql", "redis")
	}
	if len(value) < 24 || strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_=-") != "" || strings.HasPrefix(value, "/") {
		return false
	}
	return strings.ContainsAny(value, "0123456789") && strings.ContainsAny(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// restores finds tools that put a named file back: archives and git.
func (s *scan) restores(i int, kind guarded) verdict {
	c := &s.cmds[i]
	var names []shell.Word
	switch c.Name {
	case "tar", "bsdtar":
		o := shell.Options(c.Args, shell.OptSpec{Short: "C:f:xctzjJvpkT:X:I:", Long: "directory= file= extract get"})
		if o.Has("x", "extract", "get") {
			names = o.Rest
		}
	case "unzip":
		o := shell.Options(c.Args, shell.OptSpec{Short: "d:x:P:olntqv"})
		if len(o.Rest) > 1 && !o.Has("l", "t") {
			names = o.Rest[1:]
		}
	case "git":
		g := s.git(i)
		if g == nil || !oneOf(g.sub, "checkout", "restore", "mv") {
			return verdict{}
		}
		o := shell.Options(g.args, switchSpec)
		if g.sub == "checkout" && (o.DashDash < 0 && len(o.Rest) < 2 || o.Has("b", "B", "orphan")) || g.sub == "restore" && o.Has("S") {
			return verdict{}
		}
		names = o.Rest
	}
	worst := verdict{}
	for _, w := range names {
		if v := s.guardVerdict(s.abs(i, w.Text), shell.Write, kind); v.decision != hook.Pass && kind != guardSystem {
			v.decision = hook.Ask
			worst = worst.or(v)
		}
	}
	return worst
}

// writesByOption finds tools that write a protected file without a redirection:
// they name it after an option, or know it by themselves.
func (s *scan) writesByOption(i int, kind guarded) verdict {
	c := &s.cmds[i]
	args := texts(c.Args)
	switch {
	case kind == guardSecret && oneOf(c.Name, "dotenv", "dotenvx", "dotenv-vault") && len(args) > 0 && oneOf(args[0], "set", "unset", "pull", "encrypt", "decrypt"),
		kind == guardSecret && c.Name == "vercel" && hasAllWords(args, "env pull") && (len(args) == 2 || secretPath(args[len(args)-1])):
		return ask("writes local settings that hold secrets.")
	case kind == guardKey && oneOf(c.Name, "npm", "pnpm", "yarn") && len(args) > 1 && args[0] == "config" && args[1] == "set" && containsAny(strings.Join(args, " "), "_auth", "_password", "token"):
		return ask("writes a login into this person's settings.")
	case kind == guardKey && c.Name == "ssh-keygen":
		o := shell.Options(c.Args, shell.OptSpec{Short: "t:f:b:C:N:P:m:R:F:lyqAeiBp"})
		if f, ok := o.Value("f"); ok && !o.Has("l", "y", "F", "B", "e") && s.placeOf(cmpOr(s.abs(i, f.Text), "/tmp/x")) != tempPlace {
			return ask("writes a private key.")
		}
		return verdict{}
	case oneOf(c.Name, "sops", "op", "age", "chamber", "aws-vault", "infisical", "gpg", "vault", "mkcert", "keytool", "certbot"):
		if c.Name == "keytool" && !hasWord(c.Args, "-genkey", "-genkeypair", "-importkeystore", "-importcert", "-delete", "-storepasswd") {
			return verdict{}
		}
		o := shell.Options(c.Args, shell.OptSpec{Short: "o:i:", Long: "output= out-file= output-file= out= key-file= cert-file= keystore=", Single: true})
		worst := verdict{}
		for _, w := range o.Values("o", "output", "out-file", "output-file", "out", "key-file", "keystore") {
			if v := s.guardVerdict(s.abs(i, w.Text), shell.Write, kind); v.decision != hook.Pass && kind != guardSystem {
				v.decision = hook.Ask
				worst = worst.or(v)
			}
		}
		return worst
	}
	return verdict{}
}
