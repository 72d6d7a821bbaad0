package door

import (
	"strings"

	"agentguard/checks"
)

// ClientFlag returns the value of --client. Everything else on the command line
// is passed over: a hook must not fail, nor exit with status 2, because a
// settings file has a word too many.
func ClientFlag(args []string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--client="); ok {
			return value
		}
		if arg == "--client" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// Checks returns the checks of this program. A build with the tag "faults" adds
// some that break on purpose.
func Checks() []checks.Check { return append(checks.All(), faults()...) }
