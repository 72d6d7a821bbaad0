package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirected is what the redirections of one statement do.
type redirected struct {
	list   []Redirect
	writes []int // indexes in list that make effects
	paths  []string
	stdin  *stdin // when they say where the input comes from
	stdout bool   // the output goes elsewhere
}

func (a *analyzer) redirs(list []*syntax.Redirect, st *state, cx ctx) redirected {
	var red redirected
	for _, r := range list {
		if !a.step(1) {
			break
		}
		a.redir(r, &red, st, cx)
	}
	return red
}

func (a *analyzer) redir(r *syntax.Redirect, red *redirected, st *state, cx ctx) {
	fd := -1
	if r.N != nil && len(r.N.Value) == 1 && digit(r.N.Value[0]) {
		fd = int(r.N.Value[0] - '0')
	} else if r.N != nil {
		fd = 9 // {var}> and long numbers: some other descriptor
	}
	input := fd == -1 || fd == 0
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		text := a.heredoc(r, st, cx)
		red.list = append(red.list, Redirect{Op: "<<", FD: fd, Path: a.word(text, "")})
		if input {
			red.stdin = &stdin{text: text, known: true}
		}
		return
	case syntax.WordHdoc:
		text := a.value(r.Word, st, cx) + "\n"
		red.list = append(red.list, Redirect{Op: "<<<", FD: fd, Path: a.word(text, "")})
		if input {
			red.stdin = &stdin{text: text, known: !a.opaque(text), from: a.word(text, "").From()}
			if !red.stdin.known {
				red.stdin.approx, red.stdin.known = true, true
			}
		}
		return
	default: // a file
	}
	target := a.value(r.Word, st, cx)
	if r.Op == syntax.DplIn || r.Op == syntax.DplOut {
		if target == "-" || strings.Trim(target, "0123456789-") == "" || r.Op == syntax.DplIn {
			if r.Op == syntax.DplOut && fd <= 1 && target != "1" {
				red.stdout = true
			}
			if r.Op == syntax.DplIn && input && target != "0" && target != "-" {
				red.stdin = &stdin{known: true, approx: true} // another descriptor: anything may come
			}
			return
		}
	}
	if a.toFile(target) {
		if out, ok := a.files[target]; ok && r.Op == syntax.RdrIn && input {
			in := out.stdin()
			red.stdin = &in
		}
		if r.Op != syntax.RdrIn && (fd == -1 || fd == 1) {
			red.stdout = true
		}
		return
	}
	op := r.Op.String()
	if r.Op == syntax.DplOut {
		op = "&>"
	}
	p := a.path(a.dir(st), target)
	red.list = append(red.list, Redirect{Op: op, FD: fd, Path: a.word(p, rawOf(cx.src, r.Word))})
	red.paths = append(red.paths, target)
	red.writes = append(red.writes, len(red.list)-1)
	switch r.Op {
	case syntax.RdrIn:
		if input {
			in := stdin{file: p}
			if out, ok := a.written(p); ok {
				in.text, in.known, in.approx, in.from = out.text, out.known, true, out.from
			}
			red.stdin = &in
		}
	case syntax.RdrInOut:
	default:
		if fd == -1 || fd == 1 {
			red.stdout = true
		}
	}
}

// toFile tells a mark that stands for a process substitution.
func (a *analyzer) toFile(s string) bool {
	if a.files == nil || s == "" || s[0] != privateByte {
		return false
	}
	_, ok := a.files[s]
	return ok
}

// heredoc expands the body of a here-document unless its delimiter is quoted.
func (a *analyzer) heredoc(r *syntax.Redirect, st *state, cx ctx) string {
	if r.Hdoc == nil {
		return ""
	}
	raw := false
	if r.Word != nil {
		raw = strings.ContainsAny(rawOf(cx.src, r.Word), "'\"\\")
	}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if raw {
				b.WriteString(p.Value)
			} else {
				b.WriteString(unescape(p.Value, "$`\\\n"))
			}
		default:
			k := sink{}
			a.quoted([]syntax.WordPart{p}, &k, st, cx)
			b.WriteString(k.cur.String())
		}
	}
	text := b.String()
	if r.Op == syntax.DashHdoc {
		text = strings.ReplaceAll("\n"+text, "\n\t", "\n")[1:]
	}
	return text
}

// redirEffects records what a statement's redirections do to files.
func (a *analyzer) redirEffects(red redirected, idx int, out output) {
	for n, i := range red.writes {
		r := red.list[i]
		e := Effect{Path: r.Path, Command: idx, Slash: strings.HasSuffix(red.paths[n], "/")}
		switch r.Op {
		case "<":
			e.Op = Read
		case ">>", "&>>", ">>|", "&>>|":
			e.Op = Append
		case "<>":
			e.Op = Modify
		default:
			e.Op = Write
		}
		writes := e.Op != Read && out.known && r.FD != 2
		if writes {
			e.Content = a.word(out.text, "")
		}
		old := a.files[r.Path.Text]
		a.effect(e)
		if writes {
			if e.Op == Append && !old.known {
				out.approx = true
			}
			a.remember(r.Path, out, old, e.Op == Append)
		}
	}
}

// remember keeps the text that the script itself wrote to a file, so that a
// later command which runs or reads the file can be followed.
func (a *analyzer) remember(path Word, out, old output, more bool) {
	if !path.Known() || !out.known {
		return
	}
	if a.files == nil {
		a.files = map[string]output{}
	}
	if old.known && more {
		out.text = old.text + out.text
		out.approx = out.approx || old.approx
	}
	if len(out.text) <= maxValue && len(a.files) < 200 {
		a.files[path.Text] = out
	}
}

func (a *analyzer) written(path string) (output, bool) {
	out, ok := a.files[path]
	return out, ok
}
