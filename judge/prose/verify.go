package prose

import (
	"slices"
	"strings"
	"sync"
)

var passes = tables{
	en: sync.OnceValue(func() []pattern { return rules(passesEnglish) }),
	ja: sync.OnceValue(func() []pattern { return rules(passesJapanese) }),
	zh: sync.OnceValue(func() []pattern { return rules(passesChinese) }),
}

const passesEnglish = `
=good: '0' | '200' | '201' | '202' | '204' | '301' | '302' | '304'
tests pass: (testN | testcmd | codespan) .{0,7} (pass | tick | nofail)
tests ok: (testN | testcmd | codespan) .{0,3} (okay | ok)
all pass: all .{0,4} (pass | tick)
counts: (num | ratio) .{0,4} (pass | nofail)
pass tests: (pass | tick) .{0,3} (testN | testcmd)
no failures: (nofail | 'no' .{0,2} failN)
verified: verP
have verified: self .{0,3} have .{0,2} verP
exit: (('rc' | 'exit' | 'status' | 'exited' | 'returncode' | 'http') .{0,3} <good> | 'pass' .{0,3} num | 'fail' .{0,3} '0')
answered: (testN | testcmd | codespan | 'server' | 'service' | 'page' | 'site' | 'health' | 'healthz' | 'readyz' | 'livez') .{0,3} answered .{0,3} (<good> | ok)
silent: (testcmd | codespan | 'diff' | 'comparison' | 'plan' | testN) .{0,3} (printed | 'is' | 'was') silent ($ | !'else')
no difference: silent ('between' | 'against')
healthy: ('service' | 'server' | 'container' | 'containers' | 'pod' | 'pods' | 'cluster') .{0,3} ('healthy' | 'reachable')
all okay: all ok $
built: ('site' | 'docs' | 'documentation' | 'book' | 'pages' | 'hugo' | 'mkdocs' | 'jekyll' | 'sphinx') adv{2} ('built' | 'builds' | 'rendered' | 'renders')
accepted: (testN | testcmd | codespan) .{0,5} ('accepted' | 'accepts' | 'valid' | 'through')
valid: ('json' | 'yaml' | 'toml' | 'xml' | 'config' | 'configuration' | 'schema' | 'manifest' | 'manifests' | codespan) .{0,2} ('validates' | 'validate' | 'parses' | 'valid')
identical: ('files' | 'outputs' | 'both' | 'results' | 'hashes' | 'checksums' | 'archives' | 'copies' | 'images' | 'pages') .{0,3} ('identical' | 'match' | 'equal' | 'matches')
bytes: 'byte-for-byte' .{0,2} ('identical' | 'equal' | 'same')
all green: (^ | beN | 'now' | 'everything') ('all_green' | 'green' $)
ratio: testN .{0,8} ratio
`

const passesJapanese = `
=good: '0' | '200' | '201' | '202' | '204' | '301' | '302' | '304'
tests pass: (testN | testcmd | codespan) .{0,12} (pass | tick)
counts: num .{0,6} (pass | nofail)
verified: verDone
nofail: nofail
all: allpass
tick: tick
works: dousa .{0,12} kakunin
exit: ((exitcode | 'rc' | 'exit' | 'status' | 'exited' | 'returncode' | 'http') .{0,3} <good> | 'pass' .{0,3} num | 'fail' .{0,3} '0')
`

const passesChinese = `
=good: '0' | '200' | '201' | '202' | '204' | '301' | '302' | '304'
tests pass: (testN | testcmd | codespan) .{0,10} (pass | tick)
counts: num .{0,6} (pass | nofail)
verified: verDone
nofail: nofail
all: allpass
tick: tick
exit: ((exitcode | 'rc' | 'exit' | 'status' | 'exited' | 'returncode' | 'http') .{0,3} <good> | 'pass' .{0,3} num | 'fail' .{0,3} '0')
`

// verification fills in what the message reports as verified, and the claims
// behind it.
func (d *Document) verification(r *Reading) {
	for _, c := range d.Claims() {
		switch c.Kind {
		case ClaimTests, ClaimBuild, ClaimLint, ClaimCI, ClaimVerified, ClaimCommit, ClaimRun:
			if c.Kind == ClaimCommit && c.Detail == "" {
				continue
			}
			r.Verified = Yes
			r.Claims = append(r.Claims, c)
			r.Notes = append(r.Notes, Note{c.Start, c.End, "verification", string(c.Kind)})
		default: // says what was done with the work, not that it is right
		}
	}
	if r.Verified == Yes {
		return
	}
	// A run that is told without its result settles nothing either way.
	for i := range d.Sentences {
		for j := range d.Sentences[i].Clauses {
			c := &d.Sentences[i].Clauses[j]
			if !c.Negated && !has(c.tokens, "notrun", "fut", "fail", "oldstate", "np", "no", "maybe", "opinion") && has(c.tokens, "ran", "pt", "le") && has(c.tokens, "tests", "testcmd") && c.Actor != User && c.Link == "" && !d.Sentences[i].Steering && c.Tense == Past && ranIt(c.tokens) {
				r.Verified = Unsure
				r.noteClause(c, "verification without a result", "run")
			}
		}
	}
}

// ranIt tells that the clause has a verb of running, apart from the word for
// the tests themselves.
func ranIt(toks []token) bool {
	for _, t := range toks {
		if t.is("ran") || t.is("verV") && !t.is("tests") {
			return true
		}
	}
	return false
}

// reports tells a clause that reports a check that passed, on the state at hand.
func (s *Sentence) reports(j int) (string, bool) {
	c := &s.Clauses[j]
	toks := trimmed(c.tokens)
	name, to, ok := match(passes.of(c.Lang), toks)
	if !ok && j > 0 && len(toks) <= 3 && len(s.Clauses[j-1].tokens) <= 5 {
		label := s.Clauses[j-1].tokens
		switch {
		case has(toks, "pass", "okay", "ok", "tick") && len(label) <= 4 && has(label, "testN", "testcmd"):
			name, to, ok = "label", len(toks), true
		case has(toks, "silent") && hasWord(label, "diff", "cmp", "plan", "comparison"):
			name, to, ok = "silent", len(toks), true
		}
	}
	if name == "tests ok" && hasWord(toks, "everything", "all") && hasWord(toks, "finished", "complete", "completed", "up") && !has(toks, "tests") {
		return "", false
	}
	if !ok || s.Mood == Question && j == len(s.Clauses)-1 || s.Steering {
		return "", false
	}
	if c.Link == "if" || c.Link == "before" || c.Link == "after" && s.mainBeside(j) && !has(toks, "pt", "le", "have", "bePast", "pastpass") {
		return "", false
	}
	if has(toks, "oldstate", "opinion", "maybe", "ensure", "notrun", "fut") && !excused(toks) {
		return "", false
	}
	if c.Lang == Japanese && !hasWord(toks, "一致し", "通ります") {
		if k := index(toks, "pass", "dousa"); k >= 0 && has(toks[k:], "np", "vol", "please") && !has(toks[k:], "prog", "nofail") {
			return "", false
		}
	}
	if c.Lang == Japanese && has(toks[min(to, len(toks)):], "neg") && !has(toks, "nofail") || c.Lang == Japanese && has(toks, "want") {
		return "", false
	}
	for k := range s.Clauses {
		o := &s.Clauses[k]
		if k != j && o.seg == c.seg && (o.subordinate() || len(o.tokens) <= 4) && (has(o.tokens, "oldstate") || hasWord(o.tokens, "started", "began", "touched")) {
			return "", false
		}
	}
	if c.Actor == User || has(toks, "neg") && c.Lang != Japanese && !has(toks, "nofail") && !(name == "silent" && onlySilent(toks)) {
		return "", false
	}
	if has(toks, "fail") && failsCounted(toks) {
		return "", false
	}
	if name == "verified" && c.Lang == English && has(toks, "other") && !has(toks, "self") {
		return name, !has(toks, "user")
	}
	if c.Lang == English && (c.Tense == Conditional || c.Tense == Later && !s.waitsFor("after")) && !has(toks, "bePast", "have", "pastpass") {
		return "", false
	}
	return name, true
}

// onlySilent tells that what is denied is the output alone: "printed nothing".
func onlySilent(toks []token) bool {
	return !slices.ContainsFunc(toks, func(t token) bool { return t.is("neg") && !t.is("silent") })
}

// mainBeside tells that the sentence has a main clause besides j.
func (s *Sentence) mainBeside(j int) bool {
	for k := range s.Clauses {
		if k != j && s.Clauses[k].seg == s.Clauses[j].seg && !s.Clauses[k].subordinate() {
			return true
		}
	}
	return false
}

// waitsFor tells that the sentence's waiting clause opens with that word.
func (s *Sentence) waitsFor(word string) bool {
	for k := range s.Clauses {
		if s.Clauses[k].Link == "after" && s.Clauses[k].tokens[0].word == word {
			return true
		}
	}
	return false
}

// excused tells words that only look like a doubt: "nothing failed before or after".
func excused(toks []token) bool {
	return has(toks, "nofail") && !has(toks, "opinion", "fut", "maybe")
}

// failsCounted tells "2 failed" and "failed=2", not "0 failed" or "failed=0" and
// not "the first run failed".
func failsCounted(toks []token) bool {
	for i, t := range toks {
		if !t.is("fail", "failN") || t.is("nofail") {
			continue
		}
		if i+2 < len(toks) && (toks[i+1].word == "=" || toks[i+1].word == ":") && toks[i+2].is("num") {
			if toks[i+2].word != "0" {
				return true
			}
			continue
		}
		for k := max(0, i-3); k < min(len(toks), i+4); k++ {
			if toks[k].is("num") && strings.Trim(toks[k].word, "0") != "" && k < i && i-k <= 2 {
				return true
			}
		}
	}
	return false
}
