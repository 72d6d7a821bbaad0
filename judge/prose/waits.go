package prose

// waits tells whether the act of a match waits for a step, a time or a word of
// the user.
func waits(s *Sentence, j int, toks []token, from, to int) (later, asked bool) {
	c := &s.Clauses[j]
	later = c.Tense == Later && waitedFor(s, j) || c.Tense == Conditional
	at := actAt(toks, from, to)
	// A time word behind "and" belongs to the second verb, and so does a wait that
	// follows it: "merging now and will test it once it is live".
	span := toks
	for i := at + 1; i < len(toks); i++ {
		if toks[i].word == "and" || toks[i].word == "then" {
			span = toks[:i]
			if later && has(toks[i:], "fut", "verB", "verG") && waitFollows(s, j) {
				later = false
			}
			break
		}
	}
	if has(span, "later") && !(c.Lang == Chinese && !has(toks[:at+1], "later")) {
		later = true
	}
	// "Run the tests and commit": a check comes first.
	if has(toks[from:at], "verB", "tests", "verV") && c.Lang == English && !toks[at].is("actcmd") {
		later = true
	}
	if c.Lang == Chinese && (has(toks[:at], "wait") || has(toks[:at], "again") && !has(toks[:at], "now")) {
		later = true
	}
	for k := range s.Clauses {
		o := &s.Clauses[k]
		if (o.Link == "after" || o.Link == "if") && has(o.tokens, "approve", "askme") && (has(o.tokens, "user", "askme") || c.Lang != English) && !has(o.tokens, "verdict") {
			asked = true
		}
	}
	return later, asked
}

// waitFollows tells that what the sentence waits for stands behind clause j only.
func waitFollows(s *Sentence, j int) bool {
	for k := range s.Clauses {
		if s.Clauses[k].subordinate() && k < j {
			return false
		}
	}
	return true
}

// waitedFor tells that a clause beside j says what it waits for.
func waitedFor(s *Sentence, j int) bool {
	for k := range s.Clauses {
		if k != j && (s.Clauses[k].Link == "after") {
			return true
		}
	}
	return false
}
