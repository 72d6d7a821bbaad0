package doctor

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"agentguard/settings"
)

// Patient is what is examined: a folder in which a client is started, and
// everything around it that decides what the client does there.
type Patient struct {
	// ProjectDir is the folder where the client is started, absolute.
	ProjectDir string
	// Home is the person's home folder; ConfigDir the client's own folder in it,
	// of CLAUDE_CONFIG_DIR, or empty for .claude in Home.
	Home, ConfigDir string
	// StateDir is our state folder, with install records and trust.
	StateDir string
	// OS is the system whose rules count, as in GOOS; empty means this one.
	OS string
	// Environ is the environment a client would be started with.
	Environ []string
	// ManagedDir replaces the system's folder of managed settings, for tests.
	ManagedDir string

	// HookPath and ToolPath are the two programs that belong together, Version the
	// build of both.
	HookPath, ToolPath string
	Version            string
	// ClientVersion is the client's; the zero value makes the doctor ask the
	// client on PATH, and assume the newest when there is none.
	ClientVersion settings.Version
	// Policy lists the mistakes in the policy files of this folder.
	Policy []Mistake
	// Now is the time of the run.
	Now time.Time
	// Start runs a program; nil means to do so.
	Start func(ctx context.Context, run Process) Output

	once  sync.Once
	chart *chart

	known sync.Mutex
	units map[*unit]*facts
}

func (p *Patient) defaults() {
	if p.OS == "" {
		p.OS = runtime.GOOS
	}
	if p.OS == "macos" {
		p.OS = "darwin"
	}
	if p.ConfigDir == "" {
		p.ConfigDir = filepath.Join(p.Home, ".claude")
	}
	if p.Start == nil {
		p.Start = start
	}
}

// env returns a variable of the client's environment.
func (p *Patient) env(name string) (string, bool) {
	for _, pair := range slices.Backward(p.Environ) {
		if k, v, ok := strings.Cut(pair, "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// clientEnv is the environment of a hook process: the client's own, the env
// blocks of the settings, and what the client sets.
func (p *Patient) clientEnv(extra ...string) []string {
	env := slices.Clone(p.Environ)
	for _, v := range p.read().env {
		env = append(env, v.name+"="+v.value)
	}
	env = append(env,
		"CLAUDE_PROJECT_DIR="+p.ProjectDir, "CLAUDECODE=1", "CLAUDE_CODE_CHILD_SESSION=1",
		"CLAUDE_CODE_SESSION_ID="+probeSession, "CLAUDE_CODE_ENTRYPOINT=cli", "AI_AGENT=claude-code")
	return append(env, extra...)
}

// probeSession names the session of every payload that the doctor makes up.
const probeSession = "agentguard-doctor"

// show shortens a path for a message.
func (p *Patient) show(path string) string {
	if rel, err := filepath.Rel(p.ProjectDir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return tilde(p.Home, path)
}

// read returns the chart, made once. It is safe for probes that outlive their
// deadline.
func (p *Patient) read() *chart {
	p.once.Do(func() { p.chart = p.draw() })
	return p.chart
}
