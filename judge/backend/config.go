// Package backend holds the judges that can be asked: agent clients without a
// key of their own, models behind HTTP through the sibling program, any program
// of the user, and the offline reader.
//
// Each one starts its process in a group of its own and an empty folder, with
// the variables that keep inner hooks quiet, bounds what it reads, and leaves
// no process behind when its time is over.
package backend

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"agentguard/judge"
)

// Config is one backend as the policy writes it.
type Config struct {
	Name string `json:"name"`
	Type string `json:"type"` // a name of All; Name when empty
	// Model is the provider's name of the model; empty means the default of the
	// backend, where it has one.
	Model   string `json:"model,omitempty"`
	BaseURL string `json:"base_url,omitempty"` // anthropic, openai
	// KeyEnv is the name of the variable that holds the key, never the key.
	KeyEnv  string   `json:"key_env,omitempty"`
	Command []string `json:"command,omitempty"` // command: the program and its arguments; claude, codex: another program of that kind
	// Env are more variables for the backend's process.
	Env map[string]string `json:"env,omitempty"`
}

// Host is what a backend may use of the machine it runs on.
type Host struct {
	Environ []string  // "NAME=value" of the hook's own process; the child gets it, cleaned
	TempDir string    // an existing folder; each call makes its own folder in it
	Rand    io.Reader // source of boundary tokens, crypto/rand.Reader outside of tests
	// Program is the absolute path of agentguard, which speaks HTTP for us.
	Program string
	// Dir is the folder that a program written as a relative path is looked for
	// in, such as ./judge.sh of a team's policy; empty means the current one.
	Dir string
	// LookPath finds a program by name, as exec.LookPath does; nil means that one.
	LookPath func(string) (string, error)
}

// Maker builds a backend from its entry in the policy.
type Maker func(Config, Host) (judge.Backend, error)

// ErrConfig is wrapped by every complaint about an entry of the policy.
var ErrConfig = errors.New("judge backend")

// All are the types of backends by name.
func All() map[string]Maker {
	return map[string]Maker{
		"anthropic": newRemote,
		"claude":    newClaude,
		"codex":     newCodex,
		"command":   newCommand,
		"offline":   func(Config, Host) (judge.Backend, error) { return Offline(), nil },
		"openai":    newRemote,
	}
}

// Order builds the backends that a policy names, in that order. A name that has
// no entry in configs stands for the type of that name with its defaults. An
// entry that cannot be built is left out and reported; the others still work.
func Order(order []string, configs []Config, host Host) ([]judge.Backend, error) {
	var out []judge.Backend
	var errs []error
	for _, name := range order {
		c := Config{Name: name, Type: name}
		if i := slices.IndexFunc(configs, func(c Config) bool { return c.Name == name }); i >= 0 {
			c = configs[i]
		}
		b, err := New(c, host)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, b)
	}
	return out, errors.Join(errs...)
}

// New builds one backend.
func New(c Config, host Host) (judge.Backend, error) {
	if c.Type == "" {
		c.Type = c.Name
	}
	if c.Name == "" {
		c.Name = c.Type
	}
	maker, ok := All()[c.Type]
	if !ok {
		known := slices.Sorted(maps.Keys(All()))
		return nil, fmt.Errorf("%w %q: unknown type %q; known are %s", ErrConfig, c.Name, c.Type, strings.Join(known, ", "))
	}
	return maker(c, host)
}
