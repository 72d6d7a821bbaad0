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
	// "*" stands for any text, "?" for any first byte, and a "…" in front of the
	// words for any words before and between them.
	words string
	with  string // options of which one must be given, separated by blanks; a value may follow "="
	not   string // options that make it harmless, besides help and dry runs
	but   string // words that make it harmless, in the form of words; several stand between ;
	deny  bool
	fact  string
	safe  string // instead of the rule's own
}

// operands are the words of a command line that are no options.
type operands struct {
	prog  string
	words []string
	// maybe marks a word behind an option of which it is not known whether it takes
	// a value: both readings are matched, and the stricter one counts.
	maybe []bool
	opts  []string // options, with their value behind "=" where they may have one
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

// operands reads the words of command i.
func (s *scan) operands(i int) operands {
	c := &s.cmds[i]
	ops := operands{prog: sameAs(c.Name)}
	args := texts(c.Args)
	if ops.prog == "docker" {
		for n, a := range args {
			if a == "compose" {
				ops.prog, args = "compose", args[n+1:]
				break
			}
			if !strings.HasPrefix(a, "-") {
				break
			}
		}
	}
	takes := " " + valued(ops.prog) + " "
	for n := 0; n < len(args); n++ {
		a := args[n]
		switch {
		case a == "--":
			ops.words = append(ops.words, args[n+1:]...)
			ops.maybe = append(ops.maybe, make([]bool, len(args)-n-1)...)
			return ops
		case a == "-h" && n == len(args)-1:
			ops.opts = append(ops.opts, "--help")
		case a == "" || a[0] != '-':
			before := ""
			if n > 0 {
				before = args[n-1]
			}
			open := len(before) > 1 && before[0] == '-' && !strings.Contains(before, "=") && !flagOnly(before)
			ops.words = append(ops.words, a)
			ops.maybe = append(ops.maybe, open)
			if open {
				ops.opts = append(ops.opts, before+"="+a)
			}
		default:
			ops.opts = append(ops.opts, a)
			if !strings.Contains(a, "=") && strings.Contains(takes, " "+a+" ") && n+1 < len(args) {
				n++
				ops.opts[len(ops.opts)-1] = a + "=" + args[n]
				args[n] = "" // it is no option before the next word
			}
		}
	}
	return ops
}

// flagOnly tells options that take no value in any tool.
func flagOnly(o string) bool {
	return oneOf(o, "-y", "--yes", "--force", "--quiet", "--verbose", "--debug", "--json", "--help", "--no-input", "--non-interactive", "--dry-run", "--auto-approve")
}

// matchVerbs is the strictest row that fits command i.
func (s *scan) matchVerbs(i int, rows []verb) verdict {
	c := &s.cmds[i]
	if c.Name == "" {
		return verdict{}
	}
	var worst verdict
	var ops operands
	read := false
	same := sameAs(c.Name)
	for n := range rows {
		row := &rows[n]
		if !inBars(c.Name, row.prog) && (same == c.Name || !inBars(same, row.prog)) && !(row.prog == "compose" && inBars(c.Name, "docker|podman|nerdctl")) {
			continue
		}
		if !read {
			ops = s.operands(i)
			read = true
		}
		if !inBars(ops.prog, row.prog) && !inBars(c.Name, row.prog) || !ops.match(row.words) {
			continue
		}
		if ops.harmless() || row.but != "" && ops.matchAny(row.but) || row.not != "" && optsHave(ops.opts, row.not) || row.with != "" && !optsHave(ops.opts, row.with) {
			continue
		}
		if s.onlyTests(i, ops) {
			continue
		}
		v := ask(row.fact)
		v.safe = row.safe
		if row.deny {
			v.decision = hook.Deny
		}
		worst = worst.or(v)
	}
	return worst
}

// onlyTests tells a call that by its options reaches nothing but what tests use:
// a cloud that is simulated on this machine, a compose file for tests.
func (s *scan) onlyTests(i int, ops operands) bool {
	switch ops.prog {
	case "aws":
		for _, o := range ops.opts {
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
		for _, o := range ops.opts {
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

// inBars tells that s is one of the names between the bars.
func inBars(s, bars string) bool {
	for from := 0; s != ""; {
		i := strings.Index(bars[from:], s)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(s)
		if (i == 0 || bars[i-1] == '|') && (end == len(bars) || bars[end] == '|') {
			return true
		}
		from = end
	}
	return false
}

// match tells that the operands start with the words of a row.
func (ops operands) match(pattern string) bool { return wordsMatch(ops.words, ops.maybe, pattern) }

func (ops operands) matchAny(patterns string) bool {
	for p := range strings.SplitSeq(patterns, ";") {
		if ops.match(p) {
			return true
		}
	}
	return false
}

// wordsMatch tells that the words start with those of a pattern; a word that may
// be an option's value may also be left out.
func wordsMatch(words []string, maybe []bool, pattern string) bool {
	pattern, loose := strings.CutPrefix(pattern, "… ")
	return startWith(words, maybe, pattern, loose)
}

func startWith(words []string, maybe []bool, pattern string, loose bool) bool {
	p, rest, _ := strings.Cut(pattern, " ")
	if p == "" {
		return true
	}
	for n, w := range words {
		fits := wordIs(w, p)
		if fits && startWith(words[n+1:], maybe[min(n+1, len(maybe)):], rest, loose) {
			return true
		}
		// Where words may stand between, the first one that fits is as good as any.
		if loose && fits || !loose && (n >= len(maybe) || !maybe[n]) {
			return false
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
		case strings.HasPrefix(b, "?") && len(word) == len(b) && word[1:] == b[1:]:
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
func (ops operands) harmless() bool {
	for _, o := range ops.opts {
		name, value, _ := strings.Cut(o, "=")
		switch strings.ToLower(name) {
		case "-whatif", "-wi":
			return true
		case "--help", "-help", "--dry-run", "--dryrun", "--dry_run", "--what-if", "--whatif", "--noop", "--no-op", "--pretend", "--preview", "--preview-only", "--plan", "--simulate", "--just-print", "--generate-cli-skeleton":
			if value != "none" && value != "false" {
				return true
			}
		case "--version":
			if len(ops.words) == 0 { // behind a verb it chooses a version
				return true
			}
		}
	}
	n := len(ops.words)
	return n > 0 && oneOf(ops.words[0], "help", "version", "completion") || n > 1 && ops.words[n-1] == "help"
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
