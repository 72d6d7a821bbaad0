package redact

import "strings"

// nameKind tells what a name promises: nothing, a password (plain: also a word
// may be one), or another secret, whose value must look random.
func nameKind(name string) (kind Kind, plain bool) {
	folded := foldName(name)
	switch folded {
	case "":
		return "", false
	case "accountkey", "sharedaccesskey", "storagekey", "azurestoragekey", "azurestorageaccountkey", "sig":
		return "azure-key", false
	case "awssecretaccesskey", "secretaccesskey", "awssecretkey", "awssecret":
		return "aws-secret-key", false
	case "awssessiontoken":
		return "aws-session-token", false
	case "authorization", "proxyauthorization":
		return authorizationKind, false
	case "pass", "auth", "cookie", "setcookie", "sid", "sessionid", "phpsessid", "jsessionid":
		if folded == "pass" {
			return passwordKind, true
		}
		return secretKind, false
	}
	for _, w := range [...]string{"password", "passwd", "passphrase", "pwd", "passcode", "passwort", "userpass", "dbpass"} {
		if strings.HasSuffix(folded, w) {
			return passwordKind, true
		}
	}
	for _, w := range [...]string{"_pass", "_PASS", "-pass", "Pass"} {
		if strings.HasSuffix(name, w) {
			return passwordKind, true
		}
	}
	for _, w := range [...]string{
		"secret", "secretkey", "token", "apikey", "accesskey", "privatekey", "authkey", "signingkey", "encryptionkey",
		"masterkey", "deploykey", "secretkeybase", "credential", "credentials", "sharedaccesssignature", "accountsid", "webhookurl",
	} {
		if strings.HasSuffix(folded, w) {
			return secretKind, false
		}
	}
	if strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_SALT") {
		return secretKind, false
	}
	return "", false
}

// foldName keeps the letters and digits, in lower case.
func foldName(name string) string {
	var buf [maxName]byte
	n := 0
	for i := 0; i < len(name) && n < len(buf); i++ {
		if c := name[i]; alnum.has(c) {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			buf[n] = c
			n++
		}
	}
	return string(buf[:n])
}

// shape counts what a value is made of.
type shape struct {
	digits, lower, upper, blank, other, distinct int
	turns                                        int // from one case to the other
}

func shapeOf(v string) shape {
	var p shape
	var seen [256]bool
	for i := range len(v) {
		c := v[i]
		switch {
		case c >= '0' && c <= '9':
			p.digits++
		case c >= 'a' && c <= 'z':
			p.lower++
		case c >= 'A' && c <= 'Z':
			p.upper++
		case c == ' ' || c == '\t':
			p.blank++
		default:
			p.other++
		}
		if i > 0 && isLetter(c) && isLetter(v[i-1]) && c&0x20 != v[i-1]&0x20 {
			p.turns++
		}
		if !seen[c] {
			seen[c] = true
			p.distinct++
		}
	}
	return p
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// random tells whether a value looks drawn by a machine and not like a word, a
// name or a sentence.
func random(v string) bool {
	p := shapeOf(v)
	switch {
	case len(v) < 16 || p.distinct < 8 || p.blank > 0:
		return false
	case p.digits == 0:
		// Only letters: cases mixed all through, as a name in camel case is not.
		return p.lower >= 4 && p.upper >= 4 && len(v) >= 20 && p.other <= 2 && p.turns*5 >= len(v)*2
	default:
		return p.lower+p.upper > 0 || p.digits >= 24
	}
}

// password tells whether a value that stands loosely behind a password's name,
// perhaps in a sentence, is one: letters with digits or signs, or very long.
func password(v string) bool {
	p := shapeOf(v)
	letters := p.lower + p.upper
	if p.blank > 0 || len(v) < 6 || p.distinct < 4 {
		return false
	}
	// A full stop or bracket at the end is the sentence's.
	inner := shapeOf(strings.TrimRight(v, ".:!?)*_"))
	return letters > 0 && (p.digits > 0 || inner.other > 0 && inner.other*2 < letters) || p.digits >= 6 || len(v) >= 16
}

// chosen tells whether a value that was given as a password is one, which may
// then be any word but those that stand for its absence, its type or a variable.
func chosen(v string) bool {
	p := shapeOf(v)
	if len(v) < 4 || p.distinct < 3 {
		return false
	}
	switch strings.ToLower(v) {
	case "true", "false", "null", "none", "nil", "undefined", "required", "optional", "string", "password", "passwd", "secret", "hidden", "redacted", "changeme", "prompt", "input", "text", "empty", "value", "stdin", "self":
		return false
	}
	// user.password and rows[0] are code.
	return p.digits > 0 || !strings.ContainsAny(v, ".[")
}

// reference tells a value that only names where the secret is.
func reference(v string) bool {
	if strings.HasPrefix(v, "$") || strings.HasPrefix(v, "%") && strings.HasSuffix(v, "%") ||
		strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "***") || strings.Contains(v, "(") {
		return true
	}
	for _, p := range [...]string{
		"process.env", "os.environ", "os.Getenv", "os.getenv", "ENV[", "env.", "secrets.", "vault:", "op://", "var.", "import.meta",
		"settings.", "config.", "self.", "this.",
	} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// location tells a path or an address. A secret inside of an address is for the
// other readers.
func location(v string) bool {
	for _, p := range [...]string{"/", "./", "../", "~/", "http://", "https://"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}
