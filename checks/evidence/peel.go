package evidence

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command named by its own arguments.
type wrapper struct {
	name   string
	sub    []string // sub-commands that do so, "run" of "poetry run"; empty: any
	valued []string // options whose value is a word of its own
	skip   int      // words before the command: the duration of timeout, the service of "compose run"
	dash   bool     // the command begins after "--", where one is given
}

// wrappers names those whose inner command we look at. A table of data: it is
// laid out by the compiler, not built at start.
var wrappers = [...]wrapper{
	{name: "sudo", valued: []string{"-u", "-g", "-h", "-p", "-C"}},
	{name: "doas", valued: []string{"-u"}},
	{name: "env", valued: []string{"-u", "-C"}},
	{name: "time", valued: []string{"-o", "-f"}},
	{name: "nice", valued: []string{"-n"}},
	{name: "ionice", valued: []string{"-c", "-n"}},
	{name: "nohup"},
	{name: "setsid"},
	{name: "command"},
	{name: "exec"},
	{name: "builtin"},
	{name: "stdbuf", valued: []string{"-i", "-o", "-e"}},
	{name: "timeout", valued: []string{"-s", "-k"}, skip: 1},
	{name: "gtimeout", valued: []string{"-s", "-k"}, skip: 1},
	{name: "xvfb-run", valued: []string{"-n", "-s", "-e"}},
	{name: "caffeinate"},
	{name: "unbuffer"},
	{name: "rtk"},
	{name: "cross-env"},
	{name: "cross-env-shell"},
	{name: "dotenv", valued: []string{"-e", "-f"}, dash: true},
	{name: "npx", valued: []string{"-p", "--package"}},
	{name: "bunx"},
	{name: "pnpx"},
	{name: "npm", sub: []string{"exec", "x"}, dash: true},
	{name: "pnpm", sub: []string{"exec", "dlx"}, valued: []string{"--filter", "-F", "-C", "--dir"}},
	{name: "yarn", sub: []string{"exec", "dlx"}},
	{name: "bun", sub: []string{"x"}},
	{name: "uv", sub: []string{"run"}, valued: []string{"--with", "--python", "-p", "--group", "--extra", "--project", "--directory"}},
	{name: "uvx", valued: []string{"--with", "--from", "--python"}},
	{name: "poetry", sub: []string{"run"}},
	{name: "pdm", sub: []string{"run"}},
	{name: "pipenv", sub: []string{"run"}},
	{name: "rye", sub: []string{"run"}},
	{name: "pipx", sub: []string{"run"}},
	{name: "conda", sub: []string{"run"}, valued: []string{"-n", "-p"}},
	{name: "micromamba", sub: []string{"run"}, valued: []string{"-n", "-p"}},
	{name: "coverage", sub: []string{"run"}, valued: []string{"--source", "--omit", "--rcfile"}},
	{name: "bundle", sub: []string{"exec"}},
	{name: "mise", sub: []string{"exec", "x"}, dash: true},
	{name: "asdf", sub: []string{"exec"}},
	{name: "direnv", sub: []string{"exec"}, skip: 1},
	{name: "devbox", sub: []string{"run"}, dash: true},
	{name: "nix", sub: []string{"develop", "shell"}, dash: true},
	{name: "docker", sub: []string{"exec"}, valued: []string{"-u", "-w", "-e", "--env", "--user", "--workdir"}, skip: 1},
	{name: "docker", sub: []string{"run"}, valued: []string{"-u", "-w", "-e", "-v", "-p", "--env", "--user", "--workdir", "--volume", "--name", "--network", "--entrypoint", "--mount", "--platform"}, skip: 1},
	{name: "podman", sub: []string{"exec"}, valued: []string{"-u", "-w", "-e"}, skip: 1},
	{name: "podman", sub: []string{"run"}, valued: []string{"-u", "-w", "-e", "-v", "-p"}, skip: 1},
	{name: "docker-compose", sub: []string{"exec", "run"}, valued: []string{"-u", "-w", "-e", "-f"}, skip: 1},
	{name: "kubectl", sub: []string{"exec"}, valued: []string{"-n", "-c", "--namespace"}, skip: 1, dash: true},
	{name: "ddev", sub: []string{"exec"}},
	{name: "lando", sub: []string{"ssh"}},
	{name: "xargs", valued: []string{"-n", "-P", "-I", "-L", "-d"}},
}

// peel takes assignments and wrappers off a command's words.
func peel(words []string) []string {
	for range 8 {
		for len(words) > 0 && isAssignment(words[0]) {
			words = words[1:]
		}
		inner, ok := peelOne(words)
		if !ok {
			return words
		}
		words = inner
	}
	return words
}

func peelOne(words []string) ([]string, bool) {
	if len(words) < 2 {
		return nil, false
	}
	name, args := baseName(words[0]), words[1:]
	if (name == "docker" || name == "podman") && args[0] == "compose" {
		name, args = "docker-compose", args[1:]
	}
	for _, w := range wrappers {
		if w.name != name {
			continue
		}
		rest := skipOptions(args, w.valued)
		if len(w.sub) > 0 {
			if len(rest) == 0 || !slices.Contains(w.sub, rest[0]) {
				continue
			}
			rest = skipOptions(rest[1:], w.valued)
		}
		if i := slices.Index(args, "--"); w.dash && i >= 0 {
			return args[i+1:], i+1 < len(args)
		}
		if len(rest) <= w.skip {
			return nil, false
		}
		if w.skip > 0 {
			rest = skipOptions(rest[w.skip:], w.valued)
		}
		if len(rest) > 0 && isScriptRunner(name) && kindOfName(rest[0]) != "" && !isProgram(rest[0]) {
			return nil, false // "pdm run test" names a task of the project
		}
		return rest, len(rest) > 0
	}
	return nil, false
}

func skipOptions(words, valued []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") && words[0] != "-" {
		n := 1
		if slices.Contains(valued, words[0]) {
			n = 2
		}
		if words[0] == "--" {
			return words[1:]
		}
		words = words[min(n, len(words)):]
	}
	return words
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" || (name[0] >= '0' && name[0] <= '9') {
		return false
	}
	for _, c := range []byte(name) {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
