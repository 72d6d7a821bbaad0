// Package cli is the program for people: one file for each command, which turns
// flags into options and hands them to a function that does the work.
package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"agentguard/cmd/internal/door"
)

// Main runs one command line and returns the exit status.
func Main(args []string, s Streams, env door.Env) int {
	app := New(s, env)
	err := app.Run(args)
	return report(s, err)
}

// New builds the command tree. Nothing of the library reaches stdout: with its
// defaults a wrong flag would print help there.
func New(s Streams, env door.Env) *cli.App {
	a := &app{Streams: s, env: env}
	return &cli.App{
		Name:                 "agentguard",
		Usage:                "guards for coding agents that decide from evidence, and a doctor that proves they work",
		Writer:               s.Err,
		ErrWriter:            s.Err,
		ExitErrHandler:       func(*cli.Context, error) {},
		OnUsageError:         usageError,
		HideVersion:          true,
		EnableBashCompletion: true,
		Suggest:              true,
		CommandNotFound: func(_ *cli.Context, name string) {
			_, _ = fmt.Fprintf(s.Err, "agentguard: there is no command %q; `agentguard help` lists them\n", name) //nolint:errcheck // stderr
		},
		Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version", DisableDefaultText: true}},
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return a.version(false)
			}
			if c.Args().Present() {
				return usage("there is no command %q; `agentguard help` lists them", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		Commands: a.commands(),
	}
}

// app is what every command is given.
type app struct {
	Streams
	env   door.Env
	lines *bufio.Reader // of In, for answers
}

// commands lists the tree, in the order of the help text.
func (a *app) commands() []*cli.Command {
	commands := []*cli.Command{
		a.initCommand(), a.uninstallCommand(), a.statusCommand(), a.doctorCommand(), a.explainCommand(),
		a.evidenceCommand(), a.judgeCommand(), a.replayCommand(), a.trustCommand(), a.waiveCommand(), a.offCommand(), a.onCommand(), a.schemaCommand(), a.versionCommand(),
		a.checkCommand(), a.scanCommand(),
	}
	for _, c := range commands {
		for _, each := range append([]*cli.Command{c}, c.Subcommands...) {
			each.OnUsageError = usageError
			shortHelp(each.Flags)
			strict(each)
		}
	}
	return commands
}

// Streams are the standard streams of a run.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Terminal tells whether In is a person's terminal, so that questions make
	// sense; TerminalErr whether Err is one, so that a bar can be redrawn there.
	Terminal, TerminalErr bool
	// ColorOut and ColorErr tell whether colour is wanted on each stream.
	ColorOut, ColorErr bool
}

// printf writes data to stdout.
func (s Streams) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Out, format, args...) //nolint:errcheck // a reader that went away
}

// notef writes to stderr what is not data: progress, questions, advice.
func (s Streams) notef(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Err, format, args...) //nolint:errcheck // a reader that went away
}
