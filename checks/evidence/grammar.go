package evidence

import (
	"slices"
	"strings"
)

// flowParser reads the tokens of a text and follows what can be certain at each
// command: good is the way on which a construct succeeds, bad on which it fails.
type flowParser struct {
	*trace
	toks  []token
	pos   int
	shell shellState
	depth int // of nested texts and functions
	nest  int // of brackets
	// lenient counts the contexts around that switch errexit off, unsure those
	// that may be skipped.
	lenient, unsure int
	exits           *ends // of the shell
	returns         *ends // of the function; nil outside
	breaks          *way  // out of the loop; nil outside
}

func (p *flowParser) each(s span, f func(*step)) {
	for i := s.from; i < s.to && i < len(p.steps); i++ {
		f(&p.steps[i])
	}
}

func (p *flowParser) since(from int) span { return span{from, len(p.steps)} }

func (p *flowParser) peek() (token, bool) {
	if p.pos >= len(p.toks) || p.tooMany {
		return token{}, false
	}
	return p.toks[p.pos], true
}

func isKeyword(t token, words ...string) bool {
	return !t.op && !t.quoted && !t.redirect && slices.Contains(words, t.text)
}

func isOp(t token, text ...string) bool { return t.op && slices.Contains(text, t.text) }

// list reads and-or lists up to one of the ending keywords or a bracket, and
// returns the ways on which the last one succeeds and fails.
func (p *flowParser) list(until []string, at way) (good, bad way) {
	good, bad = at, deadEnd
	entry, from := at, len(p.steps)
	for {
		t, ok := p.peek()
		if !ok || isOp(t, ")", ";;") || isKeyword(t, until...) || (isKeyword(t, "}") && until != nil) {
			return good, bad
		}
		if t.op && t.text != "(" {
			if t.text == "&" {
				p.each(p.since(from), func(st *step) { st.background = true })
				good, bad = entry, deadEnd
			}
			p.pos++
			continue
		}
		before := p.pos
		entry, from = meet(good, bad), len(p.steps)
		good, bad = p.andOr(entry)
		p.status = good.done.less(entry.done)
		if p.pos == before {
			p.pos++ // a stray token must not stop the reading
		}
	}
}

func (p *flowParser) andOr(at way) (good, bad way) {
	from := len(p.steps)
	good, bad = p.chained(at)
	doubt := p.asks(from)
	skipped := 0
	defer func() { p.unsure -= skipped }()
	for {
		t, ok := p.peek()
		if !ok || !isOp(t, "&&", "||") {
			return good, bad
		}
		p.pos++
		for nl, ok := p.peek(); ok && isOp(nl, ";"); nl, ok = p.peek() {
			p.pos++
		}
		if skipped == 0 && (doubt || t.text == "||" && !good.dead) {
			skipped++
			p.unsure++
		}
		from = len(p.steps)
		p.status = good.done.less(at.done) // behind || a variable that took $? is 0 only then
		if t.text == "&&" {
			right, wrong := p.chained(good)
			good, bad = right, meet(bad, wrong)
		} else {
			right, wrong := p.chained(bad)
			good, bad = meet(good, right), wrong
		}
		doubt = doubt || p.asks(from)
	}
}

// chained reads a pipeline; where && or || follows, errexit does not count in it.
func (p *flowParser) chained(at way) (good, bad way) {
	if p.shell.errexit && p.followed() {
		p.lenient++
		defer func() { p.lenient-- }()
	}
	return p.pipeline(at)
}

// asks tells that the steps since from end in a question, whose failure is an
// answer and no accident.
func (p *flowParser) asks(from int) bool {
	if from >= len(p.steps) {
		return false
	}
	st := p.steps[len(p.steps)-1]
	return hasWord("[ [[ test grep egrep rg false command which type hash diff cmp pgrep", st.words[0]) ||
		len(st.words) > 1 && st.words[0] == "git" && hasWord("diff rev-parse show-ref", st.words[1])
}

func (p *flowParser) pipeline(at way) (good, bad way) {
	negated := false
	for t, ok := p.peek(); ok && isKeyword(t, "!", "time"); t, ok = p.peek() {
		if t.text == "time" && p.pos+1 < len(p.toks) && strings.HasPrefix(p.toks[p.pos+1].text, "-") && p.toks[p.pos+1].text != "-p" {
			break // the program of that name
		}
		negated = negated || t.text == "!"
		p.pos++
		if next, ok := p.peek(); ok && t.text == "time" && isKeyword(next, "-p") {
			p.pos++
		}
	}
	if negated {
		p.lenient++
		defer func() { p.lenient-- }()
	}
	start := len(p.steps)
	piped := p.pipes()
	kept := p.shell
	if piped {
		p.shell = kept.clone()
	}
	good, bad = p.command(at)
	all := good.done
	whole := !good.dead
	for first := start; piped; {
		t, ok := p.peek()
		if !ok || !isOp(t, "|") {
			break
		}
		p.pos++
		for nl, ok := p.peek(); ok && isOp(nl, ";"); nl, ok = p.peek() {
			p.pos++
		}
		from := len(p.steps)
		p.shell = kept.clone()
		good, bad = p.command(at)
		all, whole = all.or(good.done), whole && !good.dead
		reader := ""
		if from < len(p.steps) {
			reader = p.steps[from].words[0]
		}
		p.each(span{first, from}, func(st *step) {
			if st.piped == "" {
				st.piped = reader
			}
		})
	}
	if piped {
		p.shell = kept
		bad = way{done: at.done, dead: at.dead}
		if kept.pipefail {
			good = way{done: all, dead: !whole}
		}
		good, bad = p.strict(good, bad)
	}
	p.pipe = all.less(at.done)
	if negated {
		return bad, good
	}
	return good, bad
}

// strict ends the shell where a command fails under errexit.
func (p *flowParser) strict(good, bad way) (way, way) {
	if p.shell.errexit && p.lenient == 0 {
		p.exits.bad = meet(p.exits.bad, bad)
		bad = deadEnd
	}
	return good, bad
}

// command reads one simple or compound command.
func (p *flowParser) command(at way) (good, bad way) {
	t, ok := p.peek()
	if !ok {
		return at, deadEnd
	}
	p.work++
	if p.nest++; p.nest > 200 || p.work > maxWork {
		p.pos = len(p.toks)
		p.tooMany = p.tooMany || p.work > maxWork
		return at, at
	}
	defer func() { p.nest-- }()
	from := len(p.steps)
	switch {
	case isOp(t, "("):
		good, bad = p.subshell(at)
	case isKeyword(t, "{"):
		p.pos++
		good, bad = p.list([]string{"}"}, at)
		p.expect("}")
	case isKeyword(t, "if"):
		good, bad = p.ifClause(at)
	case isKeyword(t, "while", "until"):
		good, bad = p.whileLoop(at)
	case isKeyword(t, "for", "select"):
		good, bad = p.forLoop(at)
	case isKeyword(t, "case"):
		good, bad = p.caseClause(at)
	default:
		return p.simple(at)
	}
	p.redirects(p.since(from))
	return good, bad
}

func (p *flowParser) expect(text string) {
	if t, ok := p.peek(); ok && t.text == text {
		p.pos++
	}
}

// followed tells that && or || stands behind the pipeline at the position.
func (p *flowParser) followed() bool {
	i := p.after(p.pos)
	for i < len(p.toks) && isOp(p.toks[i], "|") {
		i = p.after(i + 1)
	}
	return i < len(p.toks) && isOp(p.toks[i], "&&", "||")
}

// pipes tells that the command at the position writes into a pipe.
func (p *flowParser) pipes() bool {
	i := p.after(p.pos)
	return i < len(p.toks) && isOp(p.toks[i], "|")
}

// after finds the operator behind the command at i, without reading it.
func (p *flowParser) after(i int) (end int) {
	var open []string
	inside := func(word string) bool { return len(open) > 0 && open[len(open)-1] == word }
	from := i
	defer func() { p.work += (end - from) / 64 }()
	start, function := true, false // a command begins here; its name and () stood before
	for ; i < len(p.toks); i++ {
		t := p.toks[i]
		switch {
		case isOp(t, "("):
			open = append(open, "(")
			start = true
		case isOp(t, ")"):
			if len(open) == 0 {
				return i
			}
			start, function = inside("case"), i > 0 && isOp(p.toks[i-1], "(")
			if inside("(") {
				open = open[:len(open)-1]
			}
			start = start || function
			continue
		case t.op && len(open) == 0 && !(function && t.text == ";"):
			return i
		case t.op:
			start = true
		case start && isKeyword(t, "if", "for", "while", "until", "select", "case", "{"):
			open = append(open, t.text)
			start = t.text != "case" && t.text != "for" && t.text != "select"
		case start && isKeyword(t, "fi", "done", "esac", "}"):
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			start = false
		case isKeyword(t, "then", "do", "else", "elif", "!", "in"):
		default:
			start = false
		}
		function = function && isOp(t, ";")
	}
	return i
}
