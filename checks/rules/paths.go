package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// Paths runs the rules of protected-path: what a file tool would write, and
// every file effect of a command. Reading never matches.
func Paths(ctx Context) []Hit {
	s := newScan(ctx)
	hits := s.run([][]Rule{pathRules})
	for i := range hits {
		if hits[i].Command == "" && ctx.Script.Commands == nil {
			hits[i].Command = ctx.Tool
		}
	}
	return hits
}

const editByHand = "Ask the person to edit it, or change a template beside it."

var pathRules = []Rule{
	{
		ID: "path-secret", Family: "protected-path",
		Title:  "writing local settings with secrets",
		Safe:   "Put the key's name into .env.example and ask the person to set the value.",
		Hits:   secretPathHits,
		Misses: secretPathMisses,
		script: func(s *scan) verdict { return s.protectedWrites(guardSecret) },
	},
	{
		ID: "path-key", Family: "protected-path",
		Title: "writing keys, certificates or logins",
		Safe:  editByHand,
		Hits: []Case{
			{Run: "install -m 600 /tmp/k certs/server.pem", Want: hook.Deny},
			{Run: "cp /tmp/x deploy/id_rsa", Want: hook.Deny},
			{Run: "echo x > config/credentials.json", Want: hook.Deny},
			{Run: "echo 'ssh-rsa AAAA' >> ~/.ssh/authorized_keys", Want: hook.Deny},
			{Run: "cat > ~/.aws/credentials <<E\nx\nE", Want: hook.Deny},
			{Run: "sed -i s/a/b/ ~/.kube/config", Want: hook.Deny},
			{Run: "echo '//r/:_authToken=x' > ~/.npmrc"},
			{Run: "echo x > deploy/ID_RSA"},
			{Run: "rm certs/server.pem"},
			{Run: "ssh-keygen -t ed25519 -f deploy/id_ed25519"},
			{Run: "npm config set //registry.example.com/:_authToken x"},
			{Run: "openssl genrsa -out certs/server.key 2048", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "openssl x509 -in certs/server.pem -noout -dates"},
			{Run: "cat ~/.aws/credentials | wc -l"},
			{Run: "echo 'ssh-rsa x' > deploy/id_rsa.pub"},
			{Run: "touch src/keyboard.py src/credentials_form.tsx"},
			{Run: "openssl req -x509 -newkey rsa:2048 -keyout /tmp/t.key -out /tmp/t.crt"},
			{Run: "echo fund=false > .npmrc"},
			{Run: "ssh-keygen -lf ~/.ssh/id_rsa.pub"},
			{Run: "npm config set fund false"},
			{Run: "chmod 600 certs/server.pem"},
		},
		script: func(s *scan) verdict { return s.protectedWrites(guardKey) },
	},
	{
		ID: "path-git", Family: "protected-path",
		Title: "writing inside .git",
		Safe:  "Use git commands instead of editing its files.",
		Hits: []Case{
			{Run: "sed -i 's/main/dev/' .git/HEAD", Want: hook.Deny},
			{Run: "cat > .git/config < /tmp/cfg", Want: hook.Deny},
			{Run: "echo x > config", In: ".git", Want: hook.Deny},
			{Run: "curl -so .git/hooks/pre-commit https://example.com/hook", Want: hook.Deny},
			{Run: "echo x > hooklink/pre-push", Want: hook.Deny},
			{Run: "echo .git/hooks/post-merge | xargs touch"},
			{Run: "echo x > .GIT/config"},
		},
		Misses: []Case{
			{Run: "cat .git/HEAD"},
			{Run: "mkdir -p .github/workflows && echo x > .github/workflows/ci.yml"},
			{Run: "echo dist >> .gitignore"},
			{Run: "rm -f .git/index.lock"},
			{Run: "echo '*.sh eol=lf' > .gitattributes"},
			{Run: "ls .git/hooks"},
		},
		script: func(s *scan) verdict { return s.protectedWrites(guardGit) },
	},
	{
		ID: "path-system", Family: "protected-path",
		Title: "writing system files or what starts with every shell",
		Safe:  editByHand,
		Hits: []Case{
			{Run: "echo K=1 | sudo tee -a /etc/sudoers", Want: hook.Deny},
			{Run: "sudo sed -i s/a/b/ /etc/hosts", Want: hook.Deny},
			{Run: "echo 'export PATH=/tmp/x:$PATH' >> ~/.bashrc"},
			{Run: "echo 'alias git=true' >> ~/.zshrc"},
			{Run: "sudo cp tool /usr/bin/tool", Want: hook.Deny},
			{Run: "cp tool /usr/local/bin/tool"},
			{Run: "echo x > ~/.config/systemd/user/x.service"},
		},
		Misses: []Case{
			{Run: "cat /etc/hosts"},
			{Run: "npm run build > /dev/null 2>&1"},
			{Run: "echo x > /dev/stderr"},
			{Run: "pytest -q > /tmp/test.log 2>&1"},
			{Run: "echo x > src/bashrc.md"},
			{Run: "source ~/.bashrc"},
			{Run: "docker run --rm app sh -c 'echo x > /etc/x'"},
		},
		script: func(s *scan) verdict { return s.protectedWrites(guardSystem) },
	},
	{
		ID: "path-policy", Family: "protected-path",
		Title:  "writing a path that the policy protects",
		Safe:   "Ask the person, or propose the change in words.",
		script: func(s *scan) verdict { return s.protectedWrites(guardPolicyPath) },
	},
}

var secretPathHits = []Case{
	{Run: "printf x >| .env", Want: hook.Deny},
	{Run: "echo K=1 1>.env", Want: hook.Deny},
	{Run: "echo K=1 > ../.env", In: "src", Want: hook.Deny},
	{Run: "cd src && echo K=1 > ../.env", Want: hook.Deny},
	{Run: "sed -i s/0/1/ .env", Want: hook.Deny},
	{Run: "sed -i.bak s/0/1/ .env.local", Want: hook.Deny},
	{Run: "echo K=1 | tee -a .env", Want: hook.Deny},
	{Run: "mv /tmp/new.env .env", Want: hook.Deny},
	{Run: "dd if=/tmp/k of=.env", Want: hook.Deny},
	{Run: "ln -sf /tmp/fake.env .env"},
	{Run: "cat > .env <<'EOF'\nA=1\nEOF", Want: hook.Deny},
	{Run: "python3 -c \"open('.env','w').write('K=1')\"", Want: hook.Deny},
	{Run: "cp .env.example .env", Want: hook.Deny},
	{Run: "echo x > docs/notes.lnk", Want: hook.Deny},
	{Run: "echo x > .ENV"},
	{Run: "rm .env"},
	{Run: "tar -xf backup.tar -C . .env"},
	{Run: "find . -fprint .env"},
	{Run: "echo x > \"$DIR/.env\"", Want: hook.Deny},
	{Run: "git show HEAD~3:.env > .env"},
	{Run: "dotenv set KEY value"},
	{Run: "vercel env pull .env.local"},
	{Run: "op inject -i tpl -o .env"},
}

var secretPathMisses = []Case{
	{Run: "cat .env"},
	{Run: "sed -n 1p .env"},
	{Run: "sed -i 's/^PORT=.*/PORT=3000/' .env.example"},
	{Run: "cp .env.example .env.sample"},
	{Run: "cp .env /tmp/env.bak"},
	{Run: "cp .env.example packages/new/.env"},
	{Run: "echo .env >> .gitignore"},
	{Run: "echo 'x > .env'"},
	{Run: "touch src/env.ts docs/environment.md"},
	{Run: "diff .env .env.example"},
	{Run: "git commit -m 'move to > .env'"},
	{Run: "echo x > .env.test.example"},
	{Run: "grep -q KEY .env || echo missing"},
	{Run: "cp -n .env.example .env"},
	{Run: "dotenv list"},
	{Run: "echo x > .env.md"},
	{Run: "touch .env.d.ts"},
}

// guarded says which rule protects a path.
type guarded int

const (
	unguarded guarded = iota
	guardSecret
	guardKey
	guardGit
	guardSystem
	guardPolicyPath
)

// guard is one answer about one path.
type guard struct {
	kind guarded
	hook.Decision
	what   string
	reason string // the policy's own words, for what it protects
}

// protectedWrites is the strictest answer of one kind over all writes of the
// call.
func (s *scan) protectedWrites(kind guarded) verdict {
	worst := verdict{}
	for _, e := range s.edits() {
		op := shell.Write
		if e.deletes {
			op = shell.Delete
		}
		worst = worst.or(s.guardVerdict(s.abs(-1, e.path), op, kind))
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op == shell.Read || e.Op == shell.MakeDir || e.Op == shell.Mode || s.elsewhere(e.Command) == inContainer || s.ownedByFind(e.Command) && e.Op == shell.Delete {
			continue
		}
		if s.fillsFromTemplate(e) || s.elsewhere(e.Command) == overSSH && kind != guardSystem {
			continue
		}
		worst = worst.or(s.guardVerdict(s.abs(e.Command, e.Path.Text), e.Op, kind).at(e.Command))
	}
	for i := range s.cmds {
		worst = worst.or(s.restores(i, kind).at(i)).or(s.writesByOption(i, kind).at(i))
	}
	return worst
}

func (s *scan) guardVerdict(p string, op shell.Op, kind guarded) verdict {
	if p == "" {
		return verdict{}
	}
	var g guard
	if kind == guardPolicyPath {
		g = s.guardOwn(p, op)
	} else {
		g = s.guardOf(p, op)
	}
	if g.kind != kind {
		return verdict{}
	}
	verb := "writes "
	switch op {
	case shell.Delete:
		verb = "deletes "
	case shell.Move:
		verb = "moves away "
	}
	if (op == shell.Delete || op == shell.Move) && (kind == guardSecret || kind == guardSystem) {
		g.Decision = min(g.Decision, hook.Ask)
	}
	return verdict{decision: g.Decision, fact: verb + clip(path.Base(p), 60) + ": " + g.what + ".", safe: g.reason}
}

// guardOwn tells which of the policy's own patterns protects a path. It stands
// beside the built-in answer, so that a pattern can only tighten.
func (s *scan) guardOwn(p string, op shell.Op) guard {
	best := guard{}
	for _, name := range []string{p, s.resolve(p, op != shell.Delete && op != shell.Move && op != shell.Link)} {
		if s.exempt(name) {
			continue
		}
		for _, own := range s.ctx.Protect {
			if own.Decision > best.Decision && s.matchesAny(name, []string{own.Pattern}) {
				best = guard{kind: guardPolicyPath, Decision: own.Decision, what: "the policy protects it", reason: own.Reason}
			}
		}
	}
	return best
}

// guardOf tells what protects an absolute path, by its name and by where it
// leads.
func (s *scan) guardOf(p string, op shell.Op) guard {
	if isHarmlessDevice(p) {
		return guard{}
	}
	follow := op != shell.Delete && op != shell.Move && op != shell.Link
	best := guard{}
	if !s.exempt(p) {
		best = s.guardByName(p, op)
	}
	if real := s.resolve(p, follow); real != p && !s.exempt(real) {
		if g := s.guardByName(real, op); g.Decision > best.Decision {
			best = g
		}
	}
	return best
}

func (s *scan) guardByName(p string, op shell.Op) guard {
	if g := s.guardExact(p, op); g.kind != unguarded {
		return g
	}
	lower := strings.ToLower(p)
	if lower == p {
		return guard{}
	}
	// Home and project keep their own spelling; only what stands below them folds.
	for _, base := range []string{s.ctx.ProjectDir, s.ctx.Home} {
		if base != "" && strings.HasPrefix(p, base+"/") {
			lower = base + strings.ToLower(p[len(base):])
			break
		}
	}
	g := s.guardExact(lower, op)
	if g.kind == guardSystem && !within(lower, s.ctx.Home) {
		return guard{}
	}
	if g.kind != unguarded && !s.ctx.FoldsCase {
		g.Decision = min(g.Decision, hook.Ask)
	}
	return g
}

func (s *scan) guardExact(p string, op shell.Op) guard {
	base := path.Base(p)
	if i := strings.IndexAny(base, "*?["); i >= 0 && strings.HasPrefix(base, ".env") {
		base = ".env"
	}
	if g := guardGitPath(p, op); g.kind != unguarded {
		return g
	}
	if r, ok := s.repo(s.ctx.ProjectDir); ok && r.GitDir() != "" && within(p, r.GitDir()) && op != shell.Delete {
		return guard{kind: guardGit, Decision: hook.Deny, what: "git's own data"}
	}
	inTemp := s.isTemp(p) && !within(p, s.ctx.Home) && !within(p, s.ctx.ProjectDir)
	switch {
	case inTemp:
		return guard{}
	case (base == ".env" || strings.HasPrefix(base, ".env.")) && !isTemplate(base) && !hasSuffixAny(base, ".md", ".ts", ".js", ".mjs", ".cjs", ".py", ".go", ".rs", ".rst", ".html"):
		return guard{kind: guardSecret, Decision: hook.Deny, what: "local settings that hold secrets and have no copy in git"}
	case oneOf(base, ".envrc", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", ".dev.vars"):
		return guard{kind: guardSecret, Decision: hook.Ask, what: "it may hold secrets"}
	}
	if g := s.guardKeyPath(p, base); g.kind != unguarded {
		return g
	}
	return s.guardSystemPath(p, op)
}

func guardGitPath(p string, op shell.Op) guard {
	i := strings.Index(p+"/", "/.git/")
	if i < 0 {
		return guard{}
	}
	rest := strings.TrimPrefix(p[min(len(p), i+len("/.git")):], "/")
	switch {
	case rest == "" && (op == shell.Delete || op == shell.Move):
		return guard{} // the removal and move rules speak about it
	case op == shell.Delete && (hasSuffixAny(rest, ".lock", "gc.log", "gc.pid") || oneOf(rest, "MERGE_MSG", "COMMIT_EDITMSG", "rebase-merge", "rebase-apply")):
		return guard{}
	case rest == "info/exclude" || oneOf(rest, "COMMIT_EDITMSG", "MERGE_MSG", "description"):
		return guard{kind: guardGit, Decision: hook.Ask, what: "git's own data"}
	}
	return guard{kind: guardGit, Decision: hook.Deny, what: "git's own data"}
}

func (s *scan) guardKeyPath(p, base string) guard {
	deny := func(what string) guard { return guard{kind: guardKey, Decision: hook.Deny, what: what} }
	ask := func(what string) guard { return guard{kind: guardKey, Decision: hook.Ask, what: what} }
	home := within(p, s.ctx.Home) && path.Dir(p) == s.ctx.Home
	switch {
	case strings.HasSuffix(base, ".pub"):
	case strings.Contains(p, "/.ssh/"):
		if base == "known_hosts" {
			return ask("it decides which machines are trusted")
		}
		return deny("keys and logins of SSH")
	case strings.Contains(p, "/.gnupg/"):
		return deny("private keys")
	case hasSuffixAny(base, ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".p8", ".ppk", ".kdbx", ".pkcs12", ".bks"):
		return deny("key material")
	case hasPrefixAny(base, "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa") && !strings.HasSuffix(base, ".md"):
		return deny("a private key")
	case oneOf(base, "credentials.json", "service-account.json", "service_account.json", "serviceaccount.json", "client_secret.json", "gha-creds.json"):
		return deny("logins")
	case hasSuffixAny(p, "/.aws/credentials", "/.aws/config", "/.kube/config", "/.docker/config.json", "/.config/gh/hosts.yml", "/.azure/accesstokens.json") || containsAny(p, "/.config/gcloud/", "/.password-store/"):
		return deny("logins of this person")
	case oneOf(base, ".netrc", "_netrc", ".git-credentials", ".pgpass", ".vault-token", ".htpasswd"):
		return deny("logins")
	case home && oneOf(base, ".npmrc", ".pypirc", ".my.cnf", ".gemrc", ".dockercfg", ".s3cfg", ".boto", ".terraformrc", ".yarnrc", ".yarnrc.yml"), strings.HasSuffix(p, "/.cargo/credentials.toml") || strings.HasSuffix(p, "/.gem/credentials"), strings.HasSuffix(p, "/.m2/settings.xml"):
		return ask("it may hold a token of this person")
	}
	return guard{}
}

func (s *scan) guardSystemPath(p string, op shell.Op) guard {
	home := s.ctx.Home
	if home != "" && within(p, home) {
		rel := strings.TrimPrefix(p, home+"/")
		switch {
		case oneOf(rel, ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".inputrc", ".config/fish/config.fish", ".xprofile", ".xinitrc", ".pam_environment", ".config/powershell/profile.ps1"),
			strings.HasPrefix(rel, ".config/fish/conf.d/"), strings.HasPrefix(rel, ".config/environment.d/"), strings.HasPrefix(rel, ".bashrc.d/"):
			return guard{kind: guardSystem, Decision: hook.Ask, what: "every later shell runs it"}
		case oneOf(rel, ".gitconfig", ".config/git/config", ".config/git/attributes"):
			return guard{kind: guardSystem, Decision: hook.Ask, what: "it changes git in every repository"}
		case hasPrefixAny(rel, ".config/systemd/user/", ".config/autostart/", "Library/LaunchAgents/", ".local/share/systemd/"):
			return guard{kind: guardSystem, Decision: hook.Ask, what: "it starts with every login"}
		}
		return guard{}
	}
	if within(p, s.ctx.ProjectDir) && s.ctx.ProjectDir != "" || isHarmlessDevice(p) || strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/") {
		return guard{}
	}
	switch s.placeByName(p) {
	case rootPlace, systemPlace:
		if op == shell.Delete || op == shell.Move {
			return guard{} // the removal and move rules speak about it
		}
		return guard{kind: guardSystem, Decision: hook.Deny, what: "the system needs it"}
	case systemSoft:
		if op == shell.Delete || op == shell.Move || within(p, "/data") || within(p, "/mnt") || within(p, "/media") || path.Dir(p) == "/" || within(p, "/srv") || within(p, "/home") || within(p, "/Users") {
			return guard{}
		}
		return guard{kind: guardSystem, Decision: hook.Ask, what: "it belongs to this machine, not to the project"}
	}
	return guard{}
}

func isHarmlessDevice(p string) bool {
	return oneOf(p, "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full") || hasPrefixAny(p, "/dev/fd/", "/dev/pts/", "/dev/shm/", "/proc/self/fd/")
}

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
		o := shell.Options(c.Args, shell.OptSpec{Short: "o:i:", Long: "output= out-file= output-file= out= key-file= cert-file= keystore="})
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

func (s *scan) exempt(p string) bool { return len(s.ctx.Exempt) > 0 && s.matchesAny(p, s.ctx.Exempt) }

// matchesAny tells that a path fits one of the policy's patterns: a name
// ("*.tfstate"), a folder ("infra/"), a path from the project root with * inside
// one part and ** over parts, or an absolute one.
func (s *scan) matchesAny(p string, patterns []string) bool {
	rel, inside := strings.CutPrefix(p, s.ctx.ProjectDir+"/")
	for _, pattern := range patterns {
		full := pattern
		if strings.HasPrefix(full, "~/") {
			full = s.ctx.Home + full[1:]
		}
		name := p
		if !path.IsAbs(full) {
			if !inside {
				if !strings.Contains(full, "/") && globMatch(full, path.Base(p)) {
					return true
				}
				continue
			}
			name = rel
		}
		if s.ctx.FoldsCase {
			name, full = strings.ToLower(name), strings.ToLower(full)
		}
		switch {
		case strings.HasSuffix(full, "/"):
			dir := strings.TrimSuffix(full, "/")
			if strings.HasPrefix(name+"/", strings.TrimPrefix(dir, "./")+"/") || !strings.Contains(dir, "/") && strings.Contains("/"+name, "/"+dir+"/") {
				return true
			}
		case !strings.Contains(full, "/"):
			if globMatch(full, path.Base(name)) {
				return true
			}
		case globMatch(strings.TrimPrefix(full, "./"), name):
			return true
		}
	}
	return false
}

// globMatch is path.Match with ** for any number of parts.
func globMatch(pattern, name string) bool {
	before, after, deep := strings.Cut(pattern, "**")
	if !deep {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	}
	parts := strings.Split(name, "/")
	for i := 0; i <= len(parts); i++ {
		head := strings.Join(parts[:i], "/")
		if i > 0 {
			head += "/"
		}
		if ok, err := path.Match(before, head); err != nil || !ok && before != head {
			continue
		}
		for j := i; j <= len(parts); j++ {
			tail := strings.Join(parts[j:], "/")
			if strings.HasPrefix(after, "/") && tail != "" {
				tail = "/" + tail
			}
			if after == "" || globMatch(after, tail) {
				return true
			}
		}
	}
	return false
}
