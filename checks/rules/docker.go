package rules

import (
	"strings"

	"agentguard/checks/shell"
)

// dockerBroad finds removals of whatever a list names, and containers that
// reach out of themselves.
func dockerBroad(s *scan, i int) verdict {
	c := &s.cmds[i]
	if sameAs(c.Name) != "docker" {
		return verdict{}
	}
	args := texts(c.Args)
	if len(args) == 0 {
		return verdict{}
	}
	sub := args[0]
	if oneOf(sub, "container", "image") && len(args) > 1 {
		sub = args[1]
	}
	if oneOf(sub, "rm", "kill", "rmi", "stop") {
		for _, a := range c.Args {
			for _, j := range s.origins(a) {
				if sameAs(s.cmds[j].Name) == "docker" && !hasArgContaining(&s.cmds[j], "name=") && !hasArgContaining(&s.cmds[j], "label=") && !hasArgContaining(&s.cmds[j], "dangling") && !hasArgContaining(&s.cmds[j], "ancestor=") && !hasWord(s.cmds[j].Args, "compose") {
					return ask("removes every container or image on this machine, other projects' too.")
				}
			}
		}
	}
	if sub != "run" && sub != "create" {
		return verdict{}
	}
	return s.reachesOut(i, args)
}

// reachesOut judges docker run: what is mounted, and what the command inside
// deletes there.
func (s *scan) reachesOut(i int, args []string) verdict {
	var mounts [][2]string
	privileged := false
	for n, a := range args {
		value := ""
		if n+1 < len(args) {
			value = args[n+1]
		}
		switch {
		case a == "-v" || a == "--volume" || a == "--mount":
		case strings.HasPrefix(a, "--volume="), strings.HasPrefix(a, "--mount="):
			_, value, _ = strings.Cut(a, "=")
		case a == "--privileged" || a == "--pid=host" && hasAllWords(args, "--privileged"):
			privileged = true
			continue
		default:
			continue
		}
		if strings.Contains(value, "source=") || strings.Contains(value, "src=") {
			value = strings.NewReplacer("type=bind,", "", "source=", "", "src=", "", ",target=", ":", ",dst=", ":", ",destination=", ":").Replace(value)
		}
		from, to, _ := strings.Cut(value, ":")
		to, _, _ = strings.Cut(to, ":")
		if from != "" && to != "" && strings.ContainsAny(from[:1], "/.~"+unknown) {
			mounts = append(mounts, [2]string{from, to})
		}
	}
	worst := verdict{}
	for _, m := range mounts {
		if m[0] == "/" || m[0] == "/etc" || m[0] == "/root" || strings.HasSuffix(m[0], "docker.sock") {
			worst = worst.or(ask("gives a container the whole machine."))
		}
	}
	if privileged {
		worst = worst.or(ask("starts a container that can do everything on this machine."))
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op != shell.Delete || !s.carriedBy(e.Command, i) {
			continue
		}
		for _, m := range mounts {
			if within(e.Path.Text, m[1]) {
				inside := strings.TrimPrefix(e.Path.Text, m[1])
				worst = worst.or(s.lossAt(i, strings.TrimRight(s.abs(i, m[0]), "/")+inside, true).verdict)
			}
		}
	}
	return worst
}
