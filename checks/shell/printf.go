package shell

import "strings"

func (a *analyzer) echo(args []Word) string {
	escapes, newline := false, true
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		escapes = escapes || strings.Contains(args[0].Text, "e")
		newline = newline && !strings.Contains(args[0].Text, "n")
		args = args[1:]
	}
	s := a.joinWords(args)
	if escapes {
		s = ansiC(s)
	}
	if newline {
		s += "\n"
	}
	return s
}

// printf formats as the shell's printf does; ok is false where the format is
// not known.
func (a *analyzer) printf(args []Word) (string, bool) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", true
	}
	format := a.intern(args[0])
	if a.opaque(format) && !strings.Contains(format, "%") {
		return ansiC(format), true
	}
	args = args[1:]
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && round < maxRounds; round++ {
		before := len(args)
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				j := strings.IndexByte(format[i:], '%')
				if j < 0 {
					j = len(format) - i
				}
				b.WriteString(ansiC(format[i : i+j]))
				i += j - 1
				continue
			}
			i++
			for i < len(format) && strings.IndexByte("-+ #0123456789.*l", format[i]) >= 0 {
				i++
			}
			if i >= len(format) {
				break
			}
			if format[i] == '%' {
				b.WriteByte('%')
				continue
			}
			arg := ""
			if len(args) > 0 {
				arg = a.intern(args[0])
				args = args[1:]
			}
			switch format[i] {
			case 'b':
				b.WriteString(ansiC(arg))
			case 'q':
				b.WriteString(shellQuote(arg))
			case 'c':
				b.WriteString(arg[:min(1, len(arg))])
			default:
				b.WriteString(arg)
			}
		}
		if len(args) == before || b.Len() > maxValue {
			break
		}
	}
	return b.String(), b.Len() <= maxValue
}
