package evidence

import (
	"context"
	"fmt"
	"slices"
)

// Difference is one path in which two snapshots differ.
type Difference struct {
	Path string
	// Scratch tells an untracked file that only one of the two has: whether it
	// matters, the tree cannot tell.
	Scratch bool
	Gone    bool // the second snapshot does not have it
}

// Differs lists the paths in which two snapshots of the repository differ.
// ErrUnknown: they differ, but not all paths were recorded.
func (r *Repo) Differs(ctx context.Context, a, b Snapshot) ([]Difference, error) {
	if a.Tree == b.Tree {
		return nil, nil
	}
	if a.Cut || b.Cut {
		return nil, fmt.Errorf("comparing trees: %w", ErrUnknown)
	}
	type pair struct{ old, new PathBlob }
	base := map[string]pair{}
	if a.Head != b.Head {
		if a.Head == "" || b.Head == "" {
			return r.differsFromNothing(ctx, a, b)
		}
		out, err := r.run(ctx, "diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", "--end-of-options", a.Head, b.Head)
		if err != nil {
			return nil, err
		}
		olds, news, err := parseRawPairs(out)
		if err != nil {
			return nil, err
		}
		for i := range olds {
			base[olds[i].Path] = pair{olds[i], news[i]}
		}
	}
	left, right := byPath(a.Changed), byPath(b.Changed)
	paths := map[string]bool{}
	for p := range base {
		paths[p] = true
	}
	for p := range left {
		paths[p] = true
	}
	for p := range right {
		paths[p] = true
	}
	var list []Difference
	for p := range paths {
		l, inLeft := left[p]
		n, inRight := right[p]
		b, moved := base[p]
		if moved {
			if !inLeft {
				l = b.old
			}
			if !inRight {
				n = b.new
			}
		}
		if (moved || inLeft && inRight) && l.Blob == n.Blob && l.Mode == n.Mode {
			continue
		}
		scratch := (inLeft && l.Untracked && (!inRight || n.Blob == "")) || (inRight && n.Untracked && (!inLeft || l.Blob == ""))
		list = append(list, Difference{Path: p, Scratch: scratch, Gone: n.Blob == ""})
	}
	slices.SortFunc(list, func(x, y Difference) int {
		if x.Path < y.Path {
			return -1
		}
		return 1
	})
	return list, nil
}

// differsFromNothing compares across the first commit: a snapshot of an unborn
// branch lists every file it had.
func (r *Repo) differsFromNothing(ctx context.Context, a, b Snapshot) ([]Difference, error) {
	expand := func(s Snapshot) (Snapshot, error) {
		if s.Head == "" {
			return s, nil
		}
		out, err := r.run(ctx, "ls-tree", "-r", "-z", s.Head)
		if err != nil {
			return s, err
		}
		files := map[string]PathBlob{}
		for _, rec := range records(out) {
			var p PathBlob
			var kind string
			tab := slices.Index([]byte(rec), '\t')
			if n, err := fmt.Sscanf(rec, "%s %s %s", &p.Mode, &kind, &p.Blob); n != 3 || err != nil || tab < 0 {
				return s, fmt.Errorf("reading git ls-tree: %w", ErrUnknown)
			}
			p.Path = rec[tab+1:]
			files[p.Path] = p
		}
		for _, p := range s.Changed {
			if p.Blob == "" {
				delete(files, p.Path)
			} else {
				files[p.Path] = p
			}
		}
		s.Head, s.Changed = "", nil
		for _, p := range files {
			s.Changed = append(s.Changed, p)
		}
		return s, nil
	}
	a, err := expand(a)
	if err != nil {
		return nil, err
	}
	if b, err = expand(b); err != nil {
		return nil, err
	}
	return r.Differs(ctx, a, b)
}

func byPath(list []PathBlob) map[string]PathBlob {
	m := make(map[string]PathBlob, len(list))
	for _, p := range list {
		m[p.Path] = p
	}
	return m
}

// Mismatch lists the paths whose staged content is not what lies in the working
// tree, so that a run on the tree says nothing of it.
func (s Snapshot) Mismatch(staged []PathBlob) ([]string, error) {
	if s.Cut {
		return nil, fmt.Errorf("comparing staged files: %w", ErrUnknown)
	}
	now := byPath(s.Changed)
	var paths []string
	for _, p := range staged {
		if f, ok := now[p.Path]; !ok || f.Blob != p.Blob || f.Mode != p.Mode {
			paths = append(paths, p.Path)
		}
	}
	return paths, nil
}
