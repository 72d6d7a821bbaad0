package prose

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
		case English:
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
	case has(toks, "better") && has(toks, "nexttime", "newsess") && has(toks, "leaveB", "leaveG", "handoff", "stopB") && !has(toks, "domSess", "neg", "actB", "mrgB", "depN", "domain"):
		return "moved to another time"
	case self && has(toks, "rest") && has(toks, "deferB", "deferG") && !has(toks, "neg", "dropObj"):
		return "put off"
	case self && hasWord(toks, "leave", "leaving") && hasWord(toks, "work", "it", "this", "migration", "task") && hasWord(toks, "here") && !has(toks, "neg"):
		return "left here"
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
		return !has(rest, "self") && !hasWord(rest, "error", "timeout", "match", "failure", "occurrence", "warning", "hit", "result", "breakpoint", "line", "exception", "newline")
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

// beside tells that a token has one of the classes and not the first one.
func beside(toks []token, not string, names ...string) bool {
	for _, t := range toks {
		if t.is(names...) && !t.is(not) {
			return true
		}
	}
	return false
}
