package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/checks/audit"
	"agentguard/checks/evidence"
	"agentguard/checks/evidence/history"
	"agentguard/cmd/internal/door"
	"agentguard/hook"
	"agentguard/hook/clients"
)

func (a *app) evidenceCommand() *cli.Command {
	return &cli.Command{
		Name: "evidence", Usage: "show what is true of this tree: ids, runs, standing (read-only)",
		ArgsUsage: "[FOLDER]",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "commits", Usage: "also tell of the last `N` commits which were tested"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			dir, err := folder(c)
			if err != nil {
				return err
			}
			if c.Int("commits") < 0 {
				return usage("--commits takes a number from 0, not %d", c.Int("commits"))
			}
			return a.evidence(c.Context, dir, c.Int("commits"), c.Bool("json"))
		},
	}
}

// facts is the JSON form of evidence. A fact that cannot be told is null and has
// a line in Unknown.
type facts struct {
	Tree        *string           `json:"tree"`         // with untracked files
	TrackedTree *string           `json:"tracked_tree"` // without
	Head        *string           `json:"head"`
	Branch      *string           `json:"branch"`
	Dirty       *bool             `json:"dirty"`
	Standing    *string           `json:"standing"`
	Why         string            `json:"why,omitempty"`
	Runs        []runFact         `json:"runs"`
	Commits     []commitFact      `json:"commits,omitempty"`
	Unknown     map[string]string `json:"unknown,omitempty"`
	// Trouble is why facts cannot be had; nil where each was told.
	Trouble *evidence.Trouble `json:"trouble,omitempty"`
}

type runFact struct {
	Command string `json:"command"`
	Kind    string `json:"kind"`
	Outcome string `json:"outcome"`
	Time    string `json:"time"`
	Current *bool  `json:"current"` // nothing but documentation changed since; null where unknown
}

// commitFact is one commit and whether its very tree was tested.
type commitFact struct {
	ID       string `json:"id"`
	Subject  string `json:"subject"`
	Standing string `json:"standing"`
	Why      string `json:"why"`
}

// addCommits tells of the last n commits how they stand in the ledger.
func (a *app) addCommits(ctx context.Context, f *facts, dir string, n int) {
	commits, err := history.Last(dir, n)
	if err != nil {
		f.Unknown["commits"] = err.Error()
	}
	in := a.inputFor(dir)
	repo, err := in.Repo(ctx)
	if err != nil {
		return
	}
	w := a.env.World()
	runs, _, err := evidence.OpenLedger(filepath.Join(w.State, "agentguard", "ledger"), repo).Runs(1 << 20)
	if err != nil {
		f.Unknown["commits"] = err.Error()
		return
	}
	stands := in.Stands(runs, repo)
	for _, c := range commits {
		standing, _ := evidence.CommitStanding(ctx, repo, runs, c.ID, stands)
		f.Commits = append(f.Commits, commitFact{c.ID, c.Subject, string(standing.Standing), standing.Why})
	}
}

// inputFor is a check's view of a folder outside of any session.
func (a *app) inputFor(dir string) *checks.Input {
	in := door.Call{Env: a.env, Checks: door.Checks()}.Input(clients.All()[0], hook.Event{Name: hook.Stop, CWD: dir, ProjectDir: dir, Stop: &hook.End{}})
	in.World.DryRun = true
	return in
}

func (a *app) factsOf(ctx context.Context, dir string) facts {
	f := facts{Runs: []runFact{}, Unknown: map[string]string{}}
	in := a.inputFor(dir)
	repo, err := in.Repo(ctx)
	if err != nil {
		for _, name := range []string{"tree", "tracked_tree", "head", "branch", "dirty", "standing"} {
			f.Unknown[name] = why(err, dir)
		}
		if t, trouble := in.Trouble(); trouble {
			f.Trouble = &t
		}
		return f
	}
	if print, err := repo.Fingerprint(ctx); err != nil {
		f.Unknown["tree"], f.Unknown["tracked_tree"] = why(err, dir), why(err, dir)
	} else {
		f.Tree, f.TrackedTree = &print.Tree, &print.Tracked
	}
	if head, err := repo.Head(ctx); err != nil {
		f.Unknown["head"], f.Unknown["branch"] = why(err, dir), why(err, dir)
	} else {
		if head.Unborn {
			f.Unknown["head"] = "the branch has no commit yet"
		} else {
			f.Head = &head.ID
		}
		if head.Detached {
			f.Unknown["branch"] = "HEAD is detached"
		} else {
			f.Branch = &head.Branch
		}
	}
	if dirty, err := repo.Dirty(ctx); err != nil {
		f.Unknown["dirty"] = why(err, dir)
	} else {
		f.Dirty = &dirty
	}
	a.addStanding(&f, in.Assessment(ctx))
	if t, trouble := in.Trouble(); trouble {
		f.Trouble = &t
	}
	return f
}

// why says in plain words why a fact is unknown.
func why(err error, dir string) string {
	if evidence.IsTrouble(err) {
		return evidence.Explain(err, dir).What
	}
	return err.Error()
}

func (a *app) addStanding(f *facts, as evidence.Assessment) {
	standing := string(as.Standing)
	f.Standing, f.Why = &standing, as.Why
	if as.Standing == evidence.StandingUnknown {
		f.Standing, f.Unknown["standing"] = nil, as.Why
	}
	for _, r := range as.Runs[max(0, len(as.Runs)-10):] {
		fact := runFact{Command: r.Command, Kind: string(r.Kind), Outcome: string(r.Outcome), Time: r.Time.UTC().Format("2006-01-02T15:04:05Z")}
		if r.Known {
			current := r.Current
			fact.Current = &current
		}
		f.Runs = append(f.Runs, fact)
	}
}

func (a *app) evidence(ctx context.Context, dir string, commits int, asJSON bool) error {
	f := a.factsOf(ctx, dir)
	if commits > 0 {
		a.addCommits(ctx, &f, dir, commits)
	}
	var status error
	if f.Trouble != nil {
		status = quiet(exitFailed)
	}
	if asJSON {
		if err := a.json(f); err != nil {
			return err
		}
		return status
	}
	if f.Tree == nil && f.Head == nil && f.Dirty == nil && f.Standing == nil && f.Unknown["tree"] == f.Unknown["standing"] {
		a.printf("nothing can be told: %s\n", a.tilde(f.Unknown["tree"]))
		if f.Trouble != nil {
			a.printf("%-13s %s\n", "mend", a.tilde(f.Trouble.Mend))
		}
		return status
	}
	for _, line := range []struct {
		name  string
		value *string
	}{{"tree", f.Tree}, {"tracked_tree", f.TrackedTree}, {"head", f.Head}, {"branch", f.Branch}} {
		a.printf("%-13s %s\n", line.name, orUnknown(line.value, f.Unknown[line.name]))
	}
	if f.Dirty == nil {
		a.printf("%-13s unknown: %s\n", "dirty", f.Unknown["dirty"])
	} else {
		a.printf("%-13s %v\n", "dirty", *f.Dirty)
	}
	a.printf("%-13s %s", "standing", orUnknown(f.Standing, f.Unknown["standing"]))
	if f.Standing != nil {
		a.printf(" (%s)", f.Why)
	}
	a.printf("\n")
	for _, r := range f.Runs {
		a.printf("%-13s %s %s at %s\n", "run", r.Command, r.Outcome, r.Time)
	}
	for _, c := range f.Commits {
		a.printf("%-13s %s %s (%s) %s\n", "commit", c.ID[:min(len(c.ID), 10)], c.Standing, c.Why, c.Subject)
	}
	if f.Trouble != nil {
		a.printf("%-13s %s\n%-13s %s\n", "trouble", a.tilde(f.Trouble.What), "mend", a.tilde(f.Trouble.Mend))
	}
	return status
}

func orUnknown(value *string, why string) string {
	if value == nil {
		return "unknown: " + why
	}
	return *value
}

func (a *app) waiveCommand() *cli.Command {
	return &cli.Command{
		Name: "waive", Usage: "let the next unverified commit or push of this very tree pass (writes; a person at a terminal only)",
		Flags: []cli.Flag{&cli.StringFlag{Name: "reason", Usage: "why; it is recorded, and has to be given"}},
		Action: func(c *cli.Context) error {
			if strings.TrimSpace(c.String("reason")) == "" {
				return usage("a waiver needs a reason, which is recorded: `agentguard waive --reason TEXT`")
			}
			return a.waive(c.Context, c.String("reason"))
		},
	}
}

func (a *app) waive(ctx context.Context, reason string) error {
	dir, err := workingDir()
	if err != nil {
		return err
	}
	repo, err := a.inputFor(dir).Repo(ctx)
	if err != nil {
		return err
	}
	print, err := repo.Fingerprint(ctx)
	if err != nil {
		return err
	}
	if err := a.personOnly("letting the next commit or push pass unverified", "waive"); err != nil {
		return err
	}
	w := a.env.World()
	b, err := json.Marshal(checks.Waiver{Tree: print.Tree, Reason: reason, Time: w.Now.UTC()})
	if err != nil {
		return err
	}
	name := checks.WaiverPath(w.State, repo)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, b, 0o600)); err != nil {
		return err
	}
	a.notef("The next commit or push of this tree passes, within an hour.\n")
	return audit.Append(audit.Dir(w.State), w.Now, audit.Record{Time: w.Now, Kind: "event", Event: "waive", Project: repo.Root(), Note: "tree " + print.Tree + " waived: " + reason})
}
