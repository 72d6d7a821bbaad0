package shell

import (
	"slices"
	"strings"
)

// OptSpec tells how a program reads its options.
type OptSpec struct {
	// Short lists the short options as getopt does: "ab:c::" is -a, -b VALUE
	// and -c with a value only when it is attached.
	Short string
	// Long lists the long options, separated by blanks: "force" takes no value,
	// "user=" takes one, "color=?" one only after an equals sign. A unique prefix
	// is enough on the command line.
	Long string
	// Stop ends the options at the first operand, as wrappers do.
	Stop bool
	// Single lets long options have one dash, as in -help.
	Single bool
	// Plus lets short options also start with a plus sign.
	Plus bool
}

// Opt is one option of a command line.
type Opt struct {
	Name  string // without dashes; a long one in full, also where it was abbreviated
	Value Word   // Zero when there is none
	Index int    // of the word in the arguments that were read
	Known bool   // the spec lists it
}

// Opts is a command line after its options were read.
type Opts struct {
	List []Opt
	Rest []Word // the operands
	At   []int  // index of each operand in the arguments that were read
	// DashDash is the number of operands that stood before "--", -1 without one.
	DashDash int
}

// Has tells whether one of the names, short or long, was given.
func (o Opts) Has(names ...string) bool {
	_, ok := o.find(names)
	return ok
}

// Value returns the value of the last of the named options.
func (o Opts) Value(names ...string) (Word, bool) {
	opt, ok := o.find(names)
	return opt.Value, ok && !opt.Value.Zero()
}

// Values returns the values of all of the named options in order.
func (o Opts) Values(names ...string) []Word {
	var out []Word
	for _, opt := range o.List {
		for _, n := range names {
			if opt.Name == n && !opt.Value.Zero() {
				out = append(out, opt.Value)
			}
		}
	}
	return out
}

func (o Opts) find(names []string) (Opt, bool) {
	for _, opt := range slices.Backward(o.List) {
		if slices.Contains(names, opt.Name) {
			return opt, true
		}
	}
	return Opt{}, false
}

// Options reads args as getopt would. An option that the spec does not list is
// taken without a value and has Known false; a word that starts with something
// unknown is an operand.
func Options(args []Word, spec OptSpec) Opts {
	o := Opts{DashDash: -1}
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		switch {
		case t == "--":
			o.DashDash = len(o.Rest)
			for j := i + 1; j < len(args); j++ {
				o.operand(args[j], j)
			}
			return o
		case len(t) > 2 && strings.HasPrefix(t, "--"):
			i = o.long(args, i, t[2:], spec)
		case len(t) > 1 && t[0] == '-':
			if spec.Single && o.single(args, &i, spec) {
				continue
			}
			i = o.short(args, i, spec)
		case spec.Plus && len(t) > 1 && t[0] == '+':
			i = o.short(args, i, spec)
		case spec.Stop:
			for j := i; j < len(args); j++ {
				o.operand(args[j], j)
			}
			return o
		default:
			o.operand(w, i)
		}
	}
	return o
}

func (o *Opts) operand(w Word, i int) {
	o.Rest = append(o.Rest, w)
	o.At = append(o.At, i)
}

func (o *Opts) single(args []Word, i *int, spec OptSpec) bool {
	name, _, _ := strings.Cut(args[*i].Text[1:], "=")
	if len(name) < 2 {
		return false
	}
	if _, _, ok := spec.lookup(name); !ok {
		return false
	}
	*i = o.long(args, *i, args[*i].Text[1:], spec)
	return true
}

func (o *Opts) long(args []Word, i int, body string, spec OptSpec) int {
	name, _, attached := strings.Cut(body, "=")
	full, arg, ok := spec.lookup(name)
	opt := Opt{Name: full, Index: i, Known: ok}
	if !ok {
		opt.Name = name
	}
	switch {
	case attached:
		opt.Value = args[i].CutPrefix(len(args[i].Text) - len(body) + len(name) + 1)
	case arg == needed && i+1 < len(args):
		i++
		opt.Value = args[i]
	}
	o.List = append(o.List, opt)
	return i
}

func (o *Opts) short(args []Word, i int, spec OptSpec) int {
	w := args[i]
	for at := 1; at < len(w.Text); {
		r := []rune(w.Text[at:min(at+4, len(w.Text))])[0]
		if r == Unknown {
			return i
		}
		size := len(string(r))
		arg, ok := spec.shortArg(r)
		opt := Opt{Name: string(r), Index: i, Known: ok}
		at += size
		if arg != none {
			if at < len(w.Text) {
				opt.Value = w.CutPrefix(at)
				at = len(w.Text)
			} else if arg == needed && i+1 < len(args) {
				i++
				opt.Value = args[i]
			}
		}
		o.List = append(o.List, opt)
	}
	return i
}

type optArg int

const (
	none optArg = iota
	needed
	optional
)

func (s OptSpec) shortArg(r rune) (optArg, bool) {
	i := strings.IndexRune(s.Short, r)
	if i < 0 || r == ':' {
		return none, false
	}
	rest := s.Short[i+len(string(r)):]
	switch {
	case strings.HasPrefix(rest, "::"):
		return optional, true
	case strings.HasPrefix(rest, ":"):
		return needed, true
	default:
		return none, true
	}
}

// lookup finds a long option by its name or by a prefix that only one has.
func (s OptSpec) lookup(name string) (full string, arg optArg, ok bool) {
	found, several := "", false
	for rest := s.Long; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, " ")
		bare := strings.TrimRight(one, "=?")
		if bare == name {
			return bare, argOf(one), true
		}
		if name != "" && strings.HasPrefix(bare, name) {
			several = several || found != ""
			found = one
		}
	}
	if found == "" || several {
		return "", none, false
	}
	return strings.TrimRight(found, "=?"), argOf(found), true
}

func argOf(one string) optArg {
	switch {
	case strings.HasSuffix(one, "=?"):
		return optional
	case strings.HasSuffix(one, "="):
		return needed
	default:
		return none
	}
}
