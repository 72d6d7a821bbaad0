package shell

import (
	"strconv"
	"strings"
)

// val is a value of interpreter code as far as it can be told.
type val struct {
	s      string // an inner string; meaningless for lists and functions
	known  bool
	list   []val
	isList bool
	alt    bool   // list holds what the value may be, as of a loop variable
	fn     string // the dotted name of a function or module
}

// interp walks the tokens of one program. It is no parser of any language: it
// evaluates calls, strings, lists, joins and assignments in reading order, which
// is enough for programs of a line or two.
type interp struct {
	a     *analyzer
	idx   int
	lang  string
	via   string
	st    *state
	cx    ctx
	toks  []tok
	at    int
	depth int
	dry   bool // values are wanted, actions were or will be seen elsewhere
	vars  map[string]val
	alias map[string]string
	argv  []string
	// narrow holds the conditions that the walk is inside of.
	narrow []narrowing
}

const maxInterpDepth = 60

func known(s string) val { return val{s: s, known: true} }

func (p *interp) unknown(name string) val {
	return val{s: p.a.unknownVar(strings.TrimPrefix(name, "$"), true), fn: name}
}

// text returns the inner string of a value; unknown values become a mark.
func (p *interp) text(v val) string {
	switch {
	case v.known:
		return v.s
	case v.isList:
		parts := make([]string, 0, len(v.list))
		for _, e := range v.list {
			parts = append(parts, p.text(e))
		}
		return strings.Join(parts, " ")
	case v.s != "":
		return v.s
	}
	return p.a.unknownVar(strings.TrimPrefix(v.fn, "$"), true)
}

func (p *interp) run() {
	p.imports()
	p.loops()
	for p.at < len(p.toks) && p.a.step(1) {
		before := p.at
		p.item()
		if p.at == before {
			p.at++
		}
	}
}

func (p *interp) peek(n int) tok {
	if p.at+n < len(p.toks) && p.at+n >= 0 {
		return p.toks[p.at+n]
	}
	return tok{kind: tokLine}
}

func (p *interp) is(text string) bool {
	t := p.peek(0)
	return t.kind == tokPunct && t.text == text
}

func (p *interp) punct(n int, text string) bool {
	t := p.peek(n)
	return t.kind == tokPunct && t.text == text
}

// item reads one statement or argument.
func (p *interp) item() val {
	p.widen()
	t := p.peek(0)
	if t.kind == tokIdent {
		if t.text == "if" {
			p.condition()
		}
		switch t.text {
		case "in", "of":
			at := p.at
			p.at++
			v := p.expr()
			p.bindLoop(at, v)
			return val{}
		case "const", "let", "var", "my", "our", "local", "return", "await", "new", "puts", "echo", "then", "do", "if", "else", "elif", "while", "try", "with", "as", "for", "foreach", "import", "from", "def", "function", "lambda", "unless", "print", "say", "and", "or", "not", "use", "require_once", "begin", "end":
			if !(p.punct(1, "(") && (t.text == "print" || t.text == "require" || t.text == "import")) {
				p.at++
				return val{}
			}
		}
		if p.punct(1, "=") {
			name := t.text
			p.at += 2
			v := p.expr()
			p.vars[name] = v
			return v
		}
		if p.punct(1, "+=") || p.punct(1, ".=") {
			name := t.text
			p.at += 2
			v := p.expr()
			p.vars[name] = p.concat(p.vars[name], v)
			return v
		}
	}
	return p.expr()
}

func (p *interp) expr() val {
	if p.depth > maxInterpDepth || !p.a.step(1) {
		p.at++
		return val{}
	}
	p.depth++
	defer func() { p.depth-- }()
	v := p.primary()
	for {
		t := p.peek(0)
		if t.kind == tokStr && (p.lang == "py" || p.lang == "awk") && p.at > 0 && p.toks[p.at-1].kind == tokStr {
			v = p.concat(v, p.primary())
			continue
		}
		if t.kind != tokPunct {
			break
		}
		switch {
		case t.text == "+" || t.text == "." && (p.lang == "perl" || p.lang == "php") || t.text == ".." && p.lang == "lua" || t.text == "~":
			p.at++
			v = p.add(v, p.primary())
		case t.text == "." && p.lang == "lua" && p.punct(1, "."):
			p.at += 2
			v = p.concat(v, p.primary())
		case t.text == "/" && (p.lang == "py" || p.lang == "ruby"):
			p.at++
			v = p.joinPath(v, p.primary())
		case t.text == "%" && p.lang == "py":
			p.at++
			v = p.format(v, p.primary())
		case t.text == "*" && p.lang != "awk":
			p.at++
			n := p.primary()
			if count, err := strconv.Atoi(n.s); err == nil && v.known && count >= 0 && count*len(v.s) < 4096 {
				v = known(strings.Repeat(v.s, count))
			}
		case t.text == "||" || t.text == "??":
			p.at++
			w := p.primary()
			if !v.known && !v.isList {
				v = w
			}
		case t.text == "=>" && p.peek(1).kind != tokPunct && p.lang != "js":
			p.at++
			v = p.expr()
		default:
			return v
		}
	}
	return v
}

func (p *interp) primary() val {
	t := p.peek(0)
	p.at++
	switch t.kind {
	case tokStr:
		return p.chain(p.str(t), "")
	case tokShell:
		v := p.str(t)
		p.shell(v, p.lang)
		return p.unknown("`")
	case tokNum:
		if t.text == "regex" {
			return p.chain(val{fn: "regex"}, "regex")
		}
		return known(t.text)
	case tokIdent:
		return p.named(t)
	case tokLine:
		p.at--
		return val{}
	case tokPunct:
	}
	switch t.text {
	case "(":
		list := p.list(")")
		if len(list) == 1 {
			return p.chain(list[0], "")
		}
		return p.chain(val{isList: true, list: list}, "")
	case "[":
		return p.chain(val{isList: true, list: p.list("]")}, "")
	case "{":
		list := p.list("}")
		return val{isList: true, list: list}
	case "-", "!", "&", "*", "\\", "@", "$", "+", "...":
		if p.depth > maxInterpDepth {
			return val{}
		}
		return p.expr()
	case ")", "]", "}", ",", ";":
		p.at-- // whoever opened it closes it
	}
	return val{}
}

// str evaluates a string with its interpolations.
func (p *interp) str(t tok) val {
	var b strings.Builder
	for _, pc := range t.pieces {
		if !pc.code {
			b.WriteString(pc.text)
			continue
		}
		sub := &interp{a: p.a, idx: p.idx, lang: p.lang, via: p.via, st: p.st, cx: p.cx, vars: p.vars, alias: p.alias, argv: p.argv, depth: p.depth + 5, dry: p.dry}
		if sub.depth > maxInterpDepth {
			b.WriteString(p.a.unknownVar("", true))
			continue
		}
		sub.toks = lex(p.lang, pc.text)
		b.WriteString(p.text(sub.expr()))
	}
	if b.Len() > maxValue {
		return p.unknown("")
	}
	return known(b.String())
}

// named evaluates what starts with a name.
func (p *interp) named(t tok) val {
	name := t.text
	if full, ok := p.alias[name]; ok && !p.punct(0, "=") {
		name = full
	}
	if v, ok := p.vars[t.text]; ok {
		if v.fn != "" && !v.known {
			return p.chain(v, v.fn)
		}
		return p.chain(v, "")
	}
	return p.chain(val{fn: name}, name)
}
