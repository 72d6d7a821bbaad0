package evidence

import "strings"

// readCounts reads the numbers of a summing line: "24 passed", "1 failed, 23
// passed in 0.66s", "Tests run: 5, Failures: 1", "failures=1", "# pass 12".
func readCounts(line, lower string, s *said) {
	if goLine(line, s) || oneTest(lower) {
		return
	}
	c := countLine(lower)
	if ofFiles(lower) {
		// Suites and files are no tests, but one that failed is a failure.
		s.fail = s.fail || c.failed > 0
		return
	}
	if c.passed < 0 && c.failed < 0 && c.total < 0 {
		s.empty = s.empty || c.skipped > 0 && (strings.Contains(lower, " deselected in ") || strings.Contains(lower, " skipped in "))
		return
	}
	if c.passed < 0 && c.total >= 0 && (c.failed >= 0 || c.skipped >= 0 || s.pass) {
		// A total with its failures: the rest passed.
		c.passed = max(0, c.total-max(c.failed, 0)-max(c.skipped, 0))
	}
	s.counts, s.total = Counts{c.passed, c.failed, c.skipped}, c.total
}

// oneTest tells the line of a single test that passed or began: its name may say
// anything.
func oneTest(lower string) bool {
	for _, p := range [...]string{"✓", "✔", "√", "=== run", "=== pause", "=== cont", "--- pass", "[ run", "[       ok", "ok 1", "ok 2", "ok 3", "ok 4", "ok 5", "ok 6", "ok 7", "ok 8", "ok 9", "ok - ", "· ", "▶", "pass "} {
		if strings.HasPrefix(lower, p) {
			return true
		}
	}
	return strings.HasPrefix(lower, "test ") && strings.HasSuffix(lower, " ... ok") || strings.HasSuffix(lower, " passed") && strings.Contains(lower, " > ") || strings.Contains(lower, "::") && strings.Contains(lower, " passed [")
}

// ofFiles tells lines that count test files.
func ofFiles(lower string) bool {
	for _, p := range [...]string{"test suites:", "test files ", "snapshots:", "suites:", "files:", "ℹ suites", "# suites"} {
		if strings.HasPrefix(lower, p) {
			return true
		}
	}
	return false
}

// goLine reads the package lines of "go test".
func goLine(line string, s *said) bool {
	rest, ok := strings.CutPrefix(line, "ok")
	if !ok || rest == "" || (rest[0] != ' ' && rest[0] != '\t') {
		return false
	}
	f := strings.Fields(rest)
	if len(f) >= 2 && (f[1] == "(cached)" || (strings.HasSuffix(f[1], "s") && strings.Trim(f[1], "0123456789.s") == "")) {
		s.pass = true
		return true
	}
	return false
}

type counted struct{ total, passed, failed, skipped int }

// wordClass tells what a number beside the word counts. The plural "tests"
// counts all; a bare "errors" counts failures.
func wordClass(w string) string {
	switch w {
	case "passed", "passing", "pass", "passes", "succeeded", "successful", "success", "successes", "ok":
		return "passed"
	case "failed", "failing", "failures", "failure", "fail", "fails", "errors", "error", "errored", "broken", "crashed", "incorrect", "offenses":
		return "failed"
	case "skipped", "pending", "ignored", "todo", "deselected", "disabled", "incomplete", "skip", "skips", "xfailed", "cancelled", "filtered", "risky", "omitted", "inconclusive":
		return "skipped"
	case "tests", "test", "examples", "example", "specs", "spec", "scenarios", "scenario", "runs", "run", "total", "cases":
		return "total"
	}
	return ""
}

// countLine collects every number-and-word pair of one line, in both orders.
// Words are split at anything that is no letter, digit, ":", "=".
func countLine(lower string) counted {
	c := counted{-1, -1, -1, -1}
	toks := countTokens(lower)
	set := func(class string, n int) {
		switch class {
		case "passed":
			c.passed = max(c.passed, 0) + n
		case "failed":
			c.failed = max(c.failed, 0) + n
		case "skipped":
			c.skipped = max(c.skipped, 0) + n
		case "total":
			if c.total < 0 {
				c.total = n
			}
		}
	}
	for i, t := range toks {
		if !t.number {
			continue
		}
		if !sumsUp(toks, i, lower) {
			continue
		}
		// "24 passed", "0 tests failed", "12 tests completed"
		class, next := "", ""
		if i+1 < len(toks) && !toks[i+1].number && t.sep == ' ' {
			class = wordClass(toks[i+1].text)
			if i+2 < len(toks) && !toks[i+2].number && toks[i+1].sep == ' ' {
				next = wordClass(toks[i+2].text)
			}
		}
		// "Failures: 1", "fail=0", "Tests run: 12": the word before counts unless
		// the one behind says what the number is ("Tests: 1 failed").
		keyed := i > 0 && !toks[i-1].number && (toks[i-1].sep == ':' || toks[i-1].sep == '=')
		if keyed && (class == "" || class == "total" || toks[i-1].sep == '=') {
			set(wordClass(toks[i-1].text), t.n)
			continue
		}
		switch {
		case class == "total" && next != "" && next != "total":
			class = next
		case class == "" && next == "failed" && t.n > 0 && hasWord("hooks jobs tasks checks packages modules projects targets steps files suites crates", toks[i+1].text):
			class = next // "2 hooks failed"
		}
		set(class, t.n)
	}
	if p := prefixCount(lower); p != "" && c.passed < 0 && c.failed < 0 && c.total < 0 {
		// TAP and its kin: "# pass 12", "ℹ fail 0"
		f := strings.Fields(lower)
		if len(f) == 3 {
			if n, ok := atoi(f[2]); ok {
				set(wordClass(f[1]), n)
			}
		}
	}
	return c
}

// sumsUp tells a number that stands as in a sum: first on the line, behind a mark,
// or behind a word of sums. "retrying 3 failed requests" is none.
func sumsUp(toks []countToken, i int, lower string) bool {
	if i == 0 {
		return true
	}
	prev := toks[i-1]
	if prev.number || prev.sep != ' ' || wordClass(prev.text) != "" {
		return true
	}
	// "unit ok (24 passed": a bracket may follow the space.
	if at := prev.end + 1; at < len(lower) && !isAlnum(lower[at]) {
		return true
	}
	return hasWord("found ran executed with and tests result summary running completed finished", prev.text)
}

func prefixCount(lower string) string {
	for _, p := range [...]string{"# ", "ℹ "} {
		if strings.HasPrefix(lower, p) {
			return p
		}
	}
	return ""
}

type countToken struct {
	text   string
	number bool
	n      int
	sep    byte // the separator that follows
	end    int  // its index
}

func countTokens(lower string) []countToken {
	var toks []countToken
	for i := 0; i < len(lower) && len(toks) < 64; {
		c := lower[i]
		if !isAlnum(c) {
			i++
			continue
		}
		start := i
		for i < len(lower) && (isAlnum(lower[i]) || (lower[i] == '.' && i+1 < len(lower) && isAlnum(lower[i+1]))) {
			i++
		}
		t := countToken{text: lower[start:i], end: i}
		t.n, t.number = atoi(t.text)
		if start > 0 && (lower[start-1] == '.' || lower[start-1] == '/' || lower[start-1] == '-' || lower[start-1] == '_') && t.number {
			t.number = false // part of a path, a version, a name
		}
		if i < len(lower) {
			t.sep = lower[i]
			if t.sep == '/' || t.sep == '_' || t.sep == '%' {
				t.number = false
			}
		}
		toks = append(toks, t)
	}
	return toks
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
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
