package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fatih/color"
	"github.com/urfave/cli/v2"

	"agentguard/cmd/internal/door"
	"agentguard/installer"
	"agentguard/installer/doctor"
)

// doctorOptions are what the doctor was asked to do.
type doctorOptions struct {
	Dir                   string
	Explain               string
	Live, Fix, DryRun     bool
	Yes, Undo, JSON, Full bool
}

func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "prove that the guards work here, and find what keeps them from it (read-only without --fix)",
		ArgsUsage: "[FOLDER]",
		Description: "Looks at every settings file the client reads, runs our own entries the way the client does,\n" +
			"and says what is proven, what is wrong, and one mend for each. Foreign hooks are never run.\n" +
			"Exit status: 0 nothing to do, 1 warnings, 2 errors.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "live", Usage: "also start stand-in clients and your shell, to count recursion and catch noise"},
			&cli.BoolFlag{Name: "fix", Usage: "mend what can be mended; shows the changes first"},
			&cli.BoolFlag{Name: "undo", Usage: "take the last --fix back"},
			&cli.BoolFlag{Name: "dry-run", Usage: "with --fix or --undo: show the changes and write nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "with --fix or --undo: do not ask"},
			&cli.StringFlag{Name: "explain", Usage: "print cause and mend of a `KIND` of finding"},
			&cli.BoolFlag{Name: "all", Usage: "also list the probes that found nothing"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			dir, err := folder(c)
			if err != nil {
				return err
			}
			return a.doctor(c.Context, doctorOptions{
				Dir: dir, Explain: c.String("explain"), Live: c.Bool("live"), Fix: c.Bool("fix"), DryRun: c.Bool("dry-run"),
				Yes: c.Bool("yes"), Undo: c.Bool("undo"), JSON: c.Bool("json"), Full: c.Bool("all"),
			})
		},
	}
}

// patient gathers what the doctor examines.
func (a *app) patient(dir string) *doctor.Patient {
	w := a.env.World()
	p := &doctor.Patient{
		ProjectDir: dir, Home: w.Home, ConfigDir: a.env.Get("CLAUDE_CONFIG_DIR"), StateDir: filepath.Join(w.State, "agentguard"),
		OS: a.env.Get("AGENTGUARD_DOCTOR_OS"), Environ: os.Environ(), HookPath: w.Hook, ToolPath: w.Tool,
		Version: door.Version().Version, Now: w.Now,
	}
	for _, m := range a.policyOf(dir).Problems {
		p.Policy = append(p.Policy, doctor.Mistake{File: m.Path, Line: m.Line, Message: m.Message})
	}
	return p
}

func (a *app) doctor(ctx context.Context, o doctorOptions) error {
	if o.Explain != "" {
		page, near, ok := doctor.Explain(o.Explain)
		switch {
		case !ok && near != "":
			return usage("there is no kind %q; did you mean %q?", o.Explain, near)
		case !ok:
			return usage("there is no kind %q; a finding's kind is the word after error, warn or info, such as %q", o.Explain, "hooks-disabled")
		}
		a.printf("%s", page)
		return nil
	}
	p := a.patient(o.Dir)
	if o.Undo {
		plan, err := doctor.Undo(p)
		if err != nil {
			return refusal(err)
		}
		if plan.Empty() {
			a.notef("There is no --fix to take back.\n")
			return nil
		}
		return a.applyMends(ctx, plan, o)
	}
	report := doctor.Run(ctx, p, doctor.Options{Live: o.Live})
	if o.JSON {
		text, err := report.JSON()
		if err != nil {
			return err
		}
		a.printf("%s\n", text)
	} else {
		a.printReport(report, o.Full)
	}
	if o.Fix {
		plan, err := report.Plan(p, nil)
		if err != nil {
			return refusal(err)
		}
		if !plan.Empty() {
			return a.applyMends(ctx, plan, o)
		}
		if report.Worst() >= doctor.Warning {
			a.notef("Nothing of this can be mended from here: follow the lines that begin with \"mend\".\n")
		} else {
			a.notef("There is nothing to mend.\n")
		}
	}
	switch report.Worst() {
	case doctor.Error:
		return quiet(exitFindings)
	case doctor.Warning:
		return quiet(exitFailed)
	default:
		return nil
	}
}

// severityColors paint the words of findings.
var severityColors = map[doctor.Severity]color.Attribute{
	doctor.Error: color.FgRed, doctor.Warning: color.FgYellow, doctor.Info: color.FgCyan, doctor.OK: color.FgGreen,
}

func (a *app) printReport(r doctor.Report, full bool) {
	word := func(s doctor.Severity) string {
		attr, ok := severityColors[s]
		if !ok {
			attr = color.Faint
		}
		return paint(a.ColorOut, attr)(fmt.Sprintf("%-7s", s))
	}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			f = r.Show(f)
			if f.Severity == doctor.OK && f.Message == "" {
				continue
			}
			a.printf("%s %s", word(f.Severity), f.Kind)
			if f.File != "" {
				a.printf("  %s", f.File)
				if f.Line > 0 {
					a.printf(":%d", f.Line)
				}
			}
			a.printf("\n        %s\n", wrap(f.Message, "        "))
			if f.Fix != "" {
				a.printf("        mend: %s\n", wrap(f.Fix, "              "))
			}
		}
		if result.Note != "" && (full || result.Status != doctor.Skipped) || full && len(result.Findings) == 0 {
			a.printf("%s %s: %s\n", word(result.Status), result.Title, first(result.Note, "nothing found"))
		}
	}
	counts := map[doctor.Severity]int{}
	for _, f := range r.Findings() {
		counts[f.Severity]++
	}
	a.printf("%d proven, %d errors, %d warnings, %d for information\n", len(r.Proven()), counts[doctor.Error], counts[doctor.Warning], counts[doctor.Info])
}

func (a *app) applyMends(ctx context.Context, plan doctor.Plan, o doctorOptions) error {
	a.printf("%s", plan.Diff())
	switch {
	case o.DryRun:
		a.notef("Dry run: nothing was written.\n")
		return nil
	case o.Yes:
	case !a.Terminal:
		return refused("there is no terminal to ask on; look at the changes above and repeat with --yes")
	default:
		if !a.ask("Write these changes?") {
			a.notef("Nothing was written.\n")
			return quiet(exitCancel)
		}
	}
	if err := plan.Apply(ctx, a.env.Now()); err != nil {
		return refusal(err)
	}
	if o.Undo {
		a.notef("Taken back. Run the doctor again to see what that leaves.\n")
		return nil
	}
	a.notef("Done. `agentguard doctor --undo` takes it back; run the doctor again to see what is left.\n")
	return nil
}

// prove ends init: it runs the entries that were just written the way the client
// does and says what is in force, and what is not yet.
func (a *app) prove(ctx context.Context, req installer.Request) error {
	p := a.patient(req.ProjectDir)
	report := doctor.Run(ctx, p, doctor.Options{})
	a.printReport(report, false)
	if len(report.Proven()) == 0 {
		a.notef("The guards are installed, but nothing proves that they work; see above.\n")
		return quiet(exitFindings)
	}
	if report.Worst() == doctor.Error {
		a.notef("Other things in these settings need a look; see above.\n")
	}
	a.notef("The guards are in force in sessions that start now; sessions that are running take them up within seconds.\n")
	return nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
