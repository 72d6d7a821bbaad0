package rules

import (
	"encoding/json"

	"agentguard/checks/mcp"
	"agentguard/checks/shell"
	"agentguard/hook"
)

// Context is one tool call and what surrounds it. Only Tool, CWD and Home are
// needed; everything else makes answers sharper.
type Context struct {
	Tool   string          // tool name as the client sends it
	Input  json.RawMessage // tool input as sent
	Text   string          // the script's source, for a shell tool
	Script shell.Script    // what Text would do, or for an MCP tool what Call.Script would
	Call   mcp.Call        // what the call of an MCP tool would do

	CWD        string // absolute folder the call starts in
	Home       string
	ProjectDir string // absolute; CWD where empty
	// Temp lists the folders whose content is nobody's work, absolute. Empty
	// means DefaultTemp.
	Temp []string

	State State // nil: nothing is known

	// ProtectedBranches are names or globs; empty means DefaultProtectedBranches.
	ProtectedBranches []string
	// Protect and Exempt are the policy's own path patterns for protected-path:
	// a name ("*.tfstate"), a folder ("infra/") or a path from the project root.
	Protect []OwnPath
	Exempt  []string
	// Exempted tells that the policy makes an exception from a rule for one
	// command, by its index; -1 means the whole script. Nil: no exceptions.
	Exempted func(rule string, command int) bool

	// FoldsCase tells that the file system treats .ENV as .env. Where it does
	// not, a case variant of a protected name is asked about, not denied.
	FoldsCase bool
	// ConfigHome and StateHome are this person's XDG folders (or their
	// equivalents); empty means ~/.config and ~/.local/state.
	ConfigHome string
	StateHome  string
}

// OwnPath protects what the policy's own pattern names.
type OwnPath struct {
	Pattern  string
	Decision hook.Decision // Deny or Ask
	Reason   string        // the policy's words; stands in place of the rule's own
}

// DefaultTemp are the temp folders of Linux and macOS.
var DefaultTemp = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"}

// DefaultProtectedBranches are the branches that others build on.
var DefaultProtectedBranches = []string{
	"main", "master", "trunk", "develop", "development", "production", "prod", "staging", "release", "release/*", "releases/*", "stable", "hotfix/*",
}

// State is what the disk and the repositories know. Implementations answer
// lazily and may cache for one call; every method may be called for paths that
// do not exist. A false ok or an error means "not known" and is never read as
// "nothing there".
type State interface {
	// Repo returns the repository whose working tree holds dir.
	Repo(dir string) (Repo, bool)
	// Kind tells what stands at path, without following a last link.
	Kind(path string) Kind
	Readlink(path string) (string, error)
	// ReadFile returns the content, at most MaxRead bytes of it; a longer file
	// is an error.
	ReadFile(path string) ([]byte, error)
}

// MaxRead bounds a file that a rule asks for: settings, SQL, scripts.
const MaxRead = 1 << 20

// Kind is what stands at a path.
type Kind int

// The kinds.
const (
	Unsure Kind = iota // could not be told
	Missing
	File
	Folder
	Symlink
)

// Repo is one repository's state. ok=false means unknown.
type Repo interface {
	Root() string   // of the working tree, absolute
	GitDir() string // absolute; outside Root for a linked worktree
	// Branch is the checked-out branch; empty with ok means a detached HEAD.
	Branch() (name string, ok bool)
	DefaultBranch() (name string, ok bool)
	// Clean tells that nothing is modified, staged or untracked.
	Clean() (clean, ok bool)
	// Path tells what stands at or below an absolute path.
	Path(path string) (PathState, bool)
	// IsRef tells that name is a branch, tag or other revision.
	IsRef(name string) (is, ok bool)
	// Unpushed counts commits of HEAD that no remote branch has.
	Unpushed() (n int, ok bool)
	// Merged tells that the branch's commits are all in HEAD, the default branch
	// or a remote branch, so that deleting its name loses nothing.
	Merged(branch string) (merged, ok bool)
	// Upstream is the branch that a plain push of branch goes to, without the
	// remote's name.
	Upstream(branch string) (ref string, ok bool)
	// Config is one value of the repository's merged configuration; empty with ok
	// where it is not set.
	Config(key string) (value string, ok bool)
}

// PathState is what a repository holds at or below a path. All false: nothing.
type PathState struct {
	Tracked   bool
	Modified  bool // tracked, and the file or the index differs from HEAD
	Untracked bool // neither tracked nor ignored
	Ignored   bool
}
