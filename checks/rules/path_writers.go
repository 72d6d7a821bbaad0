package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// fillsFromTemplate tells cp -n .env.example .env, and cp where there is no
// target yet: nothing can be lost and no secret is written.
func (s *scan) fillsFromTemplate(e shell.Effect) bool {
	if e.Op != shell.Write && e.Op != shell.Append || e.Command < 0 || e.Command >= len(s.cmds) || s.cmds[e.Command].Name != "cp" {
		return false
	}
	o := shell.Options(s.cmds[e.Command].Args, shell.OptSpec{Short: "t:S:nfriavpuLPHdR", Long: "no-clobber update=? force recursive archive"})
	if len(o.Rest) != 2 || !isTemplate(path.Base(o.Rest[0].Text)) {
		return false
	}
	return o.Has("n", "no-clobber") || s.kind(s.abs(e.Command, e.Path.Text)) == Missing
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
