package rules

import (
	"strings"

	"agentguard/checks/shell"
)

// localOnly tells that every address of a command is this machine.
func (s *scan) localOnly(c *shell.Command) bool {
	found := false
	for _, a := range c.Args {
		t := strings.ToLower(a.Text)
		t = strings.TrimPrefix(strings.TrimPrefix(t, "http://"), "https://")
		host := t
		if n := strings.IndexAny(t, ":/?"); n >= 0 {
			host = t[:n]
		}
		switch {
		case oneOf(host, "localhost", "127.0.0.1", "0.0.0.0", "host.docker.internal", "[") && (host != "[" || strings.HasPrefix(t, "[::1]")), strings.HasSuffix(host, ".localhost"), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".test"):
			found = true
		case t == ":" || strings.HasPrefix(a.Text, ":") && len(a.Text) > 1 && a.Text[1] >= '0' && a.Text[1] <= '9':
			found = true
		case strings.Contains(a.Text, "://"):
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
	_, words, opts := s.operands(i)
	if harmless(opts, words) {
		return verdict{}
	}
	for n, w := range words {
		if n > 5 {
			break
		}
		switch w {
		case "list", "show", "describe", "read", "get", "get-value", "ls", "info", "login", "auth", "config", "help", "cat", "print-access-token", "logs", "tail":
			return verdict{}
		case "delete", "purge", "destroy":
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

func ghAPI(s *scan, i int) verdict {
	c := &s.cmds[i]
	if !oneOf(c.Name, "gh", "glab") || len(c.Args) == 0 || c.Args[0].Text != "api" {
		return verdict{}
	}
	o := shell.Options(c.Args[1:], shell.OptSpec{Short: "X:H:f:F:q:t:p:i", Long: "method= header= field= raw-field= jq= template= input= paginate hostname= cache= preview= include silent slurp"})
	method, ok := o.Value("X", "method")
	target := ""
	if len(o.Rest) > 0 {
		target = o.Rest[0].Text
	}
	if target == "graphql" {
		for _, f := range o.Values("f", "F", "field", "raw-field") {
			if strings.Contains(f.Text, "mutation") {
				return ask("changes something on the forge.")
			}
		}
		return verdict{}
	}
	switch m := strings.ToUpper(method.Text); {
	case !ok:
		return verdict{}
	case m == "DELETE":
		return ask("deletes something on the forge.")
	case (m == "PATCH" || m == "PUT") && strings.HasPrefix(strings.Trim(target, "/"), "repos/") && strings.Count(strings.Trim(target, "/"), "/") == 2:
		return ask("changes the repository for everybody.")
	case (m == "PUT" || m == "PATCH" || m == "POST") && containsAny(target, "protection", "rulesets", "collaborators", "/merge", "/hooks", "secrets", "/git/refs", "transfer", "permissions"):
		return ask("changes rights or protected things on the forge.")
	}
	return verdict{}
}

// changesProduction finds changes to a cluster that is production by its name,
// and manifests that come from the network unread.
func changesProduction(s *scan, i int) verdict {
	c := &s.cmds[i]
	prog, words, opts := s.operands(i)
	if prog != "kubectl" && prog != "helm" || len(words) == 0 || harmless(opts, words) {
		return verdict{}
	}
	if !oneOf(words[0], "apply", "create", "replace", "patch", "edit", "set", "scale", "rollout", "upgrade", "install", "label", "annotate", "cordon", "autoscale") || len(words) > 1 && oneOf(words[1], "status", "history") {
		return verdict{}
	}
	for _, a := range c.Args {
		t := strings.ToLower(a.Text)
		if prog == "kubectl" && words[0] == "apply" && hasPrefixAny(t, "http://", "https://") && !s.localOnly(c) {
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
