package shell

import "strings"

// Limits of one analysis beside MaxParsed and MaxNesting. They bound time and
// memory for hostile text; what was found before a limit is kept.
const (
	maxCommands = 2000      // of Script.Commands
	maxSteps    = 60_000    // words, statements and copied variables
	maxBytes    = 256 << 10 // parsed in all, nested scripts included
	maxDepth    = 40        // nested scripts, functions and substitutions
	maxRounds   = 64        // iterations of one loop
	maxFields   = 512       // words that one word expands to
	maxAlts     = 4         // values kept for a variable that branches assign
	maxPins     = 8         // combinations of such values tried for one command
	maxValue    = 64 << 10  // bytes of one value
	maxRepeats  = 60        // equal prefixes in a row, such as time time time
	maxTokens   = 160_000   // of Script.Tokens: all words of a text of 256 KiB, or padding would hide the last ones
	maxHeredocs = 200       // << in one text; the parser is quadratic in those that wait for a body
	maxFeeders  = 48        // commands in front of one in a pipeline
	maxReads    = 20        // script files entered
)

// tooDeep tells whether a text nests deeper than the parser's stack should be
// trusted with. It counts on the bytes, quoted or not, so it may count more
// than there is but never much less: a backtick counts only where it is escaped,
// because two that are not need a bracket between them to nest.
func tooDeep(src string) bool {
	var d depth
	for i := 0; i < len(src); i++ {
		c := src[i]
		d.bracket(src, i)
		d.operator(src, i)
		if d.nest+d.words > MaxNesting || d.unary > MaxNesting || d.run > maxRepeats || d.conds > 2*MaxNesting || d.heredocs > maxHeredocs {
			return true
		}
		switch {
		case !alpha(c):
			if c != ' ' && c != '\t' {
				d.start = strings.IndexByte("\n;&|({)!`", c) >= 0
			}
			continue
		case i > 0 && alnum(src[i-1]):
			continue
		}
		j := i + 1
		for j < len(src) && alnum(src[j]) {
			j++
		}
		d.word(src[i:j])
		i = j - 1
	}
	return false
}

// depth is the count of tooDeep.
type depth struct {
	nest     int    // open brackets
	words    int    // open keywords
	unary    int    // operators in a row that each recurse
	run      int    // f() g() h(): each one is the body of the one before
	conds    int    // && and || between [[ and ]], right-recursive in the parser
	inTest   bool   //
	heredocs int    //
	start    bool   // a command may start here
	last     string // the word before
	before   string // and the one before that
}

func (d *depth) bracket(src string, i int) {
	switch c := src[i]; c {
	case '(', '{', '[':
		d.nest++
	case ')', '}', ']':
		d.nest = max(d.nest-1, 0)
	case '`':
		if i > 0 && src[i-1] == '\\' {
			d.nest++
		}
	case '&', '|':
		if d.inTest {
			d.conds++
		}
	case '<':
		if strings.HasPrefix(src[i:], "<<") {
			d.heredocs++
		}
	}
	if c := src[i]; (c == '[' || c == ']') && i > 0 && src[i-1] == c {
		d.inTest, d.conds = c == '[', 0
	}
	switch c := src[i]; {
	case c == ')' && i > 0 && src[i-1] == '(':
		d.run++
	case c == '{' || c == ';' || c == '\n' || c == '&' || c == '|':
		d.run = 0
	}
}

// operator counts signs that may stand before any number of themselves.
func (d *depth) operator(src string, i int) {
	switch c := src[i]; c {
	case '!', '-', '+', '~', '?', '=', '*', '^', '%':
		d.unary++
	case ' ', '\t', ':':
	case '\n', ';':
		d.unary = 0
	default:
		if d.unary > 0 && !alnum(c) {
			d.unary = 0
		}
	}
}

func (d *depth) word(w string) {
	// function f function g …: the second one is the body of the first.
	body := (d.before == "function" || d.before == "coproc") && w == d.before
	if d.start || d.last == "" || body {
		d.start = false
		switch w {
		case "if", "while", "until", "for", "case", "select", "function", "coproc":
			d.words++
		case "fi", "done", "esac":
			d.words = max(d.words-1, 0)
		case "then", "do", "else", "elif":
		case "time":
			if w == d.last {
				d.run++
			}
		}
		switch w {
		case "if", "while", "until", "time", "coproc":
			d.start = true
		}
	}
	switch w {
	case "then", "do", "else", "elif", "in":
		d.start = true
	}
	d.before, d.last = d.last, w
}

func alpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
func alnum(c byte) bool { return alpha(c) || digit(c) }
