package prose

// split cuts a sentence into clauses and tells for each who acts, when, and how
// it hangs on its neighbours.
func split(text string, s *Sentence) {
	toks := s.tokens
	if len(toks) == 0 {
		return
	}
	if toks[len(toks)-1].is("ask") && toks[len(toks)-1].is("end") || s.Lang != English && asks(toks) {
		s.Mood = Question
	}
	from, link, seg := 0, "", 0
	cut := func(to int, next string) {
		if to > from && hasWords(toks[from:to]) {
			c := Clause{Start: toks[from].start, End: toks[to-1].end, Lang: s.Lang, Mood: s.Mood, Link: link, tokens: toks[from:to], seg: seg}
			c.Text = text[c.Start:c.End]
			s.Clauses = append(s.Clauses, c)
			link = next
		} else if next != "" || to > from {
			link = next
		}
		from = to
	}
	for i := range toks {
		t := toks[i]
		switch {
		case t.is("stop", "dash", "paren", "end"):
			cut(i, "")
			from, link = i+1, ""
			seg++
		case t.is("tick") && i > from && i+1 < len(toks):
			cut(i+1, "")
		case t.is("comma"):
			if s.Lang == English && i > from && (i-from <= 2 && toks[from].is("intro")) && link == "" {
				continue
			}
			cut(i, "")
			from = i + 1
		case s.Lang == English:
			if l := opens(toks, i, from, link); l != "" {
				cut(i, l)
				if l == "main" {
					link = ""
				}
			}
		case s.Lang == Chinese && i >= from && t.is("cond", "contrast", "because") && !ends(t):
			if i > from {
				cut(i, "")
			}
			link = linkOf(t)
		default:
			if l := closes(s.Lang, toks, i, from); l != "" {
				link = l
				cut(i+1, "")
			}
		}
	}
	cut(len(toks), "")
	relate(s)
}

func hasWords(toks []token) bool {
	for _, t := range toks {
		if !t.is("comma", "stop", "dash", "paren", "end") {
			return true
		}
	}
	return false
}

func linkOf(t token) string {
	switch {
	case t.is("until"):
		return "before"
	case t.is("if", "cond"):
		return "if"
	case t.is("because"):
		return "because"
	case t.is("contrast"):
		return "but"
	case t.is("after"):
		return "after"
	}
	return ""
}

// opens tells that an English clause begins at token i, and how it is linked:
// "main" where it is a main clause.
func opens(toks []token, i, from int, link string) string {
	t := toks[i]
	next := token{}
	if i+1 < len(toks) {
		next = toks[i+1]
	}
	subject := func(t token) bool {
		return t.is("self") && t.word != "me" && t.word != "us" || t.is("user", "det") && t.word != "your" || t.word == "there" || t.word == "let"
	}
	switch {
	case i == from && link == "" && t.is("after", "until", "if", "because", "contrast"):
		if t.word == "as" && !subject(next) {
			return ""
		}
		return linkOf(t)
	case i == from:
		return ""
	case t.is("after", "until", "if", "contrast") && t.word != "upon":
		if t.word == "after" && i > 0 && toks[i-1].word == "right" {
			return ""
		}
		if t.word == "yet" && i > 0 && toks[i-1].is("neg", "have", "be", "do") {
			return ""
		}
		return linkOf(t)
	case t.is("because"):
		if t.word == "as" && (!subject(next) || next.is("det")) || t.word == "since" && !subject(next) && !next.is("testN", "all") {
			return ""
		}
		return "because"
	case t.is("purpose"):
		return "so that"
	case t.word == "so" && (subject(next) || next.is("actG", "mrgG", "openG", "startG", "runG")):
		return "main"
	case (t.word == "and" || t.word == "then" || t.word == "and then") && subject(next) && (!next.is("det") || link == "before"):
		return "main"
	case t.is("self") && next.is("fut", "have", "beN") && (link == "after" || link == "if" || link == "because" || link == "before") && i-from >= 2:
		return "main"
	}
	return ""
}

// ends tells a Chinese link that closes its clause instead of opening one.
func ends(t token) bool { return t.word == "的话" }

// closes tells that a Japanese or Chinese clause ends with token i, and its link.
func closes(l Lang, toks []token, i, from int) string {
	t := toks[i]
	if t.is("afterN") && i+1 < len(toks) {
		return "after"
	}
	if i == from || i+1 >= len(toks) {
		return ""
	}
	if l == Chinese {
		if t.is("after") && !t.is("again") && !toks[i-1].is("meas", "act") {
			return "after"
		}
		if t.word == "的话" {
			return "if"
		}
		return ""
	}
	verb := toks[i-1].is("do", "np", "pt", "te", "neg", "go", "make", "aux", "pass", "done", "prog", "verV", "tests", "testN", "verdict", "approve", "act", "mrg", "no_", "ok", "put", "halt", "changed", "passive", "want", "target", "da") || toks[i-1].is("num")
	switch {
	case t.is("because") && t.word != "により":
		return "because"
	case t.is("contrast"):
		return "but"
	case t.is("after") && verb:
		return "after"
	case t.is("cond") && (verb || t.word == "なら" || t.word == "ならば"):
		return "if"
	}
	return ""
}

// asks tells a Japanese or Chinese question by its last words.
func asks(toks []token) bool {
	n := 0
	for i := len(toks) - 1; i >= 0 && n < 2; i-- {
		if toks[i].is("end", "paren") {
			continue
		}
		if toks[i].word == "か" || toks[i].word == "吗" || toks[i].word == "呢" || toks[i].is("ask") && len(toks[i].word) > 6 {
			return true
		}
		n++
	}
	return false
}

// relate fills in what a clause says about actor and time, and hands the time
// of "after", "once" and "if" clauses to the main clause beside them.
func relate(s *Sentence) {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		c.Actor, c.Negated, c.Modal = actor(c), negated(c), modal(c)
		c.Tense = tense(c)
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		var waits Tense
		switch c.Link {
		case "after":
			waits = Later
		case "if":
			waits = Conditional
		default:
			continue
		}
		// A clause after a comma still belongs to the wait: "once A and B pass, …".
		for j := i + 1; j < len(s.Clauses) && s.Clauses[j].seg == c.seg; j++ {
			if s.Clauses[j].Link == "" {
				s.Clauses[j].wait(waits)
				break
			}
		}
		if s.Lang == English && i > 0 && s.Clauses[i-1].seg == c.seg && !s.Clauses[i-1].subordinate() {
			s.Clauses[i-1].wait(waits)
		}
	}
}

func (c *Clause) subordinate() bool { return c.Link == "after" || c.Link == "if" || c.Link == "before" }

func (c *Clause) wait(t Tense) {
	if c.Tense != Past {
		c.Tense = t
	}
}

func actor(c *Clause) Actor {
	for i, t := range c.tokens {
		switch {
		case t.is("self") && t.word != "me" && t.word != "us":
			return Self
		case t.word == "let" || t.word == "let me":
			return Self
		case t.is("user") && t.word != "your" && t.word != "yours":
			return User
		case t.is("other") && (c.Lang != English || i+1 < len(c.tokens) && !t.is("prN")):
			return Other
		case c.Lang == English && t.is("fut", "modal", "be", "have"):
			return Nobody
		}
	}
	return Nobody
}

func negated(c *Clause) bool {
	for _, t := range c.tokens {
		if t.is("neg") {
			return true
		}
	}
	return false
}

func modal(c *Clause) bool {
	for _, t := range c.tokens {
		if t.is("modal", "maybe") {
			return true
		}
	}
	return false
}

func tense(c *Clause) Tense {
	past, now, later := false, false, false
	for i, t := range c.tokens {
		switch {
		case t.is("fut"):
			now = true
		case t.is("later") && !t.is("now"):
			later = true
		case t.is("now") && c.Lang != Chinese:
			now = true
		case t.is("pt", "le", "done", "bePast", "have", "actP", "mrgP", "openP", "fixP", "ran", "verP"):
			past = past || !(i > 0 && c.tokens[i-1].is("fut", "be"))
		}
	}
	switch {
	case later:
		return Later
	case past && !now:
		return Past
	case now:
		return Now
	}
	return Present
}
