package evidence

import (
	"slices"
	"strings"
)

// showsAll tells whether a good word can be trusted although the status is lost:
// a filter may have let only the good lines through.
func (v Verification) showsAll(r Result, lines []string) bool {
	for i, words := range v.readers {
		switch last := i == len(v.readers)-1; {
		case last && hasWord("head tail", words[0]) && len(lines) < lineLimit(words):
			// It would have shown more.
		case !r.summed:
			return false
		case words[0] == "head" || !v.failuresPass(words):
			if r.part || !r.whole {
				return false
			}
		case words[0] == "tail" && len(lines) > 0 && r.Line == lines[0] && r.Counts.Passed > 0 && !r.part && !r.whole:
			return false // its failures may stand above
		case (r.part && r.Empty || v.unsummed(r)) && hasWord("tail grep egrep rg findstr sed awk cut sort uniq wc", words[0]):
			return false
		}
	}
	return r.summed || v.Piped == "" || len(v.readers) > 0
}

// unsummed tells runs of several parts whose last lines are those of the last part.
func (v Verification) unsummed(r Result) bool {
	if strings.HasPrefix(v.Runner, "dotnet") {
		return r.part && !slices.ContainsFunc(v.words, func(w string) bool { return strings.HasSuffix(w, "proj") })
	}
	return hasAny(v.words, "--workspaces -ws")
}

// lineLimit is how many lines a head or tail shows: "-20", "-n 20", "-n20".
func lineLimit(words []string) int {
	for i, w := range words {
		if w == "-n" && i+1 < len(words) {
			w = words[i+1]
		}
		if n, ok := atoi(strings.TrimPrefix(strings.TrimPrefix(w, "-"), "n")); ok && i > 0 {
			return n
		}
	}
	return 10
}

// failuresPass tells whether a filter lets the run's failing lines through.
func (v Verification) failuresPass(words []string) bool {
	text := strings.ToLower(strings.Join(words[1:], " "))
	switch words[0] {
	case "grep", "egrep", "rg", "findstr":
	case "sed":
		if !hasAny(words, "-n") {
			return true
		}
	case "awk":
		if !strings.Contains(text, "/") {
			return true
		}
	default:
		return true
	}
	if hasAny(words, "-v --invert-match") {
		return !strings.Contains(text, "fail")
	}
	if v.Kind != Test && strings.Contains(text, "error") {
		return true
	}
	for _, w := range [...]string{"fail", "result", "summary", "test files", "tests:", "tests run", "total", "passed|", "pass|", "[0-9]", `\d`} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// silentMeansGood tells the checkers that print nothing when all is well.
func silentMeansGood(v Verification) bool {
	return (v.Kind == Lint || v.Kind == Types || v.Kind == Build || v.Kind == Compare && strings.HasPrefix(v.Runner, "diff")) && !v.Quiet &&
		!slices.ContainsFunc(v.readers, func(words []string) bool { return hasWord("grep egrep rg", words[0]) })
}

// saysNothing tells an output that is empty but for what a script runner prints of
// the script itself: "$ tsc --noEmit", "> app@1.0.0 lint".
func saysNothing(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		return line != "" && !strings.HasPrefix(line, "$ ") && !strings.HasPrefix(line, "> ") && !strings.HasPrefix(line, "yarn run v") && !strings.HasPrefix(line, "Done in ")
	})
}
