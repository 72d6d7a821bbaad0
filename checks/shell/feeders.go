package shell

import (
	"slices"
	"strings"
)

// xargs follows the command that xargs builds from its input.
func (a *analyzer) xargs(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	o := Options(c.Args, OptSpec{
		Stop: true, Short: "0d:E:e::I:i::J:L:l::n:oP:prR:S:s:txa:",
		Long: "null arg-file= delimiter= eof=? replace=? max-lines=? max-args= max-procs= process-slot-var= interactive no-run-if-empty open-tty max-chars= show-limits verbose exit help version",
	})
	if o.Has("help", "version") {
		return output{}
	}
	words := o.Rest
	if len(words) == 0 {
		return output{text: cx.stdin.text, known: cx.stdin.known, approx: true, from: cx.stdin.from}
	}
	in := cx.stdin
	if f, ok := o.Value("a", "arg-file"); ok {
		in = stdin{file: a.path(a.dir(st), a.intern(f))}
		if out, ok := a.written(in.file); ok {
			in = out.stdin()
		} else {
			a.effect(Effect{Op: Read, Path: a.word(in.file, f.Raw), Command: idx})
		}
	}
	repl := ""
	if v, ok := o.Value("I", "J", "replace", "i"); ok {
		repl = v.Text
	} else if o.Has("i", "replace") {
		repl = "{}"
	}
	cx.stdin = stdin{}
	cx.nofunc = true
	items := a.items(in, o, repl != "")
	if repl == "" {
		return a.inner(idx, c.Name, append(slices.Clip(words), items...), st, cx)
	}
	var out output
	for i, it := range items {
		if i >= maxRounds || !a.step(1) {
			break
		}
		out = a.inner(idx, c.Name, a.substitute(words, repl, it), st, cx)
	}
	out.approx = true
	return out
}

// items are the words that xargs or parallel take from an input.
func (a *analyzer) items(in stdin, o Opts, lines bool) []Word {
	if !in.known {
		return []Word{a.word(a.unknownOutput(in.from, true), "")}
	}
	text := in.text
	var items []Word
	if d, ok := o.Value("d", "delimiter"); ok || o.Has("0", "null") || lines {
		sep := "\n"
		if ok {
			sep = ansiC(d.Text)
		} else if o.Has("0", "null") && strings.Contains(text, "\x00") {
			sep = "\x00"
		}
		for i, s := range strings.Split(strings.TrimRight(text, "\n"), sep) {
			if i < maxFields {
				items = append(items, a.from(strings.TrimLeft(s, " \t"), in))
			}
		}
		return items
	}
	for _, w := range a.splitWords(text) {
		items = append(items, a.from(a.intern(w), in))
	}
	return items
}

// from makes a word that came through a pipe; its parts tell from where.
func (a *analyzer) from(s string, in stdin) Word {
	w := a.word(s, "")
	if in.approx {
		for i := range w.Parts {
			if len(w.Parts[i].From) == 0 {
				w.Parts[i].From = in.from
			}
		}
	}
	return w
}

// substitute replaces every mark in words by a value.
func (a *analyzer) substitute(words []Word, mark string, val Word) []Word {
	out := make([]Word, 0, len(words))
	if mark == "" {
		return words
	}
	for _, w := range words {
		if !strings.Contains(w.Text, mark) {
			out = append(out, w)
			continue
		}
		if w.Text == mark {
			out = append(out, val)
			continue
		}
		s := strings.ReplaceAll(a.intern(w), mark, a.intern(val))
		if len(s) > maxValue {
			s = a.unknownOutput(nil, true)
		}
		out = append(out, a.word(s, w.Raw))
	}
	return out
}

// parallel joins its words to shell text, once for each argument.
func (a *analyzer) parallel(idx int, st *state, cx ctx) output {
	c := a.cmd(idx)
	o := Options(c.Args, OptSpec{
		Stop: true, Short: "j:P:n:N:L:l:I:kmXu0q:a:d:C:S:rvt",
		Long: "jobs= max-args= keep-order null arg-file= delimiter= colsep= sshlogin= eta bar progress dry-run dryrun will-cite halt= joblog= results= tag line-buffer retries= timeout= delay= plus pipe block= shuf ungroup verbose no-notice semaphore fg bg id= wait",
	})
	if o.Has("dry-run", "dryrun", "help", "version") {
		return output{}
	}
	var words, items []Word
	for i, w := range o.Rest {
		if strings.HasPrefix(w.Text, ":::") {
			files := strings.HasPrefix(w.Text, "::::")
			for _, it := range o.Rest[i+1:] {
				switch {
				case strings.HasPrefix(it.Text, ":::"):
					files = strings.HasPrefix(it.Text, "::::")
				case files: // the lines of a file
					a.effect(Effect{Op: Read, Path: a.pathWord(st, it), Command: idx})
					lines, ok := a.written(a.path(a.dir(st), a.intern(it)))
					items = append(items, a.items(stdin{text: lines.text, known: ok && lines.known}, o, true)...)
				default:
					items = append(items, it)
				}
			}
			break
		}
		words = append(words, w)
	}
	if items == nil {
		in := cx.stdin
		if f, ok := o.Value("a", "arg-file"); ok {
			in = stdin{file: f.Text}
		}
		items = a.items(in, o, true)
	}
	cx.stdin = stdin{}
	repl := "{}"
	if v, ok := o.Value("I"); ok {
		repl = v.Text
	}
	text := a.joinWords(words)
	for _, v := range []string{"{.}", "{/}", "{//}", "{/.}", "{1}"} {
		text = strings.ReplaceAll(text, v, repl)
	}
	var out output
	for i, it := range items {
		if i >= maxRounds || !a.step(1) {
			break
		}
		var one string
		val := a.intern(it)
		switch {
		case text == "":
			one = val
		case strings.Contains(text, repl):
			one = strings.ReplaceAll(text, repl, shellQuote(val))
		default:
			one = text + " " + shellQuote(val)
		}
		out = a.nested(idx, c.Name, one, st.fork(), cx)
	}
	return out
}

// shellQuote protects a value that becomes one word of shell text.
func shellQuote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n'\"\\$`;&|<>()*?[]{}~#!") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
