package evidence

import "strings"

// maxFlow bounds the text whose flow is read; a longer one has no known runs.
const maxFlow = 64 << 10

// token is one word or operator of shell text, quotes removed.
type token struct {
	text   string
	op     bool // ; & && || | |& ( ) { } newline
	quoted bool // some part was quoted, so that it is no keyword
	// redirect is set on a redirection's operator; its target is the next word.
	redirect bool
	fd       string // the number before a redirection's operator
}

// tokenize splits shell text as far as the flow of exit statuses needs: words,
// operators, redirections, heredocs skipped. Substitutions stay inside words.
func tokenize(src string) []token {
	var toks []token
	var word strings.Builder
	var open, quoted bool
	var heredocs []string
	flush := func() {
		if open {
			toks = append(toks, token{text: word.String(), quoted: quoted})
			word.Reset()
			open, quoted = false, false
		}
	}
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case c == '\\' && i+1 < len(src):
			i++
			if src[i] != '\n' {
				word.WriteByte(src[i])
				open, quoted = true, true
			}
		case c == '\'':
			end := strings.IndexByte(src[i+1:], '\'')
			if end < 0 {
				end = len(src) - i - 1
			}
			word.WriteString(src[i+1 : i+1+end])
			open, quoted = true, true
			i += end + 1
		case c == '"':
			end := closeQuote(src, i+1)
			word.WriteString(unescape(src[i+1 : end]))
			open, quoted = true, true
			i = end
		case c == '`':
			end := strings.IndexByte(src[i+1:], '`')
			if end < 0 {
				end = len(src) - i - 2
			}
			word.WriteString(src[i:min(i+end+2, len(src))])
			open = true
			i += end + 1
		case c == '$' && i+1 < len(src) && (src[i+1] == '(' || src[i+1] == '{'):
			end := closeBracket(src, i+1)
			word.WriteString(src[i:min(end+1, len(src))])
			open = true
			i = end
		case c == '#' && !open:
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case c == ' ' || c == '\t' || c == '\r':
			flush()
		case c == '\n':
			flush()
			toks = append(toks, token{text: ";", op: true})
			for _, mark := range heredocs {
				i = skipHeredoc(src, i, mark)
			}
			heredocs = nil
		case c == '>' || c == '<' || (c == '&' && i+1 < len(src) && src[i+1] == '>'):
			fd := ""
			if open && strings.Trim(word.String(), "0123456789") == "" && !quoted {
				fd = word.String()
				word.Reset()
				open = false
			}
			flush()
			n := 1
			for i+n < len(src) && strings.IndexByte("<>&|-", src[i+n]) >= 0 && n < 3 {
				n++
			}
			op := src[i : i+n]
			i += n - 1
			if strings.HasPrefix(op, "<<") && !strings.HasPrefix(op, "<<<") {
				mark, end := heredocMark(src, i+1)
				heredocs = append(heredocs, mark)
				i = end
				continue
			}
			if strings.HasSuffix(op, "&-") || strings.HasPrefix(op, "<(") {
				continue
			}
			toks = append(toks, token{text: op, redirect: true, fd: fd})
		case strings.IndexByte(";&|()", c) >= 0:
			flush()
			op := string(c)
			if i+1 < len(src) {
				switch two := src[i : i+2]; two {
				case "&&", "||", "|&", ";;":
					op = two
					i++
				}
			}
			if op == "|&" {
				op = "|"
			}
			toks = append(toks, token{text: op, op: true})
		default:
			word.WriteByte(c)
			open = true
		}
	}
	flush()
	return toks
}

func closeQuote(src string, i int) int {
	for ; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		} else if src[i] == '$' && i+1 < len(src) && src[i+1] == '(' {
			i = closeBracket(src, i+1)
		}
	}
	return min(i, len(src))
}

// closeBracket returns the index of the bracket that closes the one at i.
func closeBracket(src string, i int) int {
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\'':
			if end := strings.IndexByte(src[i+1:], '\''); end >= 0 {
				i += end + 1
			}
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(src)
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, `$`, "\\`", "`", "\\\n", "").Replace(s)
}

// heredocMark reads the mark after <<, and returns where it ends.
func heredocMark(src string, i int) (string, int) {
	for i < len(src) && (src[i] == ' ' || src[i] == '-' || src[i] == '\t') {
		i++
	}
	start := i
	for i < len(src) && strings.IndexByte(" \t\n;&|)>", src[i]) < 0 {
		i++
	}
	return strings.Trim(src[start:i], `"'\`), i - 1
}

// skipHeredoc returns the index of the newline that ends the heredoc whose body
// begins after the newline at i.
func skipHeredoc(src string, i int, mark string) int {
	for i+1 < len(src) {
		end := strings.IndexByte(src[i+1:], '\n')
		if end < 0 {
			end = len(src) - i - 1
		}
		line := src[i+1 : i+1+end]
		i += end + 1
		if strings.TrimLeft(line, "\t") == mark {
			break
		}
	}
	return min(i, len(src)-1)
}
