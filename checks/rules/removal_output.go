package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// found tells that a word stands for what a search finds: its text is then only
// the place that the search starts at.
func (s *scan) found(w shell.Word) bool {
	for _, j := range w.From() {
		if j >= 0 && j < len(s.cmds) && (s.find(j) != nil || s.filters(j)) {
			return true
		}
	}
	return false
}

// filters tells that command j passes on part of what a search found.
func (s *scan) filters(j int) bool {
	for _, k := range s.upstream(j) {
		if s.find(k) != nil {
			return true
		}
	}
	return false
}

// lossOfOutput judges a word that other commands print.
func (s *scan) lossOfOutput(cmd int, w shell.Word, recursive bool) (loss, bool) {
	origins := slices.DeleteFunc(s.origins(w), func(j int) bool {
		// What read takes from a file is a list as any other.
		return oneOf(s.cmds[j].Name, "read", "mapfile", "readarray") && len(s.cmds[j].Stdin.From) == 0
	})
	if len(origins) == 0 {
		if slices.ContainsFunc(w.Parts, func(p shell.Part) bool { return p.Kind == shell.Output }) && w.Text == unknown {
			return loss{lossList, ask("deletes files that a list names, and the list was not read.")}, true
		}
		return loss{}, false
	}
	prefix, rest, _ := strings.Cut(w.Text, unknown)
	if filtered := s.filteredToBuilt(origins); filtered {
		return loss{}, true
	}
	worst := loss{}
	for _, j := range origins {
		c := &s.cmds[j]
		switch c.Name {
		case "mktemp":
			return loss{}, true
		case "pwd":
			return s.lossAt(cmd, path.Join(s.dir(j), prefix, rest), recursive), true
		case "git":
			if g := s.git(j); g != nil && g.sub == "rev-parse" && slices.Contains(texts(g.args), "--show-toplevel") {
				return s.lossAt(cmd, path.Join(s.ctx.ProjectDir, rest), recursive), true
			}
			if g := s.git(j); g != nil && g.sub == "rev-parse" && hasWord(g.args, "--git-dir", "--absolute-git-dir", "--git-common-dir", "--git-path") {
				if strings.HasPrefix(rest, "/.git/") {
					return s.lossAt(cmd, path.Join(s.ctx.ProjectDir, rest), recursive), true
				}
				return loss{lossProject, deny("deletes a .git folder: history, stashes and branches that exist nowhere else.")}, true
			}
			worst = worst.or(loss{lossList, ask("deletes what git lists; untracked files have no other copy.")})
		case "find", "fd", "fdfind":
			if f := s.find(j); f != nil {
				worst = worst.or(f.loss(s))
			}
		case "ls", "echo", "printf", "realpath", "readlink", "dirname":
			for _, a := range c.Args {
				if !strings.HasPrefix(a.Text, "-") && known(a) {
					worst = worst.or(s.lossAt(j, s.abs(j, a.Text)+rest, recursive))
				}
			}
			if worst.kind == lossNone {
				worst = worst.or(loss{lossList, ask("deletes what another command prints, and that is not known.")})
			}
		default:
			if worst.kind == lossNone && !oneOf(c.Name, "xargs", "parallel", "while", "read", "sort", "head", "tail") {
				worst = loss{lossList, ask("deletes what another command prints, and that is not known.")}
			}
		}
	}
	return worst, true
}

// filteredToBuilt tells that a list passes a grep for nothing but things that a
// tool makes again: find . | grep -E '__pycache__|\.pyc$' | xargs rm.
func (s *scan) filteredToBuilt(origins []int) bool {
	for _, j := range origins {
		c := &s.cmds[j]
		if !oneOf(c.Name, "grep", "egrep", "rg") {
			continue
		}
		o := shell.Options(c.Args, shell.OptSpec{Short: "e:Eiw", Long: "regexp="})
		if o.Has("v", "invert-match") {
			continue
		}
		pattern, ok := o.Value("e", "regexp")
		if !ok && len(o.Rest) > 0 {
			pattern, ok = o.Rest[0], true
		}
		if !ok {
			continue
		}
		built := true
		for part := range strings.SplitSeq(strings.NewReplacer(`\|`, "|", `\.`, ".", "$", "", "^", "", "(", "", ")", "", "/", "").Replace(pattern.Text), "|") {
			built = built && part != "" && regenerable(part)
		}
		if built {
			return true
		}
	}
	return false
}
