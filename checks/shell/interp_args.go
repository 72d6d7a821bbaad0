package shell

import (
	"strconv"
	"strings"
)

// list reads items up to the closing mark.
func (p *interp) list(shut string) []val {
	var out []val
	for p.at < len(p.toks) && p.a.step(1) {
		t := p.peek(0)
		switch {
		case t.kind == tokPunct && t.text == shut:
			p.at++
			return out
		case t.kind == tokPunct && (t.text == ")" || t.text == "]" || t.text == "}"):
			return out
		case t.kind == tokLine || t.text == "," || t.text == ";" || t.text == ":" && t.kind == tokPunct:
			p.at++
			continue
		}
		before := p.at
		v := p.item()
		if p.at == before {
			p.at++
			continue
		}
		if v.known || v.isList || v.fn != "" || v.s != "" {
			out = append(out, v)
		}
		if len(out) > 400 {
			return out
		}
	}
	return out
}

// chain follows .name, (args) and [index] behind a value. name is the dotted
// name so far, "" behind a value that has none.
func (p *interp) chain(v val, name string) val {
	for p.a.step(1) {
		switch {
		case (p.is(".") && p.lang != "perl" && p.lang != "php" || p.is("->") || p.is("?.") || p.is("::") || p.is(":") && p.lang == "lua") && p.peek(1).kind == tokIdent:
			member := p.peek(1).text
			p.at += 2
			if name != "" && !v.known && !v.isList {
				name += "." + member
				v = p.constant(name)
			} else {
				name = ""
				v = p.member(v, member)
			}
		case p.is("(") && (name != "" || v.fn != ""):
			p.at++
			args, kw := p.args(")")
			v = p.call(firstOf(name, v.fn), nil, args, kw)
			name = v.fn
		case p.is("[") && !(p.peek(0).spaced && name != "" && p.bareCall(name)):
			p.at++
			from, sliced := p.sliced()
			list := p.list("]")
			if sliced {
				if name == "sys.argv" || name == "process.argv" {
					v = p.arguments(name)
				}
				if v.isList {
					v.list = v.list[min(from, len(v.list)):]
				} else {
					v = p.index(v, name, nil)
				}
				name = ""
				continue
			}
			// fs["rmSync"](…) is fs.rmSync(…).
			if len(list) == 1 && list[0].known && name != "" && alphaWord(list[0].s) && (p.punct(0, "(") || p.is(".")) {
				name += "." + list[0].s
				v = p.constant(name)
				continue
			}
			v = p.index(v, name, list)
			name = ""
		case p.is("{") && p.lang == "perl" && name == "$ENV":
			p.at++
			list := p.list("}")
			if len(list) > 0 && !list[0].known {
				list[0] = known(list[0].fn)
			}
			v = p.index(val{fn: "ENV"}, "ENV", list)
			name = ""
		case p.lang == "perl" && (name == "unlink" || name == "rmdir") && p.ends():
			v = p.call(name, nil, []val{p.named(tok{kind: tokIdent, text: "$_"})}, nil) // the default operand
			name = ""
		case name != "" && !v.known && p.bareCall(name):
			args, kw := p.args("")
			v = p.call(name, nil, args, kw)
			name = ""
		default:
			return v
		}
	}
	return v
}

// sliced tells a subscript with a colon and the number in front of it.
func (p *interp) sliced() (from int, ok bool) {
	for i := range 6 {
		t := p.peek(i)
		switch {
		case t.kind == tokPunct && (t.text == ":" || t.text == "::"):
			return from, true
		case t.kind == tokNum:
			from, _ = strconv.Atoi(t.text)
		case t.kind == tokPunct && t.text == "]", t.kind == tokLine:
			return 0, false
		}
	}
	return 0, false
}

func firstOf(s, t string) string {
	if s != "" {
		return s
	}
	return t
}

func alphaWord(s string) bool {
	for i := range len(s) {
		if !alnum(s[i]) {
			return false
		}
	}
	return s != ""
}

// ends tells that a statement ends here.
func (p *interp) ends() bool {
	t := p.peek(0)
	return t.kind == tokLine || t.text == ";" || t.text == "}" || t.text == "for" || t.text == "foreach" || t.text == "if" || t.text == "unless" || t.text == "and" || t.text == "or"
}

// bareCall tells a call without parentheses, in the languages that have them.
func (p *interp) bareCall(name string) bool {
	switch p.lang {
	case "ruby", "perl", "elixir", "php":
	case "lua", "js":
		return p.peek(0).kind == tokStr && (p.lang == "lua" || name == "$" || strings.HasSuffix(name, ".$") || name == "Bun.$")
	default:
		return false
	}
	t := p.peek(0)
	if !t.spaced && t.kind != tokStr || !actsBare(name) {
		return false
	}
	switch t.kind {
	case tokStr, tokShell:
		return true
	case tokIdent:
		switch t.text {
		case "if", "unless", "and", "or", "while", "for", "foreach", "do", "then", "end":
			return false
		}
		return true
	case tokPunct:
		return t.text == "[" || t.text == "\\" || t.text == "*"
	default:
		return false
	}
}

// args reads call arguments; shut is "" for a call without parentheses, which
// ends at the end of the statement.
func (p *interp) args(shut string) (args []val, kw map[string]val) {
	kw = map[string]val{}
	for p.at < len(p.toks) && p.a.step(1) {
		t := p.peek(0)
		switch {
		case t.kind == tokPunct && shut != "" && t.text == shut:
			p.at++
			return args, kw
		case shut == "" && (t.kind == tokLine || t.text == ";" || t.text == "}" || t.text == ")" || t.text == "|"):
			return args, kw
		case shut == "" && t.kind == tokIdent && (t.text == "if" || t.text == "unless" || t.text == "or" || t.text == "for" || t.text == "foreach" || t.text == "and" || t.text == "do"):
			return args, kw
		case t.kind == tokPunct && (t.text == ")" || t.text == "]" || t.text == "}"):
			p.at++ // unbalanced
			return args, kw
		case t.kind == tokLine || t.text == "," && t.kind == tokPunct:
			p.at++
			continue
		}
		before := p.at
		if (t.kind == tokIdent || t.kind == tokStr) && (p.punct(1, "=") || p.punct(1, ":") && !p.punct(2, ":") || p.punct(1, "=>") && p.lang != "js") {
			p.at += 2
			kw[strings.TrimPrefix(t.text, "$")] = p.expr()
			continue
		}
		if t.kind == tokPunct && t.text == "{" {
			p.at++
			p.object(kw)
			continue
		}
		v := p.expr()
		if p.at == before {
			p.at++
			continue
		}
		if v.known || v.isList || v.fn != "" || v.s != "" {
			args = append(args, v)
		}
		if len(args) > 400 {
			return args, kw
		}
	}
	return args, kw
}

// object reads {key: value, …} into kw; a function body in its place is walked.
func (p *interp) object(kw map[string]val) {
	for p.at < len(p.toks) && p.a.step(1) {
		t := p.peek(0)
		switch {
		case t.kind == tokPunct && t.text == "}":
			p.at++
			return
		case (t.kind == tokIdent || t.kind == tokStr) && (p.punct(1, ":") || p.punct(1, "=>")):
			p.at += 2
			kw[t.text] = p.expr()
			continue
		}
		before := p.at
		p.item()
		if p.at == before {
			p.at++
		}
	}
}
