// Package client finds the real coding client and runs it without a person, against a scripted model and in a home
// folder of the test's own, and reads back what its hooks did.
package client

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed version.txt
var pinned string

// Version is the client's version that the tests were written against. `.ci/client` installs exactly this one.
func Version() string { return strings.TrimSpace(pinned) }

// PathVariable names a client program to use instead of the installed one.
const PathVariable = "AGENTGUARD_CLAUDE"

// ErrNotFound is returned by Find when there is no client on this machine.
var ErrNotFound = errors.New("no client program: set " + PathVariable + " to one, or run .ci/client to install the pinned version")

// Client is a client program.
type Client struct{ Path string }

// Find returns the program that the environment names, else the one that `.ci/client` put into the cache folder.
// It never takes a `claude` from PATH: a person's own client may be of another version. A named program that does not
// exist is an error of its own, so that a typing mistake does not skip tests.
func Find(getenv func(string) string, cacheDir string) (Client, error) {
	if path := getenv(PathVariable); path != "" {
		if err := executable(path); err != nil {
			return Client{}, fmt.Errorf("using %s: %w", PathVariable, err)
		}
		return Client{Path: path}, nil
	}
	path := filepath.Join(cacheDir, "agentguard-ci", "claude-"+Version(), "claude")
	if executable(path) != nil {
		return Client{}, ErrNotFound
	}
	return Client{Path: path}, nil
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s is not a program", path)
	}
	return nil
}
