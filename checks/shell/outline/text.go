package outline

import "strings"

// The readers of Python and JavaScript below know just enough of each language
// to find its statements, strings and calls. Both work on text whose comments
// were blanked out, so that offsets and lines stay.

// StringEnd returns the offset behind the string literal that begins at i, which
// holds one of the quotes.
func StringEnd(s string, i int) int {
	q := s[i]
	if i+2 < len(s) && s[i+1] == q && s[i+2] == q && q != '`' {
		if end := strings.Index(s[i+3:], s[i:i+3]); end >= 0 {
			return i + 3 + end + 3
		}
		return len(s)
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case q:
			return j + 1
		case '\n':
			if q != '`' {
				return j
			}
		}
	}
	return len(s)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// closing returns the offset of the bracket that closes the one at i, or len(s).
func closing(s string, i int) int {
	depth := 0
	for j := i; j < len(s); j++ {
		switch c := s[j]; {
		case isQuote(c):
			j = StringEnd(s, j) - 1
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return len(s)
}

// splitTop cuts s at each sep that stands outside strings and brackets.
func splitTop(s, sep string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isQuote(c):
			i = StringEnd(s, i) - 1
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
			continue
		case c == ')' || c == ']' || c == '}':
			depth--
			continue
		}
		if depth == 0 && strings.HasPrefix(s[i:], sep) {
			out = append(out, s[from:i])
			i += len(sep) - 1
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// indexTop finds sub outside strings and brackets, or -1.
func indexTop(s, sub string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isQuote(c):
			i = StringEnd(s, i) - 1
			continue
		case c == '(' || c == '[' || c == '{':
			if depth == 0 && strings.HasPrefix(s[i:], sub) {
				return i
			}
			depth++
			continue
		case c == ')' || c == ']' || c == '}':
			depth--
			continue
		}
		if depth == 0 && strings.HasPrefix(s[i:], sub) {
			return i
		}
	}
	return -1
}

// literal returns the value of an expression that is one string literal. Parts
// that are filled in become Unknown.
func literal(s string) (string, bool) {
	s = strings.TrimSpace(s)
	prefix := ""
	for len(s) > 0 && strings.IndexByte("fFrRbBuU", s[0]) >= 0 && len(prefix) < 2 {
		prefix += strings.ToLower(s[:1])
		s = s[1:]
	}
	if s == "" || !isQuote(s[0]) || StringEnd(s, 0) != len(s) || len(s) < 2 {
		return "", false
	}
	q := s[0]
	width := 1
	if len(s) >= 6 && s[1] == q && s[2] == q && q != '`' {
		width = 3
	}
	if len(s) < 2*width || s[len(s)-1] != q {
		return "", false
	}
	body := s[width : len(s)-width]
	if !strings.Contains(prefix, "r") {
		body = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, "'", "\\`", "`", `\\`, `\`).Replace(body)
	}
	switch {
	case strings.Contains(prefix, "f"):
		body = fill(body, "{", true)
	case q == '`':
		body = fill(body, "${", false)
	}
	return body, true
}

// fill replaces what stands in the braces of a template by Unknown.
func fill(s, open string, doubled bool) string {
	var b strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 {
			break
		}
		if doubled && strings.HasPrefix(s[i:], "{{") {
			b.WriteString(s[:i] + "{")
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		end := closing(s, i+len(open)-1)
		b.WriteString(Unknown)
		s = s[min(end+1, len(s)):]
	}
	if doubled {
		s = strings.ReplaceAll(s, "}}", "}")
		return strings.ReplaceAll(b.String(), "}}", "}") + s
	}
	return b.String() + s
}

// blankComments replaces comments by blanks. Strings stay.
func blankComments(src string, hash bool) string {
	b := []byte(src)
	blank := func(from, to int) {
		for i := from; i < to && i < len(b); i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case hash && c == '#':
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				end = len(src) - i
			}
			blank(i, i+end)
			i += end - 1
		case !hash && strings.HasPrefix(src[i:], "//"):
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				end = len(src) - i
			}
			blank(i, i+end)
			i += end - 1
		case !hash && strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				end = len(src) - i - 4
			}
			blank(i, i+2+end+2)
			i += 2 + end + 1
		case !hash && c == '/' && regexBefore(src, i):
			i = regexEnd(src, i)
		case isQuote(c) && (c != '`' || !hash):
			i = StringEnd(src, i) - 1
		}
	}
	return string(b)
}

// regexBefore tells whether the slash at i can begin a regular expression.
func regexBefore(s string, i int) bool {
	for i--; i >= 0 && (s[i] == ' ' || s[i] == '\t'); i-- {
	}
	return i < 0 || strings.IndexByte("(,=:[!&|?{};\n+>", s[i]) >= 0
}

func regexEnd(s string, i int) int {
	class := false
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return j
			}
		case '\n':
			return i
		}
	}
	return i
}

// calls lists the places where a function of one of the names is called: the
// offset of the name and its arguments.
type callSite struct {
	name string
	at   int
	args []string
	end  int
}

// callsOf finds calls in an expression: names with dots, then a bracket. Calls
// inside the arguments of another are listed after it.
func callsOf(s string) []callSite {
	var out []callSite
	for i := 0; i < len(s) && len(out) < 200; i++ {
		c := s[i]
		if isQuote(c) {
			i = StringEnd(s, i) - 1
			continue
		}
		if !identStart(c) || i > 0 && (identByte(s[i-1]) || s[i-1] == '.') {
			continue
		}
		j := i
		for j < len(s) && (identByte(s[j]) || s[j] == '.' || s[j] == '?' && j+1 < len(s) && s[j+1] == '.') {
			j++
		}
		k := j
		for k < len(s) && (s[k] == ' ' || s[k] == '\t') {
			k++
		}
		if k < len(s) && s[k] == '(' {
			end := closing(s, k)
			inner := s[min(k+1, len(s)):min(end, len(s))]
			site := callSite{name: s[i:j], at: i, end: min(end+1, len(s))}
			for _, arg := range splitTop(inner, ",") {
				if strings.TrimSpace(arg) != "" {
					site.args = append(site.args, strings.TrimSpace(arg))
				}
			}
			out = append(out, site)
		}
		i = j - 1
	}
	return out
}

func identStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
func identByte(c byte) bool { return identStart(c) || c >= '0' && c <= '9' }

// keyword returns the value of a named argument, as name=value.
func (c callSite) keyword(name, sep string) (string, bool) {
	for _, arg := range c.args {
		if rest, ok := strings.CutPrefix(arg, name); ok {
			rest = strings.TrimSpace(rest)
			if value, ok := strings.CutPrefix(rest, sep); ok && !strings.HasPrefix(value, sep) {
				return strings.TrimSpace(value), true
			}
		}
	}
	return "", false
}

// lineOf counts lines from 1.
func lineOf(s string, offset int) int { return 1 + strings.Count(s[:min(offset, len(s))], "\n") }
