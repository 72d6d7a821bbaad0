package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/checks/secrets"
	"agentguard/cmd/internal/door"
	"agentguard/cmd/internal/replay"
	"agentguard/cmd/internal/secretscan"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// replayOptions say what to replay, and what of it to show.
type replayOptions struct {
	Files    []string
	JSON     bool
	Judge    string
	Resume   bool
	Verify   string // how the projects of the sessions are verified
	Checks   []string
	Events   []hook.EventName
	Enforced bool // only what would have been refused
	Sample   int  // how many findings are drawn; 0: all are listed
	Seed     uint64
	Runs     bool // list runs instead of findings
	Misread  bool // only those whose exit status says otherwise
}

func (a *app) replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "run today's policy over past sessions: what would have been refused (read-only)",
		ArgsUsage: "[FILE or FOLDER …]",
		Description: "Reads transcripts of any age and machine, by default all of ~/.claude/projects. The repository as\n" +
			"it was is not known any more: what only it could tell counts as unknown. Ctrl-C prints what was\n" +
			"found so far; --resume goes on from there.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "judge", Value: "offline", Usage: "the judge `BACKEND`; a model may charge for every message"},
			&cli.BoolFlag{Name: "resume", Usage: "go on where the last replay of the same files was stopped"},
			&cli.StringFlag{Name: "verify", Usage: "the `COMMAND` by which the sessions' projects are tested; any recognised run counts when absent"},
			&cli.StringSliceFlag{Name: "check", Usage: "only the check of this `ID`"},
			&cli.StringSliceFlag{Name: "event", Usage: "only the event of this `NAME`: PreToolUse, Stop, SubagentStop"},
			&cli.BoolFlag{Name: "enforced", Usage: "only what would have been refused, not what is only observed"},
			&cli.IntFlag{Name: "sample", Usage: "print `N` findings drawn at random, each with what one must see to judge it", DefaultText: "all, a line a turn"},
			&cli.Uint64Flag{Name: "seed", Usage: "draw the same sample again", DefaultText: "another one each time"},
			&cli.BoolFlag{Name: "runs", Usage: "list the runs of tests and checks that were recognised, and how each was read"},
			&cli.BoolFlag{Name: "misread", Usage: "with --runs: only those whose own exit status says otherwise"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			o := replayOptions{
				Files: c.Args().Slice(), JSON: c.Bool("json"), Judge: c.String("judge"), Resume: c.Bool("resume"), Verify: c.String("verify"),
				Checks: c.StringSlice("check"), Enforced: c.Bool("enforced"), Sample: c.Int("sample"), Seed: c.Uint64("seed"),
				Runs: c.Bool("runs"), Misread: c.Bool("misread"),
			}
			for _, name := range c.StringSlice("event") {
				o.Events = append(o.Events, hook.EventName(name))
			}
			if c.IsSet("sample") && o.Sample < 1 {
				return usage("--sample takes a number from 1, not %d", o.Sample)
			}
			if c.IsSet("seed") && o.Sample == 0 {
				return usage("--seed belongs to --sample")
			}
			if !c.IsSet("seed") {
				o.Seed = uint64(a.env.Now().UnixNano()) //nolint:gosec // any number will do
			}
			if err := o.validate(); err != nil {
				return err
			}
			return a.replay(ctx, o)
		},
	}
}

// replayEvents are the events that a session still holds.
var replayEvents = []hook.EventName{hook.PreToolUse, hook.Stop, hook.SubagentStop}

func (o replayOptions) validate() error {
	if o.Misread && !o.Runs {
		return usage("--misread belongs to --runs")
	}
	if o.Runs && (len(o.Checks)+len(o.Events)+o.Sample > 0 || o.Enforced || o.Resume) {
		return usage("--runs lists runs: --check, --event, --enforced, --sample and --resume are about findings")
	}
	for _, e := range o.Events {
		if !slices.Contains(replayEvents, e) {
			return usage("%q is no event that a session holds; there are PreToolUse, Stop, SubagentStop", e)
		}
	}
	var ids []string
	for _, c := range door.Checks() {
		if c.Guard {
			ids = append(ids, c.ID)
		}
	}
	for _, id := range o.Checks {
		if !slices.Contains(ids, id) {
			return usage("%q is no check that refuses; there are %s", id, strings.Join(ids, ", "))
		}
	}
	return nil
}

func (a *app) replay(ctx context.Context, o replayOptions) error {
	w := a.env.World()
	if len(o.Files) == 0 {
		o.Files = []string{filepath.Join(w.Home, ".claude", "projects")}
	}
	families, unread, total, err := replay.Find(o.Files, w.Home)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no session files: %s is not there; name a transcript or a folder of them", a.tilde(strings.Join(o.Files, ", ")))
	}
	if err != nil {
		return err
	}
	if len(families)+len(unread) == 0 {
		return fmt.Errorf("no session files in %s", a.tilde(strings.Join(o.Files, ", ")))
	}
	j, err := a.replayJudge(o)
	if err != nil {
		return err
	}
	bar := a.progress("replay", total)
	reader := replay.NewReader(j.Policy.Verify, func(n int) { bar.add(int64(n)) })
	if o.Runs {
		return a.replayRuns(ctx, o, reader, families, unread, j, bar)
	}
	out := newReplayOutput(a, o, unread)
	if o.Resume {
		out.resume()
	}
	j.Emit = out.finding
	for _, fam := range families {
		if ctx.Err() != nil {
			break
		}
		reader.Judge(ctx, fam, j, out.skip, func(f *replay.File, c replay.Counts, err error) { out.file(f, c, j.Take(), err) })
	}
	bar.end()
	return out.end(ctx.Err() != nil, j)
}

// replayJudge makes the judge of past sessions: the policy of the current folder,
// which says only of that folder's own sessions how they are verified.
func (a *app) replayJudge(o replayOptions) (*replay.Judge, error) {
	dir, err := workingDir()
	if err != nil {
		return nil, err
	}
	p := *a.policyOf(dir)
	p.Judge.Order = []string{o.Judge}
	elsewhere := p
	elsewhere.Verify = policy.Verify{Docs: p.Verify.Docs, Timeout: p.Verify.Timeout}
	if o.Verify != "" {
		elsewhere.Verify.Test = []string{o.Verify}
		p.Verify = elsewhere.Verify
	}
	w := a.env.World()
	w.DryRun = true
	scanner := sync.OnceValues(secretscan.New)
	w.Scan = func(ctx context.Context, files []secrets.File) ([]secrets.Finding, error) {
		s, err := scanner()
		if err != nil {
			return nil, err
		}
		return s.Files(ctx, files)
	}
	w.Judge = door.Judge(a.env, w, &p)
	return &replay.Judge{
		World: w, Checks: pickChecks(o.Checks), Policy: &p, Elsewhere: &elsewhere, Here: projectTop(dir), Events: o.Events, Clock: a.env.Now,
	}, nil
}

// pickChecks returns the checks of these ids, or all that refuse.
func pickChecks(ids []string) []checks.Check {
	return slices.DeleteFunc(door.Checks(), func(c checks.Check) bool {
		return !c.Guard || len(ids) > 0 && !slices.Contains(ids, c.ID)
	})
}

// projectTop is the top of the project that dir lies in: a folder with a
// repository or a policy; "" where there is none.
func projectTop(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || policy.HasPolicy(at) {
			return filepath.ToSlash(at)
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}
