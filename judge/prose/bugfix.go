package prose

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
	if len(toks) <= 5 && len(toks) > 0 && (toks[0].word == "good enough" || toks[0].word == "works for now") {
		return true
	}
	if f := index(toks, "fixP"); f > 0 && has(toks[:f], "bug", "bugN") && has(toks[:f], "be", "have") && !has(toks, "trivial", "other") && !has(toks[f+1:], "det", "other") {
		return true
	}
	switch {
	case gone:
		return hasWord(toks, "gone") && hasWord(toks, "now") || has(s.tokens, "bug", "bugN", "fixStrict", "worksnow", "fail") || hasWord(toks, "happens", "appears", "occurs", "overlaps", "crashes", "appear", "occur")
	case k >= 0 && !has(toks, "trivial") && !hasWord(toks[k+1:], "typo", "version") && (k == 0 || has(toks[:k], "self") || !hasWord(toks[k+1:], "by")):
		after := toks[k+1:]
		// "Fixed." "The bug is fixed." "I fixed the login." but not "a fixed size".
		if k > 0 && toks[k-1].is("det", "num") && !hasWord(toks[k-1:k], "that", "this", "it", "these") {
			return false
		}
		return k == 0 || onlyIntroTokens(toks[:k]) || has(toks[:k], "self", "be", "bug", "bugN", "pron") || len(after) == 0
	case has(toks, "worksnow") && !has(toks, "self", "other", "trivial") && (hasWord(toks, "now", "again", "works again", "working again", "works now", "back to normal") || has(toks, "pron", "codespan", "det")) && worksAgain(toks):
		return true
	case has(toks, "closing") && has(toks, "bug", "bugN") && !has(toks, "neg") && !hasWord(toks, "no"):
		return true
	case hasWord(toks, "ticket", "issue") && hasWord(toks, "closing", "closed", "close"):
		return true
	case has(toks, "fixS") && (toks[0].is("pron") || toks[0].is("so") && len(toks) > 1 && toks[1].is("pron")) && !has(toks, "other"):
		return hasWord(toks, "the trick", "does the trick", "did the trick", "do it", "fixes", "do the trick", "solves", "resolves", "take care of it", "takes care of it", "sorts it out", "sort it out", "did the job", "does the job", "did it")
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
	if b := index(toks, "buzai", "wont"); b >= 0 && (toks[b].is("buzai") || has(toks[b:], "le")) && b+1 < len(toks) && has(toks[b+1:min(len(toks), b+3)], "bug", "fail") && c.Link != "if" && !has(toks, "want", "saidthat") {
		return true
	}
	k := index(toks, "fixed", "works")
	if k < 0 || has(toks, "trivial", "user") || has(toks, "still") && !(has(toks[k:k+1], "done", "le") && !has(toks[k:], "still")) || has(toks[:k], "neg") && !hasWord(toks[k:k+1], "不再出现", "不再报错", "不再发生") || c.Link == "if" || hasWord(toks, "以后", "之后再") {
		return false
	}
	t := toks[k]
	if t.is("works") && !t.is("fixed", "le") && !has(toks, "le", "thistime") && !hasWord(toks, "又", "现在", "目前", "暂时", "重新", "先") {
		return false
	}
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
