package prose

func scopeChinese(s *Sentence, pressed bool) string {
	toks := s.tokens
	if has(toks, "domSess") && !has(toks, "rest", "self") && !contextPressure(s) {
		return ""
	}
	if k := index(toks, "other", "user"); k == 0 && !has(toks, "self", "big") || len(toks) > 1 && toks[0].class == (set{}) && has(toks, "hui") && !has(toks, "self") {
		return ""
	}
	if s.negatedAt("newsess", "nexttime", "rest", "split") {
		return ""
	}
	switch {
	case contextPressure(s) && beside(toks, "low", "halt", "onlyz", "newsess", "nexttime", "rest", "split", "lim", "defer"):
		return "上下文不足"
	case pressed && has(toks, "onlyz", "newsess", "halt", "nexttime"):
		return "上下文不足"
	case has(toks, "newsess") && has(toks, "rest", "handoff", "self", "defer") && !s.doneBeside("newsess") && !s.hints():
		return "移到别的会话"
	case defersTo(toks) && has(toks, "self", "better", "rest", "please") && !has(toks, "act", "mrg", "done", "tests"):
		return "移到以后"
	case has(toks, "nexttime") && has(toks, "rest", "split", "handoff") && has(toks, "rest", "split", "self") && !has(toks, "act", "mrg", "tests", "done"):
		return "移到以后"
	case has(toks, "split") && has(toks, "self", "big") && (hasWord(toks, "这次", "两次", "几次") || has(toks, "nexttime", "newsess")):
		return "拆分"
	case has(toks, "halt") && (has(toks, "self", "first", "thistime", "rest") || has(toks, "handoff") && toks[0].class != (set{}) || hasWord(toks, "先", "到这里", "到此为止", "今天", "先停", "先放", "先到这", "先做到")) && !has(toks, "neg", "retract") && !has(toks, "hui"):
		if has(toks, "done") && !has(toks, "rest") {
			return ""
		}
		return "停下"
	case has(toks, "rest") && has(toks, "newsess", "nexttime", "handoff") && has(toks, "handoff") && hasWord(toks, "接手", "交接"):
		return "交接"
	}
	return ""
}

// doneBeside tells that the clause with a word of the class tells something done.
func (s *Sentence) doneBeside(name string) bool {
	for i := range s.Clauses {
		if has(s.Clauses[i].tokens, name) {
			return has(s.Clauses[i].tokens, "done")
		}
	}
	return false
}

// hints tells a sentence that says what helps with some other work: it sets an
// "if" and speaks of no rest of this one.
func (s *Sentence) hints() bool {
	for i := range s.Clauses {
		if s.Clauses[i].Link == "if" && !has(s.tokens, "rest", "self") {
			return true
		}
	}
	return false
}

// defersTo tells "留到明天": the verb of putting off with its time behind it.
func defersTo(toks []token) bool {
	for i := 1; i < len(toks); i++ {
		if toks[i].is("nexttime", "newsess") && toks[i-1].is("defer", "put") {
			return true
		}
	}
	return false
}
