package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/cmd/internal/door"
	"agentguard/hook"
	"agentguard/hook/clients"
	"agentguard/settings/policy"
)

// casesFile is where a project keeps the tests of its policy.
var casesFile = filepath.Join(".agentguard", "cases.jsonl")

// checkOptions say what to check.
type checkOptions struct {
	Dir   string
	Cases string // empty: the project's own file, if it has one
	JSON  bool
}

func (a *app) checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "test the policy: its form, its own rules and its cases (read-only)",
		Description: "Reads the project's policy as it holds once it is trusted, finds mistakes, rules that can never\n" +
			"decide and rules without a case, and holds each line of .agentguard/cases.jsonl to what it expects.\n" +
			"No command is run and nothing is recorded. Status 2 when something is wrong.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Usage: "the project's `FOLDER`; the current one when absent"},
			&cli.StringFlag{Name: "cases", Usage: "the case `FILE` instead of .agentguard/cases.jsonl"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if _, err := existing(c.String("dir")); err != nil {
				return err // a mistyped folder must not pass in CI
			}
			return a.check(c.Context, checkOptions{Dir: c.String("dir"), Cases: c.String("cases"), JSON: c.Bool("json")})
		},
	}
}

// checked is one line of the result.
type checked struct {
	Level   string `json:"level"` // error, warning
	Kind    string `json:"kind"`  // policy, case, shadowed, unreachable, untested, ignored
	Where   string `json:"where"`
	Message string `json:"message"`
}

// checkReport is the JSON form of a check.
type checkReport struct {
	Findings []checked `json:"findings"`
	Rules    int       `json:"rules"` // own rules and exceptions
	Cases    int       `json:"cases"`
	Failed   int       `json:"failed"`
}

func (r *checkReport) add(level, kind, where, format string, args ...any) {
	r.Findings = append(r.Findings, checked{level, kind, where, fmt.Sprintf(format, args...)})
}

// errs counts what makes the check fail.
func (r *checkReport) errs() int {
	n := 0
	for _, f := range r.Findings {
		if f.Level == "error" {
			n++
		}
	}
	return n
}

func (a *app) check(ctx context.Context, o checkOptions) error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	p := a.projectPolicy(dir)
	report := checkReport{Findings: []checked{}, Rules: len(p.policy.Commands) + len(p.policy.Exceptions)}
	for _, problem := range p.problems {
		report.Findings = append(report.Findings, problemLine(problem))
	}
	for _, x := range p.ignored {
		report.add("warning", "ignored", x.Where, "the exception %s from %s does not count: only the layer that set the rule, or a stronger one, can make it", x.ID, x.Rule)
	}
	bare := p.input(hook.Event{CWD: p.root})
	for _, f := range checks.Lint(ctx, bare) {
		level := "warning"
		if f.Sure {
			level = "error"
		}
		report.add(level, f.Kind, f.Rule.Where, "the rule %s is %s: %s", f.Rule.ID, f.Kind, f.Message)
	}
	a.reviewHooks(p, &report)
	tested, err := a.runCases(ctx, p, o.Cases, &report)
	if err != nil {
		return err
	}
	for _, r := range append(slices.Clone(p.policy.Commands), p.policy.Exceptions...) {
		if !tested[r.ID] {
			report.add("warning", "untested", r.Where, "the rule %s has no case in %s; add a call that it decides", r.ID, casesFile)
		}
	}
	if o.JSON {
		if err := a.json(report); err != nil {
			return err
		}
	} else {
		for _, f := range report.Findings {
			a.printf("%s: %s: %s\n", a.local(p.root, f.Where), f.Level, f.Message)
		}
		a.printf("%d own rules, %d cases, %d failed; %d errors, %d warnings\n", report.Rules, report.Cases, report.Failed, report.errs(), len(report.Findings)-report.errs())
	}
	if report.errs() > 0 {
		return quiet(exitFindings)
	}
	return nil
}

func problemLine(p policy.Problem) checked {
	where := p.Path
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Col)
	}
	return checked{"error", "policy", where, p.Message}
}

// local shortens a place for a person who stands in the project.
func (a *app) local(root, where string) string {
	if rel, err := filepath.Rel(root, where); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return a.tilde(where)
}

// project is a policy under test.
type project struct {
	root     string
	policy   *policy.Effective
	problems []policy.Problem
	ignored  []policy.OwnRule
	world    checks.World
	client   clients.Client
}

// projectPolicy reads the policy of a folder. What the project itself decides is
// tested as if trusted, without the layers of the person who runs the test: the
// answer must be the same on every machine. Without a team policy the layers that
// are there are tested.
func (a *app) projectPolicy(dir string) project {
	w := a.env.World()
	w.DryRun = true
	client := clients.All()[0]
	w.History = client.History
	root := policy.Root(dir)
	known := checks.Known(door.Checks())
	loaded := policy.Load(policy.PathsFor(root, w.Config, w.State, w.GOOS), known)
	p := project{root: root, problems: loaded.Problems, world: w, client: client}
	files := slices.Clone(loaded.Files)
	if slices.ContainsFunc(files, func(f policy.File) bool { return f.Layer == policy.Team }) {
		files = slices.DeleteFunc(files, func(f policy.File) bool { return f.Layer == policy.User || f.Layer == policy.Local })
	}
	p.policy = policy.Merge(files, known, true, nil)
	// A test costs nothing and says the same every time: no model is asked.
	p.policy.Judge.Order, p.policy.Judge.Backends = []string{"offline"}, nil
	p.world.Judge = door.Judge(a.env, w, p.policy)
	for _, f := range loaded.Files {
		for _, r := range f.Policy.Commands {
			counts := func(e *policy.Effective) bool {
				return slices.ContainsFunc(e.Exceptions, func(x policy.OwnRule) bool { return x.Where == r.Where })
			}
			if !r.Refuses() && !counts(p.policy) && !counts(loaded) {
				p.ignored = append(p.ignored, r)
			}
		}
	}
	return p
}

// input makes the input of a call in the project.
func (p project) input(ev hook.Event) *checks.Input {
	ev.Client, ev.SessionID, ev.ProjectDir = p.client.Name(), "check", p.root
	return &checks.Input{Event: ev, Policy: p.policy, World: p.world}
}

// runCases holds each case to what it expects and returns the ids of the own
// rules that a case matched.
func (a *app) runCases(ctx context.Context, p project, name string, report *checkReport) (map[string]bool, error) {
	tested := map[string]bool{}
	own := name == ""
	if own {
		name = filepath.Join(p.root, casesFile)
	}
	src, err := os.ReadFile(name)
	if own && errors.Is(err, fs.ErrNotExist) {
		return tested, nil
	}
	if err != nil {
		return nil, err
	}
	cases, problems := policy.DecodeCases(src, name)
	for _, problem := range problems {
		line := problemLine(problem)
		line.Kind = "case"
		report.Findings = append(report.Findings, line)
	}
	lines := map[int]bool{}
	for _, problem := range problems {
		lines[problem.Line] = true
	}
	report.Cases, report.Failed = len(cases)+len(lines), len(lines)
	for _, c := range cases {
		in := p.input(caseEvent(p.root, c))
		for _, r := range in.OwnMatches(ctx) {
			tested[r.ID] = true
		}
		if fault := judgeCase(engine.Run(ctx, in, door.Checks(), a.env.Now), c); fault != "" {
			report.Failed++
			report.add("error", "case", c.Where, "%s", fault)
		}
	}
	return tested, nil
}

// caseEvent is the event that a case speaks of.
func caseEvent(root string, c policy.Case) hook.Event {
	ev := hook.Event{Name: hook.PreToolUse, CWD: root}
	if c.Cwd != "" {
		ev.CWD = filepath.Join(root, c.Cwd)
	}
	switch {
	case c.Run != "":
		ev.Tool = &hook.Tool{Name: "Bash", Input: mustJSON(map[string]string{"command": c.Run})}
	case c.Write != "":
		path := c.Write
		if !filepath.IsAbs(path) {
			path = filepath.Join(ev.CWD, path)
		}
		ev.Tool = &hook.Tool{Name: "Write", Input: mustJSON(map[string]string{"file_path": path, "content": c.Content})}
	case c.Tool != "":
		input := c.Input
		if input == nil {
			input = map[string]string{}
		}
		ev.Tool = &hook.Tool{Name: c.Tool, Input: mustJSON(input)}
	default:
		ev.Name, ev.Stop = hook.Stop, &hook.End{LastMessage: c.Stop}
	}
	return ev
}

// judgeCase says how an answer differs from what a case expects; empty when it
// does not.
func judgeCase(result engine.Result, c policy.Case) string {
	out := result.Answer()
	got := out.Decision.String()
	switch {
	case out.Decision == hook.Pass && len(out.Rewrite) > 0:
		got = "rewrite"
	case out.Decision == hook.Pass:
		got = "allow"
	}
	rule := ""
	for _, f := range result.Findings {
		if f.Check.ID == out.Check && f.Finding.Decision == out.Decision || got == "rewrite" && len(f.Finding.Rewrite) > 0 {
			rule = f.Finding.Rule
		}
	}
	by := ""
	if out.Check != "" {
		by = fmt.Sprintf(" by %s/%s: %s", out.Check, rule, out.Reason)
	}
	switch {
	case got != c.Wants():
		return fmt.Sprintf("expected %s, got %s%s", c.Expect, got, by)
	case c.Check != "" && c.Check != out.Check:
		return fmt.Sprintf("expected the check %s to decide, it was %s", c.Check, first(out.Check, "none"))
	case c.Rule != "" && c.Rule != rule:
		return fmt.Sprintf("expected the rule %s to decide, it was %s", c.Rule, first(rule, "none"))
	}
	return ""
}
