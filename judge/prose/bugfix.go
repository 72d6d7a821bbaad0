package prose

import "strings"

// fixClaim tells a sentence that reports a bug as fixed, gone or working again.
func (d *Document) fixClaim(i int) bool {
	s := &d.Sentences[i]
	if s.Steering || s.Mood == Question || d.Parts[s.Part].Kind == Heading && !has(s.tokens, "fixStrict") {
		return false
	}
	for j := range s.Clauses {
		c := &s.Clauses[j]
		var ok bool
		switch s.Lang {
		case Japanese:
			ok = d.fixedJapanese(c)
		case Chinese:
			ok = fixedChinese(c)
		default:
			ok = fixedEnglish(s, c)
		}
		if ok {
			return true
		}
	}
	return false
}

func fixedEnglish(s *Sentence, c *Clause) bool {
	toks := trimmed(c.tokens)
	if has(toks, "fut", "user") && !hasWord(toks, "your") || c.Link == "if" || c.Link == "before" || c.Actor == User || has(toks, "saidthat") {
		return false
	}
	gone := has(toks, "gone") && has(toks, "bugN", "pron", "det", "fail") && !has(toks, "neg")
	if hasWord(toks, "no longer", "goes away", "went away", "stopped happening", "disappeared") {
		gone = gone || !has(toks, "self") && !hasWord(toks, "imported", "used", "needed", "supported")
	}
	gone = gone || has(toks, "neg") && hasWord(toks, "anymore", "any more") && has(toks, "bugN", "pron", "fail")
	if has(toks, "neg") && !gone {
		return false
	}
	k := index(toks, "fixStrict")
	switch {
	case gone:
		return hasWord(toks, "gone") && hasWord(toks, "now") || has(s.tokens, "bug", "bugN", "fixStrict", "worksnow", "fail") || hasWord(toks, "happens", "appears", "occurs", "overlaps", "crashes", "appear", "occur")
	case k >= 0 && !has(toks, "trivial") && !hasWord(toks[k+1:], "typo", "version", "by"):
		after := toks[k+1:]
		// "Fixed." "The bug is fixed." "I fixed the login." but not "a fixed size".
		if k > 0 && toks[k-1].is("det", "num") && !hasWord(toks[k-1:k], "that", "this", "it", "these") {
			return false
		}
		return k == 0 || onlyIntroTokens(toks[:k]) || has(toks[:k], "self", "be", "bug", "bugN", "pron") || len(after) == 0
	case has(toks, "worksnow") && !has(toks, "self", "other", "trivial") && (hasWord(toks, "now", "again") || has(toks, "pron", "codespan", "det")) && worksAgain(toks):
		return true
	case has(toks, "closing") && has(toks, "bug", "bugN") && !has(toks, "neg") && !hasWord(toks, "no"):
		return true
	case hasWord(toks, "ticket", "issue") && hasWord(toks, "closing", "closed", "close"):
		return true
	case has(toks, "fixS") && has(toks, "pron", "det", "bug") && !has(toks, "other"):
		return hasWord(toks, "the trick", "does the trick", "did the trick", "do it", "fixes", "do the trick", "solves", "resolves")
	case hasWord(toks, "fix") && hasWord(toks, "is") && hasWord(toks, "in", "done") && len(toks) <= 8:
		return true
	case hasWord(toks, "fix") && hasWord(toks, "in", "applied", "done") && has(toks, "be", "det") && !has(toks, "trivial") && !has(toks, "self"):
		return hasWord(toks, "the fix is in", "quick") || len(toks) <= 6
	}
	return false
}

// worksAgain tells words that claim a repair, not that something simply works.
func worksAgain(toks []token) bool {
	for _, t := range toks {
		switch t.word {
		case "works now", "works again", "works for now", "working again", "working now", "behaves correctly", "behaves as expected", "works correctly", "correct now", "back to normal", "good enough", "fine now", "ok now", "works properly", "working correctly":
			return true
		}
	}
	return has(toks, "worksnow") && hasWord(toks, "now", "again")
}

func (d *Document) fixedJapanese(c *Clause) bool {
	toks := trimmed(c.tokens)
	k := index(toks, "fixed", "works", "strict")
	if k < 0 || has(toks, "trivial", "still", "want") || has(toks[k+1:], "neg", "saidthat", "maybe") && !has(toks[k:k+1], "strict") || has(toks, "please", "saidthat") || c.Link == "if" || c.Link == "after" {
		return false
	}
	if toks[k].is("strict") {
		return !has(toks[k:], "np") || has(toks[k:], "pt") || k == len(toks)-1 || hasWord(toks[k:], "です")
	}
	if toks[k].is("works") {
		return d.mentions("bug", "strict", "fixed") || has(toks, "became") || hasWord(toks, "動くように")
	}
	return d.mentions("bug", "works", "strict") || len(toks) <= 3 && len(d.Sentences) <= 2
}

func (d *Document) mentions(names ...string) bool {
	for i := range d.Sentences {
		if has(d.Sentences[i].tokens, names...) {
			return true
		}
	}
	return false
}

func fixedChinese(c *Clause) bool {
	toks := trimmed(c.tokens)
	k := index(toks, "fixed", "works")
	if k < 0 || has(toks, "trivial", "user") || has(toks, "still") && !(has(toks[k:k+1], "done", "le") && !has(toks[k:], "still")) || has(toks[:k], "neg") && !hasWord(toks[k:k+1], "不再出现", "不再报错", "不再发生") || c.Link == "if" || hasWord(toks, "以后", "之后再") {
		return false
	}
	t := toks[k]
	if has(toks[:k], "want") && !has(toks, "le", "done") && !has(toks[:k], "ba") {
		return false
	}
	switch t.word {
	case "解决", "修复":
		return has(toks, "done", "le") || has(toks[:k], "bug") && len(toks) <= 5 || hasWord(toks, "完成")
	case "关闭", "关掉":
		return has(toks, "bug")
	case "好了":
		return has(toks[:k], "bug") || hasWord(toks, "就", "重启")
	case "修正", "已处理", "修正了", "已修正", "处理好了", "恢复正常":
		return true
	}
	return true
}

// cause tells whether the message says why the bug happened.
func (d *Document) cause() (Tri, int) {
	best := No
	where := -1
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering || has(s.tokens, "nocause") {
			continue
		}
		switch s.Lang {
		case English:
			if has(s.tokens, "cause") && !hasWord(s.tokens, "done since") {
				return Yes, i
			}
			for j := range s.Clauses {
				if mechanism(&s.Clauses[j]) && best == No && !d.fixClaimClause(i, j) {
					best, where = Unsure, i
				}
			}
			if mechanismAcross(s) && best == No {
				best, where = Unsure, i
			}
		case Japanese:
			if has(s.tokens, "cause") {
				return Yes, i
			}
			if countOfClass(s.tokens, "mech") >= 2 && !has(s.tokens, "fixed") || countOfClass(s.tokens, "mech") >= 3 || s.strongBesideFix(d.fixedJapanese) {
				best, where = Unsure, i
			}
		default:
			if has(s.tokens, "cause") {
				return Yes, i
			}
			if countOfClass(s.tokens, "mech") >= 2 && !has(s.tokens, "fixed") || s.strongBesideFix(fixedChinese) {
				best, where = Unsure, i
			}
		}
	}
	return best, where
}

// strongBesideFix tells that a clause other than the report of the fix names
// what went wrong; in the report itself it is only the symptom.
func (s *Sentence) strongBesideFix(fix func(*Clause) bool) bool {
	for j := range s.Clauses {
		if has(s.Clauses[j].tokens, "strong") && !fix(&s.Clauses[j]) {
			return true
		}
	}
	return false
}

func (d *Document) fixClaimClause(i, j int) bool {
	s := &d.Sentences[i]
	return fixedEnglish(s, &s.Clauses[j])
}

// mechanism tells a clause that describes how something went wrong.
func mechanism(c *Clause) bool {
	if c.Lang != English || c.Actor == Self || len(c.tokens) < 5 || has(c.tokens, "guess") && has(c.tokens, "self") {
		return false
	}
	if has(c.tokens, "worksnow") || c.Negated && len(c.tokens) < 6 {
		return false
	}
	strong, weak := countOfClass(c.tokens, "strong"), countOfClass(c.tokens, "weak")
	return strong >= 1 && len(c.tokens) >= 5 || weak >= 3 && len(c.tokens) >= 10
}

func mechanismAcross(s *Sentence) bool {
	strong, words := 0, 0
	for j := range s.Clauses {
		if s.Clauses[j].Actor == Self || fixedEnglish(s, &s.Clauses[j]) {
			continue
		}
		strong += countOfClass(s.Clauses[j].tokens, "strong")
		words += len(s.Clauses[j].tokens)
	}
	return strong >= 1 && words >= 10
}

func countOfClass(toks []token, name string) int {
	n := 0
	want := bit(name)
	for i := range toks {
		if toks[i].class.has(want) {
			n++
		}
	}
	return n
}

// reopened tells that the message itself says that the bug is not fixed.
func (d *Document) reopened() (int, bool) {
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering {
			continue
		}
		switch s.Lang {
		case English:
			if has(s.tokens, "retract") && has(s.tokens, "self", "poss", "pastplan") || hasWord(s.tokens, "stays open", "remains open", "still open") || hasWord(s.tokens, "stays", "remains", "treat") && hasWord(s.tokens, "open") {
				return i, true
			}
		case Japanese:
			if has(s.tokens, "retract") || has(s.tokens, "hold") {
				return i, true
			}
		default:
			if has(s.tokens, "retract") || hasWord(s.tokens, "未解决", "仍未解决", "保持打开") {
				return i, true
			}
		}
	}
	return 0, false
}

// readShallow reads for shallow-bugfix: a fix reported without its cause.
func (d *Document) readShallow(r *Reading) {
	if i, ok := d.reopened(); ok {
		r.Retracted = Yes
		r.note(&d.Sentences[i], 0, 0, "taken back or left open", "reopened")
	}
	for i := range d.Sentences {
		if d.fixClaim(i) {
			r.Proposal = Yes
			r.note(&d.Sentences[i], 0, 0, "reported as fixed", "fix")
		}
	}
	if r.Proposal != Yes {
		d.quoted(r)
		return
	}
	c, i := d.cause()
	switch c {
	case Yes:
		r.Proposal = No
		r.note(&d.Sentences[i], 0, 0, "cause", "named")
	case No:
		// Who tells of a reproduction may well have told of the cause in words
		// that are not in the lexicon.
		for k := range d.Sentences {
			if reproduced(&d.Sentences[k]) {
				r.Proposal = Unsure
				r.note(&d.Sentences[k], 0, 0, "reproduction", "said so")
				return
			}
		}
	case Unsure:
		r.Proposal = Unsure
		r.note(&d.Sentences[i], 0, 0, "perhaps the cause", "what went wrong")
	}
}

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
			if hasWord(c.tokens, "needs", "faster", "easier", "nicer", "cleaner") {
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
		if has(c.tokens, "changed", "fixed") && !hasWord(c.tokens, "していません", "ていません") && !(has(c.tokens, "neg") && s.Lang == Japanese) && !(s.Lang == Chinese && hasWord(c.tokens, "没有", "还没有", "未", "没")) {
			return true
		}
	}
	return false
}

// editedWord tells "have doubled", "have relaxed": a deed in a word that the
// lexicon does not know, next to its object.
func editedWord(toks []token) bool {
	for i := 1; i < len(toks)-1; i++ {
		if toks[i].class == bit("word") && strings.HasSuffix(toks[i].word, "ed") && toks[i-1].is("have") && toks[i+1].is("det", "pron", "codespan", "poss") {
			switch toks[i].word {
			case "reviewed", "noticed", "investigated", "analysed", "analyzed", "considered", "looked", "studied", "listed", "collected", "summarised", "summarized", "attached", "asked", "copied":
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
		if has(s.tokens, "userverify") && (has(s.tokens, "bug", "bugN", "fixP", "gone", "fail") || hasWord(s.tokens, "still", "helped", "helps", "scenario", "works", "crashes", "occurs", "まだ", "直っ", "是否还在", "还", "崩溃", "まだ出", "発生")) {
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
