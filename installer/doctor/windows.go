package doctor

import (
	"fmt"
	"strings"

	"agentguard/settings"
)

// windowsPath finds backslashes that Git Bash eats, and letters that a legacy
// code page reads wrong.
func windowsPath(e *entry) (Finding, bool) {
	words := append([]string{e.Command}, e.Args...)
	if !e.HasArgs && backslashPath(e.Command) {
		return e.finding("windows-backslash-path", Error,
			"Hooks run in Git Bash, which takes a backslash as an escape: the path loses them, and nothing starts.",
			"Use forward slashes, or the exec form with a real .exe.").with(e.commandEdit(forward(e.Command))), true
	}
	for i, w := range words {
		if i == 0 && e.layer != nil {
			if n, ok := e.Node.Get("command"); ok {
				w = string(e.layer.raw[n.Start:n.End]) // \u escapes are safe
			}
		}
		if strings.IndexFunc(w, func(c rune) bool { return c >= 0x80 }) >= 0 {
			f := e.finding("non-ascii-path", Warning,
				"The path has letters outside ASCII. Where Windows reads the settings with a legacy code page, the file is not found.",
				"Write these letters as \\uXXXX in the JSON, or move the program to a plain path.")
			if n, ok := e.Node.Get("command"); ok && e.layer != nil && i == 0 {
				f = f.with(e.layer.change(settings.Edit{Start: n.Start, End: n.End, Text: asciiJSON(e.Command)}))
			}
			return f, true
		}
	}
	return Finding{}, false
}

// backslashPath reports an unquoted, or double-quoted but unescaped, Windows path.
func backslashPath(s string) bool {
	single := false
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '\'':
			single = !single
		case s[i] == '\\' && !single:
			next := s[i+1]
			if next == '\\' {
				i++
				continue
			}
			if next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || next == '.' || next == '_' || next >= '0' && next <= '9' {
				return true
			}
		}
	}
	return false
}

func forward(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `\\`, "/"), `\`, "/") }

func asciiJSON(s string) string {
	var b strings.Builder
	for _, c := range quoteJSON(s) {
		switch {
		case c < 0x80:
			b.WriteRune(c)
		case c > 0xffff:
			c -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(c>>10), 0xdc00+(c&0x3ff))
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}
