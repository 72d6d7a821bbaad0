package redact

import "strings"

const (
	connectionKind Kind = "connection-string"
	urlKind        Kind = "url-credentials"
)

// urlPassword is the password of scheme://user:password@host, where i is the
// colon in front of the two slashes. Where a path was made of it one is left.
func urlPassword(s string, i int) span {
	if !strings.HasPrefix(s[i:], ":/") || i == 0 || !alnum.has(s[i-1]) {
		return span{}
	}
	start := i + 2
	if strings.HasPrefix(s[i:], "://") {
		start++
	}
	limit := min(len(s), start+maxValue)
	at, colon, end := -1, -1, start
	for ; end < limit; end++ {
		c := s[end]
		if n := placeholderAt(s, end); n > 0 {
			end += n - 1
			continue
		}
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '/' || c == '?' || c == '#' || c == ')' || c == '\\' {
			break
		}
		switch {
		case c == ':' && colon < 0:
			colon = end
		case c == '@':
			at = end
		}
	}
	if at < 0 {
		return span{}
	}
	if colon < 0 || colon > at {
		// https://TOKEN@host; a user's name there is short and a word.
		if v := withoutPlaceholders(s[start:at]); len(v) >= 20 && random(v) {
			return span{start, at, urlKind}
		}
		return span{}
	}
	v := withoutPlaceholders(s[colon+1 : at])
	if v == "" || reference(v) || strings.Trim(v, "*x.") == "" {
		return span{}
	}
	return span{colon + 1, at, connectionKind}
}

// dsn is the password of user:password@tcp(host), where i is the at sign.
func dsn(s string, i int) span {
	rest := s[i+1:]
	if !strings.HasPrefix(rest, "tcp(") && !strings.HasPrefix(rest, "unix(") && !strings.HasPrefix(rest, "tcp6(") {
		return span{}
	}
	start := i
	for start > 0 && i-start < 128 && s[start-1] > ' ' && strings.IndexByte("\"'`<>", s[start-1]) < 0 {
		start--
	}
	colon := strings.IndexByte(s[start:i], ':')
	if colon < 0 {
		return span{}
	}
	if v := withoutPlaceholders(s[start+colon+1 : i]); v == "" || reference(v) {
		return span{}
	}
	return span{start + colon + 1, i, connectionKind}
}
