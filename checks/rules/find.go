package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// findCall is one find command as find reads it.
type findCall struct {
	index    int
	roots    []shell.Word
	narrowed bool // only things that a tool makes again can match
	named    bool // some name or path pattern limits what matches
	filter   bool // age, size, emptiness
	shallow  bool // -maxdepth
	deletes  bool
	runs     []string // programs of -exec and its kin
	writes   []shell.Word
}

// find parses command j as a find or fd command; nil when it is neither.
func (s *scan) find(j int) *findCall {
	c := &s.cmds[j]
	switch c.Name {
	case "find", "gfind", "bfs":
		return s.parseFind(j)
	case "fd", "fdfind":
		return s.parseFd(j)
	}
	return nil
}

func (s *scan) parseFind(j int) *findCall {
	args := s.cmds[j].Args
	f := &findCall{index: j}
	i := 0
	for i < len(args) && oneOf(args[i].Text, "-H", "-L", "-P") {
		i++
	}
	for ; i < len(args) && !strings.HasPrefix(args[i].Text, "-") && !oneOf(args[i].Text, "(", ")", "!", ","); i++ {
		f.roots = append(f.roots, args[i])
	}
	if len(f.roots) == 0 {
		f.roots = []shell.Word{shell.Lit(".")}
	}
	builtOnly, others := false, false
	for ; i < len(args); i++ {
		t := args[i].Text
		next := ""
		if i+1 < len(args) {
			next = args[i+1].Text
		}
		switch t {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex":
			i++
			if i >= 2 && (args[i-2].Text == "!" || args[i-2].Text == "-not") {
				break
			}
			f.named = f.named || strings.Trim(next, "*?./") != ""
			if builtPattern(next) {
				builtOnly = true
			} else {
				others = true
			}
		case "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-size", "-newer", "-user", "-group", "-perm", "-inum", "-links", "-samefile":
			i++
			f.filter = true
		case "-empty":
			f.filter, f.narrowed = true, true
		case "-broken":
			f.narrowed = true
		case "-xtype":
			i++
			f.narrowed = f.narrowed || next == "l"
		case "-maxdepth":
			i++
			f.shallow = true
		case "-mindepth", "-type", "-printf", "-prune":
			if t != "-prune" {
				i++
			}
		case "-delete":
			f.deletes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			f.runs = append(f.runs, path.Base(next))
			for i++; i < len(args) && args[i].Text != ";" && args[i].Text != "+"; i++ {
				if oneOf(path.Base(args[i].Text), removers...) {
					f.deletes = true
				}
			}
		case "-fprint", "-fls", "-fprint0", "-fprintf":
			i++
			if i < len(args) {
				f.writes = append(f.writes, args[i])
			}
		}
	}
	f.narrowed = f.narrowed || builtOnly && !others
	return f
}

// removers are programs that delete what they are given.
var removers = []string{"rm", "unlink", "shred", "srm", "rmdir", "trash-empty"}

// builtPattern tells that a name pattern matches only what a tool makes again.
func builtPattern(p string) bool {
	p = strings.NewReplacer(`\.`, ".", `\`, "", "$", "", "^", "").Replace(p)
	if strings.Trim(p, "*?./") == "" {
		return false
	}
	for name := range strings.SplitSeq(strings.Trim(p, "*/"), "/") {
		if isBuilt(name) && !contains(builtOnlyIgnored, name) || isBuilt("x"+strings.TrimLeft(name, "*")) && strings.Contains(name, ".") {
			return true
		}
	}
	return hasSuffixAny(p, builtSuffixes...) || hasSuffixAny(p, ".py[co]", ".py[cod]", ".DS_Store", "._*")
}

func (s *scan) parseFd(j int) *findCall {
	o := shell.Options(s.cmds[j].Args, shell.OptSpec{
		Short: "HIusgapl0e:E:d:t:x:X:S:j:c:", Stop: false,
		Long: "extension= exclude= max-depth= type= exec= exec-batch= hidden no-ignore changed-within= changed-before= size= threads= glob fixed-strings absolute-path full-path",
	})
	f := &findCall{index: j}
	args := s.cmds[j].Args
	operands := o.Rest
	for i, a := range args {
		if !oneOf(a.Text, "-x", "-X", "--exec", "--exec-batch") {
			continue
		}
		for _, b := range args[i+1:] {
			f.runs = append(f.runs, path.Base(b.Text))
			f.deletes = f.deletes || oneOf(path.Base(b.Text), removers...)
		}
		// What follows belongs to the program that fd runs.
		operands = shell.Options(args[:i], shell.OptSpec{Short: "HIusgapl0e:E:d:t:S:j:c:", Long: "extension= exclude= max-depth= type="}).Rest
		break
	}
	pattern := ""
	if len(operands) > 0 {
		pattern = operands[0].Text
		f.roots = operands[1:]
	}
	if ext, ok := o.Value("e", "extension"); ok {
		pattern = "." + ext.Text
	}
	f.named = strings.Trim(pattern, ".*^$") != ""
	f.narrowed = builtPattern(pattern)
	if len(f.roots) == 0 {
		f.roots = []shell.Word{shell.Lit(".")}
	}
	return f
}

// loss is what deleting everything that matches would cost.
func (f *findCall) loss(s *scan) loss {
	worst := loss{}
	for _, r := range f.roots {
		worst = worst.or(f.lossBelow(s, r))
	}
	return worst
}

func (f *findCall) lossBelow(s *scan, root shell.Word) loss {
	if !known(root) {
		for _, j := range s.origins(root) {
			if s.cmds[j].Name == "mktemp" {
				return loss{}
			}
		}
		if f.narrowed {
			return loss{}
		}
		if strings.HasPrefix(root.Text, unknown) && strings.Trim(empty(root), "/") == "" && strings.HasSuffix(root.Text, "/") {
			return loss{lossUnset, deny("searches from / if its variable is empty.")}
		}
		return loss{lossUnset, ask("deletes below a folder that is not known before it runs.")}
	}
	p := s.abs(f.index, root.Text)
	if p == "" {
		if f.narrowed {
			return loss{}
		}
		return loss{lossUnset, ask("deletes below a folder that is not known before it runs.")}
	}
	p = stripGlob(p)
	at := s.placeOf(p)
	switch {
	case at == tempPlace || at == cachePlace:
		return loss{}
	case at == tempTop && (f.named || f.filter):
		return loss{}
	case at == systemSoft && (f.named || f.filter):
		return loss{lossSystem, ask("deletes below " + named(p) + ", which is not part of the project.")}
	case at >= systemSoft && !(f.narrowed && at == homeTop):
		return loss{lossSystem, deny("deletes below " + named(p) + ", which the system needs.")}
	case f.narrowed && (at == homeTop || at == homeEntry || at == homeDeep):
		return loss{lossHome, ask("deletes below " + named(p) + ", outside the project.")}
	case f.narrowed:
		return loss{}
	case at == projectTop && within(s.ctx.ProjectDir, p) && p != s.ctx.ProjectDir && !f.named:
		return loss{lossProject, deny("deletes everything below a folder above the project.")}
	case at == projectTop && !f.named && !f.filter:
		return loss{lossProject, deny("deletes everything in the project, .git included.")}
	case at == projectTop && f.named:
		return f.lossNamed(s)
	case at == projectTop:
		return loss{lossWork, ask("deletes files all over the project.")}
	case at == projectPlace && f.named:
		if l := s.lossIn(f.index, p, at, true); l.kind == lossNone {
			return l
		}
		return f.lossNamed(s)
	}
	return s.lossIn(f.index, p, at, true)
}

// lossNamed judges a pattern over the project: a clean tree can bring tracked
// files back, but what is ignored or untracked stays unknown.
func (f *findCall) lossNamed(s *scan) loss {
	if r, ok := s.repo(s.ctx.ProjectDir); ok && s.untouched(f.index) {
		if clean, ok := r.Clean(); ok && clean {
			return loss{lossWork, ask("deletes by a pattern all over the project.")}
		}
	}
	return loss{lossWork, ask("deletes by a pattern all over a project with uncommitted work.")}
}

// ownedByFind tells that a deletion is the work of a find that is judged whole.
func (s *scan) ownedByFind(i int) bool {
	for i >= 0 && i < len(s.cmds) {
		c := &s.cmds[i]
		if oneOf(c.Name, "find", "gfind", "bfs", "fd", "fdfind") {
			return true
		}
		if !slices.ContainsFunc(c.Via, func(v string) bool { return hasPrefixAny(v, "find", "fd") }) {
			return false
		}
		i = c.Parent
	}
	return false
}

// foundRemoval is the match of both rules: the actions of a find, one of which
// deletes, and any remover that it carries.
func (s *scan) foundRemoval(i int) verdict {
	f := s.find(i)
	if f == nil {
		return verdict{}
	}
	worst := verdict{}
	for j := i + 1; j < len(s.cmds) && !f.deletes; j++ {
		if s.carriedBy(j, i) && oneOf(s.cmds[j].Name, removers...) {
			f.deletes = true
		}
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op != shell.Delete || e.Command == i || !s.carriedBy(e.Command, i) {
			continue
		}
		f.deletes = true
		if known(e.Path) && len(e.Path.From()) == 0 && !s.hasOrigin(e) && !strings.Contains(e.Path.Text, "{}") {
			worst = worst.or(s.lossOf(e.Command, e.Path, e.Recursive).verdict)
		}
	}
	if f.deletes {
		worst = worst.or(f.loss(s).verdict)
	}
	return worst
}

// hasOrigin tells that the path of an effect comes from another command.
func (s *scan) hasOrigin(e shell.Effect) bool {
	for _, a := range s.cmds[e.Command].Args {
		if len(a.From()) > 0 && (a.Text == e.Path.Text || s.abs(e.Command, a.Text) == e.Path.Text) {
			return true
		}
	}
	return false
}

// carriedBy tells that command j runs inside command i.
func (s *scan) carriedBy(j, i int) bool {
	for n := 0; j >= 0 && j < len(s.cmds) && n < 64; n++ {
		if j = s.cmds[j].Parent; j == i {
			return true
		}
	}
	return false
}

var findRule = Rule{
	ID: "find-delete", Family: "removal",
	Title: "find that deletes broadly",
	Safe:  "Run it with -print first, then narrow it by -name or to one folder.",
	Hits: []Case{
		{Run: "find / -delete", Want: hook.Deny},
		{Run: "find ~ -type f -delete", Want: hook.Deny},
		{Run: "find . -delete", Want: hook.Deny},
		{Run: "find . -mindepth 1 -maxdepth 1 -exec rm -rf {} +", Want: hook.Deny},
		{Run: `find . -type f -exec env rm -f {} \;`, Want: hook.Deny},
		{Run: `find . -type f -exec sh -c 'rm -f "$1"' _ {} \;`, Want: hook.Deny},
		{Run: `find . -name '*.py' -delete`},
		{Run: `find src -type f -delete`},
		{Run: `find .. -name '*.md' -exec rm {} +`},
		{Run: `find /var/log -name '*.gz' -delete`},
	},
	Misses: []Case{
		{Run: "find . -name '*.pyc' -delete"},
		{Run: "find . -name __pycache__ -type d -exec rm -rf {} +"},
		{Run: "find . -type d -name .pytest_cache -prune -exec rm -rf {} +"},
		{Run: "find . -name .DS_Store -delete"},
		{Run: "find src -type f -exec grep -l TODO {} +"},
		{Run: "find docs -name 'delete-*.md' -print"},
		{Run: "find /tmp/agent -type f -mtime +1 -delete"},
		{Run: "find . -type d -empty -delete"},
		{Run: "find node_modules -name '*.md' -delete"},
		{Run: `find . \( -name '*.pyc' -o -name __pycache__ \) -exec rm -rf {} +`},
		{Run: "find dist -type f -delete"},
	},
	programs: []string{"find", "gfind", "bfs"},
	call:     (*scan).foundRemoval,
}

var fdRule = Rule{
	ID: "fd-delete", Family: "removal",
	Title: "fd that deletes broadly",
	Safe:  "Run it without -x first, then narrow the pattern.",
	Hits: []Case{
		{Run: "fd -H . -x rm -rf", Want: hook.Deny},
		{Run: "fd -e py -X rm"},
		{Run: "fd . ~ -x rm -rf", Want: hook.Deny},
	},
	Misses: []Case{
		{Run: "fd -e pyc -x rm"},
		{Run: "fd __pycache__ -X rm -rf"},
		{Run: "fd TODO src"},
	},
	programs: []string{"fd", "fdfind"},
	call:     (*scan).foundRemoval,
}
