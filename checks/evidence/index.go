package evidence

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"agentguard/hook/regular"
)

// errFallback tells that our own reading does not cover a case; the installed
// git is asked instead.
var errFallback = errors.New("left to git")

// oid is a SHA-1 object id.
type oid [20]byte

// entry is one entry of the index.
type entry struct {
	path                      string
	mode                      uint32
	id                        oid
	ctime, ctimeNsec          uint32
	mtime, mtimeNsec          uint32
	dev, ino, uid, gid, size  uint32
	stage                     uint8
	assumeValid, skipWorktree bool
	intentToAdd               bool
	state                     state
}

// state is what the scan found of an entry's file.
type state uint8

const (
	unseen  state = iota
	same          // as the index says
	gone          // deleted, or something else lies there
	updated       // id and mode are the file's own now
)

// index is a decoded index file.
type index struct {
	entries []entry
	mtime   int64 // of the file, seconds: an entry as young may be racy
	trees   map[string]knownTree
}

// knownTree is what the index remembers of a folder's tree as it stands in it.
type knownTree struct {
	id    oid
	count int // entries below it
}

const (
	modeTree    = 0o040000
	modeFile    = 0o100644
	modeExec    = 0o100755
	modeSymlink = 0o120000
	modeGitlink = 0o160000
	modeType    = 0o170000
)

// maxIndex bounds what is read: some five million files.
const maxIndex = 512 << 20

// readIndex decodes an index of version 2 to 4. A missing one is empty. Split
// and sparse indexes, and required extensions that we do not know, are left to
// git. The trailing checksum is not verified, as git itself does not.
func readIndex(path string) (*index, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &index{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > maxIndex {
		return nil, errFallback
	}
	data := make([]byte, st.Size())
	if _, err := f.ReadAt(data, 0); err != nil && len(data) > 0 {
		return nil, errFallback // changed under us
	}
	idx, err := decodeIndex(data)
	if err != nil {
		return nil, err
	}
	idx.mtime = st.ModTime().Unix()
	return idx, nil
}

func decodeIndex(data []byte) (*index, error) {
	bad := func(what string) error { return fmt.Errorf("index: %s: %w", what, errFallback) }
	if len(data) < 12+20 || string(data[:4]) != "DIRC" {
		return nil, bad("no header")
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 {
		return nil, bad("version")
	}
	end := len(data) - 20
	if count > (end-12)/46 { // no entry is shorter than that
		return nil, bad("count")
	}
	idx := &index{entries: make([]entry, count)}
	// The paths are parts of the data, which nobody writes to any more.
	text := unsafe.String(unsafe.SliceData(data), end) //nolint:gosec // saves a copy of megabytes
	pos := 12
	prev := ""
	for i := range idx.entries {
		e := &idx.entries[i]
		if pos+62 > end {
			return nil, bad("cut short")
		}
		b := data[pos : pos+62]
		u := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
		e.ctime, e.ctimeNsec, e.mtime, e.mtimeNsec = u(0), u(4), u(8), u(12)
		e.dev, e.ino, e.mode, e.uid, e.gid, e.size = u(16), u(20), u(24), u(28), u(32), u(36)
		copy(e.id[:], b[40:60])
		flags := binary.BigEndian.Uint16(b[60:])
		e.assumeValid = flags&0x8000 != 0
		e.stage = uint8(flags >> 12 & 3)
		start := pos
		pos += 62
		if flags&0x4000 != 0 {
			if version < 3 || pos+2 > end {
				return nil, bad("extended flags")
			}
			more := binary.BigEndian.Uint16(data[pos:])
			e.skipWorktree, e.intentToAdd = more&0x4000 != 0, more&0x2000 != 0
			pos += 2
		}
		if version == 4 {
			strip, n := prefixLength(data[pos:end])
			if n == 0 || strip > len(prev) {
				return nil, bad("prefix")
			}
			pos += n
			nul := strings.IndexByte(text[pos:], 0)
			if nul < 0 {
				return nil, bad("name")
			}
			e.path = prev[:len(prev)-strip] + text[pos:pos+nul]
			pos += nul + 1
		} else {
			nul := int(flags & 0xfff)
			if nul == 0xfff {
				nul = strings.IndexByte(text[pos:], 0)
			}
			if nul < 0 || pos+nul >= end || data[pos+nul] != 0 {
				return nil, bad("name")
			}
			e.path = text[pos : pos+nul]
			pos = start + (pos+nul-start+8)&^7
		}
		if e.path == "" || (prev > e.path) || e.mode == modeTree {
			return nil, bad("order or sparse folder")
		}
		prev = e.path
	}
	for pos+8 <= end {
		name := string(data[pos : pos+4])
		size := int(binary.BigEndian.Uint32(data[pos+4:]))
		switch name {
		case "TREE":
			if size >= 0 && pos+8+size <= end {
				idx.trees = knownTrees(data[pos+8 : pos+8+size])
			}
		case "REUC", "UNTR", "FSMN", "EOIE", "IEOT":
		default:
			if name[0] < 'A' || name[0] > 'Z' {
				return nil, bad("extension " + name)
			}
		}
		if size < 0 || pos+8+size > end {
			return nil, bad("extension")
		}
		pos += 8 + size
	}
	return idx, nil
}

// prefixLength reads version 4's variable-length number; n is how many bytes it
// took, 0 when it is broken.
func prefixLength(b []byte) (value, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	value = int(b[0] & 0x7f)
	for n = 1; b[n-1]&0x80 != 0; n++ {
		if n >= len(b) || n > 5 {
			return 0, 0
		}
		value = (value+1)<<7 | int(b[n]&0x7f)
	}
	return value, n
}

// knownTrees decodes the cached trees by folder, "" being the root. A broken
// list is no list.
func knownTrees(b []byte) map[string]knownTree {
	trees := map[string]knownTree{}
	// read returns what is left, or nil when the form is broken.
	var read func(b []byte, parent string, depth int) []byte
	read = func(b []byte, parent string, depth int) []byte {
		nul := bytes.IndexByte(b, 0)
		if nul < 0 || depth > 500 {
			return nil
		}
		path := parent + string(b[:nul])
		b = b[nul+1:]
		line := bytes.IndexByte(b, '\n')
		if line < 0 {
			return nil
		}
		first, second, _ := strings.Cut(string(b[:line]), " ")
		count, err := strconv.Atoi(first)
		subs, err2 := strconv.Atoi(second)
		if err != nil || err2 != nil || subs < 0 {
			return nil
		}
		b = b[line+1:]
		if count >= 0 {
			if len(b) < len(oid{}) {
				return nil
			}
			trees[path] = knownTree{oid(b[:20]), count}
			b = b[20:]
		}
		if path != "" {
			path += "/"
		}
		for range subs {
			if b = read(b, path, depth+1); b == nil {
				return nil
			}
		}
		return slices.Clip(b)
	}
	if rest := read(b, "", 0); rest == nil || len(rest) > 0 {
		return nil
	}
	return trees
}
