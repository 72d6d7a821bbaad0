package secrets

import (
	"strings"
	"unicode/utf8"
)

// Plain returns a text as the rules can read it: of UTF-16 the letters without the
// bytes between them. binary tells content that is no text at all, which only the
// built-in kinds are looked for in. A NUL alone makes no text a picture.
func Plain(text string) (plain string, binary bool) {
	nuls := strings.Count(text, "\x00")
	if nuls == 0 {
		return text, false
	}
	if nuls >= len(text)/4 && everyOther(text) || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return strings.ReplaceAll(text, "\x00", ""), false
	}
	odd := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
				odd++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			odd++
		}
		i += n
	}
	return text, odd > len(text)/10
}

// everyOther tells that nearly all NULs of a text stand at even places, or nearly
// all at odd ones.
func everyOther(text string) bool {
	var at [2]int
	for i := range len(text) {
		if text[i] == 0 {
			at[i%2]++
		}
	}
	return at[0] > 9*at[1] || at[1] > 9*at[0]
}
