package shell

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// AnalyzePowerShell is Analyze for text that PowerShell reads. What PowerShell
// does to files, processes and the network is told in the same terms: a command
// of its own is named in full and lower case ("remove-item"), or as the program
// that does the same where there is one ("curl", "pkill").
func AnalyzePowerShell(src string, env Env) Script {
	a := &analyzer{env: env}
	a.powershell(sanitize(src), &state{}, ctx{parent: -1})
	return a.out
}

// powershell runs a text as PowerShell would.
func (a *analyzer) powershell(src string, st *state, cx ctx) {
	if cx.depth > maxDepth || !a.step(1) {
		a.truncate("nesting")
		a.tokens(src)
		return
	}
	if len(src) > MaxParsed {
		a.fallback(src, "too long")
		return
	}
	if a.bytes += len(src); a.bytes > maxBytes {
		a.truncate("bytes")
		a.tokens(src)
		return
	}
	p := &ps{a: a, src: src, st: st, cx: cx, vars: map[string]psVal{}}
	p.statements(0)
	if p.bad {
		a.fallback(src, "syntax")
	}
}

// powershellExe follows pwsh and powershell into the text that they are given.
func (a *analyzer) powershellExe(idx int, st *state, cx ctx) {
	args := a.cmd(idx).Args
	via := a.cmd(idx).Name
	run := func(text string) {
		a.cmd(idx).Carrier = true
		text = a.dollars(text)
		if a.startsOpaque(text) {
			a.cmd(idx).Unread = true
		}
		in := cx.carry(via+" -c", idx)
		in.line = a.cmd(idx).Line
		in.stdin = stdin{}
		a.powershell(text, st.fork(), in)
	}
	for i := 0; i < len(args); i++ {
		name := strings.ToLower(strings.TrimLeft(args[i].Text, "-/"))
		switch {
		case name == args[i].Text && name != "" || args[i].Text == "-":
			if args[i].Text == "-" || via == "powershell" && !strings.HasSuffix(name, ".ps1") {
				run(a.joinWords(args[i:])) // powershell without -Command
				return
			}
			a.psFile(idx, args[i], st, cx)
			return
		case psPrefix(name, "command", 1) || name == "c":
			if i+1 < len(args) && args[i+1].Text != "-" {
				run(a.joinWords(args[i+1:]))
				return
			}
			a.psStdin(idx, run, cx)
			return
		case psPrefix(name, "encodedcommand", 1) || name == "ec" || name == "enc":
			if i+1 < len(args) {
				if text, ok := decodeUTF16(args[i+1].Text); ok {
					run(sanitize(text))
				} else {
					a.cmd(idx).Unread = true
				}
			}
			return
		case psPrefix(name, "file", 1):
			if i+1 < len(args) {
				a.psFile(idx, args[i+1], st, cx)
			}
			return
		case psPrefix(name, "version", 2), name == "help", name == "?":
			return
		case psPrefix(name, "executionpolicy", 2), name == "ep", psPrefix(name, "windowstyle", 1), psPrefix(name, "workingdirectory", 2), name == "wd", psPrefix(name, "outputformat", 1), psPrefix(name, "inputformat", 2), psPrefix(name, "configurationname", 3), psPrefix(name, "settingsfile", 2):
			i++
		}
	}
	a.psStdin(idx, run, cx)
}

// dollars puts the variables of PowerShell back into a text that a shell read
// between double quotes: to the shell they are unset, to the author they were not.
func (a *analyzer) dollars(text string) string {
	if !hasPrivate(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isPrivate(r) {
			if part := a.part(r); part.Kind == Var && part.Name != "" && !part.Set {
				b.WriteString("$" + part.Name)
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (a *analyzer) psStdin(idx int, run func(string), cx ctx) {
	switch {
	case cx.stdin.known:
		if cx.stdin.approx {
			a.cmd(idx).Unread = true
		}
		run(cx.stdin.text)
	case len(cx.stdin.from) > 0 || cx.stdin.file != "":
		a.cmd(idx).Unread = true
	}
}

// psFile enters a script of PowerShell that this script wrote, or that
// Env.ReadFile knows.
func (a *analyzer) psFile(idx int, w Word, st *state, cx ctx) {
	path := a.word(a.path(a.dir(st), windowsPath(a.intern(w))), w.Raw)
	out, ok := a.written(path.Text)
	if !ok && a.env.ReadFile != nil && !cx.world && path.Known() && len(a.reads) < maxReads {
		a.reads = append(a.reads, path.Text)
		if data, err := a.env.ReadFile(path.Text); err == nil && len(data) <= MaxParsed {
			out, ok = output{text: sanitize(string(data)), known: true}, true
		}
	}
	if !ok || !out.known || cx.calling("script "+path.Text) {
		a.cmd(idx).Unread = true
		return
	}
	a.cmd(idx).Carrier = true
	in := cx.carry("script "+w.Base(), idx)
	in.calls = append(slices.Clip(in.calls), "script "+path.Text)
	a.powershell(out.text, st.fork(), in)
}

// psPrefix tells an abbreviation of at least n letters.
func psPrefix(short, name string, n int) bool {
	return len(short) >= n && strings.HasPrefix(name, short)
}

// decodeUTF16 reads what -EncodedCommand takes: Base64 of UTF-16.
func decodeUTF16(s string) (string, bool) {
	b, err := base64.StdEncoding.DecodeString(pad(s))
	if err != nil || len(b)%2 != 0 {
		return "", false
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i < len(b); i += 2 {
		units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
	}
	return string(utf16.Decode(units)), true
}

// ps reads one text of PowerShell. It knows no types: a value is a list of texts,
// with marks in them for what is not known.
type ps struct {
	a     *analyzer
	src   string
	at    int
	st    *state
	cx    ctx
	vars  map[string]psVal
	funcs map[string]string
	alias map[string]string
	bad   bool // a quote or bracket is not closed
	depth int
}

// psVal is a value: texts, and the commands whose output it is.
type psVal struct {
	list  []string
	known bool   // list is all of it
	from  []int  // commands that a part of it comes from
	block string // the text of a script block
	fn    string // what a .NET object is, for its methods
}

func (v psVal) output() output {
	out := output{known: v.known, from: v.from}
	if v.known && len(v.list) > 0 {
		out.text = strings.Join(v.list, "\n") + "\n"
	}
	return out
}

func psText(s ...string) psVal { return psVal{list: s, known: true} }

// psUnknown is a value of which nothing is known but where it comes from.
func (p *ps) unknown(name string, from ...int) psVal {
	if len(from) > 0 {
		return psVal{list: []string{p.a.unknownOutput(from, true)}, from: from}
	}
	return psVal{list: []string{p.a.unknownVar(name, true)}}
}

func (v psVal) text() string { return strings.Join(v.list, " ") }

// sub runs a text in the same scope: a script block, a subexpression.
func (p *ps) sub(src string, cond bool) psVal {
	if p.depth > maxDepth || !p.a.step(1+len(src)/64) {
		p.a.truncate("nesting")
		return psVal{}
	}
	in := &ps{a: p.a, src: src, st: p.st, cx: p.cx, vars: p.vars, funcs: p.funcs, alias: p.alias, depth: p.depth + 1}
	in.cx.cond = in.cx.cond || cond
	out := in.statements(0)
	p.funcs, p.alias = in.funcs, in.alias
	p.bad = p.bad || in.bad
	return out
}
