package prose

// denies tells a Japanese sentence end that negates; words that only mean
// leaving something out do not.
func denies(last []token) bool {
	for _, t := range last {
		if t.is("neg") && !t.is("defer", "drop", "halt", "please") && t.word != "未" {
			return true
		}
	}
	return false
}

func scopeJapanese(s *Sentence, pressed bool) string {
	toks := s.tokens
	if has(toks, "domSess") && !has(toks, "rest") && !contextPressure(s) {
		return ""
	}
	last := toks[max(0, len(toks)-4):]
	denied := denies(last)
	cut := has(toks, "halt", "lim", "newsess", "nexttime", "split", "rest")
	if denied || s.otherSubject() || has(toks, "able") && !has(toks, "self") && !beside(toks, "low", "rest", "halt", "lim") {
		return ""
	}
	if s.conditional() && !pressed && !has(toks, "self", "please", "thistime", "newsess", "lim") {
		return ""
	}
	switch {
	case contextPressure(s) && cut && !has(last, "passive") && beside(toks, "low", "halt", "lim", "newsess", "nexttime", "split", "rest"):
		return "コンテキスト不足"
	case pressed && has(toks, "lim", "newsess", "halt", "nexttime"):
		return "コンテキスト不足"
	case has(toks, "newsess") && (has(toks, "rest", "handoff", "please") || intoSession(toks) && has(toks, "np", "vol", "want") && (has(toks, "go", "do", "make", "put", "defer") || has(toks, "want") && has(toks, "changed"))):
		return "別のセッションへ"
	case has(toks, "nexttime") && has(toks, "rest", "split"):
		return "別の機会へ"
	case nextTimeJapanese(toks):
		return "別の機会へ"
	case has(toks, "split") && hasWord(toks, "今回", "今回は", "回に", "何回か", "2 回に", "第") && has(toks, "np", "only") && !has(toks, "pt"):
		return "分割"
	case hasWord(toks, "分割し", "分け", "分割") && has(toks, "big") && has(toks, "np", "pt") && !has(toks, "obj"):
		return "分割"
	case has(toks, "halt") && stopEnds(s) && ownTopic(s) && !stopsThing(toks) && !has(toks, "prog") && (has(toks, "now", "thistime", "handoff", "rest", "only") || hasWord(toks, "作業", "ここで", "で")) && !has(toks, "passive"):
		if hasWord(toks, "ここまで") && !has(toks, "do", "np") {
			return ""
		}
		return "中断"
	case has(toks, "lim") && has(toks, "thistime") && has(toks, "np") && !has(toks, "changed"):
		return "一部だけ"
	case has(toks, "handoff") && has(toks, "rest") && has(toks, "np", "pt", "please"):
		return "引き継ぎ"
	}
	return ""
}

// stopsThing tells that what is stopped is a program ("ワーカーを停止し"), not
// the work.
func stopsThing(toks []token) bool {
	k := index(toks, "halt")
	return k > 1 && toks[k-1].is("obj") && !toks[k-2].is("sagyou", "rest", "split") && !hasWord(toks[k-2:k-1], "作業", "移行", "対応", "タスク") || has(toks, "pt") && hasWord(toks, "再開し")
}

// ownTopic tells that each topic of the sentence (X は) is the work, the time or
// the writer: "テストは停止します" is about the tests.
func ownTopic(s *Sentence) bool {
	for i := 1; i < len(s.tokens); i++ {
		if s.tokens[i].is("wa") && !s.tokens[i-1].is("thistime", "rest", "self", "now", "nexttime", "newsess", "scopeN", "part", "later", "split") && !hasWord(s.tokens[i-1:i], "作業", "移行", "対応", "続き") {
			return false
		}
	}
	return true
}

// stopEnds tells that a clause ends with the verb of stopping, not that it
// qualifies a noun.
func stopEnds(s *Sentence) bool {
	for i := range s.Clauses {
		t := trimmed(s.Clauses[i].tokens)
		k := index(t, "halt")
		if k >= 0 && len(t)-k <= 6 && (has(t[k:], "np", "vol", "pt", "do") || k == len(t)-1) && !has(t[k:], "dopt", "cond") {
			return true
		}
	}
	return false
}

// nextTimeJapanese tells "X は次回にします", "明日やります" with a verb of the writer.
func nextTimeJapanese(toks []token) bool {
	k := index(toks, "nexttime")
	if k < 0 || k+1 >= len(toks) || has(toks, "act", "mrg", "fixed", "bug") {
		return false
	}
	tail := toks[k+1:]
	if has(tail, "better") && len(tail) <= 10 && has(tail, "do", "go", "put", "make", "handoff", "dopt", "pt") && hasWord(toks[:k], "は") {
		return true
	}
	return len(tail) <= 5 && has(tail, "np", "vol") && has(tail, "do", "go", "put", "make") && hasWord(toks[:k], "は")
}

// conditional tells a sentence that says what happens in a case: "中断された
// 場合は、続きから再開します".
func (s *Sentence) conditional() bool {
	for i := range s.Clauses {
		if s.Clauses[i].Link == "if" {
			return true
		}
	}
	return has(s.tokens, "habit") || hasWord(s.tokens, "場合は", "場合", "際は")
}

// intoSession tells "新しいセッションで", "次のセッションに": something is moved
// there. A session that begins or is kept is a thing of the program.
func intoSession(toks []token) bool {
	k := index(toks, "newsess")
	return k+1 < len(toks) && toks[k+1].is("part") && !toks[k+1].is("no_")
}

func endsWith(toks []token, names ...string) bool {
	t := trimmed(toks)
	return len(t) > 0 && t[len(t)-1].is(names...)
}

// otherSubject tells that the sentence is about a program, a user or a thing
// that acts: "ジョブは…", "用户…".
func (s *Sentence) otherSubject() bool {
	for i := 1; i < len(s.tokens); i++ {
		if s.tokens[i].is("wa", "ga") && s.tokens[i-1].is("other", "user", "codespan") && !has(s.tokens, "self") {
			return true
		}
		if s.tokens[i].is("ga") && s.tokens[i-1].class == (set{}) && has(s.tokens, "passive") {
			return true
		}
	}
	return false
}
