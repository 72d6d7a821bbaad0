package evidence

import "strings"

// maxFlow bounds the text whose flow is read; a longer one has no known runs.
const maxFlow = 64 << 10

// token is one word or operator of shell text, quotes removed.
type token struct {
	text   string
	op     bool // ; & && || | |& ( ) { } newline
	quoted bool // some part was quoted, so that it is no keyword
	// redirect is set on a redirection's operator; its target is the next word,
	// and a heredoc's text is body.
	redirect bool
	fd       string // the number before a redirection's operator
	body     string
	// subs are the command substitutions in the word, live tells that a variable
	// in it is expanded: neither stands in single quotes.
	subs []string
	live bool
}

// tokenize splits shell text as far as the flow of exit statuses needs: words,
// operators, redirections, heredocs. Substitutions stay inside words.
func tokenize(src string) []token {
	var toks []token
	var word strings.Builder
	var open bool
	var next token // what is known of the word that is being read
	type heredoc struct {
		tok  int
		mark string
	}
	var heredocs []heredoc
	flush := func() {
		if open {
			next.text = word.String()
			toks = append(toks, next)
			word.Reset()
			open, next = false, token{}
		}
	}
	// bracketed takes a text in brackets that stands at i, and returns its end.
	bracketed := func(from, i int) int {
		end := closeBracket(src, i)
		word.WriteString(src[from:min(end+1, len(src))])
		open = true
		return end
	}
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case c == '\\' && i+1 < len(src) && word.String() == ".":
			word.WriteByte('/') // PowerShell's ".\gradlew", which no other shell would be given
		case c == '\\' && i+1 < len(src):
			i++
			if src[i] != '\n' {
				word.WriteByte(src[i])
				open, next.quoted = true, true
			}
		case c == '$' && i+1 < len(src) && src[i+1] == '\'':
			end := closeAnsi(src, i+2)
			word.WriteString(unescapeAnsi(src[i+2 : end]))
			open, next.quoted = true, true
			i = end
		case c == '\'':
			end := strings.IndexByte(src[i+1:], '\'')
			if end < 0 {
				end = len(src) - i - 1
			}
			word.WriteString(src[i+1 : i+1+end])
			open, next.quoted = true, true
			i += end + 1
		case c == '"':
			end := closeQuote(src, i+1)
			text := src[i+1 : end]
			word.WriteString(unescape(text))
			next.live = next.live || strings.Contains(text, "$")
			next.subs = append(next.subs, substitutions(text)...)
			open, next.quoted = true, true
			i = end
		case c == '`':
			end := strings.IndexByte(src[i+1:], '`')
			if end < 0 {
				end = len(src) - i - 2
			}
			word.WriteString(src[i:min(i+end+2, len(src))])
			next.subs = append(next.subs, strings.Trim(src[i:min(i+end+2, len(src))], "`"))
			open = true
			i += end + 1
		case (c == '$' || c == '<' || c == '>') && i+1 < len(src) && src[i+1] == '(':
			end := bracketed(i, i+1)
			next.subs = append(next.subs, substitutions(src[i:min(end+1, len(src))])...)
			next.live = true
			i = end
		case c == '$' && i+1 < len(src) && src[i+1] == '{':
			next.live = true
			i = bracketed(i, i+1)
		case c == '(' && open && !next.quoted && opensArray(word.String()):
			i = bracketed(i, i)
		case c == '#' && !open:
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case c == ' ' || c == '\t' || c == '\r':
			flush()
		case c == '\n':
			flush()
			toks = append(toks, token{text: ";", op: true})
			for _, h := range heredocs {
				toks[h.tok].body, i = skipHeredoc(src, i, h.mark)
			}
			heredocs = nil
		case c == '>' || c == '<' || (c == '&' && i+1 < len(src) && src[i+1] == '>'):
			fd := ""
			if open && strings.Trim(word.String(), "0123456789") == "" && !next.quoted {
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
				heredocs = append(heredocs, heredoc{len(toks), mark})
				toks = append(toks, token{text: "<<", redirect: true, fd: fd})
				i = end
				continue
			}
			if strings.HasSuffix(op, "&-") {
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
			next.live = next.live || c == '$'
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

// skipHeredoc reads the heredoc whose body begins after the newline at i: its text,
// and the index of the newline that ends it.
func skipHeredoc(src string, i int, mark string) (body string, end int) {
	from := min(i+1, len(src))
	for i+1 < len(src) {
		n := strings.IndexByte(src[i+1:], '\n')
		if n < 0 {
			n = len(src) - i - 1
		}
		line := src[i+1 : i+1+n]
		if strings.TrimLeft(line, "\t") == mark {
			return src[from : i+1], min(i+1+n, len(src)-1)
		}
		i += n + 1
	}
	return src[from:], len(src) - 1
}

// opensArray tells the head of "name=(" and "name+=(".
func opensArray(word string) bool {
	return strings.HasSuffix(word, "=") && isAssignment(strings.TrimSuffix(strings.TrimSuffix(word, "="), "+")+"=")
}

// substitutions lists the texts of the command substitutions in a word or in the
// text between double quotes.
func substitutions(text string) []string {
	var list []string
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.IndexByte("$<>", text[i]) >= 0 && strings.HasPrefix(text[i+1:], "(") && !strings.HasPrefix(text[i+1:], "(("):
			end := closeBracket(text, i+1)
			list = append(list, text[i+2:end])
			i = end
		case text[i] == '`':
			end := strings.IndexByte(text[i+1:], '`')
			if end < 0 {
				return list
			}
			list = append(list, text[i+1:i+1+end])
			i += end + 1
		}
	}
	return list
}

// closeAnsi returns the index of the quote that ends a $'…' text.
func closeAnsi(src string, i int) int {
	for ; i < len(src) && src[i] != '\''; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return min(i, len(src))
}

func unescapeAnsi(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\'`, "'", `\"`, `"`, `\\`, `\`).Replace(s)
}
