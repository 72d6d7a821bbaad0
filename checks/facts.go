package checks

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/judge/prose"
	"agentguard/settings/policy"
)

// maxRuns is how many of the ledger's newest runs a standing looks at.
const maxRuns = 200

// notCode are files that no test reads: the guards' own, and what keeps them out
// of Git. Like documentation, their change needs no new run.
var notCode = []string{".agentguard/", ".claude/", ".gitignore"}

// reader returns what reads this session's tool calls.
func (in *Input) reader() evidence.Reader {
	return evidence.Reader{
		Root: in.World.Then.Root, Dir: in.Event.CWD, Verify: in.verify(), Docs: evidence.DocMatcher{Also: slices.Concat(in.Policy.Verify.Docs, notCode)},
		Parse: func(src, dir string) shell.Script {
			return shell.Analyze(src, shell.Env{Dir: dir, Home: in.World.Home})
		},
	}
}

// verify is what the policy says of verifying, in the folder that it is for.
func (in *Input) verify() evidence.Verify {
	v := VerifyOf(in.Policy.Verify)
	v.Base = in.Event.ProjectDir
	return v
}

// VerifyOf is what the evidence reads of what a policy says of verifying: its
// commands by kind, without the folder that it is for.
func VerifyOf(v policy.Verify) evidence.Verify {
	var out evidence.Verify
	for _, kind := range []struct {
		kind     evidence.Kind
		commands []string
	}{{evidence.Test, v.Test}, {evidence.Build, v.Build}, {evidence.Lint, v.Lint}, {evidence.Types, v.Types}} {
		for _, c := range kind.commands {
			out.Commands = append(out.Commands, evidence.VerifyCommand{Kind: kind.kind, Command: c})
		}
	}
	return out
}

// ledger returns the record of runs of the session's repository.
func (in *Input) ledger(ctx context.Context) (evidence.Ledger, *evidence.Repo, error) {
	repo, err := in.Repo(ctx)
	if err != nil {
		return evidence.Ledger{}, nil, err
	}
	return evidence.OpenLedger(filepath.Join(in.World.State, "agentguard", "ledger"), repo), repo, nil
}

// Assessment tells how this tree stands: from the ledger, the conversation and
// the tree itself. What cannot be read makes the standing unknown.
func (in *Input) Assessment(ctx context.Context) evidence.Assessment {
	a, _ := in.assessed.get(func() (evidence.Assessment, error) { //nolint:errcheck // unknown is an answer
		in.settleRuns(ctx)
		ask := evidence.Input{Reader: in.reader()}
		ledger, repo, err := in.ledger(ctx)
		if err == nil {
			ask.Repo = repo
			ask.Runs, err = ledger.Recent(maxRuns)
			in.missing.failed(err)
		}
		c := in.conversation(ask.Runs, repo)
		ask.Turns, ask.Subagent, ask.Stands = c.history.Turns, c.subagent(), c.stands()
		a := evidence.Assess(ctx, ask)
		if repo != nil && a.Standing != evidence.Supported {
			in.missing.failed(ledger.Writable())
		}
		if t, trouble := in.Trouble(); trouble {
			a.Doubt(t)
		}
		return a, nil
	})
	return a
}

// nothingToShip tells that the tree is clean and no commit is waiting to be
// pushed, so that an announced commit or push can do no harm. Unknown is false.
func (in *Input) nothingToShip(ctx context.Context) bool {
	o, err := in.Overview(ctx)
	if err != nil || !o.Status.Clean() {
		return false
	}
	repo, err := in.Repo(ctx)
	if err != nil {
		return false
	}
	ahead, err := repo.Unpushed(ctx)
	return err == nil && ahead == 0
}

// contradicted tells that the facts contradict every claim: none of them can
// count as verification. A claim that the facts cannot speak to is not
// contradicted.
func (in *Input) contradicted(ctx context.Context, claims []prose.Claim) bool {
	if len(claims) == 0 {
		return in.speaksAgainst(ctx, prose.Claim{Kind: prose.ClaimVerified}, in.Assessment(ctx).Finding)
	}
	for _, c := range claims {
		if !in.claimContradicted(ctx, c) {
			return false
		}
	}
	return true
}

func (in *Input) claimContradicted(ctx context.Context, c prose.Claim) bool {
	a := in.Assessment(ctx)
	ofKind := func(k evidence.Kind) bool {
		if f, ok := a.ByKind[k]; ok {
			return in.speaksAgainst(ctx, c, f)
		}
		return in.speaksAgainst(ctx, c, a.Finding)
	}
	switch c.Kind {
	case prose.ClaimTests:
		return in.speaksAgainst(ctx, c, a.Tested)
	case prose.ClaimVerified, prose.ClaimRun:
		return in.speaksAgainst(ctx, c, a.Finding)
	case prose.ClaimBuild:
		return ofKind(evidence.Build)
	case prose.ClaimLint:
		return ofKind(evidence.Lint)
	case prose.ClaimCI:
		f, ok := a.ByKind[evidence.CI]
		return ok && f.Standing.Contradicts()
	case prose.ClaimCommit:
		exists, err := in.hasCommit(ctx, c.Detail)
		return c.Detail != "" && err == nil && !exists
	case prose.ClaimClean:
		o, err := in.Overview(ctx)
		return err == nil && !o.Status.Clean()
	default:
		return false
	}
}

// settle names the command that would settle an open verification: the policy's,
// or else the one that ran last.
func (in *Input) settle() string {
	if len(in.Policy.Verify.Test) > 0 {
		return "`" + in.Policy.Verify.Test[0] + "`"
	}
	for _, list := range [][]string{in.Policy.Verify.Build, in.Policy.Verify.Types, in.Policy.Verify.Lint} {
		if len(list) > 0 {
			return "`" + list[0] + "`"
		}
	}
	if run := in.Assessment(context.Background()).Run; run != nil {
		return "`" + oneLine(run.Command) + "`"
	}
	return "a check that fits this change"
}

// maxQuote is how much of a text a reason quotes, in runes.
const maxQuote = 160

// oneLine shortens a text to maxQuote on one line.
func oneLine(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > maxQuote {
		return string(r[:maxQuote]) + "…"
	}
	return string(r)
}
