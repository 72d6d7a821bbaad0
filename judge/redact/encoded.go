package redact

import (
	"encoding/base64"
	"strings"
)

// minEncoded is the shortest run that is decoded, in bytes: the shortest token
// known by its form is longer.
const minEncoded = 20

// encoded finds secrets in their base64 and URL-encoded forms.
func encoded(s string) []span {
	b, u := inBase64(s), inPercent(s)
	if len(b) == 0 {
		return u
	}
	return join(b, u)
}

// inBase64 decodes every long run and takes it out whole when a secret is in it:
// which of its letters carry the secret and which its neighbours cannot be told.
func inBase64(s string) []span {
	var out []span
	for i := 0; i < len(s); {
		if !base64ch.has(s[i]) || s[i] == '=' {
			i++
			continue
		}
		end := base64Run(s, i)
		if end-i >= minEncoded && mixed(s[i:end]) {
			if kind := kindInside(s[i:end]); kind != "" {
				out = append(out, span{i, end, kind})
			}
		}
		i = end
	}
	return out
}

// mixed tells a run with letters of both cases; paths and names in lower case,
// which are most of the long ones, are not worth decoding.
func mixed(s string) bool {
	lower, upper := false, false
	for i := range len(s) {
		c := s[i]
		lower = lower || c >= 'a' && c <= 'z'
		upper = upper || c >= 'A' && c <= 'Z'
		if lower && upper {
			return true
		}
	}
	return false
}

// base64Run returns the end of a run that may be wrapped at 60 or more columns.
func base64Run(s string, i int) int {
	for {
		line := i
		for i < len(s) && base64ch.has(s[i]) {
			i++
		}
		if i-line < 60 {
			return i
		}
		next := i
		if strings.HasPrefix(s[next:], "\r") {
			next++
		}
		if !strings.HasPrefix(s[next:], "\n") || next+1 >= len(s) || !base64ch.has(s[next+1]) {
			return i
		}
		i = next + 1
	}
}

// kindInside is the kind of the first secret that a run of base64 hides. The
// run may have other characters glued to its front, so all four phases are read.
func kindInside(s string) Kind {
	clean := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; c {
		case '-':
			clean = append(clean, '+')
		case '_':
			clean = append(clean, '/')
		case '\n', '\r':
		case '=':
			// Padding in the middle: what follows is a text of its own.
			for len(clean)%4 != 0 {
				clean = append(clean, 'A')
			}
		default:
			clean = append(clean, c)
		}
	}
	plain := make([]byte, base64.StdEncoding.DecodedLen(len(clean))+4)
	for phase := range 4 {
		if phase >= len(clean) {
			break
		}
		part := clean[phase:]
		n, err := base64.StdEncoding.Decode(plain, part[:len(part)/4*4])
		if err != nil {
			continue
		}
		tail := len(part) % 4
		if tail > 1 {
			m, _ := base64.RawStdEncoding.Decode(plain[n:], part[len(part)-tail:])
			n += m
		}
		text := string(plain[:n])
		if found := exact(text); len(found) > 0 {
			return found[0].kind
		}
		if found := credentials(text); found != "" {
			return found
		}
	}
	return ""
}

// credentials tells user:password of a Basic header and assignments that were
// encoded with their names; only in text that is readable as a whole.
func credentials(text string) Kind {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return ""
		}
	}
	if found := assigned(text); len(found) > 0 {
		return found[0].kind
	}
	return ""
}

// maxPercent is how often a percent-encoded text is decoded again.
const maxPercent = 3

// inPercent finds secrets in stretches that hold %XX.
func inPercent(s string) []span {
	if strings.IndexByte(s, '%') < 0 {
		return nil
	}
	var out []span
	for i := 0; i < len(s); {
		if !percentText(s[i]) {
			i++
			continue
		}
		end, coded := i, false
		for end < len(s) && percentText(s[end]) {
			coded = coded || s[end] == '%'
			end++
		}
		if coded {
			out = append(out, percentSpans(s, i, end)...)
		}
		i = end
	}
	return out
}

// percentSpans finds the secrets of s[start:end] after decoding and maps them
// back to where their encoded form stands.
func percentSpans(s string, start, end int) []span {
	text := s[start:end]
	pos := make([]int, len(text)+1)
	for i := range pos {
		pos[i] = start + i
	}
	for range maxPercent {
		plain := make([]byte, 0, len(text))
		back := make([]int, 0, len(text)+1)
		for i := 0; i < len(text); i++ {
			back = append(back, pos[i])
			if hi, lo := hexAt(text, i+1), hexAt(text, i+2); text[i] == '%' && hi < 16 && lo < 16 {
				plain = append(plain, hi<<4|lo)
				i += 2
				continue
			}
			plain = append(plain, text[i])
		}
		if len(plain) == len(text) {
			return nil
		}
		back = append(back, pos[len(pos)-1])
		text, pos = string(plain), back
		found := merge(exact(text), assigned(text))
		if len(found) == 0 && strings.IndexByte(text, '+') >= 0 {
			// In the form encoding a plus sign is a blank, in others it is itself.
			spaced := strings.ReplaceAll(text, "+", " ")
			found = merge(exact(spaced), assigned(spaced))
		}
		for i := range found {
			found[i].start, found[i].end = pos[found[i].start], pos[found[i].end]
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func percentText(c byte) bool {
	return path.has(c) || c == '%' || c == '~' || c == '+' || c == '&' || c == '=' || c == ':' || c == '@' || c == '?'
}

// hexAt is the value of a hexadecimal digit, or 16 for anything else.
func hexAt(s string, i int) byte {
	if i >= len(s) {
		return 16
	}
	switch c := s[i]; {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	default:
		return 16
	}
}
