package checks

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// ship is one command of a script that hands work on: to the history, to the
// team, to users.
type ship struct {
	kind    shipKind
	command shell.Command
	git     shell.Git
}

// shipKind is what is handed on, as messages say it.
type shipKind string

// The kinds. A commit ships what is staged, the others a commit.
const (
	shipCommit  shipKind = "commit"
	shipPush    shipKind = "push"
	shipTag     shipKind = "tag"
	shipMerge   shipKind = "merge"
	shipPR      shipKind = "pull request"
	shipRelease shipKind = "release"
	shipDeploy  shipKind = "deploy"
)

// shippers are the programs beside git that hand work on: a program and the
// words that must follow it. "*" stands for any one word.
var shippers = [...]struct {
	kind  shipKind
	words string
}{
	{shipPR, "gh pr create"},
	{shipPR, "gh pr merge"},
	{shipPR, "glab mr create"},
	{shipPR, "glab mr merge"},
	{shipPR, "hub pull-request"},
	{shipRelease, "gh release create"},
	{shipRelease, "glab release create"},
	{shipRelease, "goreleaser release"},
	{shipRelease, "semantic-release"},
	{shipRelease, "npm publish"},
	{shipRelease, "pnpm publish"},
	{shipRelease, "yarn publish"},
	{shipRelease, "yarn npm publish"},
	{shipRelease, "bun publish"},
	{shipRelease, "npm version"},
	{shipRelease, "cargo publish"},
	{shipRelease, "cargo release"},
	{shipRelease, "twine upload"},
	{shipRelease, "poetry publish"},
	{shipRelease, "uv publish"},
	{shipRelease, "gem push"},
	{shipRelease, "mix hex.publish"},
	{shipRelease, "mvn deploy"},
	{shipRelease, "dotnet nuget push"},
	{shipRelease, "docker push"},
	{shipRelease, "make release"},
	{shipRelease, "make publish"},
	{shipRelease, "just release"},
	{shipRelease, "just publish"},
	{shipRelease, "npm run release"},
	{shipRelease, "npm run publish"},
	{shipDeploy, "make deploy"},
	{shipDeploy, "just deploy"},
	{shipDeploy, "npm run deploy"},
	{shipDeploy, "pnpm run deploy"},
	{shipDeploy, "pnpm deploy"},
	{shipDeploy, "yarn deploy"},
	{shipDeploy, "yarn run deploy"},
	{shipDeploy, "vercel deploy"},
	{shipDeploy, "vercel --prod"},
	{shipDeploy, "netlify deploy"},
	{shipDeploy, "fly deploy"},
	{shipDeploy, "flyctl deploy"},
	{shipDeploy, "firebase deploy"},
	{shipDeploy, "wrangler deploy"},
	{shipDeploy, "wrangler publish"},
	{shipDeploy, "serverless deploy"},
	{shipDeploy, "sls deploy"},
	{shipDeploy, "sam deploy"},
	{shipDeploy, "cdk deploy"},
	{shipDeploy, "eb deploy"},
	{shipDeploy, "gcloud app deploy"},
	{shipDeploy, "gcloud run deploy"},
	{shipDeploy, "gcloud functions deploy"},
	{shipDeploy, "az webapp deploy"},
	{shipDeploy, "az webapp up"},
	{shipDeploy, "kubectl apply"},
	{shipDeploy, "kubectl rollout restart"},
	{shipDeploy, "helm upgrade"},
	{shipDeploy, "helm install"},
	{shipDeploy, "kamal deploy"},
	{shipDeploy, "cap * deploy"},
	{shipDeploy, "dokku deploy"},
	{shipDeploy, "railway up"},
}

// ships lists what a script hands on, in the order of the script. Dry runs, help
// and what only removes or lists are none.
func ships(s shell.Script) []ship {
	var list []ship
	for _, c := range s.Commands {
		if c.Carrier {
			continue
		}
		if g, ok := shell.ParseGit(c); ok {
			if kind := gitShips(g); kind != "" {
				list = append(list, ship{kind, c, g})
			}
			continue
		}
		if kind := otherShips(c); kind != "" {
			list = append(list, ship{kind: kind, command: c})
		}
	}
	return list
}

func gitShips(g shell.Git) shipKind {
	has := func(flags ...string) bool {
		return slices.ContainsFunc(g.Args, func(w shell.Word) bool { return slices.Contains(flags, w.Text) })
	}
	if has("--dry-run", "--help", "-h") {
		return ""
	}
	switch g.Sub {
	case "commit":
		return shipCommit
	case "push":
		if has("-n", "--delete", "-d", "--prune") || len(g.Args) > 0 && strings.HasPrefix(g.Args[len(g.Args)-1].Text, ":") {
			return ""
		}
		return shipPush
	case "tag":
		if len(g.Args) == 0 || has("-d", "--delete", "-l", "--list", "-v", "--verify", "--contains", "--points-at", "--merged", "-n", "--sort") {
			return ""
		}
		return shipTag
	case "merge":
		if has("--abort", "--quit", "--continue", "--no-commit") {
			return ""
		}
		return shipMerge
	}
	return ""
}

func otherShips(c shell.Command) shipKind {
	var words []string
	for _, w := range c.Args {
		if w.Text == "--dry-run" || w.Text == "--help" || w.Text == "-h" || strings.HasPrefix(w.Text, "--dry-run=") {
			return ""
		}
		words = append(words, w.Text)
	}
	for _, s := range shippers {
		want := strings.Fields(s.words)
		if want[0] == c.Name && inOrder(words, want[1:]) {
			return s.kind
		}
	}
	return ""
}

// inOrder tells that the wanted words lead the operands, options set apart.
func inOrder(words, want []string) bool {
	for _, w := range want {
		for len(words) > 0 && strings.HasPrefix(words[0], "-") && words[0] != w {
			words = words[1:]
		}
		if len(words) == 0 || (w != "*" && words[0] != w) {
			return false
		}
		words = words[1:]
	}
	return true
}

// covers tells that one of the added paths is or holds p.
func covers(added []string, p string) bool {
	return slices.ContainsFunc(added, func(a string) bool {
		if a == "." || a == p || strings.HasPrefix(p, strings.TrimSuffix(a, "/")+"/") {
			return true
		}
		ok, err := path.Match(a, p)
		return err == nil && ok
	})
}
