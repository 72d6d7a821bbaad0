package prose

import (
	"slices"
	"strings"
)

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
		planned := d.planned(i)
		for j := range s.Clauses {
			if p, ok := d.propose(s, j); ok {
				p.waits = p.waits || planned
				out = append(out, p)
			}
		}
	}
	return out
}

// propose reads one clause.
func (d *Document) propose(s *Sentence, j int) (proposal, bool) {
	c := &s.Clauses[j]
	if !(c.Lang == Japanese && has(c.tokens, "target") && has(c.tokens, "make", "put")) && !has(c.tokens, "actB", "actG", "actP", "mrgB", "mrgG", "mrgP", "openB", "openG", "startB", "startG", "depN", "act", "mrg", "actcmd", "prN", "relN", "repoN", "pron") {
		return proposal{}, false
	}
	if c.Link == "before" || has(s.tokens, "retract") && !s.Steering || habitual(s, j) {
		return proposal{}, false
	}
	toks := trimmed(c.tokens)
	for _, p := range acts.of(c.Lang) {
		from, to, ok := p.find(toks)
		if !ok || !d.stands(s, j, p.name, toks, from, to) {
			continue
		}
		pr := proposal{s: s, c: c, rule: p.name, from: from, to: to}
		pr.waits, pr.asked = waits(s, j, toks, from, to)
		return pr, true
	}
	return proposal{}, false
}

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
func (d *Document) stands(s *Sentence, j int, rule string, toks []token, from, to int) bool {
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
	if c.Lang == Japanese && has(toks[:from], "domain") && !has(toks, "target", "prN", "repoN") && !toward(toks) || c.Lang == Japanese && within(toks[:from]) {
		return false
	}
	if has(toks[from:to], "domain") && c.Lang != Japanese || has(near, "domain") && !has(near, "target") && !has(toks, "target", "prN") {
		return false
	}
	switch c.Lang {
	case English:
		return d.standsEnglish(s, j, rule, toks, from, to)
	case Japanese:
		return standsJapanese(s, j, rule, toks, from)
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
		if c.Lang == English && has(c.tokens, "rule") && hasWord(c.tokens, "write", "say", "phrases", "examples", "lists", "sentences", "prohibited") {
			return true
		}
		if has(c.tokens, "saidthat") && c.Lang == English && c.Actor != User {
			return true
		}
	}
	return false
}

func (d *Document) standsEnglish(s *Sentence, j int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	rest := toks[to:]
	if len(rest) > 0 && rest[0].is("merely") && (has(toks[from:to], "actB") || toks[to-1].is("depN")) || len(rest) > 0 && rest[0].is("other") && toks[to-1].is("depN") || has(toks[from:to], "modal") && !has(toks[from:to], "fut") {
		return false
	}
	item := d.Parts[s.Part].Kind == Item
	timed := has(toks, "now", "next") || endsWith(toks, "first")
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
	case "command":
		return !item && j > 0 && c.Link == "" && onlyIntro(s.Clauses[j-1]) && has(s.Clauses[j-1].tokens, "next", "now")
	case "call", "call now", "nominal":
		if subjectBefore(s, j) || hasWord(rest, "you") {
			return false
		}
		if item || c.Link != "" || j > 0 && !onlyIntro(s.Clauses[j-1]) && rule == "nominal" {
			return false
		}
		if rule == "nominal" && has(toks[from:], "merely", "other") {
			return false
		}
		return rule != "call now" || timed || has(toks, "intro") && !has(rest, "fin")
	case "passive", "goes":
		if hasWord(toks[:to], "being") || mayBefore(s, j, toks[:from]) {
			return false
		}
		return timed && !has(rest, "by") && !hasWord(rest, "by", "with", "during", "nightly", "overnight", "automatically", "every", "each") && !has(toks[:from], "other")
	case "dropped subject":
		return !item || timed
	}
	return true
}

// subjectBefore tells that an earlier clause of the sentence gives the act a
// subject that is not the writer: "This will validate, version and publish".
func subjectBefore(s *Sentence, j int) bool {
	for k := range j {
		toks := trimmed(s.Clauses[k].tokens)
		if len(toks) > 1 && hasWord(toks[:1], "this", "that", "it", "which") && toks[1].is("fut", "modal") {
			return true
		}
	}
	return false
}

// mayBefore tells that what somebody can do leads to the act: a consequence.
func mayBefore(s *Sentence, j int, head []token) bool {
	for k := range j {
		if hasWord(s.Clauses[k].tokens, "can", "could", "may") && !has(s.Clauses[k].tokens, "self") {
			return true
		}
	}
	return hasWord(head, "can", "could", "may")
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
		if slices.Contains(words, t.word) {
			return true
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
	for _, t := range s.tokens {
		if t.start >= end && t.start < next.Start {
			return t.is("comma")
		}
	}
	return false
}

// writerEnds tells that the sentence ends behind clause j with what the writer
// does: a verb that is neither passive nor somebody else's.
func writerEnds(s *Sentence, j int) bool {
	for k := j + 1; k < len(s.Clauses); k++ {
		if toks := s.Clauses[k].tokens; has(toks, "passive") || s.Clauses[k].Link == "if" || has(toks, "ga") && !has(toks, "self") {
			return false
		}
	}
	last := trimmed(s.Clauses[len(s.Clauses)-1].tokens)
	return len(last) > 0 && !strings.HasSuffix(strings.TrimRight(s.Clauses[len(s.Clauses)-1].Text, ":： "), "確認")
}

func standsJapanese(s *Sentence, j int, rule string, toks []token, from int) bool {
	c := &s.Clauses[j]
	if rule == "te, then" {
		return j+1 < len(s.Clauses) && hasWord(s.Clauses[j+1].tokens, "その後", "そのあと", "後で", "あとで", "この後") && laterCheck(s, j)
	}
	if rule == "te, first" {
		return laterCheck(s, j)
	}
	if rule == "te" {
		// "Commit, then test": the act comes first and the writer's check after it. What
		// something does by itself afterwards is no check of the writer's.
		return c.Link == "after" && laterCheck(s, j) && writerEnds(s, j)
	}
	if strings.Contains(c.Text, "ています") || strings.Contains(c.Text, "ております") {
		return false // it tells what has been done, or goes on
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
		if toks[i].is("ga") && strings.Contains(s.purpose(toks[i:from]), "ように") {
			continue
		}
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
	// "各サービスが … し、タグを打ちます": the subject stands in an earlier clause.
	for k := range j {
		if o := s.Clauses[k].tokens; !has(o, "self") {
			for i := 1; i < len(o); i++ {
				if o[i].is("wa") && o[i-1].is("other") {
					return false
				}
			}
		}
		if l := s.Clauses[k].Link; (l == "" || l == "after" || l == "if") && has(s.Clauses[k].tokens, "ga") && !has(s.Clauses[k].tokens, "self") {
			return false
		}
	}
	return !hasWord(toks, "自動で", "自動的に", "毎回", "常に")
}

// purpose joins the words between a subject and the act: a subject before
// "ように" belongs to the purpose ("チームが試せるように"), not to the act.
func (s *Sentence) purpose(toks []token) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.word)
	}
	return b.String()
}

// toward tells "`develop` に": inline code that the act goes to.
func toward(toks []token) bool {
	for i := 1; i < len(toks); i++ {
		if toks[i-1].is("codespan") && (toks[i].word == "に" || toks[i].word == "へ") {
			return true
		}
	}
	return false
}

// within tells "`merge_dicts` で": what a function does, not the writer.
func within(toks []token) bool {
	for i := 1; i < len(toks); i++ {
		if toks[i].word == "で" && toks[i-1].is("codespan") && !toks[i-1].is("target", "sha", "actcmd", "testcmd") {
			return true
		}
	}
	return false
}

// laterCheck tells that a clause after j checks or tests something.
func laterCheck(s *Sentence, j int) bool {
	for k := j + 1; k < len(s.Clauses); k++ {
		if has(s.Clauses[k].tokens, "verV", "verN", "verB", "tests", "dousa", "pass") {
			return true
		}
	}
	return false
}

// runsNext tells that the next clause says that what j names is done now:
// "提交，现在执行".
func (s *Sentence) runsNext(j int) bool {
	if j+1 >= len(s.Clauses) {
		return false
	}
	n := trimmed(s.Clauses[j+1].tokens)
	return len(n) <= 3 && has(n, "now") && has(n, "go") && !has(n, "act", "mrg", "neg")
}

func standsChinese(s *Sentence, j int, rule string, toks []token, from, to int) bool {
	c := &s.Clauses[j]
	at := actAt(toks, from, to)
	if c.Link == "if" && !has(toks, "self") || c.Link == "after" && !laterCheck(s, j) {
		return false
	}
	if j > 0 && s.Clauses[j-1].seg == c.seg && s.Clauses[j-1].Actor == User && s.Clauses[j-1].subordinate() && !has(toks, "self") {
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
	if has(before[max(0, len(before)-3):], "neg") && !hasWord(before, "就") || has(before, "done", "other") || has(before[max(0, len(before)-2):], "meas") && rule != "make" {
		return false
	}
	if i := index(before, "user"); i >= 0 || has(before, "config") {
		return false
	}
	// "每个服务会推送，然后打标签": the subject stands in an earlier clause.
	for k := range j {
		o := s.Clauses[k].tokens
		if s.Clauses[k].seg == c.seg && has(o, "hui", "other") && has(o, "act", "mrg") && !has(o, "self") && !has(toks, "self") {
			return false
		}
	}
	if rule == "act, now" {
		return s.runsNext(j)
	}
	if rule == "bare" {
		if j == 0 {
			return false
		}
		if o := s.Clauses[j-1].tokens; has(o, "pass") && !has(o, "neg", "fail") || has(o, "nofail") {
			return true
		}
		for _, t := range trimmed(s.Clauses[j-1].tokens) {
			if !t.is("now", "lets", "le") {
				return false
			}
		}
		return true
	}
	if rule == "ba" && at+1 < len(toks) && toks[at+1].is("merely") {
		return false
	}
	if rule == "ba" || rule == "ask" {
		return rule == "ba" || c.Mood == Question
	}
	if rule == "ba first" {
		for _, t := range toks[at+1:] {
			if !t.is("le", "lets", "target", "codespan") && t.word != "到" && t.word != "上" && t.word != "去" {
				return false
			}
		}
		return true
	}
	after := at + 1
	if after < len(toks) && (toks[after].is("merely") || toks[after].is("le") && !has(toks[after:], "lets") && !s.runsNext(j) && !(after == len(toks)-1 && hasWord(before, "就", "这就", "那就") && hasWord(before, "那", "那我", "那就", "这就"))) && rule != "pr" {
		return false
	}
	return true
}
