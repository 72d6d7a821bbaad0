package doctor

import (
	"fmt"
	"path/filepath"
	"strings"

	"agentguard/settings"
)

// crlf finds Windows line ends in a script that a shell reads, or that its first
// line starts.
func (p *Patient) crlf(l *launch, file string) (Finding, bool) {
	raw, err := readBounded(file)
	if err != nil {
		return Finding{}, false
	}
	text := string(raw)
	first, _, _ := strings.Cut(text, "\n")
	shell := isShell(l.interp) || l.interp == "" && (langOf(file, text) == "sh" || strings.HasPrefix(text, "#!"))
	before, _, crlf := strings.Cut(text, "\r\n")
	if !shell || !crlf {
		return Finding{}, false
	}
	line := 1
	if !strings.HasSuffix(first, "\r") {
		if l.interp == "" && langOf(file, text) != "sh" {
			return Finding{}, false // a Python or Node script reads them
		}
		line = 1 + strings.Count(before, "\n")
	}
	message := "The script has Windows line ends. The system looks for an interpreter with a carriage return in its name, finds none (127), and the call goes on."
	if l.interp != "" {
		message = "The script has Windows line ends. The shell takes the carriage return as part of each word; its `exit` fails with status 2, so every call is refused."
	}
	return Finding{
		Kind: "hook-crlf", Severity: Error, File: file, Line: line, Message: message, Fixable: true,
		Fix: "Save it with Unix line ends, and add `*.sh text eol=lf` to .gitattributes.",
		mend: func(m *mending) error {
			var edits []settings.Edit
			for i := range raw {
				if raw[i] == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
					edits = append(edits, settings.Edit{Start: i, End: i + 1})
				}
			}
			return m.edit(file, raw, edits...)
		},
	}, true
}

// shebangMissing finds a first line that names no interpreter of this machine.
func (p *Patient) shebangMissing(l *launch, file string) (Finding, bool) {
	if l.interp != "" || p.OS == "windows" {
		return Finding{}, false
	}
	raw, err := readBounded(file)
	if err != nil {
		return Finding{}, false
	}
	words := shebang(string(raw))
	if len(words) == 0 {
		return Finding{}, false
	}
	missing := ""
	if filepath.Base(words[0]) == "env" {
		rest := words[1:]
		for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
			rest = rest[1:]
		}
		if len(rest) > 0 && lookPath(rest[0], p.hookEnv(), p.ProjectDir) == "" && !p.knownTool(rest[0]) {
			missing = rest[0]
		}
	} else if !exists(words[0]) {
		missing = words[0]
	}
	if missing == "" {
		return Finding{}, false
	}
	return Finding{
		Kind: "dependency-missing", Severity: Error, File: file, Line: 1,
		Message: fmt.Sprintf("The first line asks for %s, which is not here: the script does not start (127), and the call goes on.", missing),
		Fix:     "Install it, or name an interpreter that is here.",
	}, true
}
