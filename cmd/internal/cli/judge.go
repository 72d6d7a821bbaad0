package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"agentguard/judge"
	"agentguard/judge/backend"
	judgehttp "agentguard/judge/backend/http"
	"agentguard/judge/redact"
)

func (a *app) judgeCommand() *cli.Command {
	return &cli.Command{
		Name: "judge", Usage: "try the judges that read closing messages",
		Action: cli.ShowSubcommandHelp,
		Subcommands: []*cli.Command{
			{
				Name: "run", Usage: "read a text from standard input with the policy's judge and show every field (read-only)",
				Description: "For example: echo \"I'll commit this now.\" | agentguard judge run",
				Flags: []cli.Flag{
					&cli.StringSliceFlag{Name: "check", Usage: "only these checks; all five when absent"},
					&cli.StringFlag{Name: "backend", Usage: "only this backend instead of the policy's order"},
					jsonFlag(),
				},
				Action: func(c *cli.Context) error {
					return a.judgeRun(c.Context, c.StringSlice("check"), c.String("backend"), c.Bool("json"))
				},
			},
			{
				Name: "backends", Usage: "ask each backend of the policy a sample question (read-only; a model may charge for it)",
				Flags:  []cli.Flag{jsonFlag()},
				Action: func(c *cli.Context) error { return a.judgeBackends(c.Context, c.Bool("json")) },
			},
			a.judgeEvalCommand(),
			{
				// The hook program links no HTTP and has this one send its requests.
				Name: "ask", Hidden: true, Usage: "send one request of the hook program",
				Action: func(c *cli.Context) error {
					return judgehttp.Caller{Getenv: a.env.Get}.Serve(c.Context, a.In, a.Out)
				},
			},
		},
	}
}

func (a *app) judgeRun(ctx context.Context, checks []string, only string, asJSON bool) error {
	raw, err := a.read("-")
	if err != nil {
		return err
	}
	if len(checks) == 0 {
		checks = judge.Checks()
	}
	q := judge.Question{}
	q.Text, _ = redact.Text(string(raw))
	for _, id := range checks {
		spec, ok := judge.Named(id)
		if !ok {
			return usage("no judged check is called %q; there are %s", id, strings.Join(judge.Checks(), ", "))
		}
		q.Specs = append(q.Specs, spec)
	}
	backends, timeout, err := a.judgeSetup(only)
	if err != nil {
		return err
	}
	asker := judge.Asker{Backends: backends, Timeout: timeout, Now: a.env.Now}
	verdicts := asker.Ask(ctx, q)
	if asJSON {
		return a.json(verdicts)
	}
	for _, spec := range q.Specs {
		v := verdicts[spec.Check]
		a.printf("%-30s %-10s %s\n", spec.Check, v.Result, v.Backend)
		for _, f := range spec.Fields {
			a.printf("    %-26s %v\n", f.Name, v.Fields[f.Name])
		}
		if v.Reason != "" {
			a.printf("    reason: %s\n", v.Reason)
		}
		for _, e := range v.Errors {
			a.printf("    %s\n", e)
		}
	}
	a.printf("\nHow the offline reader sees it:\n%s", backend.ExplainOffline(q))
	return nil
}

// probed is one backend's answer to the sample question.
type probed struct {
	Backend string  `json:"backend"`
	Works   bool    `json:"works"`
	MS      float64 `json:"ms"`
	Error   string  `json:"error,omitempty"`
	CostUSD float64 `json:"cost_usd,omitempty"`
}

// sample is a text that any judge must take for a proposal without verification.
const sample = "The change is in place. I'll commit and push it now."

func (a *app) judgeBackends(ctx context.Context, asJSON bool) error {
	backends, timeout, err := a.judgeSetup("")
	if err != nil {
		return err
	}
	spec, _ := judge.Named("commit-before-verification")
	results := []probed{}
	failed := false
	for _, b := range backends {
		a.notef("asking %s …\n", b.Name())
		asker := judge.Asker{Backends: []judge.Backend{b}, Timeout: timeout, Now: a.env.Now}
		began := a.env.Now()
		v := asker.Ask(ctx, judge.Question{Specs: []judge.Spec{spec}, Text: sample})[spec.Check]
		p := probed{Backend: b.Name(), Works: v.Result == judge.Violation, MS: float64(a.env.Now().Sub(began).Milliseconds()), CostUSD: v.CostUSD}
		switch {
		case v.Result == judge.Fail:
			p.Error = strings.Join(v.Errors, "; ")
		case !p.Works:
			p.Error = fmt.Sprintf("answered %s to a plain violation", v.Result)
		}
		failed = failed || !p.Works
		results = append(results, p)
	}
	if asJSON {
		if err := a.json(results); err != nil {
			return err
		}
	} else {
		for _, p := range results {
			word := "works"
			if !p.Works {
				word = "does not work: " + p.Error
			}
			a.printf("%-12s %6.0f ms  %s\n", p.Backend, p.MS, word)
		}
	}
	if failed {
		return quiet(exitFindings)
	}
	return nil
}
