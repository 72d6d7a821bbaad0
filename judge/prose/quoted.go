package prose

import "strings"

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
		for _, t := range c.tokens[:k] {
			// "Hold off on the rest until next time" denies nothing.
			if t.is("neg", "no") && !strings.HasPrefix(t.word, "hold") {
				return true
			}
		}
		return false
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
		if name != "" && d.leftOpen(i) {
			r.note(s, 0, 0, "left to the user", name)
			continue
		}
		approved := has(s.tokens, "approvedBy") && !s.Steering
		switch {
		case name == "":
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

// leftOpen tells that sentence i says what the writer would do and the next one
// asks the user about it: the matter is still open.
func (d *Document) leftOpen(i int) bool {
	if i+1 >= len(d.Sentences) || d.Sentences[i].Steering {
		return false
	}
	s := &d.Sentences[i]
	if !has(s.tokens, "modal", "better", "maybe", "can") {
		return false
	}
	_, asks := d.asksUser(&d.Sentences[i+1])
	return asks
}
