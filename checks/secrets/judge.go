package secrets

import (
	"encoding/base64"
	"strings"

	"agentguard/judge/redact"
)

// Judge tells how sure it is that a value which the redaction would take out is
// a real secret; false means that it is none, or no matter of a commit. The
// redaction errs towards taking too much; here a wrong find stops work.
func Judge(text string, s redact.Span) (Level, bool) {
	value := text[s.Start:s.End]
	switch s.Kind {
	case "private-key":
		return Certain, keyBody(value)
	case "connection-string":
		return Possible, farAway(text[s.End:]) && !Dummy(value) && !everyday(value)
	case "aws-secret-key", "azure-key":
		return Certain, !Dummy(value) && mixed(value)
	case "jwt":
		return Possible, !sampleToken(value)
	case "twilio-key":
		if strings.HasPrefix(value, "AC") {
			return "", false // the account's id, no secret
		}
		return Possible, !Dummy(value)
	}
	if !s.Form || s.Kind != "onepassword-token" && inBlob(text, s) {
		return "", false
	}
	switch {
	case strings.HasPrefix(value, "sk_test_"), strings.HasPrefix(value, "rk_test_"):
		return Possible, !Dummy(value[len("sk_test_"):])
	case strings.HasPrefix(value, "AIza"):
		// Keys of Firebase's web configuration have this form and are public.
		return Possible, !Dummy(value)
	case strings.Contains(value, "://") || strings.Contains(value, "/"):
		return Certain, !Dummy(value) && digits(value) >= 2
	}
	// A class name such as sk-loading-indicator begins like a key.
	return Certain, digits(value) > 0 && !Dummy(value) && !wordy(value)
}

// maxBlob is how long a run of base64 may be in which a find still counts: in
// longer ones, pictures and programs, every short prefix turns up.
const maxBlob = 300

func inBlob(text string, s redact.Span) bool {
	start, end := s.Start, s.End
	for start > 0 && s.Start-start < maxBlob && blobByte(text[start-1]) {
		start--
	}
	for end < len(text) && end-s.End < maxBlob && blobByte(text[end]) {
		end++
	}
	return end-start >= maxBlob || blobLine(text, start, end) &&
		(blobLine(text, lineBefore(text, start), start-1) || blobLine(text, end+1, lineEnd(text, end+1)))
}

// minBlobLine is how long the lines are that base64 is broken into, at least: no
// key of the kinds that have a line of their own is as long.
const minBlobLine = 60

// blobLine tells that text[start:end] is a whole line of base64.
func blobLine(text string, start, end int) bool {
	if start < 0 || end > len(text) || end-start < minBlobLine || start > 0 && text[start-1] != '\n' {
		return false
	}
	line := strings.TrimRight(text[start:end], "\r=")
	for i := range len(line) {
		if !blobByte(line[i]) {
			return false
		}
	}
	rest := strings.TrimLeft(text[end:min(len(text), end+4)], "\r=")
	return rest == "" || rest[0] == '\n'
}

// lineBefore is where the line before the one at start begins; start itself where
// there is none.
func lineBefore(text string, start int) int {
	if start == 0 {
		return 0
	}
	return strings.LastIndexByte(text[:start-1], '\n') + 1
}

// lineEnd is the end of the line that begins at start.
func lineEnd(text string, start int) int {
	if start >= len(text) {
		return len(text)
	}
	if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
		return start + n
	}
	return len(text)
}

func blobByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '/'
}

// keyBody tells that a key block holds a key and is not only spoken of.
func keyBody(block string) bool {
	body := block
	if strings.HasPrefix(block, "-----BEGIN ") {
		_, body, _ = strings.Cut(block[len("-----BEGIN "):], "-----")
		body, _, _ = strings.Cut(body, "-----END ")
	}
	body = strings.NewReplacer("\n", "", "\r", "", `\n`, "", " ", "", "\t", "", `"`, "", "+", "", "'", "").Replace(body)
	if len(body) < 80 || strings.Contains(body, "...") || strings.Contains(strings.ToLower(body), "example") {
		return false
	}
	return entropy(body) > 4
}

// Dummy tells a value that only shows where a real one goes.
func Dummy(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range [...]string{
		"example", "sample", "dummy", "placeholder", "changeme", "change-me", "change_me", "your", "xxxx", "****", "todo", "redacted",
		"notreal", "not-a-real", "insert", "replace", "fake", "test", "mock", "foobar", "lorem", "secretsecret", "password", "deadbeef",
		"123456789", "987654321", "abcdefgh", "qwerty", "...", "…", "00000000", "11111111", "aaaaaaaa", "${", "{{", "<", "process.env", "os.environ",
	} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	if strings.HasPrefix(value, "$") || strings.HasPrefix(value, "%") || strings.HasPrefix(value, "{") {
		return true
	}
	return len(value) >= 12 && (entropy(value) < 2.6 || repeats(lower) || climbs(lower))
}

// repeats tells a text made of one piece over and over.
func repeats(s string) bool {
	for n := 1; n <= len(s)/3; n++ {
		if s[n:] == s[:len(s)-n] {
			return true
		}
	}
	return false
}

// climbs tells a run of eight neighbours, as in abcdefgh or 12345678, or several
// shorter ones that make up half of the value.
func climbs(s string) bool {
	run, total := 1, 0
	for i := 1; i <= len(s); i++ {
		if i < len(s) && (s[i] == s[i-1]+1 || s[i] == '0' && s[i-1] == '9') {
			run++
			continue
		}
		if run >= 8 {
			return true
		}
		if run >= 3 {
			total += run
		}
		run = 1
	}
	return total*2 > len(s)
}

// everyday tells a password that stands in every compose file.
func everyday(v string) bool {
	switch strings.ToLower(v) {
	case "postgres", "root", "admin", "user", "pass", "secret", "mysql", "mongo", "redis", "guest", "dev", "local", "rabbitmq", "passwd", "pswd", "passw0rd", "app", "django", "rails", "api", "token", "pwd", "mypass":
		return true
	}
	return len(v) < 5
}

// farAway tells that what follows a password names a machine of somebody's:
// not this one, not a service of a compose file, not a sample.
func farAway(rest string) bool {
	rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, "@"), "tcp("), "unix("), "[]")
	end := strings.IndexAny(rest, "/:?#\"'`) \t\r\n,;")
	if end < 0 {
		end = len(rest)
	}
	host := strings.ToLower(rest[:end])
	if !strings.Contains(host, ".") || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "0.") || strings.HasPrefix(host, "host.docker") {
		return false
	}
	for _, sample := range [...]string{"example", "localhost", ".local", ".test", ".invalid", "domain.", "yourhost", "my-", "myhost", "proxy.", "{", "$", "<"} {
		if strings.Contains(host, sample) {
			return false
		}
	}
	return true
}

// sampleToken tells a JSON web token that documentation is full of.
func sampleToken(v string) bool {
	parts := strings.Split(v, ".")
	if len(parts) < 3 || len(parts[2]) < 20 {
		return true // cut off or not signed
	}
	claims, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return true
	}
	lower := strings.ToLower(string(claims))
	for _, word := range [...]string{"1234567890", "john doe", "jane doe", "example", `"test`, "supabase-demo", `"anon"`} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return Dummy(parts[2])
}

// wordy tells a value whose pieces are words: four letters or more in one case
// each, as in sk-skeleton-row-2-animated.
func wordy(v string) bool {
	words, pieces := 0, 0
	for piece := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		pieces++
		if len(piece) <= 12 && digits(piece) == 0 && (piece == strings.ToLower(piece) || piece == strings.ToUpper(piece)) || len(piece) <= 3 {
			words++
		}
	}
	return pieces >= 3 && words == pieces
}
