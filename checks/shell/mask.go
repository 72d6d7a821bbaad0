package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// quote is a region of a text whose content the shell does not read: between
// single quotes, or the body of a here-document with a quoted delimiter.
type quote struct{ from, to int }

// mask fills such regions with x, so that what they quote cannot make the parser
// recurse. Line ends stay. The scan need not be exact: restore checks that the
// parser saw the same regions. No region at all is nil.
func mask(src string) (string, []quote) {
	out := []byte(src)
	var list []quote
	fill := func(from, to int) {
		list = append(list, quote{from, to})
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = 'x'
			}
		}
	}
	var ends []string // delimiters of here-documents that start at the next line
	double := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '"':
			double = !double
		case c == '\'' && !double:
			end := strings.IndexByte(src[i+1:], '\'')
			if end < 0 {
				return string(out), list
			}
			if i == 0 || src[i-1] != '$' {
				fill(i+1, i+1+end)
			}
			i += end + 1
		case c == '#' && !double && (i == 0 || strings.IndexByte(" \t\n;", src[i-1]) >= 0):
			if end := strings.IndexByte(src[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				return string(out), list
			}
		case c == '<' && !double && strings.HasPrefix(src[i:], "<<") && !strings.HasPrefix(src[i:], "<<<"):
			word, n := delimiter(src[i+2:])
			if word != "" {
				ends = append(ends, word)
			}
			i += 1 + n
		case c == '\n' && len(ends) > 0 && !double:
			at := i + 1
			for _, end := range ends {
				stop := bodyEnd(src[at:], end)
				if stop < 0 {
					return string(out), list
				}
				fill(at, at+stop)
				at += stop + len(end)
			}
			ends = nil
			i = at - 1
		}
	}
	return string(out), list
}

// delimiter reads the quoted delimiter of a here-document; "" for one that is
// not quoted.
func delimiter(s string) (string, int) {
	i := 0
	if strings.HasPrefix(s, "-") {
		return "", 0 // tabs before the end mark: left alone
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i >= len(s) || s[i] != '\'' && s[i] != '"' {
		return "", i
	}
	end := strings.IndexByte(s[i+1:], s[i])
	if end < 0 {
		return "", i
	}
	return s[i+1 : i+1+end], i + end + 2
}

// bodyEnd returns the offset of the line that is the delimiter.
func bodyEnd(s, end string) int {
	for at := 0; at <= len(s); {
		line, _, more := strings.Cut(s[at:], "\n")
		if line == end {
			return at
		}
		if !more {
			return -1
		}
		at += len(line) + 1
	}
	return -1
}

// restore puts the masked text back into the nodes. It is false when a region
// is no quotation to the parser: then something would be hidden.
func restore(stmts []*syntax.Stmt, src string, list []quote) bool {
	left := make(map[quote]bool, len(list))
	for _, q := range list {
		if q.to > q.from {
			left[q] = true
		}
	}
	take := func(from, to uint) (string, bool) {
		q := quote{int(from), int(to)}
		ok := left[q]
		delete(left, q)
		return src[min(q.from, len(src)):min(q.to, len(src))], ok
	}
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.SglQuoted:
				if text, ok := take(n.Left.Offset()+1, n.Right.Offset()); ok {
					n.Value = text
				}
			case *syntax.Redirect:
				if n.Hdoc == nil || len(n.Hdoc.Parts) != 1 {
					return true
				}
				lit, ok := n.Hdoc.Parts[0].(*syntax.Lit)
				if !ok {
					return true
				}
				if text, ok := take(lit.Pos().Offset(), lit.Pos().Offset()+uint(len(lit.Value))); ok {
					lit.Value = text
				}
			}
			return true
		})
	}
	return len(left) == 0
}
