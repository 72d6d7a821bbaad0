package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentguard/hook/regular"
)

// findChunk is how much of a file is searched at once.
const findChunk = 1 << 20

// Finder looks for ids in transcripts. Left is how many bytes it may still read,
// of all files together.
type Finder struct {
	Left int64
}

// Find searches the file at path, from its end, for an id that stands there as a
// JSON string of its own: text inside another string does not match. sure tells
// that it was found, or that the whole file was searched. The error is a file
// that is missing, no regular file or cannot be read.
func (f *Finder) Find(path, id string) (found, sure bool, err error) {
	needle, err := json.Marshal(id)
	if err != nil {
		return false, false, fmt.Errorf("searching a transcript: %w", err)
	}
	file, err := regular.Open(path)
	if err != nil {
		return false, false, fmt.Errorf("searching a transcript: %w", err)
	}
	defer file.Close() //nolint:errcheck // opened for reading
	info, err := file.Stat()
	if err != nil {
		return false, false, fmt.Errorf("searching a transcript: %w", err)
	}
	// Behind each chunk stands the head of the one that was searched before it: the
	// id may lie across the two.
	buf := make([]byte, 0, findChunk+len(needle))
	for pos := info.Size(); pos > 0; {
		n := min(findChunk, pos, f.Left)
		if n <= 0 {
			return false, false, nil
		}
		head := min(len(needle), len(buf))
		buf = buf[:n+int64(head)]
		copy(buf[n:], buf[:head])
		if got, err := file.ReadAt(buf[:n], pos-n); err != nil && !(errors.Is(err, io.EOF) && int64(got) == n) {
			return false, false, fmt.Errorf("searching a transcript: %w", err)
		}
		f.Left -= n
		pos -= n
		if bytes.Contains(buf, needle) {
			return true, true, nil
		}
	}
	return false, true, nil
}
