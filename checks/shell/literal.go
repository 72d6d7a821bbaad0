package shell

import "strings"

// unescape removes the backslashes that stand before one of the bytes in set.
func unescape(s, set string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(set, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// lit adds unquoted text: backslashes, a tilde at the start, patterns.
func (a *analyzer) lit(s string, k *sink, st *state, first, last bool) {
	if first && strings.HasPrefix(s, "~") {
		if home, rest, ok := a.tilde(s, st, last); ok {
			k.add(home)
			s = rest
		}
	}
	from := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			k.add(s[from:i])
			if s[i+1] == '\n' {
				from = i + 2
			} else {
				from = i + 1
			}
			i++
		case (c == '=' || c == ':') && i+1 < len(s) && s[i+1] == '~' && first:
			// --dir=~/x and PATH=a:~/b: bash expands the first only in assignments,
			// zsh and programs of their own more often. The cautious reading wins.
			if home, rest, ok := a.tilde(s[i+1:], st, last); ok {
				k.add(s[from : i+1])
				k.add(home)
				s, i, from = rest, -1, 0
			}
		case !k.split:
		case c == '*' || c == '?' || c == '[':
			if end := patternEnd(s, i); end > i {
				k.add(s[from:i])
				k.add(a.glob(s[i:end]))
				from = end
				i = end - 1
			}
		}
	}
	if from < len(s) || s == "" {
		k.add(s[min(from, len(s)):])
	}
}

// patternEnd returns the offset behind the pattern characters that start at i.
func patternEnd(s string, i int) int {
	for i < len(s) {
		switch s[i] {
		case '*', '?':
			i++
			continue
		case '[':
			if end := classEnd(s, i); end > 0 {
				i = end
				continue
			}
		}
		break
	}
	return i
}

// classEnd returns the offset behind the bracket expression at i, 0 for none.
func classEnd(s string, i int) int {
	j := i + 1
	if j < len(s) && (s[j] == '!' || s[j] == '^') {
		j++
	}
	if j < len(s) && s[j] == ']' {
		j++
	}
	for ; j < len(s) && s[j] != '/'; j++ {
		if s[j] == ']' {
			return j + 1
		}
	}
	return 0
}

func (a *analyzer) tilde(s string, st *state, last bool) (home, rest string, ok bool) {
	end := strings.IndexAny(s, "/:(")
	if end < 0 {
		if !last {
			return "", s, false
		}
		end = len(s)
	}
	switch user := s[1:end]; {
	case user == "" && end < len(s) && s[end] == '(' && s[len(s)-1] == ')': // zsh: ~(N)
		return a.get(st, "HOME"), "", true
	case user == "":
		return a.get(st, "HOME"), s[end:], true
	case user == "+":
		return a.dir(st), s[end:], true
	case user == "-":
		return a.get(st, "OLDPWD"), s[end:], true
	case user == "root":
		return "/root", s[end:], true
	case base(a.env.Home) == user:
		return a.env.Home, s[end:], true
	case strings.ContainsAny(user, "\\*?["):
		return "", s, false
	default:
		return a.unknownVar("~"+user, false), s[end:], true
	}
}

// globbed marks the patterns in a value that is used unquoted.
func (a *analyzer) globbed(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '*' || s[i] == '?' || s[i] == '[' {
			if end := patternEnd(s, i); end > i {
				b.WriteString(a.glob(s[i:end]))
				i = end - 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
