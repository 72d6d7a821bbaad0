package shell

import "strings"

// otherInterpreter tells interpreters whose language is not read. Text in
// quotes that starts like a command is followed all the same, because that is
// how each of them runs one: (system "rm …"), "rm …".execute().
func otherInterpreter(name string) bool {
	switch name {
	case "guile", "sbcl", "clisp", "racket", "clojure", "clj", "bb", "groovy", "scala", "scala-cli", "kotlin", "kotlinc", "jshell", "gnuplot", "octave", "octave-cli", "matlab",
		"tclsh", "wish", "ghc", "runghc", "stack-ghci", "swift", "raku", "perl6", "crystal", "ocaml", "erl", "maxima", "gp", "sage", "nu", "xonsh", "xdotool", "ydotool", "wtype":
		return true
	}
	return false
}

func (a *analyzer) otherCode(idx int, st *state, cx ctx) {
	c := a.cmd(idx)
	var code []string
	for i, w := range c.Args {
		if i > 0 && (strings.HasPrefix(c.Args[i-1].Text, "-") || c.Args[i-1].Text == "type") || i == 0 && c.Name == "wtype" {
			code = append(code, a.intern(w))
		}
	}
	if cx.stdin.known {
		code = append(code, cx.stdin.text)
	}
	e := effector{a, idx, st, cx}
	for _, text := range code {
		if len(text) > MaxParsed || !a.step(1+len(text)/64) {
			return
		}
		for _, s := range commandsIn(text) {
			e.run(c.Name+" -e", a.word(s, ""))
		}
	}
}

// commandsIn lists the pieces of a program that start like a command: text in
// quotes, what Tcl's exec runs, and the whole of it.
func commandsIn(code string) []string {
	pieces := []string{code}
	for line := range strings.SplitSeq(code, "\n") {
		if _, rest, ok := strings.Cut(line, "exec "); ok {
			pieces = append(pieces, rest)
		}
	}
	for i := 0; i < len(code) && len(pieces) < maxFields; i++ {
		if q := code[i]; q == '"' || q == '\'' || q == '`' {
			end := strings.IndexByte(code[i+1:], q)
			if end < 0 {
				break
			}
			pieces = append(pieces, code[i+1:i+1+end])
			i += end + 1
		}
	}
	var out []string
	for _, s := range pieces {
		first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
		if first = base(first); rest != "" && followable(first) && len(out) < maxRounds {
			out = append(out, s)
		}
	}
	return out
}
