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
	index   int // of the command in the script
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
	{shipRelease, "npm version *"},
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

// ships lists what a script hands on, in the order of the script. Dry runs, help,
// drafts and what only removes or lists are none.
func ships(s shell.Script) []ship {
	var list []ship
	for i, c := range s.Commands {
		if c.Carrier {
			continue
		}
		if g, ok := shell.ParseGit(c); ok {
			if kind := gitShips(g); kind != "" {
				list = append(list, ship{kind, i, c, g})
			}
			continue
		}
		if kind := otherShips(c); kind != "" {
			list = append(list, ship{kind: kind, index: i, command: c})
		}
	}
	return list
}

// The options of the git commands that hand work on, as git reads them: what looks
// like an option inside a message is none.
var (
	commitOptions = shell.OptSpec{
		Short: "anvpqeosizhm:F:C:c:t:S::u::",
		Long:  "all amend dry-run short porcelain long help message= file= reuse-message= reedit-message= fixup= squash= template= author= date= cleanup= trailer= pathspec-from-file= gpg-sign=? untracked-files=? no-verify verify allow-empty allow-empty-message only include patch interactive signoff quiet verbose edit no-edit status no-status branch null",
	}
	pushOptions = shell.OptSpec{
		Short: "fdnuqvho:46",
		Long:  "force force-with-lease=? force-if-includes mirror all branches delete tags follow-tags prune dry-run set-upstream quiet verbose no-verify verify signed=? push-option= receive-pack= exec= repo= thin no-thin atomic progress porcelain recurse-submodules= help",
	}
	tagOptions = shell.OptSpec{
		Short: "asfdvlhein::m:F:u:",
		Long:  "annotate sign no-sign force delete verify list message= file= edit local-user= cleanup= trailer= create-reflog sort= column=? no-column contains=? no-contains=? merged=? no-merged=? points-at=? format= color=? ignore-case omit-empty help",
	}
)

// gitShips tells what a git command hands on; what lists, tries or removes is
// nothing.
func gitShips(g shell.Git) shipKind {
	switch g.Sub {
	case "commit":
		o := shell.Options(g.Args, commitOptions)
		if o.Has("dry-run", "short", "porcelain", "long", "h", "help") {
			return ""
		}
		return shipCommit
	case "push":
		o := shell.Options(g.Args, pushOptions)
		if o.Has("n", "dry-run", "d", "delete", "prune", "h", "help") || len(o.Rest) > 0 && strings.HasPrefix(o.Rest[len(o.Rest)-1].Text, ":") {
			return ""
		}
		return shipPush
	case "tag":
		o := shell.Options(g.Args, tagOptions)
		if len(o.Rest) == 0 || o.Has("d", "delete", "v", "verify", "h", "help") ||
			o.Has("l", "list", "n", "sort", "column", "no-column", "contains", "no-contains", "merged", "no-merged", "points-at", "format", "color", "i", "ignore-case", "omit-empty") {
			return ""
		}
		return shipTag
	case "merge":
		has := func(flags ...string) bool {
			return slices.ContainsFunc(g.Args, func(w shell.Word) bool { return slices.Contains(flags, w.Text) })
		}
		if has("--abort", "--quit", "--continue", "--no-commit", "--help", "-h") {
			return ""
		}
		return shipMerge
	}
	return ""
}

func otherShips(c shell.Command) shipKind {
	var words []string
	for _, w := range c.Args {
		switch w.Text {
		case "--dry-run", "--help", "-h", "--snapshot", "--just-print", "--no-execute", "--build-only", "--draft", "view-last-applied":
			if w.Text != "--draft" || c.Name == "gh" && len(c.Args) > 0 && c.Args[0].Text == "release" {
				return ""
			}
		case "-n":
			if c.Name == "make" || c.Name == "just" || c.Name == "cargo" {
				return ""
			}
		}
		if strings.HasPrefix(w.Text, "--dry-run=") {
			return ""
		}
		words = append(words, w.Text)
	}
	if c.Name == "cargo" && slices.Contains(words, "release") && !slices.Contains(words, "--execute") && !slices.Contains(words, "-x") {
		return "" // it only says what it would do
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
