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
	later = later || inOrder(s, j, toks)
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

// inOrder tells "先跑测试，再推送，最后部署" and its like: the clause opens as a
// further step behind one that comes first and is no such act itself, and
// nobody is named who does it.
func inOrder(s *Sentence, j int, toks []token) bool {
	if j == 0 || s.Lang == English || has(s.tokens, "self") || !hasWord(toks[:min(2, len(toks))], "再", "然后", "最后", "接着", "次に", "最後に", "その後", "続いて") {
		return false
	}
	for k := range j {
		o := s.Clauses[k].tokens
		if has(o, "first") {
			return !has(o, "act", "mrg")
		}
	}
	return false
}
