package prose

import (
	"strings"
)

// readReproduction reads for bugfix-without-reproduction.
func (d *Document) readReproduction(r *Reading) {
	guess, change := -1, -1
	reverted, repro := -1, -1
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering || d.Parts[s.Part].Kind == Heading && !has(s.tokens, "repro") {
			continue
		}
		if has(s.tokens, "reverted") && (s.Lang != English || has(s.tokens, "self", "pastplan", "poss")) {
			reverted = i
		}
		if has(s.tokens, "notbug") {
			r.note(s, 0, 0, "no bug fix", "said so")
			return
		}
		if reproduced(s) && repro < 0 {
			repro = i
		}
		g, ch := guesses(s), changes(s)
		if g && guess < 0 && (ch && guessFirst(s) || i+1 < len(d.Sentences) && changes(&d.Sentences[i+1])) {
			guess = i
		}
		if ch && change < 0 {
			change = i
		}
	}
	if reverted >= 0 {
		r.Retracted = Yes
		r.note(&d.Sentences[reverted], 0, 0, "taken out again", "reverted")
		return
	}
	if repro >= 0 {
		s := &d.Sentences[repro]
		r.note(s, 0, 0, "reproduction or class", "said so")
		if has(s.tokens, "declared", "quote") {
			return
		}
		r.Claims = append(r.Claims, Claim{Kind: ClaimReproduced, Text: d.Text[s.Start:s.End], Start: s.Start, End: s.End})
		if change >= 0 || guess >= 0 || hasWord(s.tokens, "edit", "change", "fix") || d.mentions("changed", "fixStrict", "fixed") {
			r.IfUntrue = Yes
		}
		return
	}
	why, at := "", -1
	switch {
	case guess >= 0:
		why, at = "changed on a guess", guess
	case change >= 0 && d.leavesCheck() >= 0:
		why, at = "reproduction left to the user", d.leavesCheck()
	case change >= 0 && d.saysUnreproduced() >= 0:
		why, at = "said to be unreproduced", d.saysUnreproduced()
	default:
		for i := range d.Sentences {
			if d.fixClaim(i) {
				why, at = "fixed, no reproduction told", i
				break
			}
		}
	}
	if at >= 0 {
		r.Proposal = Yes
		r.note(&d.Sentences[at], 0, 0, "proposal", why)
		if s, ok := d.reopened(); ok {
			r.Retracted = Yes
			r.note(&d.Sentences[s], 0, 0, "taken back or left open", "reopened")
		}
		return
	}
	d.quoted(r)
}

// reproduced tells a sentence that tells of a reproduction, its result or class.
func reproduced(s *Sentence) bool {
	return has(s.tokens, "repro") && !has(s.tokens, "norepro") && s.Mood != Question
}

// guessFirst tells that the guess stands before the change that follows from
// it; a guess behind is one about the effect.
func guessFirst(s *Sentence) bool {
	g, c := index(s.tokens, "guess"), -1
	for i := range s.tokens {
		if s.tokens[i].is("changed", "fixed") || s.Lang == English && s.tokens[i].word == "now" {
			c = i
		}
	}
	return c < 0 || g < c
}

// guesses tells a clause that guesses at a cause.
func guesses(s *Sentence) bool {
	if s.Mood == Question {
		return false
	}
	for j := range s.Clauses {
		c := &s.Clauses[j]
		k := index(c.tokens, "guess")
		if k < 0 || c.Actor == User {
			continue
		}
		if s.Lang == English {
			if has(c.tokens, "changed") && c.Actor == Self && !has(c.tokens[:k], "self") || has(c.tokens, "pass") || has(c.tokens, "tests") || has(c.tokens, "actB", "actG", "mrgB", "fut") {
				continue
			}
			if hasWord(c.tokens, "needs", "faster", "easier", "nicer", "cleaner", "clearer", "better", "simpler", "safer", "readable", "sense", "useful", "enough") {
				continue
			}
		} else if has(c.tokens, "act", "mrg", "tests", "pass", "works") || hasWord(c.tokens, "没问题", "問題なさそう") {
			continue
		}
		return true
	}
	return false
}

// changes tells a sentence in which the writer changed the program.
func changes(s *Sentence) bool {
	for j := range s.Clauses {
		c := &s.Clauses[j]
		if s.Lang == English {
			k := index(c.tokens, "changed")
			if k >= 0 && !has(c.tokens, "neg", "fut") && (c.Actor == Self || k == 0) && !hasWord(c.tokens, "changelog", "docs", "test") {
				return true
			}
			if c.Actor == Self && !has(c.tokens, "neg", "fut") && editedWord(c.tokens) {
				return true
			}
			if c.Actor == Self && hasWord(c.tokens, "now") && !has(c.tokens, "fut", "neg") && len(c.tokens) > 3 && c.Tense != Past {
				return true
			}
			continue
		}
		if s.Lang == Chinese && has(c.tokens, "self") && has(c.tokens, "ba") && has(c.tokens, "le") && !has(c.tokens, "neg", "act", "mrg", "tests") {
			return true
		}
		if has(c.tokens, "changed", "fixed") && !hasWord(c.tokens, "していません", "ていません") && !(s.Lang == Japanese && has(c.tokens[index(c.tokens, "changed", "fixed"):], "neg")) && !(s.Lang == Chinese && hasWord(c.tokens, "没有", "还没有", "未", "没")) {
			return true
		}
	}
	return false
}

// editedWord tells "have doubled", "have relaxed": a deed in a word that the
// lexicon does not know, next to its object.
func editedWord(toks []token) bool {
	for i := 1; i < len(toks)-1; i++ {
		if toks[i].class == bit("word") && strings.HasSuffix(toks[i].word, "ed") && toks[i-1].is("have", "self") && toks[i+1].is("det", "pron", "codespan", "poss") {
			switch toks[i].word {
			case "reviewed", "noticed", "investigated", "analysed", "analyzed", "considered", "looked", "studied", "listed", "collected", "summarised", "summarized", "attached", "asked", "copied", "tried", "wanted", "needed", "decided", "started", "finished", "used", "followed", "compared", "measured", "traced", "searched", "opened", "called", "translated", "quoted", "documented", "described", "explained":
				return false
			}
			return true
		}
	}
	return false
}

// leavesCheck gives the sentence that hands the check of a fix to the user.
func (d *Document) leavesCheck() int {
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if has(s.tokens, "userverify") && (has(s.tokens, "bug", "bugN", "fixP", "gone", "fail") || hasWord(s.tokens, "still", "helped", "helps", "scenario", "right", "correct", "wrong", "see if", "works", "crashes", "occurs", "まだ", "直っ", "是否还在", "还", "崩溃", "まだ出", "発生", "正しく", "かどうか", "改善し", "对不对", "好了没", "是否正常", "是否正确", "有没有", "对", "行不行", "好没好", "会不会", "还会", "还会不会", "会出现")) {
			return i
		}
	}
	return -1
}

func (d *Document) saysUnreproduced() int {
	for i := range d.Sentences {
		if has(d.Sentences[i].tokens, "norepro") && d.Sentences[i].Mood != Question {
			return i
		}
	}
	return -1
}
