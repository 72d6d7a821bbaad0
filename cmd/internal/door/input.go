package door

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Bounds of an event on stdin. A file that a tool writes travels in the event,
// so it may be large; a pipe that stays open must not keep the hook waiting.
const (
	maxStdin  = 8 << 20
	stdinWait = 2 * time.Second
	// Once the event is answered, a writer that says nothing for the first of these
	// has nothing to say, and one that pauses for the second has ended.
	drainQuiet = 20 * time.Millisecond
	drainPause = 300 * time.Millisecond
	drainWait  = time.Second
)

// errTooLarge tells an event over maxStdin.
var errTooLarge = errors.New("the event has more than 8 MiB")

// stdin reads one event, and then what its writer still has to say.
type stdin struct {
	r     io.Reader
	all   []byte // what came in so far, or its outline
	seen  completeness
	short *outline // set once there is too much to keep
	ended bool     // the writer closed its end
	parts chan part
}

// part is what one read in the background gave.
type part struct {
	b   []byte
	err error
}

// event reads one JSON value. It does not wait for the end of the input: some
// clients keep the pipe open. What came before the deadline is returned with any
// error; of an event that is too large only its outline, which is not what was
// sent and tells no more than whose event it is.
func (s *stdin) event() ([]byte, error) {
	began := time.Now()
	// Mostly the client has written all before this program runs. What is there is
	// read at once; only to wait for more takes a goroutine and a timer. What is there
	// already behind the event is part of the input.
	whole := false
	for !s.ended && ready(s.r) && time.Since(began) < stdinWait {
		buf := s.room()
		n, err := s.r.Read(buf)
		done, err := s.add(buf[:n], err)
		if err != nil {
			return s.all, err
		}
		whole = whole || done
	}
	if !whole && !s.ended {
		if err := s.wait(stdinWait - time.Since(began)); err != nil {
			return s.all, err
		}
	}
	if s.short != nil {
		return s.all, errTooLarge
	}
	return s.all, nil
}

// wait reads on until the event is whole.
func (s *stdin) wait(limit time.Duration) error {
	s.start()
	over := time.NewTimer(limit)
	defer over.Stop()
	for {
		select {
		case p := <-s.parts:
			if done, err := s.add(p.b, p.err); done {
				return err
			}
		case <-over.C:
			return fmt.Errorf("no complete event after %v", stdinWait)
		}
	}
}

// drain reads what is left, so that the writer is not told that nobody listens. It
// ends when the writer does, pauses, or has had its time.
func (s *stdin) drain() {
	if s.ended {
		return
	}
	s.start()
	over, quiet := time.After(drainWait), drainQuiet
	for {
		select {
		case p := <-s.parts:
			if p.err != nil {
				return
			}
			quiet = drainPause
		case <-time.After(quiet):
			return
		case <-over:
			return
		}
	}
}

// start begins to read in the background; it ends with the input or the program.
func (s *stdin) start() {
	if s.parts != nil {
		return
	}
	s.parts = make(chan part, 1)
	go func() {
		for {
			buf := make([]byte, 64<<10)
			n, err := s.r.Read(buf)
			s.parts <- part{buf[:n], err}
			if err != nil {
				return
			}
		}
	}()
}

// firstRead is room for a usual event, in bytes.
const firstRead = 4 << 10

// room is where the next read may write: behind what is kept.
func (s *stdin) room() []byte {
	spare := s.all[len(s.all):cap(s.all)]
	switch {
	case s.short != nil:
		return make([]byte, 64<<10)
	case s.seen.whole && len(spare) > 0: // mostly nothing comes
		return spare
	case s.seen.whole:
		return make([]byte, firstRead)
	}
	s.all = slices.Grow(s.all, max(firstRead, len(s.all)))
	return s.all[len(s.all):cap(s.all)]
}

// add takes what one read gave and tells whether the event ends with it.
func (s *stdin) add(b []byte, err error) (done bool, _ error) {
	done = s.seen.more(b)
	if s.short == nil && len(s.all)+len(b) > maxStdin {
		s.short = &outline{}
		s.short.add(s.all)
	}
	if s.short != nil {
		s.short.add(b)
		s.all = s.short.kept
	} else {
		s.all = append(s.all, b...)
	}
	switch {
	case errors.Is(err, io.EOF):
		s.ended = true
		return true, nil
	case err != nil:
		s.ended = true
		return true, fmt.Errorf("reading stdin: %w", err)
	}
	return done, nil
}

// completeness tells when the bytes so far hold a whole JSON object, looking at
// each byte once.
type completeness struct {
	depth    int
	begun    bool // the first byte of a value came
	object   bool // and it was a brace
	inString bool
	escaped  bool
	whole    bool
}

// more takes the next bytes and tells whether the object has ended.
func (c *completeness) more(b []byte) bool {
	for i := 0; i < len(b) && !c.whole; i++ {
		ch := b[i]
		switch {
		case !c.begun:
			switch ch {
			case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf: // a byte order mark stands before some
			default:
				c.begun, c.object = true, ch == '{'
				i-- // it counts
				if !c.object {
					return false
				}
			}
		case !c.object:
			return false
		case c.escaped:
			c.escaped = false
		case c.inString && ch == '\\':
			c.escaped = true
		case ch == '"':
			c.inString = !c.inString
		case c.inString:
		case ch == '{' || ch == '[':
			c.depth++
		case ch == '}' || ch == ']':
			c.depth--
			c.whole = c.depth <= 0
		}
	}
	return c.whole
}

// Bounds of an outline: of each text and of all together, in bytes.
const (
	maxOutlineText = 64
	maxOutline     = 1 << 20
)

// outline keeps the form of an event that is too large to keep: everything but the
// ends of long texts. The event's name is found in it wherever it stands.
type outline struct {
	kept     []byte
	inString bool
	escaped  bool
	length   int // of the text that we are in
}

func (o *outline) add(b []byte) {
	for _, ch := range b {
		if len(o.kept) >= maxOutline {
			return
		}
		switch {
		case !o.inString:
			o.inString, o.length = ch == '"', 0
			o.kept = append(o.kept, ch)
		case o.escaped:
			o.escaped = false
			room := 2 // no half escape is left
			if ch == 'u' {
				room = len(`\uFFFF`)
			}
			o.text(room, '\\', ch)
		case ch == '\\':
			o.escaped = true
		case ch == '"':
			o.inString = false
			o.kept = append(o.kept, ch)
		default:
			o.text(1, ch)
		}
	}
}

// text keeps what still has room in the text that we are in.
func (o *outline) text(room int, b ...byte) {
	if o.length+room <= maxOutlineText {
		o.kept = append(o.kept, b...)
		o.length += len(b)
	} else {
		o.length = maxOutlineText
	}
}
