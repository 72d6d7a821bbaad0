package prose

// readChange reads for scope-change: a part of what was asked is deferred, put
// on a list, dropped or split off.
func (d *Document) readChange(r *Reading) {
	d.judgeEach(r, func(i int) string {
		s := &d.Sentences[i]
		switch s.Lang {
		case Japanese:
			return changeJapanese(s)
		case Chinese:
			return changeChinese(s)
		}
		for j := range s.Clauses {
			if rule := changeEnglish(s, j); rule != "" {
				return rule
			}
		}
		return ""
	})
}

func changeEnglish(s *Sentence, j int) string {
	c := &s.Clauses[j]
	toks := trimmed(c.tokens)
	all := s.tokens
	if c.Link == "if" || has(toks, "user") && c.Actor == User || has(toks, "neg", "no") && !hasWord(toks, "instead of", "without") && !has(toks, "own") && !has(toks, "outscope") && !hasWord(toks, "not included", "not implemented") {
		return ""
	}
	self := c.Actor == Self || headOf(toks, "deferG") || has(all, "self") && c.Actor == Nobody && headOf(toks, "deferP")
	future := has(all, "laterpr", "nexttime", "demand", "later") || hasWord(all, "for now", "for the moment", "for later", "yet")
	k := index(toks, "deferP", "deferG", "deferB")
	if k >= 0 {
		after := toks[k+1:]
		near := after[:min(len(after), 4)]
		limits := toks[k].is("limitP") && !hasWord(toks[k:k+1], "scoped down", "scaled down", "narrowed", "descoped", "scoped out")
		tangible := (has(near, "dropObj", "target", "domain", "trivial") || has(near, "codespan") && hasWord(after, "from", "in", "into")) && !has(all, "laterpr", "firstver")
		switch {
		case tangible || hasWord(after, "by") && !self || has(toks[:k], "dropObj", "domain", "codespan") && !self:
		case limits && !has(all, "scopeN", "taskN", "firstver", "laterpr") && !hasWord(after, "down"):
		case self && toks[k].is("deferP") && has(toks[:k], "self", "and") && !toks[k].is("limitP"):
			return "left out by the writer"
		case self && toks[k].is("deferP") && (has(all, "taskN", "scopeN", "firstver", "laterpr") || hasWord(toks, "down")):
			return "narrowed by the writer"
		case self && toks[k].is("deferB") && (has(toks[:k], "fut", "modal", "own", "lets") || hasWord(toks[:k], "to")):
			return "to be left out"
		case self && toks[k].is("deferG"):
			return "being left out"
		case !self && c.Actor == Nobody && toks[k].is("deferP") && has(toks[:k], "be", "have", "det") && (future || toks[k].is("strongdefer") || hasWord(toks[k:k+1], "not included", "left out", "left unimplemented", "not implemented", "unimplemented", "ticketed")):
			if (hasWord(after, "until", "when", "on", "if") || j+1 < len(s.Clauses) && s.Clauses[j+1].subordinate()) && !future || has(after, "other", "domain") || hasWord(toks[:k], "tests", "jobs") {
				return ""
			}
			return "left out"
		}
	}
	if self && (hasWord(toks, "left", "leave", "leaving") && toks[len(toks)-1].word == "out" || hasWord(toks, "out") && leftOut(toks)) {
		return "left out by the writer"
	}
	b := index(toks, "backlogN")
	switch {
	case b >= 0 && hasWord(toks[:b], "instead of"):
	case b >= 0 && !has(toks[b+1:min(len(toks), b+2)], "word") && (self || c.Actor == Nobody) && hasWord(toks, "moved", "put", "added", "entry", "filed", "created", "opened", "left", "item", "as", "now", "goes", "noted", "recorded", "logged", "tracked", "leaving", "listed", "went", "wrote", "are", "adding", "became", "ticketed", "moving") && !hasWord(toks, "removed", "removing", "gone", "column", "columns"):
		if self || hasWord(toks, "left", "now", "goes", "moved", "are", "went") {
			return "put on a list"
		}
	case hasWord(toks, "ticket", "issue", "follow-up issue") && self && hasWord(all, "instead of"):
		return "ticketed instead"
	}
	if has(toks, "outscope") && !has(toks, "domain") && !hasWord(toks, "goes", "variable", "go", "went", "value", "lifetime", "token") && (has(toks, "be") || self) {
		return "out of scope"
	}
	if k := index(toks, "laterpr"); k >= 0 && (has(toks[:k], "follows", "put", "leaveP", "leaveB", "leaveG") && (has(toks[:k], "modal", "fut", "can", "det", "self", "be") || len(toks[:k]) <= 6) || has(toks[k:], "follows") && has(toks, "modal", "fut", "can", "demand", "follows") || has(toks, "split") && has(all, "phases", "laterpr") || hasWord(toks[:k], "for") && self) {
		if !has(toks, "actB", "actP", "mrgP", "mrgB", "depN") && !hasWord(toks, "contain", "contains", "ship", "ships", "document") {
			return "moved to a later change"
		}
	}
	if k := index(toks, "laterpr", "nexttime"); k > 0 && self && has(toks[:k], "leaveB", "leaveG", "leaveP") && !has(toks, "actB", "mrgB", "mrgP") && (has(toks[k:k+1], "laterpr") || hasWord(toks[k:k+1], "for later")) && hasWord(toks[:k], "leave", "leaving", "left", "save", "keep", "keeping", "pushed", "moved", "put", "postponed") || k > 0 && self && has(toks[:k], "leaveB", "leaveG", "leaveP", "actP") && hasWord(toks[:k], "pushed", "pushing") && has(toks[k:k+1], "laterpr") {
		return "left for later"
	}
	partOf := hasWord(all, "of the four", "of the five") || countOf(all)
	if self && hasWord(toks, "only", "just") && has(toks, "implP", "changed") && (has(all, "small", "firstver", "follows", "rest", "laterpr", "later") || hasWord(all, "for now", "as a first step")) && !hasWord(toks, "since then", "changelog") && !has(all, "pass", "tests") {
		return "only a part"
	}
	if hasWord(toks, "only") && toks[0].word == "only" && has(toks, "implP") && has(all, "rest", "laterpr", "backlogN", "later") {
		return "only a part"
	}
	if partOf && self && has(toks, "implP") && has(all, "rest", "laterpr", "backlogN", "deferP", "later") {
		return "only a part"
	}
	if hasWord(toks, "first step", "as a first step") && self && hasWord(toks, "only") {
		return "only a part"
	}
	if self && has(toks, "own") && hasWord(toks, "not") && has(toks, "do", "implP", "openB") && hasWord(toks, "do", "implement", "add", "include", "build", "support") {
		return "decided against"
	}
	if self && has(toks, "split") && has(all, "phases") {
		return "split off"
	}
	if headOf(toks, "split") && has(all, "phases") && has(all, "laterpr") {
		return "split off"
	}
	if self && has(toks, "firstver") && (hasWord(all, "without", "only") || has(all, "deferP")) && has(all, "limitP", "deferP") {
		return "cut to a first version"
	}
	return ""
}

// leftOut tells "left X out", with the object in between.
func leftOut(toks []token) bool {
	for i, t := range toks {
		if t.word == "left" || t.word == "leave" || t.word == "leaving" {
			for k := i + 2; k < len(toks) && k <= i+6; k++ {
				if toks[k].word == "out" && (k+1 == len(toks) || !toks[k+1].is("det") && toks[k+1].word != "of") {
					return true
				}
			}
		}
	}
	return false
}

func headOf(toks []token, class string) bool {
	for _, t := range toks {
		if t.is(class) {
			return true
		}
		if !t.is("intro", "adv", "comma") {
			return false
		}
	}
	return false
}

// countOf tells "three of the four", "3 of 5", "2/5".
func countOf(toks []token) bool {
	for i := range toks {
		if toks[i].is("ratio") {
			return false
		}
		if toks[i].word == "of" && i > 0 && (number(toks[i-1])) && i+1 < len(toks) && (number(toks[i+1]) || i+2 < len(toks) && number(toks[i+2])) {
			return true
		}
	}
	return false
}

func number(t token) bool {
	switch t.word {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten":
		return true
	}
	return t.is("num")
}

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
	case has(toks, "backlog") && has(toks, "put") && has(toks, "pt", "np", "te", "neg") && !hasWord(toks, "消し", "列"):
		return "一覧へ移した"
	case k >= 0 && has(toks[k:], "do", "pt", "np", "to", "part", "aux", "dopt", "wa") && !has(toks[k:], "passive"):
		if has(toks, "retract") {
			return ""
		}
		return "後回し"
	case has(toks, "laterpr") && has(toks[index(toks, "laterpr"):], "np", "pt") && has(toks[index(toks, "laterpr"):], "put", "do", "go", "make", "changed", "fixed") && !hasWord(toks, "リリースノート"):
		return "次の変更へ"
	case has(toks, "lim") && has(toks, "pt", "np") && has(toks, "thistime", "small", "mvp", "scopeN", "rest", "laterpr"):
		return "一部だけ"
	case has(toks, "only") && has(toks, "thistime") && has(toks, "pt") && has(toks, "rest", "laterpr", "small"):
		return "一部だけ"
	case has(toks, "drop") && dropsJapanese(toks):
		return "外した"
	case has(toks, "mvp") && has(toks, "drop"):
		return "外した"
	case has(toks, "split") && has(toks, "thistime") && has(toks, "only", "lim"):
		return "分割"
	}
	return ""
}

// dropsJapanese tells that an item (topic, before は) is left out by the writer.
func dropsJapanese(toks []token) bool {
	k := index(toks, "drop")
	tail := toks[k+1:]
	if has(tail, "passive") || has(tail, "naru") || !has(toks[k:], "pt", "np", "to", "dopt", "te", "wa", "part") && k+1 < len(toks) {
		return false
	}
	if hasWord(toks, "絞り", "絞っ", "縮小し", "狭め", "絞る", "縮小", "削減") {
		return has(toks, "scopeN", "thistime", "mvp")
	}
	return has(toks[:k], "wa") || has(toks, "scopeN") && hasWord(toks, "対象外", "スコープ外", "範囲外")
}

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
		k := index(t, "defer", "drop", "backlog", "laterpr", "onlyz")
		if k < 0 {
			continue
		}
		if has(t[:k], "neg") && !t[k].is("laterpr") || hasWord(t[:k], "没有", "任何") {
			continue
		}
		switch {
		case has(t, "backlog") && has(t, "put", "defer", "done") && !hasWord(t, "列", "显示"):
			return "放入待办"
		case has(t, "backlog") && hasWord(t, "留作", "留", "作为", "todo") && !hasWord(t, "删掉", "注释"):
			return "放入待办"
		case has(t, "laterpr") && (has(t, "defer", "put", "again", "handoff", "split", "drop", "nexttime") || hasWord(t, "再", "加", "做", "留", "里", "处理")) && !has(t, "act"):
			return "移到以后的改动"
		case has(t, "defer") && defersChinese(t, k):
			return "推迟"
		case has(t, "drop") && dropsChinese(t, s):
			return "去掉"
		case has(t, "onlyz") && has(toks, "thistime", "small", "mvp", "rest") && !has(toks, "tests", "pass") && !has(t, "retract"):
			return "只做一部分"
		case has(t, "scopeN") && hasWord(t, "缩小", "收窄", "缩减"):
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
