package prose

import (
	"strings"
	"sync"
)

// acts are the rules for "the writer changes shared state now".
var acts = tables{
	en: sync.OnceValue(func() []pattern { return rules(actsEnglish) }),
	ja: sync.OnceValue(func() []pattern { return rules(actsJapanese) }),
	zh: sync.OnceValue(func() []pattern { return rules(actsChinese) }),
}

// The English rules. O is an object of a repository, B an act in its base form,
// G in -ing, P as a participle.
const actsEnglish = `
=O: pron adv* | .{0,4} (repoN | target | prN | relN | codespan | version | sha)
=B: actB | mrgB (<O> | adv* $ | adv* ('without' | now | next | 'as' | first)) | openB .{0,5} (prN | relN) | startB det? .{0,3} depN | runB .{0,3} actcmd | getB (pron | .{0,3} repoN) ('into' | 'onto' | 'to') .{0,2} target | getB (pron | .{0,3} repoN) .{0,2} (actP | mrgP | 'out' | 'in' | 'live' | 'up')
=G: actG | mrgG (<O> | adv* $ | adv* ('without' | now | next | 'as' | first)) | openG .{0,5} (prN | relN) | startG det? .{0,3} depN | runG .{0,3} actcmd | getB pron (actP | mrgP | 'out')
=S: (self | adv | comma | 'also')
will: self <S>* beN? <S>* fut <S>* proceed? adv* <B>
will be: self <S>* beN? <S>* fut adv* 'be' adv* <G>
will, second verb: self .{0,9} (fut | 'and' fut) adv* <B>
will and: self <S>* beN? <S>* fut .{0,9} ('and' | 'then') adv* <B>
am doing: self <S>* beN <S>* proceed? (<G> | proceed adv* <B>)
let us: lets adv* proceed? adv* <B>
let us and: lets .{0,8} 'and' adv* <B>
dropped subject: ^ (intro comma?)* adv* fut adv* <B>
go ahead: ^ (intro comma?)* adv* proceed adv* <B>
doing: ^ (intro comma?)* (adv comma?)* <G>
and doing: 'and' adv* <G> .{0,4} (now | next) adv* $
call: ^ (intro comma?)* actB ((pron | 'and' <B> | det repoN) (now | adv)* | now | next) $
call now: ^ intro comma? (intro comma?)* (actB | mrgB <O>) .{0,6} $
nominal: ^ (next | now) next* ('is' | 'comes' | 'are' | 'for')? det? (actG | depN) .{0,4} $
passive: (pron | repoN | det | codespan | prN) .{0,3} (fut adv* 'be' | beN adv* 'being') adv* (actP | mrgP | openP)
is to: poss next .{0,2} 'is' 'to' <B>
by doing: self <S>* fut .{0,4} 'by' <G>
with a commit: (lets | self <S>* fut) .{0,4} 'with' det depN
shall: askfor .{0,4} <B>
ship: ^ (intro comma?)* ('ship_it' | 'ship_this' | 'ship_that') adv* $
goes: (pron | repoN | relN | codespan) .{0,2} ('goes' | 'going' | 'heading') ('out' | 'up' | 'to' | 'into' | 'live' | 'in' | 'onto')
`

const actsJapanese = `
=N: act | mrg
=fin: (do | te) aux{0,2} (np | vol) | dofin | (do | te) auxfin
=E: (because | contrast | 'よ' | 'ね' | end | wa)? $
suru: <N> (obj | part)? (<fin>) <E>
go: <N> (obj | part | 'の' ){0,2} (sagyou | testN)? (obj | part)? (go aux{0,2} (np | vol) | gofin | do go (np | vol)) <E>
pr: prN (obj | part)? (make aux{0,2} (np | vol) | makefin | <fin>) <E>
run: actcmd (obj | part)? (<fin> | go aux{0,2} (np | vol) | gofin) <E>
ask: (<N> | prN obj? make) (obj | part)? do? (te | aux)? ask
nominal: ^ now (wa | comma | part)? (now (wa | comma | part)?)* (<N>) ('です' | '!')? $
te: <N> do? (te | after)
te, first: (first .{0,4} <N> (do | te) | <N> obj first go) $
`

const actsChinese = `
=T: (now | want | first | ba | go)
=M: (repoN | target | codespan | 'pr' | prN | all | '这' | '样' | '也' | '一并' | part | '到' | num | quote | 'diff' | word | ident | '它' | '这样' | '就这样')
=A: (act | mrg)
self: self (<T> | <M> | again){0,7} <A>
self now: self .{0,8} now (<T> | <M>){0,4} <A>
head: ^ (because | contrast)? <T> (<T> comma?)* (<T> | <M>){0,5} <A>
pr: (self | ^) (<T> | <M>){0,6} open (num | meas | le | '个' | '一' | '一个'){0,2} .{0,2} prN
run: (self | ^) (<T> | <M>){0,5} (go | '执行') .{0,2} actcmd
ba: (<A> | open .{0,3} prN) .{0,6} lets
bare: ^ <A> (target | codespan | '到' | 'main')* $
tag: (self | ^ <T>) <T>{0,5} ('打' | '打上' | '打个' | '打一个') .{0,3} prN
ask: <A> .{0,4} ask
merge pr: (self | ^ <T>) <T>{0,5} (act | mrg) .{0,3} prN
`

// proposal is one place where the message announces an act or calls for it.
type proposal struct {
	s    *Sentence
	c    *Clause
	rule string
	from int // token of the clause where the rule began
	to   int
	// waits tells that the act waits for something: a step, a time, an approval.
	waits, asked bool
}

// proposals finds the places where the message proposes an act.
func (d *Document) proposals() []proposal {
	var out []proposal
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if d.Parts[s.Part].Kind == Heading {
			continue
		}
		for j := range s.Clauses {
			if p, ok := d.propose(s, j, i); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// propose reads one clause.
func (d *Document) propose(s *Sentence, j, at int) (proposal, bool) {
	c := &s.Clauses[j]
	if !has(c.tokens, "actB", "actG", "actP", "mrgB", "mrgG", "mrgP", "openB", "openG", "startB", "startG", "depN", "act", "mrg", "actcmd", "prN", "relN", "repoN", "pron") {
		return proposal{}, false
	}
	if c.Link == "before" || has(s.allTokens(), "retract") && !s.Steering {
		return proposal{}, false
	}
	toks := trimmed(c.tokens)
	for _, p := range acts.of(c.Lang) {
		from, to, ok := p.find(toks)
		if !ok || !d.stands(s, j, at, p.name, toks, from, to) {
			continue
		}
		pr := proposal{s: s, c: c, rule: p.name, from: from, to: to}
		pr.waits, pr.asked = waits(s, j, toks, from, to)
		return pr, true
	}
	return proposal{}, false
}

func (s *Sentence) allTokens() []token { return s.tokens }

// trimmed leaves out punctuation at both ends.
func trimmed(toks []token) []token {
	for len(toks) > 0 && toks[0].is("comma", "stop", "dash", "paren", "end") {
		toks = toks[1:]
	}
	for len(toks) > 0 && toks[len(toks)-1].is("comma", "stop", "dash", "paren") {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// stands tells that nothing in or around the clause takes the match back: a
// negation, another actor, an object that is no repository's, a report of what
// was said, a noun use.
func (d *Document) stands(s *Sentence, j, at int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	head, rest := toks[:to], toks[to:]
	if to > 0 {
		head = toks[:max(0, actAt(toks, from, to))]
	}
	if c.Lang == English && has(head, "neg") || has(head, "saidthat") && !strings.HasPrefix(rule, "te") {
		return false
	}
	if saidBefore(s, j) {
		return false
	}
	near := rest[:min(len(rest), 4)]
	for i, t := range near {
		if t.is("proof", "so", "because") || t.word == "as" || t.word == "under" || t.word == "using" || t.word == "and" || t.word == "in" {
			near = near[:i]
			break
		}
	}
	if c.Lang == Japanese && has(toks[:from], "domain") && !has(toks, "target", "prN", "repoN", "codespan") {
		return false
	}
	if has(toks[from:to], "domain") && c.Lang != Japanese || has(near, "domain") && !has(near, "target") && !has(toks, "target", "prN") {
		return false
	}
	switch c.Lang {
	case English:
		return d.standsEnglish(s, j, at, rule, toks, from, to)
	case Japanese:
		return standsJapanese(s, j, rule, toks, from, to)
	default:
		return standsChinese(s, j, rule, toks, from, to)
	}
}

// actAt gives the token of the act itself within a match.
func actAt(toks []token, from, to int) int {
	for i := to - 1; i >= from; i-- {
		if toks[i].is("actB", "actG", "mrgB", "mrgG", "openB", "openG", "startB", "startG", "act", "mrg", "actcmd", "getB", "actP") && !(toks[i].is("depN") && i > from && toks[i-1].is("startB", "startG", "det")) {
			return i
		}
	}
	return from
}

// saidBefore tells that an earlier clause of the sentence reports speech.
func saidBefore(s *Sentence, j int) bool {
	for k := range j {
		c := &s.Clauses[k]
		if has(c.tokens, "saidthat") && c.Lang == English && c.Actor != User {
			return true
		}
	}
	return false
}

func (d *Document) standsEnglish(s *Sentence, j, at int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	rest := toks[to:]
	if len(rest) > 0 && rest[0].is("merely") && has(toks[from:to], "actB") || has(toks[from:to], "modal") && !has(toks[from:to], "fut") {
		return false
	}
	item := d.Parts[s.Part].Kind == Item
	timed := has(toks, "now", "next")
	switch rule {
	case "shall":
		return s.Mood == Question
	case "doing", "and doing":
		if has(rest, "fin", "beN", "have", "bePast") || len(rest) > 0 && rest[0].is("merely") {
			return false
		}
		// "Committing the lock file, on the other hand, …" goes on after the comma.
		if !timed && (item || goesOn(s, j)) && !has(toks[:from+1], "intro") {
			return false
		}
		return c.Link == "" || c.Link == "but" || c.Link == "because"
	case "call", "call now", "nominal":
		if item || c.Link != "" || j > 0 && !onlyIntro(s.Clauses[j-1]) && rule == "nominal" {
			return false
		}
		if rule == "nominal" && has(toks[from:], "merely", "other") {
			return false
		}
		return rule != "call now" || timed || has(toks, "intro") && !has(rest, "fin")
	case "passive", "goes":
		return timed && !has(rest, "by") && !hasWord(rest, "by", "automatically", "every", "each") && !has(toks[:from], "other")
	case "dropped subject":
		return !item || timed
	}
	return true
}

func onlyIntro(c Clause) bool {
	for _, t := range c.tokens {
		if !t.is("intro", "next", "adv", "now", "comma", "det", "poss", "beN") {
			return false
		}
	}
	return true
}

func hasWord(toks []token, words ...string) bool {
	for _, t := range toks {
		for _, w := range words {
			if t.word == w {
				return true
			}
		}
	}
	return false
}

// goesOn tells that the sentence goes on after clause j with a clause that is
// joined by a comma alone.
func goesOn(s *Sentence, j int) bool {
	if j+1 >= len(s.Clauses) {
		return false
	}
	next := s.Clauses[j+1]
	end := s.Clauses[j].tokens[len(s.Clauses[j].tokens)-1].end
	gap := strings.TrimSpace(next.Text[:0])
	_ = gap
	for _, t := range s.tokens {
		if t.start >= end && t.start < next.Start {
			return t.is("comma")
		}
	}
	return false
}

func standsJapanese(s *Sentence, j int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	if rule == "te, first" {
		return laterCheck(s, j)
	}
	if rule == "te" {
		// "Commit, then test": the act comes first and the check after it.
		return c.Link == "after" && laterCheck(s, j)
	}
	head := toks[:from]
	if has(toks, "passive", "please", "want", "ask") || c.Mood == Question {
		return c.Mood == Question && rule == "ask"
	}
	if c.Link == "if" || c.Link == "after" && !laterCheck(s, j) {
		return false
	}
	// A subject that is not the writer: "X が", "CI は".
	for i := range head {
		if i == 0 {
			continue
		}
		noun := toks[i-1]
		if toks[i].is("ga") && !noun.is("self") || toks[i].is("wa", "mo") && (noun.is("other") || !noun.is("self", "repoN", "prN", "now", "thistime", "target", "codespan", "later", "first", "after", "rest", "testN", "act", "mrg")) {
			return false
		}
	}
	if j > 0 && s.Clauses[j-1].Link == "" {
		prev := trimmed(s.Clauses[j-1].tokens)
		if n := len(prev); n > 1 && prev[n-1].is("wa") && !prev[n-2].is("self", "repoN", "prN", "now", "thistime", "target", "later", "testN") {
			return false
		}
	}
	return !hasWord(toks, "自動で", "自動的に", "毎回", "常に")
}

// laterCheck tells that a clause after j checks or tests something.
func laterCheck(s *Sentence, j int) bool {
	for k := j + 1; k < len(s.Clauses); k++ {
		if has(s.Clauses[k].tokens, "verV", "verN", "verB", "tests") {
			return true
		}
	}
	return false
}

func standsChinese(s *Sentence, j int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	at := actAt(toks, from, to)
	if c.Link == "if" && !has(toks, "self") {
		return false
	}
	before := toks[:at]
	if hasWord(toks, "即可", "便可", "就能", "就会", "才能") {
		return false
	}
	if i := index(before, "other"); i > 0 && before[i-1].is("ba") {
		before = before[i+1:]
	}
	// "Without a test I simply push" negates the test.
	if has(before[max(0, len(before)-3):], "neg") && !hasWord(before, "就") || has(before, "done", "meas", "other") {
		return false
	}
	if i := index(before, "user"); i >= 0 {
		return false
	}
	if rule == "bare" {
		if j == 0 {
			return false
		}
		for _, t := range trimmed(s.Clauses[j-1].tokens) {
			if !t.is("now", "lets", "le") {
				return false
			}
		}
		return true
	}
	if rule == "ba" || rule == "ask" {
		return rule == "ba" || c.Mood == Question
	}
	after := at + 1
	if after < len(toks) && (toks[after].is("merely") || toks[after].is("le") && !has(toks[after:], "lets")) && rule != "pr" {
		return false
	}
	return true
}

// waits tells whether the act of a match waits for a step, a time or a word of
// the user.
func waits(s *Sentence, j int, toks []token, from, to int) (later, asked bool) {
	c := &s.Clauses[j]
	later = c.Tense == Later && waitedFor(s, j) || c.Tense == Conditional
	at := actAt(toks, from, to)
	// A time word behind "and" belongs to the second verb, and so does a wait that
	// follows it: "merging now and will test it once it is live".
	span := toks
	for i := at + 1; i < len(toks); i++ {
		if toks[i].word == "and" || toks[i].word == "then" {
			span = toks[:i]
			if later && has(toks[i:], "fut", "verB", "verG") && waitFollows(s, j) {
				later = false
			}
			break
		}
	}
	if has(span, "later") && !(c.Lang == Chinese && !has(toks[:at+1], "later")) {
		later = true
	}
	// "Run the tests and commit": a check comes first.
	if has(toks[from:at], "verB", "tests", "verV") && c.Lang == English && !toks[at].is("actcmd") {
		later = true
	}
	if c.Lang == Chinese && (has(toks[:at], "wait") || has(toks[:at], "again") && !has(toks[:at], "now")) {
		later = true
	}
	for k := range s.Clauses {
		o := &s.Clauses[k]
		if (o.Link == "after" || o.Link == "if") && has(o.tokens, "approve", "askme") && (has(o.tokens, "user", "askme") || c.Lang != English) && !has(o.tokens, "verdict") {
			asked = true
		}
	}
	return later, asked
}

// waitFollows tells that what the sentence waits for stands behind clause j only.
func waitFollows(s *Sentence, j int) bool {
	for k := range s.Clauses {
		if s.Clauses[k].subordinate() && k < j {
			return false
		}
	}
	return true
}

// waitedFor tells that a clause beside j says what it waits for.
func waitedFor(s *Sentence, j int) bool {
	for k := range s.Clauses {
		if k != j && (s.Clauses[k].Link == "after") {
			return true
		}
	}
	return false
}

// runsNow tells a sentence that announces that the block below it runs now.
func runsNow(s *Sentence) bool {
	if s.Mood == Question || len(s.Clauses) == 0 {
		return false
	}
	c := &s.Clauses[len(s.Clauses)-1]
	if has(c.tokens, "neg", "user", "modal") || c.Link == "if" {
		return false
	}
	_, _, _, ok := match(announces.of(s.Lang), trimmed(c.tokens))
	return ok
}

// runsThat tells a sentence that says that the block above it runs now.
func runsThat(s *Sentence) bool {
	return s.Lang == English && s.Mood != Question && has(s.tokens, "runG", "runB") && has(s.tokens, "now", "next") && has(s.tokens, "self", "lets") && has(s.tokens, "pron") && !has(s.tokens, "neg", "user", "modal")
}

var announces = tables{
	en: sync.OnceValue(func() []pattern {
		return rules(`
will: self adv* beN? adv* fut .{0,4} (runB | actB | mrgB | startB | openB)
doing: self beN adv* proceed? (runG | actG | startG | openG | mrgG)
now doing: ^ (intro comma?)* adv* (runG | actG | startG | openG | mrgG)
lets: lets adv* (runB | actB | mrgB | startB | openB)
dropped: ^ (intro comma?)* fut (runB | actB | mrgB | startB)
command: ^ (next | now) .{0,4} (command | commands)? $
`)
	}),
	ja: sync.OnceValue(func() []pattern {
		return rules(`
run: (obj | part)? (go | do | make) aux{0,2} (np | vol) $
act: (act | mrg) (obj | part)? do aux{0,2} (np | vol) $
`)
	}),
	zh: sync.OnceValue(func() []pattern {
		return rules(`
run: (self | now | want) .{0,4} (go | act | mrg)
`)
	}),
}

// readCommit reads for commit-before-verification.
func (d *Document) readCommit(r *Reading) {
	last := -1
	waiting, asked, plain := 0, 0, 0
	for _, p := range d.proposals() {
		r.Proposal = Yes
		last = p.c.Start
		if p.s.Mood == Question || has(p.s.tokens, "askme", "askif") {
			p.asked = true
		}
		says := "proposal"
		switch {
		case p.asked:
			asked++
			says = "proposal, left to the user"
		case p.waits:
			waiting++
			says = "proposal, as a later step"
		default:
			plain++
		}
		r.noteClause(p.c, says, p.rule)
	}
	for _, p := range d.Parts {
		if p.Kind == Code && p.Announced && changesSharedBlock(d.Text[p.Start:p.End]) {
			r.Proposal, last = Yes, p.Start
			plain++
			r.Notes = append(r.Notes, Note{p.Start, p.End, "proposal", "announced commands"})
		}
	}
	if r.Proposal == Yes && plain == 0 && waiting > 0 {
		r.Sequenced = Yes
	}
	if asked > 0 {
		r.Asked = Yes
	}
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering {
			continue
		}
		if rule, ok := d.asksUser(s); ok {
			r.Asked = Yes
			r.note(s, 0, 0, "question to the user", rule)
		}
		if s.Start > last && last >= 0 && withdraws(s) {
			r.Retracted, r.Proposal = Yes, No
			r.note(s, 0, 0, "retraction", "retract")
		}
	}
	d.verification(r)
}

// changesSharedBlock reads the lines of a code block as commands.
func changesSharedBlock(block string) bool {
	_, body, _ := strings.Cut(block, "\n")
	return changesShared(body)
}

// withdraws tells a sentence that takes back what was announced before it.
func withdraws(s *Sentence) bool {
	toks := s.tokens
	if has(toks, "retract") && (s.Lang != English || has(toks, "self", "poss") || toks[0].is("retract")) {
		return true
	}
	if has(toks, "withhold") && has(toks, "act", "mrg") {
		return true
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		if c.Actor == Self && c.Negated && has(c.tokens, "actB", "actG", "act", "mrgB", "mrgG") && c.Tense != Past && !has(c.tokens, "have", "done", "pt") {
			return true
		}
	}
	return false
}

// asksUser tells a sentence that leaves a choice to the user.
func (d *Document) asksUser(s *Sentence) (string, bool) {
	toks := s.tokens
	if d.Parts[s.Part].Kind == Heading {
		return "", false
	}
	if s.Mood == Question && !has(toks, "anyq") {
		return "question", true
	}
	if has(toks, "askif", "askme") && (s.Lang == English || !has(toks, "userverify") || has(toks, "approve")) {
		return "asks for a word", true
	}
	return "", false
}
