package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentguard/hook/regular"
)

// maxStored is how many files a FileStore keeps, maxValue how large one may be.
const (
	maxStored = 500
	maxValue  = 1 << 20
)

// FileStore is a judge.Store of one small file for each key in Dir, which is
// made when needed, mode 0700. Whole files replace each other, so that readers
// of other processes never see half of one; of two writers the last one wins.
type FileStore struct {
	Dir string
}

// Load returns the value of a key. A key that was never saved is an error.
func (s FileStore) Load(key string) ([]byte, error) {
	path, err := s.path(key)
	if err != nil {
		return nil, err
	}
	value, err := regular.ReadOwn(path, maxValue)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", key, err)
	}
	return value, nil
}

// Save keeps a value. It is not synced to the disk: what it holds can be asked
// again.
func (s FileStore) Save(key string, value []byte) error {
	path, err := s.path(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("saving %s: %w", key, err)
	}
	if err := regular.Replace(path, value); err != nil {
		return fmt.Errorf("saving %s: %w", key, err)
	}
	s.prune()
	return nil
}

var errKey = errors.New("a key is lower-case letters, digits and dashes")

func (s FileStore) path(key string) (string, error) {
	ok := key != "" && len(key) <= 128
	for i := range len(key) {
		c := key[i]
		ok = ok && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	}
	if !ok {
		return "", fmt.Errorf("%w: %q", errKey, key)
	}
	return filepath.Join(s.Dir, key+".json"), nil
}

// prune removes the oldest files once there are too many, a fifth at a time, and
// what a killed writer left.
func (s FileStore) prune() {
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) <= maxStored {
		return
	}
	type file struct {
		name string
		at   time.Time
	}
	files := make([]file, 0, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && (strings.HasSuffix(e.Name(), ".json") || strings.HasPrefix(e.Name(), ".tmp-")) {
			files = append(files, file{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return a.at.Compare(b.at) })
	for _, f := range files[:max(len(files)-maxStored*4/5, 0)] {
		_ = os.Remove(filepath.Join(s.Dir, f.name)) // another process may have done so
	}
}
