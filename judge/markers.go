package judge

import "strings"

// removedMarker stands where a look-alike of our marker lines was.
const removedMarker = "[marker]"

// maxMarker is how long a look-alike of a marker may be, in bytes.
const maxMarker = 200

// StripMarkers takes out of a text what could pass for one of our marker lines:
// our marker words in any case and spelling, brackets around "begin" or "end"
// with "data", and the token of this call itself.
func StripMarkers(text, token string) string {
	if token != "" {
		text = strings.ReplaceAll(text, token, removedMarker)
	}
	// What is taken out brings its neighbours closer together.
	for range maxStrips {
		stripped := stripOnce(text)
		if stripped == text {
			break
		}
		text = stripped
	}
	return text
}

// maxStrips bounds how often a text is read again after something was found.
const maxStrips = 8

func stripOnce(text string) string {
	var b strings.Builder
	rest := text
	for {
		start, end := findMarker(rest)
		if start < 0 {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:start])
		b.WriteString(removedMarker)
		rest = rest[end:]
	}
}

// findMarker returns the first look-alike in s, or -1.
func findMarker(s string) (start, end int) {
	for i := range len(s) {
		switch {
		case strings.HasPrefix(s[i:], "<<"), strings.HasPrefix(s[i:], "＜＜"), strings.HasPrefix(s[i:], "《《"):
			if n := bracketed(s[i:]); n > 0 {
				return i, i + n
			}
		case s[i]|0x20 == 'a':
			if n := markerWord(s[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

// bracketed is the length of an opening bracket run with begin or end and data
// behind it on the same line, up to and with the closing run if there is one.
func bracketed(s string) int {
	line := s[:min(len(s), maxMarker)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	end := len(line)
	for _, closing := range []string{">>", "＞＞", "》》"} {
		if n := strings.Index(line, closing); n >= 0 && n+len(closing) < end {
			end = n + len(closing)
		}
	}
	for end < len(line) && line[end] == '>' {
		end++
	}
	folded := letters(line[:end])
	if strings.Contains(folded, "data") && (strings.Contains(folded, "begin") || strings.Contains(folded, "end")) {
		return end
	}
	return 0
}

// markerWord is the length of our marker words at the start of s, whatever
// stands between their letters.
func markerWord(s string) int {
	const word = "agentguarddata"
	n := 0
	for i := 0; i < len(s) && i < maxMarker; i++ {
		c := s[i]
		switch {
		case c|0x20 == word[n]:
			if n++; n == len(word) {
				return i + 1
			}
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '\n':
			return 0
		}
	}
	return 0
}

// letters keeps the ASCII letters of s, folded to lower case.
func letters(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i] | 0x20; c >= 'a' && c <= 'z' {
			out = append(out, c)
		}
	}
	return string(out)
}
