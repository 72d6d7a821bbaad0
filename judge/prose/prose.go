// Package prose reads a message: its Markdown parts, sentences and clauses, in
// English, Japanese and Chinese, and what the clauses say about work in a
// repository.
//
// It knows no model and no repository: a reading says what a text claims, never
// whether the claim is true. Every reading is linear in the text, bounded by
// MaxScan at either end, and total: any bytes are a text.
package prose

// MaxScan is how much of a message is read at its beginning and at its end, in
// bytes. What lies between is not read at all.
const MaxScan = 32 << 10

// Lang is the language of one sentence.
type Lang string

// The languages that are read. Anything else is read as English and says nothing.
const (
	English  Lang = "en"
	Japanese Lang = "ja"
	Chinese  Lang = "zh"
)

// Kind tells what a part of a message is.
type Kind uint8

// The kinds. Own, Heading and Item are the writer's own words; the others are
// not: programs, other people's text, output, and text made to steer a judge.
const (
	Own Kind = iota
	Heading
	Item
	Code
	Quote
	Table
	Log
	Hidden
)

// String gives the kind's name as people read it.
func (k Kind) String() string {
	return [...]string{"own words", "heading", "list item", "code block", "quote", "table", "log", "hidden text"}[k]
}

// Part is one block of a message. Start and End are byte offsets into the text.
type Part struct {
	Kind       Kind
	Start, End int
	// Announced tells that the sentence before a code block says that it runs now.
	Announced bool
}

// Tense is when a clause places what it tells.
type Tense string

// The tenses. Later is a step that waits for something else (after, once, when);
// Conditional waits for an "if".
const (
	Unknown     Tense = ""
	Past        Tense = "past"
	Present     Tense = "present"
	Now         Tense = "now"
	Later       Tense = "later"
	Conditional Tense = "conditional"
)

// Actor is who does what a clause tells.
type Actor string

// The actors. Nobody means that the clause names none or a thing.
const (
	Nobody Actor = ""
	Self   Actor = "self"
	User   Actor = "user"
	Other  Actor = "other"
)

// Mood is how a clause is put.
type Mood string

// The moods.
const (
	Statement Mood = "statement"
	Question  Mood = "question"
)

// Document is a message that has been read.
type Document struct {
	Text      string
	Parts     []Part
	Sentences []Sentence
}

// Sentence is one sentence of the writer's own words. Start and End are byte
// offsets into the text.
type Sentence struct {
	Part       int // index into Document.Parts
	Start, End int
	Lang       Lang
	Mood       Mood
	// Steering tells that the sentence speaks to a judge: it may announce
	// something, but it proves nothing.
	Steering bool
	Clauses  []Clause

	tokens []token
}

// Clause is one statement of a sentence. Start and End are byte offsets.
type Clause struct {
	Text       string
	Start, End int
	Lang       Lang
	Tense      Tense
	Actor      Actor
	Mood       Mood
	Negated    bool
	// Modal tells that the clause says what could, should or might be.
	Modal bool
	// Link is how the clause hangs on its neighbour: after, before, if, since,
	// but, or nothing for a main clause.
	Link string

	tokens []token
	seg    int // clauses of one segment stand between the same strong marks
}

// Parse reads text. It never fails; offsets in the result stand on rune
// boundaries of valid text and rise within each list.
func Parse(text string) *Document {
	d := &Document{Text: text}
	for _, w := range windows(text) {
		first := len(d.Parts)
		d.Parts = append(d.Parts, blocks(text, w.start, w.end)...)
		for i := first; i < len(d.Parts); i++ {
			if k := d.Parts[i].Kind; k == Own || k == Heading || k == Item {
				d.Sentences = append(d.Sentences, sentences(text, i, d.Parts[i])...)
			}
		}
	}
	hasKana := false
	for i := range d.Sentences {
		hasKana = hasKana || d.Sentences[i].Lang == Japanese
	}
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if hasKana && s.Lang == Chinese {
			s.Lang = Japanese
		}
		tokenise(text, s)
		split(text, s)
	}
	announce(d)
	return d
}

type window struct{ start, end int }

// windows gives the byte ranges of text that are read, cut at line or rune
// boundaries.
func windows(text string) []window {
	if len(text) <= 2*MaxScan {
		return []window{{0, len(text)}}
	}
	return []window{{0, cutBefore(text, MaxScan)}, {cutAfter(text, len(text)-MaxScan), len(text)}}
}
