package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// value is a shell variable. A scalar may have several values when branches
// that may or may not run assign it.
type value struct {
	alts     []string
	list     []string
	isList   bool
	exported bool
	unset    bool
}

// function is a function with the text that its nodes point into.
type function struct {
	body *syntax.Stmt
	src  string
	line int
}

// state is what a shell process knows at one point of a script.
type state struct {
	vars    map[string]value
	funcs   map[string]function
	aliases map[string]string
	args    []string // positional parameters
	zero    string   // $0; empty is the shell itself
	dirs    []string // of pushd, nearest last
	shared  bool     // the maps belong to another state too
	several int      // variables with more than one value
	exports int      // variables that reach the commands
}

// fork returns a copy for a subshell or a branch. The maps are copied when one
// of the two writes.
func (s *state) fork() *state {
	s.shared = true
	c := *s
	c.dirs = slices.Clip(c.dirs)
	return &c
}

func (a *analyzer) own(s *state) {
	if !s.shared {
		return
	}
	a.step(1 + (len(s.vars)+len(s.funcs)+len(s.aliases))/2)
	s.vars, s.funcs, s.aliases = maps.Clone(s.vars), maps.Clone(s.funcs), maps.Clone(s.aliases)
	s.shared = false
}

func (a *analyzer) setValue(s *state, name string, v value) {
	a.own(s)
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	old := s.vars[name]
	v.exported = v.exported || name == "PATH" || name == "HOME" || a.inEnv(name) && name != "PWD" && name != "OLDPWD"
	s.several += b2i(len(v.alts) > 1) - b2i(len(old.alts) > 1)
	s.exports += b2i(v.exported) - b2i(old.exported)
	s.vars[name] = v
}

// set assigns one value and keeps the export mark.
func (a *analyzer) set(s *state, name, val string) {
	if len(val) > maxValue || !a.step(len(val)/128) {
		val = a.unknownVar(name, false)
	}
	a.setValue(s, name, value{alts: []string{val}, exported: s.vars[name].exported})
}

func (a *analyzer) setList(s *state, name string, list []string) {
	a.setValue(s, name, value{list: list, isList: true, exported: s.vars[name].exported})
}

// join merges what two ways through a script leave behind into dst.
func (a *analyzer) join(dst, x, y *state) {
	if len(x.vars) == 0 && len(y.vars) == 0 && len(x.funcs) == len(y.funcs) && len(x.aliases) == len(y.aliases) {
		*dst = *y
		return
	}
	out := x.fork()
	for name, v := range y.vars {
		w, ok := x.vars[name]
		if !ok {
			w = a.initial(name)
		}
		if !sameValue(v, w) {
			a.setValue(out, name, a.either(name, w, v))
		}
	}
	for name, v := range x.vars {
		if _, ok := y.vars[name]; !ok {
			if w := a.initial(name); !sameValue(v, w) {
				a.setValue(out, name, a.either(name, v, w))
			}
		}
	}
	for name, f := range y.funcs {
		if _, ok := out.funcs[name]; !ok {
			a.own(out)
			a.setFunc(out, name, f)
		}
	}
	for name, v := range y.aliases {
		if _, ok := out.aliases[name]; !ok {
			a.setAlias(out, name, v)
		}
	}
	a.step(1 + (len(x.vars)+len(y.vars))/2)
	*dst = *out
}

func (a *analyzer) setFunc(s *state, name string, f function) {
	a.own(s)
	if s.funcs == nil {
		s.funcs = map[string]function{}
	}
	s.funcs[name] = f
}

func (a *analyzer) setAlias(s *state, name, text string) {
	a.own(s)
	if s.aliases == nil {
		s.aliases = map[string]string{}
	}
	s.aliases[name] = text
}

func sameValue(v, w value) bool {
	return v.isList == w.isList && v.unset == w.unset && slices.Equal(v.alts, w.alts) && slices.Equal(v.list, w.list)
}

func (a *analyzer) either(name string, v, w value) value {
	if v.isList && w.isList {
		return value{isList: true, list: append(slices.Clip(v.list), w.list...), exported: v.exported || w.exported}
	}
	alts := slices.Clip(v.alts)
	if v.isList {
		alts = slices.Clip(v.list)
	}
	more := w.alts
	if w.isList {
		more = w.list
	}
	for _, s := range more {
		if !slices.Contains(alts, s) {
			alts = append(alts, s)
		}
	}
	if len(alts) > maxAlts {
		alts = append(alts[:maxAlts-1:maxAlts-1], a.unknownVar(name, false))
	}
	return value{alts: alts, exported: v.exported || w.exported}
}

// initial is what a variable holds before the script assigns it.
func (a *analyzer) initial(name string) value {
	switch name {
	case "HOME":
		if a.env.Home != "" {
			return value{alts: []string{a.env.Home}}
		}
	case "PWD":
		if a.env.Dir != "" {
			return value{alts: []string{a.env.Dir}}
		}
	case "IFS":
		return value{alts: []string{" \t\n"}}
	}
	if a.env.Getenv != nil {
		if v, ok := a.env.Getenv(name); ok && len(v) <= maxValue {
			return value{alts: []string{sanitize(v)}}
		}
	}
	return value{alts: []string{a.unknownVar(name, false)}, unset: true}
}

// lookup returns a variable and whether anything is known about it.
func (a *analyzer) lookup(s *state, name string) (value, bool) {
	if v, ok := s.vars[name]; ok {
		return v, true
	}
	v := a.initial(name)
	return v, !v.unset
}

// get returns the value of a scalar, of a list its first element.
func (a *analyzer) get(s *state, name string) string {
	v, _ := a.lookup(s, name)
	switch {
	case v.isList && len(v.list) > 0:
		return v.list[0]
	case len(v.alts) > 0:
		return v.alts[0]
	default:
		return ""
	}
}

func (a *analyzer) dir(s *state) string { return a.get(s, "PWD") }
