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
	// UserHome asks the system's list of users for the home folder, where the
	// environment does not name one; nil where there is no such list.
	UserHome func() string
}

// OSEnv returns the real outside.
func OSEnv() Env {
	exe, _ := os.Executable() //nolint:errcheck // without it the sibling program is looked up on PATH
	dir, _ := os.Getwd()      //nolint:errcheck // without it repository facts are unknown
	return Env{Getenv: os.LookupEnv, Now: time.Now, GOOS: runtime.GOOS, Exe: exe, Dir: dir, UserHome: userHome}
}

// Get returns a variable; empty when it is not set.
func (e Env) Get(name string) string {
	v, _ := e.Getenv(name)
	return v
}

// World gathers what surrounds a call.
func (e Env) World() checks.World {
	w := checks.World{Now: e.Now(), GOOS: e.GOOS, Getenv: e.Getenv}
	w.Home = e.home()
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

// home is the person's home folder. Where the environment names none, or one that
// would lie below whatever folder the program runs in, the system's list of users
// counts, as it does for the client; empty where that knows none either.
func (e Env) home() string {
	dir := e.absolute("HOME")
	if e.GOOS == "windows" {
		dir = e.absolute("USERPROFILE", "HOME")
	}
	if dir == "" && e.UserHome != nil {
		dir = e.UserHome()
	}
	return dir
}

// absolute returns the first of some variables that names an absolute path.
func (e Env) absolute(names ...string) string {
	for _, name := range names {
		if dir := e.Get(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// configDir follows XDG, and each system's habit where XDG is not set.
func (e Env) configDir(home string) string {
	if e.GOOS == "windows" {
		return below(e.absolute("XDG_CONFIG_HOME", "APPDATA"), home, "AppData", "Roaming")
	}
	return below(e.absolute("XDG_CONFIG_HOME"), home, ".config")
}

func (e Env) stateDir(home string) string {
	if e.GOOS == "windows" {
		return below(e.absolute("XDG_STATE_HOME", "LOCALAPPDATA"), home, "AppData", "Local")
	}
	return below(e.absolute("XDG_STATE_HOME"), home, ".local", "state")
}

// below is dir, or the usual folder below the home folder where there is one.
func below(dir, home string, usual ...string) string {
	switch {
	case dir != "":
		return dir
	case home == "":
		return checks.Nowhere
	}
	return filepath.Join(append([]string{home}, usual...)...)
}
