package prose

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Assertions gives the claims that the writer plainly asserts of this repository
// as it is now: a main clause of the writer's own words whose every word is
// understood. Claims reads generously what a message reports; this reads so that
// nobody is held to words that were not meant that way. Conditions, exceptions,
// stories, plans, other people's deeds, other places, the past, quotations,
// tables, instructions and descriptions of how a program behaves assert nothing,
// and neither does a claim whose opposite the same message tells. In doubt there
// is none.
//
// The Text, Start and End of such a claim are those of its sentence; of a very
// long one, of its clause.
func (d *Document) Assertions() []Claim {
	var out []Claim
	around := sync.OnceValue(d.settings)
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering || s.Mood == Question || d.Parts[s.Part].Kind == Heading || len(s.tokens) == 0 {
			continue
		}
		out = append(out, d.asserted(s, func() setting { return around()[s.Part] })...)
	}
	if len(out) == 0 {
		return nil
	}
	told := d.disclosed()
	return slices.DeleteFunc(out, func(c Claim) bool { return slices.Contains(told, c.Kind) })
}

// grammar is how the assertions of one language are read. Its patterns are over
// text as render writes it.
type grammar struct {
	// lead and tail are what may stand before and behind a claim without changing
	// it; tail may be nil.
	lead, tail expression
	// veto are words that take a whole sentence out: what it says holds elsewhere,
	// at another time, under a condition or with an exception.
	veto func() *wordlist
	// conditions are words that do so from a clause before the claim, or at the
	// head of the one behind it.
	conditions func() *wordlist
	// opens tells an earlier clause after which a claim may stand: what was done.
	opens expression
	// scopes tells an earlier clause that says where a claim holds.
	scopes expression
	// limits tells the next clause where it limits the claim.
	limits expression
	// fails finds words of failing.
	fails expression
	// tells finds, for each kind, a sentence that admits the opposite.
	tells []disclosure
	forms []form
	// words join clauses within a sentence; each begins a new one.
	words func(word string) bool
}

// form is one way to put a claim.
type form struct {
	kind ClaimKind
	// near are words of which one must stand in the sentence before the pattern is tried.
	near []string
	is   expression
	// join is set on a form over two clauses: ": " for a label and its value,
	// " and " for a common predicate.
	join string
	// follows tells a form whose commit id stands alone in the clause behind it.
	follows bool
	// after is what an earlier clause must say for the form to mean its kind.
	after expression
}

// disclosure is a sentence that tells the opposite of some kinds of claims: it
// matches is after all that matches not is taken out, and does not match but.
type disclosure struct {
	kinds        []ClaimKind
	near         []string // one of them must stand in the sentence
	is, not, but expression
}

// expression is a regular expression that is compiled when it is first needed.
type expression func() *regexp.Regexp

// piece is one clause of a sentence as render writes it, and its core: without
// lead and tail. Join is the mark or word before it.
type piece struct {
	text, core, join string
	tokens           []token
}

// maxAsserted is how long a sentence may be to be given whole, in bytes.
const maxAsserted = 400

// asserted reads one sentence. The patterns of what takes a claim out are many,
// so they are tried only where there is a claim.
func (d *Document) asserted(s *Sentence, around func() setting) []Claim {
	g := grammarOf(s.Lang)
	whole := render(s.tokens, s.Lang)
	if !g.near(whole) {
		return nil
	}
	pieces := g.cut(s)
	var out []Claim
	from := 0 // first clause that the one at hand may hang on: what no claim of the sentence settled
	for k, p := range pieces {
		if p.join == ";" {
			from = k
		}
		var found []Claim
		if !subordinates(p.join) {
			found = g.claim(pieces, k)
		}
		if k == 0 && len(found) == 0 && strings.HasPrefix(p.text, "`sha") && around().commits {
			found = []Claim{{Kind: ClaimCommit, Detail: shaOf(first(p.tokens, "`sha"))}}
		}
		found = slices.DeleteFunc(found, func(c Claim) bool { return !g.stands(c.Kind, pieces, from, k) })
		if len(found) > 0 {
			from = k + 1
		}
		for _, c := range found {
			c.Text, c.Start, c.End = d.Text[s.Start:s.End], s.Start, s.End
			if len(c.Text) > maxAsserted {
				c.Start, c.End = p.tokens[0].start, p.tokens[len(p.tokens)-1].end
				c.Text = d.Text[c.Start:c.End]
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 || around().quiet || g.veto().finds(whole) {
		return nil
	}
	return out
}

// subordinates tells a word whose clause is a reason or an aside.
func subordinates(join string) bool {
	switch join {
	case "because", "since", "so that", "while", "whereas", "which", "who", "where":
		return true
	}
	return false
}

// limited tells that the clause behind a claim limits it.
func (g *grammar) limited(next piece) bool {
	if next.join == ";" {
		return false
	}
	head, _, _ := strings.Cut(next.text, " ")
	return g.limits().MatchString(next.text) || g.conditions().finds(head) || next.join == "but" && strings.Count(next.text, " ") < 3
}

// stands tells that a claim in the clause at k may stand between those before it,
// the first of which is from, and the one behind it. Of a tree, a commit or a push
// many a description of a program speaks in the same words as a report, so what
// stands before must be a report as well; so must a label, whatever it labels.
func (g *grammar) stands(kind ClaimKind, pieces []piece, from, k int) bool {
	if k+1 < len(pieces) && g.limited(pieces[k+1]) {
		return false
	}
	for i := from; i < k; i++ {
		b := pieces[i]
		if g.conditions().finds(b.text) {
			return false
		}
		labels := pieces[i+1].join == ":" || pieces[i+1].join == "—"
		strict := labels || kind == ClaimClean || kind == ClaimAllIn || kind == ClaimCommit || kind == ClaimPushed
		if b.core != "" && !g.opens().MatchString(b.core) && (strict || g.scopes != nil && g.scopes().MatchString(b.core)) {
			return false
		}
	}
	return true
}

// near tells that the sentence may hold a claim at all.
func (g *grammar) near(text string) bool {
	text = " " + text + " "
	return slices.ContainsFunc(g.forms, func(f form) bool { return f.nearby(text) })
}

func (f form) nearby(text string) bool {
	return slices.ContainsFunc(f.near, func(w string) bool { return strings.Contains(text, w) })
}

// claim reads the clause at k: of each kind at most one claim.
func (g *grammar) claim(pieces []piece, k int) []Claim {
	var out []Claim
	for _, f := range g.forms {
		if slices.ContainsFunc(out, func(c Claim) bool { return c.Kind == f.kind }) {
			continue
		}
		if c, ok := f.read(pieces, k); ok {
			out = append(out, c)
		}
	}
	return out
}

// read tells whether the clause at k puts a claim in this form, and which.
func (f form) read(pieces []piece, k int) (c Claim, ok bool) {
	text, toks := pieces[k].core, pieces[k].tokens
	next := piece{}
	if k+1 < len(pieces) {
		next = pieces[k+1]
	}
	switch {
	case f.join == ": " && (k > 0 || next.join != ":" && next.join != "—"), f.join == " and " && next.join != "and":
		return c, false
	case f.join != "":
		text, toks = text+f.join+next.core, append(slices.Clone(toks), next.tokens...)
	}
	if !f.nearby(" " + text + " ") {
		return c, false
	}
	is := f.is()
	m := is.FindStringSubmatch(text)
	if m == nil || f.after != nil && !slices.ContainsFunc(pieces[:k], func(p piece) bool { return f.after().MatchString(p.text) }) {
		return c, false
	}
	group := func(name string) string {
		if i := is.SubexpIndex(name); i >= 0 {
			return strings.TrimSpace(m[i])
		}
		return ""
	}
	c = Claim{Kind: f.kind}
	switch f.kind {
	case ClaimCommit:
		if f.follows {
			if next.text != "`sha" {
				return c, false
			}
			toks = next.tokens
		}
		c.Detail = shaOf(first(toks, "`sha"))
		return c, c.Detail != ""
	case ClaimPushed, ClaimCI:
		c.Detail = named(toks, group("place"))
	case ClaimRun:
		c.Scope = first(toks, "`cmd").inner
	default:
		c.Whole = group("all") != ""
		c.Scope = scope(toks, group("mod"), group("of"))
		if c.Detail, ok = counted(group("n")); !ok {
			return c, false // some did not
		}
		if group("one") != "" && c.Scope == "" && !c.Whole || vague(c.Scope) {
			return c, false // "the test", "most tests": nobody knows which
		}
		// So many words are not the name of a part.
		return c, strings.Count(group("mod"), " ") < 4 && strings.Count(group("of"), " ") < 5
	}
	return c, true
}

// counted reads "57", "57/57" and "57 of 57"; ok is false where the numbers differ.
func counted(s string) (n string, ok bool) {
	n, all, both := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(s, " of the ", "/"), " of ", "/"), "/")
	return n, !both || n == all
}

// scope joins the words that limit a claim, inline code by what it says.
func scope(toks []token, parts ...string) string {
	var words []string
	for _, p := range parts {
		for w := range strings.FieldsSeq(p) {
			switch {
			case w == "`name" || w == "`test" || w == "`code" || w == "`cmd" || w == "`place":
				words = append(words, first(toks, w).inner)
			case !everyTest(w):
				words = append(words, w)
			}
		}
	}
	return strings.Join(words, " ")
}

// everyTest tells a word before "tests" that leaves none out.
func everyTest(w string) bool {
	switch w {
	case "full", "whole", "entire", "complete", "existing", "test", "total", "project", "'s", "project's", "automated", "of", "for", "in", "under", "the", "this", "repo", "repository":
		return true
	}
	return false
}

// vague tells a scope that names no part: a number of tests, or a condition that
// looks like a name.
func vague(scope string) bool {
	return slices.ContainsFunc(strings.Fields(scope), func(w string) bool {
		switch w {
		case "if", "when", "unless", "once", "until", "whether", "with", "without", "on", "after", "before", "both", "most", "some", "many", "several", "few", "half", "other", "others", "remaining", "rest", "no", "not", "none", "than":
			return true
		}
		return false
	})
}

// named gives the place that a group of a pattern caught.
func named(toks []token, group string) string {
	if group == "`place" || group == "`code" {
		return first(toks, group).inner
	}
	return group
}

// first gives the first token that render writes as mark.
func first(toks []token, mark string) token {
	for _, t := range toks {
		if word(t) == mark {
			return t
		}
	}
	return token{}
}

// cut divides a sentence at its marks and at words that join clauses.
func (g *grammar) cut(s *Sentence) []piece {
	var out []piece
	from, join := 0, ""
	end := func(to int, next string) {
		if text := render(s.tokens[from:to], s.Lang); text != "" {
			out = append(out, piece{text, g.core(text), join, s.tokens[from:to]})
			join = next
		} else if join == "" || join == "," {
			join = next
		}
	}
	for i, t := range s.tokens {
		switch {
		case t.is("stop", "dash", "paren", "end", "comma") && t.inner == "":
			end(i, mark(t))
			from = i + 1
		case g.words != nil && g.words(t.word):
			end(i, t.word)
			from = i + 1
		}
	}
	end(len(s.tokens), "")
	return out
}

// core takes lead and tail off a clause.
func (g *grammar) core(text string) string {
	text = text[len(g.lead().FindString(text)):]
	if g.tail != nil {
		text = text[:len(text)-len(g.tail().FindString(text))]
	}
	return text
}

// mark gives the plain form of a mark between clauses.
func mark(t token) string {
	switch {
	case t.is("dash"):
		return "—"
	case t.is("paren"):
		return "("
	case t.is("comma"):
		return ","
	case t.word == ":" || t.word == "：":
		return ":"
	}
	return ";"
}

// render writes tokens as the patterns read them: small letters, words apart by
// one space (in Japanese and Chinese only between Latin words), inline code and
// quotations as marks, emoji left out but for the check mark.
func render(toks []token, l Lang) string {
	var b strings.Builder
	latin := false // the last word ended in a Latin letter
	for _, t := range toks {
		w := word(t)
		if w == "" {
			continue
		}
		head, _ := utf8.DecodeRuneInString(w)
		if b.Len() > 0 && (l == English || latin && head < utf8.RuneSelf) && !strings.ContainsRune(",;:.)", head) {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		last, _ := utf8.DecodeLastRuneInString(w)
		latin = last < utf8.RuneSelf
	}
	return b.String()
}

// word gives a token as render writes it.
func word(t token) string {
	switch {
	case t.is("quote"):
		return `"`
	case t.word == "`":
		return span(t)
	case t.is("sha"):
		return "`sha"
	case t.is("tick"):
		return "✓"
	}
	r, n := utf8.DecodeRuneInString(t.word)
	if n == len(t.word) && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsPunct(r) {
		return ""
	}
	return t.word
}

// span tells what inline code names.
func span(t token) string {
	body := strings.Join(strings.Fields(foldString(t.inner)), " ")
	name, rest, more := strings.Cut(body, " ")
	switch {
	case commitID(body):
		return "`sha"
	case body == "git status" || strings.HasPrefix(body, "git status "):
		return "`status"
	case isPlace(body):
		return "`place"
	case more && t.is("testcmd") && !strings.ContainsAny(name, "():") && rest != "", runner(body):
		return "`cmd"
	case !more && (strings.Contains(body, "test") || strings.Contains(body, "spec")):
		return "`test"
	case !more:
		return "`name"
	}
	return "`code"
}

// commitID tells an object id, full or abbreviated as git does.
func commitID(s string) bool {
	return len(s) >= 7 && len(s) <= 40 && strings.Trim(s, "0123456789abcdef") == ""
}

func isPlace(s string) bool {
	switch s {
	case "main", "master", "develop", "trunk", "origin", "upstream":
		return true
	}
	return strings.HasPrefix(s, "origin/") || strings.HasPrefix(s, "upstream/")
}

// runner tells a program that checks and is called by its name alone.
func runner(s string) bool {
	switch s {
	case "pytest", "jest", "vitest", "mocha", "rspec", "ctest", "tox", "nox", "phpunit", "eslint", "ruff", "mypy", "pyright", "tsc", "clippy", "golangci-lint", "biome", "playwright", "rubocop":
		return true
	}
	return false
}

func grammarOf(l Lang) *grammar {
	switch l {
	case Japanese:
		return assertJapanese()
	case Chinese:
		return assertChinese()
	case English:
	}
	return assertEnglish()
}

// re makes an expression of a regular expression in which {name} stands for a part.
func re(expr string, parts ...string) expression {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.NewReplacer(parts...).Replace(expr))
	})
}
