package cli

import (
	"encoding/json"
	"strings"

	"agentguard/installer"
	"agentguard/settings/policy"
)

// policyText writes the policy that init puts into a repository: what was chosen
// and found, with a word on each part for whoever opens it.
func policyText(scope installer.Scope, profile policy.Profile, v policy.Verify, from, judges []string) []byte {
	var b strings.Builder
	whose := "of this repository, shared by the whole team"
	switch scope {
	case installer.User:
		whose = "of yours, for every repository that has none of its own"
	case installer.Local:
		whose = "for you alone in this repository; it only makes the team's stricter"
	case installer.Project:
	}
	b.WriteString("// agentguard policy " + whose + `.
// What each key means: agentguard schema. Mistakes: agentguard check. Try a change: agentguard explain -- COMMAND
{
  "version": 1,

  // observe: record only. standard: refuse what does damage. strict: refuse all.
  "profile": ` + quote(string(profile)))
	if !v.Empty() {
		b.WriteString(",\n\n  // How this project is verified (found in " + strings.Join(from, ", ") + ").\n  \"verify\": {")
		sep := "\n"
		for _, kind := range []struct {
			name     string
			commands []string
		}{{"test", v.Test}, {"build", v.Build}, {"lint", v.Lint}, {"types", v.Types}} {
			if len(kind.commands) > 0 {
				b.WriteString(sep + "    " + quote(kind.name) + ": " + quoteList(kind.commands))
				sep = ",\n"
			}
		}
		b.WriteString("\n  }")
	}
	if len(judges) > 0 {
		b.WriteString(",\n\n  // Who reads meaning where a pattern cannot, in this order. offline needs no key.\n  \"judge\": {\"order\": " + quoteList(judges) + "}")
	}
	b.WriteString("\n}\n")
	return []byte(b.String())
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func quoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
