package shell

import (
	"slices"
	"strings"
)

// found is what a find or fd visits, as far as its arguments tell.
type found struct {
	roots   []Word
	pattern string // glob below a root; "" means the root itself too
}

// find reads a find expression: what it deletes, writes and runs.
func (a *analyzer) find(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	args := c.Args
	i := 0
	for i < len(args) && (strings.HasPrefix(args[i].Text, "-H") || args[i].Text == "-L" || args[i].Text == "-P" ||
		args[i].Text == "-E" || args[i].Text == "-X" || args[i].Text == "-x" || args[i].Text == "-s" || args[i].Text == "-d" || strings.HasPrefix(args[i].Text, "-O")) {
		i++
	}
	var f found
	for i < len(args) && !findExpr(args[i].Text) {
		if args[i].Text != "-f" {
			f.roots = append(f.roots, args[i])
		}
		i++
	}
	if len(f.roots) == 0 {
		f.roots = []Word{Lit(".")}
	}
	f.pattern = findPattern(args[i:])
	a.findActions(idx, args[i:], f, st, cx)
	return a.foundOutput(f, idx)
}

func findExpr(s string) bool {
	return len(s) > 1 && s[0] == '-' || s == "(" || s == ")" || s == "!" || s == ","
}

// findPattern is the glob that bounds what an expression visits. Alternatives
// and unknown tests widen it.
func findPattern(expr []Word) string {
	pattern, limited := "", false
	depth := "**"
	for i := 0; i < len(expr); i++ {
		next := ""
		if i+1 < len(expr) {
			next = expr[i+1].Text
		}
		switch expr[i].Text {
		case "-name", "-iname":
			if pattern == "" {
				pattern = next
			} else {
				limited, pattern = true, "*"
			}
			i++
		case "-path", "-ipath", "-wholename", "-regex", "-iregex":
			limited = true
			i++
		case "-o", "-or", "!", "-not", ",":
			if expr[i].Text != "!" && expr[i].Text != "-not" || next == "-name" || next == "-iname" {
				limited, pattern = true, "*"
			}
			if next == "-path" || next == "-name" || next == "-iname" || next == "-wholename" {
				if expr[i].Text == "!" || expr[i].Text == "-not" {
					i += 2
				}
			}
		case "-maxdepth":
			if next == "0" {
				return ""
			}
			if next == "1" {
				depth = ""
			}
			i++
		case "-mindepth":
			limited = limited || next != "0"
			i++
		case "-type", "-mtime", "-mmin", "-atime", "-ctime", "-cmin", "-amin", "-newer", "-size", "-user", "-group", "-perm", "-empty", "-links", "-inum":
			limited = limited || expr[i].Text != "-type" || !strings.Contains(next, "d")
		case "-exec", "-execdir", "-ok", "-okdir":
			for i++; i < len(expr) && expr[i].Text != ";" && expr[i].Text != "+"; i++ {
			}
		}
	}
	switch {
	case pattern == "" && !limited:
		return ""
	case pattern == "":
		pattern = "*"
	}
	if depth == "" {
		return pattern
	}
	if pattern == "*" {
		return "**"
	}
	return "**/" + pattern
}

func (a *analyzer) findActions(idx int, expr []Word, f found, st *state, cx ctx) {
	cx.nofunc = true
	for i := 0; i < len(expr); i++ {
		switch name := expr[i].Text; name {
		case "-delete":
			for _, w := range a.foundWords(f, idx) {
				a.effect(Effect{Op: Delete, Path: a.pathWord(st, w), Recursive: true, Force: true, Command: idx})
			}
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(expr) {
				i++
				a.effect(Effect{Op: Write, Path: a.pathWord(st, expr[i]), Command: idx})
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			from := i + 1
			for i++; i < len(expr) && expr[i].Text != ";" && (expr[i].Text != "+" || expr[i-1].Text != "{}"); i++ {
			}
			words := expr[from:min(i, len(expr))]
			if len(words) == 0 {
				continue
			}
			for _, w := range a.foundWords(f, idx) {
				if !a.step(1) {
					break
				}
				in := st
				if strings.HasSuffix(name, "dir") {
					in = st.fork()
					a.set(in, "PWD", a.path(a.dir(st), a.intern(w)))
				}
				cx.stdin = stdin{}
				a.inner(idx, "find "+name, a.substitute(words, "{}", w), in, cx)
			}
		}
	}
}

// foundWords are the words that stand for what find visits, one for each root.
func (a *analyzer) foundWords(f found, idx int) []Word {
	out := make([]Word, 0, len(f.roots))
	for _, r := range f.roots {
		if f.pattern == "" {
			w := r
			w.Parts = append([]Part(nil), r.Parts...)
			for i := range w.Parts {
				w.Parts[i].From = []int{idx}
			}
			out = append(out, w)
			continue
		}
		s := strings.TrimSuffix(a.intern(r), "/") + "/" + a.mark(Part{Kind: Glob, Text: f.pattern, From: []int{idx}})
		out = append(out, a.word(s, r.Raw))
	}
	return out
}

// foundOutput is the list that find prints, as patterns.
func (a *analyzer) foundOutput(f found, idx int) output {
	var b strings.Builder
	for _, w := range a.foundWords(f, idx) {
		b.WriteString(a.intern(w))
		b.WriteByte('\n')
	}
	return output{text: b.String(), known: true, approx: true, from: []int{idx}}
}

// fd reads fd's arguments the same way.
func (a *analyzer) fd(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	args := c.Args
	var run []Word
	for i, w := range args {
		if t := w.Text; t == "-x" || t == "-X" || t == "--exec" || t == "--exec-batch" {
			run, args = args[i+1:], args[:i]
			break
		}
	}
	o := Options(args, OptSpec{
		Short: "HIusgFaLp0lid:e:t:E:S:c:j:C:qVhx:X:o:",
		Long:  "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= exclude= prune type= extension= size= changed-within= changed-before= owner= format= batch-size= ignore-file= color= threads= max-results= quiet base-directory= path-separator= search-path= strip-cwd-prefix",
	})
	f := found{roots: o.Values("search-path", "base-directory", "C")}
	rest := o.Rest
	if len(rest) > 0 {
		p := rest[0].Text
		rest = rest[1:]
		switch {
		case p == "." || p == "" || p == ".*":
			f.pattern = "**"
		case o.Has("g", "glob"):
			f.pattern = "**/" + p
		default:
			f.pattern = "**/*" + p + "*"
		}
	} else {
		f.pattern = "**"
	}
	if e, ok := o.Value("e", "extension"); ok {
		f.pattern = "**/*." + e.Text
	}
	f.roots = append(f.roots, rest...)
	if len(f.roots) == 0 {
		f.roots = []Word{Lit(".")}
	}
	if len(run) > 0 {
		cx.nofunc = true
		cx.stdin = stdin{}
		marked := false
		for _, w := range run {
			marked = marked || strings.Contains(w.Text, "{")
		}
		for _, w := range a.foundWords(f, idx) {
			words := slices.Concat(run, []Word{w})
			if marked {
				words = a.substitute(a.substitute(run, "{}", w), "{/}", w)
			}
			a.inner(idx, "fd -x", words, st, cx)
		}
	}
	return a.foundOutput(f, idx)
}
