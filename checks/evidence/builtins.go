package evidence

import (
	"slices"
	"strings"
)

// builtin reads what the shell's own commands change: options, folder, variables,
// the ways out. good and bad are those of the step at i.
func (p *flowParser) builtin(toks []token, words []string, i int, at, good, bad way) (way, way) {
	name, args := words[0], words[1:]
	switch name {
	case "true", ":", "echo", "printf":
		bad = deadEnd
	case "false":
		good = deadEnd
	case "exit", "return":
		p.leave(name, args, good)
		return deadEnd, deadEnd
	case "break", "continue":
		if p.breaks != nil {
			*p.breaks = meet(*p.breaks, good)
			return deadEnd, deadEnd
		}
	case "[", "[[", "test":
		good, bad = p.asked(args, good, bad)
	case "set", "shopt":
		if p.options(name, args); p.shell.noexec {
			p.exits.good = meet(p.exits.good, good)
			return deadEnd, deadEnd
		}
	case "trap":
		p.trap(args, at)
	case "cd", "pushd":
		p.chdir(args)
	case "popd":
		p.shell.dir = first(p.shell.previous, unknownDir)
	case "export", "declare", "typeset", "local", "readonly":
		exports := name == "export" || slices.Contains(args, "-x")
		var list []assignment
		for _, t := range toks[min(1, len(toks)):] {
			if !strings.HasPrefix(t.text, "-") {
				list = append(list, p.assignment(t))
			}
		}
		p.assign(list, exports, span{})
		bad = deadEnd
	case "unset", "read":
		for _, a := range args {
			delete(p.shell.vars, a)
		}
	case "alias":
		for _, a := range args {
			if name, text, ok := strings.Cut(a, "="); ok {
				p.setFunction(name, append(tokenize(text), token{text: "$@", live: true}))
			}
		}
	case "wait":
		p.each(span{0, i}, func(st *step) { st.background = false })
	}
	p.shows(toks)
	return good, bad
}

// shows marks the steps whose status or output a command prints.
func (p *flowParser) shows(toks []token) {
	if len(toks) == 0 || hasWord("[ [[ test exit return", toks[0].text) {
		return
	}
	for _, t := range toks {
		if !t.live {
			continue
		}
		if st, ok := p.statusIn(t.text); ok {
			joint := p.joint(st)
			p.eachIn(st, func(st *step) { st.status, st.joint = true, joint })
		}
		for name, s := range p.captured {
			if strings.Contains(t.text, "$"+name) || strings.Contains(t.text, "${"+name) {
				p.each(s, func(st *step) { st.quiet = false })
			}
		}
	}
}

// leave notes the way out by exit or return, whose status may hand on another's.
func (p *flowParser) leave(name string, args []string, at way) {
	if at.dead {
		return
	}
	to := p.exits
	if name == "return" && p.returns != nil {
		to = p.returns
	}
	good, bad := at, at
	switch {
	case len(args) == 0:
		good.done = at.done.or(p.status)
	case strings.Trim(args[0], "0") == "":
		bad = deadEnd
	case strings.Trim(args[0], "0123456789") == "":
		good = deadEnd
	default:
		if st, ok := p.statusIn(args[0]); ok {
			good.done = at.done.or(st)
		}
	}
	to.good, to.bad = meet(to.good, good), meet(to.bad, bad)
}

// asked reads a test of an exit status: "[ $? -eq 0 ]".
func (p *flowParser) asked(args []string, good, bad way) (way, way) {
	for i, a := range args {
		st, ok := p.statusIn(a)
		if !ok || i+2 >= len(args) || args[i+2] != "0" {
			continue
		}
		switch args[i+1] {
		case "-eq", "=", "==":
			good.done = good.done.or(st)
		case "-ne", "!=", "-gt":
			bad.done = bad.done.or(st)
		}
	}
	return good, bad
}

// options reads set -e, set -o pipefail and their opposites.
func (p *flowParser) options(name string, args []string) {
	set := func(long string, on bool) {
		switch long {
		case "errexit":
			p.shell.errexit = on
		case "pipefail":
			p.shell.pipefail = on
		case "noexec":
			p.shell.noexec = on
		}
	}
	for i, a := range args {
		if len(a) < 2 || a[0] != '-' && a[0] != '+' || a == "--" {
			continue
		}
		on := a[0] == '-'
		if name == "shopt" {
			on = strings.Contains(a, "s")
		} else {
			if strings.Contains(a, "e") {
				set("errexit", on)
			}
			if strings.Contains(a, "n") {
				set("noexec", on)
			}
		}
		if strings.Contains(a, "o") && i+1 < len(args) {
			set(args[i+1], on)
		}
	}
}

// trap reads what is run when the shell ends, whatever passed before: its exit
// makes the status of the text worthless.
func (p *flowParser) trap(args []string, at way) {
	if len(args) < 2 || args[0] == "" || args[0] == "-" {
		return
	}
	p.trapped = p.trapped || strings.Contains(args[0], "exit")
	p.unsure++
	p.nested(args[0], carried{inherits: true}, at)
	p.unsure--
}
