// Package policy reads what people decided about the guards: four layers of JSON
// with comments, merged so that no layer's leave beats another's refusal.
//
// It reads no clock, environment or home folder: callers give paths and bytes.
package policy

import (
	"fmt"
	"slices"
	"time"
)

// Mode says what a finding of a check does.
type Mode int

// The modes, weakest first, so that merging is max.
const (
	Off     Mode = iota
	Observe      // record what would have happened
	Warn         // tell the person, not the model
	Enforce      // refuse
)

var modeWords = []string{"off", "observe", "warn", "enforce"}

// String returns the word of the policy file.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeWords) {
		return "off"
	}
	return modeWords[m]
}

// MarshalText writes the word of the policy file.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Profile is a named set of modes for the checks that can refuse.
type Profile string

// The profiles. Standard is what holds without any policy file.
const (
	ProfileObserve  Profile = "observe"
	ProfileStandard Profile = "standard"
	ProfileStrict   Profile = "strict"
)

// Layer is where a policy comes from, the strongest first.
type Layer int

// The layers.
const (
	Managed Layer = iota // the administrator's
	Team                 // .agentguard/policy.jsonc, committed
	User                 // the person's own, in the configuration folder
	Local                // .agentguard/policy.local.jsonc, kept out of Git
)

// String returns the word of messages and of status.
func (l Layer) String() string {
	return [...]string{"managed", "team", "user", "local"}[l]
}

// Policy is one layer, as written. The json tags are the keys; a key that is not
// here is an error in a file. Zero values mean that the layer says nothing.
type Policy struct {
	Version  int                  `json:"version" doc:"Format of this file; always 1."`
	Profile  Profile              `json:"profile" choices:"observe,standard,strict" doc:"Which checks refuse: observe (none, all recorded), standard, strict (all)."`
	Checks   map[string]CheckRule `json:"checks" doc:"Mode and options of single checks, by id."`
	Verify   Verify               `json:"verify" doc:"How this project is verified."`
	Protect  Protect              `json:"protect" doc:"Files that tools may not write."`
	Commands []OwnRule            `json:"commands" doc:"The project's own rules about commands and writes, and exceptions from the built-in ones."`
	Secrets  Secrets              `json:"secrets" doc:"What counts as a secret beside the built-in kinds, and what does not."`
	Rewrite  Rewrite              `json:"rewrite" doc:"Which commands are replaced by a safer form."`
	Branches Branches             `json:"branches" doc:"Which branches are shared."`
	Judge    Judge                `json:"judge" doc:"Who reads meaning where a pattern cannot."`
	Stop     Stop                 `json:"stop" doc:"How often a turn may be sent on working."`
	Log      Log                  `json:"log" doc:"The record of every decision."`
	Hooks    Hooks                `json:"hooks" doc:"Hook entries of other tools that somebody reviewed."`
	AllowOff *bool                `json:"allow_off" doc:"Whether a person may switch the guards off for a time; false in any layer forbids it."`
}

// CheckRule is what a layer says of one check.
type CheckRule struct {
	Mode *Mode `json:"mode" choices:"off,observe,warn,enforce" doc:"What a finding does."`
	Run  *bool `json:"run" doc:"test-gate only: run the test command at the end of a turn where no run on this tree is known. From a repository this counts only when trusted."`
	// Where is the place of the entry, file:line:col.
	Where string `json:"-"`
}

// Verify names the commands that prove this project right.
type Verify struct {
	Test  []string `json:"test" doc:"Commands that run the whole test suite; any one of them counts."`
	Build []string `json:"build" doc:"Commands that build everything."`
	Lint  []string `json:"lint" doc:"Commands that lint everything."`
	Types []string `json:"types" doc:"Commands that check types."`
	// Timeout bounds a run that a guard starts itself.
	Timeout Duration `json:"timeout" doc:"Time for a test run that test-gate starts itself, such as \"5m\"."`
	// Push says which outgoing commits must have been verified.
	Push string   `json:"push" choices:"last,each" doc:"Which outgoing commits of a push must be verified: the last (when absent) or each."`
	Docs []string `json:"docs" doc:"Globs of more files that are documentation: a change of only these needs no new test run."`
}

// Protect adds to and takes from the protected paths.
type Protect struct {
	Paths  []PathRule `json:"paths" doc:"More files to protect."`
	Exempt []string   `json:"exempt" doc:"Globs of files that may be written although a rule protects them."`
}

// PathRule protects the files that a glob names.
type PathRule struct {
	Path     string `json:"path" required:"true" doc:"Glob, relative to the repository; ** crosses folders."`
	Decision string `json:"decision" choices:"ask,deny" doc:"What a write does; deny when absent."`
	Reason   string `json:"reason" required:"true" doc:"Told to the agent: why, and what to do instead."`
	Because  string `json:"because" doc:"The incident that the rule exists for."`
	Where    string `json:"-"`
}

// Branches names the shared branches.
type Branches struct {
	Protected []string `json:"protected" doc:"Globs of branch names; main, master, release/* and the remote's default are always protected."`
}

// Judge chooses the backends that read meaning.
type Judge struct {
	Order    []string           `json:"order" doc:"Backends by name, tried in this order. Built in: claude, codex, offline."`
	Backends map[string]Backend `json:"backends" doc:"More backends, by name."`
	Timeout  Duration           `json:"timeout" doc:"Time for all backends together, such as \"10s\"."`
	Text     string             `json:"text" choices:"message,turn" doc:"What is judged: the closing message, or all text since the latest user turn."`
}

// Backend is one judge backend.
type Backend struct {
	Type    string   `json:"type" required:"true" choices:"claude,codex,anthropic,openai,command,offline" doc:"What kind of backend this is."`
	Model   string   `json:"model" doc:"Model name."`
	BaseURL string   `json:"base_url" doc:"Address of an HTTP backend."`
	KeyEnv  string   `json:"key_env" doc:"Name of the environment variable that holds the key; the key itself never stands in a policy."`
	Command []string `json:"command" doc:"Program and arguments of a command backend: prompt on stdin, JSON on stdout."`
}

// Stop bounds how often the end of a turn is refused.
type Stop struct {
	MaxBlocks int `json:"max_blocks" min:"1" max:"8" doc:"How many times one turn may be sent on working, 1 to 8."`
}

// Log says what is recorded.
type Log struct {
	Text *bool `json:"text" doc:"Whether the judged text is kept, redacted; false keeps its hash alone."`
	Days int   `json:"days" min:"1" max:"3650" doc:"How many days of log are kept."`
}

// Hooks lists what was reviewed beside our own entries.
type Hooks struct {
	Reviewed []string `json:"reviewed" doc:"Digests of committed hook entries that are not agentguard's; agentguard check names the digest of each."`
}

// Duration is a time span written as "10s" or "1m30s".
type Duration time.Duration

// MarshalText writes the form of the policy file.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Problem is one thing wrong in a policy file. The file's layer does not count
// while it has one.
type Problem struct {
	Layer     Layer
	Path      string
	Line, Col int
	Message   string // what was found and what is accepted
}

// Error returns file:line:column and the message.
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.Path, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Col, p.Message)
}

// Check is what merging must know of a check; the checks themselves say it.
type Check struct {
	ID string
	// Guard tells a check that can refuse: profiles speak of these alone.
	Guard bool
	// Standard is the mode under the standard profile, and for a check that is
	// no guard its mode in every profile.
	Standard Mode
	// Rules lists the ids of the check's rules that a policy may make exceptions
	// from; nil where there are none.
	Rules func() []string
}

// Modes returns what the profile makes of the checks.
func (p Profile) Modes(known []Check) map[string]Mode {
	modes := make(map[string]Mode, len(known))
	for _, c := range known {
		modes[c.ID] = c.Standard
		if !c.Guard {
			continue
		}
		switch p {
		case ProfileObserve:
			modes[c.ID] = Observe
		case ProfileStandard:
		case ProfileStrict:
			modes[c.ID] = Enforce
		}
	}
	return modes
}

// defaultProtected are the branches that are shared in any repository.
var defaultProtected = []string{"main", "master", "trunk", "develop", "production", "release/*", "releases/*"}

const (
	defaultTimeout = Duration(10 * time.Second)
	defaultRunTime = Duration(5 * time.Minute)
	defaultDays    = 30
)

// Empty tells that the project does not say how it is verified.
func (v Verify) Empty() bool {
	return len(v.Test)+len(v.Build)+len(v.Lint)+len(v.Types) == 0
}

// All returns every command of v.
func (v Verify) All() []string { return slices.Concat(v.Test, v.Build, v.Lint, v.Types) }
