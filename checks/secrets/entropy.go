package secrets

import "math"

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

// couldBeKey tells a run with digits and many different bytes. Every rule of the
// wide set asks for a digit or for more letters than words have.
func couldBeKey(run string) bool {
	var seen [256]bool
	distinct, letters, digit := 0, 0, false
	for i := range len(run) {
		c := run[i]
		if !seen[c] {
			seen[c] = true
			distinct++
		}
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		}
	}
	return distinct >= minDistinct && letters > 0 && digit || distinct >= 18 && len(run) >= 24
}
