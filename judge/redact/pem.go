package redact

import "strings"

// maxKey is how long the text of a private key may be, in bytes.
const maxKey = 32 << 10

const dashes = "-----"

const privateKeyKind Kind = "private-key"

// privateKey returns the end of a private key block that begins at i. Without
// an end line the block goes on while its lines look like base64 or headers.
func privateKey(s string, i int) int {
	if !strings.HasPrefix(s[i:], dashes+"BEGIN ") {
		return 0
	}
	body := label(s, i+len(dashes)+len("BEGIN "))
	if body == 0 {
		return 0
	}
	window := s[body:min(len(s), body+maxKey)]
	for at := 0; ; {
		n := strings.Index(window[at:], dashes)
		if n < 0 {
			return keyLines(s, body)
		}
		n += at
		rest := window[n+len(dashes):]
		if strings.HasPrefix(rest, "END ") {
			if end := label(s, body+n+len(dashes)+len("END ")); end > 0 {
				return end
			}
		}
		if strings.HasPrefix(rest, "BEGIN ") {
			return min(keyLines(s, body), body+n)
		}
		at = n + 1
	}
}

// label returns the end of "[A-Z0-9 ]*PRIVATE KEY[ BLOCK]-----" at i, or 0.
func label(s string, i int) int {
	end := i
	for end < len(s) && end-i < 60 && (s[end] == ' ' || upper.has(s[end])) {
		end++
	}
	if !strings.Contains(s[i:end], "PRIVATE KEY") || !strings.HasPrefix(s[end:], dashes) {
		return 0
	}
	return end + len(dashes)
}

// keyLines follows the lines of a key whose end is missing: base64, "Name:
// value" headers and empty lines, broken by newlines or by the two characters
// \n of a quoted form.
func keyLines(s string, i int) int {
	end := i
	for at := i; at < len(s) && at-i < maxKey; {
		switch c := s[at]; {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '"' || c == '>' || c == '|':
			at++
		case c == '\\' && at+1 < len(s) && (s[at+1] == 'n' || s[at+1] == 'r'):
			at += 2
		default:
			stop := run(s, at, base64ch)
			header := stop < len(s) && s[stop] == ':' && stop-at < 30
			if header {
				for stop < len(s) && s[stop] != '\n' && s[stop] != '\\' {
					stop++
				}
			}
			// A line of prose has short words; a key's line is one long word, only its
			// last one may be short.
			if stop == at || !header && stop-at < 16 {
				if stop > at && stop-at >= 4 && strings.ContainsAny(s[at:stop], "0123456789+/=") {
					end = stop
				}
				return end
			}
			at, end = stop, stop
		}
	}
	return end
}

// keyTail returns the start of the lines of a key that end at the END line at
// i, for a text that was cut before the key's first line; -1 for no such line.
func keyTail(s string, i int) (start, end int) {
	if !strings.HasPrefix(s[i:], dashes+"END ") {
		return -1, 0
	}
	end = label(s, i+len(dashes)+len("END "))
	if end == 0 {
		return -1, 0
	}
	start = i
	for start > 0 && i-start < maxKey {
		c := s[start-1]
		if !base64ch.has(c) && c != '\n' && c != '\r' && c != '\\' {
			break
		}
		start--
	}
	return start, end
}
