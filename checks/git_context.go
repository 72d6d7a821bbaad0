package checks

import (
	"context"
	"fmt"
	"strings"

	"agentguard/hook"
	"agentguard/settings/policy"
)

func gitContext() Check {
	return Check{
		ID: "git-context", Title: "tells the agent at each prompt how the repository stands",
		Events: []hook.EventName{hook.UserPromptSubmit}, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			line := in.gitContext(ctx)
			if line == "" {
				return Finding{}, nil
			}
			return Finding{Context: []string{line}}, nil
		},
	}
}

// gitContext is one line of facts; what cannot be read is left out.
func (in *Input) gitContext(ctx context.Context) string {
	repo, err := in.Repo(ctx)
	if err != nil {
		return in.notKnown()
	}
	if repo.Bare() {
		return ""
	}
	o, err := in.Overview(ctx)
	known := err == nil
	if !known { // where git would need a filter of the repository, say
		if o.Head, err = repo.Head(ctx); err != nil {
			return in.notKnown()
		}
	}
	head := o.Head
	var parts []string
	switch {
	case head.Unborn:
		parts = append(parts, "branch "+head.Branch+", no commit yet")
	case head.Detached:
		parts = append(parts, "detached HEAD at "+head.ID[:min(len(head.ID), 9)])
	default:
		parts = append(parts, "branch "+head.Branch)
	}
	if known && o.Upstream != "" && !o.Gone && !head.Unborn {
		parts = append(parts, fmt.Sprintf("%d ahead and %d behind %s", o.Ahead, o.Behind, o.Upstream))
	}
	if s := o.Status; known {
		if s.Clean() {
			parts = append(parts, "clean")
		} else {
			parts = append(parts, fmt.Sprintf("%d files modified or staged, %d untracked", len(s.Files)-len(s.Untracked()), len(s.Untracked())))
			a := in.Assessment(ctx)
			parts = append(parts, "verification of this tree: "+string(a.Standing)+" ("+a.Why+")")
		}
	}
	for _, what := range repo.InProgress() {
		parts = append(parts, what+" in progress")
	}
	if t, trouble := in.Trouble(); trouble {
		parts = append(parts, "more cannot be told: "+t.What)
	}
	return "Repository now: " + strings.Join(parts, "; ") + "."
}

// notKnown says why nothing can be told; nothing where there is no repository.
func (in *Input) notKnown() string {
	t, trouble := in.Trouble()
	if !trouble {
		return ""
	}
	return "How the repository stands cannot be told: " + t.What + "."
}
