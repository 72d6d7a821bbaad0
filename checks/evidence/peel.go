package evidence

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command named by its own arguments.
type wrapper struct {
	name   string
	sub    string // sub-commands that do so, "run" of "poetry run"; empty: any
	valued string // options whose value is a word of its own
	skip   int    // words before the command: the duration of timeout, the service of "compose run"
	dash   bool   // the command begins after "--", where one is given
	text   string // options whose value is shell text
	idle   string // options with which it runs nothing
	at     string // options that name the folder
	detach string // options with which it does not wait
}

// wrappers names those whose inner command we look at. A table of data: it is
// laid out by the compiler, not built at start.
var wrappers = [...]wrapper{
	{name: "sudo", valued: "-u -g -h -p -C -r -t -T -U --user --group --host --prompt", idle: "-l -v -K -k -e -V --list --validate --edit", at: "-D --chdir", detach: "-b --background"},
	{name: "doas", valued: "-u -C"},
	{name: "gosu", skip: 1},
	{name: "su-exec", skip: 1},
	{name: "su", valued: "-s -g --shell", text: "-c --command", skip: 1},
	{name: "runuser", valued: "-u -g --user", text: "-c --command"},
	{name: "env", valued: "-u --unset -S", at: "-C --chdir"},
	{name: "time", valued: "-o -f --output --format", idle: "-V"},
	{name: "nice", valued: "-n --adjustment"},
	{name: "ionice", valued: "-c -n", idle: "-p"},
	{name: "chrt", skip: 1},
	{name: "taskset", skip: 1, idle: "-p"},
	{name: "numactl"},
	{name: "arch"},
	{name: "nohup"},
	{name: "setsid"},
	{name: "command", idle: "-v -V"},
	{name: "exec", valued: "-a"},
	{name: "builtin"},
	{name: "noglob"},
	{name: "stdbuf", valued: "-i -o -e"},
	{name: "timeout", valued: "-s -k --signal --kill-after", skip: 1},
	{name: "gtimeout", valued: "-s -k --signal --kill-after", skip: 1},
	{name: "flock", valued: "-w -E --timeout --wait", text: "-c --command", skip: 1},
	{name: "script", text: "-c --command"},
	{name: "systemd-run", valued: "-p -u --property --unit --setenv -E", idle: "--on-active --on-calendar"},
	{name: "dbus-run-session", dash: true},
	{name: "xvfb-run", valued: "-n -s -e"},
	{name: "caffeinate", valued: "-t -w"},
	{name: "unbuffer"},
	{name: "chronic"},
	{name: "winpty"},
	{name: "wsl", valued: "-d -u --distribution --user", at: "--cd", dash: true},
	{name: "retry", valued: "-d -t"},
	{name: "faketime", valued: "-f", skip: 1},
	{name: "strace", valued: "-e -o -p -s"},
	{name: "valgrind"},
	{name: "rr", sub: "record"},
	{name: "rtk", sub: "test lint err summary proxy"},
	{name: "rtk"},
	{name: "cross-env"},
	{name: "cross-env-shell"},
	{name: "env-cmd", valued: "-f -e -r"},
	{name: "dotenv", valued: "-e -f -c", dash: true},
	{name: "dotenvx", sub: "run", valued: "-f -e", dash: true},
	{name: "doppler", sub: "run", valued: "-p -c --project --config", dash: true, text: "--command"},
	{name: "infisical", sub: "run", dash: true, text: "--command"},
	{name: "op", sub: "run", valued: "--env-file --account", dash: true},
	{name: "aws-vault", sub: "exec", skip: 1, dash: true},
	{name: "chamber", sub: "exec", skip: 1, dash: true},
	{name: "sops", sub: "exec-env", skip: 1},
	{name: "corepack"},
	{name: "npx", valued: "-p --package", text: "-c --call", idle: "--help -h --version -v"},
	{name: "bunx", valued: "-p --package"},
	{name: "pnpx"},
	{name: "nlx"},
	{name: "npm", sub: "exec x", valued: "-p --package -w --workspace", dash: true, text: "-c --call", at: "--prefix -C"},
	{name: "pnpm", sub: "exec dlx", valued: "--filter -F --package", at: "-C --dir"},
	{name: "yarn", sub: "exec dlx", valued: "-p --package", at: "--cwd"},
	{name: "bun", sub: "x", at: "--cwd"},
	{name: "lerna", sub: "exec", valued: "--scope --ignore --concurrency", dash: true},
	{name: "nyc", valued: "-r --reporter -n --include -x --exclude --temp-dir --report-dir -e --extension", at: "--cwd"},
	{name: "c8", valued: "-r --reporter -n --include -x --exclude --temp-directory -o --reports-dir"},
	{name: "uv", sub: "run", valued: "--with --with-editable --with-requirements --python -p --group --no-group --only-group --extra --no-extra --env-file --package --index --index-url --color --config-file --script -s", idle: "--help -h", at: "--directory --project"},
	{name: "uvx", valued: "--with --from --python -p", idle: "--help -h --version -V"},
	{name: "poetry", sub: "run", at: "-C --directory -P --project"},
	{name: "pdm", sub: "run", valued: "-p --project"},
	{name: "pipenv", sub: "run"},
	{name: "rye", sub: "run"},
	{name: "hatch", sub: "run", valued: "-e --env"},
	{name: "pipx", sub: "run", valued: "--spec --python"},
	{name: "pixi", sub: "run", valued: "-e --environment --manifest-path"},
	{name: "conda", sub: "run", valued: "-n -p --name --prefix", at: "--cwd"},
	{name: "mamba", sub: "run", valued: "-n -p --name --prefix", at: "--cwd"},
	{name: "micromamba", sub: "run", valued: "-n -p -r --name --prefix", at: "--cwd"},
	{name: "coverage", sub: "run", valued: "--source --omit --include --rcfile --data-file --context --concurrency"},
	{name: "slipcover", valued: "--source --omit --out"},
	{name: "bundle", sub: "exec", valued: "--gemfile"},
	{name: "spring"},
	{name: "symfony"},
	{name: "vagrant", sub: "ssh", text: "-c --command"},
	{name: "sail", sub: "exec run shell"},
	{name: "mise", sub: "exec x", dash: true, text: "-c --command", at: "-C --cd"},
	{name: "rtx", sub: "exec x", dash: true, text: "-c --command", at: "-C --cd"},
	{name: "asdf", sub: "exec"},
	{name: "rbenv", sub: "exec"},
	{name: "pyenv", sub: "exec"},
	{name: "nodenv", sub: "exec"},
	{name: "jenv", sub: "exec"},
	{name: "nvm", sub: "exec run", skip: 1},
	{name: "fnm", sub: "exec", valued: "--using"},
	{name: "volta", sub: "run", valued: "--node --npm --yarn"},
	{name: "rustup", sub: "run", skip: 1},
	{name: "fvm"},
	{name: "xcrun", valued: "--sdk --toolchain", idle: "--find -f --show-sdk-path"},
	{name: "direnv", sub: "exec", skip: 1},
	{name: "devbox", sub: "run", dash: true},
	{name: "devenv", sub: "shell", dash: true},
	{name: "flox", sub: "activate", dash: true, text: "-c --command"},
	{name: "guix", sub: "shell environment", dash: true},
	{name: "nix", sub: "develop shell", dash: true, idle: "--dry-run --help"},
	{name: "nix-shell", text: "--run --command"},
	{name: "opam", sub: "exec", dash: true},
	{name: "stack", sub: "exec", dash: true},
	{name: "cabal", sub: "exec", dash: true},
	{name: "dune", sub: "exec", dash: true},
	{name: "heroku", sub: "local:run"},
	{name: "foreman", sub: "run", valued: "-e -f"},
	{name: "docker", sub: "exec", valued: "-u -w -e --env --env-file --user --workdir --detach-keys", skip: 1, detach: "-d --detach"},
	{name: "docker", sub: "run", valued: "-u -w -e -v -p -l -m --env --env-file --user --workdir --volume --name --network --net --entrypoint --mount --platform --add-host --memory --cpus --ulimit --shm-size --tmpfs --label --pull -h --hostname --gpus --cap-add --device --link --security-opt", skip: 1, detach: "-d --detach"},
	{name: "podman", sub: "exec", valued: "-u -w -e --env --user --workdir", skip: 1, detach: "-d --detach"},
	{name: "podman", sub: "run", valued: "-u -w -e -v -p --env --env-file --user --workdir --volume --name --network --entrypoint --mount --platform --userns --pull", skip: 1, detach: "-d --detach"},
	{name: "nerdctl", sub: "exec run", valued: "-u -w -e -v -p --name", skip: 1, detach: "-d --detach"},
	{name: "docker-compose", sub: "exec run", valued: "-u -w -e -f -p -v -l --env --env-file --file --profile --project-name --project-directory --user --workdir --volume --name --entrypoint --index --publish --ansi --progress --parallel --pull", skip: 1, detach: "-d --detach"},
	{name: "podman-compose", sub: "exec run", valued: "-u -w -e -f -p", skip: 1, detach: "-d --detach"},
	{name: "devcontainer", sub: "exec", valued: "--workspace-folder --config --container-id --remote-env"},
	{name: "kubectl", sub: "exec", valued: "-n -c --namespace --container --context", skip: 1, dash: true},
	{name: "ddev", sub: "exec", valued: "-s -d --service --dir"},
	{name: "lando", sub: "ssh", text: "-c --command", valued: "-s -u"},
	{name: "xargs", valued: "-n -P -I -L -d -s -E -a --max-args --max-procs --delimiter --replace"},
}

// carried is what is left of a command when its wrappers are taken off.
type carried struct {
	words    []string
	env      []string // assignments on the way
	dir      string   // the folder that a wrapper changed to
	detached bool
	world    bool // it leads into a container or to another machine

	script   string // shell text that a wrapper runs
	scripted bool
	// same tells that the text is read by this shell itself, the others what a new
	// one is started with.
	same, errexit, pipefail bool
	inherits                bool // a subshell
	reads                   bool // a shell that takes its text from the standard input
}

// peel takes assignments and wrappers off a command's words.
func peel(words []string) carried {
	c := carried{words: words, dir: here}
	for range 8 {
		for len(c.words) > 0 && isAssignment(c.words[0]) {
			c.env = append(c.env, c.words[0])
			c.words = c.words[1:]
		}
		if !c.peelOne() {
			break
		}
	}
	c.readShell()
	return c
}

// peelOne takes one wrapper off; false where there is none.
func (c *carried) peelOne() bool {
	if len(c.words) < 2 {
		return false
	}
	name, args := baseName(c.words[0]), c.words[1:]
	if (name == "docker" || name == "podman") && args[0] == "compose" {
		name, args = "docker-compose", args[1:]
	}
	if isPython(name) {
		// "python -m coverage run -m pytest"
		module, rest := pythonModule(args)
		if !isWrapper(module) {
			return false
		}
		name, args = module, rest
	}
	for i := range wrappers {
		w := &wrappers[i]
		if w.name != name {
			continue
		}
		inner, carries, idle := c.open(w, args)
		if carries {
			c.words = inner
			c.world = c.world || hasWord("docker podman nerdctl docker-compose podman-compose devcontainer kubectl ddev lando sail vagrant", name)
		}
		if carries || idle {
			return carries
		}
	}
	return false
}

// open reads a wrapper's own arguments and returns the command that it carries;
// idle tells that it carries one out in no case.
func (c *carried) open(w *wrapper, args []string) (inner []string, carries, idle bool) {
	rest, idle := c.skipOptions(w, args)
	if w.sub != "" {
		if len(rest) == 0 || !hasWord(w.sub, rest[0]) {
			return nil, false, false
		}
		sub := rest[0]
		var more bool
		rest, more = c.skipOptions(w, rest[1:])
		idle = idle || more
		if w.name == "coverage" && len(rest) > 0 && slices.Contains(args, "-m") && !strings.HasSuffix(rest[0], ".py") {
			rest = append([]string{"python", "-m"}, rest...)
		}
		if w.name == "rtk" && hasWord("test lint", sub) && len(rest) > 0 && !isProgram(rest[0]) {
			return nil, false, false
		}
	}
	switch {
	case idle:
		return nil, false, true
	case c.scripted:
		return nil, true, false
	}
	if i := slices.Index(args, "--"); w.dash && i >= 0 {
		return args[i+1:], true, false
	}
	if w.name == "nix" {
		for i, a := range args {
			if hasWord("-c --command", a) {
				return args[i+1:], true, false
			}
		}
		return nil, false, false
	}
	if len(rest) <= w.skip {
		return nil, false, false
	}
	if w.skip > 0 {
		rest, _ = c.skipOptions(w, rest[w.skip:])
		if c.scripted {
			return nil, true, false
		}
	}
	if len(rest) == 0 {
		return nil, false, false
	}
	if isScriptRunner(w.name) && w.name != "npm" && kindOfName(rest[0]) != "" && !isProgram(rest[0]) && !strings.Contains(rest[0], "/") {
		return nil, false, false // "pdm run test" names a task of the project
	}
	if hasWord("npx bunx pnpx nlx uvx pnpm yarn npm bun pipx", w.name) {
		rest = slices.Clone(rest)
		rest[0] = withoutVersion(rest[0])
	}
	return rest, true, false
}

// skipOptions skips a wrapper's options and takes what they say.
func (c *carried) skipOptions(w *wrapper, words []string) (rest []string, idle bool) {
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") && words[0] != "-" || w.name == "hatch" && words[0][:1] == "+") {
		name, value, attached := strings.Cut(words[0], "=")
		if name == "--" {
			return words[1:], idle
		}
		n := 1
		if !attached && (hasWord(w.valued, name) || hasWord(w.at, name) || hasWord(w.text, name)) && len(words) > 1 {
			n, value = 2, words[1]
		}
		switch {
		case hasWord(w.idle, name):
			idle = true
		case hasWord(w.detach, name), w.detach != "" && len(name) > 2 && name[1] != '-' && strings.Contains(name, "d"):
			c.detached = true
		case hasWord(w.at, name):
			c.dir = joinFolder(c.dir, value)
		case hasWord(w.text, name), w.text != "" && len(name) > 2 && name[1] != '-' && name[len(name)-1] == 'c' && hasWord(w.text, "-c"):
			if n == 1 && !attached && len(words) > 1 {
				n, value = 2, words[1]
			}
			c.script, c.scripted = value, true
		case isAssignment(value):
			c.env = append(c.env, value)
		}
		words = words[min(n, len(words)):]
	}
	return words, idle
}

func isWrapper(name string) bool {
	return slices.ContainsFunc(wrappers[:], func(w wrapper) bool { return w.name == name })
}

// withoutVersion takes the version off a package's name: "vitest@1.2".
func withoutVersion(name string) string {
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		return name[:i]
	}
	return name
}

// readShell tells what a shell is started with: "sh -c TEXT", "bash -euo pipefail
// -c TEXT", "eval TEXT".
func (c *carried) readShell() {
	if c.scripted || len(c.words) == 0 {
		return
	}
	args := c.words[1:]
	switch baseName(c.words[0]) {
	case "eval":
		c.script, c.scripted, c.same = strings.Join(args, " "), true, true
		return
	case "cmd":
		for i, a := range args {
			if strings.EqualFold(a, "/c") {
				c.script, c.scripted = strings.Join(args[i+1:], " "), true
			}
		}
		return
	case "pwsh", "powershell":
		for i, a := range args {
			if hasWord("-command -c", strings.ToLower(a)) {
				c.script, c.scripted = strings.Join(args[i+1:], " "), true
				return
			}
		}
		return
	case "sh", "bash", "zsh", "dash", "ksh", "ash":
	default:
		return
	}
	text := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case hasWord("--rcfile --init-file", a):
			i++
		case a == "--", a == "-", strings.HasPrefix(a, "--"):
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+"):
			if strings.Contains(a, "n") && a[0] == '-' {
				c.words, c.scripted = nil, false // it only checks the syntax
				return
			}
			c.errexit = c.errexit || strings.Contains(a, "e")
			text = text || strings.Contains(a, "c")
			if strings.HasSuffix(a, "o") || strings.HasSuffix(a, "O") {
				i++
				if i < len(args) {
					c.errexit, c.pipefail = c.errexit || args[i] == "errexit", c.pipefail || args[i] == "pipefail"
				}
			}
		case text:
			c.script, c.scripted = a, true
			return
		default:
			return // a script's file
		}
	}
	c.reads = !text
}

// text is the shell text that the command runs, if it runs one that is known.
func (c carried) text(cmd command) (string, bool) {
	switch {
	case c.scripted:
		return c.script, true
	case c.reads && cmd.fed:
		return cmd.stdin, true
	}
	return "", false
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

func baseName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(s), ".exe")
}
