package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"agentguard/checks/audit"
	"agentguard/cmd/internal/door"
)

func (a *app) offCommand() *cli.Command {
	return &cli.Command{
		Name: "off", Usage: "switch your guards off for a time (writes; a person at a terminal only)",
		Description: "The switch is recorded, ends by itself, and a policy may forbid it (\"allow_off\": false).",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "for", Value: 30 * time.Minute, Usage: "how long, at most 8h"},
			&cli.StringFlag{Name: "reason", Usage: "why; it is recorded"},
		},
		Action: func(c *cli.Context) error { return a.off(c.Duration("for"), c.String("reason")) },
	}
}

func (a *app) off(span time.Duration, reason string) error {
	if span <= 0 || span > door.LongestOff {
		return usage("--for takes a time up to %v, not %v", door.LongestOff, span)
	}
	dir, err := workingDir()
	if err != nil {
		return err
	}
	if a.policyOf(dir).OffForbidden {
		return refused("a policy of this folder forbids switching the guards off (allow_off is false)")
	}
	if err := a.personOnly("switching the guards off", "off"); err != nil {
		return err
	}
	w := a.env.World()
	until := w.Now.Add(span)
	if err := door.SwitchOff(w.State, door.Switch{Until: until, Reason: reason}); err != nil {
		return err
	}
	a.notef("The guards are off until %s. `agentguard on` switches them on again.\n", until.Format(time.TimeOnly))
	return audit.Append(audit.Dir(w.State), w.Now, audit.Record{Time: w.Now, Kind: "event", Event: "off", Note: "switched off until " + until.Format(time.RFC3339) + ": " + reason})
}

func (a *app) onCommand() *cli.Command {
	return &cli.Command{
		Name: "on", Usage: "switch your guards on again (writes)",
		Action: func(*cli.Context) error {
			w := a.env.World()
			was, err := door.SwitchOn(w.State)
			if err != nil {
				return err
			}
			if !was {
				a.notef("The guards are on.\n")
				return nil
			}
			a.notef("The guards are on again.\n")
			return audit.Append(audit.Dir(w.State), w.Now, audit.Record{Time: w.Now, Kind: "event", Event: "on", Note: "switched on"})
		},
	}
}
