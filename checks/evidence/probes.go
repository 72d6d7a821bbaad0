package evidence

import (
	"slices"
	"strings"
)

// healthWords are the last parts of paths that say how a service is.
const healthWords = "health healthz healthcheck health-check live livez liveness ready readyz readiness status ping heartbeat alive up"

// probe recognises commands that ask whether something runs or answers. Their
// words alone do not tell; what they ask does.
func probe(name string, args []string) seen {
	is := false
	switch name {
	case "curl":
		is = asksHealth(args, "-X --request -d --data --data-raw --data-binary -F --form -T --upload-file -o --output -O --remote-name", "-f --fail --fail-with-body", "-H -w -m -u -A -e -b -c --header --write-out --max-time --connect-timeout --retry --retry-delay --user")
	case "wget":
		is = asksHealth(args, "--post-data --post-file --method", "--spider", "-O -T -t --timeout --tries --header")
	case "http", "https", "xh", "xhs":
		is = !hasAny(args, "POST PUT DELETE PATCH") && slices.ContainsFunc(args, isHealthAddress)
	case "docker", "podman":
		is = len(args) > 0 && (args[0] == "inspect" || len(args) > 1 && args[0] == "container" && args[1] == "inspect") &&
			slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, ".State.") })
	case "kubectl":
		is = len(args) > 2 && args[0] == "get" && args[1] == "--raw" && isHealthAddress(args[2])
	}
	if !is {
		return seen{}
	}
	return seen{Verification: Verification{Kind: Compare, Runner: name}, known: true}
}

// asksHealth tells a request that only looks: at an address that tells how a
// service is, or at one of this machine where a bad answer is a failure.
func asksHealth(args []string, sends, strict, value string) bool {
	r := runner{value: value + " " + sends}
	l := r.read(args)
	switch {
	case r.given(l, "-X=GET --request=GET -X=HEAD --request=HEAD -o=/dev/null --output=/dev/null -O=- -O=/dev/null"):
	case r.given(l, sends):
		return false
	}
	return slices.ContainsFunc(l.operands, func(a string) bool {
		return isHealthAddress(a) || isLocalAddress(a) && r.given(l, strict)
	})
}

func isHealthAddress(a string) bool {
	a, _, _ = strings.Cut(a, "?")
	a = strings.TrimSuffix(a, "/")
	i := strings.LastIndexByte(a, '/')
	return i >= 0 && hasWord(healthWords, strings.ToLower(a[i+1:]))
}

func isLocalAddress(a string) bool {
	a = strings.TrimPrefix(strings.TrimPrefix(a, "http://"), "https://")
	for _, host := range [...]string{"localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal"} {
		if strings.HasPrefix(a, host) {
			return true
		}
	}
	return false
}

// compared is how a comparison or a probe ended, own telling that the status is its
// own. That files differ is an answer and no failure, a service may answer with
// status 0 that it is ill, and one whose status is lost says nothing.
func (v Verification) compared(status int, own bool, output string) Outcome {
	program := firstWord(v.Runner)
	differs := hasWord("diff colordiff git", program)
	switch {
	case !own && differs && v.Piped == "" && !v.Quiet && !v.Maybe && strings.TrimSpace(output) == "":
		return Passed
	case !own, status == 126, status == 127, status > 0 && differs:
		return NotRun
	case status > 0, hasWord("curl wget http https xh xhs docker podman", program) && answersIll(output):
		return Failed
	}
	return Passed
}

// answersIll tells an answer that is none of a healthy service: an HTTP status of
// 400 and more, or a word for it.
func answersIll(output string) bool {
	lower := strings.ReplaceAll(strings.ToLower(output), `": "`, `":"`)
	for line := range strings.Lines(lower) {
		f := strings.Fields(line)
		code := ""
		if len(f) > 1 && strings.HasPrefix(f[0], "http/") {
			code = f[1]
		} else if len(f) == 1 {
			code = f[0]
		}
		if len(code) == 3 && isNumber(code) && (code >= "400" || code == "000") {
			return true
		}
	}
	for _, word := range [...]string{"unhealthy", "connection refused", "could not resolve", "bad gateway", "service unavailable", "internal server error", `":"down"`, `":"error"`, `":"fail"`, `":"failed"`, "exited", "restarting"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
