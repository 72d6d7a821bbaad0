package shell

import "strings"

// operand tells whether a value may start here, so that a slash opens a regular
// expression and < a glob.
func (l *lexer) operand() bool {
	if len(l.out) == 0 {
		return true
	}
	t := l.out[len(l.out)-1]
	switch t.kind {
	case tokStr, tokShell, tokNum:
		return false
	case tokIdent:
		switch t.text {
		case "return", "if", "and", "or", "not", "in", "print", "puts", "unless", "while", "split", "grep", "map":
			return true
		}
		return false
	case tokPunct:
		return t.text != ")" && t.text != "]" && t.text != "}"
	default:
		return true
	}
}

func (l *lexer) string() bool {
	c := l.src[l.at]
	switch c {
	case '\'', '"':
		if l.lang == "py" || l.lang == "julia" || l.lang == "elixir" {
			if q := strings.Repeat(string(c), 3); l.has(q) {
				l.quoted(3, q, tokStr)
				return true
			}
		}
		l.quoted(1, string(c), tokStr)
		return true
	case '`':
		kind := tokShell
		if l.lang == "js" {
			kind = tokStr
		}
		if l.lang == "awk" || l.lang == "lua" || l.lang == "py" {
			return false
		}
		l.quoted(1, "`", kind)
		return true
	case '/':
		if (l.lang == "js" || l.lang == "ruby" || l.lang == "perl" || l.lang == "awk") && l.operand() {
			l.regex()
			return true
		}
	case '<':
		if l.lang == "perl" && (l.operand() || l.out[len(l.out)-1].kind == tokIdent) {
			if i := strings.IndexAny(l.src[l.at:min(l.at+200, len(l.src))], ">\n"); i > 1 && l.src[l.at+i] == '>' && strings.ContainsAny(l.src[l.at:l.at+i], "*/~.") {
				l.out = append(l.out, tok{kind: tokIdent, text: "glob", spaced: true}, tok{kind: tokPunct, text: "("},
					tok{kind: tokStr, text: l.src[l.at+1 : l.at+i], pieces: []piece{{text: l.src[l.at+1 : l.at+i]}}}, tok{kind: tokPunct, text: ")"})
				l.at += i + 1
				return true
			}
		}
	case '%':
		if l.lang == "ruby" && l.at+2 < len(l.src) && (l.operand() || l.spaced() && l.src[l.at+1] != ' ') {
			switch k := l.src[l.at+1]; {
			case k == 'x' || k == 'q' || k == 'Q' || k == 'w':
				return l.bracketed(2, k)
			case strings.IndexByte("({[<|", k) >= 0:
				return l.bracketed(1, 'Q')
			}
		}
	case 'q':
		if l.lang == "perl" && (l.at == 0 || !alnum(l.src[l.at-1]) && l.src[l.at-1] != '$') {
			for _, p := range [...]string{"qq", "qx", "qw", "q"} {
				if l.has(p) && l.at+len(p) < len(l.src) && strings.IndexByte("({[</|!'\"", l.src[l.at+len(p)]) >= 0 {
					return l.bracketed(len(p), p[len(p)-1])
				}
			}
		}
	case 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U':
		if l.lang == "py" && (l.at == 0 || !alnum(l.src[l.at-1])) {
			n := 1
			if l.at+1 < len(l.src) && strings.IndexByte("rbfRBF", l.src[l.at+1]) >= 0 {
				n = 2
			}
			if l.at+n < len(l.src) && (l.src[l.at+n] == '"' || l.src[l.at+n] == '\'') {
				prefix := strings.ToLower(l.src[l.at : l.at+n])
				l.at += n
				q := string(l.src[l.at])
				if l.has(strings.Repeat(q, 3)) {
					q = strings.Repeat(q, 3)
				}
				l.quotedPy(q, prefix)
				return true
			}
		}
	}
	return false
}

func (l *lexer) bracketed(skip int, kind byte) bool {
	l.at += skip
	open := l.src[l.at]
	shut := open
	if i := strings.IndexByte("({[<", open); i >= 0 {
		shut = ")}]>"[i]
	}
	from := l.at + 1
	depth := 1
	i := from
	for ; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case shut:
			depth--
		case open:
			depth++
		}
		if depth == 0 {
			break
		}
	}
	body := l.src[min(from, len(l.src)):min(i, len(l.src))]
	l.at = min(i+1, len(l.src))
	switch kind {
	case 'x':
		l.out = append(l.out, tok{kind: tokShell, text: body, pieces: l.split(body, true, true)})
	case 'w':
		l.out = append(l.out, tok{kind: tokPunct, text: "[", spaced: true})
		for w := range strings.FieldsSeq(body) {
			l.out = append(l.out, tok{kind: tokStr, text: w, pieces: []piece{{text: w}}}, tok{kind: tokPunct, text: ","})
		}
		l.out = append(l.out, tok{kind: tokPunct, text: "]"})
	default:
		l.out = append(l.out, tok{kind: tokStr, text: body, pieces: l.split(body, kind == 'Q' || skip > 1, kind == 'Q' || skip > 1)})
	}
	return true
}

func (l *lexer) regex() {
	in := false
	for i := l.at + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '[':
			in = true
		case ']':
			in = false
		case '/':
			if !in {
				l.at = i + 1
				for l.at < len(l.src) && alpha(l.src[l.at]) {
					l.at++
				}
				l.out = append(l.out, tok{kind: tokNum, text: "regex"})
				return
			}
		}
	}
	l.push(tokPunct, "/")
	l.at++
}

// quoted reads a string that ends with the mark q.
func (l *lexer) quoted(n int, q string, kind tokKind) {
	body := l.body(n, q)
	escapes := q != "'" || l.lang == "py" || l.lang == "js" || l.lang == "lua"
	interp := q == "`" || q != "'" && (l.lang == "ruby" || l.lang == "perl" || l.lang == "php" || l.lang == "elixir" || l.lang == "julia")
	t := tok{kind: kind, text: body, spaced: l.spaced()}
	t.pieces = l.split(body, escapes, interp)
	l.out = append(l.out, t)
}

func (l *lexer) quotedPy(q, prefix string) {
	body := l.body(len(q), q)
	was := l.lang
	if strings.Contains(prefix, "f") {
		l.lang = "fstring"
	}
	t := tok{kind: tokStr, text: body, pieces: l.split(body, !strings.Contains(prefix, "r"), l.lang == "fstring")}
	l.lang = was
	l.out = append(l.out, t)
}

func (l *lexer) body(n int, q string) string {
	from := l.at + n
	i := from
	for ; i < len(l.src); i++ {
		if l.src[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(l.src[i:], q) {
			break
		}
	}
	body := l.src[min(from, len(l.src)):min(i, len(l.src))]
	l.at = min(i+n, len(l.src))
	return body
}

// split cuts a string's body at its interpolations and decodes its escapes.
func (l *lexer) split(body string, escapes, interp bool) []piece {
	var out []piece
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, piece{text: b.String()})
			b.Reset()
		}
	}
	code := func(s string) {
		flush()
		out = append(out, piece{text: s, code: true})
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '\\' && i+1 < len(body) {
			if escapes {
				if body[i+1] == '$' || body[i+1] == '`' || body[i+1] == '@' || body[i+1] == '#' || body[i+1] == '/' || body[i+1] == '\n' {
					if body[i+1] != '\n' {
						b.WriteByte(body[i+1])
					}
				} else {
					n := escapeLen(body[i:])
					b.WriteString(ansiC(body[i : i+n]))
					i += n - 1
					continue
				}
			} else if body[i+1] == '\'' || body[i+1] == '\\' {
				b.WriteByte(body[i+1])
			} else {
				b.WriteString(body[i : i+2])
			}
			i++
			continue
		}
		if !interp {
			b.WriteByte(c)
			continue
		}
		open := -1
		switch {
		case c == '$' && l.lang == "js" && strings.HasPrefix(body[i:], "${"), (l.lang == "ruby" || l.lang == "elixir") && strings.HasPrefix(body[i:], "#{"),
			l.lang == "php" && strings.HasPrefix(body[i:], "{$"), l.lang == "perl" && (strings.HasPrefix(body[i:], "${") || strings.HasPrefix(body[i:], "@{")):
			open = i + 2
			if l.lang == "php" {
				open = i + 1
			}
		case l.lang == "fstring" && c == '{' && !strings.HasPrefix(body[i:], "{{"):
			open = i + 1
		case (c == '$' || c == '@' && l.lang == "perl") && (l.lang == "php" || l.lang == "perl") && i+1 < len(body) && alpha(body[i+1]), c == '$' && l.lang == "julia" && i+1 < len(body) && alpha(body[i+1]):
			j := i + 1
			for j < len(body) && alnum(body[j]) {
				j++
			}
			if strings.HasPrefix(body[j:], "{") && l.lang == "perl" {
				if k := strings.IndexByte(body[j:], '}'); k > 0 {
					j += k + 1
				}
			}
			name := body[i:j]
			if l.lang == "julia" {
				name = name[1:]
			}
			code(name)
			i = j - 1
			continue
		}
		if open < 0 {
			b.WriteByte(c)
			continue
		}
		depth, j := 1, open
		for ; j < len(body) && depth > 0; j++ {
			switch body[j] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		code(body[open:max(open, j-1)])
		i = j - 1
	}
	flush()
	return out
}

// escapeLen is how many bytes the escape at the start of s takes.
func escapeLen(s string) int {
	n := 2
	limit := 2
	switch s[1] {
	case 'x':
		limit = 4
	case 'u':
		limit = 6
	case 'U':
		limit = 10
	case '0', '1', '2', '3', '4', '5', '6', '7':
		limit = 4
	}
	for n < limit && n < len(s) && (digit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'f') {
		n++
	}
	return n
}
