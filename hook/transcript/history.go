package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"agentguard/hook/regular"
)

// History is the end of a conversation.
type History struct {
	Turns    []Turn          // oldest first; the last one is the turn that is ending
	Complete bool            // nothing was left unread before the first turn
	HasCall  map[string]bool // ids of the calls in Turns; nil where no file was read
}

// Current returns the turn that is ending; an empty one where there is none.
func (h History) Current() Turn {
	if len(h.Turns) == 0 {
		return Turn{}
	}
	return h.Turns[len(h.Turns)-1]
}

// LastMessage returns all text blocks of the last assistant message, joined by
// an empty line. Clients report only the last block of it.
func (t Turn) LastMessage() string {
	if len(t.Texts) == 0 {
		return ""
	}
	last := t.Texts[len(t.Texts)-1]
	text := last.Text
	for _, part := range slices.Backward(t.Texts[:len(t.Texts)-1]) {
		if part.MessageID == "" || part.MessageID != last.MessageID {
			break
		}
		text = part.Text + "\n\n" + text
	}
	return text
}

// Entry is one line of a transcript, translated from a client's format.
type Entry struct {
	// Prompt is set on a real message of the user: it begins a turn.
	Prompt bool
	User   string
	Texts  []Text
	Calls  []Call
	// Results are completed calls by id; only what a result tells is set.
	Results []Call
	Notices []Notice
}

// ends puts what a result tells into the call.
func (c *Call) ends(r Call) {
	c.Pending = false
	c.Output, c.Failed = r.Output, r.Failed
	c.Background = c.Background || r.Background
	c.Task, c.Agent = r.Task, r.Agent
}

// Read builds the last turns of the file at path, read backwards. parse
// translates one line and returns false for a line that says nothing. A missing
// file is an empty history, not an error: on the first prompt of a session there
// is no file yet.
func Read(path string, l Limits, parse func(line []byte) (Entry, bool)) (History, error) {
	l = l.withDefaults()
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return History{Complete: true}, nil
	}
	if err != nil {
		return History{}, fmt.Errorf("reading the transcript: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil {
		return History{}, fmt.Errorf("reading the transcript: %w", err)
	}
	lines := NewBackwards(f, info.Size(), l)
	b := builder{results: map[string]Call{}, limit: l.Turns, message: l.Message}
	for !b.done() {
		line, ok := lines.Next()
		if !ok {
			break
		}
		if e, ok := parse(line); ok {
			b.add(e)
		}
	}
	h := b.history()
	h.Complete = h.Complete && lines.Complete()
	if err := lines.Err(); err != nil {
		return h, fmt.Errorf("reading the transcript: %w", err)
	}
	return h, nil
}

// builder collects entries that come last first.
type builder struct {
	turns   []Turn // latest first
	open    Turn   // the turn being collected, its calls and texts latest first
	any     bool
	results map[string]Call
	limit   int
	message bool // only the last message is wanted
	whole   bool // and all of it is there
}

func (b *builder) done() bool { return len(b.turns) >= b.limit || b.whole }

func (b *builder) add(e Entry) {
	for _, r := range e.Results {
		b.results[r.ID] = r
	}
	for _, c := range slices.Backward(e.Calls) {
		b.any = true
		c.Pending = true
		if r, ok := b.results[c.ID]; ok {
			c.ends(r)
		}
		b.open.Calls = append(b.open.Calls, c)
	}
	if b.message && len(b.open.Texts) > 0 && !continues(b.open.Texts, e) {
		b.whole = true
		return
	}
	for _, t := range slices.Backward(e.Texts) {
		b.any = true
		t.AfterCalls = len(b.open.Calls) // counted from the end until the turn is closed
		b.open.Texts = append(b.open.Texts, t)
	}
	for _, n := range slices.Backward(e.Notices) {
		n.AfterCalls = len(b.open.Calls)
		b.open.Notices = append(b.open.Notices, n)
	}
	if e.Prompt {
		b.open.User = e.User
		b.close()
	}
}

// continues tells whether e is another line of the message that is being read.
func continues(texts []Text, e Entry) bool {
	id := texts[len(texts)-1].MessageID
	return len(e.Calls) == 0 && len(e.Texts) > 0 && id != "" && e.Texts[0].MessageID == id
}

func (b *builder) close() {
	t := b.open
	slices.Reverse(t.Calls)
	slices.Reverse(t.Texts)
	for i := range t.Texts {
		t.Texts[i].AfterCalls = len(t.Calls) - t.Texts[i].AfterCalls
	}
	slices.Reverse(t.Notices)
	for i := range t.Notices {
		t.Notices[i].AfterCalls = len(t.Calls) - t.Notices[i].AfterCalls
	}
	b.turns = append(b.turns, t)
	b.open, b.any = Turn{}, false
}

func (b *builder) history() History {
	h := History{Complete: !b.done(), HasCall: map[string]bool{}}
	if b.any {
		b.close()
	}
	slices.Reverse(b.turns)
	h.Turns = b.turns
	for _, t := range h.Turns {
		for _, c := range t.Calls {
			h.HasCall[c.ID] = true
		}
	}
	return h
}
