package evidence

import (
	"strings"
	"unicode"
)

// tally is what one line counts; -1 is not said.
type tally struct {
	passed, failed, skipped, total, errors int
	// units tells that it counts suites, files, packages or steps, not tests.
	units bool
	// lint tells that it counts findings of a checker.
	lint bool
	// short tells "11/12 passed": some did not.
	short bool
}

// said tells that some class was counted at all.
func (t tally) said() bool { return t.passed >= 0 || t.failed >= 0 || t.total >= 0 || t.errors >= 0 }

// missed tells that fewer passed than the line itself says there are.
func (t tally) missed() bool { return t.short && t.passed+max(t.skipped, 0) < t.total }

// wordClass tells what a number beside the word counts. The plural "tests"
// counts all; "errors" count as failures beside tests and as findings alone.
func wordClass(w string) string {
	switch w {
	case "passed", "passing", "pass", "passes", "succeeded", "successful", "success", "successes", "ok":
		return "passed"
	case "failed", "failing", "failures", "failure", "fail", "fails", "broken", "crashed", "crashing", "incorrect", "errored", "cancelled", "undefined", "interrupted", "invalid":
		return "failed"
	case "errors", "error", "problems", "problem", "issues", "issue", "offenses", "offense", "offences", "violations", "violation", "findings", "exceptions", "exception":
		return "errors"
	case "skipped", "pending", "pendings", "ignored", "todo", "deselected", "disabled", "incomplete", "skip", "skips", "xfailed", "canceled", "filtered", "risky", "omitted", "omissions", "inconclusive", "excluded", "xfail", "skipping":
		return "skipped"
	case "fixed", "corrected", "autocorrected":
		return "fixed"
	case "tests", "test", "examples", "example", "specs", "spec", "scenarios", "scenario", "runs", "run", "total", "cases", "checks", "tested":
		return "total"
	}
	return ""
}

// classAt is what the word at i counts, with regard to the word in front of it: an
// expected failure is none, an unexpected pass is one, and so is what is not ok.
func classAt(toks []countToken, i int) string {
	class := wordClass(toks[i].text)
	if i == 0 {
		return class
	}
	switch toks[i-1].text {
	case "expected", "known":
		if class == "failed" || class == "errors" {
			return "skipped"
		}
	case "unexpected":
		if class == "passed" {
			return "failed"
		}
	case "not":
		switch class {
		case "passed":
			return "failed"
		case "total":
			return "skipped"
		}
	}
	return class
}

// fillers are words that stand in summing lines beside the counted ones. A line
// with any other word is a program's own talk: "retrying 3 failed requests".
const fillers = " in s ms sec secs second seconds m min mins minute minutes h took time elapsed duration across over from of and with out ran executed all " +
	"completed complete finished done result results summary suite suites file files spec-files assertion assertions expect calls call expectations warning warnings " +
	"xpassed rerun reruns retry retries retried flaky slow scenario step steps feature features case group groups target targets package packages project " +
	"projects module modules browser unexpected expected doctest doctests properties property seed no not did unhandled containing measured listed below snapshots " +
	"snapshot tasks task informations information infos notes hints hint known remaining autocorrectable suggestion suggestions svelte-check webpack rspack compiled found checked inspected source detected successfully warn notices notifications unknown " +
	"each were was executions obsolete written updated jobs hooks only assertions. tried type types mods funs modules/functions at least generated after "

// units are the words that say what is counted where it is no test.
const unitWords = " suites suite files file features feature steps step snapshots snapshot tasks task groups group targets target packages package projects project modules module jobs hooks "

// lintOnly are the counted words of checkers.
func lintOnly(t tally, testish bool) bool { return t.errors >= 0 && !testish }

// countLine reads the numbers of a summing line: "24 passed", "1 failed, 23
// passed in 0.66s", "Tests run: 5, Failures: 1", "failures=1", "# pass 12",
// "80 of 84 passed". closed is false for a line that is more than a sum.
func countLine(lower string) (t tally, closed bool) {
	t = noTally
	toks := countTokens(withoutSigns(lower))
	if len(toks) == 0 || len(toks) > 40 {
		return t, false
	}
	strange, testish, failing, unit := 0, false, false, ""
	for i, k := range toks {
		if k.kind != wordToken {
			continue
		}
		class := classAt(toks, i)
		failing = failing || k.text == "error" || k.text == "errors"
		switch {
		case strings.Contains(unitWords, " "+k.text+" "):
			if unit == "" && (i == 0 || toks[i-1].kind == numberToken || i == 1 || k.after == ':') {
				unit = k.text
			}
		case class != "":
			testish = testish || class != "errors" && class != "skipped" && class != "fixed"
		case !strings.Contains(fillers, " "+k.text+" "):
			strange++
		}
	}
	counting, jobs := 0, t
	for i := 0; i < len(toks); i++ {
		if toks[i].kind != numberToken {
			continue
		}
		c := classOf(toks, i)
		i = c.last
		if c.class == "" {
			continue
		}
		counting++
		to := &t
		if c.unit {
			to = &jobs
		}
		to.set("total", c.whole)
		to.set(c.class, c.n)
		to.short = to.short || c.class == "passed" && c.n < c.whole
	}
	if jobs.said() && !t.said() {
		t = jobs // "5/7 steps succeeded; 45/46 tests passed" counts tests
	}
	if t.errors >= 0 && testish || timed(toks) && failing && t.errors >= 0 && t.total < 0 && strange == 0 && counting == 1 {
		t.failed = max(t.failed, 0) + t.errors
		t.errors, testish = -1, true
	}
	t.units = unit != "" && (t.total < 0 && t.errors < 0 || toks[0].text == unit && toks[0].after == ':') || hasWord("test-files test-suites", firstTwo(toks))
	t.lint = lintOnly(t, testish)
	bracketed := t.passed > 0 && bracketsSum(lower)
	if strange > 4 || strange > 0 && !bracketed && (t.passed < 0 || t.failed < 0) {
		return t, false
	}
	return t, t.said() || t.skipped > 0 && (timed(toks) || testish)
}

// bracketsSum tells a line that ends in a sum of its own: "unit ok (24 passed)".
func bracketsSum(lower string) bool {
	i := strings.LastIndexByte(lower, '(')
	if i <= 0 || !strings.HasSuffix(lower, ")") {
		return false
	}
	t, closed := countLine(lower[i+1 : len(lower)-1])
	return closed && t.passed > 0
}

// withoutSigns blanks ticks, crosses and boxes, so that they stand for no word.
func withoutSigns(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && (!unicode.IsLetter(r) || r == 'ℹ') {
			return ' '
		}
		return r
	}, s)
}

// timed tells a line that says how long it took: a runner's, not a log's.
func timed(toks []countToken) bool {
	for i, k := range toks {
		if k.kind == unitToken && i > 0 && toks[i-1].text == "in" {
			return true
		}
	}
	return false
}

func firstTwo(toks []countToken) string {
	if len(toks) < 2 || toks[0].kind != wordToken || toks[1].kind != wordToken {
		return ""
	}
	return toks[0].text + "-" + toks[1].text
}

func (t *tally) set(class string, n int) {
	switch class {
	case "passed":
		t.passed = max(t.passed, 0) + n
	case "failed":
		t.failed = max(t.failed, 0) + n
	case "skipped":
		t.skipped = max(t.skipped, 0) + n
	case "errors":
		// "3 problems (1 error, 2 warnings)": the later word is the exact one.
		t.errors = n
	case "fixed":
		t.errors = max(t.errors, 0) - n
	case "total":
		t.total = max(t.total, n)
	}
}

// counted is what one number counts.
type counted struct {
	class string
	n     int
	whole int  // of "80 of 84"; -1
	unit  bool // it counts suites, files, steps that went so, not tests
	last  int  // index of the last token that was used
}

// classOf tells what the number at i counts: the word behind it, or the one in
// front of it, which it does not share with another number.
func classOf(toks []countToken, i int) counted {
	c := counted{n: toks[i].n, whole: -1, last: i}
	behind := i + 1
	if w, at := wholeAfter(toks, i); at > 0 {
		c.whole, behind, c.last = w, at+1, at
	}
	after, afterNext, word := "", "", ""
	if behind < len(toks) && toks[behind].kind == wordToken && toks[behind-1].gap() && !keys(toks, behind) {
		word = toks[behind].text
		after = wordClass(word)
		if behind+1 < len(toks) && toks[behind+1].kind == wordToken && toks[behind].gap() && !keys(toks, behind+1) {
			afterNext = classAt(toks, behind+1)
		}
		c.unit = after == "" && afterNext != "" && strings.Contains(unitWords, " "+word+" ")
		if c.unit || hasWord("expected unexpected known not", word) {
			after = afterNext // "2 hooks failed", "1 expected failure", "2 not ok"
		}
	}
	if after == "total" && afterNext != "" && afterNext != "total" || after == "errors" && afterNext == "fixed" {
		after = afterNext // "12 tests failed", "2 offenses corrected"
	}
	before := ""
	if i > 0 && toks[i-1].kind == wordToken {
		before = classAt(toks, i-1)
		if unit := strings.Contains(unitWords, " "+toks[i-1].text+" "); (unit || before == "total") && i > 1 && toks[i-2].kind == wordToken && toks[i-2].gap() && wordClass(toks[i-2].text) != "" && after == "" {
			before, c.unit = wordClass(toks[i-2].text), unit // "Failed tests: 1", "Failed files: 1"
		}
		switch {
		case toks[i-1].after == '=', toks[i-1].after == ':' && before != "" && (after == "" || after == "total"):
			c.class = before
			return c
		case toks[i-1].text == "ok" && toks[i-1].after != ':', toks[i-1].after != ':' && !toks[i-1].gap(), i > 1 && toks[i-2].kind == numberToken && toks[i-2].gap(), hasWord("assertions assertion warnings warning", word):
			before = ""
		}
	}
	switch {
	case after != "" && after != "total":
		c.class = after
	case before != "" && before != "total":
		c.class = before
	case after != "", before != "", i > 0 && toks[i-1].text == "of" && i == len(toks)-1:
		c.class = "total"
	}
	return c
}

// wholeAfter reads the whole of "80 of 84", "80 out of 84" and "80/84"; at is the
// index of its token, 0 without one.
func wholeAfter(toks []countToken, i int) (whole, at int) {
	j := i + 1
	if toks[i].after == '/' && j < len(toks) && toks[j].kind == numberToken {
		return toks[j].n, j
	}
	if j < len(toks) && toks[j].text == "out" {
		j++
	}
	if j+1 < len(toks) && toks[j].text == "of" && toks[j+1].kind == numberToken {
		return toks[j+1].n, j + 1
	}
	return -1, 0
}

type tokenKind byte

const (
	wordToken tokenKind = iota
	numberToken
	unitToken // a number with its unit, a time, a percentage, a version
)

type countToken struct {
	text  string
	kind  tokenKind
	n     int
	after byte   // the character behind it; 0 at the end
	sep   string // all that stands between it and the next token
}

// gap tells that only blanks or an opening bracket stand behind the token.
func (k countToken) gap() bool { return strings.Trim(k.sep, " \t(") == "" }

// keys tells a word that is the key of what follows: "fail=0", "Failures: 1".
func keys(toks []countToken, i int) bool {
	return (toks[i].after == '=' || toks[i].after == ':') && i+1 < len(toks) && toks[i+1].kind == numberToken
}

func countTokens(lower string) []countToken {
	var toks []countToken
	for i := 0; i < len(lower) && len(toks) < 48; {
		if !isAlnum(lower[i]) {
			if n := len(toks); n > 0 {
				toks[n-1].sep = lower[i-len(toks[n-1].sep) : i+1]
			}
			i++
			continue
		}
		start := i
		for i < len(lower) && (isAlnum(lower[i]) || strings.IndexByte(".,:-'/", lower[i]) >= 0 && i+1 < len(lower) && isAlnum(lower[i+1]) && joins(lower, start, i)) {
			i++
		}
		t := countToken{text: lower[start:i]}
		if i < len(lower) {
			t.after = lower[i]
		}
		if t.text[0] >= '0' && t.text[0] <= '9' {
			n, ok := atoi(strings.ReplaceAll(t.text, ",", ""))
			switch {
			case ok && t.after != '%':
				t.kind, t.n = numberToken, n
			default:
				t.kind = unitToken
			}
			if start > 0 && strings.IndexByte("./-_#", lower[start-1]) >= 0 && (start < 2 || isAlnum(lower[start-2])) {
				if lower[start-1] != '/' || len(toks) == 0 || toks[len(toks)-1].kind != numberToken {
					t.kind = unitToken // part of a path, a version, a name
				}
			}
		} else if t.text == "no" || t.text == "none" {
			t.kind, t.n = numberToken, 0
		}
		toks = append(toks, t)
	}
	return toks
}

// joins tells that the separator at i belongs to the token that began at start: in
// a decimal number, a clock time, a word with a hyphen.
func joins(s string, start, i int) bool {
	digit := s[i-1] >= '0' && s[i-1] <= '9'
	nextDigit := s[i+1] >= '0' && s[i+1] <= '9'
	switch s[i] {
	case '.', ':':
		return digit && nextDigit || s[i] == '.' && !digit
	case ',':
		return digit && nextDigit && i+3 < len(s) && strings.Trim(s[i+1:i+4], "0123456789") == "" && (i+4 == len(s) || !isAlnum(s[i+4]))
	case '-', '\'':
		return !digit
	case '/':
		return s[start] < '0' || s[start] > '9'
	}
	return false
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

func atoi(s string) (int, bool) {
	if s == "" || len(s) > 7 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
