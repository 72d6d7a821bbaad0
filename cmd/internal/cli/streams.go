package cli

import (
	"os"

	"github.com/mattn/go-isatty"
)

// OSStreams returns the process's streams. Colour is decided for each stream by
// itself: fatih/color looks at stdout alone.
func OSStreams() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	tty := func(f *os.File) bool { return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) }
	s.Terminal, s.TerminalErr = tty(os.Stdin), tty(os.Stderr)
	_, plain := os.LookupEnv("NO_COLOR")
	dumb := os.Getenv("TERM") == "dumb"
	s.ColorOut = tty(os.Stdout) && !plain && !dumb
	s.ColorErr = tty(os.Stderr) && !plain && !dumb
	return s
}
