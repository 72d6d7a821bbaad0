package rules

import (
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// verb is one row of a table of command line tools: which words of which
// program do something that cannot be undone.
type verb struct {
	prog string // program names, separated by |
	// words are the operands in order, each with alternatives separated by |;
	// "*" stands for any one word and a last "…" for any words in between.
	words string
	with  string // options of which one must be given, separated by blanks; a value may follow "="
	not   string // options that make it harmless, besides help and dry runs
	but   string // words that make it harmless, in the form of words; several stand between ;
	deny  bool
	fact  string
}

// valued lists the options of a program that take the next word as their value,
// so that the value is not read as a sub-command. A switch, because a map would
// be built each time the hook starts.
func valued(prog string) string {
	switch prog {
	case "kubectl":
		return "-n --namespace --context --cluster --user --kubeconfig -l --selector -f --filename -o --output -s --server --as --token --timeout --grace-period -k --kustomize --field-selector"
	case "helm":
		return "-n --namespace --kube-context --kubeconfig -f --values --set --timeout"
	case "docker":
		return "-H --host --context -c --config -l --log-level --filter"
	case "compose":
		return "-f --file -p --project-name --profile --env-file --project-directory -t --timeout"
	case "aws":
		return "--profile --region --output --endpoint-url --query --cli-read-timeout --ca-bundle"
	case "gcloud":
		return "--project --zone --region --account --configuration --format --impersonate-service-account"
	case "az":
		return "--subscription --output -o --query -g --resource-group -n --name"
	case "gh":
		return "-R --repo -H --header -X --method -f --field -F --raw-field --hostname -q --jq -t --template"
	case "terraform", "terragrunt":
		return "-var -var-file -target -state"
	case "flyctl":
		return "-a --app -c --config -o --org"
	case "heroku":
		return "-a --app -r --remote -t --team"
	case "npm", "pnpm", "yarn":
		return "-w --workspace --prefix --registry --tag --otp --access -C --dir --filter"
	case "prisma":
		return "--schema"
	case "make":
		return "-C -f -j --directory --file"
	default:
		return ""
	}
}

// sameAs names the program whose words another one takes.
func sameAs(prog string) string {
	switch prog {
	case "podman", "nerdctl":
		return "docker"
	case "oc", "k", "kubecolor":
		return "kubectl"
	case "tofu", "tf":
		return "terraform"
	case "fly":
		return "flyctl"
	case "docker-compose", "podman-compose":
		return "compose"
	default:
		return prog
	}
}

// operands are the words of command i: operands and options, values of options dropped.
func (s *scan) operands(i int) (prog string, words, opts []string) {
	c := &s.cmds[i]
	prog = sameAs(c.Name)
	args := texts(c.Args)
	if prog == "docker" {
		for n, a := range args {
			if a == "compose" {
				prog, args = "compose", args[n+1:]
				break
			}
			if !strings.HasPrefix(a, "-") {
				break
			}
		}
	}
	takes := " " + valued(prog) + " "
	for n := 0; n < len(args); n++ {
		a := args[n]
		switch {
		case a == "--":
			words = append(words, args[n+1:]...)
			return prog, words, opts
		case a != "" && a[0] == '-':
			opts = append(opts, a)
			if !strings.Contains(a, "=") && strings.Contains(takes, " "+a+" ") && n+1 < len(args) {
				n++
				opts[len(opts)-1] = a + "=" + args[n]
			}
		default:
			words = append(words, a)
		}
	}
	return prog, words, opts
}

// matchVerbs is the strictest row that fits command i.
func (s *scan) matchVerbs(i int, rows []verb) verdict {
	c := &s.cmds[i]
	if c.Name == "" {
		return verdict{}
	}
	var worst verdict
	var prog string
	var words, opts []string
	read := false
	for n := range rows {
		row := &rows[n]
		if !inBars(c.Name, row.prog) && !inBars(sameAs(c.Name), row.prog) && !(row.prog == "compose" && inBars(c.Name, "docker|podman|nerdctl")) {
			continue
		}
		if !read {
			prog, words, opts = s.operands(i)
			read = true
		}
		if !inBars(prog, row.prog) && !inBars(c.Name, row.prog) || !wordsMatch(words, row.words) {
			continue
		}
		if harmless(opts, words) || row.but != "" && wordsMatchAny(words, row.but) || row.not != "" && optsHave(opts, row.not) || row.with != "" && !optsHave(opts, row.with) {
			continue
		}
		if s.onlyTests(i, prog, opts) {
			continue
		}
		v := ask(row.fact)
		if row.deny {
			v.decision = hook.Deny
		}
		worst = worst.or(v)
	}
	return worst
}

// onlyTests tells a call that by its options reaches nothing but what tests use:
// a cloud that is simulated on this machine, a compose file for tests.
func (s *scan) onlyTests(i int, prog string, opts []string) bool {
	switch prog {
	case "aws":
		for _, o := range opts {
			if name, url, _ := strings.Cut(o, "="); name == "--endpoint-url" {
				return localURL(url)
			}
		}
		for _, e := range s.cmds[i].Env {
			if e.Name == "AWS_ENDPOINT_URL" {
				return localURL(e.Value.Text)
			}
		}
	case "compose":
		for _, o := range opts {
			if name, file, _ := strings.Cut(o, "="); oneOf(name, "-f", "--file", "-p", "--project-name") && testName(file) {
				return true
			}
		}
	}
	return false
}

func localURL(url string) bool {
	return hasPrefixAny(url, "http://localhost:", "http://127.0.0.1:", "http://localstack:", "http://host.docker.internal:")
}

func inBars(s, bars string) bool {
	if s == "" {
		return false
	}
	for b := range strings.SplitSeq(bars, "|") {
		if b == s {
			return true
		}
	}
	return false
}

// wordsMatch tells that the operands start with the words of a row.
func wordsMatch(words []string, pattern string) bool {
	n := 0
	loose := false
	for p := range strings.FieldsSeq(pattern) {
		if p == "…" {
			loose = true
			continue
		}
		if loose {
			for n < len(words) && !wordIs(words[n], p) {
				n++
			}
		}
		if n >= len(words) || !wordIs(words[n], p) {
			return false
		}
		n++
	}
	return true
}

func wordsMatchAny(words []string, patterns string) bool {
	for p := range strings.SplitSeq(patterns, ";") {
		if wordsMatch(words, p) {
			return true
		}
	}
	return false
}

func wordIs(word, pattern string) bool {
	if pattern == "*" {
		return true
	}
	for b := range strings.SplitSeq(pattern, "|") {
		switch {
		case b == word:
			return true
		case strings.HasSuffix(b, "*") && strings.HasPrefix(word, b[:len(b)-1]):
			return true
		case strings.HasPrefix(b, "*") && strings.HasSuffix(word, b[1:]):
			return true
		}
	}
	return false
}

// optsHave tells that one of the options in list was given. "-v" is also found
// in a group like -av; "--name=value" needs that value.
func optsHave(opts []string, list string) bool {
	for want := range strings.FieldsSeq(list) {
		for _, o := range opts {
			name, _, _ := strings.Cut(o, "=")
			switch {
			case o == want, name == want:
				return true
			case len(want) == 2 && want[1] != '-' && len(o) > 2 && o[0] == '-' && o[1] != '-' && len(o) < 6 && strings.Contains(o[1:], want[1:]):
				return true
			}
		}
	}
	return false
}

// harmless tells help and dry runs, in the spellings of many tools.
func harmless(opts, words []string) bool {
	for _, o := range opts {
		name, value, _ := strings.Cut(o, "=")
		switch name {
		case "--help", "-help", "--dry-run", "--dryrun", "--dry_run", "--what-if", "--whatif", "--noop", "--no-op", "--pretend", "--preview", "--plan", "--simulate", "--just-print", "--generate-cli-skeleton", "--version":
			if value != "none" && value != "false" {
				return true
			}
		}
	}
	return len(words) > 0 && oneOf(words[0], "help", "version", "completion") || len(words) > 1 && words[len(words)-1] == "help"
}

// hasWord tells that one of the texts stands among the words as such.
func hasWord(words []shell.Word, list ...string) bool {
	for _, w := range words {
		if oneOf(w.Text, list...) {
			return true
		}
	}
	return false
}

func hasArgContaining(c *shell.Command, part string) bool {
	for _, a := range c.Args {
		if strings.Contains(a.Text, part) {
			return true
		}
	}
	return false
}

// helpOnly tells that a command only prints its help or version.
func helpOnly(c *shell.Command) bool { return hasWord(c.Args, "--help", "--version", "-help", "help") }
