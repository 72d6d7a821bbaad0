package doctor

import (
	"regexp"
	"strings"
)

// matcher is a matcher as the client reads it.
type matcher struct {
	all   bool
	names []string
	re    *regexp.Regexp
	// broken is set for an expression that does not compile; odd when only our
	// engine cannot read it (look-around), so that nothing can be said.
	broken, odd bool
}

// readMatcher follows the client's rule: nothing or * is everything; letters,
// digits, _, -, blanks, commas and | make a list of exact names; anything else is
// an expression searched anywhere in the name.
func readMatcher(text string) matcher {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed == "*" {
		return matcher{all: true}
	}
	list := func(c rune) bool {
		return c == '_' || c == '-' || c == ' ' || c == ',' || c == '|' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	if strings.IndexFunc(text, func(c rune) bool { return !list(c) }) < 0 {
		var m matcher
		for _, name := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == '|' }) {
			if name = strings.TrimSpace(name); name != "" {
				m.names = append(m.names, name)
			}
		}
		return m
	}
	if strings.Contains(text, "(?i)") || strings.HasPrefix(text, "(?P") {
		return matcher{broken: true} // not an expression in JavaScript
	}
	re, err := regexp.Compile(text)
	if err != nil {
		if strings.Contains(text, "(?=") || strings.Contains(text, "(?!") || strings.Contains(text, "(?<") || strings.Contains(text, `\1`) {
			return matcher{odd: true}
		}
		return matcher{broken: true}
	}
	return matcher{re: re}
}

// matches reports whether the client would run the entry for a name. What cannot
// be told counts as a match.
func (m matcher) matches(name string) bool {
	switch {
	case m.all, m.odd:
		return true
	case m.broken:
		return false
	case m.re != nil:
		return m.re.MatchString(name)
	}
	for _, n := range m.names {
		if n == name || n == "Task" && name == "Agent" {
			return true
		}
	}
	return false
}
