package evidence

import (
	"slices"
	"strings"
)

// command is one simple command as it is read.
type command struct {
	toks  []token // its words
	step  step
	stdin string // the text that it reads, where it stands in the source
	fed   bool
}

// maxDepth bounds nested texts and function calls.
const maxDepth = 5

// simple reads one simple command: a program, a builtin, a function of the text or
// a shell with its own text.
func (p *flowParser) simple(at way) (good, bad way) {
	c := command{}
	for {
		t, ok := p.peek()
		if !ok || t.op || len(c.toks) == 2 && isKeyword(c.toks[0], "function") {
			break
		}
		p.pos++
		if t.redirect {
			p.redirect(t, &c)
			continue
		}
		c.toks = append(c.toks, t)
	}
	if name, ok := p.defines(c.toks); ok {
		p.define(name)
		return at, deadEnd
	}
	from := len(p.steps)
	inner, failed := p.substitute(c.toks, at)
	words, assigned := p.words(c.toks)
	if len(words) == 0 {
		p.assign(assigned, false, p.since(from))
		if len(assigned) > 0 && p.since(from).to > from {
			return p.strict(inner, failed)
		}
		return at, deadEnd
	}
	c.step.env = slices.Clip(p.shell.env)
	for _, a := range assigned {
		c.step.env = append(c.step.env, a.text)
	}
	if body, ok := p.shell.functions[words[0]]; ok && p.depth < maxDepth {
		from := len(p.steps)
		good, bad = p.call(body, words, at)
		if c.step.quiet {
			p.each(p.since(from), func(st *step) { st.quiet = true })
		}
		return p.strict(good, bad)
	}
	return p.run(c, words, at)
}

// run takes wrappers off and reads what is left: a nested text, or one step.
func (p *flowParser) run(c command, words []string, at way) (good, bad way) {
	inner := peel(words)
	c.step.env = append(c.step.env, inner.env...)
	c.step.dir, c.step.world = joinFolder(p.shell.dir, inner.dir), p.shell.world || inner.world
	from := len(p.steps)
	if text, ok := inner.text(c); ok {
		good, bad = p.nested(text, inner, at)
	} else if len(inner.words) == 0 {
		return at, deadEnd
	} else {
		c.step.words = inner.words
		good, bad = p.add(c.step, at)
		good, bad = p.builtin(c.toks, inner.words, from, at, good, bad)
	}
	p.each(p.since(from), func(st *step) {
		st.quiet = st.quiet || c.step.quiet
		st.background = st.background || inner.detached
	})
	good, bad = p.strict(good, bad)
	if words[0] == "exec" && len(words) > 1 {
		p.exits.good, p.exits.bad = meet(p.exits.good, good), meet(p.exits.bad, bad)
		return deadEnd, deadEnd
	}
	return good, bad
}

// add appends a step that is reached on the way.
func (p *flowParser) add(st step, at way) (good, bad way) {
	if len(p.steps) >= maxCommands {
		p.tooMany = true
		return at, at
	}
	i := len(p.steps)
	st.maybe, st.never, st.passed, st.broken = p.unsure > 0, at.dead, at.done, at.failed
	p.steps = append(p.steps, st)
	if at.dead {
		return deadEnd, deadEnd
	}
	good, bad = way{done: at.done.with(i), failed: at.failed}, way{done: at.done, failed: at.failed.with(i)}
	if hasWord("echo printf : true", st.words[0]) {
		bad = deadEnd
	}
	return good, bad
}

// redirect reads a redirection with its target.
func (p *flowParser) redirect(t token, c *command) {
	if t.text == "<<" {
		c.stdin, c.fed = t.body, true
		return
	}
	target, ok := p.peek()
	if ok && !target.op && !target.redirect {
		p.pos++
	}
	if t.text == "<<<" {
		c.stdin, c.fed = target.text, true
	}
	if hides(t, target) {
		c.step.quiet = true
		c.step.writes = append(c.step.writes, target.text)
	}
}

// redirects reads the redirections behind a compound command.
func (p *flowParser) redirects(s span) {
	c := command{}
	for t, ok := p.peek(); ok && t.redirect; t, ok = p.peek() {
		p.pos++
		p.redirect(t, &c)
	}
	if c.step.quiet {
		p.each(s, func(st *step) { st.quiet = true })
	}
}

// hides tells a redirection that takes the standard output away.
func hides(t, target token) bool {
	if !strings.HasPrefix(strings.TrimPrefix(t.text, "&"), ">") || strings.HasSuffix(t.text, ">&") || t.fd == "2" {
		return false
	}
	switch target.text {
	case "/dev/stderr", "/dev/stdout", "/dev/tty":
		return false
	}
	return true
}

// defines tells a function's head: "f ()" or "function f".
func (p *flowParser) defines(toks []token) (name string, ok bool) {
	t, more := p.peek()
	brackets := more && isOp(t, "(") && p.pos+1 < len(p.toks) && isOp(p.toks[p.pos+1], ")")
	switch {
	case len(toks) == 2 && isKeyword(toks[0], "function"):
		name = toks[1].text
	case len(toks) == 1 && brackets:
		name = toks[0].text
	default:
		return "", false
	}
	if brackets {
		p.pos += 2
	}
	return name, true
}

// define keeps a function's body for when it is called.
func (p *flowParser) define(name string) {
	for t, ok := p.peek(); ok && isOp(t, ";"); t, ok = p.peek() {
		p.pos++
	}
	end := p.after(p.pos)
	p.setFunction(name, p.toks[min(p.pos, end):end])
	p.pos = end
}

func (p *flowParser) setFunction(name string, body []token) {
	if len(p.shell.functions) < maxNames {
		p.shell.functions[name] = body
	}
}

// call reads a function's body where it is called. Inside, the name means the
// program, so that a function around it is read to its end.
func (p *flowParser) call(body []token, words []string, at way) (good, bad way) {
	q := *p
	q.toks, q.pos, q.depth, q.returns, q.breaks = bind(body, words), 0, p.depth+1, newEnds(), nil
	delete(q.shell.functions, words[0])
	good, bad = q.list(nil, at)
	p.shell = q.shell
	p.shell.functions[words[0]] = body
	return meet(good, q.returns.good), meet(bad, q.returns.bad)
}

// bind puts the arguments of a call into a function's body.
func bind(body []token, words []string) []token {
	var out []token
	for _, t := range body {
		switch {
		case t.live && (t.text == "$@" || t.text == "$*" || t.text == "${@}"):
			for _, w := range words[1:] {
				out = append(out, token{text: w, quoted: true})
			}
		case t.live && len(t.text) == 2 && t.text[1] >= '1' && t.text[1] <= '9' && int(t.text[1]-'0') < len(words):
			out = append(out, token{text: words[t.text[1]-'0'], quoted: t.quoted})
		default:
			out = append(out, t)
		}
	}
	return out
}

// nested reads a text that another shell gets, or this one by eval.
func (p *flowParser) nested(text string, c carried, at way) (good, bad way) {
	if p.depth >= maxDepth || len(text) > maxFlow {
		return at, at
	}
	q := *p
	q.toks, q.pos, q.depth = tokenize(text), 0, p.depth+1
	if c.same {
		good, bad = q.list(nil, at)
		p.shell = q.shell
		return good, bad
	}
	q.shell = newShell()
	if c.inherits {
		q.shell = p.shell.clone()
	}
	q.shell.dir, q.shell.env = joinFolder(p.shell.dir, c.dir), append(slices.Clip(p.shell.env), c.env...)
	q.shell.errexit, q.shell.pipefail = c.errexit, c.pipefail
	q.shell.world, q.shell.home = p.shell.world, p.shell.home
	if c.world {
		q.shell.world, q.shell.home = true, q.shell.dir
	}
	q.exits, q.returns, q.breaks, q.lenient = newEnds(), nil, nil, 0
	good, bad = q.list(nil, at)
	return meet(good, q.exits.good), meet(bad, q.exits.bad)
}

// substitute reads the command substitutions of words. Their output is an argument,
// which an echo shows again.
func (p *flowParser) substitute(toks []token, at way) (good, bad way) {
	good, bad = at, deadEnd
	shown := len(toks) > 0 && hasWord("echo printf", toks[0].text)
	for _, t := range toks {
		for _, text := range t.subs {
			from := len(p.steps)
			good, bad = p.nested(text, carried{inherits: true, pipefail: p.shell.pipefail}, at)
			p.each(p.since(from), func(st *step) { st.quiet = st.quiet || !shown })
		}
	}
	return good, bad
}

// words splits what stands before a command's words from them, variables put in as
// far as the text says what they are. What is printed or asked stays as it is.
func (p *flowParser) words(toks []token) (words []string, assigned []assignment) {
	for len(toks) > 0 && isAssignment(strings.Replace(toks[0].text, "+=", "=", 1)) {
		assigned = append(assigned, p.assignment(toks[0]))
		toks = toks[1:]
	}
	for _, t := range toks {
		if hasWord("echo printf exit return [ [[ test", toks[0].text) {
			words = append(words, t.text)
		} else {
			words = append(words, p.expand(t)...)
		}
	}
	return words, assigned
}

// expand puts the values of variables into a word that the text itself assigned.
func (p *flowParser) expand(t token) []string {
	if !t.live || len(p.shell.vars) == 0 {
		return []string{t.text}
	}
	if name := strings.Trim(t.text, "${}[@*]"); strings.HasPrefix(t.text, "$") && isName(name) {
		value, ok := p.shell.vars[name]
		switch {
		case !ok:
		case strings.HasPrefix(value, "("):
			var list []string
			for _, e := range tokenize(strings.TrimSuffix(value[1:], ")")) {
				if !e.op && !e.redirect {
					list = append(list, e.text)
				}
			}
			return list
		case t.quoted:
			return []string{value}
		default:
			return strings.Fields(value)
		}
	}
	return []string{p.expandIn(t.text)}
}

// maxValue bounds what is kept of a variable and put into a word.
const maxValue = 4096

func (p *flowParser) expandIn(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || b.Len() > maxValue {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		rest, braced := strings.CutPrefix(text[1:], "{")
		n := 0
		for n < len(rest) && isName("_"+rest[n:n+1]) {
			n++
		}
		value, ok := p.shell.vars[rest[:n]]
		switch {
		case !ok || braced && !strings.HasPrefix(rest[n:], "}"):
			b.WriteByte('$')
			text = text[1:]
		case braced:
			b.WriteString(value)
			text = rest[n+1:]
		default:
			b.WriteString(value)
			text = rest[n:]
		}
	}
}

func isName(s string) bool { return isAssignment(s + "=") }

// assignment is one NAME=VALUE; open tells that a part of the value is not known.
type assignment struct {
	text string
	open bool
}

func (p *flowParser) assignment(t token) assignment {
	text := strings.Join(p.expand(t), " ")
	return assignment{text, (t.live || len(t.subs) > 0) && strings.ContainsAny(text, "$`") || strings.Contains(t.text, "+=")}
}

// assign notes assignments. One that may not be reached makes the variable
// unknown.
func (p *flowParser) assign(list []assignment, export bool, output span) {
	for _, as := range list {
		a := as.text
		name, value, ok := strings.Cut(a, "=")
		name = strings.TrimSuffix(name, "+")
		if export || name == "PATH" {
			if known, has := p.shell.vars[name]; has && !ok {
				a = name + "=" + known
			}
			p.shell.env = append(slices.Clip(p.shell.env), a)
		}
		if !ok || !isName(name) {
			continue
		}
		delete(p.shell.statuses, name)
		if st, ok := p.statusIn(value); ok && len(p.shell.statuses) < maxNames {
			p.shell.statuses[name] = st
			joint := p.joint(st)
			p.eachIn(st, func(st *step) { st.saved, st.joint = name, joint })
		}
		if output.to > output.from {
			p.capture(name, output)
		}
		if as.open || p.unsure > 0 || len(value) > maxValue || len(p.shell.vars) >= maxNames {
			delete(p.shell.vars, name)
		} else {
			p.shell.vars[name] = value
		}
	}
}

// joint tells that a status is that of more than one command.
func (p *flowParser) joint(s set) bool {
	n := 0
	p.eachIn(s, func(st *step) {
		if !harmless(st.words) {
			n++
		}
	})
	return n > 1
}

func (p *flowParser) capture(name string, output span) {
	if p.captured == nil {
		p.captured = map[string]span{}
	}
	if len(p.captured) < maxNames {
		p.captured[name] = output
	}
}

func (p *flowParser) eachIn(s set, f func(*step)) {
	for i := range p.steps {
		if s.has(i) {
			f(&p.steps[i])
		}
	}
}

// statusIn finds the exit status that a word holds: the steps that succeeded if it
// is 0.
func (p *flowParser) statusIn(word string) (set, bool) {
	switch {
	case strings.Contains(word, "$?"):
		return p.status, true
	case strings.Contains(word, "PIPESTATUS"), strings.Contains(word, "pipestatus"):
		return p.pipe, true
	}
	for name, st := range p.shell.statuses {
		if strings.Contains(word, "$"+name) || strings.Contains(word, "${"+name) {
			return st, true
		}
	}
	return nil, false
}
