package evidence

import (
	"context"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
)

// scanner compares a working tree with its index, without writing and without
// running anything. Every folder is read once, several at a time.
type scanner struct {
	ctx  context.Context //nolint:containedctx // lives as long as one scan
	root string
	idx  *index
	conf treeConfig

	mu        sync.Mutex
	wake      *sync.Cond
	stack     []folder
	busy      int
	err       error
	dirty     []int32 // entries to hash
	untracked []newFile
	links     []link
	rules     []string // paths of .gitattributes that are not in the index
}

// treeConfig is the configuration that decides what a file counts for.
type treeConfig struct {
	fileMode, symlinks, trustCtime bool
	minimalStat                    bool
	outer                          *ignores // global excludes, then info/exclude
}

// newFile is an untracked file.
type newFile struct {
	path string
	stat fileStat
	mode uint32
	id   oid
}

// folder is one folder to read, with the index entries below it.
type folder struct {
	path     string // "" or "dir/sub/"
	from, to int    // entries
	ignores  *ignores
	excluded bool // untracked files in it do not count
	within   bool // the folder around it is excluded
}

func scan(ctx context.Context, root string, idx *index, conf treeConfig) (*scanner, error) {
	s := &scanner{ctx: ctx, root: root, idx: idx, conf: conf}
	s.wake = sync.NewCond(&s.mu)
	s.stack = []folder{{to: len(idx.entries), ignores: conf.outer}}
	workers := min(max(runtime.GOMAXPROCS(0), 2), 8)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := newWorker(s)
			w.run()
		})
	}
	wg.Wait()
	slices.Sort(s.dirty)
	slices.SortFunc(s.untracked, func(a, b newFile) int { return strings.Compare(a.path, b.path) })
	return s, s.err
}

// worker reads folders. Its buffers are its own.
type worker struct {
	*scanner
	glob      glob
	buf       []byte
	names     []dirName
	list      []child
	tracked   map[string]bool
	dirtyHere []int32
	newHere   []newFile
	subs      []folder
}

// ignoreName is the file of a folder's ignore rules.
const ignoreName = ".gitignore"

// dirName is one name in a folder.
type dirName struct {
	name string
	kind nameKind
}

type nameKind uint8

const (
	kindUnknown nameKind = iota
	kindFile
	kindDir
	kindLink
	kindOther
)

func newWorker(s *scanner) *worker {
	return &worker{scanner: s, tracked: map[string]bool{}, buf: make([]byte, 32<<10)}
}

func (w *worker) run() {
	for {
		f, ok := w.next()
		if !ok {
			break
		}
		err := w.ctx.Err()
		if err == nil {
			err = w.read(f)
		}
		w.done(err)
	}
	w.mu.Lock()
	w.dirty = append(w.dirty, w.dirtyHere...)
	w.untracked = append(w.untracked, w.newHere...)
	w.mu.Unlock()
}

func (w *worker) next() (folder, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.stack) == 0 && w.busy > 0 && w.err == nil {
		w.wake.Wait()
	}
	if len(w.stack) == 0 || w.err != nil {
		w.wake.Broadcast()
		return folder{}, false
	}
	f := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.busy++
	return f, true
}

func (w *worker) done(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	if err != nil && w.scanner.err == nil {
		w.scanner.err = err
	}
	w.stack = append(w.stack, w.subs...)
	w.subs = w.subs[:0]
	w.wake.Broadcast()
}

// child is one name below a folder that the index knows: a file with its
// entries (several in a conflict), or a folder.
type child struct {
	name     string
	from, to int
	dir      bool
}

// children groups the entries of a folder by their next name.
func (w *worker) children(f folder, list []child) []child {
	es := w.idx.entries
	skip := len(f.path)
	for i := f.from; i < f.to; {
		rest := es[i].path[skip:]
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			j := i + 1
			for j < f.to && es[j].path == es[i].path {
				j++
			}
			list = append(list, child{rest, i, j, false})
			i = j
			continue
		}
		prefix := es[i].path[:skip+slash+1]
		j := i + sort.Search(f.to-i, func(k int) bool { return !strings.HasPrefix(es[i+k].path, prefix) })
		list = append(list, child{rest[:slash], i, j, true})
		i = j
	}
	return list
}

func (w *worker) read(f folder) error {
	d, err := openFolder(w.root, f.path)
	if err != nil {
		return err
	}
	if d == nil { // not there, or no folder any more
		if w.lost(f.from, f.to) {
			return errFallback // a file in its place would push them out
		}
		return w.instead(f)
	}
	defer d.close()
	w.list = w.children(f, w.list[:0])
	list := w.list
	w.names = w.names[:0]
	if !f.excluded {
		clear(w.tracked)
		for i := range list {
			w.tracked[list[i].name] = true
		}
		var ignore bool
		if w.names, ignore, err = d.names(w.buf, w.tracked, w.names); err != nil {
			return err
		}
		if ignore {
			if f.ignores, err = w.ownIgnores(d, f); err != nil {
				return err
			}
		}
	}
	for i := range list {
		if c := &list[i]; !c.dir {
			if err := w.file(d, f, c); err != nil {
				return err
			}
		}
	}
	for i := range list {
		c := &list[i]
		if !c.dir {
			continue
		}
		w.subs = append(w.subs, folder{
			path: f.path + c.name + "/", from: c.from, to: c.to, ignores: f.ignores, within: f.excluded,
			excluded: f.excluded || f.ignores.excluded(&w.glob, f.path+c.name, true),
		})
	}
	for _, n := range w.names {
		if err := w.stranger(d, f, n); err != nil {
			return err
		}
	}
	if w.glob.exhausted {
		return errFallback
	}
	return nil
}

// ownIgnores adds the folder's .gitignore, unless it is a link, which git does
// not follow.
func (w *worker) ownIgnores(d *dirHandle, f folder) (*ignores, error) {
	st, err := d.stat(ignoreName)
	if err != nil || st.kind() != kindFile {
		return f.ignores, err
	}
	if st.size > maxIgnoreFile {
		return nil, errFallback
	}
	text, err := d.readFile(ignoreName, maxIgnoreFile)
	if err != nil {
		return nil, errFallback
	}
	file := parseIgnore(f.path, string(text), false)
	if len(file.patterns) == 0 {
		return f.ignores, nil
	}
	return &ignores{file, f.ignores}, nil
}

// file compares one tracked name.
func (w *worker) file(d *dirHandle, f folder, c *child) error {
	e := &w.idx.entries[c.from]
	if c.to-c.from == 1 && e.stage == 0 && (e.assumeValid || e.skipWorktree) {
		if st, err := d.stat(c.name); err != nil || st.kind() == kindDir {
			return errFallback // new files below it would push it out
		}
		e.state = same
		return nil
	}
	if e.mode&modeType == modeGitlink {
		return w.gitlink(d, c)
	}
	st, err := d.stat(c.name)
	if err != nil {
		return err
	}
	switch st.kind() {
	case kindUnknown, kindOther:
		// git add refuses a pipe or socket in a tracked file's place.
		if st.kind() == kindOther {
			return errFallback
		}
		w.lost(c.from, c.to)
		return nil
	case kindDir:
		if st, err := d.stat(c.name + "/.git"); err != nil || st.kind() != kindUnknown {
			return errFallback // git takes the file for one that became a link
		}
		w.lost(c.from, c.to)
		return w.strangeFolder(d, f, c.name)
	case kindFile, kindLink:
	}
	if c.to-c.from > 1 || e.stage != 0 || e.intentToAdd || !w.unchanged(e, st) {
		for i := c.from + 1; i < c.to; i++ {
			w.idx.entries[i].state = gone
		}
		e.state = updated
		w.dirtyHere = append(w.dirtyHere, int32(c.from))
		return nil
	}
	e.state = same
	return nil
}

// lost marks entries as deleted, but for those that git takes on trust; kept
// tells that there are such.
func (w *worker) lost(from, to int) (kept bool) {
	for i := from; i < to; i++ {
		e := &w.idx.entries[i]
		e.state = gone
		if e.stage == 0 && (e.assumeValid || e.skipWorktree) {
			e.state = same
			kept = true
		}
	}
	return kept
}

// unchanged is git's comparison of an entry with a file's status: whole seconds,
// and a racy entry counts as changed until its content was read.
func (w *worker) unchanged(e *entry, st fileStat) bool {
	switch e.mode & modeType {
	case modeSymlink:
		if st.kind() != kindLink && (w.conf.symlinks || st.kind() != kindFile) {
			return false
		}
	default:
		if st.kind() != kindFile || (w.conf.fileMode && (e.mode&0o100 != 0) != st.exec) {
			return false
		}
	}
	if e.size == 0 && e.id != emptyBlob {
		return false // git writes no size where it knew the entry to be racy
	}
	if e.mtime != st.mtime || e.size != uint32(st.size) {
		return false
	}
	if w.conf.trustCtime && !w.conf.minimalStat && e.ctime != st.ctime {
		return false
	}
	if !w.conf.minimalStat && (e.uid != st.uid || e.gid != st.gid || e.ino != st.ino) {
		return false
	}
	return int64(e.mtime) < w.idx.mtime
}

// stranger deals with a name that the index does not know.
func (w *worker) stranger(d *dirHandle, f folder, n dirName) error {
	if n.name == ".git" {
		return nil
	}
	if dangerousName(n.name) {
		return errFallback
	}
	if n.kind == kindUnknown {
		st, err := d.stat(n.name)
		if err != nil {
			return err
		}
		n.kind = st.kind()
	}
	switch n.kind {
	case kindDir:
		return w.strangeFolder(d, f, n.name)
	case kindFile, kindLink:
		if f.ignores.excluded(&w.glob, f.path+n.name, false) {
			return nil
		}
		st, err := d.stat(n.name)
		if err != nil {
			return err
		}
		if st.kind() == kindUnknown {
			return nil // gone meanwhile
		}
		w.addNew(f.path+n.name, st)
	case kindUnknown, kindOther: // gone meanwhile, or nothing that git tracks
	}
	return nil
}

// instead adds a file that stands where the index has a folder.
func (w *worker) instead(f folder) error {
	if f.within || f.path == "" || f.from == f.to {
		return nil
	}
	parent, name := path.Split(strings.TrimSuffix(f.path, "/"))
	d, err := openFolder(w.root, parent)
	if err != nil || d == nil {
		return err
	}
	defer d.close()
	st, err := d.stat(name)
	if err != nil {
		return err
	}
	if (st.kind() == kindFile || st.kind() == kindLink) && !f.ignores.excluded(&w.glob, parent+name, false) {
		w.addNew(parent+name, st)
	}
	return nil
}

func (w *worker) addNew(p string, st fileStat) {
	w.newHere = append(w.newHere, newFile{path: p, stat: st})
	if path.Base(p) == ".gitattributes" {
		w.mu.Lock()
		w.rules = append(w.rules, p)
		w.mu.Unlock()
	}
}

// strangeFolder enters a folder without tracked files. One that is a repository
// of its own becomes a link to its commit.
func (w *worker) strangeFolder(d *dirHandle, f folder, name string) error {
	if f.excluded || f.ignores.excluded(&w.glob, f.path+name, true) {
		return nil
	}
	st, err := d.stat(name + "/.git")
	if err != nil {
		return err
	}
	if st.kind() != kindUnknown {
		id, _, resolved, err := linked(filepath.Join(w.root, filepath.FromSlash(f.path+name)))
		if err != nil || !resolved {
			return errFallback // git add fails on it, or walks in
		}
		w.newHere = append(w.newHere, newFile{path: f.path + name, mode: modeGitlink, id: id})
		return nil
	}
	w.subs = append(w.subs, folder{path: f.path + name + "/", ignores: f.ignores})
	return nil
}

// dangerousName tells names that git may refuse to add, because some file system
// takes them for .git.
func dangerousName(name string) bool {
	if len(name) < 4 {
		return false
	}
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "git~") {
		return true
	}
	if lower[0] != '.' && lower[0] < 0x80 {
		return false
	}
	if strings.HasPrefix(lower, ".git") {
		rest := lower[4:]
		return rest == "" || strings.Trim(rest, " .") == "" || strings.ContainsAny(rest, ":\\")
	}
	// HFS+ ignores some code points: any name that is .git without them.
	plain := strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return -1
		}
		return r
	}, lower)
	return plain == ".git"
}
