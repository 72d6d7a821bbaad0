package doctor

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"agentguard/checks/evidence"
)

// gitTime is how long git may be waited for, all calls together.
const gitTime = 6 * time.Second

// repositoryFacts asks for what the guards decide from: branch, changes, the tree
// and the record of runs. Where these cannot be had, nothing else looks broken.
func repositoryFacts() Probe {
	return Probe{
		ID: "repository-facts", Title: "what the guards decide from can be read",
		Kinds:    []string{"git-missing", "git-fails", "repository-refused", "repository-broken", "record-broken"},
		Deadline: gitTime + DefaultDeadline,
		Run: func(ctx context.Context, p *Patient) []Finding {
			if len(p.read().ours()) == 0 {
				return nil
			}
			t, ok := p.factTrouble(ctx)
			if !ok {
				return nil
			}
			return []Finding{{
				Kind: t.Kind, Severity: Error,
				Message: "The guards cannot tell what was tested here: " + t.What + ". A stop is let go unchecked, and every commit and push is asked about.",
				Fix:     strings.ToUpper(t.Mend[:1]) + t.Mend[1:] + ".",
			}}
		},
	}
}

// factTrouble asks for each source of facts and returns the first trouble. A
// folder without a repository has none.
func (p *Patient) factTrouble(ctx context.Context) (t evidence.Trouble, ok bool) {
	inHook := Patient{Environ: p.hookEnv()}
	repo, err := evidence.Open(ctx, p.ProjectDir, evidence.Options{Env: inHook.env, Home: p.Home, Patience: evidence.NewPatience(gitTime)})
	if err == nil {
		_, _ = repo.Overview(ctx)
		_, _ = repo.Snapshot(ctx)
		err = repo.Trouble()
	}
	if err == nil {
		ledger := evidence.OpenLedger(filepath.Join(p.StateDir, "ledger"), repo)
		if _, err = ledger.Recent(1); err == nil {
			err = ledger.Writable()
		}
	}
	if !evidence.IsTrouble(err) {
		return t, false
	}
	return evidence.Explain(err, p.ProjectDir), true
}
