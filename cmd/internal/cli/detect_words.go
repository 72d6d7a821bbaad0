package cli

import (
	"io/fs"
	"slices"
	"strings"

	"agentguard/checks/evidence"
)

// namedTests gives the test commands that the project's own words name: what its
// instructions to agents and contributors say, else what its CI runs. hasScript
// tells that package.json has a test script, beside which a bare runner is another
// command.
func namedTests(project fs.FS, hasScript bool) (commands []string, from string) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CONTRIBUTING.md"} {
		if commands = testCommands(codeOf(readText(project, name)), hasScript); len(commands) > 0 {
			return commands, name
		}
	}
	files, err := fs.Glob(project, ".github/workflows/*.y*ml")
	if err != nil {
		return nil, ""
	}
	for _, name := range append(files, ".gitlab-ci.yml") {
		if commands = testCommands(stepsOf(readText(project, name)), hasScript); len(commands) > 0 {
			return commands, name
		}
	}
	return nil, ""
}

// maxNamed is how many commands one text gives.
const maxNamed = 2

// testCommands keeps the lines that are one whole test run and nothing more.
func testCommands(lines []string, hasScript bool) []string {
	var list []string
	for _, line := range lines {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		if i := strings.Index(line, " #"); i > 0 {
			line = strings.TrimSpace(line[:i])
		}
		if line == "" || len(line) > 100 || strings.HasSuffix(line, "/") || strings.ContainsAny(line, "|;&<>$`{}()*\\\"'…") && !strings.HasSuffix(line, "...") {
			continue
		}
		runs := evidence.Recognise(line, evidence.Verify{})
		if len(runs) != 1 || runs[0].Kind != evidence.Test || runs[0].Narrow || slices.Contains(list, line) {
			continue
		}
		if hasScript && line == "bun test" || strings.Contains(line, "watch") {
			continue
		}
		if list = append(list, line); len(list) == maxNamed {
			break
		}
	}
	return list
}

// codeOf lists the lines of a document's code blocks and its code spans.
func codeOf(doc string) []string {
	var lines []string
	fenced := false
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, "\r\n")
		if mark := strings.TrimSpace(line); strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~") {
			fenced = !fenced
			continue
		}
		if fenced {
			lines = append(lines, line)
			continue
		}
		for i, span := range strings.Split(line, "`") {
			if i%2 == 1 {
				lines = append(lines, span)
			}
		}
	}
	return lines
}

// stepsOf lists the commands of a CI file: the texts of "run:" and of list items.
func stepsOf(doc string) []string {
	var lines []string
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(line, "- ")
		line = strings.TrimPrefix(line, "run: ")
		lines = append(lines, strings.Trim(line, `"'`))
	}
	return lines
}
