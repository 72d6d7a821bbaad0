package doctor

import (
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

// code is the unit's text without comments.
func (u *unit) code() string { return outline.Code(u.lang, u.text) }

type class int

const (
	nothing class = iota
	plain         // text
	json_         // one object that answers the client, or another one
	unclear
)

// facts are what a unit can do, read once.
type facts struct {
	ways []outline.Way
	// twos are lines on which the unit ends with status 2 by its own will.
	twos []int
	// answers are the objects it may print, with the line of their bracket.
	answers []placed
}

type placed struct {
	o    *object
	line int
	text string
}

// lineIn returns the line of an offset in the answer's text.
func (a placed) lineIn(offset int) int { return a.line + strings.Count(a.text[:offset], "\n") }

// facts follows a unit's code, once.
func (p *Patient) facts(u *unit) *facts {
	p.known.Lock()
	defer p.known.Unlock()
	if f := p.units[u]; f != nil {
		return f
	}
	if p.units == nil {
		p.units = map[*unit]*facts{}
	}
	f := p.gather(u)
	p.units[u] = f
	return f
}

func (p *Patient) gather(u *unit) *facts {
	f := &facts{}
	if u.prog == nil {
		return f
	}
	extra := map[string]string{}
	if !u.command {
		extra["0"] = u.file
	}
	f.ways = u.prog.Follow(p.included(extra))
	seen := map[*outline.Node]bool{}
	for _, w := range f.ways {
		if w.Explicit && w.Status == 2 && !slices.Contains(f.twos, w.Line) {
			f.twos = append(f.twos, w.Line)
		}
		for _, ev := range w.Events {
			if seen[ev.Node] || ev.To != outline.Stdout {
				continue
			}
			seen[ev.Node] = true
			if text, ok := outText(ev); ok {
				line := ev.Node.Line
				if ev.Node.FeedLine > 0 && text == ev.Feed {
					line = ev.Node.FeedLine
				}
				f.add(text, line)
			}
		}
	}
	slices.Sort(f.twos)
	if u.lang == "python" || u.lang == "node" {
		f.literals(u)
	}
	return f
}

// included lets a shell script read the files it sources.
func (p *Patient) included(extra map[string]string) outline.Outside {
	out := p.outside(extra)
	out.Include = func(name string) (*outline.Program, bool) {
		if !outline.Known(name) || name == "" {
			return nil, false
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.ProjectDir, name)
		}
		raw, err := readBounded(name)
		if err != nil {
			return nil, false
		}
		inner := outline.Shell(string(raw))
		// Lines of another file would be taken for lines of this one.
		inner.Walk(func(n *outline.Node) { n.Line = 0 })
		return inner, true
	}
	return out
}

func (f *facts) add(text string, line int) {
	for _, o := range objects(text) {
		if o.isAnswer() {
			f.answers = append(f.answers, placed{o, line, text})
		}
	}
}

// literals adds the objects that stand in the code of a language that writes
// them as values.
func (f *facts) literals(u *unit) {
	code := u.code()
	for _, o := range objects(code) {
		if !o.isAnswer() {
			continue
		}
		// An object inside a text is one only when it is printed.
		if insideString(code, o.at) {
			continue
		}
		line := 1 + strings.Count(code[:o.at], "\n")
		known := slices.ContainsFunc(f.answers, func(a placed) bool { return a.lineIn(a.o.at) == line })
		if !known {
			f.answers = append(f.answers, placed{o, 1, code})
		}
	}
}

// insideString reports whether an offset stands inside a string literal.
func insideString(code string, at int) bool {
	for i := 0; i < at; i++ {
		if c := code[i]; c == '"' || c == '\'' || c == '`' {
			end := outline.StringEnd(code, i)
			if end > at {
				return true
			}
			i = end - 1
		}
	}
	return false
}

// outText is what an event writes to stdout, as far as it can be told: what it
// says, a here-document through cat, a filter of jq that makes an object.
func outText(ev outline.Event) (string, bool) {
	if ev.Node.Kind == outline.Say {
		return ev.Text, true
	}
	if ev.Node.Kind != outline.Start || len(ev.Words) == 0 {
		return "", false
	}
	switch filepath.Base(ev.Words[0]) {
	case "cat", "tee", "tr", "sed":
		if ev.Feed != "" {
			return ev.Feed, true
		}
	case "jq", "gojq", "jaq":
		for _, w := range ev.Words[1:] {
			if strings.HasPrefix(strings.TrimSpace(w), "{") {
				return w, true
			}
		}
		if ev.Feed != "" && strings.HasPrefix(strings.TrimSpace(ev.Feed), "{") {
			return ev.Feed, true
		}
	}
	return "", false
}

// classify tells what an event puts on the hook's stdout.
func (p *Patient) classify(t *target, ev outline.Event) class {
	if ev.To != outline.Stdout {
		return nothing
	}
	if ev.Node.Kind == outline.Say {
		return classOf(ev.Text)
	}
	if len(ev.Words) == 0 || ev.Node.Captured {
		return nothing
	}
	name := filepath.Base(ev.Words[0])
	text, ok := outText(ev)
	if name == "jq" {
		if coloured(ev.Words) {
			return plain
		}
		if ok {
			return classOf(text)
		}
		return plain
	}
	if ok {
		return classOf(text)
	}
	for _, u := range t.units {
		if u.launch != nil && u.launch.event.Node == ev.Node {
			return unclear
		}
	}
	if chatty(name, ev.Words) {
		return plain
	}
	return unclear
}

func coloured(words []string) bool {
	return slices.ContainsFunc(words[1:], func(w string) bool {
		return w == "--color-output" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "C")
	})
}

func classOf(text string) class {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return nothing
	case trimmed == outline.Unknown:
		return unclear
	case strings.HasPrefix(trimmed, "{"):
		return json_
	case strings.HasPrefix(trimmed, outline.Unknown) && strings.HasSuffix(trimmed, "}"):
		return unclear
	}
	return plain
}

// chatty tells programs that write to stdout when nothing is asked of them.
func chatty(name string, words []string) bool {
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	flags := strings.Join(words[1:], " ")
	switch name {
	case "date", "ls", "pwd", "uname", "hostname", "whoami", "id", "uptime", "env", "printenv", "figlet", "cowsay", "fortune", "neofetch",
		"fastfetch", "screenfetch", "tree", "df", "du", "ps", "wc", "head", "tail", "sort", "cut", "nl", "lolcat":
		return true
	case "grep", "egrep", "rg":
		return !slices.ContainsFunc(words[1:], func(w string) bool {
			return w == "--quiet" || w == "--silent" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "qs")
		})
	case "curl":
		return !slices.ContainsFunc(words[1:], func(w string) bool {
			return w == "--output" || w == "--remote-name" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "oO")
		})
	case "which", "type":
		return true
	case "command":
		return arg == "-v" || arg == "-V"
	case "make", "gmake":
		return !strings.Contains(flags, "-s") && !strings.Contains(flags, "--silent")
	case "npm", "pnpm", "yarn", "pytest", "cargo", "go", "eslint", "tsc", "mvn", "gradle", "phpunit", "jest", "vitest", "prettier", "black", "ruff":
		return !strings.Contains(flags, "--quiet") && !strings.Contains(flags, "-q") && !strings.Contains(flags, "--silent")
	case "git":
		switch arg {
		case "status", "log", "diff", "show", "branch", "stash", "commit", "rev-parse", "ls-files", "remote", "tag", "describe":
			return !strings.Contains(flags, "--quiet") && !strings.Contains(flags, "-q") && !strings.Contains(flags, "--exit-code")
		}
	case "nvm", "rvm", "conda", "mise", "asdf":
		return arg == "use" || arg == "install" || arg == "current"
	case "pushd", "popd", "dirs":
		return true
	case "ssh-agent":
		return true
	}
	return false
}

// eventsOf lists the events at which a unit's file is run, over all entries.
func (c *chart) eventsOf(u *unit) []string {
	var out []string
	add := func(e *entry) {
		for _, event := range e.events() {
			if !slices.Contains(out, event) {
				out = append(out, event)
			}
		}
	}
	add(u.entry)
	if u.fixed > 0 {
		return out
	}
	for _, e := range c.entries {
		if e.target == nil {
			continue
		}
		for _, other := range e.target.units {
			if other.file == u.file && other.fixed == 0 {
				add(e)
			}
		}
	}
	return out
}

// refusing reports whether a unit can refuse by its own means.
func (p *Patient) refusing(u *unit) bool {
	f := p.facts(u)
	return len(f.twos) > 0 || slices.ContainsFunc(f.answers, func(a placed) bool { return a.o.refuses() || wrongDecision(a.o) })
}

func wrongDecision(o *object) bool {
	_, flat := o.get("permissionDecision")
	return flat
}

// mayRefuse reports whether an entry is there to refuse: its code says so, or it
// is a program that cannot be read and is called like a guard.
func (e *entry) mayRefuse(p *Patient) bool {
	if e.ours {
		return true
	}
	if e.target == nil {
		return false
	}
	if slices.ContainsFunc(e.target.units, p.refusing) {
		return true
	}
	return slices.ContainsFunc(e.target.launches, func(l *launch) bool { return unreadable(e, l) && guardName(l) })
}

// unreadable reports whether what a launch runs could not be looked into.
func unreadable(e *entry, l *launch) bool {
	for _, u := range e.target.units {
		if u.launch == l {
			return u.prog == nil
		}
	}
	return true
}

func guardName(l *launch) bool {
	name := strings.ToLower(filepath.Base(l.file))
	if l.file == "" {
		name = strings.ToLower(filepath.Base(l.word))
	}
	return slices.ContainsFunc([]string{"guard", "block", "deny", "protect", "policy", "polic", "gate", "safety", "prevent", "firewall"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}
