package shell

import "strings"

// Lit returns a word whose value is s, as if it had been written quoted.
func Lit(s string) Word {
	return Word{Text: s, Parts: []Part{{Text: s, Quoted: true}}, Raw: s}
}

// Known tells whether the whole value is known. A glob is not: it stands for
// whatever names match.
func (w Word) Known() bool {
	for _, p := range w.Parts {
		if p.Kind != Literal {
			return false
		}
	}
	return true
}

// HasGlob tells whether a pattern stands in the word.
func (w Word) HasGlob() bool { return w.has(Glob) }

// HasUnknown tells whether a variable or an output that is not known stands in
// the word, so that it could be anything, nothing included.
func (w Word) HasUnknown() bool { return w.has(Var) || w.has(Output) }

func (w Word) has(k PartKind) bool {
	for _, p := range w.Parts {
		if p.Kind == k {
			return true
		}
	}
	return false
}

// Zero tells whether there is no word at all, which is not the empty word.
func (w Word) Zero() bool { return len(w.Parts) == 0 && w.Text == "" && w.Raw == "" }

// From returns the indexes of all commands whose output stands in the word.
func (w Word) From() []int {
	var from []int
	for _, p := range w.Parts {
		from = append(from, p.From...)
	}
	return from
}

// HasPrefix tells whether the known beginning of the word is s.
func (w Word) HasPrefix(s string) bool { return strings.HasPrefix(w.Text, s) }

// CutPrefix returns the word without its first n bytes of Text. Raw is lost
// because it has no defined cut.
func (w Word) CutPrefix(n int) Word {
	out := Word{}
	if n >= len(w.Text) {
		out.Parts = []Part{{Quoted: true}}
		return out
	}
	out.Text = w.Text[n:]
	for _, p := range w.Parts {
		size := p.size()
		switch {
		case n >= size:
			n -= size
			continue
		case n > 0 && (p.Kind == Literal || p.Kind == Glob):
			p.Text = p.Text[n:]
		}
		n = 0
		out.Parts = append(out.Parts, p)
	}
	return out
}

// size is how many bytes of Word.Text the part takes.
func (p Part) size() int {
	if p.Kind == Literal || p.Kind == Glob {
		return len(p.Text)
	}
	return len(string(Unknown))
}

// Cut splits a word at the first sep in its known text.
func (w Word) Cut(sep string) (before string, after Word, found bool) {
	i := strings.Index(w.Text, sep)
	if i < 0 {
		return w.Text, Word{}, false
	}
	return w.Text[:i], w.CutPrefix(i + len(sep)), true
}

// Base is the last path element of the word's text.
func (w Word) Base() string { return base(w.Text) }

func base(s string) string {
	s = strings.TrimRight(s, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		return s[i+1:]
	}
	return s
}

// programName is what Command.Name says about a program word.
func programName(w Word) string {
	if w.Text == "" {
		return ""
	}
	s := w.Text
	if i := strings.LastIndexAny(s, "/\\"); i >= 0 && i+1 < len(s) {
		s = s[i+1:]
	}
	if strings.ContainsRune(s, Unknown) {
		return ""
	}
	s = strings.ToLower(s)
	if len(s) > 1 && s[0] == '=' { // zsh: the path of the command
		s = s[1:]
	}
	for _, ext := range [...]string{".exe", ".cmd", ".bat"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" {
			return t
		}
	}
	return s
}
