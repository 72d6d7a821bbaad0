package evidence

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// snapshot reads the tree ourselves where we can, else by git.
func (r *Repo) snapshot(ctx context.Context, withChanges bool) (Snapshot, error) {
	if r.root == "" {
		return Snapshot{}, ErrNoWorktree
	}
	s, err := r.ownSnapshot(ctx, withChanges)
	if errors.Is(err, errFallback) {
		s, err = r.snapshotByGit(ctx, withChanges)
	}
	if err != nil && !errors.Is(err, ErrUnknown) {
		r.note(err)
	}
	return s, err
}

// ownSnapshot computes a snapshot with no more of git than its configuration
// and HEAD. errFallback: the tree needs what only git does.
func (r *Repo) ownSnapshot(ctx context.Context, withChanges bool) (Snapshot, error) {
	var snap Snapshot
	if !canScan || r.hash != "sha1" {
		return snap, errFallback
	}
	head := async(func() (headState, error) { return r.headState(ctx, withChanges) })
	defer func() { _, _ = head() }() // leaves no process behind
	read := async(func() (*index, error) { return readIndex(filepath.Join(r.gitDir, "index")) })
	set, setErr := r.settings()
	idx, err := read()
	if err = errors.Join(setErr, err); err != nil {
		return snap, err
	}
	staged := ""
	if withChanges {
		id, ok := idx.staged()
		if !ok {
			return snap, errFallback // a conflict has several sides
		}
		staged = id.String()
	}
	conf, err := r.treeConfig(set)
	if err != nil {
		return snap, err
	}
	s, err := scan(ctx, r.root, idx, conf)
	if err != nil {
		return snap, err
	}
	was, err := s.resolve(r, set)
	if err != nil {
		return snap, err
	}
	build := &treeBuilder{known: idx.trees}
	tracked := s.tracked(build)
	snap.Tracked = build.id(tracked).String()
	snap.Tree = snap.Tracked
	if len(s.untracked) > 0 {
		snap.Tree = build.id(s.merged(build, tracked)).String()
	}
	if !withChanges {
		return snap, nil
	}
	at, err := head()
	if unasked(err) {
		// The ids stand by themselves: an equal one still proves an equal tree.
		snap.Cut = true
		return snap, nil
	}
	if err != nil {
		return snap, err
	}
	snap.Head = at.id
	var olds, news []PathBlob
	if at.tree != staged {
		if olds, news, err = r.stagedChanges(ctx, at.id); err != nil {
			if unasked(err) {
				snap.Cut, err = true, nil
			}
			return snap, err
		}
	}
	snap.Changed = s.changes(was, olds, news)
	if len(snap.Changed) > MaxChanged {
		snap.Changed, snap.Cut = snap.Changed[:MaxChanged], true
	}
	return snap, nil
}

// async starts f and returns the function that waits for its answer.
func async[T any](f func() (T, error)) func() (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		v, err := f()
		done <- answer{v, err}
	}()
	return sync.OnceValues(func() (T, error) { a := <-done; return a.value, a.err })
}

// headState is the commit of HEAD and its tree; on an unborn branch an empty id
// and the empty tree.
type headState struct{ id, tree string }

func (r *Repo) headState(ctx context.Context, wanted bool) (headState, error) {
	if !wanted {
		return headState{}, nil
	}
	out, err := r.line(ctx, "rev-parse", "-q", "HEAD^{commit}", "HEAD^{tree}", "--")
	if err == nil {
		id, tree, _ := strings.Cut(strings.TrimSuffix(out, "\n--"), "\n")
		if len(id) != 40 || len(tree) != 40 {
			return headState{}, fmt.Errorf("reading HEAD: %w", ErrUnknown)
		}
		return headState{id, tree}, nil
	}
	h, headErr := r.Head(ctx)
	if headErr != nil || !h.Unborn {
		return headState{}, fmt.Errorf("reading HEAD: %w", err)
	}
	return headState{tree: hashObject("tree", nil).String()}, nil
}

// blobMode is a content with its mode.
type blobMode struct {
	id   oid
	mode uint32
}

// resolve hashes what needs it and returns what the index said of those.
func (s *scanner) resolve(r *Repo, set *settings) (map[int32]blobMode, error) {
	for i := range s.idx.entries {
		e := &s.idx.entries[i]
		if e.skipWorktree && path.Base(e.path) == ".gitignore" {
			return nil, errFallback // git reads it from the index
		}
	}
	if len(s.links) > 0 && ignoresSubmodules(s.root) {
		return nil, errFallback
	}
	was := make(map[int32]blobMode, len(s.dirty)+len(s.links))
	for _, l := range s.links {
		e := &s.idx.entries[l.entry]
		was[l.entry] = blobMode{e.id, e.mode}
		e.id = l.id
	}
	if len(s.dirty)+len(s.untracked) == 0 {
		return was, nil
	}
	files, err := r.attributeFiles(set)
	if err != nil {
		return nil, err
	}
	conv, err := s.attributes(files)
	if err != nil {
		return nil, err
	}
	conv.lineEnds = conv.lineEnds || set.on("core.autocrlf", false)
	for _, i := range s.dirty {
		e := &s.idx.entries[i]
		was[i] = blobMode{e.id, e.mode}
	}
	return was, s.hashAll(conv)
}

// changes lists the paths that differ from HEAD: those of the index, from olds
// to news, and over them what the files differ from it.
func (s *scanner) changes(was map[int32]blobMode, olds, news []PathBlob) []PathBlob {
	over := byPath(news)
	for i := range s.idx.entries {
		e := &s.idx.entries[i]
		switch e.state {
		case gone:
			over[e.path] = PathBlob{Path: e.path}
		case updated:
			if w := was[int32(i)]; w.id != e.id || w.mode != e.mode || e.intentToAdd {
				over[e.path] = PathBlob{Path: e.path, Mode: octal(e.mode), Blob: e.id.String()}
			}
		case unseen, same:
		}
	}
	for _, n := range s.untracked {
		over[n.path] = PathBlob{Path: n.path, Mode: octal(n.mode), Blob: n.id.String(), Untracked: true}
	}
	// A file may have been brought back to what HEAD has, or a new one taken away.
	for _, old := range olds {
		if p := over[old.Path]; p.Blob == old.Blob && p.Mode == old.Mode {
			delete(over, old.Path)
		}
	}
	var list []PathBlob
	for _, p := range over {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b PathBlob) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func octal(mode uint32) string {
	b := appendMode(nil, mode)
	return string(b[:len(b)-1])
}
