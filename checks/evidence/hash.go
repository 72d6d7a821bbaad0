package evidence

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's object ids are SHA-1
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
)

// emptyBlob is the id of a file without content.
var emptyBlob = oid{0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b, 0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2, 0xe4, 0x8c, 0x53, 0x91}

func (id oid) String() string { return hex.EncodeToString(id[:]) }

// conversions are what may happen to a file's content before git stores it.
type conversions struct {
	lineEnds bool       // where the content has a carriage return
	ident    bool       // where the content has $Id
	filters  []attrRule // where one of these matches
	glob     glob
}

// hashFile gives the id that git would store the file under, or errFallback
// where a conversion would change its content.
func (c *conversions) hashFile(root, path string, st fileStat, buf []byte) (oid, error) {
	full := root + "/" + path
	if st.kind() == kindLink {
		target, err := os.Readlink(full)
		if err != nil {
			return oid{}, errFallback
		}
		return hashObject("blob", []byte(target)), nil
	}
	if c.filtered(path) {
		return oid{}, errFallback
	}
	f, err := os.OpenFile(full, openFlags, 0)
	if err != nil {
		return oid{}, errFallback // unreadable: git add fails, too, and says why
	}
	defer func() { _ = f.Close() }()
	now, err := f.Stat()
	if err != nil || !now.Mode().IsRegular() {
		return oid{}, errFallback
	}
	h := startObject("blob", now.Size())
	var total int64
	carry := 0 // "$I" and "d" may fall into two reads
	for {
		n, err := f.Read(buf[carry:])
		chunk := buf[:carry+n]
		if n > 0 {
			if c.lineEnds && bytes.IndexByte(chunk[carry:], '\r') >= 0 || c.ident && bytes.Contains(chunk, []byte("$Id")) {
				return oid{}, errFallback
			}
			_, _ = h.Write(chunk[carry:])
			total += int64(n)
			if c.ident {
				carry = copy(buf, chunk[max(0, len(chunk)-2):])
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return oid{}, errFallback
		}
	}
	if total != now.Size() {
		return oid{}, errFallback // changed while it was read
	}
	return sumObject(h), nil
}

func startObject(kind string, size int64) hash.Hash {
	h := sha1.New() //nolint:gosec // see above
	head := append(make([]byte, 0, 32), kind...)
	head = append(head, ' ')
	head = strconv.AppendInt(head, size, 10)
	_, _ = h.Write(append(head, 0))
	return h
}

func sumObject(h hash.Hash) (id oid) {
	h.Sum(id[:0])
	return id
}

func hashObject(kind string, content []byte) oid {
	h := startObject(kind, int64(len(content)))
	_, _ = h.Write(content)
	return sumObject(h)
}

// hashAll hashes what the scan found changed and new, several at a time.
func (s *scanner) hashAll(conv conversions) error {
	total := len(s.dirty) + len(s.untracked)
	if total == 0 {
		return nil
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := 0
	for range min(max(runtime.GOMAXPROCS(0), 1), 4) {
		wg.Go(func() {
			conv := conv // its matcher counts its own steps
			buf := make([]byte, 64<<10)
			for {
				mu.Lock()
				from := next
				next += 8
				stop := failed != nil || from >= total || s.ctx.Err() != nil
				mu.Unlock()
				if stop {
					return
				}
				for i := from; i < min(from+8, total); i++ {
					if err := s.hashOne(&conv, i, buf); err != nil {
						mu.Lock()
						failed = err
						mu.Unlock()
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if failed == nil {
		failed = s.ctx.Err()
	}
	return failed
}

func (s *scanner) hashOne(conv *conversions, i int, buf []byte) error {
	if i < len(s.dirty) {
		e := &s.idx.entries[s.dirty[i]]
		st, err := lstat(s.root, e.path)
		if err != nil {
			return err
		}
		id, err := conv.hashFile(s.root, e.path, st, buf)
		if err != nil {
			return err
		}
		e.id, e.mode = id, s.conf.modeOf(st, e.mode)
		return nil
	}
	n := &s.untracked[i-len(s.dirty)]
	if n.mode == modeGitlink {
		return nil
	}
	id, err := conv.hashFile(s.root, n.path, n.stat, buf)
	n.id, n.mode = id, s.conf.modeOf(n.stat, 0)
	return err
}

// modeOf is the mode git gives a file; old is the one in the index, which
// stands where the file system cannot tell.
func (c treeConfig) modeOf(st fileStat, old uint32) uint32 {
	if st.kind() == kindLink {
		return modeSymlink
	}
	if !c.symlinks && old&modeType == modeSymlink {
		return old
	}
	if !c.fileMode {
		if old&modeType == 0o100000 {
			return old
		}
		return modeFile
	}
	if st.exec {
		return modeExec
	}
	return modeFile
}
