package shell

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Values are Go strings inside the analyzer. What is not known in them is one
// rune from a private plane that points into analyzer.parts, so that a value
// can be cut, joined, quoted and parsed again as a nested script without losing
// what its unknown pieces are.
const (
	privateFirst = 0xF0000
	privateLast  = 0xFFFFD
	privateByte  = 0xF3 // first byte of each such rune in UTF-8
)

// analyzer carries one analysis.
type analyzer struct {
	env    Env
	out    Script
	parts  []Part
	steps  int
	bytes  int
	files  map[string]output // what a process substitution or a file written here holds
	reads  []string          // files entered through Env.ReadFile
	mounts []mount           // folders of this machine in the containers being followed
	links  []Effect          // symbolic links that the script made
}

// mount is a folder of this machine as a container sees it.
type mount struct {
	host, inside string
	command      int // that starts the container
}

// step charges n units of work and tells whether any is left.
func (a *analyzer) step(n int) bool {
	a.steps += n
	if a.steps > maxSteps {
		a.truncate("steps")
	}
	return a.out.Truncated == ""
}

func (a *analyzer) truncate(why string) {
	if a.out.Truncated == "" {
		a.out.Truncated = why
	}
}

// mark returns the rune that stands for a part that is not known.
func (a *analyzer) mark(p Part) string {
	p.Name, p.Text = a.plain(p.Name), a.plain(p.Text)
	for i := max(0, len(a.parts)-32); i < len(a.parts); i++ {
		q := a.parts[i]
		if q.Kind == p.Kind && q.Name == p.Name && q.Text == p.Text && q.Quoted == p.Quoted && q.Set == p.Set && slices.Equal(q.From, p.From) {
			return string(rune(privateFirst + i))
		}
	}
	if len(a.parts) > privateLast-privateFirst {
		return string(rune(privateFirst))
	}
	a.parts = append(a.parts, p)
	return string(rune(privateFirst + len(a.parts) - 1))
}

func (a *analyzer) unknownVar(name string, quoted bool) string {
	return a.mark(Part{Kind: Var, Name: name, Quoted: quoted})
}

func (a *analyzer) unknownOutput(from []int, quoted bool) string {
	return a.mark(Part{Kind: Output, From: from, Quoted: quoted})
}

func (a *analyzer) glob(pattern string) string {
	return a.mark(Part{Kind: Glob, Text: pattern})
}

func isPrivate(r rune) bool { return r >= privateFirst && r <= privateLast }

func hasPrivate(s string) bool {
	return strings.IndexByte(s, privateByte) >= 0 && strings.ContainsFunc(s, isPrivate)
}

// opaque tells whether something unknown other than a glob stands in s.
func (a *analyzer) opaque(s string) bool {
	if strings.IndexByte(s, privateByte) < 0 {
		return false
	}
	for _, r := range s {
		if isPrivate(r) && a.part(r).Kind != Glob {
			return true
		}
	}
	return false
}

func (a *analyzer) part(r rune) Part {
	if i := int(r) - privateFirst; i >= 0 && i < len(a.parts) {
		return a.parts[i]
	}
	return Part{Kind: Var}
}

// word turns an inner value into what callers see.
func (a *analyzer) word(s, raw string) Word {
	if strings.IndexByte(s, privateByte) < 0 {
		return Word{Text: s, Parts: []Part{{Text: s, Quoted: quotedRaw(raw)}}, Raw: a.plain(raw)}
	}
	a.step(len(s) / 64)
	w := Word{Raw: a.plain(raw)}
	var text strings.Builder
	from := 0
	flush := func(to int) {
		if to > from {
			w.Parts = append(w.Parts, Part{Text: s[from:to]})
			text.WriteString(s[from:to])
		}
	}
	for i, r := range s {
		if !isPrivate(r) {
			continue
		}
		flush(i)
		from = i + utf8.RuneLen(r)
		p := a.part(r)
		if p.Kind == Glob {
			text.WriteString(p.Text)
		} else {
			text.WriteRune(Unknown)
		}
		w.Parts = append(w.Parts, p)
	}
	flush(len(s))
	w.Text = text.String()
	return w
}

func quotedRaw(raw string) bool {
	return len(raw) > 1 && (raw[0] == '\'' || raw[0] == '"') && raw[len(raw)-1] == raw[0]
}

// intern is the inverse of word.
func (a *analyzer) intern(w Word) string {
	if w.Known() {
		return w.Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind == Literal {
			b.WriteString(p.Text)
		} else {
			b.WriteString(a.mark(p))
		}
	}
	return b.String()
}

// plain replaces private runes by a readable text, for Raw.
func (a *analyzer) plain(s string) string {
	if strings.IndexByte(s, privateByte) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch p := a.part(r); {
		case !isPrivate(r):
			b.WriteRune(r)
		case p.Kind == Glob:
			b.WriteString(p.Text)
		case p.Name != "":
			b.WriteString("$" + p.Name)
		default:
			b.WriteRune(Unknown)
		}
	}
	return b.String()
}

// sanitize removes from a source what has a meaning only inside the analyzer,
// and NUL bytes, which shells drop too.
func sanitize(src string) string {
	if strings.IndexByte(src, 0) >= 0 {
		src = strings.ReplaceAll(src, "\x00", "")
	}
	if !utf8.ValidString(src) {
		src = strings.ToValidUTF8(src, "\uFFFD")
	}
	if strings.IndexByte(src, privateByte) < 0 && !strings.ContainsRune(src, Unknown) {
		return src
	}
	return strings.Map(func(r rune) rune {
		if isPrivate(r) || r == Unknown {
			return utf8.RuneError
		}
		return r
	}, src)
}

// emit reserves the next command; fill it by index, because nested commands
// may be appended meanwhile.
func (a *analyzer) emit(c Command) (int, bool) {
	if len(a.out.Commands) >= maxCommands {
		a.truncate("commands")
		return 0, false
	}
	a.out.Commands = append(a.out.Commands, c)
	return len(a.out.Commands) - 1, true
}

func (a *analyzer) cmd(i int) *Command { return &a.out.Commands[i] }

// effect records a file effect, and a second one where the path leads through a
// link that the script itself made.
func (a *analyzer) effect(e Effect) {
	if e.Op == Link && e.Content.Known() && e.Content.Text != "" && len(a.links) < 50 {
		a.links = append(a.links, e)
	}
	for _, m := range a.mounts {
		if rest, ok := strings.CutPrefix(e.Path.Text, m.inside); ok && (rest == "" || rest[0] == '/' || m.inside == "/") {
			here := e
			here.Command = m.command
			here.Path = a.word(a.path("/", m.host+"/"+strings.TrimPrefix(a.intern(e.Path), m.inside)), e.Path.Raw)
			a.effect1(here)
		}
	}
	for _, l := range a.links {
		rest, ok := strings.CutPrefix(e.Path.Text, l.Path.Text)
		if !ok || e.Op == Link || rest != "" && rest[0] != '/' || rest == "" && !e.Slash && (e.Op == Delete || e.Op == Move) {
			continue
		}
		folder := l.Path.Text[:strings.LastIndexByte(l.Path.Text, '/')+1]
		through := e
		through.Path = a.word(a.path(folder, l.Content.Text+rest), e.Path.Raw)
		a.effect1(through)
	}
	a.effect1(e)
}

func (a *analyzer) effect1(e Effect) {
	switch e.Op {
	case Write, Append, Modify, Truncate:
		// What was known of the file is only a guess from here on.
		if out, ok := a.files[e.Path.Text]; ok {
			out.approx = true
			a.files[e.Path.Text] = out
		}
	default:
	}
	if len(a.out.Effects) >= 2*maxCommands {
		a.truncate("commands")
		return
	}
	a.out.Effects = append(a.out.Effects, e)
}

// since lists the commands added from index i on that run side by side with
// their caller, not inside another command of the same range.
func (a *analyzer) since(i int) []int {
	list := make([]int, 0, min(max(len(a.out.Commands)-i, 0), 32))
	for j := len(a.out.Commands) - 1; j >= i && len(list) < 32; j-- {
		list = append(list, j)
	}
	return list
}

// ctx is what surrounds a command; it is passed by value.
type ctx struct {
	src    string // the text that the syntax nodes point into
	line   int    // of the carrier when src is a nested script; 0 at the top
	via    []string
	parent int
	depth  int
	cond   bool
	bg     bool
	stdin  stdin
	env    []Assign // assignments that wrappers and prefixes hand down
	calls  []string // functions and aliases being expanded
	world  bool     // another machine or container: files here say nothing about it
	loop   bool     // inside a while loop, whose rounds are not all followed
	nofunc bool     // command, builtin, exec, sudo …: no function or alias is looked up
}

func (c ctx) carry(via string, parent int) ctx {
	c.via = append(slices.Clip(c.via), via)
	c.parent = parent
	c.depth++
	return c
}

// stdin is Input before its values are turned into words.
type stdin struct {
	text   string
	known  bool
	approx bool // text is what may arrive at most: a filter stands between
	from   []int
	file   string
}

// output is what a statement writes to its standard output.
type output struct {
	text   string
	known  bool
	approx bool
	from   []int
}

func (o output) stdin() stdin {
	return stdin{text: o.text, known: o.known, approx: o.approx, from: o.from}
}
