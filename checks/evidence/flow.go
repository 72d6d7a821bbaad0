package evidence

import (
	"slices"
	"strings"
)

// step is one simple command of a shell text, with what becomes of its exit
// status.
type step struct {
	words []string
	// masked tells that the text can end with success although this command
	// failed.
	masked bool
	// piped names the command that reads its output; its status is lost then,
	// unless pipefail is on.
	piped      string
	background bool
	quiet      bool // its output goes to a file or nowhere
	// status tells that the text prints $? or PIPESTATUS afterwards, so that the
	// output says how it ended.
	status bool
	// saved is the variable that took its status; pure is masked without what
	// follows that.
	saved string
	pure  bool
	// joint tells that the status that was printed or saved is that of several
	// commands: any of them may have failed.
	joint bool
	// well and ill are the steps that run only where this one went well, or ill:
	// behind && and ||, in the branches of an if. What they print tells how it went.
	well, ill span
	// exits tells that the text ends where it fails ("|| exit 1").
	exits bool
	// last tells the last command of the text: a failure of the whole is its own
	// unless the output says otherwise.
	last bool
}

// flow reads a shell text into its simple commands. It knows lists, pipes,
// groups, loops, conditions and nested "sh -c"; what it cannot read it leaves
// out.
func flow(src string) []step {
	return flowDepth(src, 0)
}

func flowDepth(src string, depth int) []step {
	if len(src) > maxFlow || depth > 4 {
		return nil
	}
	p := flowParser{toks: tokenize(src), depth: depth}
	p.errexit = strings.Contains(src, "set -e") || strings.Contains(src, "errexit")
	p.pipefail = strings.Contains(src, "pipefail")
	p.list(nil)
	// A name that the text itself defines is not the program of that name; the
	// function's body was read where it stands.
	n := len(p.steps)
	out := slices.DeleteFunc(p.steps, func(st step) bool { return slices.Contains(p.defined, st.words[0]) })
	for i := range out {
		if len(out) < n {
			out[i].well, out[i].ill = span{}, span{} // their numbers moved
		}
		out[i].last = i == len(out)-1
	}
	return out
}

type flowParser struct {
	toks              []token
	pos               int
	depth, nest       int
	errexit, pipefail bool
	saves             string // the variable to which $? was just assigned
	steps             []step
	defined           []string // functions and aliases of the text
}

// span is the range of steps that one construct added.
type span struct{ from, to int }

func (p *flowParser) each(s span, f func(*step)) {
	for i := s.from; i < s.to; i++ {
		f(&p.steps[i])
	}
}

func (p *flowParser) mask(s span) { p.each(s, func(st *step) { st.masked = true }) }

func (p *flowParser) peek() (token, bool) {
	if p.pos >= len(p.toks) {
		return token{}, false
	}
	return p.toks[p.pos], true
}

func isKeyword(t token, words ...string) bool {
	return !t.op && !t.quoted && !t.redirect && slices.Contains(words, t.text)
}

// list reads and-or lists up to one of the ending keywords or a bracket. The
// status of the last one alone survives.
func (p *flowParser) list(until []string) span {
	all := span{len(p.steps), len(p.steps)}
	prev := span{}
	for {
		t, ok := p.peek()
		if !ok || (t.op && t.text == ")") || isKeyword(t, until...) || (isKeyword(t, "}") && until != nil) {
			break
		}
		if t.op && t.text != "(" {
			if t.text == "&" {
				p.each(prev, func(st *step) { st.background = true })
			}
			p.pos++
			continue
		}
		before := p.pos
		next := p.andOr()
		if p.saves != "" {
			joint := p.joint(prev)
			p.each(prev, func(st *step) { st.saved, st.pure, st.joint = p.saves, st.masked, joint })
			p.saves = ""
		}
		if next.to > next.from && prev.to > prev.from && !p.errexit {
			switch p.asksStatus(next) {
			case "exit":
				p.each(span{all.from, next.from}, func(st *step) {
					if st.saved != "" {
						st.masked = st.pure
					}
				})
			case "print":
				joint := p.joint(prev)
				p.each(prev, func(st *step) { st.masked, st.status, st.joint = true, true, joint })
			default:
				p.each(prev, func(st *step) { st.masked = st.masked || !st.exits })
			}
		}
		if next.to > next.from {
			prev = next
		}
		if p.pos == before {
			p.pos++ // a stray token must not stop the reading
		}
	}
	all.to = len(p.steps)
	return all
}

// asksStatus tells whether the commands of s hand on the status before them.
func (p *flowParser) asksStatus(s span) string {
	answer := ""
	for _, st := range p.steps[s.from:s.to] {
		text := strings.Join(st.words, " ")
		if !strings.Contains(text, "$") {
			continue
		}
		if len(st.words) > 0 && (st.words[0] == "exit" || st.words[0] == "return") {
			return "exit"
		}
		if strings.Contains(text, "$?") || strings.Contains(text, "PIPESTATUS") || p.anySaved() {
			answer = "print"
		}
	}
	return answer
}

func (p *flowParser) anySaved() bool {
	return slices.ContainsFunc(p.steps, func(st step) bool { return st.saved != "" })
}

func (p *flowParser) andOr() span {
	all := span{len(p.steps), len(p.steps)}
	mixed := false
	for {
		right := len(p.steps)
		deciding := p.deciding(all)
		p.pipeline()
		if !mixed {
			p.depend(deciding, right, true)
		}
		all.to = len(p.steps)
		t, ok := p.peek()
		if !ok || !t.op || (t.text != "&&" && t.text != "||") {
			return all
		}
		p.pos++
		for nl, ok := p.peek(); ok && nl.op && nl.text == ";"; nl, ok = p.peek() {
			p.pos++
		}
		if t.text == "||" {
			right, deciding := len(p.steps), p.deciding(all)
			p.pipeline()
			if !mixed {
				p.depend(deciding, right, false)
			}
			mixed = true
			if !p.fails(span{right, len(p.steps)}) {
				p.mask(span{all.from, right})
			} else if p.steps[len(p.steps)-1].words[0] != "false" {
				p.each(span{all.from, right}, func(st *step) { st.exits = true })
			}
			all.to = len(p.steps)
			if t, ok := p.peek(); !ok || !t.op || (t.text != "&&" && t.text != "||") {
				return all
			}
			p.pos++
		}
	}
}

// fails tells that the right side of || ends in failure in any case.
func (p *flowParser) fails(s span) bool {
	if s.to <= s.from {
		return false
	}
	w := p.steps[s.to-1].words
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "false":
		return true
	case "exit", "return":
		return len(w) == 1 || w[1] != "0"
	}
	return false
}

func (p *flowParser) pipeline() {
	all := span{len(p.steps), len(p.steps)}
	negated := false
	for t, ok := p.peek(); ok && isKeyword(t, "!", "time"); t, ok = p.peek() {
		negated = negated || t.text == "!"
		p.pos++
	}
	prev := span{}
	for {
		from := len(p.steps)
		p.command()
		cur := span{from, len(p.steps)}
		if prev.to > prev.from {
			reader := ""
			if cur.to > cur.from && len(p.steps[cur.from].words) > 0 {
				reader = p.steps[cur.from].words[0]
			}
			p.each(span{all.from, from}, func(st *step) {
				if st.piped == "" {
					st.piped = reader
				}
				st.masked = st.masked || !p.pipefail
			})
		}
		prev = cur
		t, ok := p.peek()
		if !ok || !t.op || t.text != "|" {
			break
		}
		p.pos++
	}
	all.to = len(p.steps)
	if negated {
		p.mask(all)
	}
}

// command reads one simple or compound command.
func (p *flowParser) command() {
	t, ok := p.peek()
	if !ok {
		return
	}
	if p.nest++; p.nest > 200 {
		p.pos = len(p.toks)
		return
	}
	defer func() { p.nest-- }()
	switch {
	case t.op && t.text == "(":
		p.pos++
		s := p.list([]string{})
		p.expect(")")
		p.redirects(s)
	case isKeyword(t, "{"):
		p.pos++
		s := p.list([]string{"}"})
		p.expect("}")
		p.redirects(s)
	case isKeyword(t, "if"):
		p.pos++
		asked := p.list([]string{"then"})
		deciding := p.deciding(asked)
		p.mask(asked)
		for {
			t, ok := p.peek()
			if !ok || isKeyword(t, "fi") {
				p.pos++
				break
			}
			p.pos++
			s := p.list([]string{"then", "elif", "else", "fi"})
			switch {
			case isKeyword(t, "elif"):
				deciding = nil
				p.mask(s)
			case len(deciding) > 0:
				p.depend(deciding, s.from, isKeyword(t, "then"))
			}
		}
		p.redirects(span{})
	case isKeyword(t, "while", "until"):
		p.pos++
		p.mask(p.list([]string{"do"}))
		p.body()
	case isKeyword(t, "for", "select"):
		for t, ok := p.peek(); ok && !isKeyword(t, "do"); t, ok = p.peek() {
			p.pos++
		}
		p.body()
	case isKeyword(t, "case"):
		for t, ok := p.peek(); ok && !isKeyword(t, "esac"); t, ok = p.peek() {
			p.pos++
		}
		p.pos++
	default:
		p.simple()
	}
}

// body reads "do … done". Only the last round's last status would survive, so
// everything in it counts as masked.
func (p *flowParser) body() {
	p.pos++
	s := p.list([]string{"done"})
	p.expect("done")
	p.mask(s)
	p.redirects(s)
}

func (p *flowParser) expect(text string) {
	if t, ok := p.peek(); ok && t.text == text {
		p.pos++
	}
}

func (p *flowParser) redirects(s span) {
	for t, ok := p.peek(); ok && t.redirect; t, ok = p.peek() {
		p.pos++
		target, _ := p.peek()
		if hides(t, target) {
			p.each(s, func(st *step) { st.quiet = true })
		}
		if !target.op && !target.redirect {
			p.pos++
		}
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

func (p *flowParser) simple() {
	st := step{}
	for {
		t, ok := p.peek()
		if !ok || t.op {
			break
		}
		p.pos++
		if t.redirect {
			target, ok := p.peek()
			if ok && !target.op && !target.redirect {
				p.pos++
			}
			if hides(t, target) {
				st.quiet = true
			}
			continue
		}
		st.words = append(st.words, t.text)
	}
	// "f() {" declares a function: its body is read as if it ran here.
	if t, ok := p.peek(); ok && t.op && t.text == "(" && len(st.words) == 1 {
		p.pos++
		p.expect(")")
		p.defined = append(p.defined, st.words[0])
		return
	}
	if len(st.words) > 1 && st.words[0] == "function" {
		p.defined = append(p.defined, st.words[1])
		return
	}
	if len(st.words) > 1 && st.words[0] == "alias" {
		for _, w := range st.words[1:] {
			name, _, _ := strings.Cut(w, "=")
			p.defined = append(p.defined, name)
		}
	}
	words := peel(st.words)
	if inner, ok := nestedScript(words); ok {
		base := len(p.steps)
		for _, in := range flowDepth(inner, p.depth+1) {
			in.quiet = in.quiet || st.quiet
			in.well, in.ill = in.well.moved(base), in.ill.moved(base)
			p.steps = append(p.steps, in)
		}
		return
	}
	if len(words) == 0 {
		for _, w := range st.words {
			if name, value, ok := strings.Cut(w, "="); ok && (strings.Contains(value, "$?") || strings.Contains(strings.ToUpper(value), "PIPESTATUS")) {
				p.saves = name
			}
		}
	}
	if len(words) > 0 {
		st.words = words
		p.steps = append(p.steps, st)
	}
}

// nestedScript returns the text of "sh -c TEXT" and "eval TEXT".
func nestedScript(words []string) (string, bool) {
	if len(words) < 2 {
		return "", false
	}
	switch baseName(words[0]) {
	case "sh", "bash", "zsh", "dash", "ksh":
		for i, w := range words[1:] {
			if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "c") && i+2 < len(words) {
				return words[i+2], true
			}
			if !strings.HasPrefix(w, "-") {
				return "", false
			}
		}
	case "eval":
		return strings.Join(words[1:], " "), true
	}
	return "", false
}

func baseName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(s), ".exe")
}
