package cli

import (
	"os"

	"github.com/urfave/cli/v2"

	"agentguard/settings/policy"
)

func (a *app) trustCommand() *cli.Command {
	return &cli.Command{
		Name: "trust", Usage: "trust this repository's policy to loosen, choose the judge and run commands (writes)",
		ArgsUsage:   "[FOLDER]",
		Description: "Shows the policy and asks. Trust is bound to its bytes: any change of them asks again.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "revoke", Usage: "trust it no longer"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask; still refused under an agent"},
		},
		Action: func(c *cli.Context) error {
			dir, err := folder(c)
			if err != nil {
				return err
			}
			return a.trust(policy.Root(dir), c.Bool("revoke"), c.Bool("yes"))
		},
	}
}

func (a *app) trust(dir string, revoke, yes bool) error {
	w := a.env.World()
	paths := policy.PathsFor(dir, w.Config, w.State, w.GOOS)
	if revoke {
		if err := policy.Distrust(paths.Trust, paths.Team); err != nil {
			return err
		}
		a.notef("The policy of %s is not trusted any more.\n", a.tilde(dir))
		return nil
	}
	if !policy.HasPolicy(dir) {
		return refused("%s has no policy to trust; `agentguard init` makes one", a.tilde(dir))
	}
	digest := policy.RepositoryDigest(paths)
	if policy.Trusted(paths.Trust, paths.Team, digest) {
		a.notef("The policy of %s is trusted already.\n", a.tilde(dir))
		return nil
	}
	for _, path := range []string{paths.Team, paths.Local} {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		a.printf("--- %s\n%s\n", a.tilde(path), text)
	}
	for _, p := range a.policyOf(dir).Problems {
		a.notef("problem: %s\n", a.tilde(p.Error()))
	}
	if yes {
		if mark := a.underAgent(); mark != "" {
			return refused("trusting a policy is for a person, not for an agent (%s)", mark)
		}
	} else if err := a.personOnly("trusting this policy", "trust"); err != nil {
		return err
	}
	if err := policy.Trust(paths.Trust, paths.Team, digest); err != nil {
		return err
	}
	a.notef("Trusted, until a byte of it changes. `agentguard trust --revoke` takes it back.\n")
	return nil
}
