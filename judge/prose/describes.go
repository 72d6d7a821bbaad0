package prose

// describes tells a sentence that says how the program behaves or behaved, in
// whatever words: its clauses are neither the writer's deeds nor a report that
// something is fixed, works or passes. Beside the report of a fix such a
// sentence may well be the cause, so the reader cannot be sure that none is
// named.
func (d *Document) describes(i int) bool {
	s := &d.Sentences[i]
	if s.Steering || s.Mood == Question || has(s.tokens, "nocause") || d.Parts[s.Part].Kind == Heading {
		return false
	}
	switch s.Lang {
	case Japanese:
		return d.describesJapanese(s)
	case Chinese:
		return describesChinese(s)
	default:
		return describesEnglish(s)
	}
}

func describesEnglish(s *Sentence) bool {
	words, finite := 0, false
	for j := range s.Clauses {
		c := &s.Clauses[j]
		toks := trimmed(c.tokens)
		if c.Actor == Self || c.Actor == User || has(toks, "self", "user", "fut", "fixStrict", "fixP", "fixN", "worksnow") || has(toks, "closing") && has(toks, "bug", "bugN") || hasWord(toks, "ticket") || has(toks, "guess") && has(toks, "bug", "bugN", "maybe", "opinion") && len(toks) < 8 || has(toks, "now") || fixedEnglish(s, c) || has(toks, "pass", "okay", "gone") && !has(toks, "codespan") || hasWord(toks, "again", "correctly", "properly", "right", "expected", "change", "everything") {
			continue
		}
		words += len(toks)
		finite = finite || has(toks, "fin", "bePast", "beN", "can", "modal") || pastWord(toks) && len(toks) >= 6
	}
	return finite && words >= 7
}

// pastWord tells a word that looks like a past tense.
func pastWord(toks []token) bool {
	for _, t := range toks {
		if n := len(t.word); n > 4 && t.word[n-2:] == "ed" {
			return true
		}
	}
	return false
}

// describesJapanese wants a subject and a past: "正規表現が … 飲み込んでいました".
func (d *Document) describesJapanese(s *Sentence) bool {
	toks := trimmed(s.tokens)
	if len(d.Text[s.Start:s.End]) < 36 || has(toks, "fixed", "strict", "works", "please") || has(toks, "tests") && has(toks, "pass") || !has(toks, "ga", "wa") || has(toks, "changed") && !hasWord(toks, "いました", "ていました", "でした", "ていた") {
		return false
	}
	for i := 1; i < len(toks); i++ {
		if toks[i].is("wa", "ga") && toks[i-1].is("self", "user") {
			return false
		}
	}
	return has(toks[max(0, len(toks)-4):], "pt", "da", "prog", "dopt", "naru") || hasWord(toks, "ので", "ため", "たため")
}

// describesChinese counts the characters of the clauses that tell of the program.
func describesChinese(s *Sentence) bool {
	runes := 0
	for j := range s.Clauses {
		c := &s.Clauses[j]
		toks := trimmed(c.tokens)
		if len(toks) == 0 || toks[0].is("ba") || has(toks, "guess") && has(toks, "bug") || fixedChinese(c) || has(toks, "self", "user", "fixed", "works", "changed", "please", "thistime", "buzai", "wont", "lets") || hasWord(toks, "一下") || has(toks, "tests") && has(toks, "pass") || hasWord(toks, "现在", "正常", "放心", "一切", "给") {
			continue
		}
		for range c.Text {
			runes++
		}
	}
	return runes >= 7
}
