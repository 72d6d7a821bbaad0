package shell

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// outputOf is what a command writes to its standard output where that can be
// told from the script alone.
func (a *analyzer) outputOf(idx int, cx ctx) output {
	c := a.cmd(idx)
	unknown := output{from: []int{idx}}
	in := cx.stdin
	say := func(s string) output { return output{text: s, known: true} }
	pass := func(approx bool) output {
		if !in.known {
			return unknown
		}
		return output{text: in.text, known: true, approx: in.approx || approx, from: in.from}
	}
	switch c.Name {
	case "true", ":", "false", "test", "[", "mkdir", "touch", "rm", "sleep", "wait", "chmod", "cp", "mv", "ln", "kill":
		return say("")
	case "echo":
		return say(a.echo(c.Args))
	case "printf":
		if s, ok := a.printf(c.Args); ok {
			return say(s)
		}
	case "pwd":
		return say(a.intern(c.Dir) + "\n")
	case "cat", "tee", "pv", "sponge", "bat", "tac":
		if c.Name != "tee" && len(c.Args) > 0 && c.Args[0].Text != "-" {
			return a.catFiles(c.Args, unknown, c.Dir)
		}
		return pass(c.Name == "tac")
	case "base64", "gbase64", "base32", "basenc":
		return decodeWith(c, in, unknown, func(s string) (string, bool) {
			b, err := base64.StdEncoding.DecodeString(pad(strings.Map(dropSpace, s)))
			return string(b), err == nil || len(b) > 0
		})
	case "xxd":
		return decodeWith(c, in, unknown, func(s string) (string, bool) {
			b, err := hex.DecodeString(strings.Map(dropSpace, s))
			return string(b), err == nil
		})
	case "openssl":
		if len(c.Args) > 0 && (c.Args[0].Text == "base64" || c.Args[0].Text == "enc") {
			return decodeWith(c, in, unknown, func(s string) (string, bool) {
				b, err := base64.StdEncoding.DecodeString(pad(strings.Map(dropSpace, s)))
				return string(b), err == nil
			})
		}
	case "rev":
		if in.known && !hasPrivate(in.text) {
			lines := strings.Split(in.text, "\n")
			for i, l := range lines {
				lines[i] = reverse(l)
			}
			return say(strings.Join(lines, "\n"))
		}
	case "tr":
		if in.known && !hasPrivate(in.text) {
			if s, ok := translate(c.Args, in.text); ok {
				return say(s)
			}
		}
		return pass(true)
	case "sed":
		if in.known && !hasPrivate(in.text) {
			if s, ok := sedText(c.Args, in.text); ok {
				return say(s)
			}
		}
		return pass(true)
	case "grep", "egrep", "fgrep", "rg", "sort", "uniq", "head", "tail", "shuf", "column", "fold", "fmt", "expand", "dos2unix", "ts", "nl", "ggrep", "gsort", "ghead", "gtail":
		if len(operands(c.Args)) == 0 || in.known {
			return pass(true)
		}
	case "basename", "dirname":
		if len(c.Args) > 0 && c.Args[0].Known() {
			s := c.Args[0].Text
			if c.Name == "basename" {
				s = base(s)
				if len(c.Args) > 1 {
					s = strings.TrimSuffix(s, c.Args[1].Text)
				}
				return say(s + "\n")
			}
			i := strings.LastIndexByte(strings.TrimRight(s, "/"), '/')
			switch {
			case i < 0:
				return say(".\n")
			case i == 0:
				return say("/\n")
			default:
				return say(s[:i] + "\n")
			}
		}
	case "realpath", "readlink":
		if ops := operands(c.Args); len(ops) == 1 {
			return output{text: a.path(a.intern(c.Dir), a.intern(ops[0])) + "\n", known: true}
		}
	case "which":
		if len(c.Args) == 1 && c.Args[0].Known() {
			return say(c.Args[0].Text + "\n")
		}
	case "seq":
		return seqOutput(c.Args, unknown)
	case "ls":
		return a.lsOutput(c, idx)
	}
	return unknown
}

func operands(args []Word) []Word { return Options(args, OptSpec{}).Rest }

func dropSpace(r rune) rune {
	switch r {
	case ' ', '\n', '\r', '\t':
		return -1
	}
	return r
}

func pad(s string) string {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	return s + strings.Repeat("=", (4-len(s)%4)%4)
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// decodeWith applies a decoder where the command decodes standard input.
func decodeWith(c *Command, in stdin, unknown output, dec func(string) (string, bool)) output {
	decodes := false
	for _, w := range c.Args {
		switch w.Text {
		case "-d", "-D", "--decode", "-di", "-r", "-rp", "-pr", "-A", "-dA":
			decodes = true
		}
		if c.Name == "xxd" && strings.HasPrefix(w.Text, "-r") {
			decodes = true
		}
	}
	if !in.known || hasPrivate(in.text) {
		return unknown
	}
	if !decodes {
		unknown.from = append(unknown.from, in.from...)
		return unknown
	}
	s, ok := dec(in.text)
	if !ok {
		return unknown
	}
	return output{text: sanitize(s), known: true, approx: in.approx, from: in.from}
}

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

func (a *analyzer) catFiles(args []Word, unknown output, dir Word) output {
	out := output{known: true}
	for _, w := range args {
		o, ok := a.written(a.intern(w))
		if !ok {
			o, ok = a.written(a.path(a.intern(dir), a.intern(w)))
		}
		if !ok {
			if strings.HasPrefix(w.Text, "-") {
				continue
			}
			return unknown
		}
		out.merge(o)
	}
	return out
}

func seqOutput(args []Word, unknown output) output {
	ops := operands(args)
	nums := []int{1, 1, 0}
	vals := make([]int, 0, 3)
	for _, w := range ops {
		n, err := strconv.Atoi(w.Text)
		if err != nil {
			return unknown
		}
		vals = append(vals, n)
	}
	switch len(vals) {
	case 1:
		nums[2] = vals[0]
	case 2:
		nums[0], nums[2] = vals[0], vals[1]
	case 3:
		nums = vals
	default:
		return unknown
	}
	var b strings.Builder
	for i, n := nums[0], 0; nums[1] > 0 && i <= nums[2] && n < maxFields; i, n = i+nums[1], n+1 {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('\n')
	}
	return output{text: b.String(), known: true}
}

// lsOutput is the list of names as patterns, because what stands in a folder is
// not known here.
func (a *analyzer) lsOutput(c *Command, idx int) output {
	o := Options(c.Args, OptSpec{Short: "I:w:T:", Long: "ignore= width= color=? sort= time= format= hide="})
	if o.Has("l", "s", "i") {
		return output{from: []int{idx}}
	}
	var b strings.Builder
	star := a.mark(Part{Kind: Glob, Text: "*", From: []int{idx}})
	if len(o.Rest) == 0 {
		b.WriteString(star + "\n")
	}
	for _, w := range o.Rest {
		s := a.intern(w)
		// Whether a name is a folder that is listed or a file is not known; only
		// with -d, or for a pattern, the names themselves are printed.
		switch {
		case o.Has("d") || w.HasGlob():
			b.WriteString(s + "\n")
		default:
			b.WriteString(star + "\n")
		}
	}
	return output{text: b.String(), known: true, approx: true, from: []int{idx}}
}

// translate is tr for plain sets and ranges.
func translate(args []Word, s string) (string, bool) {
	o := Options(args, OptSpec{Short: "cCdst", Long: "complement delete squeeze-repeats truncate-set1", Stop: true})
	if o.Has("c", "C", "complement") || len(o.Rest) == 0 {
		return "", false
	}
	set1, ok := trSet(o.Rest[0].Text)
	if !ok {
		return "", false
	}
	if o.Has("d", "delete") {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(set1, r) {
				return -1
			}
			return r
		}, s), true
	}
	if len(o.Rest) < 2 {
		return s, o.Has("s", "squeeze-repeats")
	}
	set2, ok := trSet(o.Rest[1].Text)
	if !ok || set2 == "" {
		return "", false
	}
	from, to := []rune(set1), []rune(set2)
	return strings.Map(func(r rune) rune {
		for i, f := range from {
			if f == r {
				return to[min(i, len(to)-1)]
			}
		}
		return r
	}, s), true
}

func trSet(s string) (string, bool) {
	s = ansiC(s)
	for _, c := range [...][2]string{{"[:lower:]", "a-z"}, {"[:upper:]", "A-Z"}, {"[:digit:]", "0-9"}, {"[:space:]", " \t\n"}, {"[:alpha:]", "A-Za-z"}} {
		s = strings.ReplaceAll(s, c[0], c[1])
	}
	if strings.Contains(s, "[:") || len(s) > 200 {
		return "", false
	}
	r := []rune(s)
	var b strings.Builder
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] <= r[i+2] && r[i+2]-r[i] < 256 {
			for c := r[i]; c <= r[i+2]; c++ {
				b.WriteRune(c)
			}
			i += 2
			continue
		}
		b.WriteRune(r[i])
	}
	return b.String(), true
}

// sedText applies s/x/y/ commands without special characters.
func sedText(args []Word, text string) (string, bool) {
	o := Options(args, OptSpec{Short: "e:f:i::nErsuzlb:", Long: "expression= file= regexp-extended quiet silent"})
	var scripts []string
	for _, w := range o.Values("e", "expression") {
		scripts = append(scripts, w.Text)
	}
	if len(scripts) == 0 && len(o.Rest) == 1 {
		scripts = append(scripts, o.Rest[0].Text)
	} else if len(o.Rest) > 0 {
		return "", false
	}
	for _, s := range scripts {
		for _, one := range strings.Split(s, ";") {
			one = strings.TrimSpace(one)
			if len(one) < 4 || one[0] != 's' || alnum(one[1]) {
				return "", false
			}
			f := strings.Split(one[2:], one[1:2])
			pre, post := "", ""
			switch {
			case len(f) == 3 && f[0] == "^":
				pre, f[0] = f[1], "x"
			case len(f) == 3 && f[0] == "$":
				post, f[0] = f[1], "x"
			}
			if len(f) != 3 || strings.ContainsAny(f[0], `\.*[]^$+?(){}|`) || strings.ContainsAny(f[1], `\&`) {
				return "", false
			}
			n := 1
			if strings.Contains(f[2], "g") {
				n = -1
			}
			lines := strings.Split(text, "\n")
			for i := range lines {
				if pre+post != "" {
					if lines[i] != "" {
						lines[i] = pre + lines[i] + post
					}
					continue
				}
				lines[i] = strings.Replace(lines[i], f[0], f[1], n)
			}
			text = strings.Join(lines, "\n")
			if len(text) > maxValue {
				return "", false
			}
		}
	}
	return text, len(scripts) > 0
}
