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
