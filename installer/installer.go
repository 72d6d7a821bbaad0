// Package installer sets agentguard up for a coding agent and takes it away
// again. What would change is a Plan first; showing, applying and undoing read it.
//
// It touches only bytes of its own entries, knows them by an owner key and by
// every text it ever wrote, and refuses a file it cannot change safely.
package installer

import (
	"errors"
	"fmt"
	"path/filepath"

	"agentguard/settings"
)

// Scope is for whom the hooks are registered.
type Scope int

// The scopes, the widest audience first.
const (
	// Project is the committed settings file: everybody who clones has it.
	Project Scope = iota
	// Local is the same person in this checkout only.
	Local
	// User is the same person in every folder.
	User
)

// String returns the word of --scope.
func (s Scope) String() string {
	switch s {
	case Local:
		return "local"
	case User:
		return "user"
	default:
		return "project"
	}
}

// ParseScope reads the word of --scope.
func ParseScope(word string) (Scope, error) {
	for _, s := range []Scope{Project, Local, User} {
		if word == s.String() {
			return s, nil
		}
	}
	return Project, fmt.Errorf("%q is no scope: use project, local or user", word)
}

// EventSpec is one event to register for.
type EventSpec struct {
	Name string
	// Matcher is written as it is; empty writes none.
	Matcher string
	// Timeout is in seconds; 0 leaves the client's default.
	Timeout int
	// FailClosed asks the client to block when the program itself fails.
	FailClosed bool
	// Handler registers something else than our program: an object with "type"
	// and the keys of that type, as an http handler for agentguard serve. Timeout,
	// onFailure and the owner key are added. The zero Node is our program.
	Handler settings.Node
}

// Request is everything Make needs to know. Paths are absolute.
type Request struct {
	Scope Scope
	// ProjectDir is the folder where the client is started, in general the top of
	// the repository. The client does not look for settings above it.
	ProjectDir string
	// Home is the person's home folder.
	Home string
	// Client says where the client keeps its files; the zero value is Claude Code
	// with its folder in Home.
	Client Client
	// StateDir holds install records and locks.
	StateDir string
	// HookPath is the hook program under a name that survives upgrades. Only
	// local and user scope write it.
	HookPath string
	// Version is the client's, if known: what is written must be readable to it.
	Version settings.Version
	// Events are registered in this order. Entries of ours for other events go.
	Events []EventSpec
	// Require makes a teammate's tool calls fail while the program is missing.
	// Without it they are told once per session and nothing is blocked. A project
	// that has it keeps it: an install by the next person must not loosen it.
	Require bool

	// Agents names agent files that get the hooks too; "all" means each one.
	Agents []string
	// Templates names ready agents to add: see templates.Agents.
	Templates []string

	// Policy is written to PolicyPath when that file does not exist. Profile, when
	// not empty, also replaces the profile of a file that does.
	Policy  []byte
	Profile string
	// PolicyPath defaults to the scope's file in ProjectDir; in user scope it has
	// no default, and without one no policy is written.
	PolicyPath string

	// FollowLinks allows a project's files to be links that leave the project.
	FollowLinks bool
}

// Client is how one coding agent takes hooks.
type Client struct {
	// Dir is the person's own folder of the client; project files have the same
	// names under ProjectDir/ProjectFolder.
	Dir           string
	ProjectFolder string
	// File and LocalFile are the settings files; without LocalFile there is no
	// local scope.
	File, LocalFile string
	// ShellOnly is true for clients without the form of command and args.
	ShellOnly bool
	// NoOwnerKey is true for clients that refuse unknown keys in an entry.
	NoOwnerKey bool
	// NoOnFailure is true for clients that do not know onFailure.
	NoOnFailure bool
	// NoAgents is true for clients that read no agent files with hooks.
	NoAgents bool
	// Note is what the person must know or do after an install.
	Note string
}

// ClaudeCode is the form of Claude Code, with the person's folder given:
// CLAUDE_CONFIG_DIR, or .claude in the home folder.
func ClaudeCode(dir string) Client {
	return Client{Dir: dir, ProjectFolder: ".claude", File: "settings.json", LocalFile: "settings.local.json"}
}

// Codex is the form of Codex CLI, with CODEX_HOME given. A new or changed entry
// runs there only after the person trusted it.
func Codex(dir string) Client {
	return Client{
		Dir: dir, ProjectFolder: ".codex", File: "hooks.json", ShellOnly: true, NoOwnerKey: true, NoOnFailure: true,
		NoAgents: true,
		Note: "Codex runs a new or changed hook only after you trusted it, and skips it without a word until then: " +
			"start codex in this folder once and answer its question, or use /hooks there",
	}
}

// defaults fills in what follows from other fields and checks the rest.
func (r Request) defaults(leaving bool) (Request, error) {
	r.Client = r.client()
	if r.Scope == Local && r.Client.LocalFile == "" {
		return r, errors.New("this client has no local settings: use --scope project or --scope user")
	}
	paths := map[string]string{"the state folder": r.StateDir, "the home folder": r.Home}
	if r.Scope != User {
		paths["the project folder"] = r.ProjectDir
	}
	if r.Scope != Project && !leaving { // an uninstall works without the program too
		paths["the path of the hook program"] = r.HookPath
	}
	for what, path := range paths {
		if !filepath.IsAbs(path) {
			return r, fmt.Errorf("%s is %q, not an absolute path", what, path)
		}
	}
	if r.Scope != User && !leaving && filepath.Clean(r.ProjectDir) == filepath.Clean(r.Home) {
		return r, &Refusal{
			Path: r.ProjectDir, Found: "this is the home folder, not a project",
			Why:  "the client takes its settings file for that of the person, in every folder",
			Ways: []string{"set yourself up with --scope user", "go to the project's folder and run this there"},
		}
	}
	if r.Client.NoAgents && len(r.Agents)+len(r.Templates) > 0 {
		return r, errors.New("this client has no agent files with hooks: leave --agents and --template out")
	}
	if r.Scope == Local && len(r.Agents)+len(r.Templates) > 0 {
		return r, errors.New("agent files are shared with everybody who clones: use --scope project, or --scope user for your own agents")
	}
	if r.PolicyPath == "" {
		switch r.Scope {
		case Project:
			r.PolicyPath = filepath.Join(r.ProjectDir, ".agentguard", "policy.jsonc")
		case Local:
			r.PolicyPath = filepath.Join(r.ProjectDir, ".agentguard", "policy.local.jsonc")
		case User:
		}
	}
	return r, nil
}

func (r Request) client() Client {
	if r.Client == (Client{}) {
		return ClaudeCode(filepath.Join(r.Home, ".claude"))
	}
	return r.Client
}

// SettingsPath returns the settings file that the request is about.
func (r Request) SettingsPath() string {
	r.Client = r.client()
	switch r.Scope {
	case User:
		return filepath.Join(r.Client.Dir, r.Client.File)
	case Local:
		return filepath.Join(r.ProjectDir, r.Client.ProjectFolder, r.Client.LocalFile)
	default:
		return filepath.Join(r.ProjectDir, r.Client.ProjectFolder, r.Client.File)
	}
}

// agentsDir is where the scope's agent files are.
func (r Request) agentsDir() string { return filepath.Join(filepath.Dir(r.SettingsPath()), "agents") }
