package replay

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// Sessions of Windows name folders with drives. They are read as Git's shell there
// spells them, so that one form of path is enough: C:\Users\x is /c/Users/x.

// drives are paths with a drive inside a text.
var drives = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b([A-Za-z]):[\\/][^\s"'` + "`" + `;|&<>()]*`)
})

func isDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z' && (len(p) == 2 || p[2] == '\\' || p[2] == '/')
}

// slashes writes one path in that form; a path without a drive stays as it is.
func slashes(p string) string {
	if !isDrive(p) {
		return p
	}
	rest := strings.ReplaceAll(p[2:], `\`, "/")
	for strings.Contains(rest, "//") {
		rest = strings.ReplaceAll(rest, "//", "/")
	}
	return "/" + strings.ToLower(p[:1]) + strings.TrimSuffix("/"+strings.TrimPrefix(rest, "/"), "/")
}

// slashInput writes the paths of a tool's input in that form.
func slashInput(input []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return input
	}
	for _, name := range [...]string{"file_path", "notebook_path", "path", "command"} {
		var text string
		if json.Unmarshal(fields[name], &text) != nil {
			continue
		}
		if name == "command" {
			text = drives().ReplaceAllStringFunc(text, slashes)
		} else {
			text = slashes(text)
		}
		if b, err := json.Marshal(text); err == nil {
			fields[name] = b
		}
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return input
	}
	return out
}
