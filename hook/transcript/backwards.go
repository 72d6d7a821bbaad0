package transcript

import (
	"bytes"
	"errors"
	"io"
)

// Limits bounds what reading a transcript may cost. Zero values mean the
// defaults.
type Limits struct {
	Turns int   // how many turns back; default 3
	Bytes int64 // how much of the file's end is read; default 16 MiB
	Line  int   // a longer line is passed over; default 2 MiB
	// Message stops as soon as the last assistant message is whole: what came
	// before it is not read.
	Message bool
}

func (l Limits) withDefaults() Limits {
	if l.Turns == 0 {
		l.Turns = 3
	}
	if l.Bytes == 0 {
		l.Bytes = 16 << 20
	}
	if l.Line == 0 {
		l.Line = 2 << 20
	}
	return l
}

// chunk is how much one read fetches; the first reads are smaller because most
// turns are.
const chunk = 64 << 10

// Backwards reads lines from the end of a file to its start. Its cost follows
// what is read, never the size of the file.
type Backwards struct {
	r       io.ReaderAt
	pos     int64  // everything before pos is unread
	buf     []byte // bytes [pos, pos+len(buf)) that no line was made of yet
	left    int64  // bytes that may still be read
	maxLine int
	skip    bool // the line at buf's end is too long and is being passed over
	err     error
}

// NewBackwards starts at size, the end of the file as the caller saw it: what a
// writer adds later is not read.
func NewBackwards(r io.ReaderAt, size int64, l Limits) *Backwards {
	l = l.withDefaults()
	return &Backwards{r: r, pos: size, left: l.Bytes, maxLine: l.Line}
}

// Next returns the line before the ones returned so far, without its line end.
// Empty lines and lines over the limit are passed over. The slice is valid until
// the next call. It returns false at the file's start, at the byte limit or on a
// read error.
func (b *Backwards) Next() ([]byte, bool) {
	for {
		if i := bytes.LastIndexByte(b.buf, '\n'); i >= 0 {
			line := bytes.TrimSuffix(b.buf[i+1:], []byte{'\r'})
			b.buf = b.buf[:i]
			skipped := b.skip
			b.skip = false
			if len(line) > 0 && !skipped {
				return line, true
			}
			continue
		}
		if b.pos == 0 {
			line := bytes.TrimSuffix(b.buf, []byte{'\r'})
			b.buf = nil
			if len(line) == 0 || b.skip {
				return nil, false
			}
			return line, true
		}
		if !b.fill() {
			return nil, false
		}
	}
}

// Complete tells whether the start of the file was reached.
func (b *Backwards) Complete() bool { return b.pos == 0 }

// Err returns the read error that ended the reading, if one did.
func (b *Backwards) Err() error { return b.err }

// fill puts the bytes before pos in front of buf. When the unfinished line grows
// over the limit its bytes are dropped and it is marked to be passed over.
func (b *Backwards) fill() bool {
	n := min(int64(chunk), b.pos, b.left)
	if n <= 0 {
		return false
	}
	if len(b.buf) > b.maxLine {
		b.buf, b.skip = nil, true
	}
	grown := make([]byte, n, int(n)+len(b.buf))
	got, err := b.r.ReadAt(grown, b.pos-n)
	if err != nil && !(errors.Is(err, io.EOF) && int64(got) == n) {
		b.err = err
		return false
	}
	b.buf = append(grown, b.buf...)
	b.pos -= n
	b.left -= n
	return true
}
