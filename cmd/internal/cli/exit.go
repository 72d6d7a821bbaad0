package cli

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

// Exit statuses, a documented table: README lists it.
const (
	exitOK       = 0
	exitFailed   = 1 // the command could not do its work
	exitUsage    = 64
	exitFindings = 2 // doctor or check found errors; the output says which
	exitRefused  = 4 // nothing was done, because it is not safe or not allowed
	exitCancel   = 5 // the person said no
)

// exitError is an error that decides the exit status.
type exitError struct {
	code int
	err  error
}

// Error returns the message; empty when everything was said already.
func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

func refused(format string, args ...any) error {
	return &exitError{exitRefused, fmt.Errorf(format, args...)}
}

// quiet ends with a status after everything was said already.
func quiet(code int) error { return &exitError{code: code} }

func usageError(c *cli.Context, err error, _ bool) error {
	name := c.Command.HelpName // the whole path of a sub-command
	if name == "" {
		name = c.App.Name
	}
	return usage("%w; `%s --help` shows what it takes", err, name)
}

// report prints an error, once, and returns the exit status.
func report(s Streams, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFailed
	if own, ok := errors.AsType[*exitError](err); ok {
		code = own.code
	}
	if text := err.Error(); text != "" {
		s.notef("agentguard: %s\n", text)
	}
	return code
}
