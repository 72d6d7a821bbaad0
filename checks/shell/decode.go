package shell

import "strings"

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
		for one := range strings.SplitSeq(s, ";") {
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
