package shell

import (
	"strconv"
	"strings"
)

// ansiC decodes the backslash escapes of $'…', echo -e and printf.
func ansiC(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a':
			b.WriteByte('\a')
		case 'b':
			b.WriteByte('\b')
		case 'e', 'E':
			b.WriteByte(0x1b)
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte('\v')
		case 'x':
			i += number(&b, s[i+1:], 16, 2, false)
		case 'u':
			i += number(&b, s[i+1:], 16, 4, true)
		case 'U':
			i += number(&b, s[i+1:], 16, 8, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 3
			if c == '0' {
				n = 4
			}
			i += number(&b, s[i:], 8, n, false) - 1
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// number reads up to limit digits and writes the byte or rune; it returns how
// many digits it took.
func number(b *strings.Builder, s string, radix, limit int, asRune bool) int {
	n := 0
	for n < limit && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], radix, 8); err != nil {
			break
		}
		n++
	}
	v, err := strconv.ParseUint(s[:n], radix, 32)
	switch {
	case err != nil || v == 0:
	case asRune:
		if r := rune(v); !isPrivate(r) && r != Unknown {
			b.WriteRune(r)
		}
	default:
		b.WriteByte(byte(v))
	}
	return n
}
