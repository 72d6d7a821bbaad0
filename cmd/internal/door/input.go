package door

import (
	"bytes"
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
)

// errTooLarge tells an event over maxStdin.
var errTooLarge = errors.New("the event has more than 8 MiB")

// readEvent reads one JSON value. It does not wait for the end of the input:
// some clients keep the pipe open. What came before the deadline is returned
// with any error.
func readEvent(r io.Reader) ([]byte, error) {
	var e event
	// Mostly the client has written all before this program runs. What is there is
	// read at once; only to wait for more takes a goroutine and a timer.
	for ready(r) {
		e.all = slices.Grow(e.all, max(firstRead, len(e.all)))
		n, err := r.Read(e.all[len(e.all):cap(e.all)])
		if done, err := e.add(e.all[len(e.all):len(e.all)+n], err); done {
			return e.all, err
		}
	}
	return e.wait(r)
}

// firstRead is room for a usual event, in bytes.
const firstRead = 4 << 10

// event is what came in so far.
type event struct {
	all  []byte
	seen completeness
}

// add takes what one read gave and tells whether the event ends with it.
func (e *event) add(b []byte, err error) (done bool, _ error) {
	e.all = append(e.all, b...)
	switch {
	case len(e.all) > maxStdin:
		return true, errTooLarge
	case errors.Is(err, io.EOF):
		return true, nil
	case err != nil:
		return true, fmt.Errorf("reading stdin: %w", err)
	default:
		return e.seen.object(e.all), nil
	}
}

// wait reads on until the event is whole or stdinWait is over.
func (e *event) wait(r io.Reader) ([]byte, error) {
	type part struct {
		b   []byte
		err error
	}
	parts := make(chan part, 1)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			buf := make([]byte, 64<<10)
			n, err := r.Read(buf)
			select {
			case parts <- part{buf[:n], err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	timer := time.NewTimer(stdinWait)
	defer timer.Stop()
	for {
		select {
		case p := <-parts:
			if done, err := e.add(p.b, p.err); done {
				return e.all, err
			}
		case <-timer.C:
			return e.all, fmt.Errorf("no complete event after %v", stdinWait)
		}
	}
}

// completeness tells when the bytes so far hold a whole JSON object, looking at
// each byte once.
type completeness struct {
	at, depth int
	inString  bool
	escaped   bool
	begun     bool
}

func (c *completeness) object(b []byte) bool {
	if c.at == 0 && !bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("{")) {
		return false
	}
	for ; c.at < len(b); c.at++ {
		ch := b[c.at]
		switch {
		case c.escaped:
			c.escaped = false
		case c.inString && ch == '\\':
			c.escaped = true
		case ch == '"':
			c.inString = !c.inString
		case c.inString:
		case ch == '{' || ch == '[':
			c.depth++
			c.begun = true
		case ch == '}' || ch == ']':
			c.depth--
		}
		if c.begun && c.depth <= 0 {
			return true
		}
	}
	return false
}
