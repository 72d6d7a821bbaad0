package rules

import (
	"strings"

	"agentguard/checks/shell"
)

// localOnly tells that every address of a command is this machine.
func (s *scan) localOnly(c *shell.Command) bool { return allLocal(texts(c.Args)) }

// allLocal tells that addresses stand among the words, and that all are of this
// machine.
func allLocal(words []string) bool {
	found := false
	for _, word := range words {
		t := strings.ToLower(word)
		t = strings.TrimPrefix(strings.TrimPrefix(t, "http://"), "https://")
		host := t
		if n := strings.IndexAny(t, ":/?"); n >= 0 {
			host = t[:n]
		}
		switch {
		case oneOf(host, "localhost", "127.0.0.1", "0.0.0.0", "host.docker.internal", "[") && (host != "[" || strings.HasPrefix(t, "[::1]")), strings.HasSuffix(host, ".localhost"), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".test"):
			found = true
		case t == ":" || strings.HasPrefix(word, ":") && len(word) > 1 && word[1] >= '0' && word[1] <= '9':
			found = true
		case strings.Contains(word, "://"):
			return false
		}
	}
	return found
}

// gcloudVerb finds the verb of tools whose words differ in number: the last
// words of "gcloud compute instances delete NAME".
func gcloudVerb(s *scan, i int) verdict {
	c := &s.cmds[i]
	if !oneOf(c.Name, "gcloud", "az", "gsutil") {
		return verdict{}
	}
	ops := s.operands(i)
	if ops.harmless() {
		return verdict{}
	}
	words := ops.words
	for n, w := range words {
		if n > 5 {
			break
		}
		switch w {
		case "list", "show", "describe", "read", "get", "get-value", "ls", "info", "login", "auth", "config", "help", "cat", "print-access-token", "logs", "tail":
			return verdict{}
		case "delete", "purge", "destroy", "bulk-delete", "delete-all":
			if n > 0 && oneOf(words[n-1], "projects", "group", "clusters", "instances", "buckets", "databases", "sql", "server", "db", "aks", "account", "vault", "keyvault") {
				return deny("deletes something in the cloud account with everything in it.")
			}
			return ask("deletes or cuts off something in the cloud account.")
		case "rm", "rb", "remove", "terminate", "deallocate", "undelete", "detach", "disable", "reset", "clear":
			return ask("deletes or cuts off something in the cloud account.")
		case "deploy", "create", "update", "apply", "stop", "start", "restart", "submit", "import", "promote-replica", "failover", "add-iam-policy-binding", "set-iam-policy", "up":
			return ask("changes something in the cloud account.")
		}
	}
	return verdict{}
}

// ghAPI judges calls of the forge's API by hand.
func ghAPI(s *scan, i int) verdict {
	c := &s.cmds[i]
	if !oneOf(c.Name, "gh", "glab") || len(c.Args) == 0 || c.Args[0].Text != "api" {
		return verdict{}
	}
	o := shell.Options(c.Args[1:], shell.OptSpec{Short: "X:H:f:F:q:t:p:i", Long: "method= header= field= raw-field= jq= template= input= paginate hostname= cache= preview= include silent slurp"})
	target := ""
	if len(o.Rest) > 0 {
		target = strings.Trim(o.Rest[0].Text, "/")
	}
	fields := o.Values("f", "F", "field", "raw-field")
	input, hasInput := o.Value("input")
	if target == "graphql" {
		worst := verdict{}
		for _, w := range append(fields, input) {
			for _, name := range mutations(s.bodyText(i, w)) {
				worst = worst.or(forgeMutation(name))
			}
		}
		return worst
	}
	method, ok := o.Value("X", "method")
	m := strings.ToUpper(method.Text)
	if !ok && (len(fields) > 0 || hasInput) {
		m = "POST" // as gh does
	}
	switch {
	case m == "DELETE" && !takenBack(target):
		return ask("deletes something on the forge.")
	case (m == "PATCH" || m == "PUT") && hasPrefixAny(target, "repos/", "projects/") && strings.Count(target, "/") == 2-btoi(strings.HasPrefix(target, "projects/")):
		return ask("changes the repository for everybody.")
	case (m == "PUT" || m == "PATCH" || m == "POST") && containsAny(target+"/", "protection/", "protected_", "rulesets/", "collaborators/", "/merge/", "/merges/", "/hooks/", "/secrets/", "/git/refs/", "/transfer/", "permissions/", "/archive/", "/members/"):
		return ask("changes rights or protected things on the forge.")
	}
	return verdict{}
}

// takenBack tells things on the forge that one more call puts back.
func takenBack(target string) bool {
	return containsAny(target+"/", "/labels/", "/assignees/", "/requested_reviewers/", "/reactions/", "/subscription/", "/starred/", "/lock/", "notifications/") && strings.Count(target, "/") > 3
}

// bodyText is what an option of a request carries: the text itself, or that of
// the file behind an @. The key of a form field stays in front of it.
func (s *scan) bodyText(i int, w shell.Word) string {
	key, file, found := w.Cut("@")
	switch {
	case w.Text == "-" || found && file.Text == "-":
		return s.cmds[i].Stdin.Text
	case found && (key == "" || strings.HasSuffix(key, "=")):
		text, _ := s.readText(i, file)
		return text
	case !strings.ContainsAny(w.Text, " {=") && w.Text != "":
		if text, ok := s.readText(i, w); ok {
			return text // --input FILE
		}
	}
	return w.Text
}

// changesProduction finds changes to a cluster that is production by its name,
// and manifests that come from the network unread.
func changesProduction(s *scan, i int) verdict {
	c := &s.cmds[i]
	ops := s.operands(i)
	if ops.prog != "kubectl" && ops.prog != "helm" || ops.harmless() ||
		!ops.match("apply|create|replace|patch|edit|set|scale|rollout|upgrade|install|label|annotate|cordon|autoscale") || ops.match("rollout status|history") {
		return verdict{}
	}
	applies := ops.prog == "kubectl" && ops.match("apply")
	for _, a := range c.Args {
		t := strings.ToLower(a.Text)
		if applies && hasPrefixAny(t, "http://", "https://") && !s.localOnly(c) {
			return ask("applies a manifest from the network that nobody has read.")
		}
		for part := range strings.FieldsFuncSeq(t, func(r rune) bool { return strings.ContainsRune("/-_.=:@", r) }) {
			if part == "prod" || part == "production" || part == "prd" {
				return ask("changes production.")
			}
		}
	}
	return verdict{}
}
