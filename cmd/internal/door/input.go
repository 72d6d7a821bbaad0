package door

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// Bounds of an event on stdin. A file that a tool writes travels in the event,
// so it may be large; a pipe that stays open must not keep the hook waiting.
const (
	maxStdin  = 8 << 20
	stdinWait = 2 * time.Second
)

// errTooLarge tells an event over maxStdin.
var errTooLarge = fmt.Errorf("the event has more than %d bytes", maxStdin)

// readEvent reads one JSON value. It does not wait for the end of the input:
// some clients keep the pipe open. What came before the deadline is returned
// with any error.
func readEvent(r io.Reader) ([]byte, error) {
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
	var all []byte
	timer := time.NewTimer(stdinWait)
	defer timer.Stop()
	var seen completeness
	for {
		select {
		case p := <-parts:
			all = append(all, p.b...)
			switch {
			case len(all) > maxStdin:
				return all, errTooLarge
			case errors.Is(p.err, io.EOF):
				return all, nil
			case p.err != nil:
				return all, fmt.Errorf("reading stdin: %w", p.err)
			case seen.object(all):
				return all, nil
			}
		case <-timer.C:
			return all, fmt.Errorf("no complete event after %v", stdinWait)
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
