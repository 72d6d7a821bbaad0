// Package evidence tells what is true of a repository: its state as git sees
// it, the tree a run was made on, and how a claim of verification stands.
//
// Nothing here is guessed. A fact that cannot be told is an error or ok=false,
// and callers treat it as unknown. Nothing of a repository is run: hooks,
// pagers, file system monitors, external diffs and the filters that its own
// configuration names stay off.
package evidence

import "errors"

// Errors of the facts. Each means unknown, never no.
var (
	ErrNoRepo     = errors.New("not in a git repository")
	ErrNoWorktree = errors.New("the repository has no working tree")
	ErrRefused    = errors.New("git refuses this repository")
	ErrUnknown    = errors.New("cannot be told")
	ErrNoGit      = errors.New("git is not on the PATH")
	ErrKilled     = errors.New("git was killed")
	ErrSlow       = errors.New("git did not answer in time")
	ErrBroken     = errors.New("git cannot read this repository")
	ErrRecord     = errors.New("the record of runs cannot be used")
)
