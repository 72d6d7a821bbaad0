package shell

import (
	"encoding/json"
	"slices"
	"strings"
)

// Bounds of what is read of a task file.
const (
	maxTasks  = 200 // rules or recipes
	maxChased = 20  // tasks that one call is followed into
)

// task is one rule of a makefile or recipe of a justfile.
type task struct {
	names []string
	needs []string
	lines []string
}

// taskFile follows make and just into a file that the same script wrote. Files
// that stood there before are not read.
func (a *analyzer) taskFile(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	o := Options(c.Args, OptSpec{Short: "C:f:I:j::l::o:W:E:nBikqstwd:", Long: "eval= directory= file= makefile= justfile= working-directory= jobs=? dry-run just-print list"})
	if o.Has("n", "dry-run", "just-print", "list", "q") {
		return
	}
	sub := st.fork()
	if d, ok := o.Value("C", "directory", "working-directory"); ok {
		a.set(sub, "PWD", a.path(a.dir(st), a.intern(d)))
	}
	names := []string{"GNUmakefile", "makefile", "Makefile"}
	if c.Name == "just" {
		names = []string{"justfile", "Justfile", ".justfile"}
	}
	if f, ok := o.Value("f", "file", "makefile", "justfile"); ok {
		names = []string{a.intern(f)}
	}
	for _, n := range names {
		out, ok := a.written(n) // a process substitution
		if !ok {
			out, ok = a.written(a.path(a.dir(sub), n))
		}
		switch {
		case ok && !out.known:
			a.cmd(idx).Unread = true
		case ok:
			var goals []string
			for _, w := range o.Rest {
				if !isAssign(w.Text) {
					goals = append(goals, w.Text)
				}
			}
			a.tasks(idx, out.text, goals, sub, cx)
			return
		}
	}
}

// tasks follows the lines of the goals and of what they need; without goals, of
// the first task.
func (a *analyzer) tasks(idx int, text string, goals []string, st *state, cx ctx) {
	all, vars := readTasks(text, a.cmd(idx).Name == "just")
	if len(goals) == 0 {
		for _, t := range all {
			if !strings.HasPrefix(t.names[0], ".") {
				goals = t.names[:1]
				break
			}
		}
	}
	for i := 0; i < len(goals) && i < maxChased; i++ {
		for _, t := range all {
			if !slices.ContainsFunc(t.names, func(n string) bool { return n == goals[i] || strings.ContainsAny(n, "%$") }) {
				continue
			}
			for _, n := range t.needs {
				if !slices.Contains(goals, n) {
					goals = append(goals, n)
				}
			}
			for _, l := range t.lines {
				if !a.step(1) {
					return
				}
				effector{a, idx, st, cx}.run(a.cmd(idx).Name, a.word(fillTask(l, goals[i], vars), ""))
			}
		}
	}
}

// fillTask puts make's variables into a recipe line.
func fillTask(line, goal string, vars [][2]string) string {
	line = strings.TrimLeft(line, "@-+ \t")
	for range 3 { // a variable may hold others
		for _, v := range vars {
			if !strings.Contains(line, v[0]) || len(line) > maxValue {
				continue
			}
			line = strings.NewReplacer("$("+v[0]+")", v[1], "${"+v[0]+"}", v[1], "{{"+v[0]+"}}", v[1], "{{ "+v[0]+" }}", v[1]).Replace(line)
		}
	}
	return strings.NewReplacer("$$", "$", "$@", goal).Replace(line)
}

// readTasks cuts a makefile or justfile into its tasks and simple variables.
func readTasks(text string, just bool) (all []task, vars [][2]string) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		if len(all) > maxTasks || len(vars) > maxTasks {
			break
		}
		indented := strings.HasPrefix(line, "\t") || just && strings.HasPrefix(line, " ")
		if indented && len(all) > 0 {
			all[len(all)-1].lines = append(all[len(all)-1].lines, line)
			continue
		}
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		i, eq := strings.IndexByte(line, ':'), strings.IndexByte(line, '=')
		if eq > 0 && (i < 0 || eq <= i+2) { // A = x, A := x, A ::= x
			vars = append(vars, [2]string{strings.TrimRight(line[:eq], ":?+! "), strings.Trim(line[eq+1:], " \"'")})
			continue
		}
		if i <= 0 {
			continue
		}
		head, rest, inline := strings.Cut(line[i+1:], ";")
		names := strings.Fields(line[:i])
		if just {
			names = []string{strings.TrimPrefix(names[0], "@")}
		}
		t := task{names: names, needs: strings.Fields(strings.TrimLeft(head, ": "))}
		if inline {
			t.lines = []string{rest}
		}
		all = append(all, t)
	}
	return all, vars
}

// packageScript follows npm run and its kin into a package.json that the same
// script wrote, or a script that npm pkg set.
func (a *analyzer) packageScript(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	words := Options(c.Args, OptSpec{Short: "w:C:", Long: "prefix= workspace= filter= cwd= silent"}).Rest
	if len(words) == 0 {
		return
	}
	if c.Name == "npm" && len(words) > 2 && words[0].Text == "pkg" && words[1].Text == "set" {
		for _, w := range words[2:] {
			if k, v, ok := strings.Cut(a.intern(w), "="); ok && strings.HasPrefix(k, "scripts.") {
				a.set(st, "npm "+k, v)
			}
		}
		return
	}
	name := words[0].Text
	switch {
	case (name == "run" || name == "run-script") && len(words) > 1:
		name = words[1].Text
	case name == "t":
		name = "test"
	}
	e := effector{a, idx, st, cx}
	scripts := a.writtenScripts(a.path(a.dir(st), "package.json"))
	for _, n := range [...]string{"pre" + name, name, "post" + name} {
		text := scripts[n]
		if v, ok := st.vars["npm scripts."+n]; ok && len(v.alts) > 0 {
			text = v.alts[0]
		}
		if text != "" {
			e.run(c.Name+" run", Lit(text))
		}
	}
}

func (a *analyzer) writtenScripts(path string) map[string]string {
	out, ok := a.written(path)
	if !ok || !out.known {
		return nil
	}
	var file struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(out.text), &file) != nil {
		return nil
	}
	return file.Scripts
}
