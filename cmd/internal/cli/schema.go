package cli

import (
	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/settings/policy"
)

func (a *app) schemaCommand() *cli.Command {
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of a policy file, for editors (read-only)",
		Action: func(*cli.Context) error {
			a.printf("%s", policy.Schema(checks.Known(checks.All())))
			return nil
		},
	}
}
