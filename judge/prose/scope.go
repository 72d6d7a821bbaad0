package prose

// negatedAt tells that the word with one of the classes is denied: by a word
// before it in English and Chinese, by its verb behind it in Japanese.
func (s *Sentence) negatedAt(names ...string) bool {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		k := index(c.tokens, names...)
		if k < 0 {
			continue
		}
		if c.Lang == Japanese {
			return has(c.tokens[k:], "neg")
		}
		return has(c.tokens[:k], "neg", "no")
	}
	return false
}

// takenBack tells that the sentence, or the one after it, withdraws what it
// tells: "I first thought of …, but", "that was a mistake".
func (d *Document) takenBack(i int) bool {
	s := &d.Sentences[i]
	if has(s.tokens, "retract", "pastplan") {
		return true
	}
	if i+1 < len(d.Sentences) {
		n := &d.Sentences[i+1]
		return !n.Steering && has(n.tokens, "retract") && !has(n.tokens, "quote")
	}
	return false
}

// quoted looks for the check's words in quotations and in other people's text.
func (d *Document) quoted(r *Reading) {
	seen := 0
	hit := func(text string) bool {
		seen++
		if seen > 16 || len(text) > maxSpan {
			return false
		}
		in := Parse(text)
		for i := range in.Sentences {
			if in.Sentences[i].tokens != nil && has(in.Sentences[i].tokens, "quote") {
				return false
			}
		}
		return in.Read(r.Check).Proposal == Yes
	}
	for i := range d.Sentences {
		s := &d.Sentences[i]
		for k, t := range s.tokens {
			if t.is("quote") && (has(s.tokens, "rule", "saidthat", "retract") || hit(t.inner)) && !s.Steering {
				r.Retracted = Yes
				r.note(s, k, k+1, "quotation", "quotation marks")
				return
			}
		}
		if !s.Steering && has(s.tokens, "rule") && (s.Lang != English || s.Clauses != nil && has(s.tokens, "saidthat")) && len(s.Clauses) > 1 {
			r.Retracted = Yes
			r.note(s, 0, 0, "rule or example", "rule")
			return
		}
	}
	for _, p := range d.Parts {
		if p.Kind == Quote && hit(trimQuote(d.Text[p.Start:p.End])) {
			r.Retracted = Yes
			r.Notes = append(r.Notes, Note{p.Start, p.End, "quotation", "block quote"})
			return
		}
	}
}

func trimQuote(s string) string {
	out := make([]byte, 0, len(s))
	start := true
	for i := range len(s) {
		if start && (s[i] == '>' || s[i] == ' ') {
			continue
		}
		start = s[i] == '\n'
		out = append(out, s[i])
	}
	return string(out)
}

// judgeEach runs a rule over every sentence and settles the reading: a hit that
// is taken back or approved is no proposal that stands.
func (d *Document) judgeEach(r *Reading, rule func(i int) string) {
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if d.Parts[s.Part].Kind == Heading || s.Mood == Question && s.Lang == English {
			continue
		}
		name := rule(i)
		approved := has(s.tokens, "approvedBy") && !s.Steering
		switch {
		case name == "" && approved:
			continue
		case name == "":
			if has(s.tokens, "pastplan") && !s.Steering {
				r.Retracted = maxTri(r.Retracted, No)
			}
			continue
		case approved:
			r.Proposal, r.Approval = Yes, true
			r.Retracted = Yes
			r.note(s, 0, 0, "said to be the user's wish", name)
			continue
		case d.takenBack(i):
			r.Retracted = Yes
			r.note(s, 0, 0, "taken back", name)
			continue
		}
		if has(s.tokens, "agreed") {
			r.Approval = true
		}
		r.Proposal = Yes
		r.note(s, 0, 0, "proposal", name)
	}
	if r.Proposal != Yes {
		d.quoted(r)
	}
}

func maxTri(a, b Tri) Tri { return max(a, b) }

// readScope reads for scope-check: work cut short, split or put on hold by
// moving it to another session or time, or for want of context.
func (d *Document) readScope(r *Reading) {
	pressed := false
	for i := range d.Sentences {
		s := &d.Sentences[i]
		pressed = pressed || !s.Steering && contextPressure(s)
	}
	d.judgeEach(r, func(i int) string {
		s := &d.Sentences[i]
		switch s.Lang {
		case Japanese:
			return scopeJapanese(s, pressed)
		case Chinese:
			return scopeChinese(s, pressed)
		}
		return scopeEnglish(s, pressed)
	})
}

// contextPressure tells a sentence that says the context or token budget of
// this very conversation is short.
func contextPressure(s *Sentence) bool {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		k := index(c.tokens, "ctx")
		if k < 0 || !has(c.tokens, "low") && !(s.Lang == English && has(c.tokens, "rest")) || has(c.tokens, "codespan") && !has(s.tokens, "self") {
			continue
		}
		if s.Lang == English && has(c.tokens[max(0, k-3):min(len(c.tokens), k+4)], "neg", "no") && !hasWord(c.tokens, "not start", "rather", "avoid", "avoiding") || hasWord(c.tokens, "enough", "api", "editor", "react", "十分", "足够") {
			continue
		}
		return true
	}
	return false
}

func scopeEnglish(s *Sentence, pressed bool) string {
	toks := s.tokens
	self := has(toks, "self", "lets") || headGerund(s)
	for i := range s.Clauses {
		c := &s.Clauses[i]
		if stopsHere(s, i) && !(i > 0 && s.Clauses[i-1].Actor == User) {
			if has(c.tokens, "neg") && !has(c.tokens, "handoff") {
				continue
			}
			return "stops here"
		}
	}
	if has(toks, "neg", "no") && s.negatedAt("newsess", "nexttime", "rest", "split") && !pressed {
		return ""
	}
	switch {
	case pressed && contextPressure(s) && (has(toks, "rest", "newsess", "nexttime", "stopB", "stopG", "stopP", "onlydid", "low") && self && has(toks, "rest", "newsess", "nexttime", "stopB", "stopG", "stopP", "onlydid", "leaveB", "leaveG") || has(toks, "newsess") || has(toks, "rest") && hasWord(toks, "wait")):
		if hasWord(toks, "if", "when") && !self {
			return ""
		}
		return "context pressure"
	case pressed && (hasWord(toks, "wait") && hasWord(toks, "other", "others") || hasWord(toks, "rather") && has(toks, "neg", "rest") && self):
		return "context pressure"
	case pressed && self && has(toks, "rest", "newsess", "nexttime") && has(toks, "leaveB", "leaveG", "leaveP", "handoff", "stopB", "stopG"):
		return "context pressure"
	case has(toks, "newsess") && !has(toks, "domSess") && !s.negatedAt("newsess") && (has(toks, "rest", "handoff") || self && has(toks, "leaveB", "leaveG", "fut", "modal", "split", "leaveP")):
		return "moved to another session"
	case has(toks, "nexttime") && !s.negatedAt("nexttime") && has(toks, "rest") && !has(toks, "domSess") && (self || has(toks, "can", "modal", "fut", "follows", "handoff") || len(toks) <= 14):
		if has(toks, "actP", "have") && !has(toks, "fut", "modal", "leaveB") {
			return ""
		}
		return "moved to another time"
	case has(toks, "session") && has(toks, "split", "limitP") && self && !has(toks, "domSess", "neg"):
		return "split over sessions"
	case self && has(toks, "handoff") && hasWord(toks, "handoff", "hand over", "handover", "hand-off", "handing over", "handing off", "hand off") && has(toks, "rest", "session", "newsess", "stopB", "stopG", "stopP"):
		return "handed over"
	case self && has(toks, "rest") && has(toks, "fut") && hasWord(toks, "continue", "resume", "carry on") && !has(toks, "neg"):
		return "moved to another time"
	case self && has(toks, "session") && has(toks, "fut") && hasWord(toks, "two", "three", "several", "multiple") && !has(toks, "domSess", "neg"):
		return "split over sessions"
	case hasWord(toks, "work", "migration", "task", "remaining work") && has(toks, "be") && has(toks, "stopP", "hold") && !has(toks, "neg", "domain", "other"):
		return "suspended"
	case self && has(toks, "hold") && !has(toks, "neg", "codespan", "domain"):
		return "put on hold"
	case self && hasWord(toks, "myself") && has(toks, "limitP") && (has(toks, "session", "num", "here") || countOf(toks)):
		return "only a part"
	case self && hasWord(toks, "for later", "for next", "next time") && has(toks, "leaveB", "leaveG") && !has(toks, "neg"):
		return "left for later"
	case self && hasWord(toks, "tomorrow", "another time", "another day") && has(toks, "handoff", "rest", "part", "leaveB") && !has(toks, "actB", "mrgB", "neg"):
		return "moved to another time"
	case has(toks, "rest") && hasWord(toks, "resumed", "picked up", "pick up") && has(toks, "later", "nexttime", "modal", "can") && hasWord(toks, "open", "unfinished", "rest", "remaining", "what's left", "what is left", "still open", "left"):
		return "left open"
	}
	return ""
}

// headGerund tells a clause that begins with an -ing form of stopping, leaving
// or splitting: the writer's own act.
func headGerund(s *Sentence) bool {
	for i := range s.Clauses {
		for _, t := range s.Clauses[i].tokens {
			if t.is("stopG", "leaveG", "deferG") || t.word == "splitting" || t.word == "breaking this into" {
				return true
			}
			if !t.is("intro", "adv", "comma") {
				break
			}
		}
	}
	return false
}

// stopsHere tells a clause in which the writer stops, pauses or parks the work.
func stopsHere(s *Sentence, j int) bool {
	c := &s.Clauses[j]
	toks := trimmed(c.tokens)
	k := index(toks, "stopB", "stopG", "stopP")
	if k < 0 || c.Lang != English {
		return false
	}
	head := toks[:k]
	mine := has(head, "self", "lets") && !has(head, "user", "other") || index(toks, "stopG") == k && onlyIntroTokens(head)
	if !mine || has(head, "neg") || c.Link == "if" {
		return false
	}
	if has(toks[k:k+1], "stopB") && !has(head, "fut", "lets", "have", "modal", "proceed") && !hasWord(head, "suggest", "to") {
		return false
	}
	rest := toks[k+1:]
	if len(rest) == 0 {
		// "I stopped." says too little; "stop here", "call it a day" say it all.
		if j+1 < len(s.Clauses) && s.Clauses[j+1].Link == "after" && hasWord(toks[k:k+1], "stopped", "stopping", "stop", "paused", "pausing", "pause", "halted", "halting", "wrapping up", "wrapped up") {
			return true
		}
		return len(toks[k].word) > 8 && toks[k].word != "concluding" && toks[k].word != "suspended"
	}
	if hasWord(rest, "on hold") || len(toks[k].word) > 9 && has(toks[k:k+1], "stopG", "stopB") && hasWord(toks[k:k+1], "putting on hold", "putting this on hold", "put this on hold", "put it on hold", "putting it on hold") {
		return true
	}
	if rest[0].is("here") && rest[0].word != "now" || has(rest[:min(2, len(rest))], "rest") && !has(toks[k:k+1], "leaveP") {
		return true
	}
	switch rest[0].word {
	case "after", "at", "with", "for", "on":
		return !has(rest, "self") && !hasWord(rest, "error", "timeout")
	case "it", "this", "the", "that":
		return has(rest, "here", "session", "rest", "taskN") && !has(rest, "dropObj", "other")
	}
	return false
}

func onlyIntroTokens(toks []token) bool {
	for _, t := range toks {
		if !t.is("intro", "adv", "comma", "now", "so") {
			return false
		}
	}
	return true
}

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
	if denied || s.otherSubject() {
		return ""
	}
	switch {
	case contextPressure(s) && cut:
		return "コンテキスト不足"
	case pressed && has(toks, "lim", "newsess", "halt", "nexttime"):
		return "コンテキスト不足"
	case has(toks, "newsess") && (has(toks, "rest", "handoff", "please") || has(toks, "np", "vol") && has(toks, "go", "do", "make", "put")):
		return "別のセッションへ"
	case has(toks, "nexttime") && has(toks, "rest", "split"):
		return "別の機会へ"
	case nextTimeJapanese(toks):
		return "別の機会へ"
	case has(toks, "split") && hasWord(toks, "今回", "今回は", "回に", "何回か", "2 回に", "第") && has(toks, "np", "only", "pt"):
		return "分割"
	case hasWord(toks, "分割し", "分け", "分割") && has(toks, "big") && has(toks, "np", "pt") && !has(toks, "obj"):
		return "分割"
	case has(toks, "halt") && stopEnds(s) && ownTopic(s) && (has(toks, "now", "thistime", "handoff", "rest", "only") || hasWord(toks, "作業", "ここで", "で")) && !has(toks, "passive"):
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
	return len(tail) <= 5 && has(tail, "np", "vol") && has(tail, "do", "go", "put", "make") && hasWord(toks[:k], "は")
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

func scopeChinese(s *Sentence, pressed bool) string {
	toks := s.tokens
	if has(toks, "domSess") && !has(toks, "rest", "self") {
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
	case has(toks, "halt") && (has(toks, "self", "first", "thistime", "rest", "handoff") || hasWord(toks, "先", "到这里", "到此为止", "今天")) && !has(toks, "neg", "retract") && !has(toks, "hui"):
		if has(toks, "done") && !has(toks, "rest") {
			return ""
		}
		return "停下"
	case has(toks, "rest") && has(toks, "newsess", "nexttime", "handoff") && has(toks, "handoff") && hasWord(toks, "接手", "交接"):
		return "交接"
	}
	return ""
}
