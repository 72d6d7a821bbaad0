package rules

import (
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// unknown is shell.Unknown as a string.
const unknown = string(shell.Unknown)

// known tells that the text holds no unknown part; a glob may stand in it.
func known(w shell.Word) bool { return !strings.ContainsRune(w.Text, shell.Unknown) }

// empty is the word as it reads when every unknown part is empty, which is what
// an unset variable gives.
func empty(w shell.Word) string { return strings.ReplaceAll(w.Text, unknown, "") }

func texts(words []shell.Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// clip shortens text to n bytes on a rune boundary, and to one line.
func clip(text string, n int) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i] + "…"
	}
	text = strings.ReplaceAll(text, unknown, "…")
	if len(text) <= n {
		return text
	}
	cut := max(n-len("…"), 0)
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}

// named is a path as a message names it.
func named(p string) string {
	if len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = strings.ToUpper(p[1:2]) + strings.ReplaceAll(p[2:], "/", `\`)
	}
	return clip(p, 60)
}

func hasPrefixAny(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

func hasSuffixAny(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(p string) bool { return strings.HasSuffix(s, p) })
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

func oneOf(s string, list ...string) bool { return slices.Contains(list, s) }

// abbreviates tells that short is the beginning of a long option's name.
func abbreviates(short, name string) bool {
	rest, ok := strings.CutPrefix(name, short)
	return ok && len(rest) < len(name)
}
