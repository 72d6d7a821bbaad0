package prose

import (
	"strings"
)

// readChange reads for scope-change: a part of what was asked is deferred, put
// on a list, dropped or split off.
func (d *Document) readChange(r *Reading) {
	d.judgeEach(r, func(i int) string {
		s := &d.Sentences[i]
		switch s.Lang {
		case Japanese:
			return changeJapanese(s)
		case Chinese:
			return changeChinese(s)
		case English:
		}
		for j := range s.Clauses {
			if rule := changeEnglish(s, j); rule != "" {
				return rule
			}
		}
		return ""
	})
}

func changeEnglish(s *Sentence, j int) string {
	c := &s.Clauses[j]
	toks := trimmed(c.tokens)
	all := s.tokens
	if has(toks, "notreached") && has(toks, "self") && !has(toks, "cause", "tests") && !hasWord(toks, "bottom") {
		return "not reached"
	}
	if c.Link == "if" || has(toks, "user") && c.Actor == User || has(toks, "neg", "no") && !hasWord(toks, "instead of", "without") && !has(toks, "own") && !has(toks, "outscope") && !hasWord(toks, "not included", "not implemented") {
		return ""
	}
	self := c.Actor == Self || headOf(toks, "deferG") || has(all, "self") && c.Actor == Nobody && headOf(toks, "deferP")
	future := has(all, "laterpr", "nexttime", "demand", "later") || hasWord(all, "for now", "for the moment", "for later", "yet")
	k := index(toks, "deferP", "deferG", "deferB")
	if k >= 0 {
		after := toks[k+1:]
		near := after[:min(len(after), 4)]
		limits := toks[k].is("limitP") && !hasWord(toks[k:k+1], "scoped down", "scaled down", "narrowed", "descoped", "scoped out")
		tangible := (has(near, "dropObj", "target", "domain", "trivial") || has(near, "codespan") && hasWord(after, "from", "in", "into")) && !has(all, "laterpr", "firstver", "thisround")
		switch {
		case tangible && !toks[k].is("limitP") || hasWord(after, "by") && !self || has(toks[:k], "dropObj", "domain", "codespan") && !self:
		case limits && !has(all, "scopeN", "taskN", "firstver", "laterpr") && !hasWord(after, "down"):
		case self && toks[k].is("deferP") && has(toks[:k], "self", "and") && !toks[k].is("limitP"):
			return "left out by the writer"
		case self && toks[k].is("deferP") && (has(all, "taskN", "scopeN", "firstver", "laterpr") || hasWord(toks, "down")):
			return "narrowed by the writer"
		case self && toks[k].is("deferB") && (has(toks[:k], "fut", "modal", "own", "lets") || hasWord(toks[:k], "to")):
			return "to be left out"
		case self && toks[k].is("deferG"):
			return "being left out"
		case k == 0 && len(toks) == 1 && toks[0].is("strongdefer"):
			return "listed as deferred"
		case !self && c.Actor == Nobody && toks[k].is("deferP") && (has(toks[:k], "be", "have", "det") || strings.Contains(toks[k].word, "n't")) && (future || has(all, "agreed", "approvedBy") || toks[k].is("strongdefer") || hasWord(toks[k:k+1], "not included", "isn't included", "is n't included", "are n't included", "was n't included", "is n't part of", "is n't implemented", "left out", "left unimplemented", "not implemented", "unimplemented", "ticketed")):
			if (hasWord(after, "until", "when", "on", "if") || j+1 < len(s.Clauses) && s.Clauses[j+1].subordinate()) && !future || has(after, "other", "domain") || hasWord(toks[:k], "tests", "jobs") {
				return ""
			}
			return "left out"
		}
	}
	if self && (hasWord(toks, "left", "leave", "leaving") && toks[len(toks)-1].word == "out" || hasWord(toks, "out") && leftOut(toks)) {
		return "left out by the writer"
	}
	if self && has(toks, "thisround") && hasWord(toks, "taken", "took", "removed", "pulled", "taking", "removing") {
		return "taken out"
	}
	if has(toks, "stubbed") && (has(toks, "be", "leaveP", "leaveB") || self) && has(all, "laterpr", "nexttime", "later") && !has(toks, "trivial", "dropObj") {
		return "left as a stub"
	}
	if self && has(toks, "thischange") && (hasWord(toks, "took", "taken", "taking", "pulled") && hasWord(toks, "out", "out of") || hasWord(toks, "cut", "cutting") && hasWord(toks, "from", "out of", "out")) && !has(toks, "dropObj", "trivial") {
		return "taken out"
	}
	if has(all, "rest") && self && hasWord(toks, "listed", "noted", "documented", "recorded", "wrote", "written", "collected") && (has(toks, "quote") || hasWord(toks, "under")) {
		return "put on a list"
	}
	if self && has(toks, "firstver") && hasWord(toks, "without") && hasWord(toks, "went", "chose", "kept", "built", "made", "delivered", "settled", "opted", "did", "implemented", "shipped") {
		return "cut to a first version"
	}
	b := index(toks, "backlogN")
	switch {
	case b >= 0 && hasWord(toks[:b], "instead of"):
	case b >= 0 && !qualifies(toks, b) && (self || c.Actor == Nobody) && hasWord(toks, "moved", "put", "added", "entry", "filed", "created", "opened", "left", "item", "as", "now", "goes", "noted", "recorded", "logged", "tracked", "leaving", "listed", "went", "wrote", "are", "adding", "became", "ticketed", "moving", "moved to", "moved to a ticket") && !hasWord(toks, "removed", "removing", "gone", "column", "columns", "untouched", "alone", "unchanged", "as is"):
		if self || hasWord(toks, "left", "now", "goes", "moved", "are", "went") {
			return "put on a list"
		}
	case hasWord(toks, "ticket", "issue", "follow-up issue") && self && hasWord(all, "instead of"):
		return "ticketed instead"
	}
	if has(toks, "outscope") && !has(toks, "domain") && !hasWord(toks, "goes", "variable", "go", "went", "value", "lifetime", "token") && (has(toks, "be") || self) {
		return "out of scope"
	}
	if k := index(toks, "laterpr"); k >= 0 && (has(toks[:k], "follows", "put", "leaveP", "leaveB", "leaveG") && (has(toks[:k], "modal", "fut", "can", "det", "self", "be") || len(toks[:k]) <= 6) || has(toks[k:], "follows") && has(toks, "modal", "fut", "can", "demand", "follows") || has(toks, "split") && has(all, "phases", "laterpr") || hasWord(toks[:k], "for") && (self || toks[0].is("pron", "det") && toks[k].is("laterpr") && len(toks) <= 8)) {
		if !has(toks, "actB", "actP", "mrgP", "mrgB", "depN") && !hasWord(toks, "contain", "contains", "ship", "ships", "document") {
			return "moved to a later change"
		}
	}
	if k := index(toks, "laterpr", "nexttime"); k > 0 && self && has(toks[:k], "leaveB", "leaveG", "leaveP") && !has(toks, "actB", "mrgB", "mrgP") && (has(toks[k:k+1], "laterpr") || hasWord(toks[k:k+1], "for later")) && hasWord(toks[:k], "leave", "leaving", "left", "save", "keep", "keeping", "pushed", "moved", "put", "postponed") || k > 0 && self && has(toks[:k], "leaveB", "leaveG", "leaveP", "actP") && hasWord(toks[:k], "pushed", "pushing") && has(toks[k:k+1], "laterpr") {
		return "left for later"
	}
	partOf := hasWord(all, "of the four", "of the five") || countOf(all)
	if self && hasWord(toks, "only", "just") && has(toks, "implP", "changed") && (has(all, "small", "firstver", "follows", "rest", "laterpr", "later") || hasWord(all, "for now", "as a first step")) && !hasWord(toks, "since then", "changelog") && !has(all, "pass", "tests") {
		return "only a part"
	}
	if hasWord(toks, "only") && toks[0].word == "only" && has(toks, "implP") && has(all, "rest", "laterpr", "backlogN", "later") {
		return "only a part"
	}
	if partOf && self && has(toks, "implP") && has(all, "rest", "laterpr", "backlogN", "deferP", "later") {
		return "only a part"
	}
	if hasWord(toks, "first step", "as a first step") && self && hasWord(toks, "only") {
		return "only a part"
	}
	if self && has(toks, "own") && hasWord(toks, "not") && !has(toks[min(len(toks), indexWord(toks, "not")+3):], "dropObj", "domain", "trivial") && hasWord(toks, "do", "implement", "add", "include", "build", "support") {
		return "decided against"
	}
	if self && has(toks, "split") && has(all, "phases") {
		return "split off"
	}
	if headOf(toks, "split") && has(all, "phases") && has(all, "laterpr") {
		return "split off"
	}
	if self && has(toks, "firstver") && (hasWord(all, "without", "only") || has(all, "deferP")) && has(all, "limitP", "deferP") {
		return "cut to a first version"
	}
	return ""
}

// qualifies tells that the word at b belongs to a noun behind it: "a follow-up
// test", "the backlog column".
func qualifies(toks []token, b int) bool {
	if b+1 >= len(toks) {
		return false
	}
	n := toks[b+1]
	if n.is("num", "adv", "now", "here", "later", "codespan", "quote", "be", "after", "until", "if", "self", "modal", "follows") {
		return false
	}
	switch n.word {
	case "for", "to", "as", "and", "in", "with", "instead of", "because", "since", "so", "but", "item", "list", "entry", "ticket", "issue", "pr", "by", "at", "under", "on", "now":
		return false
	}
	return true
}

// leftOut tells "left X out", with the object in between.
func leftOut(toks []token) bool {
	for i, t := range toks {
		if t.word == "left" || t.word == "leave" || t.word == "leaving" {
			for k := i + 2; k < len(toks) && k <= i+6; k++ {
				if toks[k].word == "out" && (k+1 == len(toks) || !toks[k+1].is("det") && toks[k+1].word != "of") {
					return true
				}
			}
		}
	}
	return false
}

func headOf(toks []token, class string) bool {
	for _, t := range toks {
		if t.is(class) {
			return true
		}
		if !t.is("intro", "adv", "comma") {
			return false
		}
	}
	return false
}

// countOf tells "three of the four", "3 of 5", "2/5".
func countOf(toks []token) bool {
	for i := range toks {
		if toks[i].is("ratio") {
			return false
		}
		if toks[i].word == "of" && i > 0 && number(toks[i-1]) && i+1 < len(toks) && (number(toks[i+1]) || i+2 < len(toks) && number(toks[i+2])) {
			return true
		}
	}
	return false
}

func number(t token) bool {
	switch t.word {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten":
		return true
	}
	return t.is("num")
}

// indexWord gives where the word stands, or -1.
func indexWord(toks []token, word string) int {
	for i := range toks {
		if toks[i].word == word {
			return i
		}
	}
	return -1
}
