package checks

import (
	"context"
	"encoding/json"
	"slices"

	"agentguard/checks/evidence"
	"agentguard/judge/prose"
	"agentguard/settings/policy"
)

func bugfixWithoutReproduction() judged {
	return judged{
		id: "bugfix-without-reproduction", title: "code is not changed for a bug that nobody reproduced",
		standard: policy.Observe,
		skip:     noBugfix,
		settled: func(ctx context.Context, in *Input) (string, bool) {
			if in.Assessment(ctx).Reproduced != nil {
				return "reproduced", true
			}
			return "", false
		},
		// A reproduction that the text claims must have been a failing run before the
		// first change of this turn or of an earlier one.
		refuted: func(ctx context.Context, in *Input, claims []prose.Claim) bool {
			claimed := slices.ContainsFunc(claims, func(c prose.Claim) bool { return c.Kind == prose.ClaimReproduced })
			return claimed && len(in.History().Turns) > 0 && in.Assessment(ctx).Reproduced == nil && !in.failedBefore(ctx) && !in.triedBeforeEdit()
		},
		advice: func(context.Context, *Input) (fact, act string) {
			return "No failing run came before the change, so nothing shows that the bug was the one that was fixed.",
				"Reproduce it first and report the command and its result; or say plainly that it was seen only in logs, or cannot be reproduced here."
		},
	}
}

// failedBefore tells a failing run of an earlier turn: the bug was reproduced
// then, and is mended now.
func (in *Input) failedBefore(ctx context.Context) bool {
	return slices.ContainsFunc(in.Assessment(ctx).Runs, func(r evidence.Seen) bool {
		return !r.InTurn && r.Outcome == evidence.Failed
	})
}

// lookers are programs that only show what is there: running them reproduces
// nothing.
var lookers = []string{
	"ls", "cat", "head", "tail", "less", "grep", "rg", "ag", "find", "fd", "sed", "awk", "wc", "git", "gh", "cd", "pwd", "echo", "printf",
	"tree", "file", "stat", "which", "diff", "sort", "uniq", "jq", "true", "mkdir", "touch",
}

// triedBeforeEdit tells a turn that ran something before its first change, such
// as the program itself or a request to it: that may have shown the bug, and only
// its reader can tell.
func (in *Input) triedBeforeEdit() bool {
	for _, c := range in.History().Current().Calls {
		switch c.Tool {
		case "Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch":
			return false
		case "Bash":
			var input struct {
				Command string `json:"command"`
			}
			if json.Unmarshal(c.Input, &input) != nil {
				continue
			}
			for _, command := range in.reader().Parse(input.Command, in.Event.CWD).Commands {
				if !command.Carrier && !slices.Contains(lookers, command.Name) {
					return true
				}
			}
		}
	}
	return false
}
