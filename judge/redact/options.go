package redact

import "strings"

// maxLine is how far back the program of an option is looked for, in bytes.
const maxLine = 256

// option is the value behind --password, -u and the like, which begin at i. A
// quoted name is only spoken of.
func option(s string, i int) span {
	if f := glued(s, i); f.end > 0 {
		return f
	}
	sep := i
	for sep < len(s) && sep-i < maxName && dash.has(s[sep]) {
		sep++
	}
	if sep >= len(s) || s[sep] != ' ' {
		return span{}
	}
	switch name := s[i:sep]; name {
	case "-u", "-U", "--user", "--proxy-user":
		return userPassword(s, sep+1)
	case "-p":
		if runs(s, i, "sshpass", "docker login", "podman login", "az login") {
			return value(s, sep+1, passwordKind, true, true)
		}
	case "-a":
		if runs(s, i, "redis-cli") {
			return value(s, sep+1, passwordKind, true, true)
		}
	default:
		if kind, plain := nameKind(name); kind != "" && strings.HasPrefix(name, "--") {
			return value(s, sep+1, kind, plain, true)
		}
	}
	return span{}
}

// glued is the password of mysql -pSECRET.
func glued(s string, i int) span {
	if !strings.HasPrefix(s[i:], "-p") || i+2 >= len(s) || s[i+2] == ' ' || !runs(s, i, "mysql", "mariadb") {
		return span{}
	}
	return value(s, i+2, passwordKind, true, true)
}

// runs tells whether one of the programs stands before i on the same line.
func runs(s string, i int, programs ...string) bool {
	line := s[max(0, i-maxLine):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	for _, p := range programs {
		if strings.Contains(line, p) {
			return true
		}
	}
	return false
}

// userPassword is the password of curl's user:password at i.
func userPassword(s string, i int) span {
	for i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	end := valueEnd(s, i, 0)
	colon := strings.IndexByte(s[i:end], ':')
	if colon <= 0 || strings.HasPrefix(s[i+colon:], "://") {
		return span{}
	}
	v := withoutPlaceholders(s[i+colon+1 : end])
	// Ids of a user and group, or a version, are no password.
	if len(v) < 4 || reference(v) || location(v) || strings.Trim(v, "0123456789.") == "" {
		return span{}
	}
	return span{i + colon + 1, end, "basic-auth"}
}

// netrc is the password of "login NAME password SECRET", where i is the blank
// behind the word password.
func netrc(s string, i int) span {
	if !strings.HasSuffix(s[:i], " password") && !strings.HasSuffix(s[:i], "\npassword") || !strings.Contains(s[max(0, i-maxLine):i], "login ") ||
		!strings.Contains(s[max(0, i-maxLine):i], "machine ") {
		return span{}
	}
	return value(s, i+1, passwordKind, true, true)
}
