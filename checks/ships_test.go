package checks

import (
	"slices"
	"testing"

	"agentguard/checks/shell"
)

func TestShips(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []shipKind
	}{
		{"git commit -m x", []shipKind{shipCommit}},
		{"git commit -m --dry-run", []shipKind{shipCommit}},
		{"git commit --dry-run", nil},
		{"git commit --short", nil},
		{"git -C /r commit -am x && git push", []shipKind{shipCommit, shipPush}},
		{"git push -fn origin main", nil},
		{"git push -o ci.skip origin main", []shipKind{shipPush}},
		{"git push origin --delete x", nil},
		{"git push origin :x", nil},
		{"git tag", nil},
		{"git tag v1", []shipKind{shipTag}},
		{"git tag -a v1 -m 'sort=x'", []shipKind{shipTag}},
		{"git tag -m --list v1", []shipKind{shipTag}},
		{"git tag -s v1 HEAD~1", []shipKind{shipTag}},
		{"git tag --sort=-version:refname | head -20", nil},
		{"git tag --sort -creatordate 'v*'", nil},
		{"git tag --column", nil},
		{"git tag --format '%(refname:short)' --points-at HEAD", nil},
		{"git tag --contains abc123 --no-column", nil},
		{"git tag -n3 'v1.*'", nil},
		{"git tag -l 'v1.*'", nil},
		{"git tag -i --merged main", nil},
		{"git tag -d v1", nil},
		{"git tag -v v1", nil},
		{"git merge --abort", nil},
		{"gh pr create --fill", []shipKind{shipPR}},
		{"gh pr create --fill --draft", []shipKind{shipPR}},
		{"gh pr create --dry-run", nil},
		{"gh release create v1", []shipKind{shipRelease}},
		{"gh release create v1 --draft", nil},
		{"npm version", nil},
		{"npm version patch", []shipKind{shipRelease}},
		{"cargo release patch", nil},
		{"cargo release patch --execute", []shipKind{shipRelease}},
		{"goreleaser release --snapshot", nil},
		{"make -n deploy", nil},
		{"make deploy", []shipKind{shipDeploy}},
		{"kubectl apply view-last-applied deploy/x", nil},
		{"kubectl apply -f x.yaml", []shipKind{shipDeploy}},
		{"pnpm deploy --filter app out", nil},
		{"pnpm run deploy", []shipKind{shipDeploy}},
	} {
		var got []shipKind
		for _, s := range ships(shell.Analyze(c.command, shell.Env{Dir: "/r", Home: "/home/u"})) {
			got = append(got, s.kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.command, got, c.want)
		}
	}
}
