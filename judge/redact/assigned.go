package redact

import "strings"

// maxValue is how far an assigned value is followed, in bytes.
const maxValue = 1024

// assigned finds secrets by where they stand: behind a telling name, in an
// Authorization header, between a user and a host.
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
			f = bearer(s, i)
		case '@':
			f = dsn(s, i)
		}
		if f.end == 0 || f.start < at || strings.Contains(s[f.start:f.end], placeholderStart) {
			continue
		}
		out = append(out, f)
		at = f.end
		i = f.end - 1
	}
	return out
}

// named is the value behind a name such as DB_PASSWORD or apiKey.
func named(s string, sep int) span {
	kind, plain := nameKind(nameBefore(s, sep))
	if kind == "" {
		return span{}
	}
	i := sep + 1
	for i < len(s) && (s[i] == '=' || s[i] == '>' || s[i] == ' ' || s[i] == '\t') {
		i++
	}
	// Quotes, also escaped ones of JSON inside of JSON.
	for i < len(s) && s[i] == '\\' {
		i++
	}
	quote := byte(0)
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		quote = s[i]
		i++
	}
	if scheme := authScheme(s[i:]); scheme > 0 {
		i += scheme
	}
	end := valueEnd(s, i, quote)
	if end <= i || !secretive(s[i:end], plain) {
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
	for start > 0 && end-start < 64 && (dotted.has(s[start-1])) {
		start--
	}
	return s[start:end]
}

// nameKind tells what a name promises: nothing, a password (plain: even a short
// value counts), or another secret, whose value must look like one.
func nameKind(name string) (kind Kind, plain bool) {
	var buf [64]byte
	n := 0
	for i := range len(name) {
		if c := name[i]; alnum.has(c) {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			buf[n] = c
			n++
		}
	}
	folded := string(buf[:n])
	for _, w := range [...]string{"password", "passwd", "passphrase", "pwd", "passcode"} {
		if strings.HasSuffix(folded, w) {
			return "password", true
		}
	}
	if folded == "pass" || strings.HasSuffix(name, "_pass") || strings.HasSuffix(name, "_PASS") || strings.HasSuffix(name, "Pass") || strings.HasSuffix(name, "-pass") {
		return "password", true
	}
	switch folded {
	case "accountkey", "sharedaccesskey", "storagekey", "azurestoragekey", "azurestorageaccountkey":
		return "azure-key", false
	case "awssecretaccesskey", "secretaccesskey", "awssecretkey", "awssecret":
		return "aws-secret-key", false
	case "awssessiontoken":
		return "aws-session-token", false
	case "authorization", "proxyauthorization":
		return "authorization", false
	}
	for _, w := range [...]string{
		"secret", "secretkey", "token", "apikey", "accesskey", "privatekey", "authkey", "signingkey", "encryptionkey",
		"masterkey", "secretkeybase", "credential", "credentials", "authtoken", "webhookurl", "sharedaccesssignature", "sig", "apisecret", "salt", "dsn",
	} {
		if strings.HasSuffix(folded, w) && (w != "sig" && w != "salt" && w != "dsn" || len(folded) == len(w)) {
			return "secret", false
		}
	}
	if strings.HasSuffix(name, "_KEY") {
		return "secret", false
	}
	return "", false
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
			if end > i && s[end-1] == '\\' {
				return end - 1
			}
			return end
		case quote == 0 && strings.IndexByte(" \t,;&\"'`<>)]}|", c) >= 0:
			return end
		case quote == 0 && c >= 0x80:
			return end
		}
	}
	return limit
}

// secretive tells whether a value looks like a secret and not like a word, a
// reference or a piece of code. A plain one (of a password) may be short.
func secretive(v string, plain bool) bool {
	if strings.HasPrefix(v, placeholderStart) || reference(v) {
		return false
	}
	digits, lower, upperCase, other := 0, 0, 0, 0
	var seen [256]bool
	distinct := 0
	for i := range len(v) {
		c := v[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upperCase++
		case c == ' ' || c == '\t':
			if !plain {
				return false
			}
		default:
			other++
		}
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	letters := lower + upperCase
	switch {
	case plain:
		// A password: letters with digits or signs, or long enough to be no word.
		return len(v) >= 6 && distinct >= 4 && (letters > 0 && (digits > 0 || other > 0) || digits >= 6) || len(v) >= 16 && distinct >= 6 && !strings.Contains(v, " ")
	case len(v) < 16 || distinct < 8:
		return false
	case digits == 0:
		// Only letters: mixed case inside of it, as a random text has and a word not.
		return lower >= 4 && upperCase >= 4 && len(v) >= 20 && other <= 2
	default:
		return letters > 0 || digits >= 24
	}
}

// reference tells a value that only names where the secret is.
func reference(v string) bool {
	if strings.HasPrefix(v, "$") || strings.HasPrefix(v, "%") && strings.HasSuffix(v, "%") ||
		strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "***") || strings.Contains(v, "(") {
		return true
	}
	for _, p := range [...]string{"process.env", "os.environ", "os.Getenv", "os.getenv", "ENV[", "env.", "secrets.", "vault:", "op://", "var.", "import.meta", "settings.", "config.", "self.", "this.", "/", "./", "~/", "http://", "https://"} {
		if strings.HasPrefix(v, p) {
			// A URL with a secret inside is the matter of the other readers.
			return true
		}
	}
	return false
}

// bearer is a credential behind the word Bearer where no name stands before it.
func bearer(s string, i int) span {
	if !strings.HasSuffix(s[:i], "Bearer") && !strings.HasSuffix(s[:i], "bearer") {
		return span{}
	}
	start := i + 1
	end := run(s, start, base64ch)
	for end < len(s) && s[end] == '.' {
		end = run(s, end+1, base64ch)
	}
	if end-start < 16 || !secretive(s[start:end], false) {
		return span{}
	}
	return span{start, end, "authorization"}
}
