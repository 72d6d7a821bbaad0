// Package templates holds the texts that are written into a repository or sent
// to a model.
package templates

import _ "embed"

// The prompts of the judge. The first line of each is "version: N"; N grows
// with every change of the text, because verdicts of different versions must
// not be compared as if they were one.
var (
	//go:embed judge/system.md
	JudgeSystem string
	//go:embed judge/wrapper.md
	JudgeWrapper string
	//go:embed judge/commit-before-verification.md
	JudgeCommit string
	//go:embed judge/scope-check.md
	JudgeScopeCheck string
	//go:embed judge/scope-change.md
	JudgeScopeChange string
	//go:embed judge/shallow-bugfix.md
	JudgeShallowBugfix string
	//go:embed judge/bugfix-without-reproduction.md
	JudgeWithoutReproduction string
	//go:embed judge/false-claim.md
	JudgeFalseClaim string
)
