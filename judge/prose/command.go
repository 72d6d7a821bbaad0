package prose

import "strings"

// changesShared tells a command that changes what others see: a commit, a push,
// a pull request, a release, a deployment. It reads the first words only; it is
// about what a message announces, never a guard on what runs.
func changesShared(cmd string) bool {
	for line := range strings.FieldsFuncSeq(cmd, func(r rune) bool { return r == '\n' || r == ';' || r == '&' || r == '|' }) {
		f := strings.Fields(strings.ToLower(strings.TrimLeft(line, "$❯> ")))
		for len(f) > 0 && (f[0] == "sudo" || strings.Contains(f[0], "=") && !strings.HasPrefix(f[0], "-")) {
			f = f[1:]
		}
		// Options before the sub-command: git -C dir push.
		var w []string
		for i := 0; i < len(f); i++ {
			if strings.HasPrefix(f[i], "-") {
				if f[i] == "-c" || f[i] == "-C" {
					i++
				}
				continue
			}
			w = append(w, f[i])
		}
		if len(w) == 0 {
			continue
		}
		head, rest := w[0], strings.Join(w[1:min(len(w), 4)], " ")+" "
		for _, p := range sharedCommands {
			name, subs, _ := strings.Cut(p, ":")
			if name != head {
				continue
			}
			for s := range strings.SplitSeq(subs, ",") {
				if strings.HasPrefix(rest, s+" ") || s == "" {
					return true
				}
			}
		}
		if strings.Contains(head, "/deploy") || strings.Contains(head, "/release") || strings.Contains(head, "/publish") || head == "deploy.sh" || head == "release.sh" {
			return true
		}
	}
	return false
}

var sharedCommands = [...]string{
	"git:commit,push,merge,tag",
	"gh:pr create,pr merge,release create,workflow run",
	"glab:mr create,mr merge,release create",
	"kubectl:apply,rollout,set image,create,replace",
	"helm:upgrade,install",
	"make:deploy,release,publish,ship",
	"just:deploy,release,publish",
	"npm:publish,run deploy,run release,version",
	"pnpm:publish,deploy,run deploy,run release",
	"yarn:publish,deploy,npm publish,run deploy,release",
	"bun:publish,run deploy",
	"cargo:publish,release",
	"twine:upload",
	"poetry:publish",
	"uv:publish",
	"docker:push",
	"podman:push",
	"terraform:apply",
	"pulumi:up",
	"vercel:deploy,--prod,",
	"netlify:deploy",
	"fly:deploy",
	"flyctl:deploy",
	"firebase:deploy",
	"serverless:deploy",
	"sls:deploy",
	"wrangler:deploy,publish",
	"cdk:deploy",
	"sam:deploy",
	"gcloud:app deploy,run deploy",
	"eb:deploy",
	"heroku:container,releases",
	"cap:production",
	"ansible-playbook:",
	"gem:push",
	"goreleaser:release",
	"mise:run deploy,run release",
	"task:deploy,release",
	"argocd:app sync",
	"skaffold:run",
	"jj:git push",
	"hg:commit,push",
	"svn:commit",
}

// verifies tells a command that tests, builds, checks or compares.
func verifies(cmd string) bool {
	for _, w := range [...]string{
		"test", "spec", "pytest", "jest", "vitest", "mocha", "check", "verify", "lint", "tsc", "build", "clippy", "mypy", "ruff", "vet",
		"smoke", "e2e", "ci", "curl", "cmp ", "diff ", "playwright", "cypress", "rspec", "tox", "nox", "unittest", "coverage", "typecheck", "compile", "phpunit", "ctest", "bazel", "health",
	} {
		if strings.Contains(cmd, w) && (len(w) > 2 || cmd == w || strings.HasSuffix(cmd, ":"+w) || strings.HasSuffix(cmd, " "+w)) {
			return true
		}
	}
	return false
}

// tail gives the last word of s.
func tail(s string) string {
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		return s[i+1:]
	}
	return s
}
