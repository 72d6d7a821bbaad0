package evidence

import (
	"slices"
	"strings"
)

// option is one option of a command line, by the name that runner writes.
type option struct {
	name, value string
	valued      bool
}

// line is a command's arguments as its runner reads them.
type line struct {
	options  []option
	operands []string
	behind   []string // the words behind "--"
}

// read splits arguments into options and operands. Short options may be joined,
// and a value may be joined to its option or be the next word.
func (r *runner) read(args []string) line {
	var l line
	add := func(name, value string, valued bool) {
		l.options = append(l.options, option{name, value, valued})
	}
	// next is the value that stands in the word behind i, if the option takes one.
	next := func(i int, name string) (string, bool) {
		if i+1 >= len(args) || args[i+1] == "--" {
			return "", false
		}
		takes := hasWord(r.value, name) || hasWord(r.at, name) || r.defines(name)
		return args[i+1], takes || r.unknown(name) && (r.sub == "" || len(l.operands) > 0) && r.likelyValue(args[i+1])
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		if w == "--" {
			l.behind = args[i+1:]
			break
		}
		if len(w) < 2 || w[0] != '-' {
			if r.isSwitch(w) {
				add(w, "", false)
				continue
			}
			l.operands = append(l.operands, w)
			continue
		}
		name, value, attached := strings.Cut(w, "=")
		if r.single {
			name = "-" + strings.TrimPrefix(strings.TrimLeft(name, "-"), "test.")
		}
		property := len(name) > 2 && (name[:2] == "-D" || name[:2] == "-P") && !strings.HasPrefix(name, "--")
		switch {
		case attached, property, !r.joined(name):
			if !attached && !property {
				if v, ok := next(i, name); ok {
					value, attached = v, true
					i++
				}
			}
			if r.defines(name) {
				name, value, attached = strings.Cut("-D"+value, "=")
			}
			add(name, value, attached)
		default:
			for k := 1; k < len(w) && isLetter(w[k]); k++ {
				short := "-" + w[k:k+1]
				if hasWord(r.value, short) || hasWord(r.at, short) {
					v, ok := w[k+1:], true
					if v == "" {
						if v, ok = next(i, short); ok {
							i++
						}
					}
					add(short, v, ok)
					break
				}
				add(short, "", false)
			}
		}
	}
	return l
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// defines tells the options that set a property: "-D NAME=VALUE".
func (r *runner) defines(name string) bool {
	return hasWord("-D -define --define --system-prop --project-prop", name) && !lists(r.idle, name)
}

// joined tells several short options in one word, or one with its value.
func (r *runner) joined(name string) bool {
	if r.single || strings.HasPrefix(name, "--") || len(name) < 3 || strings.Contains(name, ":") {
		return false
	}
	for _, list := range [...]string{r.value, r.idle, r.part, r.loose, r.watch, r.at, r.with, r.untested} {
		if lists(list, name) {
			return false
		}
	}
	return true
}

// lists tells whether a list has an entry for the option.
func lists(list, name string) bool {
	for list != "" {
		var entry string
		entry, list, _ = strings.Cut(list, " ")
		if option, _, _ := strings.Cut(entry, "="); option == name {
			return true
		}
	}
	return false
}

// unknown tells a long option that no list of the runner has.
func (r *runner) unknown(name string) bool {
	if r.task || !strings.HasPrefix(name, "--") {
		return false
	}
	for _, list := range [...]string{r.idle, r.part, r.loose, r.watch, r.with} {
		if lists(list, name) {
			return false
		}
	}
	return true
}

// likelyValue tells a word that looks like the value of the option before it and
// not like a target of its own.
func (r *runner) likelyValue(w string) bool {
	return w != "" && w[0] != '-' && !strings.ContainsAny(w, "/*") && !strings.Contains(w, "::") && strings.LastIndexByte(w, '.') <= 0 &&
		!hasWord(r.wide, w) && !hasWord(r.idle, w) && !hasWord(r.watch, w)
}

// isSwitch tells an option with a slash: "/ListTests", "/p:Configuration=Release".
func (r *runner) isSwitch(w string) bool {
	return strings.HasPrefix(w, "/") && (hasWord(r.idle, w) || hasWord(r.programs, "dotnet") && strings.Contains(w, ":"))
}

// idles tells that the arguments make the runner verify nothing.
func (r *runner) idles(l line) bool {
	if r.kind != Compare && r.given(l, "-h help") || r.given(l, "--help --version") || r.given(l, r.idle) {
		return true
	}
	return r.behind != "" && len(l.behind) > 0 && r.inner().given(r.inner().read(l.behind), r.behind)
}

// inner is the row that reads the words behind "--".
func (r *runner) inner() *runner {
	if r.hands != "" {
		return rowNamed(r.hands)
	}
	return r
}

// given tells whether one of the entries of a list stands on the line.
func (r *runner) given(l line, list string) bool {
	for list != "" {
		var entry string
		entry, list, _ = strings.Cut(list, " ")
		if entry != "" && r.has(l, entry) {
			return true
		}
	}
	return false
}

func (r *runner) has(l line, entry string) bool {
	name, values, only := strings.Cut(entry, "=")
	if name[0] != '-' && name[0] != '/' {
		i := 0
		if r.sub != "" && len(l.operands) > 0 && hasWord(r.sub, l.operands[0]) {
			i = 1
		}
		return i < len(l.operands) && l.operands[i] == name
	}
	if r.single && strings.HasPrefix(name, "--") {
		name = name[1:]
	}
	return slices.ContainsFunc(l.options, func(o option) bool {
		if o.name != name && !(r.abbrev && len(o.name) > 4 && strings.HasPrefix(name, o.name)) {
			return false
		}
		if only {
			return o.valued && isValue(values, o.value)
		}
		return !o.valued || !hasWord("false 0 no off never none", strings.ToLower(o.value)) || hasWord(r.value, name)
	})
}

// isValue tells whether a value is one of a list "a|b", or of a class.
func isValue(list, value string) bool {
	for list != "" {
		var one string
		one, list, _ = strings.Cut(list, "|")
		switch one {
		case "%none":
			if hasWord("^$ $^ a^ $. (?!) NONE none ^NONE$ XXX xxx ^XXX$ ^xxx$ NoTests none() ^none$", strings.Trim(value, `"'/`)) {
				return true
			}
		case "%all":
			if hasWord(". .* ^ ^.* ^.*$ .+ Test ^Test Test.*", strings.Trim(value, `"'/`)) {
				return true
			}
		case "%noop":
			if isNoop(value) {
				return true
			}
		case value:
			return true
		}
	}
	return false
}

// isNoop tells a program that does nothing with the command that it is given.
func isNoop(command string) bool {
	name, _, _ := strings.Cut(command, " ")
	return hasWord("true : echo printf cat ls", baseName(name))
}

// narrow tells whether the arguments pick a part out.
func (r *runner) narrow(l line) bool {
	in := r.inner()
	behind := line{}
	if r.behind != "" {
		behind = in.read(l.behind)
	}
	if r.given(l, r.part) || in.given(behind, in.part) {
		return true
	}
	operands := l.operands
	if r.sub != "" && len(operands) > 0 && hasWord(r.sub, operands[0]) {
		operands = operands[1:]
	}
	if r.then != "" && len(operands) > 0 {
		operands = operands[1:]
	}
	if r.local && len(operands) == 0 {
		return true
	}
	for i, a := range operands {
		switch {
		case hasWord(r.wide, a), strings.HasPrefix(a, "$"), strings.HasPrefix(a, "`"), strings.Contains(a, "./..."):
		case strings.HasPrefix(a, "+"), strings.HasSuffix(a, ".sln"), strings.HasSuffix(a, ".slnx"):
		case i == 0 && r.then != "" && hasWord(r.then, a):
		case isNumber(a), isAssignment(a):
		default:
			return true
		}
	}
	return !hasWord(r.programs, "dotnet") && slices.ContainsFunc(behind.operands, func(a string) bool { return !hasWord(in.wide, a) && !isNumber(a) })
}

// isNumber tells a number or a duration: most likely the value of an option.
func isNumber(a string) bool { return a != "" && strings.Trim(a, "0123456789ms.%") == "" }

// folder is the folder that the arguments name.
func (r *runner) folder(l line) string {
	dir := here
	for _, o := range l.options {
		if o.valued && hasWord(r.at, o.name) {
			dir = joinFolder(dir, o.value)
		}
	}
	return dir
}

func hasWord(list, w string) bool {
	if w == "" {
		return false
	}
	for list != "" {
		var item string
		item, list, _ = strings.Cut(list, " ")
		if item == w {
			return true
		}
	}
	return false
}

func hasAny(args []string, list string) bool {
	return list != "" && slices.ContainsFunc(args, func(a string) bool { return hasWord(list, a) })
}

// subcommand is the first word that is no option.
func subcommand(args []string) (string, []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") {
			return a, args[i+1:]
		}
	}
	return "", args
}
