package checks

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/hook/transcript"
	"agentguard/judge/prose"
)

// What a message reports as verification counts unless the facts speak against
// it. Where the policy names no command that verifies, that no run was seen says
// little: the change may have been checked by anything.

// speaksAgainst tells that a finding contradicts a claim.
func (in *Input) speaksAgainst(ctx context.Context, c prose.Claim, f evidence.Finding) bool {
	switch {
	case !f.Standing.Contradicts():
		return false
	case f.Standing == evidence.NoRun && in.Policy.Verify.Empty():
		return in.showsNothing(c)
	case f.Standing == evidence.NoRun || f.Standing == evidence.Stale:
		return !in.borneOut(ctx, c)
	default:
		return true // a run failed, or ran nothing, and was not repeated
	}
}

// borneOut tells that a run other than tests passed on this tree, and that it is
// enough: the claim is not about tests, and either no command is known that
// verifies or nothing is at hand that such a command would read.
func (in *Input) borneOut(ctx context.Context, c prose.Claim) bool {
	if c.Kind != prose.ClaimVerified && c.Kind != prose.ClaimRun {
		return false
	}
	passed := false
	for kind, f := range in.Assessment(ctx).ByKind {
		passed = passed || kind != evidence.Test && f.Standing == evidence.Supported
	}
	return passed && (in.Policy.Verify.Empty() || in.noCodeAtHand(ctx))
}

// plainExts are the files of documents, configuration and infrastructure.
var plainExts = []string{
	".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".json", ".jsonc", ".xml", ".properties", ".service", ".timer",
	".tf", ".tfvars", ".hcl", ".nix", ".html", ".css", ".svg", ".txt", ".csv",
}

// noCodeAtHand tells that whatever is not committed is documents, configuration
// or infrastructure. Unknown is false.
func (in *Input) noCodeAtHand(ctx context.Context) bool {
	o, err := in.Overview(ctx)
	if err != nil || o.Status.Clean() {
		return false
	}
	docs := in.reader().Docs
	return !slices.ContainsFunc(o.Status.Files, func(f evidence.FileStatus) bool {
		return !docs.Match(f.Path) && !slices.Contains(plainExts, path.Ext(f.Path))
	})
}

// showsNothing tells that nothing the session did can have shown what is claimed.
// It is false where the session is not known as far back as its last change.
func (in *Input) showsNothing(c prose.Claim) bool {
	h := in.History()
	known := h.Complete
	for _, turn := range h.Turns {
		for _, call := range turn.Calls {
			known = known || slices.Contains(editTools, call.Tool)
			if in.mayShow(call, c) {
				return false
			}
		}
	}
	return known && len(h.Turns) > 0
}

// editTools change a file, quietTools only look or plan; neither runs anything.
var (
	editTools  = []string{"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"}
	quietTools = []string{"Read", "Glob", "Grep", "LS", "TodoWrite", "TodoRead", "ToolSearch", "AskUserQuestion", "ExitPlanMode", "NotebookRead"}
)

// movers are programs that change or arrange, and show nothing. comparers show
// what is the same or there, but no tests.
var (
	movers    = []string{"cp", "mv", "rm", "rmdir", "ln", "chmod", "chown", "tee", "sleep", "export", "set", "unset", ":", "wait"}
	comparers = []string{"diff", "cmp", "grep", "rg", "ag", "jq", "file", "stat", "test", "[", "sha256sum", "sha1sum", "md5sum", "cksum"}
)

// mayShow tells a call that may have shown what is claimed: it ran, and did more
// than look, print or move. A claim of tests takes a program that may have been
// the tests; of another claim, a comparison will do.
func (in *Input) mayShow(call transcript.Call, c prose.Claim) bool {
	switch {
	case call.Failed || call.Pending || slices.Contains(editTools, call.Tool) || slices.Contains(quietTools, call.Tool):
		return false
	case call.Tool != "Bash" && call.Tool != "PowerShell":
		return true // a subagent, a browser, a tool of a server
	}
	var input struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(call.Input, &input) != nil {
		return true
	}
	if strings.Contains(c.Detail, " ") && strings.Contains(input.Command, c.Detail) {
		return true // the very command that the claim names
	}
	tests := c.Kind != prose.ClaimVerified && c.Kind != prose.ClaimRun
	if list := evidence.Recognise(input.Command, evidence.Verify{}); c.Kind == prose.ClaimTests && len(list) > 0 {
		return slices.ContainsFunc(list, func(v evidence.Verification) bool { return v.Kind.Tests() || v.Kind == evidence.Compare }) // a linter shows no tests
	}
	for _, command := range in.reader().Parse(input.Command, in.Event.CWD).Commands {
		switch name := command.Name; {
		case command.Carrier:
		case slices.Contains(comparers, name), name == "git" && comparesTrees(command):
			if !tests {
				return true
			}
		case !slices.Contains(lookers, name) && !slices.Contains(movers, name):
			return true
		}
	}
	return false
}

func comparesTrees(git shell.Command) bool {
	return slices.ContainsFunc(git.Args, func(w shell.Word) bool {
		return slices.Contains([]string{"--exit-code", "--quiet", "--no-index", "--check", "fsck"}, w.Text)
	})
}
