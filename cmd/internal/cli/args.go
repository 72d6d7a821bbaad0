package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// strict makes a command refuse words that it would leave unread. How many it
// reads follows from its ArgsUsage: none, one in brackets, or many where an
// ellipsis ends it. The library stops looking for flags at the first other word,
// and `uninstall . --scope user` would take the project's guards away.
func strict(c *cli.Command) {
	action, most := c.Action, 0
	switch {
	case action == nil || strings.HasPrefix(c.ArgsUsage, "--"): // what follows is another program's
		return
	case strings.HasSuffix(c.ArgsUsage, "…]"), strings.HasSuffix(c.ArgsUsage, "…"):
		most = 1 << 16
	case c.ArgsUsage != "":
		most = 1
	}
	c.Action = func(ctx *cli.Context) error {
		words := ctx.Args().Slice()
		if at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && w != "-" }); at >= 0 {
			return usage("flags come before other words: write `%s %s`", ctx.Command.HelpName, strings.Join(slices.Concat(words[at:], words[:at]), " "))
		}
		if len(words) > most {
			return usage("%s does not know what to do with %q; `%s --help` shows what it takes", ctx.Command.HelpName, words[most], ctx.Command.HelpName)
		}
		return action(ctx)
	}
}

// folder returns the folder that a command was given, the current one when it
// was given none, absolute. One that is not there is a mistake of the caller.
func folder(c *cli.Context) (string, error) { return existing(c.Args().First()) }

// existing returns the absolute path of a folder that is there; "" is the
// current one.
func existing(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usage("%s is no folder", dir)
	}
	return dir, nil
}

// shortHelp leaves "(default: false)" out of the help: a switch is off until given.
func shortHelp(flags []cli.Flag) {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok {
			b.DisableDefaultText = true
		}
	}
}
