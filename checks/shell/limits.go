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
	maxTokens   = 4000      // of Script.Tokens
	maxHeredocs = 200       // << in one text; the parser is quadratic in those that wait for a body
	maxReads    = 20        // script files entered
)

// tooDeep tells whether a text nests deeper than the parser's stack should be
// trusted with. It counts on the bytes, quoted or not, so it may count more
// than there is but never less.
func tooDeep(src string) bool {
	depth, words, unary, run, heredocs := 0, 0, 0, 0, 0
	conds, inTest := 0, false // && and || between [[ and ]], right-recursive in the parser
	last := ""
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch c {
		case '(', '{', '[', '`':
			depth++
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '&', '|':
			if inTest {
				conds++
			}
		case '<':
			if strings.HasPrefix(src[i:], "<<") {
				heredocs++
			}
		}
		if c == '[' || c == ']' {
			if i > 0 && src[i-1] == c {
				inTest, conds = c == '[', 0
			}
		}
		// Operators that may stand before any number of themselves: each is one
		// level of the parser's recursion.
		switch c {
		case '!', '-', '+', '~', '?', '=', '*', '^', '%':
			unary++
		case ' ', '\t', ':':
		case '\n', ';':
			unary = 0
		default:
			if unary > 0 && !alnum(c) {
				unary = 0
			}
		}
		if c == ')' && i > 0 && src[i-1] == '(' {
			run++ // f() g() h(): each one is the body of the one before
		} else if c == '{' || c == ';' || c == '\n' || c == '&' || c == '|' {
			run = 0
		}
		if depth+words > MaxNesting || unary > MaxNesting || run > maxRepeats || conds > 2*MaxNesting || heredocs > maxHeredocs {
			return true
		}
		if !alpha(c) || i > 0 && alnum(src[i-1]) {
			continue
		}
		j := i + 1
		for j < len(src) && alnum(src[j]) {
			j++
		}
		switch word := src[i:j]; word {
		case "if", "while", "until", "for", "case", "select", "function", "coproc":
			words++
		case "fi", "done", "esac":
			words = max(words-1, 0)
		case "time":
			if word == last {
				run++
			}
		}
		last = src[i:j]
	}
	return false
}

func alpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
func alnum(c byte) bool { return alpha(c) || digit(c) }
