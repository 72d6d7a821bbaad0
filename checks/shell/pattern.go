package shell

import "strings"

// trimPattern removes the shortest or longest part that a pattern matches at
// one end. The scan is quadratic at worst, so long values are left alone.
func trimPattern(s, pattern string, front, longest bool) string {
	if len(s) > 512 {
		return s
	}
	for i := 0; i <= len(s); i++ {
		n := i
		if longest {
			n = len(s) - i
		}
		if front && match(pattern, s[:n]) {
			return s[n:]
		}
		if !front && match(pattern, s[len(s)-n:]) {
			return s[:len(s)-n]
		}
	}
	return s
}

// match is glob matching with *, ? and [..] where * also matches slashes.
func match(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		ok, n := false, 1
		if p < len(pattern) {
			switch pattern[p] {
			case '*':
				star, mark = p, i
				p++
				continue
			case '?':
				ok = true
			case '[':
				if end := classEnd(pattern, p); end > 0 {
					ok, n = inClass(pattern[p+1:end-1], s[i]), end-p
				} else {
					ok = s[i] == '['
				}
			case '\\':
				if p+1 < len(pattern) {
					ok, n = pattern[p+1] == s[i], 2
				}
			default:
				ok = pattern[p] == s[i]
			}
		}
		switch {
		case ok:
			p += n
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

func inClass(class string, c byte) bool {
	not := len(class) > 0 && (class[0] == '!' || class[0] == '^')
	if not {
		class = class[1:]
	}
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' {
			if class[i] <= c && c <= class[i+2] {
				return !not
			}
			i += 2
			continue
		}
		if class[i] == c {
			return !not
		}
	}
	return not
}

func replaceText(s, orig, with string, all bool) string {
	anchor := byte(0)
	if !all && orig != "" && (orig[0] == '#' || orig[0] == '%') {
		anchor, orig = orig[0], orig[1:]
	}
	switch {
	case anchor == '#':
		if t := trimPattern(s, orig, true, true); t != s || orig == "" {
			return with + t
		}
		return s
	case anchor == '%':
		if t := trimPattern(s, orig, false, true); t != s || orig == "" {
			return t + with
		}
		return s
	case orig == "":
		return s
	case !strings.ContainsAny(orig, "*?[\\"):
		n := 1
		if all {
			n = -1
		}
		return strings.Replace(s, orig, with, n)
	}
	if len(s) > 256 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for j := len(s); j > i; j-- {
			if match(orig, s[i:j]) {
				n = j - i
				break
			}
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(with)
		i += n
		if !all {
			b.WriteString(s[i:])
			break
		}
	}
	return b.String()
}
