package checks

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentguard/checks/evidence"
	"agentguard/checks/mcp"
	"agentguard/checks/secrets"
	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/hook/transcript"
	"agentguard/judge"
	"agentguard/settings/policy"
)

// Nowhere stands for a folder that this person does not have: a device, so that
// nothing below it can be read or made. An empty path would mean the folder that
// the program runs in, and a repository could bring what is looked for there.
const Nowhere = os.DevNull

// World is what surrounds one hook call. It is filled once, at the program's
// door; no check reads the clock, the environment or the home folder itself.
type World struct {
	Now    time.Time
	Home   string // absolute, or empty where it is not known
	Config string // XDG_CONFIG_HOME or its equivalent, or Nowhere
	State  string // XDG_STATE_HOME or its equivalent, or Nowhere
	Temp   []string
	GOOS   string
	Getenv func(name string) (string, bool)

	// Hook and Tool are the paths of the two programs, as far as known.
	Hook, Tool string

	// History reads the end of a transcript.
	History func(path string, sidechain bool, l transcript.Limits) (transcript.History, error)
	// Subagent names the file of a subagent's conversation, by the session's file;
	// nil: subagents are known by their reports alone.
	Subagent func(session, id string) string
	// Judge asks what a text means; the answer is by check.
	Judge func(ctx context.Context, q judge.Question) map[string]judge.Verdict
	// Scan looks for secrets with the wide set of rules in this program; nil: Tool
	// is asked.
	Scan func(ctx context.Context, files []secrets.File) ([]secrets.Finding, error)
	// DryRun tells a call that must leave nothing behind: explain, doctor.
	DryRun bool
	// Past tells an event of long ago: the repository and the files of today say
	// nothing of it, and Then is what the session itself still tells.
	Past bool
	Then Then
}

// Scratch is the folder for throw-away files; empty stands for the system's.
func (w *World) Scratch() string {
	if w.State == "" || w.State == Nowhere {
		return ""
	}
	return filepath.Join(w.State, "agentguard", "tmp")
}

// Input is one event with everything a check may look at. What costs something
// is read when it is first asked for, once for all checks.
type Input struct {
	Event  hook.Event
	Policy *policy.Effective
	World  World
	// Active tells which checks run for this event, so that checks that share a
	// judge call know each other.
	Active map[string]bool

	excepted notes
	missing  missing
	patience once[*evidence.Patience]
	command  once[string]
	mcp      once[mcp.Call]
	script   once[shell.Script]
	repo     once[*evidence.Repo]
	overview once[evidence.Overview]
	commits  sync.Map // by id in a text: whether the repository has that commit
	history  once[transcript.History]
	calls    once[[]transcript.Call]
	message  once[string]
	judged   once[map[string]Finding]
	assessed once[evidence.Assessment]
	settled  once[struct{}]
}

// notes is a list that checks write to side by side.
type notes struct {
	sync.Mutex
	list []string
}

func (n *notes) add(text string) {
	n.Lock()
	defer n.Unlock()
	if !slices.Contains(n.list, text) {
		n.list = append(n.list, text)
	}
}

// Excepted lists the policy's exceptions that took a rule out for this call, for
// the record and for explain. Ask only after the checks ran.
func (in *Input) Excepted() []string {
	in.excepted.Lock()
	defer in.excepted.Unlock()
	return slices.Clone(in.excepted.list)
}

// once is a value that is computed by the first who asks.
type once[T any] struct {
	do  sync.Once
	val T
	err error
}

func (o *once[T]) get(f func() (T, error)) (T, error) {
	o.do.Do(func() { o.val, o.err = f() })
	return o.val, o.err
}

// ShellCommand returns the script of a shell tool's call; false for any other
// event.
func (in *Input) ShellCommand() (string, bool) {
	command, _ := in.command.get(func() (string, error) { //nolint:errcheck // no command is an answer
		t := in.Event.Tool
		if t == nil {
			return "", nil
		}
		switch t.Name {
		case "Bash", "PowerShell", "Shell", "Monitor":
		default:
			return "", nil
		}
		// A map, as the event itself was decoded: a struct type would have to be studied first.
		var fields map[string]json.RawMessage
		var command string
		if json.Unmarshal(t.Input, &fields) != nil || json.Unmarshal(fields["command"], &command) != nil {
			return "", nil //nolint:nilerr // no shell call that anybody would run
		}
		return command, nil
	})
	return command, command != ""
}

// mcpCall returns what the call of an MCP server's tool would do; an empty call
// for any other event.
func (in *Input) mcpCall() mcp.Call {
	c, _ := in.mcp.get(func() (mcp.Call, error) { //nolint:errcheck // it cannot fail
		t := in.Event.Tool
		if t == nil || !mcp.Is(t.Name) {
			return mcp.Call{}, nil
		}
		return mcp.Read(t.Name, t.Input), nil
	})
	return c
}

// acts tells a call that runs a command, or a tool of an MCP server, whose acts are
// told as commands.
func (in *Input) acts() bool {
	if _, ok := in.ShellCommand(); ok {
		return true
	}
	return in.Event.Tool != nil && mcp.Is(in.Event.Tool.Name)
}

// Script returns what the event's shell command would do, or the command that does
// what an MCP server's tool would; an empty script for any other event.
func (in *Input) Script() shell.Script {
	s, _ := in.script.get(func() (shell.Script, error) { //nolint:errcheck // it cannot fail
		command, ok := in.ShellCommand()
		if !ok {
			if text := in.mcpCall().Script; text != "" {
				return shell.Analyze(text, in.shellEnv()), nil
			}
			return shell.Script{}, nil
		}
		if in.Event.Tool.Name == "PowerShell" {
			return shell.AnalyzePowerShell(command, in.shellEnv()), nil
		}
		return shell.Analyze(command, in.shellEnv()), nil
	})
	return s
}

// History returns the end of the conversation; an empty one where there is no
// transcript or it cannot be read.
func (in *Input) History() transcript.History {
	h, _ := in.history.get(func() (transcript.History, error) { //nolint:errcheck // a missing transcript is no error
		return in.readHistory(transcript.Limits{})
	})
	return h
}

func (in *Input) readHistory(l transcript.Limits) (transcript.History, error) {
	switch {
	case in.World.History == nil:
		return transcript.History{}, nil
	case in.Event.Name == hook.SubagentStop && in.Event.AgentTranscriptPath != "":
		return in.World.History(in.Event.AgentTranscriptPath, true, l)
	case in.Event.TranscriptPath == "":
		return transcript.History{}, nil
	default:
		return in.World.History(in.Event.TranscriptPath, false, l)
	}
}

// Message returns the closing message of a Stop-like event: all text blocks of
// the last assistant message, or of the whole turn where the policy says so. The
// event's own field holds only the last block, and stands in when the transcript
// lags behind or is missing. Only as much of the transcript is read as that takes.
// An answer that is one JSON value is data for a program and tells nobody
// anything: it is empty here.
func (in *Input) Message() string {
	if in.Event.Stop == nil {
		return ""
	}
	text, _ := in.message.get(func() (string, error) { //nolint:errcheck // a missing transcript is no error
		text := in.closing()
		if t := strings.TrimSpace(text); strings.HasPrefix(t, "{") && json.Valid([]byte(t)) {
			return "", nil
		}
		return text, nil
	})
	return text
}

func (in *Input) closing() string {
	said := in.Event.Stop.LastMessage
	if in.Policy.Judge.Text == "turn" {
		var all []string
		for _, t := range in.History().Current().Texts {
			all = append(all, t.Text)
		}
		text := strings.Join(all, "\n\n")
		if !strings.Contains(text, strings.TrimSpace(said)) {
			text += "\n\n" + said
		}
		return text
	}
	h, err := in.readHistory(transcript.Limits{Turns: 1, Message: true})
	if err != nil {
		return said // the event's own field stands in
	}
	if text := h.Current().LastMessage(); strings.Contains(text, strings.TrimSpace(said)) {
		return text
	}
	return said
}
