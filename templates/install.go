package templates

import _ "embed"

//go:embed agentguard/README.md
var readme string

// ReadmeTexts returns every text of .agentguard/README.md that was ever written
// into a repository, today's first. A file with an older one is renewed; any
// other belongs to the person.
func ReadmeTexts() []string { return []string{readme} }

var (
	//go:embed claude/agents/verifier.md
	verifier string
	//go:embed claude/agents/reviewer.md
	reviewer string
)

// Agent is a ready subagent. Its file gets our hooks when it is written.
type Agent struct {
	// Name is also the name of the file, without ".md".
	Name string
	// Texts are all texts that were ever written, without hooks, today's first.
	Texts []string
}

// Agents returns the ready subagents in the order of their names.
func Agents() []Agent {
	return []Agent{
		{Name: "reviewer", Texts: []string{reviewer}},
		{Name: "verifier", Texts: []string{verifier}},
	}
}

var (
	//go:embed claude/stop-prompt.md
	stopPrompt string
	//go:embed claude/stop-agent.md
	stopAgent string
)

// StopPrompt is the text of Claude Code's own prompt handler at the end of a
// turn, StopAgent that of its agent handler.
func StopPrompt() string { return stopPrompt }

// StopAgent is described at StopPrompt.
func StopAgent() string { return stopAgent }
