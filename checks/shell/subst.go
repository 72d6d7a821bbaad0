package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// subst runs a command substitution and returns its value.
func (a *analyzer) subst(p *syntax.CmdSubst, quoted bool, st *state, cx ctx) string {
	from := len(a.out.Commands)
	in := cx.carry("$( )", cx.parent)
	in.env = nil
	sub := st
	if !p.TempFile && !p.ReplyVar {
		sub = st.fork()
	}
	out, _ := a.stmts(p.Stmts, sub, in)
	if out.known && len(out.text) <= maxValue {
		return strings.TrimRight(out.text, "\n")
	}
	return a.unknownOutput(a.since(from), quoted)
}

// procSubst runs <( ) or >( ) and returns a mark that stands for the file.
func (a *analyzer) procSubst(p *syntax.ProcSubst, st *state, cx ctx) string {
	from := len(a.out.Commands)
	via := "<( )"
	if p.Op == syntax.CmdOut {
		via = ">( )"
	}
	in := cx.carry(via, cx.parent)
	in.env = nil
	if p.Op == syntax.CmdOut && cx.parent >= 0 {
		in.stdin.from = append([]int{cx.parent}, in.stdin.from...)
		in.stdin.approx = true
	}
	out, _ := a.stmts(p.Stmts, st.fork(), in)
	out.from = a.since(from)
	m := a.mark(Part{Kind: Output, Name: via, From: out.from})
	if a.files == nil {
		a.files = map[string]output{}
	}
	a.files[m] = out
	return m
}
