package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/cmd/internal/door"
	"agentguard/hook"
	"agentguard/hook/clients"
	"agentguard/hook/transcript"
	"agentguard/judge/redact"
	"agentguard/settings/policy"
)

// replayOptions say what to replay.
type replayOptions struct {
	Files  []string
	JSON   bool
	Judge  string
	Resume bool
}

func (a *app) replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "run today's policy over past sessions: what would have been refused (read-only)",
		ArgsUsage: "[FILE or FOLDER …]",
		Description: "Reads transcripts of any age, by default all of ~/.claude/projects. The repository as it was is\n" +
			"not known any more: what only it could tell counts as unknown. Ctrl-C prints what was found so\n" +
			"far; --resume goes on from there.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "judge", Value: "offline", Usage: "the judge `BACKEND`; a model may charge for every message"},
			&cli.BoolFlag{Name: "resume", Usage: "go on where the last replay of the same files was stopped"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			return a.replay(ctx, replayOptions{Files: c.Args().Slice(), JSON: c.Bool("json"), Judge: c.String("judge"), Resume: c.Bool("resume")})
		},
	}
}

// replayed is one refusal that today's policy would have made.
type replayed struct {
	File     string         `json:"file"`
	Turn     int            `json:"turn"`
	Event    hook.EventName `json:"event"`
	Check    string         `json:"check"`
	Decision hook.Decision  `json:"decision"`
	Mode     string         `json:"mode"`
	Rule     string         `json:"rule,omitempty"`
	Subject  string         `json:"subject,omitempty"`
	Reason   string         `json:"reason"`
}

// replaySummary is what all files came to.
type replaySummary struct {
	Files    int            `json:"files"`
	Turns    int            `json:"turns"`
	Calls    int            `json:"calls"`
	Refused  int            `json:"refused"`
	ByCheck  map[string]int `json:"by_check"`
	Partial  bool           `json:"partial,omitempty"` // it was stopped before the end
	Unread   []string       `json:"unread,omitempty"`
	Finished []string       `json:"finished,omitempty"` // files that are done, for --resume
}

func (a *app) replay(ctx context.Context, o replayOptions) error {
	w := a.env.World()
	if len(o.Files) == 0 {
		o.Files = []string{filepath.Join(w.Home, ".claude", "projects")}
	}
	files, total, err := sessionFiles(o.Files)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no session files: %s is not there; name a transcript or a folder of them", a.tilde(strings.Join(o.Files, ", ")))
	}
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no session files in %s", a.tilde(strings.Join(o.Files, ", ")))
	}
	place := filepath.Join(w.State, "agentguard", "replay.json")
	sum := replaySummary{ByCheck: map[string]int{}}
	if o.Resume {
		if b, err := os.ReadFile(place); err == nil && json.Unmarshal(b, &sum) != nil {
			sum = replaySummary{ByCheck: map[string]int{}}
		}
		sum.Partial = false
	}
	bar := a.progress("replay", total)
	run, err := a.replayer(o.Judge, func(r replayed) {
		sum.Refused++
		sum.ByCheck[r.Check]++
		a.printReplayed(r, o.JSON)
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		if slices.Contains(sum.Finished, f.path) {
			bar.add(f.size)
			continue
		}
		if err := run.file(ctx, f.path, bar, &sum); err != nil {
			sum.Unread = append(sum.Unread, a.tilde(f.path)+": "+err.Error())
			continue
		}
		if ctx.Err() == nil {
			sum.Files++
			sum.Finished = append(sum.Finished, f.path)
		}
	}
	bar.end()
	sum.Partial = ctx.Err() != nil
	if err := saveReplay(place, sum); err != nil {
		a.notef("agentguard: %v\n", err)
	}
	sum.Finished = nil
	return a.printReplay(sum, o.JSON)
}

func (a *app) printReplayed(r replayed, asJSON bool) {
	r.File = a.tilde(r.File)
	if asJSON {
		if b, err := json.Marshal(r); err == nil {
			a.printf("%s\n", b)
		}
		return
	}
	if a.TerminalErr {
		a.notef("\r%s\r", strings.Repeat(" ", 78)) // the bar makes room for a line of data
	}
	a.printf("%s turn %d: %s by %s (%s): %s\n", r.File, r.Turn, r.Decision, r.Check, r.Mode, r.Subject)
}

func (a *app) printReplay(sum replaySummary, asJSON bool) error {
	if asJSON {
		b, err := json.Marshal(struct {
			Summary replaySummary `json:"summary"`
		}{sum})
		if err != nil {
			return err
		}
		a.printf("%s\n", b)
		return nil
	}
	if sum.Partial {
		a.printf("Stopped early; `agentguard replay --resume` goes on.\n")
	}
	a.printf("%d sessions, %d turns, %d tool calls: %d would have been refused\n", sum.Files, sum.Turns, sum.Calls, sum.Refused)
	ids := make([]string, 0, len(sum.ByCheck))
	for id := range sum.ByCheck {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		a.printf("  %-30s %d\n", id, sum.ByCheck[id])
	}
	for _, u := range sum.Unread {
		a.printf("  not read: %s\n", u)
	}
	return nil
}

func saveReplay(path string, sum replaySummary) error {
	b, err := json.Marshal(sum)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	return err
}

type sessionFile struct {
	path string
	size int64
}

// sessionFiles lists the transcripts among the arguments, folders searched
// through.
func sessionFiles(args []string) (files []sessionFile, total int64, err error) {
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				if path == arg {
					return err
				}
				return nil // a folder that cannot be read holds nothing for us
			}
			if d.IsDir() || (path != arg && !strings.HasSuffix(path, ".jsonl")) {
				return nil
			}
			info, err := d.Info()
			if err != nil || !info.Mode().IsRegular() {
				return nil //nolint:nilerr // it vanished
			}
			files = append(files, sessionFile{path, info.Size()})
			total += info.Size()
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return files, total, nil
}

// counting tells the progress bar what was read.
type counting struct {
	r   io.Reader
	bar *progress
}

// Read reads and counts.
func (c counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.bar.add(int64(n))
	return n, err
}

// replayFile runs every tool call and every end of a turn of one session.
func (r replayer) file(ctx context.Context, path string, bar *progress, sum *replaySummary) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	sidechain := strings.Contains(filepath.ToSlash(path), "/subagents/")
	client := clients.All()[0]
	number := 0
	var before []transcript.Turn
	err = transcript.Turns(counting{f, bar}, transcript.Limits{}, func(line []byte) (transcript.Entry, bool) {
		return client.Line(line, sidechain)
	}, func(t transcript.Turn, _ int64) bool {
		number++
		sum.Turns++
		history := transcript.History{Turns: append(slices.Clone(before), t), Complete: number <= 3}
		for _, c := range t.Calls {
			if ctx.Err() != nil {
				return false
			}
			sum.Calls++
			r.event(ctx, hook.Event{Name: hook.PreToolUse, Tool: &hook.Tool{Name: c.Tool, UseID: c.ID, Input: c.Input}}, path, number, transcript.History{})
		}
		if message := t.LastMessage(); message != "" {
			r.event(ctx, hook.Event{Name: hook.Stop, TranscriptPath: path, Stop: &hook.End{LastMessage: message}}, path, number, history)
		}
		before = append(before, t)
		if len(before) > 2 {
			before = before[1:]
		}
		return ctx.Err() == nil
	})
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// replayer runs the checks on events of the past.
type replayer struct {
	env    door.Env
	world  checks.World
	policy *policy.Effective
	checks []checks.Check
	emit   func(replayed)
}

// replayer makes one with the policy of the current folder and one judge.
func (a *app) replayer(judge string, emit func(replayed)) (replayer, error) {
	dir, err := workingDir()
	if err != nil {
		return replayer{}, err
	}
	p := *a.policyOf(dir)
	p.Judge.Order = []string{judge}
	w := a.env.World()
	w.DryRun, w.Past = true, true
	w.Judge = door.Judge(a.env, w, &p)
	return replayer{env: a.env, world: w, policy: &p, checks: door.Checks(), emit: emit}, nil
}

// event runs one event and emits what would have been refused.
func (r replayer) event(ctx context.Context, ev hook.Event, path string, turn int, h transcript.History) {
	dir := string(filepath.Separator) + "past"
	ev.Client, ev.SessionID, ev.CWD, ev.ProjectDir = "claude", path, dir, dir
	w := r.world
	w.History = func(string, bool, transcript.Limits) (transcript.History, error) { return h, nil }
	in := &checks.Input{Event: ev, Policy: r.policy, World: w}
	result := engine.Run(ctx, in, r.checks, r.env.Now)
	if ctx.Err() != nil {
		return // checks that were broken off count as failed, which is no finding about the past
	}
	for _, f := range result.Findings {
		if f.Finding.Decision < hook.Ask {
			continue
		}
		subject := f.Finding.Subject
		if command, ok := in.ShellCommand(); ok {
			subject = command
		}
		subject, _ = redact.Text(strings.Join(strings.Fields(subject), " "))
		if runes := []rune(subject); len(runes) > 160 {
			subject = string(runes[:160]) + "…"
		}
		r.emit(replayed{
			File: path, Turn: turn, Event: ev.Name, Check: f.Check.ID, Decision: f.Finding.Decision, Mode: f.Mode.String(),
			Rule: f.Finding.Rule, Subject: subject, Reason: f.Finding.Reason,
		})
	}
}
