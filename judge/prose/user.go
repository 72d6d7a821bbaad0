package prose

// OrdersLess tells whether a message of the user allows or orders to do less
// than the whole now: to leave something out, put it off, stop or split. It
// bears out a claim of approval; silence does not.
func OrdersLess(user string) bool {
	d := Parse(user)
	for i := range d.Sentences {
		s := &d.Sentences[i]
		toks := s.tokens
		var denied bool
		if s.Lang == Japanese {
			denied = denies(toks[max(0, len(toks)-4):]) && !hasWord(toks, "不要", "なくて", "しなくて")
		} else {
			denied = has(toks, "neg") && !has(toks, "drop", "defer") && !hasWord(toks, "without", "need", "necessary", "needed")
		}
		if denied {
			continue
		}
		switch s.Lang {
		case Japanese:
			if has(toks, "defer", "drop", "laterpr", "nexttime", "newsess", "lim", "mvp") || has(toks, "halt") && has(toks, "here", "thistime", "please") || hasWord(toks, "不要", "なくて") {
				return true
			}
		case Chinese:
			if has(toks, "defer", "drop", "laterpr", "nexttime", "newsess", "onlyz", "mvp") || has(toks, "halt") && has(toks, "first", "thistime") {
				return true
			}
		default:
			if has(toks, "deferB", "laterpr", "newsess", "outscope", "firstver", "phases") || has(toks, "nexttime") && has(toks, "leaveB", "can", "rest", "do") ||
				has(toks, "leaveB") && hasWord(toks, "for now", "later", "out", "for later") || has(toks, "stopB") && has(toks, "after", "here") ||
				hasWord(toks, "only", "just") && has(toks, "leaveB", "do", "openB", "deferB") || hasWord(toks, "without", "no need to", "optional") || has(toks, "neg") && hasWord(toks, "need", "needed", "necessary") {
				return true
			}
		}
	}
	return false
}

// AsksForFix tells whether a message of the user asks for the repair of a bug.
// A message too short to tell ("go on") is Unsure.
func AsksForFix(user string) Tri {
	d := Parse(user)
	words := 0
	for i := range d.Sentences {
		s := &d.Sentences[i]
		words += len(s.tokens)
		switch s.Lang {
		case Japanese:
			if has(s.tokens, "bug", "fixed", "strict") && !hasWord(s.tokens, "件", "課題") || hasWord(s.tokens, "直し", "修正し", "直して", "修正して", "直す") || has(s.tokens, "fixed") {
				return Yes
			}
		case Chinese:
			if has(s.tokens, "fixed", "bug") || hasWord(s.tokens, "修", "修一下", "排查") {
				return Yes
			}
		default:
			if has(s.tokens, "fixB", "fixN", "fixP", "bug", "bugN", "fail", "worksnow") && !hasWord(s.tokens, "no") || hasWord(s.tokens, "broken", "wrong", "debug", "investigate", "broke") {
				return Yes
			}
		}
	}
	if words < 6 {
		return Unsure
	}
	return No
}
