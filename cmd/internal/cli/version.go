package cli

import (
	"encoding/json"

	"github.com/urfave/cli/v2"

	"agentguard/cmd/internal/door"
)

func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version (read-only)",
		Flags:  []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error { return a.version(c.Bool("json")) },
	}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print JSON"}
}

func (a *app) version(asJSON bool) error {
	v := door.Version()
	if asJSON {
		return a.json(v)
	}
	a.printf("agentguard %s (%s, %s)\n", v.Version, v.Go, v.Platform)
	return nil
}

// json prints one indented value to stdout.
func (a *app) json(v any) error {
	enc := json.NewEncoder(a.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
