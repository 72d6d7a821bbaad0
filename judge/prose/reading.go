package prose

// Tri is yes, no, or not sure.
type Tri uint8

// The answers. The zero value is No.
const (
	No Tri = iota
	Yes
	Unsure
)

// String gives the answer as people read it.
func (t Tri) String() string { return [...]string{"no", "yes", "unsure"}[t] }

// Note is one thing that a reading found, for people: which words, and what the
// rule takes them for. Start and End are byte offsets into the text.
type Note struct {
	Start, End int
	Says       string // proposal, verification, question, later step, retraction, …
	Rule       string
}

// Reading is what a message says with regard to one check.
type Reading struct {
	Check string
	// Proposal tells that the message does what the check is about. The others
	// are the reasons that take it back; which of them count is the check's
	// formula.
	Proposal  Tri
	Verified  Tri
	Asked     Tri
	Sequenced Tri
	Retracted Tri
	// Approval tells that the message says the user ordered it (Retracted is Yes
	// then) or agreed to it. Only the user's own words can bear that out.
	Approval bool
	// Claims are the claims that Verified rests on, or the missing Proposal of
	// bugfix-without-reproduction; where the facts contradict all of them,
	// nothing is verified, and Proposal is IfUntrue.
	Claims   []Claim
	IfUntrue Tri
	Notes    []Note
}

// note records what a rule saw.
func (r *Reading) note(s *Sentence, from, to int, says, rule string) {
	n := Note{Start: s.Start, End: s.End, Says: says, Rule: rule}
	if from < to && to <= len(s.tokens) {
		n.Start, n.End = s.tokens[from].start, s.tokens[to-1].end
	}
	r.Notes = append(r.Notes, n)
}

func (r *Reading) noteClause(c *Clause, says, rule string) {
	r.Notes = append(r.Notes, Note{Start: c.Start, End: c.End, Says: says, Rule: rule})
}

// Read reads d for one check. An unknown check gives an empty reading, which
// proposes nothing.
func (d *Document) Read(check string) Reading {
	r := Reading{Check: check}
	switch check {
	case "commit-before-verification":
		d.readCommit(&r)
	case "scope-check":
		d.readScope(&r)
	case "scope-change":
		d.readChange(&r)
	case "shallow-bugfix":
		d.readShallow(&r)
	case "bugfix-without-reproduction":
		d.readReproduction(&r)
	}
	return r
}

// match tells whether one of the patterns matches the clause, which, and where it
// ends.
func match(ps []pattern, toks []token) (p string, to int, ok bool) {
	for i := range ps {
		if _, to, ok = ps[i].find(toks); ok {
			return ps[i].name, to, true
		}
	}
	return "", 0, false
}

// table is the rules of one meaning in the three languages.
type tables struct{ en, ja, zh func() []pattern }

func (t tables) of(l Lang) []pattern {
	switch l {
	case Japanese:
		return t.ja()
	case Chinese:
		return t.zh()
	case English:
	}
	return t.en()
}

func has(toks []token, names ...string) bool {
	return index(toks, names...) >= 0
}

// index gives the first token with one of the classes, or -1.
func index(toks []token, names ...string) int {
	var want set
	for _, n := range names {
		want = want.or(bit(n))
	}
	for i := range toks {
		if toks[i].class.has(want) {
			return i
		}
	}
	return -1
}
