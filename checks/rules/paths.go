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
		p := s.abs(-1, e.path)
		v := s.guardVerdict(p, op, kind)
		if kind == guardSecret && !e.deletes {
			text, whole := e.after(s.content(p))
			v = s.newSettings(p, v, text, whole)
		}
		worst = worst.or(v)
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op == shell.Read || e.Op == shell.MakeDir || e.Op == shell.Mode || s.elsewhere(e.Command) == inContainer || s.ownedByFind(e.Command) && e.Op == shell.Delete {
			continue
		}
		if s.fillsFromTemplate(e) || s.elsewhere(e.Command) == overSSH && kind != guardSystem {
			continue
		}
		p := s.abs(e.Command, e.Path.Text)
		v := s.guardVerdict(p, e.Op, kind)
		switch {
		case v.decision == hook.Pass:
			continue
		case kind == guardSecret && (e.Op == shell.Write || e.Op == shell.Append):
			empty := e.Op == shell.Append && s.cmds[e.Command].Name == "touch"
			v = s.newSettings(p, v, e.Content.Text, empty || len(e.Content.Parts) > 0 && known(e.Content))
		case kind == guardSecret && e.Op == shell.Delete && s.kind(p) == Missing && s.untouched(e.Command):
			continue // there is nothing to delete
		case s.elsewhere(e.Command) == overSSH:
			v.fact = "changes " + clip(path.Base(p), 60) + " on another machine, over ssh."
		}
		worst = worst.or(v.at(e.Command))
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
	switch string(op) {
	case string(shell.Delete):
		verb = "deletes "
	case string(shell.Move):
		verb = "moves away "
	}
	if op == shell.Move && kind == guardSecret || (op == shell.Delete || op == shell.Move) && kind == guardSystem {
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
	if to := s.resolve(p, follow); to != p && !s.exempt(to) {
		if g := s.guardByName(to, op); g.Decision > best.Decision {
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
	if strings.ContainsAny(base, "*?[") && !wildcardOnly(base) && base[0] == '.' {
		for _, name := range []string{".env", ".env.local"} {
			if ok, err := path.Match(base, name); ok && err == nil {
				base = name
				break
			}
		}
	}
	inTemp := s.isTemp(p) && !within(p, s.ctx.Home) && !within(p, s.ctx.ProjectDir)
	if inTemp {
		return guard{} // a temp repository too: all of it may be deleted
	}
	if g := s.guardGitPath(p, op); g.kind != unguarded {
		return g
	}
	// A repository is opened only where its data can lie outside a .git folder:
	// most writes are below the project, and opening costs.
	if !within(p, s.ctx.ProjectDir) && op != shell.Delete {
		if r, ok := s.repo(s.ctx.ProjectDir); ok && r.GitDir() != "" && within(p, r.GitDir()) {
			return guard{kind: guardGit, Decision: hook.Deny, what: "git's own data"}
		}
	}
	switch {
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

func (s *scan) guardGitPath(p string, op shell.Op) guard {
	rest, inside := s.insideGit(p)
	if !inside {
		return guard{}
	}
	switch {
	case rest == "" && (op == shell.Delete || op == shell.Move):
		return guard{} // the removal and move rules speak about it
	case op == shell.Delete && (hasSuffixAny(rest, ".lock", "gc.log", "gc.pid") || oneOf(rest, "MERGE_MSG", "COMMIT_EDITMSG", "rebase-merge", "rebase-apply")):
		return guard{}
	case !gitOwn(rest):
		return guard{kind: guardGit, Decision: hook.Ask, what: "another tool keeps it inside .git"}
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
	case strings.Contains(p+"/", "/.ssh/"):
		if base == "known_hosts" {
			return ask("it decides which machines are trusted")
		}
		return deny("keys and logins of SSH")
	case strings.Contains(p+"/", "/.gnupg/"):
		return deny("private keys")
	case hasSuffixAny(base, ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".p8", ".ppk", ".kdbx", ".pkcs12", ".bks"):
		return deny("key material")
	case hasPrefixAny(base, "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa") && !strings.HasSuffix(base, ".md"):
		return deny("a private key")
	case strings.EqualFold(base, "serviceAccountKey.json"), oneOf(base, "credentials.json", "service-account.json", "service_account.json", "serviceaccount.json", "client_secret.json", "gha-creds.json", "service-account-key.json"):
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
	if op == shell.Delete || op == shell.Move {
		return guard{} // the removal and move rules speak about it
	}
	at := s.placeByName(p)
	if at == rootPlace || at == systemPlace {
		return guard{kind: guardSystem, Decision: hook.Deny, what: "the system needs it"}
	}
	if at == systemSoft && path.Dir(p) != "/" && !withinAny(p, []string{"/data", "/mnt", "/media", "/srv", "/home", "/Users"}) {
		return guard{kind: guardSystem, Decision: hook.Ask, what: "it belongs to this machine, not to the project"}
	}
	return guard{}
}

func isHarmlessDevice(p string) bool {
	return oneOf(p, "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full") || hasPrefixAny(p, "/dev/fd/", "/dev/pts/", "/dev/shm/", "/proc/self/fd/")
}
