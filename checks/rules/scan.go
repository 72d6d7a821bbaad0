package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// scan is one run of rules over one call. It caches what several rules ask.
type scan struct {
	ctx       Context
	sets      [][]Rule // the families of this run
	cmds      []shell.Command
	temp      []string
	gits      map[int]*gitCall
	repos     map[string]Repo
	kinds     map[string]Kind
	secrets   *flow
	resolved  map[resolveKey]string
	byCommand map[int][]shell.Effect
	losses    map[lossKey]loss
	// firstChange is the first command that may change files; -1 until asked.
	firstChange int
}

func newScan(ctx Context) *scan {
	if ctx.ProjectDir == "" {
		ctx.ProjectDir = ctx.CWD
	}
	temp := ctx.Temp
	if len(temp) == 0 {
		temp = DefaultTemp
	}
	return &scan{ctx: ctx, cmds: ctx.Script.Commands, temp: temp, firstChange: -1}
}

// where a command really runs.
type where int

const (
	here where = iota
	inContainer
	overSSH
)

// elsewhere tells whether a command's paths are those of another machine.
func (s *scan) elsewhere(i int) where {
	if i < 0 || i >= len(s.cmds) {
		return here
	}
	for _, v := range s.cmds[i].Via {
		switch {
		case v == "ssh":
			return overSSH
		case hasPrefixAny(v, "docker", "podman", "kubectl", "nerdctl", "vagrant", "lxc", "oc "):
			return inContainer
		}
	}
	return here
}

// explained tells that a command is only an argument of one of our programs:
// "agentguard explain -- rm -rf /" runs nothing.
func (s *scan) explained(i int) bool {
	return i >= 0 && i < len(s.cmds) && slices.ContainsFunc(s.cmds[i].Via, guardProgram)
}

// show is the text of one command as its author wrote it.
func (s *scan) show(i int) string {
	if i < 0 || i >= len(s.cmds) {
		return ""
	}
	c := &s.cmds[i]
	words := make([]string, 0, len(c.Args)+1)
	words = append(words, written(c.Program))
	for _, a := range c.Args {
		words = append(words, written(a))
	}
	return strings.Join(words, " ")
}

func written(w shell.Word) string {
	if w.Raw != "" {
		return w.Raw
	}
	return w.Text
}

// upstream lists the commands whose output reaches the input of command i
// through pipes, nearest first.
func (s *scan) upstream(i int) []int {
	var out []int
	queue := slices.Clone(s.cmds[i].Stdin.From)
	if p := s.cmds[i].Parent; p >= 0 && len(queue) == 0 && s.cmds[p].Carrier {
		queue = slices.Clone(s.cmds[p].Stdin.From)
	}
	for len(queue) > 0 && len(out) < 64 {
		j := queue[0]
		queue = queue[1:]
		if j < 0 || j >= len(s.cmds) || slices.Contains(out, j) {
			continue
		}
		out = append(out, j)
		queue = append(queue, s.cmds[j].Stdin.From...)
		for _, a := range s.cmds[j].Args {
			queue = append(queue, a.From()...)
		}
	}
	return out
}

// origins lists the commands whose output a word holds, with what feeds them.
func (s *scan) origins(w shell.Word) []int {
	var out []int
	for _, j := range w.From() {
		if j >= 0 && j < len(s.cmds) && !slices.Contains(out, j) {
			out = append(out, j)
			for _, k := range s.upstream(j) {
				if !slices.Contains(out, k) {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// quiet are programs that change no file of a repository.
var quiet = []string{
	"", "cd", "pushd", "popd", "pwd", "echo", "printf", "true", "false", ":", "test", "[", "[[", "set", "export", "unset", "local", "read",
	"ls", "cat", "head", "tail", "less", "grep", "rg", "wc", "sort", "uniq", "cut", "tr", "date", "which", "type", "env", "printenv",
	"id", "whoami", "hostname", "uname", "sleep", "diff", "cmp", "stat", "file", "du", "df", "ps", "jq", "column", "basename", "dirname",
	"realpath", "readlink", "mkdir", "sudo", "time", "timeout", "nice", "nohup", "command", "exec", "bash", "sh", "xargs", "eval",
	"sha256sum", "md5sum", "tree", "alias", "shopt", "exit", "return", "wait", "if", "for", "while",
}

// quietGit are the git commands that leave the working tree and the index as
// they are.
var quietGit = []string{
	"status", "log", "diff", "show", "branch", "fetch", "remote", "rev-parse", "ls-files", "config", "tag", "describe", "blame", "grep",
	"reflog", "shortlog", "merge-base", "rev-list", "cat-file", "for-each-ref", "push", "symbolic-ref", "ls-remote", "worktree", "help", "version",
}

// untouched tells that no command before i can have changed files, so that the
// repository's state still is what the script will find.
func (s *scan) untouched(i int) bool {
	if s.firstChange < 0 {
		s.firstChange = s.findFirstChange()
	}
	return i <= s.firstChange
}

// findFirstChange is the index of the first command that may change files.
func (s *scan) findFirstChange() int {
	first := len(s.cmds)
	for j := range s.cmds {
		c := &s.cmds[j]
		loud := c.Unread || !slices.Contains(quiet, c.Name) && !hasPrefixAny(c.Name, "get-", "test-", "select-", "measure-", "convertto-", "write-")
		if c.Name == "git" {
			g := s.git(j)
			loud = g == nil || !slices.Contains(quietGit, g.sub)
		}
		if loud {
			first = j
			break
		}
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Command < first && e.Op != shell.Read && e.Op != shell.MakeDir && !s.isTemp(e.Path.Text) && !isDevice(e.Path.Text) {
			first = e.Command
		}
	}
	return first
}

func isDevice(p string) bool { return strings.HasPrefix(p, "/dev/") }

func (s *scan) repo(dir string) (Repo, bool) {
	if s.ctx.State == nil || dir == "" || strings.Contains(dir, unknown) {
		return nil, false
	}
	if r, ok := s.repos[dir]; ok {
		return r, r != nil
	}
	r, ok := s.ctx.State.Repo(dir)
	if !ok {
		r = nil
	}
	if s.repos == nil {
		s.repos = map[string]Repo{}
	}
	s.repos[dir] = r
	return r, ok
}

func (s *scan) kind(p string) Kind {
	if s.ctx.State == nil || strings.Contains(p, unknown) {
		return Unsure
	}
	if k, ok := s.kinds[p]; ok {
		return k
	}
	if s.kinds == nil {
		s.kinds = map[string]Kind{}
	}
	k := s.ctx.State.Kind(p)
	s.kinds[p] = k
	return k
}

// effectsOf lists the effects of command i.
func (s *scan) effectsOf(i int) []shell.Effect {
	if s.byCommand == nil {
		s.byCommand = map[int][]shell.Effect{}
		for _, e := range s.ctx.Script.Effects {
			s.byCommand[e.Command] = append(s.byCommand[e.Command], e)
		}
	}
	return s.byCommand[i]
}

// abs makes a word of command i an absolute clean path; "" when its folder is
// not known.
func (s *scan) abs(i int, p string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		p = s.ctx.Home + p[1:]
	}
	if path.IsAbs(p) {
		return path.Clean(p)
	}
	dir := s.dir(i)
	if dir == "" {
		return ""
	}
	return path.Join(dir, p)
}

// dir is the folder of command i, or "" when it is not known.
func (s *scan) dir(i int) string {
	if i < 0 || i >= len(s.cmds) {
		return s.ctx.CWD
	}
	d := s.cmds[i].Dir
	if len(d.Parts) == 0 && d.Text == "" {
		return s.ctx.CWD
	}
	if !known(d) || !path.IsAbs(d.Text) {
		return ""
	}
	return d.Text
}

// resolve follows symbolic links in all parts of an absolute path that exist;
// with last, in its last part too. Loops and long chains end the walk.
func (s *scan) resolve(p string, last bool) string {
	if s.ctx.State == nil || strings.Contains(p, unknown) || !path.IsAbs(p) {
		return p
	}
	key := resolveKey{p, last}
	if to, ok := s.resolved[key]; ok {
		return to
	}
	for range 40 {
		next, changed := s.resolveOnce(p, last)
		p = next
		if !changed {
			break
		}
	}
	if s.resolved == nil {
		s.resolved = map[resolveKey]string{}
	}
	s.resolved[key] = p
	return p
}

type resolveKey struct {
	path string
	last bool
}

func (s *scan) resolveOnce(p string, last bool) (string, bool) {
	parts := strings.Split(strings.TrimPrefix(path.Clean(p), "/"), "/")
	at := "/"
	for n, name := range parts {
		at = path.Join(at, name)
		if n == len(parts)-1 && !last {
			break
		}
		if s.kind(at) != Symlink {
			continue
		}
		to, err := s.ctx.State.Readlink(at)
		if err != nil || to == "" {
			continue
		}
		if !path.IsAbs(to) {
			to = path.Join(path.Dir(at), to)
		}
		return path.Join(to, path.Join(parts[n+1:]...)), true
	}
	return path.Clean(p), false
}
