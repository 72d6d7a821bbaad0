package rules

import (
	"strings"

	"agentguard/checks/shell"
)

func (s *scan) frontmatterEffect(p string, e shell.Effect) verdict {
	if e.Op == shell.Mode {
		return verdict{}
	}
	before := s.content(p)
	if content, ok := knownContent(e); ok {
		return frontmatterChange(before, content)
	}
	if frontmatterHooks(before) == "" || e.Op == shell.Append {
		return verdict{}
	}
	return ask("changes an agent file that carries hooks.")
}

// frontmatterChange compares the hooks block of an agent file.
func frontmatterChange(before, after string) verdict {
	old, now := frontmatterHooks(before), frontmatterHooks(after)
	switch old {
	case now:
		return verdict{}
	case "":
		return ask("adds hooks to an agent file.")
	}
	return ask("changes or removes the hooks of an agent file.")
}

// frontmatterHooks is the hooks block between the first two --- lines: its key
// and everything that is indented below it.
func frontmatterHooks(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasPrefix(text, "---\n") {
		return ""
	}
	head, _, ok := strings.Cut(text[4:], "\n---")
	if !ok {
		return ""
	}
	var block []string
	inside := false
	for line := range strings.SplitSeq(head, "\n") {
		switch {
		case strings.HasPrefix(line, "hooks:") || strings.HasPrefix(line, `"hooks":`) || strings.HasPrefix(line, "'hooks':"):
			inside = true
		case inside && line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '-' && line[0] != '#':
			inside = false
		}
		if inside {
			block = append(block, strings.TrimRight(line, " \t"))
		}
	}
	return strings.TrimSpace(strings.Join(block, "\n"))
}
