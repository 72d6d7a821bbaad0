package evidence

import (
	"sort"
	"strings"
)

// leaf is one path of a tree to be.
type leaf struct {
	path string
	mode uint32
	id   oid
}

// treeBuilder computes tree ids. Folders in which nothing changed keep the id
// that the index remembers.
type treeBuilder struct {
	known   map[string]knownTree
	touched map[string]bool // folders in which something changed
}

// touch marks the folders above a path.
func (t *treeBuilder) touch(path string) {
	if t.touched == nil {
		t.touched = map[string]bool{}
	}
	for {
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			t.touched[""] = true
			return
		}
		path = path[:i]
		if t.touched[path] {
			return
		}
		t.touched[path] = true
	}
}

// id computes the id of the tree that holds the leaves, which are sorted by path.
func (t *treeBuilder) id(leaves []leaf) oid {
	if k, ok := t.remembered("", leaves); ok {
		return k
	}
	id, _ := t.folder(leaves, 0, nil)
	return id
}

func (t *treeBuilder) remembered(path string, leaves []leaf) (oid, bool) {
	k, ok := t.known[path]
	return k.id, ok && k.count == len(leaves) && !t.touched[path]
}

// folder computes one folder's id. skip is the length of its path with the
// slash; ok is false for a folder without content. buf is scratch space behind
// its length.
func (t *treeBuilder) folder(leaves []leaf, skip int, buf []byte) (id oid, ok bool) {
	content := buf[len(buf):]
	for i := 0; i < len(leaves); {
		l := &leaves[i]
		name := l.path[skip:]
		slash := strings.IndexByte(name, '/')
		if slash < 0 {
			content = appendMode(content, l.mode)
			content = append(content, name...)
			content = append(content, 0)
			content = append(content, l.id[:]...)
			i++
			continue
		}
		prefix := l.path[:skip+slash+1]
		n := sort.Search(len(leaves)-i, func(k int) bool { return !strings.HasPrefix(leaves[i+k].path, prefix) })
		sub, ok := t.remembered(prefix[:len(prefix)-1], leaves[i:i+n])
		if !ok {
			sub, ok = t.folder(leaves[i:i+n], skip+slash+1, content)
		}
		if ok {
			content = append(content, "40000 "...)
			content = append(content, name[:slash]...)
			content = append(content, 0)
			content = append(content, sub[:]...)
		}
		i += n
	}
	return hashObject("tree", content), len(content) > 0
}

func appendMode(b []byte, mode uint32) []byte {
	switch mode {
	case modeFile:
		return append(b, "100644 "...)
	case modeExec:
		return append(b, "100755 "...)
	case modeSymlink:
		return append(b, "120000 "...)
	case modeGitlink:
		return append(b, "160000 "...)
	}
	start := len(b)
	for ; mode > 0; mode >>= 3 {
		b = append(b, byte('0'+mode&7))
	}
	for i, j := start, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return append(b, ' ')
}

// tracked lists what the index, brought up to the files, would hold.
func (s *scanner) tracked(t *treeBuilder) []leaf {
	list := make([]leaf, 0, len(s.idx.entries))
	for i := range s.idx.entries {
		e := &s.idx.entries[i]
		if e.state != same || e.intentToAdd {
			t.touch(e.path)
			if e.state != updated {
				continue
			}
		}
		list = append(list, leaf{e.path, e.mode, e.id})
	}
	return list
}

// merged adds the untracked files to the tracked leaves.
func (s *scanner) merged(t *treeBuilder, tracked []leaf) []leaf {
	list := make([]leaf, 0, len(tracked)+len(s.untracked))
	i := 0
	for _, n := range s.untracked {
		t.touch(n.path)
		for i < len(tracked) && tracked[i].path < n.path {
			list = append(list, tracked[i])
			i++
		}
		list = append(list, leaf{n.path, n.mode, n.id})
	}
	return append(list, tracked[i:]...)
}

// staged is the tree of the index as it is; ok is false while it has conflicts.
func (idx *index) staged() (oid, bool) {
	list := make([]leaf, 0, len(idx.entries))
	for i := range idx.entries {
		e := &idx.entries[i]
		if e.stage != 0 {
			return oid{}, false
		}
		if !e.intentToAdd {
			list = append(list, leaf{e.path, e.mode, e.id})
		}
	}
	return (&treeBuilder{known: idx.trees}).id(list), true
}
