package doctor

import (
	"embed"
	"path"
	"strings"

	"agentguard/settings"
)

//go:embed kinds/*.md
var pages embed.FS

// Explain returns the page of a kind: cause, proof and mend, as Markdown. For a
// name it does not know it returns false and the nearest kind, if one is near.
func Explain(kind string) (page, near string, ok bool) {
	data, err := pages.ReadFile(path.Join("kinds", kind+".md"))
	if err != nil || kind == "" || strings.ContainsAny(kind, "/\\") {
		return "", settings.Nearest(kind, Kinds()), false
	}
	return string(data), "", true
}

// Kinds lists every kind that has a page, sorted.
func Kinds() []string {
	entries, err := pages.ReadDir("kinds")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".md"))
	}
	return out
}
