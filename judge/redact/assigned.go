package redact

import "strings"

// maxValue is how far an assigned value is followed, in bytes; maxName how far a
// name is followed backwards.
const (
	maxValue = 1024
	maxName  = 64
)

const (
	passwordKind      Kind = "password"
	secretKind        Kind = "secret"
	authorizationKind Kind = "authorization"
)

// assigned finds secrets by where they stand: behind a telling name or option,
// in an Authorization header, between a user and a host.
func assigned(s string) []span {
	var out []span
	at := 0
	for i := 0; i < len(s); i++ {
		f := span{}
		switch s[i] {
		case '=', ':':
			if f = urlPassword(s, i); f.end == 0 {
				f = named(s, i)
			}
		case ' ':
			switch {
			case i > 0 && s[i-1] == 'r':
				f = bearer(s, i)
			case i > 0 && s[i-1] == 'd':
				f = netrc(s, i)
			}
		case '-':
			if i == 0 || !dash.has(s[i-1]) {
				f = option(s, i)
			}
		case '@':
			f = dsn(s, i)
		}
		if f.end == 0 || f.start < at {
			continue
		}
		out = append(out, f)
		at = f.end
		i = f.end - 1
	}
	return out
}

// named is the value behind a name such as DB_PASSWORD or apiKey and a sign of
// assignment at sep.
func named(s string, sep int) span {
	name := nameBefore(s, sep)
	kind, plain := nameKind(name)
	if kind == "" {
		return span{}
	}
	// $PWD:/work uses a variable and sets none.
	if at := strings.LastIndex(s[:sep], name); at > 0 && s[at-1] == '$' {
		return span{}
	}
	i := sep + 1
	for i < len(s) && (s[i] == '=' || s[i] == '>' || s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return value(s, i, kind, plain, s[sep] == '=' && i == sep+1)
}

// value is the secret that begins at i, behind quotes and the scheme of a header.
// tight tells that nothing stands between the sign and the value, as in a shell.
func value(s string, i int, kind Kind, plain, tight bool) span {
	// Quotes may be escaped, also twice: JSON inside of JSON.
	for i < len(s) && s[i] == '\\' {
		i++
	}
	quote := byte(0)
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		quote = s[i]
		i++
	}
	scheme := authScheme(s[i:])
	i += scheme
	end := valueEnd(s, i, quote)
	v := withoutPlaceholders(s[i:end])
	if quote == 0 && strings.ContainsAny(v, "[{") {
		return span{} // code
	}
	if v == "" || reference(v) || kind == secretKind && location(v) {
		return span{}
	}
	switch {
	case scheme > 0 && len(v) >= 8 && strings.ContainsAny(v, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
	case plain && (tight || quote != 0) && chosen(v):
	case plain && password(v):
	case random(v):
	default:
		return span{}
	}
	return span{i, end, kind}
}

// nameBefore is the name that ends at sep, without quotes and spaces.
func nameBefore(s string, sep int) string {
	end := sep
	for end > 0 && sep-end < 4 && strings.IndexByte(" \t\"'`:*\\]", s[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < maxName && dotted.has(s[start-1]) {
		start--
	}
	return s[start:end]
}

// authScheme is the length of the scheme word in front of a header's value.
func authScheme(s string) int {
	for _, w := range [...]string{"Bearer ", "bearer ", "Basic ", "basic ", "token ", "Token ", "ApiKey ", "Digest "} {
		if strings.HasPrefix(s, w) {
			return len(w)
		}
	}
	return 0
}

// valueEnd is where a value ends: at its closing quote, else at what cannot
// belong to an unquoted one.
func valueEnd(s string, i int, quote byte) int {
	limit := min(len(s), i+maxValue)
	for end := i; end < limit; end++ {
		switch c := s[end]; {
		case c == '\n' || c == '\r':
			return end
		case quote != 0 && c == quote:
			for end > i && s[end-1] == '\\' {
				end--
			}
			return end
		case quote != 0:
		case c == '<' && placeholderAt(s, end) > 0:
			end += placeholderAt(s, end) - 1
		case c >= 0x80, strings.IndexByte(" \t,;&\"'`<>)]}|", c) >= 0:
			return end
		}
	}
	return limit
}

// bearer is a credential behind the word Bearer where no name stands before it.
func bearer(s string, i int) span {
	if !strings.HasSuffix(s[:i], "Bearer") && !strings.HasSuffix(s[:i], "bearer") {
		return span{}
	}
	start := i + 1
	end := run(s, start, base64ch)
	for end < len(s) && s[end] == '.' && end-start < maxToken {
		end = run(s, end+1, base64ch)
	}
	if !random(s[start:end]) {
		return span{}
	}
	return span{start, end, authorizationKind}
}
