package replay

import (
	"regexp"
	"strings"
	"sync"
)

// noHome stands for the home folder of a session that names none: a folder that
// no path of it lies in, so that ~ means neither the project nor the root.
const noHome = "/home/user"

// homes are the forms of a home folder.
var homes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:/var)?/home/[\w.@+-]+|/Users/[\w.@+-]+|/[a-z]/Users/[\w.@+-]+|/root\b`)
})

// homeOf guesses the home folder of the machine that a session ran on: from the
// project's path, else from where the client's own folder lies, else from what
// the head of the session names most. present is this person's own.
func homeOf(project string, head []byte, present string) string {
	if present != "" && present != "/" && (project == present || strings.HasPrefix(project, present+"/")) {
		return present
	}
	if at := homes().FindStringIndex(project); at != nil && at[0] == 0 && project[:at[1]] != "/Users/Shared" {
		return project[:at[1]]
	}
	count := map[string]int{}
	best := noHome
	for _, at := range homes().FindAllIndex(head, 2000) {
		h := string(head[at[0]:at[1]])
		if at[0] > 0 && pathByte(head[at[0]-1]) || h == "/Users/Shared" || strings.HasSuffix(h, ".") {
			continue // inside another path
		}
		count[h]++
		if strings.HasPrefix(string(head[at[1]:min(len(head), at[1]+8)]), "/.claude") {
			return h
		}
		if count[h] > count[best] {
			best = h
		}
	}
	return best
}

func pathByte(c byte) bool {
	return c == '/' || c == '.' || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
