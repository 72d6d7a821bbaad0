// Package door is where a hook call enters and leaves: the only place that reads
// the clock, the environment and the home folder, and that knows which client,
// policy, checks, judges and files belong together. Both programs use it.
package door

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"agentguard/checks"
)

// Environment variables that the programs obey.
const (
	OffVar   = "AGENTGUARD_OFF"          // the person's emergency switch; recorded
	DebugVar = "AGENTGUARD_DEBUG"        // a trace on stderr, never on stdout
	JudgeVar = "AGENTGUARD_JUDGE_ACTIVE" // set for a judge's own client, so that its hooks stand aside
	// OldJudgeVar is the name that earlier judge hooks used.
	OldJudgeVar = "STOP_HOOK_LLM_JUDGE_ACTIVE"
)

// Env is the outside of a process, so that tests can bring their own.
type Env struct {
	Getenv func(string) (string, bool)
	Now    func() time.Time
	GOOS   string
	Exe    string // this program's path, as found by the operating system
	Dir    string // working folder; stands in where an event names none
}

// OSEnv returns the real outside.
func OSEnv() Env {
	exe, _ := os.Executable() //nolint:errcheck // without it the sibling program is looked up on PATH
	dir, _ := os.Getwd()      //nolint:errcheck // without it repository facts are unknown
	return Env{Getenv: os.LookupEnv, Now: time.Now, GOOS: runtime.GOOS, Exe: exe, Dir: dir}
}

// Get returns a variable; empty when it is not set.
func (e Env) Get(name string) string {
	v, _ := e.Getenv(name)
	return v
}

// World gathers what surrounds a call.
func (e Env) World() checks.World {
	w := checks.World{Now: e.Now(), GOOS: e.GOOS, Getenv: e.Getenv}
	w.Home = e.Get("HOME")
	if e.GOOS == "windows" {
		w.Home = first(e.Get("USERPROFILE"), w.Home)
	}
	w.Config, w.State = e.configDir(w.Home), e.stateDir(w.Home)
	if tmp := e.Get("TMPDIR"); filepath.IsAbs(tmp) {
		w.Temp = append(w.Temp, filepath.Clean(tmp))
	}
	name, dir := "agentguard", filepath.Dir(e.Exe)
	ext := filepath.Ext(e.Exe)
	if e.GOOS != "windows" {
		ext = ""
	}
	w.Hook, w.Tool = filepath.Join(dir, name+"-hook"+ext), filepath.Join(dir, name+ext)
	return w
}

// configDir follows XDG, and each system's habit where XDG is not set.
func (e Env) configDir(home string) string {
	if dir := e.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	switch e.GOOS {
	case "windows":
		return first(e.Get("APPDATA"), filepath.Join(home, "AppData", "Roaming"))
	default:
		return filepath.Join(home, ".config")
	}
}

func (e Env) stateDir(home string) string {
	if dir := e.Get("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	switch e.GOOS {
	case "windows":
		return first(e.Get("LOCALAPPDATA"), filepath.Join(home, "AppData", "Local"))
	default:
		return filepath.Join(home, ".local", "state")
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
