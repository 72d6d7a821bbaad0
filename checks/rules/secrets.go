package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// secretPath tells files that hold keys, tokens or passwords.
func secretPath(p string) bool {
	base := strings.ToLower(path.Base(strings.TrimRight(p, "/")))
	base = strings.TrimRight(base, "*")
	if isTemplate(base) || strings.HasSuffix(base, ".pub") {
		return false
	}
	if base == ".env" || base == ".envrc" || strings.HasPrefix(base, ".env.") {
		return true
	}
	if hasSuffixAny(base, ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".p8", ".gpg") {
		return true
	}
	if hasPrefixAny(base, "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa") {
		return true
	}
	if oneOf(base, "credentials.json", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", "authorized_keys", "service-account.json", "secrets.json", "secrets.yml", "secrets.yaml", ".htpasswd",
		".bash_history", ".zsh_history", ".python_history", "shadow", "master.key", "login.keychain-db", ".vault-token", "terraform.tfstate", "wallet.dat", ".dockercfg", ".terraformrc", ".s3cfg", ".boto", "kubeconfig") {
		return true
	}
	if strings.HasPrefix(p, "/proc/") && base == "environ" {
		return true
	}
	full := "/" + strings.ToLower(strings.Trim(p, "/")) + "/"
	return containsAny(full, "/.ssh/", "/.aws/", "/.gnupg/", "/.kube/config/", "/.docker/config.json/", "/.config/gcloud/", "/.config/gh/hosts", "/.azure/", "/keychains/", "/.mozilla/", "/google-chrome/", "/.password-store/") &&
		!hasSuffixAny(base, ".pub", "known_hosts") && !(strings.Contains(full, "/.ssh/config/") || strings.Contains(full, "/.aws/config/"))
}

// isTemplate tells names of committed examples: .env.example, .env.local.sample,
// example.env.
func isTemplate(base string) bool {
	base = strings.ToLower(base)
	for part := range strings.FieldsFuncSeq(base, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		switch part {
		case "example", "examples", "sample", "template", "tmpl", "tpl", "dist", "defaults", "schema", "dummy", "skeleton", "stub":
			return true
		}
	}
	return false
}

// flow knows which commands put secrets out and which files hold copies.
type flow struct {
	speaks map[int]string  // command → what its output holds
	tokens map[int]string  // command → the login or secret that it prints from a store
	copies map[string]bool // files written from a secret
}

// namesOnly are filters after which no value is left.
func namesOnly(c *shell.Command) bool {
	switch c.Name {
	case "wc", "sha256sum", "sha1sum", "md5sum", "shasum", "cksum", "b3sum", "ls", "stat", "file", "true":
		return true
	case "cut":
		return hasWord(c.Args, "-d=", "-d") && hasWord(c.Args, "-f1", "1") || hasWord(c.Args, "-d=") && hasArgContaining(c, "-f1")
	case "grep", "rg", "egrep":
		o := shell.Options(c.Args, shell.OptSpec{Short: "e:f:m:A:B:C:cqlLoniEFv", Long: "count quiet files-with-matches only-matching"})
		return o.Has("c", "q", "l", "L", "count", "quiet", "files-with-matches")
	case "sed":
		return hasArgContaining(c, "s/=.*//") || hasArgContaining(c, "s/=.*/=/")
	case "awk":
		return hasArgContaining(c, "-F=") && hasArgContaining(c, "print $1}")
	case "openssl":
		return hasWord(c.Args, "x509", "-fingerprint", "dgst", "-noout")
	case "ssh-keygen", "gpg", "gpg2":
		return !hasArgContaining(c, "export-secret")
	case "jq":
		return hasArgContaining(c, "keys")
	}
	return false
}

// secretFlow follows secrets through outputs and copies, once per call.
func (s *scan) secretFlow() *flow {
	if s.secrets != nil {
		return s.secrets
	}
	f := &flow{speaks: map[int]string{}, tokens: map[int]string{}, copies: map[string]bool{}}
	s.secrets = f
	for i := range s.cmds {
		c := &s.cmds[i]
		if namesOnly(c) {
			continue
		}
		if what := tokenSource(c); what != "" {
			f.tokens[i] = what
		} else if !sends(c) {
			for _, j := range append(slices.Clone(c.Stdin.From), argOrigins(c)...) {
				if what := f.tokens[j]; what != "" {
					f.tokens[i] = what
				}
			}
		}
		what := s.holdsSecret(i, f)
		if what == "" {
			continue
		}
		f.speaks[i] = what
		for _, e := range s.effectsOf(i) {
			if (e.Op == shell.Write || e.Op == shell.Append) && known(e.Path) {
				f.copies[e.Path.Text] = true
			}
		}
	}
	return f
}

// tokenSource names what a command prints out of a store of secrets. Such a
// value is made to be sent, in a header to where it belongs; anywhere else is a
// question.
func tokenSource(c *shell.Command) string {
	var words []string
	for _, a := range c.Args {
		if !strings.HasPrefix(a.Text, "-") {
			words = append(words, a.Text)
		}
	}
	is := func(pattern string) bool { return wordsMatch(words, nil, pattern) }
	switch c.Name {
	case "gh", "glab":
		if is("auth token") {
			return "a login of the forge"
		}
	case "gcloud":
		if is("auth print-*") || is("secrets versions access") {
			return "a secret of the cloud account"
		}
	case "aws":
		if is("configure get") || is("secretsmanager get-secret-value") || is("ssm get-parameter*") && hasWord(c.Args, "--with-decryption") || is("sts get-session-token") {
			return "a secret of the cloud account"
		}
	case "az":
		if is("keyvault secret show") || is("account get-access-token") {
			return "a secret of the cloud account"
		}
	case "kubectl", "oc":
		if is("… get secret|secrets|secret/*") && hasArgContaining(c, "-o") {
			return "a secret of the cluster"
		}
	case "op", "bw", "pass", "gopass", "lpass", "vault", "chamber", "doppler", "infisical":
		if is("read|show|get|secrets|kv|export") {
			return "a secret of the password store"
		}
	case "printenv":
		for _, a := range words {
			if secretVariable(shell.Word{Parts: []shell.Part{{Kind: shell.Var, Name: a}}}) != "" {
				return "$" + clip(a, 40)
			}
		}
	case "git":
		if is("credential fill") {
			return "a login of git"
		}
	case "heroku":
		if is("config|config:get|auth:token") {
			return "the settings of the deployed application"
		}
	case "sops", "ansible-vault":
		if hasWord(c.Args, "-d", "--decrypt", "decrypt", "view") {
			return "a decrypted file"
		}
	}
	return ""
}

// holdsSecret names the secret that a command reads from a file, its input or
// an argument; "" when there is none.
func (s *scan) holdsSecret(i int, f *flow) string {
	c := &s.cmds[i]
	if c.Carrier && c.Name != "sudo" && c.Name != "" {
		// What it carries is judged by itself.
		return ""
	}
	switch c.Name {
	case "env", "printenv":
		if len(c.Args) == 0 || oneOf(c.Args[0].Text, "-0", "--null") {
			return "the environment"
		}
	case "set", "export", "declare", "typeset":
		if len(c.Args) == 0 || hasWord(c.Args, "-p", "-x") {
			return "the environment"
		}
	case "echo", "printf":
		for _, a := range c.Args {
			if name := secretVariable(a); name != "" {
				return "$" + name
			}
		}
	case "get-childitem":
		if hasWord(c.Args, "env:", "Env:", `env:\`, `Env:\`) {
			return "the environment"
		}
	case "history":
		return "the command history"
	case "security":
		if hasArgContaining(c, "find-") {
			return "the keychain"
		}
	case "gpg", "gpg2":
		if hasArgContaining(c, "export-secret") {
			return "a private key"
		}
	}
	if sends(c) {
		return ""
	}
	if c.Name == "sqlite3" && len(c.Args) > 0 && secretPath(c.Args[0].Text) {
		return clip(path.Base(c.Args[0].Text), 40)
	}
	for _, e := range s.effectsOf(i) {
		if e.Op != shell.Read {
			continue
		}
		if secretPath(e.Path.Text) || secretFolder(e.Path.Text) || f.copies[e.Path.Text] {
			return clip(path.Base(e.Path.Text), 40)
		}
	}
	for _, j := range append(slices.Clone(c.Stdin.From), argOrigins(c)...) {
		if what := f.speaks[j]; what != "" {
			return what
		}
	}
	return ""
}

// secretVariable is the name of a variable in the word that holds a secret by
// its name.
func secretVariable(w shell.Word) string {
	for _, p := range w.Parts {
		if p.Kind == shell.Var && (containsAny(p.Name, "SECRET", "PASSWORD", "PASSWD", "PRIVATE_KEY") || hasSuffixAny(p.Name, "_TOKEN", "API_KEY", "_PAT", "ACCESS_KEY")) {
			return clip(p.Name, 40)
		}
	}
	return ""
}

func secretFolder(p string) bool {
	return hasSuffixAny(strings.TrimRight(p, "/*"), "/.ssh", "/.aws", "/.gnupg", "/.kube", "/.config/gcloud", "/.azure", "/.docker")
}

func argOrigins(c *shell.Command) []int {
	var out []int
	for _, a := range c.Args {
		out = append(out, a.From()...)
	}
	return out
}
