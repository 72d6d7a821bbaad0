package secrets

import (
	"math"
	"strings"
)

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// mixed tells letters of both cases with digits or signs.
func mixed(s string) bool {
	lower, upper, other := false, false, false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			upper = true
		default:
			other = true
		}
	}
	return lower && upper && other
}

// Bounds of a run of characters that could be a key.
const (
	minRun      = 12
	minDistinct = 7
)

// Worth tells whether a text holds anything that a rule could take for a secret,
// so that nothing heavy is started for the usual file. It may say yes too often.
func Worth(text string) bool {
	if strings.Contains(text, "PRIVATE KEY-----") || strings.Contains(text, "MII") {
		return true
	}
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && keyByte(text[i]) {
			continue
		}
		if run := text[start:i]; len(run) >= minRun && couldBeKey(run) {
			return true
		}
		start = i + 1
	}
	return false
}

func keyByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~' || c == '@' || c == ':'
}

// couldBeKey tells a run with digits and many different bytes of which one piece
// at least is no word, number or numbered word; or one long piece of letters.
// Every rule of the wide set asks for a digit or for more letters than words have.
func couldBeKey(run string) bool {
	var seen [256]bool
	distinct, digit := 0, false
	for i := range len(run) {
		c := run[i]
		if !seen[c] {
			seen[c] = true
			distinct++
		}
		digit = digit || c >= '0' && c <= '9'
	}
	if distinct < minDistinct {
		return false
	}
	for piece := range strings.FieldsFuncSeq(run, separates) {
		if digit && !ordinary(piece) || len(piece) >= 24 && distinct >= 18 {
			return true
		}
	}
	return false
}

func separates(r rune) bool {
	return r == '/' || r == ':' || r == '.' || r == '@' || r == '=' || r == '_' || r == '-' || r == '+' || r == '~'
}

// ordinary tells a word, a short number, or a word with a number behind it.
func ordinary(piece string) bool {
	letters := strings.TrimRight(piece, "0123456789")
	return len(piece) <= 3 || len(piece)-len(letters) <= 5 && !strings.ContainsAny(letters, "0123456789") || letters == "" && len(piece) <= 14
}
