package shell

import (
	"slices"
	"strconv"
	"strings"
)

// forgeAlias follows the aliases of gh and glab: one that the script sets is
// followed at once, so that what hides behind the name is seen, and again where
// it is used.
func (a *analyzer) forgeAlias(idx int, st *state, cx ctx) bool {
	c := a.cmd(idx)
	name := c.Name
	words := Options(c.Args, OptSpec{Stop: true, Short: "R:", Long: "repo= help"}).Rest
	if len(words) == 0 {
		return false
	}
	if words[0].Text == "alias" && len(words) > 1 && words[1].Text == "set" {
		o := Options(words[2:], OptSpec{Short: "s", Long: "shell clobber"})
		if len(o.Rest) < 2 {
			return false
		}
		text := a.intern(o.Rest[1])
		if text == "-" {
			text = strings.TrimSpace(cx.stdin.text)
		}
		if o.Has("s", "shell") && !strings.HasPrefix(text, "!") {
			text = "!" + text
		}
		a.set(st, name+" alias "+o.Rest[0].Text, text)
		cx.cond = true
		a.runForgeAlias(idx, o.Rest[0].Text, text, nil, st, cx)
		a.cmd(idx).Carrier = false
		return true
	}
	v, ok := st.vars[name+" alias "+words[0].Text]
	if !ok || len(v.alts) == 0 {
		return false
	}
	a.runForgeAlias(idx, words[0].Text, v.alts[0], words[1:], st, cx)
	return true
}

// runForgeAlias runs an alias: $1 and its like stand for the words behind the
// name; those that are left follow.
func (a *analyzer) runForgeAlias(idx int, alias, text string, args []Word, st *state, cx ctx) {
	name := a.cmd(idx).Name
	via := name + " alias " + alias
	if cx.calling(via) || len(cx.calls) >= maxDepth {
		return
	}
	cx.calls = append(slices.Clip(cx.calls), via)
	var rest []string
	for n, w := range args {
		if place := "$" + strconv.Itoa(n+1); strings.Contains(text, place) {
			text = strings.ReplaceAll(text, place, a.intern(w))
		} else {
			rest = append(rest, a.intern(w))
		}
	}
	if script, ok := strings.CutPrefix(text, "!"); ok {
		for _, s := range rest {
			script += " " + shellQuoteMarks(s)
		}
		a.nested(idx, via, script, st.fork(), cx)
		return
	}
	words := append([]Word{Lit(name)}, a.splitWords(text)...)
	for _, s := range rest {
		words = append(words, a.word(s, ""))
	}
	cx.nofunc = true
	a.inner(idx, via, words, st.fork(), cx)
}
