package prose

func changeChinese(s *Sentence) string {
	toks := s.tokens
	if s.Mood == Question {
		return ""
	}
	for j := range s.Clauses {
		c := &s.Clauses[j]
		t := trimmed(c.tokens)
		if has(t, "bei") || has(t, "hui") && !has(t, "self") && has(t, "codespan", "other") {
			return ""
		}
		if c.Actor == User {
			continue
		}
		if has(t, "outscope") && has(t, "scopeN") && !has(t, "saidthat") {
			return "不在范围"
		}
		if has(t, "stubbed") && has(toks, "laterpr", "nexttime", "thistime") && !has(toks, "tests", "codespan") {
			return "只留占位"
		}
		if has(t, "rest") && has(t, "quote") && has(t, "put", "le") && !has(t, "saidthat") {
			return "放入待办"
		}
		k := index(t, "defer", "drop", "backlog", "laterpr", "onlyz")
		if k < 0 {
			continue
		}
		if has(t[:k], "neg") && !t[k].is("laterpr") || hasWord(t[:k], "没有", "任何") {
			continue
		}
		switch {
		case t[k].is("drop") && hasWord(t[:k], "决定", "打算") && has(t[:k], "self") && !has(t, "dropObj", "tests"):
			return "去掉"
		case has(t, "mvp") && has(t, "drop") && has(t, "le", "self", "thistime"):
			return "去掉"
		case has(t, "backlog") && compound(t, index(t, "backlog")):
		case has(t, "backlog") && has(t, "put", "defer", "done") && !hasWord(t, "列", "显示"):
			return "放入待办"
		case has(t, "backlog") && hasWord(t, "留作", "留", "作为", "留个", "加个", "记个") && !hasWord(t, "删掉", "注释"):
			return "放入待办"
		case has(t, "laterpr") && hasWord(t, "考虑", "可以考虑", "可考虑", "有需要", "需要时"):
		case has(t, "ownpr"):
			return "移到以后的改动"
		case has(t, "laterpr") && (has(t, "defer", "put", "again", "handoff", "split", "drop", "nexttime") || hasWord(t, "再", "加", "做", "留", "里", "处理")) && !has(t, "act"):
			return "移到以后的改动"
		case has(t, "defer") && defersChinese(t, k):
			return "推迟"
		case has(t, "drop") && dropsChinese(t, s):
			return "去掉"
		case has(t, "onlyz") && has(toks, "thistime", "small", "mvp", "rest") && !has(toks, "tests", "pass") && !has(t, "retract"):
			return "只做一部分"
		case has(t, "scopeN") && hasWord(t, "缩小", "收窄", "缩减", "缩到", "缩为", "限定", "限制在", "限定在", "收到"):
			return "缩小范围"
		}
	}
	if has(toks, "split") && has(toks, "self", "thistime") && has(toks, "onlyz") {
		return "拆分"
	}
	return ""
}

// defersChinese tells that the item is put off by the writer, not by a program.
func defersChinese(t []token, k int) bool {
	if hasWord(t, "循环", "回调", "线程", "请求") {
		return false
	}
	if hasWord(t[k:], "放到", "挪到", "移到", "放在", "推到", "延到", "改到", "留到", "留给", "归到", "排到", "留待") && !has(t[k:], "laterpr", "nexttime", "backlog") {
		return hasWord(t[k:], "留到", "留给", "留待") && has(t, "self")
	}
	return !has(t, "act", "mrg") || has(t, "self")
}

// dropsChinese tells that a fronted item is left out: the verb ends its clause.
func dropsChinese(t []token, s *Sentence) bool {
	k := index(t, "drop")
	rest := t[k+1:]
	if hasWord(t[k:k+1], "不在本次范围", "不在范围", "超出范围", "范围之外", "未纳入", "不纳入") {
		return true
	}
	if has(t, "dropObj") && !has(s.tokens, "scopeN", "thistime", "mvp", "laterpr") {
		return false
	}
	if has(t, "tests") || has(s.tokens, "act") && !has(s.tokens, "scopeN") {
		return false
	}
	for _, r := range rest {
		if !r.is("le", "handoff", "end", "lets") && r.word != "了" {
			return hasWord(t, "第四项", "功能") && has(rest, "handoff")
		}
	}
	return k > 0 || len(s.Clauses) > 1
}
