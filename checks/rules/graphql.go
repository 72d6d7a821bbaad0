package rules

import (
	"slices"
	"strings"
)

// mutations lists the fields that a GraphQL text changes things with: those that
// stand directly below "mutation". The text may be part of JSON. Names given by
// the caller ("x: deleteApp") are left out.
func mutations(text string) []string {
	var out []string
	for len(out) < 50 {
		i := strings.Index(text, "mutation")
		if i < 0 {
			return out
		}
		text = text[i+len("mutation"):]
		if strings.HasPrefix(text, "Id") || strings.HasPrefix(text, "s") {
			continue // clientMutationId is spelled otherwise; "mutations" is a word
		}
		out = append(out, selected(text)...)
	}
	return out
}

// selected lists the fields of the first block in braces of a GraphQL text.
func selected(text string) []string {
	var out []string
	braces, parens := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			parens++
		case c == ')':
			parens = max(0, parens-1)
		case parens > 0:
		case c == '{':
			braces++
		case c == '}':
			if braces--; braces <= 0 {
				return out
			}
		case braces == 1 && c == '\\':
			i++ // \n of a JSON text
		case braces == 1 && isSQLWord(c):
			j := i
			for j < len(text) && (isSQLWord(text[j]) || text[j] >= '0' && text[j] <= '9') {
				j++
			}
			if !strings.HasPrefix(strings.TrimLeft(text[j:], " "), ":") && (i == 0 || text[i-1] != '@') {
				out = append(out, text[i:j])
			}
			i = j - 1
		}
	}
	return out
}

// camelWords splits deletePullRequest into delete, pull, request.
func camelWords(name string) []string {
	var out []string
	from := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || name[i] >= 'A' && name[i] <= 'Z' || name[i] == '_' || name[i] == '-' || name[i] == '.' {
			if word := strings.ToLower(strings.Trim(name[from:i], "_-.")); word != "" {
				out = append(out, word)
			}
			from = i
		}
	}
	return out
}

// destroyers are the words of a name that says that something goes.
var destroyers = []string{"delete", "destroy", "drop", "purge", "wipe", "truncate", "terminate", "erase", "flush", "nuke"}

// takesAway tells by the name of an act that something is deleted or cut off.
// Labels, assignees, reactions and their like are put back with one more call.
func takesAway(name string) bool {
	words := camelWords(name)
	if containsWord(words, "label", "labels", "assignee", "assignees", "reaction", "star", "upvote", "reviewer", "reviewers", "tag", "tags", "milestone", "sub", "subscription", "bookmark", "favorite", "watcher", "cache") &&
		!containsWord(words, "repository", "database", "table", "branch", "project", "organization") {
		return false
	}
	return containsWord(words, destroyers...) || containsWord(words, "remove", "revoke", "reset", "suspend", "uninstall", "archive", "detach")
}

func containsWord(words []string, list ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// forgeMutation judges one GraphQL act on a forge. Talking in a review is what
// agents do all day; what others build on is asked about.
func forgeMutation(name string) verdict {
	words := camelWords(name)
	switch {
	case containsWord(words, "merge") && !containsWord(words, "queue", "disable"):
		return ask("merges into a branch that others build on.")
	case takesAway(name) && !containsWord(words, "draft"):
		return ask("deletes or cuts off something on the forge.")
	case containsWord(words, "transfer"), containsWord(words, "update", "set", "change") && containsWord(words, "repository", "ref", "refs", "protection", "ruleset", "environment", "enterprise", "organization", "visibility"),
		containsWord(words, "protection", "ruleset", "collaborator", "deploy"):
		return ask("changes rights or protected things on the forge.")
	}
	return verdict{}
}
