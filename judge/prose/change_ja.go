package prose

func changeJapanese(s *Sentence) string {
	toks := s.tokens
	last := toks[max(0, len(toks)-4):]
	if denies(last) && !hasWord(toks, "実装していません", "含めていません", "入れていません", "入れません", "実装しません", "対応しません", "含めません") && !has(toks, "backlog") || s.Mood == Question || s.otherSubject() || has(toks, "act", "tests") && !has(toks, "laterpr", "scopeN") {
		return ""
	}
	k := index(toks, "defer")
	for i := range s.Clauses {
		t := s.Clauses[i].tokens
		if k := index(t, "defer", "drop", "backlog", "laterpr"); k >= 0 && hasWord(t[k:], "なく", "ありません", "なし", "なかった") {
			return ""
		}
	}
	switch {
	case has(toks, "rest") && has(toks, "quote") && has(toks, "put") && has(toks, "pt", "np"):
		return "一覧へ移した"
	case has(toks, "mvp") && hasWord(toks, "なし", "抜き", "ナシ") && has(toks, "pt", "np"):
		return "外した"
	case has(toks, "backlog") && !compound(toks, index(toks, "backlog")) && has(toks, "put") && (has(toks, "pt", "np", "te", "neg") || s.endsClause("put")) && !hasWord(toks, "消し", "列"):
		return "一覧へ移した"
	case k >= 0 && !actsItself(toks, k) && has(toks[k:], "do", "pt", "np", "to", "part", "aux", "dopt", "wa") && !has(toks[k:], "passive"):
		if has(toks, "retract") {
			return ""
		}
		return "後回し"
	case has(toks, "laterpr") && !keptUntil(toks) && has(toks[index(toks, "laterpr"):], "np", "pt", "want") && !has(toks[index(toks, "laterpr"):], "ga") && has(toks[index(toks, "laterpr"):], "put", "do", "go", "make", "changed", "fixed") && !hasWord(toks, "リリースノート"):
		return "次の変更へ"
	case has(toks, "nexttime") && has(toks, "put") && (has(toks, "np") || s.endsClause("put")) && has(toks, "wa"):
		return "次の機会へ"
	case has(toks, "lim") && has(toks, "pt", "np") && has(toks, "thistime", "small", "mvp", "scopeN", "rest", "laterpr"):
		return "一部だけ"
	case has(toks, "only") && has(toks, "thistime") && has(toks, "pt") && has(toks, "rest", "laterpr", "small"):
		return "一部だけ"
	case has(toks, "stubbed") && has(toks, "laterpr", "nexttime", "later", "thistime") && hasWord(toks, "のまま", "まま", "です", "にし", "に", "で") && !has(toks, "tests", "passive"):
		return "仮のまま"
	case has(toks, "drop") && dropsJapanese(trimmed(toks)):
		return "外した"
	case has(toks, "mvp") && has(toks, "drop"):
		return "外した"
	case has(toks, "split") && has(toks, "thistime") && has(toks, "only", "lim"):
		return "分割"
	}
	return ""
}

// endsClause tells that a clause ends with a word of the class.
func (s *Sentence) endsClause(name string) bool {
	for i := range s.Clauses {
		if endsWith(s.Clauses[i].tokens, name) {
			return true
		}
	}
	return false
}

// dropsJapanese tells that an item (topic, before は) is left out by the writer.
func dropsJapanese(toks []token) bool {
	k := index(toks, "drop")
	for len(toks) > k+1 && toks[len(toks)-1].is("end") {
		toks = toks[:len(toks)-1]
	}
	tail := toks[k+1:]
	if has(tail, "passive", "naru") || !has(toks[k:], "pt", "np", "to", "dopt", "te", "wa", "part") && len(tail) > 0 {
		return false
	}
	if hasWord(toks, "絞り", "絞っ", "縮小し", "狭め", "絞る", "縮小", "削減") {
		return has(toks, "scopeN", "thistime", "mvp", "only")
	}
	if actsItself(toks, k) {
		return false
	}
	if has(toks[:k], "dropObj") && !has(toks, "scopeN", "thistime", "mvp", "laterpr") {
		return false
	}
	return has(toks[:k], "wa") || has(toks, "scopeN") && hasWord(toks, "対象外", "スコープ外", "範囲外")
}

// actsItself tells "パーサはコメントをスキップし": the topic does it to an object,
// so it is a program, and the object no item of the work.
func actsItself(toks []token, k int) bool {
	if k == 0 || !toks[k-1].is("obj") {
		return false
	}
	for i := 1; i < k; i++ {
		if toks[i].is("wa") && !toks[i-1].is("thistime", "self", "rest", "scopeN", "now", "mvp", "laterpr") {
			return true
		}
	}
	return false
}

// keptUntil tells "次のリリースまで残し": something stays until then, nothing
// moves there.
func keptUntil(toks []token) bool {
	k := index(toks, "laterpr")
	return k+1 < len(toks) && toks[k+1].word == "まで"
}

// compound tells that the word at k only opens a longer noun: "TODO フィルタ",
// "待办页面".
func compound(toks []token, k int) bool {
	return k >= 0 && k+1 < len(toks) && !toks[k+1].is("part", "obj", "to", "wa", "ga", "mo", "comma", "stop", "end", "paren", "dash", "le", "num", "merely", "te", "do", "quote", "codespan", "ident", "put", "pt", "handoff", "backlog", "now", "self", "split", "defer")
}
