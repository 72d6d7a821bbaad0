package shell

import (
	"slices"
	"strings"
)

// imports notes the names that modules and functions are given: import x as y,
// from x import y as z, const {y: z} = require("x").
func (p *interp) imports() {
	t := p.toks
	for i := 0; i+2 < len(t); i++ {
		if t[i].kind != tokIdent {
			continue
		}
		switch {
		case t[i+1].kind == tokIdent && t[i+1].text == "as" && t[i+2].kind == tokIdent:
			name := t[i].text
			for j := i; j >= 2 && t[j-1].text == "." && t[j-2].kind == tokIdent; j -= 2 {
				name = t[j-2].text + "." + name
			}
			p.alias[t[i+2].text] = p.imported(i, name)
		case t[i].text == "from" && p.lang == "py" && t[i+1].kind == tokIdent:
			p.fromImport(i)
		case t[i].text == "require" && t[i+1].text == "(" && t[i+2].kind == tokStr:
			p.destructure(i-1, module(t[i+2].text))
		case t[i].text == "from" && p.lang == "js" && t[i+1].kind == tokStr:
			p.destructure(i, module(t[i+1].text))
			if i > 0 && t[i-1].kind == tokIdent {
				p.alias[t[i-1].text] = module(t[i+1].text)
			}
		}
	}
}

func module(s string) string {
	s = strings.TrimPrefix(s, "node:")
	switch s {
	case "fs/promises", "fs-extra", "graceful-fs":
		return "fs"
	}
	return s
}

// imported qualifies a name that stands in a from-import.
func (p *interp) imported(i int, name string) string {
	for j := i; j >= 2 && j > i-40; j-- {
		if p.toks[j].kind == tokLine {
			break
		}
		if p.toks[j].kind == tokIdent && p.toks[j].text == "from" && p.lang == "py" {
			return p.toks[j+1].text + "." + name
		}
	}
	if p.lang == "js" {
		for j := i; j+1 < len(p.toks) && j < i+40; j++ {
			if p.toks[j].text == "from" && p.toks[j+1].kind == tokStr {
				if name == "*" {
					return module(p.toks[j+1].text)
				}
				return module(p.toks[j+1].text) + "." + name
			}
		}
	}
	return name
}

func (p *interp) fromImport(i int) {
	t := p.toks
	j := i + 1
	var mod strings.Builder
	for ; j < len(t) && t[j].text != "import" && t[j].kind != tokLine; j++ {
		mod.WriteString(t[j].text)
	}
	for j++; j < len(t) && t[j].kind != tokLine && t[j].text != ";"; j++ {
		if t[j].kind == tokIdent && t[j].text != "as" && (j+1 >= len(t) || t[j+1].text != "as") && t[j-1].text != "as" {
			p.alias[t[j].text] = mod.String() + "." + t[j].text
		}
	}
}

// destructure reads the names in braces before position i.
func (p *interp) destructure(i int, mod string) {
	t := p.toks
	j := i
	for j >= 0 && j > i-4 && t[j].text != "}" {
		j--
	}
	if j < 0 || t[j].text != "}" {
		return
	}
	for k := j - 1; k >= 0 && t[k].text != "{" && k > j-80; k-- {
		if t[k].kind != tokIdent || t[k].text == "as" {
			continue
		}
		name := t[k].text
		if k >= 2 && (t[k-1].text == ":" || t[k-1].text == "as") && t[k-2].kind == tokIdent {
			name = t[k-2].text
		}
		p.alias[t[k].text] = mod + "." + name
	}
}

// loops binds loop variables before the walk, because a comprehension uses
// them in front of where they are bound.
func (p *interp) loops() {
	p.dry = true
	defer func() { p.dry, p.at = false, 0 }()
	for i := 0; i+2 < len(p.toks); i++ {
		t := p.toks[i]
		switch {
		case t.kind != tokIdent:
		case t.text == "def" || t.text == "function" || t.text == "sub":
			p.params(i)
		case (t.text == "for" || t.text == "foreach") && (p.lang == "perl" || p.lang == "php"):
			p.at = i + 1
			opened := p.is("(")
			if opened {
				p.at++
			}
			v := p.element(p.expr())
			name := "$_"
			if p.lang == "php" {
				for j := range 4 { // as $key => $value
					if n := p.peek(j); n.kind == tokIdent && n.text != "as" {
						name = n.text
					}
				}
			} else if n := p.toks[i+1]; n.kind == tokIdent && strings.HasPrefix(n.text, "$") || n.text == "my" {
				name = "" // for my $x (...): bound below
				p.perlFor(i)
			}
			if name != "" {
				p.bind(name, v)
			}
		}
		if t.kind != tokIdent || t.text != "in" && t.text != "of" || i == 0 || p.toks[i-1].kind != tokIdent && p.toks[i-1].text != ")" {
			continue
		}
		p.at = i + 1
		p.bindLoop(i, p.expr())
	}
}

// element is what a loop over v yields.
func (p *interp) element(v val) val {
	if !v.isList {
		return v
	}
	if len(v.list) == 1 {
		return v.list[0]
	}
	return val{isList: true, alt: true, list: v.list[:min(len(v.list), 16)]}
}

// bindLoop binds the names between for and in to an element of v; at is the
// position of in.
func (p *interp) bindLoop(at int, v val) {
	for j := at - 1; j >= 0 && j > at-8; j-- {
		t := p.toks[j]
		if t.text == "for" || t.text == "foreach" || t.text == ";" {
			return
		}
		if t.kind == tokIdent && t.text != "const" && t.text != "let" && t.text != "var" && t.text != "my" {
			p.vars[t.text] = p.element(v)
		}
	}
}

// perlFor binds the variable of for my $x (LIST).
func (p *interp) perlFor(i int) {
	j := i + 1
	if p.toks[j].text == "my" || p.toks[j].text == "our" {
		j++
	}
	if j+1 >= len(p.toks) || p.toks[j+1].text != "(" {
		return
	}
	name := p.toks[j].text
	p.at = j + 1
	p.vars[name] = p.element(p.expr())
}

// params binds the parameters of a function to what the program calls it with,
// so that a walk through its body knows them.
func (p *interp) params(i int) {
	t := p.toks
	if i+2 >= len(t) || t[i+1].kind != tokIdent || t[i+2].text != "(" {
		return
	}
	name := t[i+1].text
	var params []string
	for j := i + 3; j < len(t) && t[j].text != ")" && j < i+40; j++ {
		if t[j].kind == tokIdent && (t[j-1].text == "(" || t[j-1].text == ",") {
			params = append(params, t[j].text)
		}
	}
	if len(params) == 0 {
		return
	}
	for j, calls := 0, 0; j+1 < len(t) && calls < 4 && p.a.step(1); j++ {
		if j == i+1 || t[j].kind != tokIdent || t[j].text != name || t[j+1].text != "(" || !p.a.step(8) {
			continue
		}
		calls++
		p.at = j + 2
		args, _ := p.args(")")
		for k, param := range params {
			if k >= len(args) {
				break
			}
			p.bind(param, args[k])
		}
	}
}

// bind adds v to what a name may stand for.
func (p *interp) bind(name string, v val) {
	if old, ok := p.vars[name]; ok && old.s != v.s {
		list := []val{old}
		if old.alt {
			list = old.list
		}
		if v.alt {
			list = append(slices.Clip(list), v.list...)
		} else {
			list = append(slices.Clip(list), v)
		}
		v = val{isList: true, alt: true, list: list[:min(len(list), 16)]}
	}
	p.vars[name] = v
}
