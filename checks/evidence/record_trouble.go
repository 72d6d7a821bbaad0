package evidence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Recent is Runs where a record that holds nothing readable is an error, as one
// that cannot be read is: then it is not known that there was no run. Torn lines
// beside whole ones are skipped.
func (l Ledger) Recent(limit int) ([]Run, error) {
	runs, torn, err := l.Runs(limit)
	if err == nil && torn > 0 && len(runs) == 0 {
		err = &os.PathError{Op: "read", Path: l.path, Err: errNoRecord}
	}
	if err == nil {
		return runs, nil
	}
	if closed := l.Writable(); closed != nil {
		return nil, closed // it names the folder that is in the way
	}
	return nil, fmt.Errorf("%w: %w", ErrRecord, err)
}

// Writable tells why runs cannot be recorded, so that one may be missing; nil
// where they can. It writes nothing.
func (l Ledger) Writable() error {
	// The nearest folder that is there is the one in which the others are made.
	place := l.path
	for {
		if _, err := os.Lstat(place); err == nil || filepath.Dir(place) == place {
			break
		}
		place = filepath.Dir(place)
	}
	st, err := os.Stat(place)
	if err == nil && st.IsDir() == (place == l.path) {
		err = errNotThat
	}
	if err == nil {
		err = writable(place)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRecord, &os.PathError{Op: "write", Path: place, Err: err})
	}
	return nil
}

var (
	errNoRecord = errors.New("it holds no run")
	errNotThat  = errors.New("it is no file, or no folder above one")
)
