package evidence

import (
	"context"
	"fmt"
	"strings"
)

// FileStatus is one path that is not clean, in the letters of
// "git status --porcelain": X is the index against HEAD, Y the file against the
// index; '.' is unchanged, '?' untracked, 'U' in conflict.
type FileStatus struct {
	Path string
	X, Y byte
}

// Status lists what is not clean. Submodules count by their commit, not by what
// lies changed inside them.
type Status struct {
	Files []FileStatus
}

// Clean tells that nothing is staged, changed or untracked.
func (s Status) Clean() bool { return len(s.Files) == 0 }

// Of returns the paths for which keep is true.
func (s Status) Of(keep func(FileStatus) bool) []string {
	var paths []string
	for _, f := range s.Files {
		if keep(f) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Staged are the paths whose index entry differs from HEAD.
func (s Status) Staged() []string {
	return s.Of(func(f FileStatus) bool { return f.X != '.' && f.X != '?' })
}

// Modified are the tracked paths whose file differs from the index.
func (s Status) Modified() []string {
	return s.Of(func(f FileStatus) bool { return f.Y != '.' && f.Y != '?' })
}

// Untracked are the files that are neither in the index nor ignored.
func (s Status) Untracked() []string {
	return s.Of(func(f FileStatus) bool { return f.X == '?' })
}

// Status reads what is not clean.
func (r *Repo) Status(ctx context.Context) (Status, error) {
	var s Status
	if r.root == "" {
		return s, ErrNoWorktree
	}
	out, err := r.statusOutput(ctx)
	if err != nil {
		return s, err
	}
	return parseStatus(records(out))
}

// parseStatus reads the records of "git status --porcelain=v2".
func parseStatus(recs []string) (Status, error) {
	var s Status
	for _, rec := range recs {
		f := FileStatus{X: '?', Y: '?'}
		var n int
		switch rec[0] {
		case '?':
			n = 1
		case '1':
			n = 8
		case 'u':
			n = 10
		default:
			return s, fmt.Errorf("reading git status: %w", ErrUnknown)
		}
		parts := strings.SplitN(rec, " ", n+1)
		if len(parts) != n+1 {
			return s, fmt.Errorf("reading git status: %w", ErrUnknown)
		}
		f.Path = parts[n]
		if rec[0] != '?' {
			f.X, f.Y = parts[1][0], parts[1][1]
		}
		if rec[0] == 'u' {
			f.X, f.Y = 'U', 'U'
		}
		s.Files = append(s.Files, f)
	}
	return s, nil
}

// statusOutput refuses where a changed file would need a filter of the
// repository: git would compare it wrongly without.
func (r *Repo) statusOutput(ctx context.Context, more ...string) ([]byte, error) {
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	var changed []string
	if len(s.filters.drivers) > 0 {
		if changed, _, err = r.trackedChanges(ctx, nil); err != nil {
			return nil, err
		}
	}
	args := []string{"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"}
	return r.guarded(ctx, nil, nil, changed, append(args, more...)...)
}

// Dirty tells whether anything is staged, changed or untracked.
func (r *Repo) Dirty(ctx context.Context) (bool, error) {
	s, err := r.Status(ctx)
	return !s.Clean(), err
}

// Ignored tells which of the paths, relative to the root, an ignore rule matches.
// Tracked ones are never ignored.
func (r *Repo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	if r.root == "" {
		return nil, ErrNoWorktree
	}
	if len(paths) == 0 {
		return map[string]bool{}, nil
	}
	// check-ignore knows no literal names; "./" keeps a leading colon one.
	in := []byte("./" + strings.Join(paths, "\x00./") + "\x00")
	out, err := r.runWith(ctx, []string{"GIT_LITERAL_PATHSPECS=0"}, in, "check-ignore", "-z", "--stdin")
	if err != nil && exitCode(err) != 1 {
		return nil, err
	}
	ignored := map[string]bool{}
	for _, p := range records(out) {
		ignored[strings.TrimPrefix(p, "./")] = true
	}
	return ignored, nil
}

// PathState is what git knows of one path.
type PathState struct {
	Inside    bool // the path lies in the working tree; all else is false otherwise
	Tracked   bool // the path, or something below it, is in the index
	Modified  bool // a tracked file at or below it differs from HEAD or the index
	Untracked bool // it is, or holds, an untracked file that is not ignored
	Ignored   bool // an ignore rule matches it
}

// PathStatus asks for one path, a file or a folder; absolute or relative to the
// root.
func (r *Repo) PathStatus(ctx context.Context, path string) (PathState, error) {
	var p PathState
	rel, ok := r.rel(path)
	if !ok {
		return p, nil
	}
	p.Inside = true
	out, err := r.guarded(ctx, nil, nil, nil, "status", "--porcelain=v2", "-z", "--no-renames",
		"--untracked-files=all", "--ignore-submodules=dirty", "--", rel)
	if err != nil {
		return p, err
	}
	for _, rec := range records(out) {
		if rec[0] == '?' {
			p.Untracked = true
		} else {
			p.Modified = true
		}
	}
	out, err = r.run(ctx, "ls-files", "-z", "--", rel)
	if err != nil {
		return p, err
	}
	p.Tracked = len(out) > 0
	// check-ignore knows no literal names; "./" keeps a leading colon one.
	_, err = r.runWith(ctx, []string{"GIT_LITERAL_PATHSPECS=0"}, nil, "check-ignore", "-q", "--", "./"+rel)
	switch exitCode(err) {
	case 1:
		err = nil
	default:
		p.Ignored = err == nil
	}
	return p, err
}
