package templates

import _ "embed"

//go:embed agentguard/README.md
var readme string

// ReadmeTexts returns every text of .agentguard/README.md that was ever written
// into a repository, today's first. A file with an older one is renewed; any
// other belongs to the person.
func ReadmeTexts() []string { return []string{readme} }
