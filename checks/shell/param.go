package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param expands one $x or ${x…} into the sink.
func (a *analyzer) param(p *syntax.ParamExp, k *sink, quoted bool, st *state, cx ctx) {
	list, isList := a.paramValues(p, quoted, st, cx)
	add := func(s string) {
		if quoted {
			k.add(s)
		} else {
			a.unquoted(k, s)
		}
	}
	if !isList {
		for _, s := range list {
			add(s)
		}
		return
	}
	if !k.split {
		add(strings.Join(list, " "))
		return
	}
	for i, s := range list {
		if i > 0 {
			k.end()
		}
		add(s)
	}
}

// paramValues returns what the expansion yields: one value, or several fields.
func (a *analyzer) paramValues(p *syntax.ParamExp, quoted bool, st *state, cx ctx) ([]string, bool) {
	if p.Param == nil || p.Names != 0 || p.Flags != nil || p.NestedParam != nil {
		if p.NestedParam != nil {
			k := sink{}
			a.parts1([]syntax.WordPart{p.NestedParam}, &k, st, cx)
			return []string{k.cur.String()}, false
		}
		if p.Param == nil || p.Names != 0 {
			return []string{a.unknownVar("", quoted)}, false
		}
	}
	name := p.Param.Value
	list, isList, set := a.baseValues(name, p.Index, quoted, st, cx)
	if p.Excl {
		if len(list) == 1 && !hasPrivate(list[0]) && syntax.ValidName(list[0]) {
			name = list[0]
			list, isList, set = a.baseValues(name, nil, quoted, st, cx)
		} else {
			return []string{a.unknownVar("!"+name, quoted)}, false
		}
	}
	switch {
	case p.Length:
		if isList {
			return []string{strconv.Itoa(len(list))}, false
		}
		if set && len(list) == 1 && !hasPrivate(list[0]) {
			return []string{strconv.Itoa(len(list[0]))}, false
		}
		return []string{a.unknownVar("#"+name, quoted)}, false
	case p.IsSet, p.Width:
		return []string{a.unknownVar("+"+name, quoted)}, false
	case p.Exp != nil:
		return a.paramOp(p, name, list, isList, set, quoted, st, cx)
	case p.Slice != nil:
		return a.slice(p.Slice, name, list, isList, quoted, st, cx)
	case p.Repl != nil:
		return a.replace(p.Repl, name, list, quoted, st, cx), isList
	}
	return list, isList
}

// baseValues reads a parameter without operators. set is false where nothing
// is known about it.
func (a *analyzer) baseValues(name string, index syntax.ArithmExpr, quoted bool, st *state, cx ctx) (list []string, isList, set bool) {
	switch name {
	case "@", "*":
		if name == "*" && quoted {
			return []string{strings.Join(st.args, " ")}, false, true
		}
		return st.args, true, true
	case "#":
		return []string{strconv.Itoa(len(st.args))}, false, true
	case "?", "$", "!", "-", "_":
		return []string{a.unknownVar(name, quoted)}, false, false
	case "0":
		if st.zero != "" {
			return []string{st.zero}, false, true
		}
		return []string{"bash"}, false, true
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n >= 1 && n <= len(st.args) {
			return []string{st.args[n-1]}, false, true
		}
		return nil, false, false
	}
	v, known := a.lookup(st, name)
	if index != nil {
		return a.element(v, index, name, quoted, known, st, cx)
	}
	if v.isList {
		if len(v.list) == 0 {
			return nil, false, true
		}
		return v.list[:1], false, true
	}
	if v.unset {
		if st.vars[name].unset { // the script unset it
			return nil, false, false
		}
		return []string{a.unknownVar(name, quoted)}, false, false
	}
	return v.alts[:1], false, known
}

func (a *analyzer) element(v value, index syntax.ArithmExpr, name string, quoted, known bool, st *state, cx ctx) ([]string, bool, bool) {
	all := v.list
	if !v.isList {
		all = v.alts[:min(1, len(v.alts))]
	}
	w, _ := index.(*syntax.Word)
	if w != nil {
		switch w.Lit() {
		case "@":
			return all, true, known
		case "*":
			if quoted {
				return []string{strings.Join(all, " ")}, false, known
			}
			return all, true, known
		}
		if v, ok := st.vars[name+"["+a.value(w, st, cx)+"]"]; ok && len(v.alts) > 0 {
			return v.alts[:1], false, true
		}
	}
	if n, ok := a.arith(index, st, cx); ok {
		if n < 0 {
			n += int64(len(all))
		}
		if n >= 0 && n < int64(len(all)) {
			return all[n : n+1], false, known
		}
		if known {
			return nil, false, false
		}
	}
	return []string{a.unknownVar(name, quoted)}, false, false
}

func (a *analyzer) paramOp(p *syntax.ParamExp, name string, list []string, isList, set, quoted bool, st *state, cx ctx) ([]string, bool) {
	joined := strings.Join(list, " ")
	word := func() []string {
		if quoted || p.Exp.Word == nil {
			return []string{a.value(p.Exp.Word, st, cx)}
		}
		return a.fields(p.Exp.Word, st, cx)
	}
	switch op := p.Exp.Op; op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if set && (joined != "" || op == syntax.DefaultUnset || op == syntax.AssignUnset) {
			return list, isList
		}
		def := word()
		if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
			a.set(st, name, strings.Join(def, " "))
		}
		return def, len(def) > 1
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		alt := word()
		if set && joined == "" && op == syntax.AlternateUnsetOrNull {
			return nil, false
		}
		return alt, len(alt) > 1
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		a.value(p.Exp.Word, st, cx)
		if !set && len(list) == 1 {
			// The script stops unless the variable has a value.
			return []string{a.mark(Part{Kind: Var, Name: name, Quoted: quoted, Set: true})}, false
		}
		return list, isList
	default: // operators on the text
	}
	arg := ""
	if p.Exp.Word != nil {
		arg = a.value(p.Exp.Word, st, cx)
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, a.textOp(p.Exp.Op, s, arg, name, quoted))
	}
	return out, isList
}

func (a *analyzer) textOp(op syntax.ParExpOperator, s, arg, name string, quoted bool) string {
	if hasPrivate(s) || hasPrivate(arg) {
		return a.unknownVar(name, quoted)
	}
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return trimPattern(s, arg, true, op == syntax.RemLargePrefix)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return trimPattern(s, arg, false, op == syntax.RemLargeSuffix)
	case syntax.UpperAll:
		return strings.ToUpper(s)
	case syntax.LowerAll:
		return strings.ToLower(s)
	case syntax.UpperFirst:
		return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):]
	case syntax.LowerFirst:
		return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):]
	case syntax.OtherParamOps:
		switch arg {
		case "Q":
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		case "E":
			return ansiC(s)
		case "U":
			return strings.ToUpper(s)
		case "L":
			return strings.ToLower(s)
		case "P":
			if strings.ContainsAny(s, "\\$`!") {
				return a.unknownVar(name, quoted)
			}
		case "a", "A":
			return a.unknownVar(name, quoted)
		}
		return s
	default: // of zsh
		return a.unknownVar(name, quoted)
	}
}

func (a *analyzer) slice(sl *syntax.Slice, name string, list []string, isList, quoted bool, st *state, cx ctx) ([]string, bool) {
	off, ok := a.arith(sl.Offset, st, cx)
	length, okLen := int64(1<<30), true
	if sl.Length != nil {
		length, okLen = a.arith(sl.Length, st, cx)
	}
	if !ok || !okLen {
		return []string{a.unknownVar(name, quoted)}, false
	}
	cut := func(n int) (int, int) {
		if name == "@" && off > 0 {
			off--
		}
		from := off
		if from < 0 {
			from = max(from+int64(n), 0)
		}
		from = min(from, int64(n))
		to := min(from+length, int64(n))
		if length < 0 {
			to = max(int64(n)+length, from)
		}
		return int(from), int(to)
	}
	if isList {
		from, to := cut(len(list))
		return list[from:to], true
	}
	var out []string
	for _, s := range list {
		if hasPrivate(s) {
			return []string{a.unknownVar(name, quoted)}, false
		}
		from, to := cut(len(s))
		out = append(out, s[from:to])
	}
	return out, false
}

func (a *analyzer) replace(r *syntax.Replace, name string, list []string, quoted bool, st *state, cx ctx) []string {
	orig, with := a.value(r.Orig, st, cx), ""
	if r.With != nil {
		with = a.value(r.With, st, cx)
	}
	var out []string
	for _, s := range list {
		if hasPrivate(s) || hasPrivate(orig) || len(s) > 4096 {
			out = append(out, a.unknownVar(name, quoted))
			continue
		}
		out = append(out, replaceText(s, orig, with, r.All))
	}
	return out
}
