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
	case contextPressure(s) && has(toks, "halt", "onlyz", "newsess", "nexttime", "rest", "split", "lim", "defer"):
		return "上下文不足"
	case pressed && has(toks, "onlyz", "newsess", "halt", "nexttime"):
		return "上下文不足"
	case has(toks, "newsess") && has(toks, "rest", "handoff", "self", "defer") && !has(toks, "done"):
		return "移到别的会话"
	case has(toks, "nexttime") && has(toks, "rest", "split", "handoff") && has(toks, "rest", "split", "self") && !has(toks, "act", "mrg", "tests", "done"):
		return "移到以后"
	case has(toks, "split") && has(toks, "self", "big") && (hasWord(toks, "这次", "两次", "几次") || has(toks, "nexttime", "newsess")):
		return "拆分"
	case has(toks, "halt") && (has(toks, "self", "first", "thistime", "rest", "handoff") || hasWord(toks, "先", "到这里", "到此为止", "今天", "先停", "先放", "先到这", "先做到")) && !has(toks, "neg", "retract") && !has(toks, "hui"):
		if has(toks, "done") && !has(toks, "rest") {
			return ""
		}
		return "停下"
	case has(toks, "rest") && has(toks, "newsess", "nexttime", "handoff") && has(toks, "handoff") && hasWord(toks, "接手", "交接"):
		return "交接"
	}
	return ""
}
