package shell

import "strings"

// tokKind is the kind of a token of interpreter code.
type tokKind int

const (
	tokIdent tokKind = iota
	tokStr           // a string; pieces hold what is interpolated
	tokShell         // text in backticks where those run a shell
	tokNum
	tokPunct
	tokLine // end of a line
)

// tok is one token. One lexer serves all languages: it needs to tell strings,
// comments and names apart, not to be complete.
type tok struct {
	kind   tokKind
	text   string
	pieces []piece
	spaced bool // blank before it
}

// piece is a part of a string: text, or code between interpolation marks.
type piece struct {
	text string
	code bool
}

const maxInterpTokens = 12_000

// lexer cuts code of one language family into tokens.
type lexer struct {
	lang string
	src  string
	at   int
	out  []tok
}

func lex(lang, src string) []tok {
	l := &lexer{lang: lang, src: src, out: make([]tok, 0, 32)}
	for l.at < len(l.src) && len(l.out) < maxInterpTokens {
		l.next()
	}
	return l.out
}

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.at:], s) }

func (l *lexer) push(kind tokKind, text string) {
	l.out = append(l.out, tok{kind: kind, text: text, spaced: l.spaced()})
}

func (l *lexer) spaced() bool { return l.at > 0 && (l.src[l.at-1] == ' ' || l.src[l.at-1] == '\t') }

func (l *lexer) next() {
	c := l.src[l.at]
	switch {
	case c == '\n':
		l.push(tokLine, "\n")
		l.at++
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case l.comment():
	case l.string():
	case alpha(c) || c >= 0x80 || c == '$' && l.lang == "js":
		l.ident()
	case (c == '$' || c == '@' || c == '%') && l.at+1 < len(l.src) && alpha(l.src[l.at+1]) && (l.lang == "perl" || l.lang == "php" || l.lang == "ruby" && c != '%'):
		spaced := l.spaced()
		l.at++
		l.ident()
		last := &l.out[len(l.out)-1]
		last.text, last.spaced = "$"+last.text, spaced
	case digit(c):
		from := l.at
		for l.at < len(l.src) && (alnum(l.src[l.at]) || l.src[l.at] == '.') {
			l.at++
		}
		l.out = append(l.out, tok{kind: tokNum, text: l.src[from:l.at]})
	default:
		for _, op := range [...]string{"->", "=>", "::", "==", "!=", ">>", "<<", "||", "&&", "?.", "??", "+=", ".=", "<=", ">="} {
			if l.has(op) {
				l.push(tokPunct, op)
				l.at += len(op)
				return
			}
		}
		l.push(tokPunct, string(c))
		l.at++
	}
}

func (l *lexer) ident() {
	from := l.at
	for l.at < len(l.src) {
		c := l.src[l.at]
		if alnum(c) || c >= 0x80 || c == '$' && l.lang == "js" {
			l.at++
			continue
		}
		if strings.HasPrefix(l.src[l.at:], "::") && (l.lang == "perl" || l.lang == "ruby") && l.at+2 < len(l.src) && alpha(l.src[l.at+2]) {
			l.at += 2
			continue
		}
		break
	}
	if (l.lang == "ruby" || l.lang == "elixir") && l.at < len(l.src) && (l.src[l.at] == '!' || l.src[l.at] == '?') && !strings.HasPrefix(l.src[l.at:], "!=") {
		l.at++
	}
	text := strings.ReplaceAll(l.src[from:l.at], "::", ".")
	l.out = append(l.out, tok{kind: tokIdent, text: text, spaced: from > 0 && (l.src[from-1] == ' ' || l.src[from-1] == '\t')})
}

func (l *lexer) comment() bool {
	skip := func(end string) bool {
		i := strings.Index(l.src[l.at:], end)
		if i < 0 {
			l.at = len(l.src)
		} else {
			l.at += i
			if end != "\n" {
				l.at += len(end)
			}
		}
		return true
	}
	switch l.lang {
	case "js":
		if l.has("//") {
			return skip("\n")
		}
		if l.has("/*") {
			l.at += 2
			return skip("*/")
		}
	case "php":
		if l.has("//") || l.has("#") {
			return skip("\n")
		}
		if l.has("/*") {
			l.at += 2
			return skip("*/")
		}
	case "lua", "osascript":
		if l.has("--") {
			return skip("\n")
		}
	default:
		if l.has("#") && (l.at == 0 || l.src[l.at-1] != '$') {
			return skip("\n")
		}
	}
	return false
}
