package evidence

import "strings"

// glob matches text against one of git's patterns. With pathname, * and ? do not
// cross a slash and ** does where it stands between slashes. steps bounds the
// work; when it is used up the answer is false and exhausted is set.
type glob struct {
	pathname  bool
	fold      bool
	steps     int
	exhausted bool
}

type globResult int

const (
	globMatch globResult = iota
	globNo
	globAbort     // no longer text can match
	globAbortStar // a ** further left may still match
)

// maxSteps is far beyond what an honest pattern needs on a path.
const maxSteps = 200_000

func (g *glob) match(pattern, text string) bool {
	g.steps = maxSteps
	return g.wild(pattern, text) == globMatch
}

func (g *glob) wild(pattern, text string) globResult {
	p, t := 0, 0
	for ; p < len(pattern); p, t = p+1, t+1 {
		if g.steps--; g.steps < 0 {
			g.exhausted = true
			return globAbort
		}
		pc := pattern[p]
		if t >= len(text) && pc != '*' {
			return globAbort
		}
		var tc byte
		if t < len(text) {
			tc = g.lower(text[t])
		}
		switch pc = g.lower(pc); pc {
		case '\\':
			p++
			if p >= len(pattern) || g.lower(pattern[p]) != tc {
				return globNo
			}
		case '?':
			if g.pathname && tc == '/' {
				return globNo
			}
		case '*':
			return g.star(pattern, p, text, t)
		case '[':
			next, ok := g.class(pattern, p, tc)
			if next < 0 {
				return globAbort
			}
			if !ok || (g.pathname && tc == '/') {
				return globNo
			}
			p = next
		default:
			if pc != tc {
				return globNo
			}
		}
	}
	if t < len(text) {
		return globNo
	}
	return globMatch
}

// star handles one or more asterisks at pattern[p].
func (g *glob) star(pattern string, p int, text string, t int) globResult {
	before := p - 1
	p++
	slash := !g.pathname
	if p < len(pattern) && pattern[p] == '*' {
		for p < len(pattern) && pattern[p] == '*' {
			p++
		}
		rest := pattern[p:]
		if g.pathname && (before < 0 || pattern[before] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)) {
			// "**/" also matches no folder at all.
			if rest != "" && rest[0] == '/' && g.wild(rest[1:], text[t:]) == globMatch {
				return globMatch
			}
			slash = true
		}
	}
	rest := pattern[p:]
	if rest == "" {
		if !slash && strings.IndexByte(text[t:], '/') >= 0 {
			return globAbortStar
		}
		return globMatch
	}
	if !slash && rest[0] == '/' {
		next := strings.IndexByte(text[t:], '/')
		if next < 0 {
			return globAbort
		}
		return g.wild(rest, text[t+next:])
	}
	for ; t < len(text); t++ {
		switch r := g.wild(rest, text[t:]); {
		case r == globMatch:
			return r
		case r != globNo:
			if !slash || r != globAbortStar {
				return r
			}
		case !slash && text[t] == '/':
			return globAbortStar
		}
	}
	return globAbort
}

// class matches a bracket expression at pattern[p] and returns the index of its
// closing bracket, or -1 when it is not closed.
func (g *glob) class(pattern string, p int, c byte) (int, bool) {
	p++
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	matched := false
	var prev byte
	for first := true; ; first = false {
		if p >= len(pattern) {
			return -1, false
		}
		pc := pattern[p]
		switch {
		case pc == ']' && !first:
			return p, matched != negated
		case pc == '\\':
			p++
			if p >= len(pattern) {
				return -1, false
			}
			pc = pattern[p]
			matched = matched || pc == c
		case pc == '-' && prev != 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			p++
			end := pattern[p]
			if end == '\\' {
				p++
				if p >= len(pattern) {
					return -1, false
				}
				end = pattern[p]
			}
			in := prev <= c && c <= end
			if g.fold && c >= 'a' && c <= 'z' {
				up := c - 'a' + 'A'
				in = in || prev <= up && up <= end
			}
			matched = matched || in
			pc = 0
		case pc == '[' && p+1 < len(pattern) && pattern[p+1] == ':':
			end := strings.IndexByte(pattern[p+2:], ']')
			if end < 0 {
				return -1, false
			}
			name := pattern[p+2 : p+2+end]
			if name == "" || name[len(name)-1] != ':' {
				matched = matched || c == '['
				break
			}
			in, ok := inClass(name[:len(name)-1], c, g.fold)
			if !ok {
				return -1, false
			}
			matched = matched || in
			p += 2 + end
			pc = 0
		default:
			matched = matched || g.lower(pc) == c
		}
		prev = pc
		p++
	}
}

func (g *glob) lower(c byte) byte {
	if g.fold && c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func inClass(name string, c byte, fold bool) (in, ok bool) {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < 32 || c == 127, true
	case "digit":
		return digit, true
	case "graph":
		return c > 32 && c < 127, true
	case "lower":
		return lower, true
	case "print":
		return c >= 32 && c < 127, true
	case "punct":
		return c > 32 && c < 127 && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "upper":
		return upper || fold && lower, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}
