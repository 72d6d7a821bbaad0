package prose

import "strings"

// pattern is a sequence of token classes. Its notation, words apart by spaces:
//
//	act        a token of that class
//	'so'       that word
//	.          any token
//	!neg       a token that is not of that class
//	( a | b c) one of the sequences
//	^ $        the clause's first and last token (punctuation aside)
//	X? X* X{3} X at most once, any number, at most three times
type pattern struct {
	name  string
	nodes []node
	// need are classes of which each must stand somewhere, so that most clauses
	// are passed over at once.
	need []set
}

type node struct {
	kind     byte // c class, w word, . any, ^ start, $ end, ( group
	not      bool
	class    set
	word     string
	alts     [][]node
	min, max int
}

// rule is a named pattern of a table: "name: pattern".
func rules(table string) []pattern {
	var out []pattern
	macros := map[string]string{}
	for line := range strings.SplitSeq(table, "\n") {
		line = strings.TrimSpace(line)
		name, body, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for {
			i := strings.IndexByte(body, '<')
			if i < 0 {
				break
			}
			j := strings.IndexByte(body, '>')
			body = body[:i] + "( " + macros[body[i+1:j]] + " )" + body[j+1:]
		}
		if m, ok := strings.CutPrefix(name, "="); ok {
			macros[m] = body
			continue
		}
		f := strings.Fields(spaced(body))
		nodes, _ := parseAlts(f)
		p := pattern{name: name, nodes: []node{{kind: '(', alts: nodes, min: 1, max: 1}}}
		if len(nodes) == 1 {
			p.need = needs(nodes[0])
		}
		out = append(out, p)
	}
	return out
}

// spaced puts spaces around the marks of the notation that stand alone.
func spaced(s string) string {
	for _, m := range []string{"(", "|"} {
		s = strings.ReplaceAll(s, m, " "+m+" ")
	}
	return strings.ReplaceAll(s, ")", " )")
}

// parseAlts reads alternatives up to a closing bracket and gives the rest.
func parseAlts(f []string) (alts [][]node, rest []string) {
	var seq []node
	for len(f) > 0 {
		w := f[0]
		f = f[1:]
		switch {
		case w == "|":
			alts, seq = append(alts, seq), nil
		case strings.HasPrefix(w, ")"):
			return append(alts, seq), append([]string{w[1:]}, f...)
		case w == "(":
			var n node
			n.kind = '('
			n.alts, f = parseAlts(f)
			n.min, n.max = 1, 1
			if len(f) > 0 {
				n.min, n.max = times(f[0])
				f = f[1:]
			}
			seq = append(seq, n)
		default:
			seq = append(seq, one(w))
		}
	}
	return append(alts, seq), nil
}

// times reads a repetition suffix.
func times(s string) (lo, hi int) {
	switch {
	case s == "?":
		return 0, 1
	case s == "*":
		return 0, maxTokens
	case strings.HasPrefix(s, "{"):
		n := 0
		for _, r := range s[1:] {
			if r >= '0' && r <= '9' {
				n = 10*n + int(r-'0')
			}
		}
		return 0, n
	}
	return 1, 1
}

func one(w string) node {
	n := node{kind: 'c'}
	if i := strings.LastIndexAny(w, "?*{"); i > 0 {
		n.min, n.max = times(w[i:])
		w = w[:i]
	} else {
		n.min, n.max = 1, 1
	}
	if strings.HasPrefix(w, "!") && len(w) > 1 {
		n.not, w = true, w[1:]
	}
	switch {
	case w == "." || w == "^" || w == "$":
		n.kind = w[0]
	case strings.HasPrefix(w, "'"):
		n.kind, n.word = 'w', strings.ReplaceAll(strings.Trim(w, "'"), "_", " ")
		if n.word == "" {
			n.word = "'"
		}
	default:
		for c := range strings.SplitSeq(w, "+") {
			n.class = n.class.or(bit(c))
		}
	}
	return n
}

// needs gives the classes that a sequence cannot match without.
func needs(seq []node) (out []set) {
	for _, n := range seq {
		if n.min == 0 || n.not {
			continue
		}
		switch n.kind {
		case 'c':
			out = append(out, n.class)
		case '(':
			// Of alternatives at least one first need must be met.
			var either set
			for _, a := range n.alts {
				sub := needs(a)
				if len(sub) == 0 {
					either = set{}
					break
				}
				either = either.or(sub[0])
			}
			if either != (set{}) {
				out = append(out, either)
			}
		}
	}
	return out
}

// maxSteps bounds one match, so that a hostile clause costs no more than a long one.
const maxSteps = 4000

type matcher struct {
	toks  []token
	first int
	last  int
	steps int
}

// find gives the first place where p matches in toks.
func (p pattern) find(toks []token) (start, end int, ok bool) {
	var union set
	for i := range toks {
		union = union.or(toks[i].class)
	}
	for _, n := range p.need {
		if !union.has(n) {
			return 0, 0, false
		}
	}
	m := &matcher{toks: toks, first: 0, last: len(toks)}
	for m.first < len(toks) && toks[m.first].is("comma", "stop", "dash", "paren", "end", "deco") {
		m.first++
	}
	for m.last > m.first && toks[m.last-1].is("comma", "stop", "dash", "paren", "end", "deco") && !toks[m.last-1].is("ask") {
		m.last--
	}
	for i := 0; i <= len(toks) && m.steps < maxSteps; i++ {
		stop := -1
		if m.seq(p.nodes, i, func(j int) bool { stop = j; return true }) {
			return i, stop, true
		}
	}
	return 0, 0, false
}

func (m *matcher) seq(ns []node, i int, then func(int) bool) bool {
	m.steps++
	if m.steps > maxSteps {
		return false
	}
	if len(ns) == 0 {
		return then(i)
	}
	return m.repeat(ns[0], 0, i, func(j int) bool { return m.seq(ns[1:], j, then) })
}

// repeat matches n as often as it may, fewest first.
func (m *matcher) repeat(n node, done, i int, then func(int) bool) bool {
	if done >= n.min && then(i) {
		return true
	}
	if done >= n.max || m.steps > maxSteps {
		return false
	}
	m.steps++
	more := func(j int) bool { return (j > i || done < n.min) && m.repeat(n, done+1, j, then) }
	switch n.kind {
	case '(':
		for _, a := range n.alts {
			if m.seq(a, i, more) {
				return true
			}
		}
		return false
	case '^':
		return i <= m.first && then(i)
	case '$':
		return i >= m.last && then(i)
	}
	if i >= len(m.toks) || !n.fits(m.toks[i]) {
		return false
	}
	return more(i + 1)
}

func (n node) fits(t token) bool {
	var ok bool
	switch n.kind {
	case '.':
		ok = true
	case 'w':
		ok = t.word == n.word
	default:
		ok = t.class.has(n.class)
	}
	return ok != n.not
}
