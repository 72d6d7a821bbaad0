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
}

const maxInterpDepth = 60

func known(s string) val { return val{s: s, known: true} }

func (p *interp) unknown(name string) val {
	return val{s: p.a.unknownVar(name, true), fn: name}
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
	return p.a.unknownVar(v.fn, true)
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
	mod := ""
	for ; j < len(t) && t[j].text != "import" && t[j].kind != tokLine; j++ {
		mod += t[j].text
	}
	for j++; j < len(t) && t[j].kind != tokLine && t[j].text != ";"; j++ {
		if t[j].kind == tokIdent && t[j].text != "as" && (j+1 >= len(t) || t[j+1].text != "as") && t[j-1].text != "as" {
			p.alias[t[j].text] = mod + "." + t[j].text
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

// item reads one statement or argument.
func (p *interp) item() val {
	t := p.peek(0)
	if t.kind == tokIdent {
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

func (p *interp) add(v, w val) val {
	if v.isList && w.isList {
		return val{isList: true, list: append(v.list[:len(v.list):len(v.list)], w.list...)}
	}
	return p.concat(v, w)
}

func (p *interp) concat(v, w val) val {
	if v.alt || w.alt {
		return p.each(v, w, p.concat)
	}
	s := p.text(v) + p.text(w)
	if len(s) > maxValue || !p.a.step(len(s)/128) {
		return p.unknown("")
	}
	return known(s)
}

// each combines every value that v or w may be.
func (p *interp) each(v, w val, f func(v, w val) val) val {
	out := val{isList: true, alt: true}
	xs, ys := []val{v}, []val{w}
	if v.alt {
		xs = v.list
	}
	if w.alt {
		ys = w.list
	}
	for _, x := range xs {
		for _, y := range ys {
			if len(out.list) < 16 && !x.alt && !y.alt && p.a.step(1) {
				out.list = append(out.list, f(x, y))
			}
		}
	}
	return out
}

func (p *interp) joinPath(v, w val) val {
	if v.alt || w.alt {
		return p.each(v, w, p.joinPath)
	}
	if !v.known && !w.known {
		return p.unknown("")
	}
	s := p.text(w)
	if strings.HasPrefix(s, "/") {
		return known(s)
	}
	return known(strings.TrimSuffix(p.text(v), "/") + "/" + s)
}

// format fills the %s of a Python format.
func (p *interp) format(v, w val) val {
	args := []val{w}
	if w.isList {
		args = w.list
	}
	var b strings.Builder
	s := p.text(v)
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+1 >= len(s) {
			break
		}
		b.WriteString(s[:i])
		if len(args) > 0 && alpha(s[i+1]) {
			b.WriteString(p.text(args[0]))
			args = args[1:]
		}
		s = s[i+2:]
	}
	b.WriteString(s)
	return known(b.String())
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
			if s := ""; len(list) == 1 && list[0].known && (p.punct(0, "(") || p.is(".")) {
				s = list[0].s
				if name != "" && alphaWord(s) {
					name += "." + s
					v = p.constant(name)
					continue
				}
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
	}
	return false
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
