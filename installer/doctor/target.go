package doctor

import (
	"path/filepath"
	"strings"

	"agentguard/checks/shell/outline"
)

// target is what an entry starts, as far as its text tells.
type target struct {
	// command is the text as a program, nil for the exec form.
	command *outline.Program
	// launches are the programs that the command names, in its order.
	launches []*launch
	// units are the pieces of code behind the entry that can be read.
	units []*unit
	// path is the program of the only launch, if it is a file.
	path string
}

// launch is one program that a command or script starts.
type launch struct {
	// word is the program as written, after variables; args what follows it.
	word string
	args []string
	// interp is the interpreter's name when a script is run by one.
	interp string
	// file is the script or program as a path, absolute where it can be told.
	file string
	// code is program text given on the command line; lang its language.
	code, lang string
	// login and interactive shells read start-up files.
	login, interactive bool
	// dashC is set for a shell that is given code.
	dashC bool
	// guarded is set where the command first tests whether the file is there.
	guarded bool
	event   outline.Event
}

// unit is a piece of code that a hook runs.
type unit struct {
	entry *entry
	file  string
	// fixed is the line to report for code inside a settings file; 0 means that
	// lines count in the file itself.
	fixed int
	lang  string // sh, python, node, or "" for what is not read
	text  string
	prog  *outline.Program
	// command marks the entry's own text, launch what started the unit otherwise.
	command bool
	launch  *launch
	// depth counts the scripts in between.
	depth int
}

// line turns a line of the code into one to report.
func (u *unit) line(n int) int {
	if u.fixed > 0 {
		return u.fixed
	}
	return n
}

// Bounds of following scripts.
const (
	maxScriptDepth = 3
	maxUnits       = 12
)

// resolve reads what an entry starts.
func (p *Patient) resolve(e *entry) *target {
	t := &target{}
	if e.Type != "command" || e.Command == "" {
		return t
	}
	if e.HasArgs {
		words := []string{p.placeholders(e.Command)}
		for _, arg := range e.Args {
			words = append(words, p.placeholders(arg))
		}
		l := readLaunch(words)
		if l != nil {
			p.place(l, p.ProjectDir)
			t.launches = append(t.launches, l)
			p.addUnits(t, e, l, e.file, e.line, 0)
		}
	} else {
		t.command = outline.Shell(e.Command)
		u := &unit{entry: e, file: e.file, fixed: e.line, lang: "sh", text: e.Command, prog: t.command, command: true}
		t.units = append(t.units, u)
		p.follow(t, u, p.ProjectDir)
	}
	if len(t.launches) == 1 {
		t.path = t.launches[0].file
	}
	return t
}

// placeholders replaces what the client replaces in the exec form.
func (p *Patient) placeholders(s string) string {
	return strings.ReplaceAll(s, "${CLAUDE_PROJECT_DIR}", p.ProjectDir)
}

// outside answers for the variables that a hook finds: those of the client's
// start, of the env blocks, and the client's own.
func (p *Patient) outside(extra map[string]string) outline.Outside {
	return outline.Outside{Flags: "hB", Var: func(name string) string {
		if v, ok := extra[name]; ok {
			return v
		}
		switch name {
		case "CLAUDE_PROJECT_DIR":
			return p.ProjectDir
		case "PWD":
			return p.ProjectDir
		case outline.GitTop:
			if top := p.gitTop(p.ProjectDir); top != "" {
				return top
			}
			return p.ProjectDir
		case "HOME":
			return p.Home
		}
		if v, ok := p.env(name); ok && name == "PATH" {
			return v
		}
		return outline.Unknown
	}}
}

// follow finds what a unit of shell starts, and reads the scripts among it.
func (p *Patient) follow(t *target, u *unit, dir string) {
	seen := map[*outline.Node]bool{}
	extra := map[string]string{}
	if !u.command {
		extra["0"] = u.file
	}
	for _, w := range u.prog.Follow(p.outside(extra)) {
		tested := map[string]bool{}
		for _, ev := range w.Events {
			if ev.Node.Kind != outline.Start || seen[ev.Node] {
				continue
			}
			seen[ev.Node] = true
			l := readLaunch(ev.Words)
			if l == nil {
				continue
			}
			l.event = ev
			l.guarded = testsFor(u.text, l, tested)
			where := dir
			if ev.Dir != "" {
				where = p.inside(ev.Dir)
			}
			if len(u.prog.Funcs) > 0 && hasFunc(u.prog, l.word) {
				continue
			}
			p.place(l, where)
			if u.command {
				t.launches = append(t.launches, l)
			}
			p.addUnits(t, u.entry, l, u.file, u.line(ev.Node.Line), u.depth+1)
		}
	}
}

func hasFunc(p *outline.Program, name string) bool {
	_, ok := p.Funcs[name]
	return ok
}

// inside resolves the folder of a cd.
func (p *Patient) inside(dir string) string {
	switch {
	case !outline.Known(dir), strings.ContainsAny(dir, "$`"):
		return ""
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(p.ProjectDir, dir)
}

// testsFor reports whether a text asks whether the launch's file is there, as in
// [ -x FILE ] && FILE or command -v NAME && NAME.
func testsFor(text string, l *launch, _ map[string]bool) bool {
	name := filepath.Base(l.file)
	if l.file == "" {
		name = l.word
	}
	for _, stmt := range strings.FieldsFunc(text, func(c rune) bool { return c == ';' || c == '&' || c == '|' || c == '\n' || c == '{' || c == '}' }) {
		fields := strings.Fields(stmt)
		for i, f := range fields {
			var asks bool
			switch f {
			case "-x", "-f", "-e", "-r", "-s":
				asks = i > 0
			case "-v", "which", "hash", "type":
				asks = true
			}
			if !asks {
				continue
			}
			for _, arg := range fields[i+1:] {
				if strings.Contains(arg, name) {
					return true
				}
			}
		}
	}
	return false
}

// place makes the launch's file absolute where it can be told.
func (p *Patient) place(l *launch, dir string) {
	if l.file == "" || !outline.Known(l.file) || filepath.IsAbs(l.file) || dir == "" || p.foreignPath(l.file) {
		return
	}
	l.file = filepath.Join(dir, l.file)
}

// foreignPath tells a path of another system, which cannot be looked at here.
func (p *Patient) foreignPath(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') || p.OS == "windows" && strings.ContainsRune(path, '\\')
}
