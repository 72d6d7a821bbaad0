package installer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentguard/settings"
)

// Apply makes the changes. The install record is written first, so that a run
// that is killed half-way can be undone. A file that another program changed
// since the plan was made is changed on from what it holds now. When one file
// cannot be written, those before it are put back and the error says which.
//
// An undo also removes the folders that the install made, if they are empty, and
// the record.
func (p Plan) Apply(ctx context.Context, now time.Time) error {
	if p.Empty() && !p.undo {
		return nil
	}
	path := p.req.recordPath()
	w := settings.Writer{LockDir: filepath.Join(p.req.StateDir, "locks")}
	unlock, err := w.Lock(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	if p.Changes, err = current(p.Changes); err != nil {
		return err
	}
	old := readRecord(path)
	if !p.undo {
		p.begin(old, now)
		for _, c := range p.Changes {
			snap := settings.Snapshot{Path: c.Path, Exists: c.Existed, Bytes: c.Before}
			if err := p.note(c, snap, c.After, missingDirs(filepath.Dir(c.Path))); err != nil {
				return err
			}
		}
		if err := writeRecord(path, p.record); err != nil {
			return err
		}
	}
	var made []string
	for i, c := range p.Changes {
		w.Mode = c.Mode
		dirs := missingDirs(filepath.Dir(c.Path))
		made = append(dirs, made...)
		after, err := p.write(ctx, w, c, dirs)
		if err != nil {
			p.rollBack(ctx, w, i)
			removeEmpty(made)
			if !p.undo {
				err = errors.Join(err, restoreRecord(path, old))
			}
			return err
		}
		p.Changes[i].After = after
	}
	if p.undo {
		for _, f := range old.Files {
			removeEmpty(f.Dirs)
		}
		return removeRecord(path)
	}
	return writeRecord(path, p.record)
}

// current brings the changes up to what the files hold now, before the first of
// them is written: a file that broke since the plan was made stops all.
func current(changes []Change) ([]Change, error) {
	var out []Change
	for _, c := range changes {
		snap, err := readTarget(c.Path)
		if err != nil {
			return nil, err
		}
		if snap.Exists != c.Existed || !bytes.Equal(snap.Bytes, c.Before) {
			next, err := c.make(snap)
			if err != nil {
				return nil, err
			}
			if next.Delete && !snap.Exists || !next.Delete && snap.Exists && bytes.Equal(next.Bytes, snap.Bytes) {
				continue // somebody did the same
			}
			c.Existed, c.Before, c.After, c.Delete = snap.Exists, snap.Bytes, next.Bytes, next.Delete
		}
		out = append(out, c)
	}
	return out, nil
}

// begin starts the record from the one before.
func (p *Plan) begin(old record, now time.Time) {
	p.record = record{
		Scope: p.req.Scope.String(), Path: p.req.SettingsPath(), Program: p.req.HookPath, Time: now.UTC(),
		Files: append([]recordFile(nil), old.Files...), Timeouts: map[string]int{},
	}
	for _, e := range p.req.Events {
		p.record.Timeouts[e.Name] = e.Timeout
	}
}

// removeEmpty removes folders that hold nothing: that is what Remove does to them.
func removeEmpty(dirs []string) {
	for _, dir := range dirs {
		_ = os.Remove(dir)
	}
}

// note puts a file into the record: what it was without us, and what it is now.
// While nobody else touched it, the bytes recorded at the first install stay.
func (p *Plan) note(c Change, snap settings.Snapshot, after []byte, dirs []string) error {
	old, known := p.record.file(c.Path)
	file := recordFile{Path: c.Path, Kind: c.Kind, After: after, Dirs: append(dirs, old.Dirs...)}
	switch {
	case known && snap.Exists && bytes.Equal(old.After, snap.Bytes):
		file.Existed, file.Before = old.Existed, old.Before
	case snap.Exists && c.base != nil:
		base, err := c.base(snap)
		if err != nil {
			return err
		}
		file.Existed, file.Before = !base.Delete, base.Bytes
	default:
		file.Existed, file.Before = snap.Exists, snap.Bytes
	}
	p.record.put(file)
	return nil
}

func (p *Plan) write(ctx context.Context, w settings.Writer, c Change, dirs []string) (after []byte, _ error) {
	var changed *settings.Snapshot
	err := w.Update(ctx, c.Path, func(snap settings.Snapshot) (settings.Next, error) {
		next := settings.Next{Bytes: c.After, Delete: c.Delete}
		changed = nil
		if snap.Exists != c.Existed || !bytes.Equal(snap.Bytes, c.Before) {
			var err error
			if next, err = c.make(snap); err != nil {
				return next, err
			}
			if !bytes.Equal(next.Bytes, snap.Bytes) {
				changed = &snap
			}
		}
		after = next.Bytes
		return next, nil
	})
	if err == nil && changed != nil && !p.undo {
		err = p.note(c, *changed, after, dirs)
	}
	return after, err
}

// rollBack puts back the first n files, each only while it holds what we wrote.
func (p *Plan) rollBack(ctx context.Context, w settings.Writer, n int) {
	for i := n - 1; i >= 0; i-- {
		c := p.Changes[i]
		_ = w.Update(context.WithoutCancel(ctx), c.Path, func(snap settings.Snapshot) (settings.Next, error) {
			if c.Delete == snap.Exists || snap.Exists && !bytes.Equal(snap.Bytes, c.After) {
				return settings.Next{}, errors.New("changed since")
			}
			return settings.Next{Bytes: c.Before, Delete: !c.Existed}, nil
		})
	}
}

func restoreRecord(path string, old record) error {
	if old.Format == 0 {
		return removeRecord(path)
	}
	return writeRecord(path, old)
}

// missingDirs lists the folders that must be made for a file, innermost first.
func missingDirs(dir string) []string {
	var out []string
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return out
		}
		out = append(out, dir)
		parent := filepath.Dir(dir)
		if parent == dir {
			return out
		}
		dir = parent
	}
}

// inside refuses a project file that a link leads out of the project: a cloned
// repository could otherwise have the person's own files edited.
func (r Request) inside(t target, snap settings.Snapshot) error {
	if r.FollowLinks || r.Scope == User || t.outside {
		return nil
	}
	root, err := filepath.EvalSymlinks(r.ProjectDir)
	if err != nil {
		return fmt.Errorf("project folder: %w", err)
	}
	rel, err := filepath.Rel(root, snap.Target)
	if err == nil && filepath.IsLocal(rel) {
		return nil
	}
	return &Refusal{
		Path: snap.Path, Found: "is a link to " + snap.Target + ", outside this project",
		Why: "a change here would change that file",
		Ways: []string{
			"replace the link by a file of its own, then run this again",
			"if the link is meant, repeat with --follow-links",
		},
	}
}
