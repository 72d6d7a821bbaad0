package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Turns reads a conversation from its start, turn by turn, in memory that
// follows the longest turn and not the file. each gets every finished turn with
// the offset of the byte after its last line; it ends the reading by returning
// false. parse translates one line, as for Read.
func Turns(r io.Reader, l Limits, parse func(line []byte) (Entry, bool), each func(t Turn, end int64) bool) error {
	l = l.withDefaults()
	in := bufio.NewReaderSize(r, chunk)
	f := forward{index: map[string]int{}}
	var at int64
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		at += int64(len(part))
		if len(line) <= l.Line {
			line = append(line, part...) // a longer line is dropped once its end is found
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) <= l.Line {
			if e, ok := parse(line); ok {
				if e.Prompt && f.begun {
					if !each(f.turn, at-int64(len(line))) {
						return nil
					}
				}
				f.add(e)
			}
		}
		line = line[:0]
		if errors.Is(err, io.EOF) {
			if f.begun {
				each(f.turn, at)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the transcript: %w", err)
		}
	}
}

// maxTurnCalls bounds the calls that are kept of one turn; of more, the oldest go.
const maxTurnCalls = 4000

// forward collects entries in the order of the file.
type forward struct {
	turn  Turn
	index map[string]int // of a call's id in turn.Calls
	begun bool
}

func (f *forward) add(e Entry) {
	if e.Prompt {
		f.turn = Turn{User: e.User}
		clear(f.index)
		f.begun = true
	}
	for _, t := range e.Texts {
		t.AfterCalls = len(f.turn.Calls)
		f.turn.Texts = append(f.turn.Texts, t)
		f.begun = true
	}
	for _, c := range e.Calls {
		if len(f.turn.Calls) == maxTurnCalls {
			f.drop(maxTurnCalls / 2)
		}
		c.Pending = true
		f.index[c.ID] = len(f.turn.Calls)
		f.turn.Calls = append(f.turn.Calls, c)
		f.begun = true
	}
	for _, r := range e.Results {
		if i, ok := f.index[r.ID]; ok {
			f.turn.Calls[i].ends(r)
		}
	}
	for _, n := range e.Notices {
		n.AfterCalls = len(f.turn.Calls)
		f.turn.Notices = append(f.turn.Notices, n)
	}
}

// drop forgets the n oldest calls.
func (f *forward) drop(n int) {
	f.turn.Calls = append([]Call(nil), f.turn.Calls[n:]...)
	clear(f.index)
	for i, c := range f.turn.Calls {
		f.index[c.ID] = i
	}
	for i := range f.turn.Texts {
		f.turn.Texts[i].AfterCalls = max(0, f.turn.Texts[i].AfterCalls-n)
	}
	for i := range f.turn.Notices {
		f.turn.Notices[i].AfterCalls = max(0, f.turn.Notices[i].AfterCalls-n)
	}
}
